/* The ready queue, as the main loop uses it; inline, since every step checks it. */
#ifndef PSIM_VMPI_READY_H
#define PSIM_VMPI_READY_H

#include "world.h"

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
uint32_t ready_take_any(struct vmpi *v);

/* Takes the first entry in (time, rank) order, after ready_time has returned its time. */
static inline uint32_t ready_take(struct vmpi *v)
{
	return v->ready.shuffled ? ready_take_any(v) : (uint32_t)calendar_pop(&v->ready.calendar);
}

#endif
