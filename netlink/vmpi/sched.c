/* The scheduler: ranks in order of (clock, rank), and the engine between them. */
#include <errno.h>
#include <inttypes.h>

#include "../../psim/base/rng.h"
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

/* Takes out item `i` of the heap; 0 is the first. */
static struct ready ready_take(struct vmpi *v, uint32_t i)
{
	struct ready taken = v->ready[i], last = v->ready[--v->ready_count];

	if (i == v->ready_count)
		return taken;
	/* where the last one goes: up from here, or down */
	while (i && before(&last, &v->ready[(i - 1) / 2])) {
		v->ready[i] = v->ready[(i - 1) / 2];
		i = (i - 1) / 2;
	}
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
	return taken;
}

/*
 * The next rank to run. What a rank does from its clock on, until it waits or catches up, cannot depend on others:
 * so any that is ready may come first, which tests make use of. Only what several do at the very same time then
 * happens in another order.
 */
static uint32_t choose(struct vmpi *v)
{
	uint32_t i;

	if (!v->setup.shuffle)
		return 0;
	i = (uint32_t)rng_below(v->setup.shuffle, 0x73687566, v->shuffled++, v->ready_count);
	return rank_by_index(v, v->ready[i].rank)->catching_up ? 0 : i;
}

/* ---- one step ---- */

static int went_back(struct vmpi *v, const char *what, uint32_t i, int64_t from, int64_t to)
{
	return err_set(&v->err, STATUS_FAILED,
	               "check: the clock of %s %" PRIu32 " goes back from %" PRId64 " to %" PRId64 " ps", what, i,
	               from, to);
}

/* The notices of an instant: none of the past, none from before its message began. */
static int check_notices(struct vmpi *v, const struct net_notice *notices, int n)
{
	int64_t time = v->present;

	for (int i = 0; i < n; i++) {
		const struct message *m = message_at(v, notices[i].id);

		if (notices[i].time_ps < time)
			return went_back(v, "the engine at message", notices[i].id, time, notices[i].time_ps);
		time = notices[i].time_ps;
		if (time < m->began)
			return err_set(&v->err, STATUS_FAILED, "check: a message from rank %" PRIu32 " to rank %" PRIu32
			               " begins at %" PRId64 " ps and is there at %" PRId64 " ps", m->src, m->dst,
			               m->began, time);
	}
	return 0;
}

/* The engine goes on until `until` or to its next notices. -1: it failed. */
static int advance(struct vmpi *v, int64_t until)
{
	struct net_notice notices[NOTICES_MAX];
	int n = v->setup.kind->advance(v->setup.engine, until, notices, NOTICES_MAX, &v->err);

	if (n < 0 || (v->setup.check && check_notices(v, notices, n) < 0))
		return -1;
	v->present = n ? notices[n - 1].time_ps : until;
	for (int i = 0; i < n && !v->failed; i++)
		p2p_notice(v, &notices[i]);
	return v->failed ? -1 : n;
}

static int run_rank(struct vmpi *v, struct rank *r)
{
	uint32_t i = rank_index(v, r);
	int64_t from = r->now;

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
	r->catching_up = false;
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
	if (v->failed)
		return -1;
	return v->setup.check && r->now < from ? went_back(v, "rank", i, from, r->now) : 0;
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
	struct ready next;

	if (engine_time != NET_TIME_NEVER && engine_time <= rank_time) {
		int n = advance(v, rank_time);

		/* notices may have made ranks ready that come before */
		if (n != 0 || !v->ready_count)
			return n < 0 ? -1 : 0;
	}
	if (!v->ready_count)
		return stuck(v);
	next = ready_take(v, choose(v));
	if (v->setup.check && next.time < v->present)
		return went_back(v, "rank", next.rank, v->present, next.time);
	return run_rank(v, rank_by_index(v, next.rank));
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
