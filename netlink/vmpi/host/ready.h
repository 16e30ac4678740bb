/* What the main loop asks of the ranks and tasks that can go on; inline, since it asks at each step. */
#ifndef PSIM_VMPI_READY_H
#define PSIM_VMPI_READY_H

#include "world.h"

/* The next one's time, or one before it; NET_TIME_NEVER: there is none. */
static inline int64_t ready_bound(const struct ready *q)
{
	if (q->shuffled)
		return q->count ? q->at[0].time : NET_TIME_NEVER;
	return calendar_time(&q->calendar);
}

/* The next one's time; false: there is none. */
static inline bool ready_time(struct ready *q, int64_t *time)
{
	if (!q->shuffled)
		return calendar_peek(&q->calendar, NET_TIME_NEVER, time);
	*time = q->count ? q->at[0].time : 0;
	return q->count > 0;
}

/*
 * Takes any. What a rank does from its clock on, until it waits or catches up, cannot depend on others: so any that
 * is ready may come first, which tests make use of. Only what several do at the very same time then happens in
 * another order.
 */
uint32_t ready_take_any(struct vmpi *v);

/* Takes the first in (time, rank), whose time ready_time has told. */
static inline uint32_t ready_take(struct vmpi *v)
{
	return v->ready.shuffled ? ready_take_any(v) : (uint32_t)calendar_pop(&v->ready.calendar);
}

#endif
