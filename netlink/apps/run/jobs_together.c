/* Runs jobs side by side: the owner of the shared engine, and the order of instants. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/cli/progress.h"
#include "../../../psim/base/mem.h"
#include "job_program.h"
#include "jobs_state.h"
#include "program_run.h"

/* A job that runs. */
struct job_run {
	struct job *job;
	struct job_result *result;
	struct net_engine *view;
	struct traffic_steps *steps; /* traffic, or … */
	struct job_program program;  /* … a program */
	bool over;
	uint64_t before; /* messages delivered up to the present instant */
};

struct together {
	struct run *run;
	struct net_share *share;
	struct job_run *row;
	unsigned count;
	int64_t now, end;
	struct progress progress;
	uint64_t turns;
};

enum { TURNS_A_STEP = 1024, MESSAGES_AN_INSTANT = 10000 };

/* ---- a job ---- */

static int begin_job(struct together *w, unsigned i, FILE *out, struct err *e)
{
	struct job_run *x = &w->row[i];
	const struct run_machine *m = &w->run->machine;
	const struct traffic_setup traffic = {
		.traffic = x->job->traffic,
		.topology = m->topology,
		.kind = net_share_kind(w->share),
		.engine = x->view = net_share_view(w->share, i, x->job->first_rank, x->job->class),
		.node_of = x->job->node_of,
	};

	if (!x->job->pattern)
		return job_program_start(&x->program, w->run, x->job, net_share_kind(w->share), x->view, out, e);
	x->steps = traffic_steps_create(&traffic, e);
	return x->steps ? 0 : -1;
}

/* Takes the notices that wait for a job. A program also runs its ranks up to the present. */
static int take_job_notices(struct together *w, struct job_run *x, struct err *e)
{
	struct net_notice notices[64];
	int n;

	if (!x->steps)
		return job_program_at(&x->program, w->now, e);
	while ((n = net_share_kind(w->share)->advance(x->view, w->now, notices, 64, e)) > 0)
		for (int i = 0; i < n; i++)
			if (traffic_steps_notice(x->steps, &notices[i], e))
				return -1;
	return 0;
}

static int64_t job_next(const struct job_run *x)
{
	if (x->over)
		return NET_TIME_NEVER;
	return x->steps ? traffic_steps_next(x->steps) : job_program_next(&x->program);
}

/* Notes the end of a job whose ranks have ended and whose messages have arrived. */
static int note_over(struct together *w, unsigned i, struct err *e)
{
	struct job_run *x = &w->row[i];
	struct traffic_result *result;

	if (net_share_waits(w->share, i) || !(x->steps ? traffic_steps_over(x->steps) : job_program_over(&x->program)))
		return 0;
	x->over = true;
	x->result->complete = true;
	if (!x->steps) {
		x->result->time_ps = job_program_time(&x->program);
		return 0;
	}
	result = traffic_steps_end(x->steps, true, e);
	if (!result)
		return -1;
	x->result->time_ps = result->total_ps;
	traffic_result_destroy(result);
	return 0;
}

/* ---- all of them ---- */

static struct err *of_job(const struct job_run *x, struct err *e)
{
	err_prefix(e, "job %u", x->job->number);
	return e;
}

/* Gives the notices of the instant, or, at its end, its turn, to each job that has any. */
static int serve_jobs(struct together *w, bool pauses, struct err *e)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct job_run *x = &w->row[i];
		int ret = 0;

		if (x->over || (pauses ? job_next(x) > w->now : !net_share_queued(w->share, i)))
			continue;
		ret = pauses && x->steps ? traffic_steps_pauses(x->steps, w->now, e) : take_job_notices(w, x, e);
		if (ret < 0 || note_over(w, i, e) < 0) {
			of_job(x, e);
			return -1;
		}
	}
	return 0;
}

/* Returns whether all jobs that have an end have ended. */
static bool all_over(const struct together *w)
{
	bool endless = true;

	for (unsigned i = 0; i < w->count; i++) {
		if (!w->row[i].job->background && !w->row[i].over)
			return false;
		endless = endless && w->row[i].job->background;
	}
	return !endless;
}

/* No job has anything to do before the end of time: those that have not ended wait for ever. */
static int say_stuck(struct together *w, struct err *e)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct job_run *x = &w->row[i];

		if (x->over)
			continue;
		if (x->steps ? traffic_steps_end(x->steps, true, e) == NULL : job_program_stuck(&x->program, e) < 0) {
			of_job(x, e);
			return -1;
		}
	}
	return 0;
}

/* The next instant. 1; 0: the run is over; -1 with `e`. */
static int next_instant(struct together *w, struct err *e)
{
	int64_t next = NET_TIME_NEVER, until;
	bool waits = false;
	int got;

	for (unsigned i = 0; i < w->count; i++) {
		next = job_next(&w->row[i]) < next ? job_next(&w->row[i]) : next;
		waits = waits || net_share_waits(w->share, i);
	}
	if (next == NET_TIME_NEVER && !waits)
		return say_stuck(w, e);
	until = next < w->end ? next : w->end;
	got = net_share_advance(w->share, until, &w->now, e);
	if (got < 0)
		return -1;
	if (!got)
		w->now = until;
	if (serve_jobs(w, !got, e) < 0)
		return -1;
	return got || until < w->end;
}

/*
 * Fails if a job without an end sends in no time: more messages in an instant than any that leaves a rank after
 * another could. Called after a turn; `instant`: of the turn before.
 */
static int expect_time_passes(struct together *w, int64_t instant, struct err *e)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct job_run *x = &w->row[i];
		uint64_t delivered;

		if (!x->job->background)
			continue;
		delivered = net_share_counts(w->share, i)->delivered;
		if (w->now != instant)
			x->before = delivered;
		if (delivered - x->before <= (uint64_t)MESSAGES_AN_INSTANT * x->job->ranks)
			continue;
		err_set(e, STATUS_STUCK,
			"more than %d messages of each rank take no time: in the background they never end, expected "
			"messages with data, or an engine with latency",
			MESSAGES_AN_INSTANT);
		of_job(x, e);
		return -1;
	}
	return 0;
}

static int run_instants(struct together *w, struct err *e)
{
	int64_t instant = w->now;
	int ret = 1;

	for (unsigned i = 0; i < w->count; i++)
		if (note_over(w, i, e) < 0)
			return -1;
	while (ret > 0 && !all_over(w)) {
		ret = next_instant(w, e);
		if (ret > 0 && expect_time_passes(w, instant, e) < 0)
			return -1;
		instant = w->now;
		if (++w->turns % TURNS_A_STEP == 0 && !progress_step(&w->progress, w->turns, NULL)) {
			w->run->interrupted = true;
			return 0;
		}
	}
	return ret < 0 ? -1 : 0;
}

/* The results of all, also of jobs that have not ended. */
static void note_results(struct together *w)
{
	for (unsigned i = 0; i < w->count; i++) {
		struct job_run *x = &w->row[i];

		x->result->counts = *net_share_counts(w->share, i);
		if (!x->over)
			x->result->time_ps = w->now;
	}
}

int jobs_together(struct run *run, struct net_engine *engine, struct job *const *jobs, unsigned count, int64_t end_ps,
		  struct job_result *const *result, FILE *out, struct err *e)
{
	struct together w = {.run = run, .count = count, .end = end_ps};
	int ret = -1;

	w.row = mem_alloc(count, sizeof(*w.row), e);
	w.share = w.row ? net_share_create(run->machine.kind, engine, count, e) : NULL;
	if (w.share) {
		ret = 0;
		progress_start(&w.progress, run->in.program->name, "instants", 0, run->in.common.quiet);
		for (unsigned i = 0; i < count && !ret; i++) {
			w.row[i].job = jobs[i];
			w.row[i].result = result[i];
			ret = begin_job(&w, i, out, e);
			if (ret < 0)
				of_job(&w.row[i], e);
		}
		ret = ret < 0 ? -1 : run_instants(&w, e);
		progress_end(&w.progress);
		note_results(&w);
	}
	for (unsigned i = 0; w.row && i < count; i++) {
		traffic_steps_destroy(w.row[i].steps);
		if (w.row[i].program.vmpi)
			collective_uses_get(w.row[i].program.vmpi, &jobs[i]->uses);
		job_program_finish(&w.row[i].program);
	}
	net_share_destroy(w.share);
	free(w.row);
	return ret;
}
