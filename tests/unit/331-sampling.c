/* Plans, places and statistics of sampling: psim/core/sampling.h. Numbers worked out by hand. */
#include "tap.h"

#include <math.h>

#include "psim/core/sampling.h"

static void the_default_plan_fits_the_length(void)
{
	struct sample_plan p;
	struct err e;

	/* a part has 4000 + 1000 + 256 = 5256 instructions, and is at most a quarter of a period: 21024 */
	CHECK_I64(sample_plan_parse(&p, "", 2000000, &e), 0);
	CHECK_U64(p.unit, 1000);
	CHECK_U64(p.every, 21024);
	/* at most 500 units */
	CHECK_I64(sample_plan_parse(&p, "", 50000000, &e), 0);
	CHECK_U64(p.every, 100000);
	/* 50 periods */
	CHECK_I64(sample_plan_parse(&p, "", 1051200, &e), 0);
	CHECK_I64(sample_plan_parse(&p, "", 1051199, &e), -1);
	CHECK_STR(e.text, "--sample: a trace of 1051199 instructions, expected at least 1051200: simulate it whole, or "
			  "choose a plan with --sample=U/W");
	CHECK_I64(sample_plan_parse(&p, "", 0, &e), -1);
	CHECK_I64(sample_plan_parse(&p, "100/5000", 0, &e), 0);
	CHECK_U64(p.unit, 100);
	CHECK_U64(p.every, 5000);
	CHECK_I64(sample_plan_parse(&p, "100/4355", 0, &e), -1); /* 4000 + 100 + 256 */
}

/* Blocks of one instruction: each change is where it is planned. */
static void each_period_has_a_unit(void)
{
	struct sample_place s = {.plan = {.unit = 10, .every = 100, .warm_up = 20, .tail = 5}};
	uint64_t begin = 0, units = 0, inside = 0, places = 0, last = 0;

	for (uint64_t at = 0; at < 1000; at++) {
		bool change = sample_advance(&s, at);

		inside += s.state != SAMPLE_OUTSIDE;
		if (!change)
			continue;
		if (s.state == SAMPLE_MEASURING) {
			begin = at;
			continue;
		}
		CHECK_U64(at - begin, units ? 10 : 100);
		CHECK_U64(begin / 100, units);
		if (units) {
			CHECK(begin % 100 >= (units == 1 ? 0 : 20) && at % 100 <= 95);
			places += begin % 100 != last;
			last = begin % 100;
		} else {
			CHECK_U64(begin, 0);
		}
		units++;
	}
	CHECK_U64(units, 10);
	CHECK(places > 5); /* at random */
	/* the head and its tail, and nine parts; the first may begin in that tail */
	CHECK(inside <= 105 + 9 * 35 && inside >= 100 + 9 * 35 - 5);
}

enum { UNITS = 20 };
static const double no_cost[SAMPLE_EVENTS];

/* 1000 instructions and, of the mispredictions 0 to 4 by turns, 20 cycles each. */
static void fill(struct sample_counts unit[UNITS])
{
	for (uint64_t n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){1000, 1000 + 20 * (n % 5), {[SAMPLE_MISPREDICTS] = n % 5}};
}

static void the_head_is_added_as_it_is(void)
{
	const struct sample_counts head = {1000, 5000, {0}}, whole = {101000, 0, {0}};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){1000, 2000, {0}};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost);
	CHECK_F64(x.cycles, 5000 + 200000, 1e-6);
	CHECK_F64(x.sampling, 0, 1e-6);
	CHECK_F64(x.allowance, 2000, 1e-6); /* 1 % of what is estimated */
}

/*
 * Units of 100 instructions, 190 and 210 cycles by turns. Of 100000 instructions, a unit stands for 50 units; its
 * residual of 10 is enlarged by 1 / (1 - 1/20). Half the interval: t of 19 degrees, 2.0930, times 50 * 10 / 0.95 *
 * sqrt(20).
 */
static void the_interval_is_from_the_spread(void)
{
	const struct sample_counts head = {0}, whole = {100000, 0, {0}};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){100, n % 2 ? 210 : 190, {0}};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost);
	CHECK_F64(x.cycles, 200000, 1e-6);
	CHECK_F64(x.sampling, 2.0930 * 50 * 10 / 0.95 * sqrt(20), 1);
}

static void events_explain_the_spread(void)
{
	/* two mispredictions in 1000 instructions, as in the units */
	const struct sample_counts head = {0}, whole = {1000000, 0, {[SAMPLE_MISPREDICTS] = 2000}};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	fill(unit);
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost);
	CHECK_F64(x.cycles, 1000000 + 20 * 2000, 1e-3);
	CHECK_F64(x.sampling, 0, 1e-3);
	CHECK_F64(x.allowance, 10400, 1e-3);
	/* lines that come with each misprediction say nothing new */
	for (unsigned n = 0; n < UNITS; n++)
		unit[n].events[SAMPLE_LINES] = 3 * unit[n].events[SAMPLE_MISPREDICTS];
	x = sample_estimate(&(struct sample_counts){1000000, 0, {2000, 6000}}, &head, unit, UNITS, no_cost);
	CHECK_F64(x.cycles, 1000000 + 20 * 2000, 1e-3);
	CHECK_F64(x.allowance, 10400, 1e-3);
}

/*
 * 5000 mispredictions, where the units let expect 2000: each unit stands for 50, the standard error is 50 * sqrt(40 *
 * 20 / 19) = 324. So the 3000 may each cost more or less than 20 cycles by as much. Of the walks, which no unit has,
 * each may cost 150.
 */
static void events_that_the_units_lack_widen_the_interval(void)
{
	const struct sample_counts head = {0}, whole = {1000000, 0, {[SAMPLE_MISPREDICTS] = 5000, [SAMPLE_WALKS] = 10}};
	static const double cost[SAMPLE_EVENTS] = {[SAMPLE_WALKS] = 150};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	fill(unit);
	x = sample_estimate(&whole, &head, unit, UNITS, cost);
	CHECK_F64(x.cycles, 1100000, 1e-3);
	CHECK_F64(x.allowance, 11000 + 3000 * 20 + 10 * 150, 1e-3);
	/* 2500: within two standard errors */
	x = sample_estimate(&(struct sample_counts){1000000, 0, {2500}}, &head, unit, UNITS, cost);
	CHECK_F64(x.allowance, 10500, 1e-3);
}

static const struct tap_test tests[] = {
	{"the default plan fits the length", the_default_plan_fits_the_length},
	{"each period has a unit", each_period_has_a_unit},
	{"the head is added as it is", the_head_is_added_as_it_is},
	{"the interval is from the spread", the_interval_is_from_the_spread},
	{"events explain the spread", events_explain_the_spread},
	{"events that the units lack widen the interval", events_that_the_units_lack_widen_the_interval},
};

int main(void)
{
	return tap_main("sampling", tests, TAP_COUNT(tests));
}
