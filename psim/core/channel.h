/*
 * What limits traffic: a channel's bandwidth, a level's miss buffers (MSHRs).
 *
 * Both are reserved ahead, at the time of the request, for the cycles in which
 * they will be used. A request may ask for a later cycle than the one after
 * it (it waits for a translation, or for a line from memory), so a channel
 * remembers the gaps that it left and gives them away: a hit does not queue
 * behind a miss that will only need the channel in 120 cycles.
 */
#ifndef PSIM_CORE_CHANNEL_H
#define PSIM_CORE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { CHANNEL_GAPS = 32 }; /* beyond that the earliest gap is forgotten, i.e. stays unused */

struct channel {
	uint64_t next_free; /* from here on nothing is reserved */
	uint64_t interval;  /* cycles a transfer occupies the channel */
	unsigned first, gaps;
	struct gap { uint64_t from, to; } gap[CHANNEL_GAPS]; /* a ring; free, in order of time */
};

/*
 * Reserves `interval` cycles from the first possible cycle >= `earliest`, and
 * returns that cycle. No later call may have an earlier `now`; earliest >= now.
 */
uint64_t channel_reserve(struct channel *c, uint64_t now, uint64_t earliest);

/* Miss buffers: a ring of the cycles from which each is free again, the earliest first. */
struct mshr {
	uint64_t *free_at;
	unsigned count, first;
};

/* 0, or -1 where memory is short. */
int mshr_init(struct mshr *m, unsigned count);
void mshr_finish(struct mshr *m);

/* The cycle from which a miss buffer is free. */
static inline uint64_t mshr_free_at(const struct mshr *m)
{
	return m->free_at[m->first];
}

/* Takes the buffer that mshr_free_at() told of, until cycle `until`. */
void mshr_take(struct mshr *m, uint64_t until);

#endif
