/*
 * The occupancy of structures, summed over cycles.
 *
 * That of window and stations is summed a word at a time, all its lanes at once: short times in near_sum, whose lanes
 * are as narrow as the words'; near_sum and long times in far_sum, with wider lanes; far_sum in the statistics. Of the
 * window near_sum has what is free, and what is in use follows from the number of cycles.
 */
#ifndef PSIM_CORE_OCCUPANCY_H
#define PSIM_CORE_OCCUPANCY_H

#include "core_state.h"

/* Adds near_sum to far_sum, before a lane of near_sum overflows. */
void occupancy_near_to_far(struct core *c);
/* Adds the occupancy of window and stations in any number of skipped cycles. */
void occupancy_add_many(struct core *c, uint64_t cycles);
/* Adds all sums to the statistics. */
void occupancy_flush(struct core *c);

/* Adds the occupancy in one cycle. */
static inline void occupancy_add_one(struct core *c)
{
	c->counters.stats.occupancy[LEVEL_ibuffer] += c->front.group_count;
	c->counters.stats.occupancy[LEVEL_store_buffer] += c->ls.sb_count;
	c->occupancy.near_sum[0] += c->win.free;
	c->occupancy.near_sum[1] += c->win.rs_used[0];
	c->occupancy.near_sum[2] += c->win.rs_used[1];
	if (__builtin_expect(!--c->occupancy.near_left, 0))
		occupancy_near_to_far(c);
}

/* Adds the present occupancy in so many cycles to far_sum. */
static inline void occupancy_add_far(struct core *c, uint64_t cycles)
{
	lane_sum_add(&c->occupancy.far_sum[0], c->win.capacity - c->win.free, cycles);
	for (unsigned n = 0; n < RS_WORDS; n++)
		lane_sum_add(&c->occupancy.far_sum[1 + n], c->win.rs_used[n], cycles);
}

/* Adds the occupancy in each of `cycles` cycles. */
static inline void occupancy_add(struct core *c, uint64_t cycles)
{
	c->counters.stats.occupancy[LEVEL_ibuffer] += c->front.group_count * cycles;
	c->counters.stats.occupancy[LEVEL_store_buffer] += c->ls.sb_count * cycles;
	if (cycles < c->occupancy.near_left) {
		c->occupancy.near_sum[0] += c->win.free * cycles;
		c->occupancy.near_sum[1] += c->win.rs_used[0] * cycles;
		c->occupancy.near_sum[2] += c->win.rs_used[1] * cycles;
		c->occupancy.near_left -= (unsigned)cycles;
		return;
	}
	if (__builtin_expect(c->occupancy.far_cycles + cycles > LANE_SUM_CYCLES, 0)) {
		occupancy_add_many(c, cycles);
		return;
	}
	occupancy_add_far(c, cycles);
	c->occupancy.far_cycles += cycles;
}

#endif
