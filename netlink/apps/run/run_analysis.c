/* The critical path of a run, and its ranks over time, if they are requested. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../topology/down.h"
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

/* Finds the link that is used most, and what a link in use has on average. `name`: its name. 0, or -1 with `e`. */
static int run_links(const struct run *run, struct bound_links *links, char name[DOWN_LINK_MAX], struct err *e)
{
	const struct run_machine *m = &run->machine;
	const struct topology *t = m->topology;
	double *bytes, most = 0, sum = 0;
	uint32_t busiest = 0;

	*links = (struct bound_links){.links = t->links};
	if (run->curve || run->jobs || !m->kind->carried)
		return 0;
	bytes = mem_alloc(t->links, sizeof(*bytes), e);
	if (!bytes)
		return -1;
	m->kind->carried(m->engine, bytes);
	for (uint32_t i = 0; i < t->links; i++) {
		double seconds = bytes[i] / t->class[t->link[i].class].bytes_per_s;

		links->used += bytes[i] > 0;
		sum += seconds;
		if (seconds > most) {
			most = seconds;
			busiest = i;
		}
	}
	free(bytes);
	if (!links->used)
		return 0;
	links->busiest = down_link_name(t, busiest, name);
	links->most_ps = (int64_t)(most * 1e12 + 0.5);
	links->mean_ps = (int64_t)(sum * 1e12 / links->used + 0.5);
	return 0;
}

/* Adds the group "link_use". */
static void report_link_use(const struct bound_links *l, double seconds, struct report *r)
{
	if (!l->used || !(seconds > 0))
		return;
	report_group(r, "link_use", "use of links, NICs among them: time in which they carry data at their bandwidth");
	report_text(r, "busiest", l->busiest, "link that is used most");
	report_f64(r, "most", 100 * (double)l->most_ps / 1e12 / seconds, "%", "its use, share of the run's time");
	report_f64(r, "mean", 100 * (double)l->mean_ps / 1e12 / seconds, "%", "the same of a link in use, mean");
	report_u64(r, "used", l->used, "links", "links that carry data");
	report_u64(r, "links", l->links, "links", "all links");
	report_end(r);
}

int run_analysis_report(const struct run *run, struct report *r, struct err *e)
{
	bool page = inputs_have_page(&run->in);
	char name[DOWN_LINK_MAX];
	struct bound_links links;

	if (!page && !run->in.set.critical_path)
		return 0;
	if (run_links(run, &links, name, e) < 0)
		return -1;
	if (run->analysis) {
		analysis_links(run->analysis, &links);
		analysis_report(run->analysis, run->vmpi, r);
		report_link_use(&links, (double)vmpi_end_time(run->vmpi) / 1e12, r);
		return page ? analysis_page(run->analysis, run->vmpi, r, e) : 0;
	}
	if (run->result)
		report_link_use(&links, (double)run->result->total_ps / 1e12, r);
	return 0;
}
