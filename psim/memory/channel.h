/*
 * Limits of traffic: a channel's bandwidth, and a level's miss buffers (MSHRs).
 *
 * Both are reserved at the time of the request, for the time of their use. A request may reserve
 * a later cycle than the request after it (its line comes from memory first), so a channel
 * records the gaps between reservations and uses them: a hit does not queue behind a miss that
 * needs the channel 120 cycles later. A line is sent in beats, so an earlier reservation may
 * interrupt a transfer: no gap is too short to be used.
 *
 * Times inside a channel are in parts of a cycle, as a line need not take a whole number of
 * cycles.
 */
#ifndef PSIM_MEMORY_CHANNEL_H
#define PSIM_MEMORY_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { CHANNEL_SHIFT = 20 }; /* 2^20 parts of a cycle */

struct channel {
	uint64_t next_free; /* start of the unreserved time, in parts of a cycle, as all times here */
	unsigned first, gaps, mask;
	struct gap {
		uint64_t from, to;
	} * gap; /* a ring of free times, ascending */
};

/* Records up to `gaps` gaps; beyond that the earliest is lost. 0, or -1 where memory is short. */
int channel_init(struct channel *c, unsigned gaps);
void channel_finish(struct channel *c);

/* The time that `bytes` take, in parts of a cycle. */
uint64_t channel_time(double bytes, double bytes_per_cycle);

/* channel_reserve of a channel that is reserved beyond `now`. */
uint64_t channel_reserve_later(struct channel *c, uint64_t now, uint64_t earliest, uint64_t time);

/*
 * Reserves `time` (parts of a cycle) as early as possible from cycle `earliest` on. Returns the
 * cycle in which the transfer starts; for an interrupted transfer, its end minus `time`. `now`
 * must not decrease from call to call; earliest >= now.
 */
static inline uint64_t channel_reserve(struct channel *c, uint64_t now, uint64_t earliest, uint64_t time)
{
	if (c->next_free > now << CHANNEL_SHIFT)
		return channel_reserve_later(c, now, earliest, time);
	/* all gaps are in the past, which cannot be used */
	c->gaps = 0;
	if (now < earliest) {
		c->gap[c->first] = (struct gap){now << CHANNEL_SHIFT, earliest << CHANNEL_SHIFT};
		c->gaps = 1;
	}
	c->next_free = (earliest << CHANNEL_SHIFT) + time;
	return earliest;
}

/* Whole cycles of `time`, at least one: the distance between requests of a transfer. */
static inline uint64_t channel_whole_cycles(uint64_t time)
{
	uint64_t cycles = time >> CHANNEL_SHIFT;

	return cycles ? cycles : 1;
}

/* Returns whether the channel is free at any time between cycles `from` and `to`. */
bool channel_idle(const struct channel *c, uint64_t from, uint64_t to);

/* Miss buffers: a ring of the cycles in which each becomes free, ascending. */
struct mshr {
	uint64_t *free_at;
	unsigned count, first;
	uint64_t taken; /* buffer-cycles reserved so far */
	/* buffers held until a cycle that is not known yet: free_at is MSHR_HELD, at the end of the ring */
	unsigned held;
	uint64_t held_since; /* sum of their cycles */
};
#define MSHR_HELD UINT64_MAX

/* 0, or -1 where memory is short. */
int mshr_init(struct mshr *m, unsigned count);
void mshr_finish(struct mshr *m);

/* The first cycle in which a miss buffer is free; MSHR_HELD: all are held. */
static inline uint64_t mshr_free_at(const struct mshr *m)
{
	return m->free_at[m->first];
}

/* The end of mshr_take: the first place, which is the last one now, gets `until`, in front of later ones. */
void mshr_place(struct mshr *m, unsigned i, uint64_t until);

/* Takes the buffer that mshr_free_at() reports, from cycle `now` until cycle `until`, which is not before either. */
static inline void mshr_take(struct mshr *m, uint64_t now, uint64_t until)
{
	unsigned i = m->first;

	m->taken += until - (m->free_at[i] > now ? m->free_at[i] : now);
	m->first = i + 1 == m->count ? 0 : i + 1;
	if (m->free_at[i ? i - 1 : m->count - 1] <= until)
		m->free_at[i] = until;
	else
		mshr_place(m, i, until);
}

/* Buffers that are free in cycle `now`. */
unsigned mshr_free(const struct mshr *m, uint64_t now);

/* Takes the first buffer, which is free, from cycle `now` until mshr_release; and that, until cycle `until`. */
void mshr_hold(struct mshr *m, uint64_t now);
void mshr_release(struct mshr *m, uint64_t since, uint64_t until);

/*
 * The cycles of [from, until) in which no buffer is in use yet: what mshr_take adds to those with a buffer in use.
 * `from` must not decrease from call to call.
 */
static inline uint64_t mshr_more_busy(const struct mshr *m, uint64_t from, uint64_t until)
{
	const uint64_t last = m->free_at[m->first ? m->first - 1 : m->count - 1]; /* the latest */
	const uint64_t start = last > from ? last : from;

	return until > start ? until - start : 0;
}

/* Buffers in use or reserved, summed over the cycles before `now`; no mshr_take may be at a later cycle. */
uint64_t mshr_use(const struct mshr *m, uint64_t now);

#endif
