/*
 * The ready queue, as the main loop uses it; inline, since every step checks it.
 *
 * At one time ranks leave it in their order, then ranks by their alarms, then tasks: by rank, and those of one rank in
 * the order in which they were started. So the order does not depend on rows of the pool, which differ with the number
 * of processes.
 */
#ifndef PSIM_VMPI_READY_H
#define PSIM_VMPI_READY_H

#include "world.h"

enum { TASK_NUMBER_BITS = 13 }; /* of a task's key: so many may be in progress in a rank */
#define TASK_KEY (UINT64_C(1) << (CALENDAR_KEY_BITS - 1))
#define ALARM_KEY (TASK_KEY >> 1) /* and the key of a rank or thread */

/* The task of this key; NULL: it has ended. */
struct rank *ready_task(const struct vmpi *v, uint64_t key);

static inline uint64_t ready_key(const struct vmpi *v, const struct rank *r)
{
	return rank_is_task(v, r) ? ((const struct task_rank *)(const void *)r)->key : r->index;
}

static inline struct rank *ready_rank(const struct vmpi *v, uint64_t key)
{
	return key < TASK_KEY ? &v->ranks[key & (ALARM_KEY - 1)] : ready_task(v, key & ~ALARM_KEY);
}

static inline bool ready_is_alarm(uint64_t key)
{
	return (key & ALARM_KEY) != 0;
}

/* The alarm of a rank or thread (NULL: it has ended) goes off: returns that; NULL: it does not wait for this one. */
struct rank *ready_take_alarm(struct rank *r, int64_t time);

/* A lower bound on the next entry's time; NET_TIME_NEVER: the queue is empty. */
static inline int64_t ready_bound(const struct ready *q)
{
	if (q->shuffled)
		return q->count ? q->at[0].time : NET_TIME_NEVER;
	return calendar_time(&q->calendar);
}

/* The next entry's time; false: the queue is empty. */
static inline bool ready_time(struct ready *q, int64_t *time)
{
	if (!q->shuffled)
		return calendar_peek(&q->calendar, NET_TIME_NEVER, time);
	*time = q->count ? q->at[0].time : 0;
	return q->count > 0;
}

/*
 * Takes any entry. What a rank does from its clock on, until it waits or catches up, cannot depend on others. So any
 * ready rank may run first, which tests use. Only events of several ranks at the same time may then occur in another
 * order.
 */
uint64_t ready_take_any(struct vmpi *v);

/* Takes the first entry in (time, rank) order, after ready_time has returned its `time`; NULL: a needless alarm. */
static inline struct rank *ready_take(struct vmpi *v, int64_t time)
{
	uint64_t key = v->ready.shuffled ? ready_take_any(v) : calendar_pop(&v->ready.calendar);
	struct rank *r = ready_rank(v, key);

	return __builtin_expect(ready_is_alarm(key), 0) ? ready_take_alarm(r, time) : r;
}

#endif
