/*
 * The scheduler: ranks in order of (clock, rank), and the engine between them.
 *
 * A run is a loop of steps (loop_step). Two clocks decide which is next: the least (clock, index) of the ready queue
 * (../host/ready.h), and the time of the engine's next event. If the engine's is not later, it advances, and its
 * notices say that a message was sent or has arrived (p2p_notice): requests complete, and ranks that waited for them
 * become ready. Otherwise the rank runs, in its own context, until it waits (run_rank). The run ends when all ranks
 * have; it is deadlocked when none is ready and the engine has no message.
 *
 * The engine's next time may be a bound below the true one. So may the ready queue's: ready_bound is cheap, ready_time
 * sorts. A step that finds nothing to do at such a time is harmless.
 *
 * One of several processes runs the same steps up to the end of a window (vmpi_run_to, step_to). There a rank may be
 * held: its next effect is everywhere at once, and has to wait for earlier steps elsewhere (in_order.c).
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "../collectives/collective.h"
#include "../host/crash.h"
#include "../host/loaded.h"
#include "../host/mpi_program.h"
#include "../host/ready.h"
#include "../host/rank_thread.h"
#include "../message/run_checks.h"
#include "../replay/replay.h"
#include "in_order.h"

enum { NOTICES_MAX = 256 };
enum { AHEAD_MESSAGE = 8, AHEAD_RANK = 5, AHEAD_REQUEST = 2 }; /* notices */

/* Prefetches data of the ranks after the next one. */
static inline void fetch_next(const struct vmpi *v)
{
	const struct calendar *c = &v->ready.calendar;
	uint64_t key;

	if (c->now_at + 3 < c->now_count && (key = c->now[c->now_at + 3] & CALENDAR_KEY_MASK) < v->size)
		fetch_lines(&v->ranks[key], RANK_LINES);
	if (c->now_at + 1 < c->now_count && (key = c->now[c->now_at + 1] & CALENDAR_KEY_MASK) < v->size)
		fetch_stack(&v->ranks[key]);
}

/* ---- one step ---- */

static int went_back(struct vmpi *v, const char *what, uint32_t i, int64_t from, int64_t to)
{
	return err_set(&v->err, STATUS_FAILED,
		       "check: the clock of %s %" PRIu32 " decreases from %" PRId64 " to %" PRId64 " ps", what, i, from,
		       to);
}

/* Checks an instant's notices: none is in the past, none precedes its message's start. */
static int check_notices(struct vmpi *v, const struct net_notice *notices, int n)
{
	int64_t time = v->present;

	for (int i = 0; i < n; i++) {
		const struct message *m = message_at(v, notices[i].id);

		if (notices[i].time_ps < time)
			return went_back(v, "the engine at message", notices[i].id, time, notices[i].time_ps);
		time = notices[i].time_ps;
		if (time < m->began)
			return err_set(&v->err, STATUS_FAILED,
				       "check: a message from rank %" PRIu32 " to rank %" PRIu32 " begins at %" PRId64
				       " ps and arrives at %" PRId64 " ps",
				       m->src, m->dst, m->began, time);
	}
	return 0;
}

/* Prefetches for upcoming notices: the message, then its receiver, then what the receiver waits with. */
static inline void look_ahead(const struct vmpi *v, const struct net_notice *notices, int left)
{
	const struct rank *r;

	if (left > AHEAD_MESSAGE)
		fetch_lines(message_at(v, notices[AHEAD_MESSAGE].id), 2);
	if (left > AHEAD_RANK)
		fetch_lines(&v->ranks[message_at(v, notices[AHEAD_RANK].id)->dst], RANK_LINES);
	if (left > AHEAD_REQUEST) {
		r = &v->ranks[message_at(v, notices[AHEAD_REQUEST].id)->dst];
		if (r->matches.one.posted.first)
			fetch_lines(request_at(v, r->matches.one.posted.first), 2);
	}
}

/* Advances the engine to `until` or to its next notices. -1: it failed. */
static int loop_advance(struct vmpi *v, int64_t until)
{
	struct net_notice notices[NOTICES_MAX];
	int n = v->setup.kind->advance(v->setup.engine, until, notices, NOTICES_MAX, &v->err);

	if (n < 0 || (v->setup.check && check_notices(v, notices, n) < 0))
		return -1;
	v->present = n ? notices[n - 1].time_ps : until;
	for (int i = 0; i < n && !v->failed; i++) {
		look_ahead(v, &notices[i], n - i);
		p2p_notice(v, &notices[i]);
	}
	return v->failed ? -1 : n;
}

enum { SLICE_PS = 1000000 };                         /* the least: 1 us */
static const int64_t slice_nodes = (int64_t)1 << 17; /* of which busy links take up to a second of the host for it */

/*
 * Returns the time to which the engine advances at once before `bound`. Long messages end after minutes of the host,
 * and until then only the caller notices signals. Engines that run in windows give the same results for any such time.
 */
static int64_t slice_end(const struct vmpi *v, int64_t engine_time, int64_t bound)
{
	int64_t slice = slice_nodes / v->setup.nodes * SLICE_PS;

	if (slice < SLICE_PS)
		slice = SLICE_PS;
	return v->setup.kind->partitions && slice < bound - engine_time ? engine_time + slice : bound;
}

/* The task or rank has ended; a thread may have ended its rank with it. */
static void clean_up(struct vmpi *v, struct rank *r)
{
	uint32_t i = r->world;
	bool whole = v->ranks[i].state == RANK_ENDED;

	if (rank_is_operation(v, r)) {
		task_finish(v, r);
		return;
	}
	if (r->thread)
		thread_finish(v, r);
	if (!whole)
		return;
	output_rank_ended(&v->loaded->output, i);
	library_rank_ended(&v->loaded->library, i);
	globals_rank_ended(&v->loaded->globals, i);
	globals_rank_ended(&v->loaded->thread_locals, i);
	globals_rank_ended(&v->loaded->openmp, i);
	gfortran_rank_ended(&v->loaded->gfortran, i);
}

static int run_rank(struct vmpi *v, struct rank *r)
{
	uint32_t i = r->world;
	int64_t from = r->now;

	/* only a rank at the start of a call reads it; clearing it keeps the variables equal between ranks */
	if (v->where)
		*v->where = NULL;
	if (__builtin_expect(r->state == RANK_ENDED, 0)) /* with its rank, which another thread has ended */
		return 0;
	if (globals_enter(&v->loaded->globals, i, &v->err) < 0 ||
	    globals_enter(&v->loaded->thread_locals, thread_locals_of(v, r), &v->err) < 0 ||
	    globals_enter(&v->loaded->openmp, thread_locals_of(v, r), &v->err) < 0 ||
	    gfortran_enter(&v->loaded->gfortran, i, &v->err) < 0)
		return -1;
	if (!r->begun && rank_is_task(v, r)) {
		if ((r->thread ? thread_begin : task_begin)(v, r) < 0)
			return -1;
	} else if (!r->begun) {
		r->begun = true;
		context_init(&r->context, v->main.kind, stacks_at(&v->stacks, i), stacks_usable(&v->stacks), rank_main,
			     v);
	}
	assert(!v->current && r->state != RANK_RUNNING); /* one context runs at a time */
	v->loaded->output.writer = i;
	v->current = r;
	r->catching_up = false;
	r->state = RANK_RUNNING;
	library_enter(v, &v->loaded->library, i);
	errno = r->saved_errno;
	context_switch(&v->main, &r->context, false);
	r->saved_errno = errno;
	library_leave(v, &v->loaded->library);
	v->current = NULL;
	v->switches++;
	output_by(&v->loaded->output, i);
	if (v->trace.recorder && v->divided)
		record_turn(v);
	if (r->state == RANK_ENDED)
		clean_up(v, r);
	if (v->failed)
		return -1;
	return v->setup.check && r->now < from ? went_back(v, "rank", i, from, r->now) : 0;
}

/* A nonzero exit status of a rank fails the run, whatever the other ranks do. */
static int bad_status(struct vmpi *v)
{
	uint32_t i = v->end.bad - 1;

	v->end.by_status = true;
	return err_set(&v->err, STATUS_FAILED, "rank %u ended with status %d", i, v->ranks[i].status);
}

static int loop_stuck(struct vmpi *v)
{
	uint32_t waiting = v->size - v->ended;

	if (v->end.bad)
		return bad_status(v);
	return err_set(&v->err, STATUS_STUCK, "the program is deadlocked: %u of %u rank%s wait%s forever", waiting,
		       v->size, v->size == 1 ? "" : "s", waiting == 1 ? "s" : "");
}

/* Executes the next event, of the engine or of a rank. -1: the run failed. */
static int loop_step(struct vmpi *v)
{
	int64_t bound = ready_bound(&v->ready), engine_time = v->setup.kind->next_time(v->setup.engine), time;
	struct rank *next;

	if (v->ready.calendar.short_of_memory)
		return mem_short(&v->err);
	/* the bound may precede the next rank's time, so the engine is checked again below */
	if (engine_time != NET_TIME_NEVER && engine_time <= bound) {
		int64_t until = slice_end(v, engine_time, bound);
		int n = loop_advance(v, until);

		/* notices may have made earlier ranks ready */
		if (n != 0 || until < bound || bound == NET_TIME_NEVER)
			return n < 0 ? -1 : 0;
	}
	if (!ready_time(&v->ready, &time))
		return loop_stuck(v);
	if (time > bound) {
		engine_time = v->setup.kind->next_time(v->setup.engine);
		if (engine_time <= time) {
			int n = loop_advance(v, time);

			if (n != 0)
				return n < 0 ? -1 : 0;
		}
	}
	fetch_next(v);
	next = ready_take(v, time);
	if (!next)
		return 0;
	if (v->setup.check && time < v->present)
		return went_back(v, "rank", next->index, v->present, time);
	return run_rank(v, next);
}

/* ---- several processes ---- */

int64_t vmpi_next(const struct vmpi *v)
{
	return ready_bound(&v->ready);
}

/* At one time a rank may have been woken by a later one: its turn has the order of that one. */
static void begin_turn(struct vmpi *v, const struct rank *r, int64_t time)
{
	struct step_order *t = &v->divided->turn;
	uint64_t key = ready_key(v, r);

	if (time > t->time || key > t->order)
		t->order = key;
	t->time = time;
}

struct step_order step_order(const struct vmpi *v)
{
	return v->divided->turn;
}

/* 1; 0: the rank is held; -1: the run failed. */
static int give_turn(struct vmpi *v, struct rank *r)
{
	v->divided->in_turn = true;
	if (run_rank(v, r) < 0)
		return -1;
	v->divided->in_turn = false;
	return !v->divided->in_order.held;
}

/* Executes the next event up to `until`. 1; 0: there is none, or a rank is held; -1: the run failed. */
static int step_to(struct vmpi *v, int64_t until)
{
	int64_t time = 0;
	bool is_ready = ready_time(&v->ready, &time) && time <= until;
	struct rank *next;

	if (v->ready.calendar.short_of_memory)
		return mem_short(&v->err);
	if (!is_ready || v->setup.kind->partitions->next(v->setup.engine) <= time) {
		int n = loop_advance(v, is_ready ? time : until);

		if (n != 0)
			return n < 0 ? -1 : 1;
	}
	if (!is_ready)
		return 0;
	fetch_next(v);
	next = ready_take(v, time);
	if (!next)
		return 1;
	begin_turn(v, next, time);
	rank_changes(v, next->world);
	return give_turn(v, next);
}

int vmpi_run_to(struct vmpi *v, int64_t until, bool goes_on, struct err *e)
{
	struct rank *held = goes_on ? in_order_next(v) : NULL;
	int ret = 1;

	if (!goes_on) {
		in_order_begin(v);
		v->divided->past.at.count = 0;
	}
	v->outside.thread = pthread_self();
	output_begin(&v->loaded->output);
	library_begin(&v->loaded->library);
	crash_watch(v);
	if (goes_on)
		ret = v->failed ? -1 : held ? give_turn(v, held) : 0;
	while (ret > 0 && !crash_end_asked(v))
		ret = step_to(v, until);
	crash_unwatch(v);
	library_end(&v->loaded->library);
	output_end(&v->loaded->output);
	v->failed = v->failed || ret < 0;
	in_order_end(v);
	if (!v->failed)
		return 0;
	*e = v->err;
	return -1;
}

struct vmpi_ending vmpi_ending(struct vmpi *v, bool stopped)
{
	const struct vmpi_partitions *q = v->divided;

	/* with findings of ranks.check a run on one process counts and describes them */
	if (!stopped && v->checks && check_end(v) < 0)
		return (struct vmpi_ending){
			.turn = {.time = INT64_MAX}, .err = v->err, .ended = v->ended, .failed = true, .alone = true};
	return (struct vmpi_ending){
		.turn = v->failed ? q->turn : q->bad_turn,
		.err = v->err,
		.ended = v->ended,
		.bad = v->end.bad,
		.abort_status = v->end.abort_status,
		.failed = v->failed,
		.threads = q->past.threads || v->threads,
		.needs_all = v->failed && q->needs_all,
		/* the engine's failure has no turn; before that of a rank there may be findings */
		.alone = v->failed && (q->needs_all || !q->in_turn || v->checks),
		.checks = stopped ? 0 : checks_sum(v),
	};
}

/* The first one that failed, or the first one with a rank that ended with a status; NULL: none. */
static const struct vmpi_ending *first_ending(const struct vmpi *v, const struct vmpi_ending *endings, bool failed)
{
	const struct vmpi_ending *first = NULL;

	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		const struct vmpi_ending *x = &endings[p];

		if ((failed ? x->failed : x->bad != 0) && (!first || step_order_before(&x->turn, &first->turn)))
			first = x;
	}
	return first;
}

enum vmpi_end vmpi_judge(struct vmpi *v, const struct vmpi_ending *endings, struct step_order *turn, struct err *e)
{
	const struct vmpi_ending *failed = first_ending(v, endings, true), *bad = first_ending(v, endings, false);
	uint32_t ended = 0;
	uint64_t checks = 0;
	bool threads = false;

	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		ended += endings[p].ended;
		checks += endings[p].checks;
		threads = threads || endings[p].threads;
	}
	if (checks) {
		err_set(e, STATUS_FAILED, "ranks.check may find something");
		return VMPI_INTERRUPTED;
	}
	/* what threads wait for is known in their process only */
	if (failed && (failed->alone || (threads && failed->err.status == STATUS_STUCK))) {
		err_set(e, STATUS_FAILED, "%s",
			failed->needs_all ? failed->err.text
			: v->checks       ? "the run fails with ranks.check"
					  : "the run fails");
		return VMPI_INTERRUPTED;
	}
	if (failed) {
		v->failed = true;
		v->end.abort_status = failed->abort_status;
		*turn = failed->turn;
		*e = failed->err;
		return VMPI_FAILED;
	}
	if (bad)
		v->end.bad = bad->bad;
	if (ended == v->size)
		return VMPI_DONE;
	v->ended = ended;
	return VMPI_RUNNING;
}

void vmpi_fail_stuck(struct vmpi *v, struct err *e)
{
	loop_stuck(v);
	v->failed = true;
	*e = v->err;
}

static int check_output(struct vmpi *v)
{
	if (output_flush(&v->loaded->output) == 0)
		return 0;
	return err_set(&v->err, STATUS_FAILED, "output of the ranks: cannot write: %s",
		       strerror(v->loaded->output.failed));
}

int vmpi_check_end(struct vmpi *v, struct err *e)
{
	if ((v->end.bad ? bad_status(v) : check_output(v)) == 0)
		return 0;
	v->failed = true;
	*e = v->err;
	return -1;
}

/* Returns whether nothing is left to be done after the end of all ranks: messages on their way, and tasks. */
static bool has_drained(struct vmpi *v)
{
	int64_t time;

	return !ready_time(&v->ready, &time) && v->setup.kind->next_time(v->setup.engine) == NET_TIME_NEVER;
}

static void loop_begin(struct vmpi *v)
{
	v->outside.thread = pthread_self();
	output_begin(&v->loaded->output);
	library_begin(&v->loaded->library);
	crash_watch(v);
}

/* The state of the run after steps of which the last one returned `ret`; `all`: nothing is left to do. */
static enum vmpi_end loop_end(struct vmpi *v, int ret, bool all, struct err *e)
{
	crash_unwatch(v);
	library_end(&v->loaded->library);
	output_end(&v->loaded->output);
	if (ret == 0 && all && v->end.bad)
		ret = bad_status(v);
	if (ret == 0 && all && v->checks)
		ret = check_end(v);
	if (ret == 0 && all)
		ret = check_output(v);
	if (ret < 0) {
		v->failed = true;
		*e = v->err;
		return VMPI_FAILED;
	}
	return all ? VMPI_DONE : VMPI_RUNNING;
}

enum vmpi_end vmpi_run(struct vmpi *v, uint64_t steps, struct err *e)
{
	bool all = false;
	int ret = 0;

	if (v->failed) {
		*e = v->err;
		return VMPI_FAILED;
	}
	loop_begin(v);
	for (; ret == 0 && steps && !crash_end_asked(v) && !(all = v->ended == v->size && has_drained(v)); steps--)
		ret = loop_step(v);
	return loop_end(v, ret, all, e);
}

/* ---- beside other programs ---- */

/* Takes the notices that wait, or else runs the next rank up to `now`. 1; 0: there is none; -1: the run failed. */
static int step_at(struct vmpi *v, int64_t now)
{
	int n = loop_advance(v, now);
	struct rank *next;
	int64_t time;

	if (n != 0)
		return n < 0 ? -1 : 1;
	if (v->ready.calendar.short_of_memory)
		return mem_short(&v->err);
	if (!ready_time(&v->ready, &time) || time > now)
		return 0;
	next = ready_take(v, time);
	return next && run_rank(v, next) < 0 ? -1 : 1;
}

enum vmpi_end vmpi_run_at(struct vmpi *v, int64_t now, struct err *e)
{
	int ret = 1;

	loop_begin(v);
	while (ret > 0 && !crash_end_asked(v))
		ret = step_at(v, now);
	return loop_end(v, ret < 0 ? -1 : 0, v->ended == v->size && has_drained(v), e);
}
