/*
 * What limits traffic: a channel's bandwidth, a level's miss buffers (MSHRs).
 *
 * Both are reserved ahead, at the time of the request, for the time in which they
 * will be used. A request may ask for a later cycle than the one after it (its line
 * comes from memory first), so a channel remembers the gaps that it left and gives them
 * away: a hit does not queue behind a miss that will only need the channel in 120 cycles.
 * A line goes in beats, so a transfer may be interrupted by one that was reserved
 * before: no gap is too short to be used.
 *
 * Times inside a channel are parts of a cycle, as bandwidth need not be a whole number of
 * cycles for a line.
 */
#ifndef PSIM_CORE_CHANNEL_H
#define PSIM_CORE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { CHANNEL_SHIFT = 20 }; /* 2^20 parts of a cycle */

struct channel {
	uint64_t next_free; /* in parts of a cycle, as all times here: from here on nothing is reserved */
	unsigned first, gaps, mask;
	struct gap {
		uint64_t from, to;
	} * gap; /* a ring; free, in order of time */
};

/* `gaps` are remembered; beyond that the earliest is forgotten, i.e. stays unused. 0, or -1 where memory is short. */
int channel_init(struct channel *c, unsigned gaps);
void channel_finish(struct channel *c);

/* How long `bytes` take, in parts of a cycle. */
uint64_t channel_time(double bytes, double bytes_per_cycle);

/*
 * Reserves `time` (parts of a cycle) as early as possible from cycle `earliest` on. Returns
 * the cycle in which the transfer starts; of one that is interrupted, the cycle in which it would
 * have to start to end when it does. No later call may have an earlier `now`; earliest >= now.
 */
uint64_t channel_reserve(struct channel *c, uint64_t now, uint64_t earliest, uint64_t time);

/* Is any of the time from cycle `from` to cycle `to` free? */
bool channel_idle(const struct channel *c, uint64_t from, uint64_t to);

/* Miss buffers: a ring of the cycles from which each is free again, the earliest first. */
struct mshr {
	uint64_t *free_at;
	unsigned count, first;
	uint64_t taken; /* cycles for which buffers were taken, all together */
};

/* 0, or -1 where memory is short. */
int mshr_init(struct mshr *m, unsigned count);
void mshr_finish(struct mshr *m);

/* The cycle from which a miss buffer is free. */
static inline uint64_t mshr_free_at(const struct mshr *m)
{
	return m->free_at[m->first];
}

/* At cycle `now` takes the buffer that mshr_free_at() told of, until cycle `until`. */
void mshr_take(struct mshr *m, uint64_t now, uint64_t until);

/* Buffers in use or reserved, summed over the cycles before `now`: nothing was taken at a later cycle. */
uint64_t mshr_use(const struct mshr *m, uint64_t now);

#endif
