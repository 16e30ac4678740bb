/* Time to solution where nodes fail ([reliability]): the run's time is that of the work, or of a part of it. */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "program_run.h"

#define INTERVALS_MOST 1e5 /* of a work: bounds the time of the trials */

/* Nodes with ranks; 0 with `e`: memory is short. */
static uint32_t nodes_used(const struct run_machine *m, struct err *e)
{
	bool *used = mem_alloc(m->topology->nodes, sizeof(*used), e);
	uint32_t nodes = 0;

	for (uint32_t i = 0; used && i < m->ranks; i++) {
		nodes += !used[m->node_of[i]];
		used[m->node_of[i]] = true;
	}
	free(used);
	return nodes;
}

static void report_times(const struct reliability_work *w, const struct reliability_times *t, double run_s,
			 double joules, struct report *r)
{
	report_f64(r, "work", w->work, "s", "time of the work without failures and checkpoints");
	report_f64(r, "mtbf", w->mtbf, "s", "mean time between failures of the nodes with ranks");
	if (w->checkpoint > 0 && w->checkpoint < 2 * w->mtbf)
		report_f64(r, "young", reliability_young(w->mtbf, w->checkpoint), "s",
			   "computation between checkpoints by Young's formula");
	if (w->checkpoint > 0)
		report_f64(r, "daly", reliability_daly(w->mtbf, w->checkpoint), "s",
			   "computation between checkpoints by Daly's formula");
	report_f64(r, "interval", w->interval, "s", "computation between checkpoints that is used");
	if (w->work >= w->interval && !(w->shape < 1) && !(w->shape > 1) && isfinite(reliability_expected(w)))
		report_f64(r, "expected", reliability_expected(w), "s", "expected time to solution (Daly)");
	if (w->work / w->interval > INTERVALS_MOST) {
		report_f64(r, "checkpoints", w->work / w->interval, "", "of the work: too many for the trials");
	} else if (t->endless) {
		report_text(r, "endless", "the program hardly advances between failures",
			    "why no time to solution is known");
	} else {
		report_f64(r, "seconds", t->mean, "s", "time to solution, mean of the trials");
		report_f64(r, "seconds_error", t->error, "s", "half of the 95 % interval of the mean");
		report_f64(r, "lost", 100 * (1 - w->work / t->mean), "%", "share of it that is no work");
	}
	if (joules > 0 && !t->endless)
		report_f64(r, "energy", joules * t->mean / run_s, "J", "energy to solution at the run's mean power");
}

/* Gets the work; its time is that of the run, `run_s`, if none is configured. 0, or -1 with `e`: memory is short. */
static int reliability_work_of(const struct run_machine *m, double run_s, struct reliability_work *w, struct err *e)
{
	const struct reliability_reliability_params *p = &m->reliability_config.reliability;
	uint32_t nodes = nodes_used(m, e);

	if (!nodes)
		return -1;
	*w = (struct reliability_work){.mtbf = 3600 * p->node_mtbf / nodes,
				       .shape = p->shape,
				       .checkpoint = p->checkpoint,
				       .restart = p->restart,
				       .work = p->work > 0 ? p->work : run_s};
	w->interval = p->interval > 0 ? p->interval : reliability_daly(w->mtbf, w->checkpoint);
	return 0;
}

int run_reliability_check(const struct run *run, struct err *e)
{
	const struct run_machine *m = &run->machine;
	struct reliability_work w;

	if (!reliability_given(&m->reliability_config) || !(m->reliability_config.reliability.work > 0))
		return 0;
	if (reliability_work_of(m, 0, &w, e) < 0)
		return -1;
	if (w.work / w.interval > INTERVALS_MOST)
		return err_set(
			e, STATUS_USAGE,
			"reliability: %.3g checkpoints of a work of %g s, expected at most %g: a longer interval",
			w.work / w.interval, w.work, INTERVALS_MOST);
	return 0;
}

int run_reliability_report(const struct run *run, struct report *r, struct err *e)
{
	const struct run_machine *m = &run->machine;
	double run_s = 1e-12 * (double)(run->vmpi ? vmpi_end_time(run->vmpi) : run->result ? run->result->total_ps : 0);
	struct reliability_work w;
	struct reliability_times t = {.endless = true};
	bool many;

	if (!reliability_given(&m->reliability_config) || !(run_s > 0))
		return 0;
	if (reliability_work_of(m, run_s, &w, e) < 0)
		return -1;
	many = w.work / w.interval > INTERVALS_MOST;
	if (!many && reliability_run(&w, run->in.set.seed, m->reliability_config.reliability.trials, &t, e) < 0)
		return -1;
	report_group(r, "reliability", "time to solution where nodes fail, by the figures of [reliability]");
	report_times(&w, &t, run_s, run_power_joules(run), r);
	report_end(r);
	return 0;
}
