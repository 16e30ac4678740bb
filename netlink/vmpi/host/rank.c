/* Ranks: clocks, waiting, start and end. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../../../psim/base/rng.h"
#include "crash.h"
#include "loaded.h"
#include "mpi_program.h"
#include "rank_thread.h"
#include "slices.h"
#include "../vmpi_config.h"

/* Random number streams: the ranks' own, noise, and start times. */
enum { STREAM_RANDOM = 1, STREAM_NOISE = 2, STREAM_START = 3 };

/* ---- measured computation ---- */

/* Host processor time, ps. */
static int64_t host_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000000 + (int64_t)t.tv_nsec * 1000;
}

static void rank_count_computed(const struct vmpi *v, struct rank *r, int64_t from)
{
	const struct vmpi_observer *o = v->setup.observer;

	r->computed += r->now - from;
	if (o && o->computed && r->now > from)
		o->computed(o->user, r->world, from, r->now, r->where);
}

/* Counts the host time since the rank was resumed as computation. The little time of calls is included. */
static void count_measured(struct vmpi *v, struct rank *r)
{
	int64_t host = host_time(), before = r->now;

	rank_busy(v, r, (int64_t)((double)(host - r->host_mark) * v->cfg->ranks.measure));
	rank_count_computed(v, r, before);
	if (v->seen.slices && r->now > before)
		slice_computed(v, r, before, VMPI_COMPUTES, true);
	r->host_mark = host;
}

/* ---- noise ---- */

/* Draws the next interruption after an exponentially distributed interval. */
static void next_noise(const struct vmpi *v, struct rank *r, int64_t from)
{
	uint64_t stream = (uint64_t)r->world << 8 | STREAM_NOISE;
	double u = rng_unit(v->setup.seed, stream, r->noises++);
	double wait = -log(1 - u) * (double)r->noise_every;

	r->noise_next = from + (wait < 1e17 ? (int64_t)wait : (int64_t)1e17) + 1;
}

/* `ps` plus the noise that falls into it. */
static int64_t with_noise(struct vmpi *v, struct rank *r, int64_t ps)
{
	if (!r->noise_next)
		next_noise(v, r, r->now);
	/* interruptions during a wait cost nothing */
	while (r->noise_next < r->now)
		next_noise(v, r, r->noise_next);
	while (r->noise_next < r->now + ps) {
		ps += r->noise_length;
		next_noise(v, r, r->noise_next + r->noise_length);
	}
	return ps;
}

_Noreturn static void beyond_limit(struct vmpi *v, const struct rank *r)
{
	char place[128];

	rank_place(v, r->world, r->where, place, sizeof(place));
	err_set(&v->err, STATUS_STUCK, "rank %u exceeds the time limit of %g s, in %s at %s", r->world,
		(double)v->setup.time_limit / 1e12, call_name(v, r->call), place);
	rank_stop(v);
}

static void clock_overflows(struct vmpi *v)
{
	rank_error(v, 0, VMPI_ERR_OTHER, "the rank's clock overflows, expected at most 4.6e18 ps");
}

void rank_busy(struct vmpi *v, struct rank *r, int64_t ps)
{
	if (__builtin_expect(r->noise_every != 0, 0))
		ps = with_noise(v, r, ps);
	if (__builtin_expect(ps > NET_TIME_NEVER / 2 - r->now, 0))
		clock_overflows(v);
	r->now += ps;
	if (__builtin_expect(v->setup.time_limit && r->now > v->setup.time_limit, 0))
		beyond_limit(v, r);
}

void rank_sleep(struct vmpi *v, struct rank *r, int64_t ns)
{
	int64_t most = NET_TIME_NEVER / 2 - r->now, ps = ns > most / 1000 ? most : ns * 1000;

	if (most < 1000 && ns > 0)
		clock_overflows(v);
	if (ps <= 0 || (r->thread && thread_sleep(v, r, ns)))
		return;
	r->now += ps;
	if (v->setup.time_limit && r->now > v->setup.time_limit)
		beyond_limit(v, r);
}

void rank_computed_by(struct vmpi *v, struct rank *r, int64_t from, const char *model)
{
	const char *name = VMPI_COMPUTES;

	rank_count_computed(v, r, from);
	if (!v->seen.slices || r->now == from)
		return;
	if (model)
		name = name_keep(v, model);
	if (name)
		slice_computed(v, r, from, name, false);
	else
		rank_stop(v);
}

/* ---- waiting ---- */

/* Threads of the host would go on with the next rank's variables. */
static void in_parallel(struct vmpi *v, const struct rank *r)
{
	char place[128];

	rank_place(v, r->world, r->where, place, sizeof(place));
	err_set(&v->err, STATUS_FAILED,
		"rank %u: %s at %s: waits in a parallel region of %d threads, expected 1 (OMP_NUM_THREADS=1)", r->world,
		call_name(v, r->call), place, v->loaded->openmp_threads());
	v->failed = true;
}

/* Yields to the scheduler; returns when the scheduler resumes this rank. */
static void leave(struct vmpi *v, struct rank *r)
{
	/* without guard pages an overflow is detected here */
	if ((char *)__builtin_frame_address(0) < r->context.stack + 256) {
		err_set(&v->err, STATUS_FAILED, "rank %u: stack overflow: expected at most %zu bytes ([ranks] stack)",
			r->world, r->context.bytes);
		v->failed = true;
	}
	if (v->loaded->openmp_threads && !v->failed && v->loaded->openmp_threads() > 1)
		in_parallel(v, r);
	if (__builtin_expect(v->seen.slices != NULL, 0) && r->state != RANK_ENDED)
		slice_pause(v, r, r->catching_up);
	context_switch(&r->context, &v->main, r->state == RANK_ENDED);
	if (v->cfg->ranks.measure > 0)
		r->host_mark = host_time();
}

/* The run ends at this call. */
static void leave_for_good(struct vmpi *v, struct rank *r)
{
	char place[128], in[160];

	if (v->end.due == END_STILL) {
		rank_place(v, r->world, r->where, place, sizeof(place));
		snprintf(in, sizeof(in), "%s at %.100s", call_name(v, r->call), place);
		crash_stands_still(v, r, in);
	}
	for (;;)
		leave(v, r);
}

void rank_timer_due(struct vmpi *v, struct rank *r)
{
	struct rank_own *own = &v->mpi.own[r->world];
	const void *where = *v->where;

	if (own->timer > r->now || rank_is_operation(v, r))
		return;
	own->timer = NET_TIME_NEVER;
	own->due();
	*v->where = where;
}

struct rank *rank_enter(struct vmpi *v, enum call_id call)
{
	struct rank *r = v->current;

	if (__builtin_expect(!pthread_equal(v->outside.thread, pthread_self()), 0))
		crash_other_thread(v, call);
	if (v->cfg->ranks.measure > 0)
		count_measured(v, r);
	rank_timer(v, r);
	r->call = (uint16_t)call;
	r->where = v->where ? *v->where : NULL;
	r->calls++;
	if (__builtin_expect(v->end.due != END_NONE, 0))
		leave_for_good(v, r);
	if (__builtin_expect(v->seen.slices != NULL, 0))
		slice_enter(v, r);
	if (__builtin_expect(v->refused && v->refused[call], 0))
		rank_error(v, 0, VMPI_ERR_OTHER, "a trace (--write-trace, --write-otf2) cannot have this call");
	return r;
}

static inline void observe_wait(const struct vmpi *v, const struct rank *r, bool waits)
{
	if (__builtin_expect(v->seen.slices != NULL, 0))
		slice_waits(v, r, waits);
}

/* A task's wait takes over the origin of what ended it (../message/origin.c). */
static void follow_origin(const struct vmpi *v, struct rank *r, const struct vmpi_cause *c)
{
	if (rank_is_operation(v, r) && c->kind == CAUSE_COLLECTIVE)
		((struct task_rank *)r)->origin = (struct origin){c->peer, c->began};
}

void rank_waited(struct vmpi *v, struct rank *r, int64_t from, const struct vmpi_cause *c)
{
	const struct vmpi_observer *o = v->setup.observer;

	if (r->now > from)
		follow_origin(v, r, c);
	if (!vmpi_cause_is_own(c->kind) && c->began > from)
		r->late += (c->began < r->now ? c->began : r->now) - from;
	if (o && o->waited && r->now > from && !rank_is_task(v, r))
		o->waited(o->user, &(struct vmpi_waited){r->world, from, r->now, call_name(v, r->call), r->where, *c});
}

/* Resumes at r->wake, with that clock. */
static inline void wait_for_wake(struct vmpi *v, struct rank *r, struct wait *w)
{
	r->wait = w;
	r->wake = r->now;
	r->state = RANK_WAITING;
	leave(v, r);
	r->wait = NULL;
	r->now = r->wake;
}

void rank_wait(struct vmpi *v, struct rank *r, struct wait *w)
{
	int64_t from = r->now;

	if (!r->pending)
		return;
	observe_wait(v, r, true);
	wait_for_wake(v, r, w);
	rank_count_wait(v, r, r->now - from);
	rank_waited(v, r, from, &r->cause);
	observe_wait(v, r, false);
}

void rank_wait_until(struct vmpi *v, struct rank *r, struct wait *w, int64_t time, const struct vmpi_cause *c)
{
	int64_t from = r->now;

	if (time <= from)
		return;
	observe_wait(v, r, true);
	r->wait = w;
	r->wake = time;
	r->cause = *c;
	r->state = RANK_WAITING;
	ready_push(v, r, time);
	leave(v, r);
	r->wait = NULL;
	r->now = time;
	rank_count_wait(v, r, time - from);
	rank_waited(v, r, from, c);
	observe_wait(v, r, false);
}

void rank_pause(struct vmpi *v, struct rank *r, struct wait *w, bool waits)
{
	if (waits)
		observe_wait(v, r, true);
	wait_for_wake(v, r, w);
	if (waits)
		observe_wait(v, r, false);
}

void rank_wake(struct vmpi *v, struct rank *r, int64_t time, const struct vmpi_cause *c)
{
	if (!r->pending)
		return;
	if (time > r->wake) {
		r->wake = time;
		r->cause = c ? *c : (struct vmpi_cause){CAUSE_SENDING, r->world, time, 0};
	}
	if (--r->pending == 0) {
		rank_changes(v, r->world);
		fetch_stack(r);
		ready_push(v, r, r->wake);
	}
}

void rank_catch_up(struct vmpi *v, struct rank *r)
{
	r->catching_up = true;
	ready_push(v, r, r->now);
	leave(v, r);
}

void rank_poll(struct vmpi *v, struct rank *r)
{
	int64_t least = 1000; /* ps */

	rank_busy(v, r, v->overhead > least ? v->overhead : least);
	rank_catch_up(v, r);
}

void rank_in_order(struct vmpi *v)
{
	struct rank *r = v->current;

	rank_catch_up(v, r);
	if (!v->divided)
		return;
	while (!step_order_before(&v->divided->turn, &v->divided->in_order.others)) {
		v->divided->in_order.held = r;
		r->catching_up = true;
		r->state = RANK_READY;
		leave(v, r);
	}
}

int rank_check_ready(struct vmpi *v)
{
	const struct rank *r = rank_process(v);

	if (!r->initialized || r->finalized)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OTHER, "called %s",
				  r->finalized ? "after MPI_Finalize" : "before MPI_Init");
	if (v->current->index != rank_own(v)->main_thread && r->thread_level < VMPI_THREAD_SERIALIZED)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OTHER,
				  "called by another thread than that of MPI_Init_thread, which provided less than "
				  "MPI_THREAD_SERIALIZED");
	return VMPI_SUCCESS;
}

/* ---- start and end ---- */

void rank_end(struct vmpi *v, struct rank *r, int status)
{
	struct rank *whole = rank_process(v);

	assert(r == v->current);
	if (getpid() != v->outside.process)
		_exit(status);
	whole->status = status;
	whole->state = RANK_ENDED;
	whole->ended = r->now;
	threads_stop(v, r->world);
	if (v->seen.slices)
		slice_end(v, r);
	v->ended++;
	if (status != 0 && !v->end.bad) {
		v->end.bad = r->world + 1;
		if (v->divided)
			v->divided->bad_turn = v->divided->turn;
	}
	leave(v, r);
	abort(); /* a rank that has ended is never resumed */
}

void rank_end_task(struct vmpi *v, struct rank *r)
{
	r->state = RANK_ENDED;
	leave(v, r);
	abort(); /* a task that has ended is never resumed */
}

void rank_stop(struct vmpi *v)
{
	v->failed = true;
	assert(v->current);
	for (;;)
		leave(v, v->current); /* whatever resumes it */
}

int run_fail(struct vmpi *v)
{
	if (v->current)
		rank_stop(v);
	v->failed = true;
	return -1;
}

int run_needs_all(struct vmpi *v, const char *what)
{
	if (!v->divided)
		return 0;
	err_set(&v->err, STATUS_FAILED, "%s runs on one process", what);
	v->divided->needs_all = true;
	return run_fail(v);
}

void rank_begun(struct vmpi *v, struct rank *r)
{
	context_begun(&r->context, &v->main);
	r->host_mark = v->cfg->ranks.measure > 0 ? host_time() : 0;
}

void rank_main(void *arg)
{
	struct vmpi *v = arg;
	struct rank *r = v->current;
	uint32_t i = r->world;
	int status;

	rank_begun(v, r);
	r->noise_every = v->cfg->ranks.noise_interval;
	r->noise_length = v->cfg->ranks.noise_length;
	if (v->cfg->ranks.start_jitter) {
		uint64_t stream = (uint64_t)i << 8 | STREAM_START;

		r->now = (int64_t)rng_below(v->setup.seed, stream, 0, (uint64_t)v->cfg->ranks.start_jitter);
	}
	if (v->seen.slices)
		slice_start(v, r);
	if (v->body)
		rank_end(v, r, v->body(v, i, v->body_user));
	status = program_main(v, r);
	program_exit(v, status);
	rank_end(v, r, status);
}

/* ---- errors ---- */

/* Calls the handler of the object, or fails the run. */
__attribute__((format(printf, 5, 0))) static int report_error(struct vmpi *v, int handler, int object, int code,
							      const char *format, va_list ap)
{
	errhandler_function *function = errhandler_find(&v->mpi.errhandlers, handler);
	struct rank *r = v->current;
	char place[128], text[256];
	int shown = code;

	if (function)
		function(&object, &shown);
	if (function || handler == ERRHANDLER_RETURN)
		return code;
	vsnprintf(text, sizeof(text), format, ap);
	rank_place(v, r->world, r->where, place, sizeof(place));
	err_set(&v->err, STATUS_FAILED, "rank %u: %s at %s: %s", r->world, call_name(v, r->call), place, text);
	rank_stop(v);
}

int rank_error(struct vmpi *v, VMPI_Comm comm, int code, const char *format, ...)
{
	const struct comm *c = comm_find(&v->comms, comm);
	va_list ap;

	va_start(ap, format);
	code = report_error(v, c ? comm_errhandler(c, v->current->world) : ERRHANDLER_FATAL, comm, code, format, ap);
	va_end(ap);
	return code;
}

int rank_error_by(struct vmpi *v, int handler, int object, int code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	code = report_error(v, handler, object, code, format, ap);
	va_end(ap);
	return code;
}

/* ---- calls implemented here ---- */

double vmpi_Random(struct vmpi *v)
{
	struct rank *r = rank_process(v);

	return rng_unit(v->setup.seed, (uint64_t)r->world << 8 | STREAM_RANDOM, r->randoms++);
}

void vmpi_timer_at(struct vmpi *v, long long ns, void (*due)(void))
{
	struct rank_own *own = rank_own(v);

	v->outside.timers = v->outside.timers || ns >= 0;
	own->timer = ns < 0 || ns > NET_TIME_NEVER / 1000 ? NET_TIME_NEVER : ns * 1000;
	own->due = due;
}
