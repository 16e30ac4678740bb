/* The scheduler: ranks in order of (clock, rank), and the engine between them. */
#include <errno.h>

#include "crash.h"
#include "program.h"
#include "world.h"

enum { NOTICES_MAX = 256 };

/* ---- ranks that can go on: a binary heap ---- */

static bool before(const struct ready *a, const struct ready *b)
{
	return a->time != b->time ? a->time < b->time : a->rank < b->rank;
}

void ready_push(struct vmpi *v, struct rank *r, int64_t time)
{
	struct ready item = { time, r->index };
	uint32_t i = v->ready_count++;

	while (i && before(&item, &v->ready[(i - 1) / 2])) {
		v->ready[i] = v->ready[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	v->ready[i] = item;
	r->state = RANK_READY;
}

static struct ready ready_pop(struct vmpi *v)
{
	struct ready top = v->ready[0], last = v->ready[--v->ready_count];
	uint32_t i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= v->ready_count)
			break;
		if (child + 1 < v->ready_count && before(&v->ready[child + 1], &v->ready[child]))
			child++;
		if (!before(&v->ready[child], &last))
			break;
		v->ready[i] = v->ready[child];
		i = child;
	}
	v->ready[i] = last;
	return top;
}

/* ---- one step ---- */

/* The engine goes on until `until` or to its next notices. -1: it failed. */
static int advance(struct vmpi *v, int64_t until)
{
	struct net_notice notices[NOTICES_MAX];
	int n = v->setup.kind->advance(v->setup.engine, until, notices, NOTICES_MAX, &v->err);

	if (n < 0)
		return -1;
	v->present = n ? notices[n - 1].time_ps : until;
	for (int i = 0; i < n && !v->failed; i++)
		p2p_notice(v, &notices[i]);
	return v->failed ? -1 : n;
}

static int run_rank(struct vmpi *v, struct rank *r)
{
	uint32_t i = rank_index(v, r);

	if (globals_enter(&v->globals, i, &v->err) < 0)
		return -1;
	if (!r->begun && rank_is_task(v, r)) {
		if (task_begin(v, r) < 0)
			return -1;
	} else if (!r->begun) {
		r->begun = true;
		context_init(&r->context, v->main.kind, stacks_at(&v->stacks, i), stacks_usable(&v->stacks),
		             rank_main, v);
	}
	v->output.writer = i;
	v->current = r;
	r->state = RANK_RUNNING;
	errno = r->saved_errno;
	context_switch(&v->main, &r->context, false);
	r->saved_errno = errno;
	v->current = NULL;
	v->switches++;
	output_by(&v->output, i);
	if (r->state == RANK_ENDED && rank_is_task(v, r)) {
		task_finish(v, r);
	} else if (r->state == RANK_ENDED) {
		output_rank_ended(&v->output, i);
		globals_rank_ended(&v->globals, i);
	}
	return v->failed ? -1 : 0;
}

/* A rank's exit status is not 0: the run failed, whatever became of the others. */
static int bad_status(struct vmpi *v)
{
	uint32_t i = v->bad - 1;

	return err_set(&v->err, STATUS_FAILED, "rank %u ended with status %d", i, v->ranks[i].status);
}

static int stuck(struct vmpi *v)
{
	uint32_t waiting = v->size - v->ended;

	if (v->bad)
		return bad_status(v);
	return err_set(&v->err, STATUS_STUCK, "the program is stuck: %u of %u rank%s wait%s for what never comes",
	               waiting, v->size, v->size == 1 ? "" : "s", waiting == 1 ? "s" : "");
}

/* What comes next, be it the engine or a rank. -1: the run failed. */
static int step(struct vmpi *v)
{
	int64_t rank_time = v->ready_count ? v->ready[0].time : NET_TIME_NEVER;
	int64_t engine_time = v->setup.kind->next_time(v->setup.engine);

	if (engine_time != NET_TIME_NEVER && engine_time <= rank_time) {
		int n = advance(v, rank_time);

		/* notices may have made ranks ready that come before */
		if (n != 0 || !v->ready_count)
			return n < 0 ? -1 : 0;
	}
	if (!v->ready_count)
		return stuck(v);
	return run_rank(v, rank_by_index(v, ready_pop(v).rank));
}

enum vmpi_end vmpi_run(struct vmpi *v, uint64_t steps, struct err *e)
{
	int ret = 0;

	if (v->failed) {
		*e = v->err;
		return VMPI_FAILED;
	}
	output_begin(&v->output);
	crash_watch(v);
	for (; ret == 0 && v->ended < v->size && steps; steps--)
		ret = step(v);
	crash_unwatch(v);
	output_end(&v->output);
	if (ret == 0 && v->ended == v->size && v->bad)
		ret = bad_status(v);
	if (ret == 0 && v->output.failed)
		ret = err_set(&v->err, STATUS_FAILED, "output of the ranks: cannot write");
	if (ret < 0) {
		v->failed = true;
		*e = v->err;
		return VMPI_FAILED;
	}
	return v->ended == v->size ? VMPI_DONE : VMPI_RUNNING;
}
