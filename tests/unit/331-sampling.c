/* Plans, places and statistics of sampling: psim/segments/sampling.h. Numbers worked out by hand. */
#include "tap.h"

#include <math.h>

#include "psim/segments/sampling.h"

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
static const struct sample_long none;

/* 1000 instructions and, of the mispredictions 0 to 4 by turns, 20 cycles each. */
static void fill(struct sample_counts unit[UNITS])
{
	for (uint64_t n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){
			.instructions = 1000, .cycles = 1000 + 20 * (n % 5), .events = {[SAMPLE_MISPREDICTS] = n % 5}};
}

static void the_head_is_added_as_it_is(void)
{
	const struct sample_counts head = {.instructions = 1000, .cycles = 5000, .events = {0}},
				   whole = {.instructions = 101000, .cycles = 0, .events = {0}};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){.instructions = 1000, .cycles = 2000, .events = {0}};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &none);
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
	const struct sample_counts head = {0}, whole = {.instructions = 100000, .cycles = 0, .events = {0}};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){.instructions = 100, .cycles = n % 2 ? 210 : 190, .events = {0}};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &none);
	CHECK_F64(x.cycles, 200000, 1e-6);
	CHECK_F64(x.sampling, 2.0930 * 50 * 10 / 0.95 * sqrt(20), 1);
	/* units of a tenth of the default's length: 10 % */
	CHECK_F64(x.allowance, 20000, 1e-6);
}

static void events_explain_the_spread(void)
{
	/* two mispredictions in 1000 instructions, as in the units */
	const struct sample_counts head = {0}, whole = {.instructions = 1000000,
							.cycles = 0,
							.events = {[SAMPLE_MISPREDICTS] = 2000}};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	fill(unit);
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &none);
	CHECK_F64(x.cycles, 1000000 + 20 * 2000, 1e-3);
	CHECK_F64(x.sampling, 0, 1e-3);
	CHECK_F64(x.allowance, 10400, 1e-3);
	/* lines that come with each misprediction say nothing new */
	for (unsigned n = 0; n < UNITS; n++)
		unit[n].events[SAMPLE_LINES] = 3 * unit[n].events[SAMPLE_MISPREDICTS];
	x = sample_estimate(&(struct sample_counts){.instructions = 1000000, .cycles = 0, .events = {2000, 6000}},
			    &head, unit, UNITS, no_cost, &none);
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
	const struct sample_counts head = {0}, whole = {.instructions = 1000000,
							.cycles = 0,
							.events = {[SAMPLE_MISPREDICTS] = 5000, [SAMPLE_WALKS] = 10}};
	static const double cost[SAMPLE_EVENTS] = {[SAMPLE_WALKS] = 150};
	struct sample_counts unit[UNITS];
	struct sample_estimate x;

	fill(unit);
	x = sample_estimate(&whole, &head, unit, UNITS, cost, &none);
	CHECK_F64(x.cycles, 1100000, 1e-3);
	CHECK_F64(x.allowance, 11000 + 3000 * 20 + 10 * 150, 1e-3);
	/* 2500: within two standard errors */
	x = sample_estimate(&(struct sample_counts){.instructions = 1000000, .cycles = 0, .events = {2500}}, &head,
			    unit, UNITS, cost, &none);
	CHECK_F64(x.allowance, 10500, 1e-3);
}

/* A 24th of the trace, even numbers of periods, two at least, 400 000 instructions at most. */
static void long_parts_fit_the_length(void)
{
	struct sample_plan p = {.unit = 1000, .every = 21024, .warm_up = 4000, .tail = 256}, l;

	CHECK(sample_plan_long(&p, 2000000, &l)); /* 83333: 3.96 periods */
	CHECK_U64(l.long_parts, 6);
	CHECK_U64(l.long_periods, 2);
	CHECK_U64(l.periods, 95);
	CHECK(sample_plan_long(&p, 3000000, &l)); /* 125000: 5.9 */
	CHECK_U64(l.long_periods, 4);
	p.every = 100000;
	CHECK(sample_plan_long(&p, 50000000, &l));
	CHECK_U64(l.long_periods, 4);
	/* 18 periods have no room for six parts of two and a random place behind the head; 19 have */
	CHECK(!sample_plan_long(&p, 1899999, &l));
	CHECK(sample_plan_long(&p, 1900000, &l));
}

enum { PERIODS = 40, EVERY = 100 };

/* The begins of the units of a plan in blocks of one instruction; returns their number. */
static unsigned begins(const struct sample_plan *plan, uint64_t begin[PERIODS], bool inside[PERIODS * EVERY])
{
	struct sample_place s = {.plan = *plan};
	unsigned count = 0;

	for (uint64_t at = 0; at < PERIODS * EVERY; at++) {
		if (sample_advance(&s, at) && s.state == SAMPLE_MEASURING)
			begin[count++] = at;
		inside[at] = s.state != SAMPLE_OUTSIDE;
	}
	return count;
}

/* Six parts of four whole periods, one in each sixth of the periods behind the head, with the units of the others. */
static void long_parts_have_the_units_of_their_periods(void)
{
	struct sample_plan p = {.unit = 10, .every = EVERY, .warm_up = 20, .tail = 5}, l = p;
	static bool inside[PERIODS * EVERY];
	uint64_t own[PERIODS], longer[PERIODS];

	l.long_parts = 6;
	l.long_periods = 4;
	l.periods = PERIODS;
	CHECK_U64(begins(&p, own, inside), PERIODS);
	CHECK_U64(begins(&l, longer, inside), 24);
	for (unsigned part = 0; part < 6; part++) {
		uint64_t first = longer[4 * part] / EVERY;

		/* a stretch has 39 / 6 = 6 periods */
		CHECK(first >= 1 + 6 * part && first + 4 <= 1 + 6 * (part + 1));
		for (unsigned k = 0; k < 4; k++)
			CHECK_U64(longer[4 * part + k], own[first + k]);
		for (uint64_t at = first * EVERY; at < longer[4 * part + 3] + 15; at++)
			CHECK(inside[at]);
		CHECK(part && first == longer[4 * part - 1] / EVERY + 1 ? 1 : !inside[first * EVERY - 1]);
	}
}

/* Unit k of period k takes 1000 + k cycles in its own part and 7 more, in second halves 9 more, in a long one. */
static void units_of_long_parts_are_paired(void)
{
	struct sample_long l = {.plan = {.unit = 10,
					 .every = EVERY,
					 .warm_up = 20,
					 .tail = 5,
					 .long_parts = 6,
					 .long_periods = 4,
					 .periods = PERIODS}};
	struct sample_counts own[PERIODS] = {{0}}, longer[PERIODS] = {{0}};
	static bool inside[PERIODS * EVERY];
	uint64_t begin[PERIODS];
	unsigned count = begins(&l.plan, begin, inside);

	for (unsigned n = 1; n < PERIODS; n++)
		own[n - 1] = (struct sample_counts){.instructions = 10, .cycles = 1000 + n};
	for (unsigned n = 0; n < count; n++)
		longer[n] = (struct sample_counts){.instructions = 10,
						   .cycles = 1000 + begin[n] / EVERY + (n % 4 < 2 ? 7 : 9)};
	sample_pair(&l, own, PERIODS - 1, longer, count);
	CHECK_U64(l.parts, 6);
	for (unsigned n = 0; n < l.parts; n++) {
		CHECK_U64(l.part[n].length, 400);
		CHECK_U64(l.part[n].instructions[0], 20);
		CHECK_U64(l.part[n].long_cycles[0] - l.part[n].own_cycles[0], 2 * 7);
		CHECK_U64(l.part[n].long_cycles[1] - l.part[n].own_cycles[1], 2 * 9);
	}
	/* the last part has lost a unit, and another one is not the same */
	longer[5].instructions++;
	sample_pair(&l, own, PERIODS - 1, longer, count - 1);
	CHECK_U64(l.parts, 4);
}

/*
 * Units of 2 cycles an instruction; in the second halves of the long parts 0.09 and 0.11 more by turns: 0.1 on average,
 * a variance of 6 * 0.01^2 / 5. In the first halves 0.1 more always, so that the halves have nothing in common. Then a
 * sixth of the variance is that of the mean, and a sixth that of the six halves in the whole run. t of 5 degrees is
 * 2.5706.
 */
static void long_parts_correct_the_estimate(void)
{
	const struct sample_counts head = {0}, whole = {.instructions = 120000};
	const double scale = 120000 * 2.5706, variance = 6 * 1e-4 / 5;
	struct sample_long l = {.parts = 6};
	struct sample_counts unit[UNITS] = {{0}};
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){.instructions = 1000, .cycles = 2000};
	for (unsigned n = 0; n < 6; n++)
		l.part[n] = (struct sample_long_part){.length = 40000,
						      .instructions = {1000, 1000},
						      .own_cycles = {2000, 2000},
						      .long_cycles = {2100, n % 2 ? 2110 : 2090}};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &l);
	CHECK_F64(x.correction, 12000, 1e-6);
	CHECK_F64(x.cycles, 240000 + 12000, 1e-6);
	CHECK_F64(x.sampling, scale * sqrt(variance * (1.0 / 6 + 1.0 / 6)), 3);
	CHECK_F64(x.allowance, 2400, 1e-6);
	CHECK(!x.drifts);
	/* each first half like its second one: the whole run is one draw */
	for (unsigned n = 0; n < 6; n++)
		l.part[n].long_cycles[0] = l.part[n].long_cycles[1];
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &l);
	CHECK_F64(x.sampling, scale * sqrt(variance * (1.0 / 6 + 1)), 6);
	CHECK(!x.drifts);
	/* the first halves as short ones: it still changes, by 0.1 */
	for (unsigned n = 0; n < 6; n++)
		l.part[n].long_cycles[0] = 2000;
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &l);
	CHECK(x.drifts);
	CHECK_F64(x.drift, 12000, 1e-6);
	CHECK_F64(x.allowance, 2400 + 12000, 1e-6);
}

/*
 * Units of 10 and 11 lines, each of 100 cycles, by turns; warming counts 30 in as many instructions. A fit to the lines
 * would be at 30 and not at 10.5: 4000 cycles a unit. Without them it is at the mean, 2050.
 */
static void events_that_warming_counts_in_another_way_are_left_out(void)
{
	const struct sample_counts head = {0}, whole = {.instructions = 100000, .events = {[SAMPLE_LINES] = 3000}};
	struct sample_counts unit[UNITS] = {{0}};
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){.instructions = 1000,
						 .cycles = 2000 + 100 * (n % 2),
						 .events = {[SAMPLE_LINES] = 10 + n % 2},
						 .warmed_instructions = 10000,
						 .warmed_events = {[SAMPLE_LINES] = 300}};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &none);
	CHECK_U64(x.left_out, 1u << SAMPLE_LINES);
	CHECK_F64(x.cycles, 205000, 1e-6);
	/* a burst between two units is no such thing, though all units have fewer lines than the whole */
	for (unsigned n = 0; n < UNITS; n++)
		unit[n].warmed_events[SAMPLE_LINES] = n == 7 ? 5000 : 105;
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &none);
	CHECK_U64(x.left_out, 0);
	CHECK(x.allowance > 100000);
}

/*
 * Reads are one fewer in every fourth unit, in which the cycles are 100 more: a read would cost -100 cycles, and the
 * whole, which has none, 2000 cycles a unit more. Lines, which are the same in all units, say nothing.
 */
static void no_event_costs_less_than_nothing(void)
{
	const struct sample_counts head = {0}, whole = {.instructions = 100000, .events = {[SAMPLE_LINES] = 4000}};
	struct sample_counts unit[UNITS] = {{0}};
	struct sample_estimate x;

	for (unsigned n = 0; n < UNITS; n++)
		unit[n] = (struct sample_counts){
			.instructions = 1000,
			.cycles = 2000 + (n % 4 ? 0 : 100),
			.events = {[SAMPLE_LINES] = 40, [SAMPLE_READS] = n % 4 ? 20 : 19},
		};
	x = sample_estimate(&whole, &head, unit, UNITS, no_cost, &none);
	CHECK(x.left_out >> SAMPLE_READS & 1);
	CHECK_F64(x.cycles, 202500, 1e-6); /* the mean of the units */
}

/*
 * Half an interval of a quarter of the cycles is the most that holds, and one of all of them reaches 0. A fit may give
 * fewer than 0 cycles, and bursts without a cost an interval without an end.
 */
static void an_estimate_says_what_its_interval_does(void)
{
	static const struct {
		double sampling, allowance, drift;
		enum sample_trust trust;
	} rows[] = {
		{15, 10, 0, SAMPLE_HOLDS},           {15, 10.1, 0, SAMPLE_WIDE},
		{10, 89.9, 25, SAMPLE_WIDE},         {10, 90, 0, SAMPLE_NOTHING},
		{1, 26.2, 25.2, SAMPLE_NOTHING},     {0, (double)INFINITY, 0, SAMPLE_NOTHING},
		{(double)NAN, 1, 0, SAMPLE_NOTHING},
	};

	for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		CHECK_I64(sample_trust(&(struct sample_estimate){.cycles = 100,
								 .sampling = rows[n].sampling,
								 .allowance = rows[n].allowance,
								 .drift = rows[n].drift}),
			  rows[n].trust);
	CHECK_I64(sample_trust(&(struct sample_estimate){.cycles = -1, .sampling = 0.1}), SAMPLE_NOTHING);
	CHECK_I64(sample_trust(&(struct sample_estimate){.cycles = 0}), SAMPLE_NOTHING);
}

static const struct tap_test tests[] = {
	{"the default plan fits the length", the_default_plan_fits_the_length},
	{"each period has a unit", each_period_has_a_unit},
	{"the head is added as it is", the_head_is_added_as_it_is},
	{"the interval is from the spread", the_interval_is_from_the_spread},
	{"events explain the spread", events_explain_the_spread},
	{"events that the units lack widen the interval", events_that_the_units_lack_widen_the_interval},
	{"long parts fit the length", long_parts_fit_the_length},
	{"long parts have the units of their periods", long_parts_have_the_units_of_their_periods},
	{"units of long parts are paired", units_of_long_parts_are_paired},
	{"long parts correct the estimate", long_parts_correct_the_estimate},
	{"events that warming counts in another way are left out",
	 events_that_warming_counts_in_another_way_are_left_out},
	{"no event costs less than nothing", no_event_costs_less_than_nothing},
	{"an estimate says what its interval does", an_estimate_says_what_its_interval_does},
};

int main(void)
{
	return tap_main("sampling", tests, TAP_COUNT(tests));
}
