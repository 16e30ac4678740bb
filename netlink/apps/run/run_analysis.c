/* The critical path of a run, and its ranks over time, if they are requested. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../topology/down.h"
#include "../../topology/topology_names.h"
#include "program_run.h"

static void note_computed(void *user, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	const struct run *run = user;

	analysis_computed(run->analysis, rank, from, to, where);
}

int run_analysis_start(struct run *run, struct err *e)
{
	const struct run_machine *m = &run->machine;
	const struct settings *s = &run->in.set;
	const struct net_log_window *w = &run->in.window;
	struct analysis_setup setup = {
		.ranks = m->ranks,
		.node_of = m->node_of,
		.config = &m->vmpi_config,
		.picture = s->picture != NULL,
		.page = inputs_have_page(&run->in),
		.from_ps = w->from_ps,
		.to_ps = s->window ? w->to_ps : INT64_MAX,
		.first_rank = w->first_rank,
		.last_rank = w->last_rank,
		.kind = m->kind,
		.net = {.topology = m->topology, .config = &m->net_config, .protocol = m->protocol, .seed = s->seed},
	};

	if (!s->critical_path && !s->picture && !setup.page)
		return 0;
	run->analysis = analysis_create(&setup, e);
	if (!run->analysis)
		return -1;
	run->observer.computed = note_computed;
	return 0;
}

int run_analysis_between(struct run *run, struct err *e)
{
	return run->analysis ? analysis_between(run->analysis, run->vmpi, e) : 0;
}

int run_analysis_finish(struct run *run, struct err *e)
{
	return run->analysis ? analysis_finish(run->analysis, run->vmpi, e) : 0;
}

int run_analysis_report(const struct run *run, struct report *r, struct err *e)
{
	bool page = inputs_have_page(&run->in);
	char name[LINK_NAME_MAX];
	struct bound_links links;

	if (!page && !run->in.set.critical_path)
		return 0;
	if (run_find_links(run, &links, name, e) < 0)
		return -1;
	if (run->analysis) {
		analysis_links(run->analysis, &links);
		analysis_report(run->analysis, run->vmpi, r);
		run_report_link_use(&links, (double)vmpi_end_time(run->vmpi) / 1e12, r);
		return page ? analysis_page(run->analysis, run->vmpi, r, e) : 0;
	}
	if (run->result)
		run_report_link_use(&links, (double)run->result->total_ps / 1e12, r);
	return 0;
}
