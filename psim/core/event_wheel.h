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
	/* near events: a row of slots for each of the next cycles, and bit maps of the rows that are not empty */
	uint64_t *near_wake, *near_address;
	uint64_t wake_rows, address_rows;
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
	return w->bucket[now & (WHEEL_SIZE - 1)] || (w->wake_rows | w->address_rows) >> (now & (NEAR_SIZE - 1)) & 1;
}

#endif
