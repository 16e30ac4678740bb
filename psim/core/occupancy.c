/* The occupancy of structures: occupancy.h. */
#include <assert.h>

#include "core_state.h"
#include "occupancy.h"

static void far_to_statistics(struct core *c)
{
	static const uint8_t level[1 + RS_WORDS][LANE_COUNT] = {
		{[LANE_ROB] = LEVEL_rob,
		 [LANE_GUB] = LEVEL_gub,
		 [LANE_FUB] = LEVEL_fub,
		 [LANE_LOAD_QUEUE] = LEVEL_load_queue,
		 [LANE_STORE_QUEUE] = LEVEL_store_queue},
		{LEVEL_rs_int0, LEVEL_rs_int1, LEVEL_rs_int2, LEVEL_rs_int3, LEVEL_rs_addr},
		{LEVEL_rs_fp0, LEVEL_rs_fp1, LEVEL_rs_fp2, LEVEL_rs_fp3, LEVEL_rs_br},
	};

	for (unsigned n = 0; n < (1 + RS_WORDS) * LANE_COUNT; n++)
		c->counters.stats.occupancy[level[n / LANE_COUNT][n % LANE_COUNT]] +=
			lane_sum_of(&c->occupancy.far_sum[n / LANE_COUNT], n % LANE_COUNT);
	memset(c->occupancy.far_sum, 0, sizeof(c->occupancy.far_sum));
	c->occupancy.far_cycles = 0;
}

void occupancy_near_to_far(struct core *c)
{
	unsigned cycles = c->occupancy.near_limit - c->occupancy.near_left;

	if (c->occupancy.far_cycles + cycles > LANE_SUM_CYCLES)
		far_to_statistics(c);
	assert(cycles <= c->occupancy.near_limit); /* no lane of near_sum has overflowed */
	c->occupancy.near_sum[0] = c->win.capacity * cycles - c->occupancy.near_sum[0]; /* modulo 2^64 */
	for (unsigned n = 0; n < 1 + RS_WORDS; n++)
		lane_sum_add(&c->occupancy.far_sum[n], c->occupancy.near_sum[n], 1);
	c->occupancy.far_cycles += cycles;
	memset(c->occupancy.near_sum, 0, sizeof(c->occupancy.near_sum));
	c->occupancy.near_left = c->occupancy.near_limit;
}

void occupancy_add_many(struct core *c, uint64_t cycles)
{
	uint64_t room = LANE_SUM_CYCLES - c->occupancy.far_cycles;

	for (; __builtin_expect(cycles > room, 0); room = LANE_SUM_CYCLES) {
		occupancy_add_far(c, room);
		cycles -= room;
		far_to_statistics(c);
	}
	occupancy_add_far(c, cycles);
	c->occupancy.far_cycles += cycles;
}

void occupancy_flush(struct core *c)
{
	occupancy_near_to_far(c);
	far_to_statistics(c);
}

uint64_t core_level_entries(const struct core_config *cfg, enum level level)
{
	const uint64_t all[LEVEL_COUNT] = {
#define L(name, label, entries, doc) [LEVEL_##name] = entries,
#include "level.def"
#undef L
	};

	return all[level];
}
