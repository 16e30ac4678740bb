/* The ready queue: ranks and tasks that can run. */
#include <assert.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "ready.h"

int ready_create(struct ready *q, bool shuffled, uint32_t ranks, struct err *e)
{
	*q = (struct ready){.shuffled = shuffled};
	if (!shuffled)
		return calendar_init(&q->calendar, false, e);
	q->room = ranks;
	q->at = mem_alloc(ranks, sizeof(*q->at), e);
	return q->at ? 0 : -1;
}

void ready_finish(struct ready *q)
{
	if (!q->shuffled)
		calendar_finish(&q->calendar);
	free(q->at);
	*q = (struct ready){0};
}

static bool ready_before(const struct event *a, const struct event *b)
{
	return a->time != b->time ? a->time < b->time : a->key < b->key;
}

/* Inserts into the array in (time, rank) order. */
static void insert(struct ready *q, struct event item)
{
	uint32_t i = q->count;

	if (q->count == q->room) {
		struct event *at = mem_resize(q->at, 2 * (size_t)q->room, sizeof(*at), NULL);

		if (!at) {
			q->calendar.short_of_memory = true;
			return;
		}
		q->at = at;
		q->room *= 2;
	}
	for (q->count++; i && ready_before(&item, &q->at[i - 1]); i--)
		q->at[i] = q->at[i - 1];
	q->at[i] = item;
}

static void push_key(struct vmpi *v, int64_t time, uint64_t key)
{
	if (v->ready.shuffled)
		insert(&v->ready, (struct event){time, key});
	else
		calendar_push(&v->ready.calendar, time, key);
}

void ready_push(struct vmpi *v, struct rank *r, int64_t time)
{
	assert(r->state != RANK_ENDED);
	push_key(v, time, ready_key(v, r));
	r->state = RANK_READY;
}

void ready_alarm(struct vmpi *v, const struct rank *r, int64_t time)
{
	push_key(v, time, ALARM_KEY | ready_key(v, r));
}

struct rank *ready_take_alarm(struct rank *r, int64_t time)
{
	/* it may be of an earlier wait, which ended before */
	if (!r || !r->pending || !(r->wait->any_alarm || (r->wait->kind == WAIT_THREAD && r->wait->deadline == time)))
		return NULL;
	r->pending = 0;
	r->wake = time;
	r->cause = (struct vmpi_cause){CAUSE_SENDING, r->world, time, 0};
	return r;
}

/* ---- tasks ---- */

static struct task_rank *task_row(const struct vmpi *v, uint32_t i)
{
	return pool_at(&v->tasks, i);
}

struct rank *ready_task(const struct vmpi *v, uint64_t key)
{
	uint32_t i = v->mpi.own[(key & ~TASK_KEY) >> TASK_NUMBER_BITS].task;

	while (i && task_row(v, i)->key != key)
		i = task_row(v, i)->next;
	return i ? &task_row(v, i)->rank : NULL;
}

static bool has_key(const struct vmpi *v, uint32_t i, uint64_t key)
{
	while (i && task_row(v, i)->key != key)
		i = task_row(v, i)->next;
	return i != 0;
}

int ready_add_task(struct vmpi *v, uint32_t i)
{
	enum { MOST = 1 << TASK_NUMBER_BITS };
	struct task_rank *t = task_row(v, i);
	struct rank_own *own = &v->mpi.own[t->rank.world];

	for (unsigned tries = 0; tries < MOST; tries++) {
		uint64_t number = own->tasks++ % MOST, key = (uint64_t)t->rank.world << TASK_NUMBER_BITS | number;

		if (key >= ALARM_KEY || (own->tasks > MOST && has_key(v, own->task, TASK_KEY | key)))
			continue;
		t->key = TASK_KEY | key;
		t->next = own->task;
		own->task = i;
		return 0;
	}
	return err_set(&v->err, STATUS_FAILED,
		       "rank %u: nonblocking collective operations and threads in progress: expected at most %d of a "
		       "rank, on at "
		       "most %llu ranks",
		       t->rank.world, MOST, (unsigned long long)(ALARM_KEY >> TASK_NUMBER_BITS));
}

void ready_drop_task(struct vmpi *v, uint32_t i)
{
	uint32_t *at = &v->mpi.own[task_row(v, i)->rank.world].task;

	while (*at != i)
		at = &task_row(v, *at)->next;
	*at = task_row(v, i)->next;
}

/* ---- any order ---- */

uint64_t ready_take_any(struct vmpi *v)
{
	struct ready *q = &v->ready;
	uint32_t i = (uint32_t)rng_below(v->setup.shuffle, 0x73687566, v->shuffled++, q->count);
	uint64_t rank;

	if (ready_is_alarm(q->at[i].key) || ready_rank(v, q->at[i].key)->catching_up)
		i = 0;
	rank = q->at[i].key;
	for (q->count--; i < q->count; i++)
		q->at[i] = q->at[i + 1];
	return rank;
}
