/* Time to solution where nodes and links fail ([reliability]): the run is the work, or a part of it. */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "program_run.h"

#define INTERVALS_MOST 1e5 /* of a work: bounds the time of the trials */

/* Failures, and the checkpoints of a program. */
struct recovery {
	struct reliability_work w;
	struct failure_times failures;
	double *mark;             /* s; NULL: the program has marked none, or others are added */
	size_t marked, half_done; /* checkpoints of all ranks; of some */
	double skew;              /* s: the longest time from the first rank's mark of a checkpoint to the last one's */
	double nodes, links;      /* that fail; links in proportion, perhaps no whole number */
};

static void recovery_finish(struct recovery *y)
{
	failure_times_finish(&y->failures);
	free(y->mark);
}

/* ---- what fails ---- */

/* Counts nodes with ranks, which are marked in `used`, and links that are up in their proportion. */
static void count_parts(const struct run_machine *m, bool *used, struct recovery *y)
{
	const struct topology *t = m->topology;
	double up = 0;

	for (uint32_t i = 0; i < m->ranks; i++)
		used[m->node_of[i]] = true;
	for (uint32_t i = 0; i < t->nodes; i++) {
		up += topology_reaches(t, i, i);
		y->nodes += used[i];
	}
	for (uint32_t i = 0; i < t->links; i++)
		y->links += topology_reaches(t, t->link[i].from, t->link[i].to);
	y->links *= y->nodes / up;
}

/* Failures per second. */
static double rate_of(double count, double mtbf_hours)
{
	return mtbf_hours > 0 ? count / (3600 * mtbf_hours) : 0;
}

/* Gets what fails, and the work, of which a run takes `run_s`. 0, or -1 with `e`. */
static int recovery_of(const struct run_machine *m, double run_s, struct recovery *y, struct err *e)
{
	const struct reliability_reliability_params *p = &m->reliability_config.reliability;
	bool *used = mem_alloc(m->topology->nodes, sizeof(*used), e);
	struct reliability_work *w = &y->w;
	int ret = 0;

	*y = (struct recovery){0};
	if (!used)
		return -1;
	count_parts(m, used, y);
	if (*p->failures)
		ret = failure_times_read(p->failures, used, m->topology->nodes, &y->failures, e);
	free(used);
	*w = (struct reliability_work){
		.mtbf = *p->failures ? (double)INFINITY
				     : 1 / (rate_of(y->nodes, p->node_mtbf) + rate_of(y->links, p->link_mtbf)),
		.shape = p->shape,
		.checkpoint = p->checkpoint,
		.restart = p->restart,
		.work = p->work > 0 ? p->work : run_s,
		.marked = !(p->checkpoint > 0) && !(p->interval > 0),
		.listed = *p->failures,
		.failure = y->failures.at.at,
		.failures = y->failures.at.count};
	w->interval = p->interval > 0 ? p->interval : w->marked ? 0 : reliability_daly(w->mtbf, w->checkpoint);
	return ret;
}

/* Takes the checkpoints that the program has marked. 0, or -1 with `e`. */
static int take_marks(const struct run *run, struct recovery *y, struct err *e)
{
	size_t count = 0;
	const struct vmpi_checkpoint *c = run->vmpi ? vmpi_checkpoints(run->vmpi, &count) : NULL;

	y->mark = mem_alloc(count + 1, sizeof(*y->mark), e);
	if (!y->mark)
		return -1;
	for (size_t i = 0; i < count; i++) {
		double skew = 1e-12 * (double)(c[i].last - c[i].first);

		if (c[i].ranks < run->machine.ranks) {
			y->half_done++;
			continue;
		}
		y->skew = skew > y->skew ? skew : y->skew;
		y->mark[y->marked++] = 1e-12 * (double)c[i].last;
	}
	y->w.mark = y->mark;
	y->w.marks = y->marked;
	return 0;
}

/* ---- report ---- */

static void report_intervals(const struct reliability_work *w, struct report *r)
{
	bool drawn = isfinite(w->mtbf);

	if (drawn && w->checkpoint > 0 && w->checkpoint < 2 * w->mtbf)
		report_f64(r, "young", reliability_young(w->mtbf, w->checkpoint), "s",
			   "computation between checkpoints by Young's formula");
	if (drawn && w->checkpoint > 0)
		report_f64(r, "daly", reliability_daly(w->mtbf, w->checkpoint), "s",
			   "computation between checkpoints by Daly's formula");
	if (!w->marked)
		report_f64(r, "interval", w->interval, "s", "computation between checkpoints that is used");
}

static void report_checkpoints(const struct recovery *y, struct report *r)
{
	const struct reliability_work *w = &y->w;

	if (!w->marked && w->work / w->interval > INTERVALS_MOST)
		report_f64(r, "checkpoints", w->work / w->interval, "", "of the work: too many for the trials");
	else if (!w->marked)
		report_f64(r, "checkpoints", w->work / w->interval, "", "of the work, added to it");
	else
		report_u64(r, "checkpoints", y->marked, "",
			   y->marked ? "that all ranks mark"
				     : "that all ranks mark: none, failures begin the program again");
	if (!w->marked && y->marked)
		report_u64(r, "ignored", y->marked, "", "checkpoints that the program marks: others are added to it");
	if (w->marked && y->marked)
		report_f64(r, "skew", y->skew, "s",
			   "longest time between ranks' marks of a checkpoint: a repeated part is off by about this");
	if (y->half_done)
		report_u64(r, "half_done", y->half_done, "", "checkpoints that not all ranks mark: they do not count");
}

static void report_times(const struct recovery *y, const struct reliability_times *t, struct report *r)
{
	const struct reliability_trial *mean = &t->mean;
	bool drawn = !y->w.listed;

	report_f64(r, "failures", mean->failures, "", drawn ? "and restarts, mean of the trials" : "and restarts");
	report_f64(r, "saving", mean->saving, "s", "time of added checkpoints that failures do not discard");
	report_f64(r, "repeated", mean->repeated, "s", "computation and checkpoints that failures discard");
	report_f64(r, "restarting", mean->restarting, "s", "time of restarts, those that fail included");
	report_f64(r, "seconds", mean->seconds, "s",
		   drawn ? "time to solution, mean of the trials" : "time to solution");
	if (drawn) {
		report_f64(r, "seconds_error", t->error, "s", "half of the 95 % interval of the mean");
		report_f64(r, "seconds_low", t->low, "s", "5 % of the trials take less");
		report_f64(r, "seconds_high", t->high, "s", "5 % of the trials take more");
	}
	report_f64(r, "lost", 100 * (1 - y->w.work / mean->seconds), "%", "share of it that is no work");
}

/* Why no time to solution is known; NULL: it is. */
static const char *unknown_why(const struct recovery *y, const struct reliability_times *t)
{
	if (t->endless)
		return "the program hardly advances between failures";
	if (y->w.listed && t->mean.seconds > y->failures.end)
		return "the file of failures ends before the program";
	return NULL;
}

static void report_recovery(const struct recovery *y, const struct reliability_times *t, double watts, struct report *r)
{
	const struct reliability_work *w = &y->w;
	bool many = !w->marked && w->work / w->interval > INTERVALS_MOST;
	const char *why = many ? NULL : unknown_why(y, t);
	double expected = reliability_expected(w);

	report_f64(r, "work", w->work, "s", "time of the work without failures and added checkpoints");
	if (!w->listed)
		report_f64(r, "mtbf", w->mtbf, "s", "mean time between failures of the nodes with ranks, and of links");
	report_intervals(w, r);
	if (!w->listed && (w->marked || w->work >= w->interval) && !(w->shape < 1) && !(w->shape > 1) &&
	    isfinite(expected))
		report_f64(r, "expected", expected, "s", "expected time to solution (Daly)");
	report_checkpoints(y, r);
	if (why)
		report_text(r, "endless", why, "why no time to solution is known");
	if (many || why)
		return;
	report_times(y, t, r);
	if (watts > 0)
		report_f64(r, "energy", watts * t->mean.seconds, "J", "energy to solution at the run's mean power");
}

/* ---- the run ---- */

int run_reliability_check(const struct run *run, struct err *e)
{
	const struct run_machine *m = &run->machine;
	struct recovery y;
	int ret;

	if (!reliability_given(&m->reliability_config))
		return 0;
	ret = recovery_of(m, 0, &y, e);
	if (ret == 0 && y.w.work / y.w.interval > INTERVALS_MOST)
		ret = err_set(e, STATUS_USAGE,
			      "reliability: %.3g checkpoints of a work of %g s, expected at most %g: a longer interval",
			      y.w.work / y.w.interval, y.w.work, INTERVALS_MOST);
	recovery_finish(&y);
	return ret;
}

/* 0, or -1 with `e`. Finish `y` in both cases. */
static int run_recovery(const struct run *run, double run_s, struct recovery *y, struct reliability_times *t,
			struct err *e)
{
	const struct run_machine *m = &run->machine;
	unsigned trials = m->reliability_config.reliability.trials;

	if (recovery_of(m, run_s, y, e) < 0 || take_marks(run, y, e) < 0)
		return -1;
	if (!y->w.marked && y->w.work / y->w.interval > INTERVALS_MOST)
		return 0;
	/* failures of a file are the same in each trial */
	return reliability_run(&y->w, run->in.set.seed, y->w.listed ? 1 : trials, t, e);
}

int run_reliability_report(const struct run *run, struct report *r, struct err *e)
{
	double run_s = 1e-12 * (double)(run->vmpi ? vmpi_end_time(run->vmpi) : run->result ? run->result->total_ps : 0);
	struct reliability_times t = {.endless = true};
	struct recovery y;
	int ret;

	if (!reliability_given(&run->machine.reliability_config) || !(run_s > 0))
		return 0;
	ret = run_recovery(run, run_s, &y, &t, e);
	if (ret == 0) {
		report_group(r, "reliability",
			     "time to solution where nodes and links fail, by the figures of [reliability]");
		report_recovery(&y, &t, run_power_joules(run) / run_s, r);
		report_end(r);
	}
	recovery_finish(&y);
	return ret;
}
