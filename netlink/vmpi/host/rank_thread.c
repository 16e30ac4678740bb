/* Threads of ranks: rank_thread.h. */
#include "rank_thread.h"

#include <errno.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../vmpi_config.h"
#include "loaded.h"

static struct task_rank *thread_row(const struct vmpi *v, uint32_t i)
{
	return pool_at(&v->tasks, i);
}

struct rank *thread_next(const struct vmpi *v, uint32_t rank, const struct rank *r)
{
	uint32_t i = r ? thread_row(v, r->index - v->size)->next : v->mpi.own[rank].task;

	while (i && !thread_row(v, i)->rank.thread)
		i = thread_row(v, i)->next;
	return i ? &thread_row(v, i)->rank : NULL;
}

/* ---- life cycle ---- */

static void thread_main(void *arg)
{
	struct vmpi *v = arg;
	struct rank *r = v->current;

	rank_begun(v, r);
	r->thread->entry(r->thread->own);
	rank_end_task(v, r);
}

int thread_begin(struct vmpi *v, struct rank *r)
{
	struct stacks *s = &r->thread->stack;

	r->begun = true;
	context_init(&r->context, v->main.kind, stacks_at(s, 0), stacks_usable(s), thread_main, v);
	return 0;
}

static void free_thread(struct rank *r)
{
	stacks_destroy(&r->thread->stack);
	free(r->thread);
	r->thread = NULL;
}

void thread_finish(struct vmpi *v, struct rank *r)
{
	uint32_t i = r->index - v->size;

	v->ranks[r->world].calls += r->calls;
	v->threads--;
	v->mpi.own[r->world].threads--;
	globals_rank_ended(&v->loaded->thread_locals, r->index);
	globals_rank_ended(&v->loaded->openmp, r->index);
	ready_drop_task(v, i);
	free_thread(r);
	pool_give(&v->tasks, i);
}

void threads_finish(struct vmpi *v)
{
	for (uint32_t i = 1; i < v->tasks.made; i++)
		if (thread_row(v, i)->rank.thread)
			free_thread(&thread_row(v, i)->rank);
}

void threads_stop(struct vmpi *v, uint32_t rank)
{
	struct rank *whole = &v->ranks[rank];

	if (!v->mpi.own[rank].threads)
		return;
	whole->pending = 0;
	/* rows stay, since the ready queue and requests may still name them */
	for (struct rank *r = NULL; (r = thread_next(v, rank, r));) {
		r->pending = 0;
		r->state = RANK_ENDED;
	}
}

/* ---- functions of programs ---- */

static void fill_thread(const struct vmpi *v, struct rank *r, uint32_t row)
{
	const struct rank *from = v->current, *whole = rank_process(v);

	*r = (struct rank){
		.world = whole->world,
		.index = v->size + row,
		.now = from->now,
		.node = from->node,
		.nic = from->nic,
		.gap = from->gap,
		.noise_every = from->noise_every,
		.noise_length = from->noise_length,
		.noises = row << 16, /* a part of the sequence that the rank does not reach */
		.slowdown = from->slowdown,
		.computations = (uint64_t)row << 32,
		.call = from->call,
		.where = from->where,
		.initialized = whole->initialized && whole->thread_level >= VMPI_THREAD_SERIALIZED,
	};
}

int vmpi_thread_start(struct vmpi *v, void (*entry)(void *own), void *own, long long stack, long long *handle)
{
	uint32_t i = pool_take(&v->tasks, &v->err);
	struct thread *t = i ? mem_alloc(1, sizeof(*t), &v->err) : NULL;
	struct rank *r;

	rank_enter(v, CALL_pthread_create);
	if (!t)
		rank_stop(v);
	r = &thread_row(v, i)->rank;
	fill_thread(v, r, i);
	r->thread = t;
	t->entry = entry;
	t->own = own;
	if (stacks_create(&t->stack, 1, stack ? (size_t)stack : stacks_usable(&v->stacks), &v->err) < 0 ||
	    globals_room(&v->loaded->thread_locals, r->index + 1, &v->err) < 0 ||
	    globals_room(&v->loaded->openmp, r->index + 1, &v->err) < 0) {
		free_thread(r);
		pool_give(&v->tasks, i);
		return EAGAIN;
	}
	if (ready_add_task(v, i) < 0)
		rank_stop(v);
	v->threads++;
	v->mpi.own[r->world].threads++;
	ready_push(v, r, r->now);
	*handle = r->index;
	return 0;
}

void *vmpi_thread_own(struct vmpi *v)
{
	return v->current && v->current->thread ? v->current->thread->own : NULL;
}

long long vmpi_thread_handle(struct vmpi *v)
{
	return v->current->index;
}

static enum call_id call_of(int call)
{
	return call >= 0 && call < CALL_COUNT - CALL_pthread_create ? CALL_pthread_create + (unsigned)call : CALL_NONE;
}

/* As rank_enter. A second step of one call has its place no more, if the thread has turned in between. */
static struct rank *thread_enter(struct vmpi *v, int call)
{
	const void *before = v->current->where;
	struct rank *r = rank_enter(v, call_of(call));

	if (!r->where)
		r->where = before;
	return r;
}

void vmpi_thread_turn(struct vmpi *v, int call)
{
	struct rank *r = thread_enter(v, call);

	rank_busy(v, r, v->cfg->ranks.thread_overhead);
	rank_catch_up(v, r);
}

int vmpi_thread_park(struct vmpi *v, int call, long long ns)
{
	struct rank *r = thread_enter(v, call);
	struct wait w = {.kind = WAIT_THREAD, .deadline = NET_TIME_NEVER};

	/* beyond the clock's end it waits for ever */
	if (ns >= 0 && ns < (NET_TIME_NEVER / 2 - r->now) / 1000) {
		w.deadline = r->now + ns * 1000;
		ready_alarm(v, r, w.deadline);
	}
	r->pending = 1;
	rank_wait(v, r, &w);
	return w.woken;
}

bool thread_sleep(struct vmpi *v, struct rank *r, long long ns)
{
	struct wait w = {.kind = WAIT_THREAD};
	int64_t last = v->setup.time_limit ? v->setup.time_limit : NET_TIME_NEVER / 2;

	if (ns <= 0 || r->now > last || ns > (last - r->now) / 1000)
		return false;
	w.deadline = r->now + ns * 1000;
	ready_alarm(v, r, w.deadline);
	r->pending = 1;
	rank_pause(v, r, &w, false);
	return true;
}

void vmpi_thread_wake(struct vmpi *v, long long handle)
{
	struct rank *r;

	if (handle < 0 || handle >= v->size + v->tasks.made)
		return;
	r = rank_by_index(v, (uint32_t)handle);
	if (r->world == v->current->world && r->wait && r->wait->kind == WAIT_THREAD && r->pending) {
		r->wait->woken = true;
		rank_wake(v, r, v->current->now, NULL);
	}
}

void vmpi_thread_end(struct vmpi *v)
{
	rank_end_task(v, v->current);
}

void vmpi_thread_refuse(struct vmpi *v, int call, const char *why)
{
	thread_enter(v, call);
	rank_error(v, 0, VMPI_ERR_OTHER, "%s", why);
}
