/*
 * The window's resources, allocated at D and released after W, as one word: each has a
 * lane with its number of free entries, and a guard bit above it. One subtraction allocates
 * all that an instruction needs; a guard bit that it clears marks a resource that is short.
 */
#ifndef PSIM_CORE_LANES_H
#define PSIM_CORE_LANES_H

#include <stdint.h>

enum window_lane { LANE_ROB, LANE_GUB, LANE_FUB, LANE_LOAD_QUEUE, LANE_STORE_QUEUE, LANE_COUNT };
enum { LANE_BITS = 12 }; /* up to 2047 entries; params.def allows 1024 */

#define LANE(lane, count) ((uint64_t)(count) << (LANE_BITS * (lane)))
#define LANE_GUARDS \
	(LANE(LANE_ROB, 2048) | LANE(LANE_GUB, 2048) | LANE(LANE_FUB, 2048) | LANE(LANE_LOAD_QUEUE, 2048) | \
	 LANE(LANE_STORE_QUEUE, 2048))

/* This bit of the difference of two words: lane 0 of the first one is below that of the second. */
enum { LANE_BELOW = 1 << (LANE_BITS - 1) };

static inline unsigned lane_count(uint64_t word, unsigned lane)
{
	return (unsigned)(word >> (LANE_BITS * lane)) & 2047;
}

/*
 * Sums of a word's lanes over cycles, in lanes twice as wide: 0 and 2 in one
 * word, 1 and 3 in another, the last alone. Lanes of up to 1024 entries do not
 * overflow within LANE_SUM_CYCLES cycles.
 */
struct lane_sum {
	uint64_t even, odd, last;
};
enum { LANE_SUM_CYCLES = 8191 };
#define LANE_WIDE (LANE(0, 4095) | LANE(2, 4095))

static inline void lane_sum_add(struct lane_sum *s, uint64_t word, uint64_t cycles)
{
	s->even += (word & LANE_WIDE) * cycles;
	s->odd += (word >> LANE_BITS & LANE_WIDE) * cycles;
	s->last += (word >> LANE_BITS * (LANE_COUNT - 1)) * cycles;
}

static inline uint64_t lane_sum_of(const struct lane_sum *s, unsigned lane)
{
	if (lane == LANE_COUNT - 1)
		return s->last;
	return (lane & 1 ? s->odd : s->even) >> (LANE_BITS * (lane & ~1u)) & (LANE(2, 1) - 1);
}

#endif
