/* The core's timed events: events.c. */
#ifndef PSIM_CORE_EVENT_WHEEL_H
#define PSIM_CORE_EVENT_WHEEL_H

#include "core_window.h"

enum {
	WHEEL_SIZE = 1024,
};

enum event_type { EVENT_WAKE, EVENT_FALSE_WAKE, EVENT_CANCEL, EVENT_RESOLVE, EVENT_ARRIVE };
struct event {
	uint64_t cycle;
	uint16_t slot, generation, type;
	uint32_t next; /* next in the bucket or free list; 0: end */
};

struct wheel {
	struct event *events;
	uint32_t free; /* list of unused events */
	uint32_t bucket[WHEEL_SIZE];
	uint64_t bucket_map[WHEEL_SIZE / 64];
	uint32_t bucket_words; /* bit map of the words of bucket_map that are not zero */
	uint64_t far_at;       /* the first cycle whose bucket has an event, or an earlier one; CYCLE_NEVER: none has */
	/* near events: a row of slots for each of the next cycles */
	uint64_t *near_wake, *near_address;
	uint64_t *near_false, *near_cancel; /* EVENT_FALSE_WAKE and EVENT_CANCEL of loads that miss */
	uint64_t near_rows; /* bit map: a row with a near event has its bit set; the converse may fail */
	uint64_t miss_rows; /* bit map of the rows of near_false or near_cancel that are not empty */
};

/* Adds `slot` to a near wheel's row of `cycle`, which is less than NEAR_SIZE cycles ahead. */
static inline void near_set(uint64_t *wheel, uint64_t *rows, uint64_t cycle, unsigned slot, unsigned words)
{
	unsigned row = (unsigned)cycle & (NEAR_SIZE - 1);

	slot_set_in(&wheel[row * words], slot, words);
	*rows |= 1ull << row;
}

static inline bool event_is_due(const struct wheel *w, uint64_t now)
{
	return now >= w->far_at || w->near_rows >> (now & (NEAR_SIZE - 1)) & 1;
}

#endif
