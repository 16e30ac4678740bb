/*
 * What the window hands out at D and takes back after W, as one word: a lane
 * for each resource with its number of free entries and, above that, a guard
 * bit. Taking what an instruction needs is one subtraction; a guard bit that it
 * clears says that there was not enough.
 */
#ifndef PSIM_CORE_WINDOW_H
#define PSIM_CORE_WINDOW_H

#include <stdint.h>

enum window_lane { LANE_ROB, LANE_GUB, LANE_FUB, LANE_FETCH_PORT, LANE_STORE_PORT, LANE_COUNT };
enum { LANE_BITS = 12 }; /* up to 2047 entries; params.def allows 1024 */

#define LANE(lane, count) ((uint64_t)(count) << (LANE_BITS * (lane)))
#define LANE_GUARDS (LANE(LANE_ROB, 2048) | LANE(LANE_GUB, 2048) | LANE(LANE_FUB, 2048) | \
                     LANE(LANE_FETCH_PORT, 2048) | LANE(LANE_STORE_PORT, 2048))

static inline unsigned lane_count(uint64_t word, enum window_lane lane)
{
	return (unsigned)(word >> (LANE_BITS * lane)) & 2047;
}

#endif
