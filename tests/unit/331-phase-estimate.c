/* Units at chosen places, and the estimate of a trace from its phases: psim/core/sample_plan.h, phase_estimate.h. */
#include "tap.h"

#include <math.h>

#include "psim/segments/phase_estimate.h"

/*
 * Blocks of one instruction; units of 10 at 5, 40, 50 and 200, warm-up 20, tail 5. The first begins to warm up with the
 * trace; the third begins where the second ends; the tail of the third ends at 65, and the last warms up from 180 on.
 */
static void units_are_where_they_are_chosen(void)
{
	static const uint64_t chosen[] = {5, 40, 50, 200};
	struct sample_place s = {
		.plan = {.unit = 10, .every = 1, .warm_up = 20, .tail = 5, .chosen = chosen, .chosen_count = 4}};
	uint64_t begins = 0, ends = 0;

	for (uint64_t at = 0; at < 300; at++) {
		while (sample_advance(&s, at)) {
			if (s.state == SAMPLE_MEASURING)
				CHECK_U64(at, chosen[begins++]);
			else
				CHECK_U64(at, chosen[ends++] + 10);
		}
		CHECK((s.state != SAMPLE_OUTSIDE) == ((at < 65) || (at >= 180 && at < 215)));
		CHECK((s.state == SAMPLE_MEASURING) ==
		      ((at >= 5 && at < 15) || (at >= 40 && at < 60) || (at >= 200 && at < 210)));
	}
	CHECK_U64(begins, 4);
	CHECK_U64(ends, 4);
}

/*
 * Two phases of 1000 instructions an interval. The first has 4 intervals, of which number 1 stands for it and 0 and 3
 * are checks; the second has number 2 alone.
 */
static struct phase phase[] = {
	{.chosen = 1, .check = {3, 0}, .checks = 2, .intervals = 4, .instructions = 4000},
	{.chosen = 2, .checks = 0, .intervals = 1, .instructions = 1000},
};
static const struct phases phases = {
	.interval = 1000, .intervals = 5, .instructions = 5000, .count = 2, .phase = phase};

/*
 * Interval 1 takes 2 cycles an instruction, 0 takes 3, 3 takes 1; 2 takes 5. The estimate is 4000 * 2 + 1000 * 5 =
 * 13000; the mean of each phase is the same. The error of the first phase is the root of (1 + 1) / 2 = 1 cycle an
 * instruction, of the three quarters of its instructions that are not the chosen interval's: 3000. Freedom of two
 * checks: t = 4.3027.
 */
static void checks_are_the_error(void)
{
	static const struct sample_counts unit[] = {
		{.instructions = 1000, .cycles = 3000},
		{.instructions = 1000, .cycles = 2000},
		{.instructions = 1000, .cycles = 5000},
		{.instructions = 1000, .cycles = 1000},
	};
	struct phase_units u;
	struct sample_estimate x;
	struct err e;

	REQUIRE(phase_units_create(&u, &phases, &e) == 0);
	CHECK_U64(u.count, 4);
	for (uint64_t n = 0; n < 4; n++) {
		CHECK_U64(u.number[n], n);
		CHECK_U64(u.begin[n], 1000 * n);
		CHECK_U64(phase_unit_of(&u, n), n);
	}
	x = phase_estimate(&phases, &u, unit);
	CHECK_F64(x.cycles, 13000, 1e-9);
	CHECK_F64(phase_mean_cycles(&phases, &u, unit), 13000, 1e-9);
	CHECK_F64(phase_error(&phase[0], &u, unit), 1, 1e-12);
	CHECK_F64(phase_error(&phase[1], &u, unit), 0, 0);
	CHECK_F64(x.sampling, 4.3027 * 3000, 0.1);
	CHECK_F64(x.allowance, 130, 1e-9);
	phase_units_finish(&u);
}

/* A block more or less in an interval does not count: 2 cycles for each of 1010 and of 990 instructions. */
static void lengths_of_intervals_do_not_count(void)
{
	static const struct sample_counts unit[] = {
		{.instructions = 1010, .cycles = 2020},
		{.instructions = 990, .cycles = 1980},
		{.instructions = 1000, .cycles = 2000},
		{.instructions = 1000, .cycles = 2000},
	};
	struct phase_units u;
	struct sample_estimate x;
	struct err e;

	REQUIRE(phase_units_create(&u, &phases, &e) == 0);
	x = phase_estimate(&phases, &u, unit);
	CHECK_F64(x.cycles, 10000, 1e-9);
	CHECK_F64(x.sampling, 0, 1e-9);
	phase_units_finish(&u);
}

static const struct tap_test tests[] = {
	{"units are where they are chosen", units_are_where_they_are_chosen},
	{"checks are the error", checks_are_the_error},
	{"lengths of intervals do not count", lengths_of_intervals_do_not_count},
};

int main(void)
{
	return tap_main("phase estimate", tests, TAP_COUNT(tests));
}
