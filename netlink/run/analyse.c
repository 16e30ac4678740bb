/* What is asked of a run beyond its report: the critical path. */
#include <stdlib.h>

#include "run.h"

/* ---- what vmpi tells ---- */

static void note_computed(void *user, uint32_t rank, int64_t from, int64_t to, const void *where)
{
	const struct run *run = user;

	analysis_computed(run->analysis, rank, from, to, where);
}

static void note_waited(void *user, const struct vmpi_waited *w)
{
	const struct run *run = user;

	analysis_waited(run->analysis, w);
}

static void note_phase(void *user, uint32_t rank, int64_t time, const char *name)
{
	const struct run *run = user;

	analysis_phase(run->analysis, rank, time, name);
}

int analyse_start(struct run *run, struct err *e)
{
	struct analysis_setup setup = {
		.ranks = run->ranks,
		.node_of = run->node_of,
		.config = &run->vmpi_config,
		.kind = run->kind,
		.net = {.topology = run->topology,
	                .config = &run->net_config,
	                .seed = run->set.seed},
	};

	if (!run->set.critical_path)
		return 0;
	run->analysis = analysis_create(&setup, e);
	if (!run->analysis)
		return -1;
	run->observer.computed = note_computed;
	run->observer.waited = note_waited;
	run->observer.phase = note_phase;
	return 0;
}

int analyse_between(struct run *run, struct err *e)
{
	return run->analysis ? analysis_between(run->analysis, run->vmpi, e) : 0;
}

int analyse_finish(struct run *run, struct err *e)
{
	return run->analysis ? analysis_finish(run->analysis, run->vmpi, e) : 0;
}

void analyse_report(const struct run *run, struct report *r)
{
	if (run->analysis && run->set.critical_path)
		analysis_report(run->analysis, run->vmpi, r);
}
