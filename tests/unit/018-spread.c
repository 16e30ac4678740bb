/* The spread of a figure over several runs: psim/base/spread.h. Numbers worked out by hand. */
#include "tap.h"

#include <math.h>

#include "psim/base/spread.h"

static void quantiles_are_those_of_the_tables(void)
{
	CHECK_F64(spread_t95(1), 12.7062, 1e-4);
	CHECK_F64(spread_t95(4), 2.7764, 1e-4);
	CHECK_F64(spread_t95(5), 2.5706, 4e-3);
	CHECK_F64(spread_t95(10), 2.2281, 3e-4);
	CHECK_F64(spread_t95(29), 2.0452, 1e-4);
	CHECK_F64(spread_t95(100), 1.9840, 1e-4);
	/* parts of a degree are not counted */
	CHECK_F64(spread_t95(2.94), 4.3027, 1e-4);
	CHECK_F64(spread_t95(0.5), 12.7062, 1e-4);
}

/* Mean 5; squares of the distances 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32. t of 7 degrees is 2.3646. */
static void a_spread_of_eight_runs(void)
{
	static const double value[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct spread s = spread_of(value, 8);

	CHECK_U64(s.runs, 8);
	CHECK_F64(s.mean, 5, 1e-12);
	CHECK_F64(s.deviation, sqrt(32.0 / 7), 1e-12);
	CHECK_F64(s.least, 2, 0);
	CHECK_F64(s.most, 9, 0);
	CHECK_F64(spread_half(&s), 2.3646 * sqrt(32.0 / 7) / sqrt(8), 2e-3);
}

static void equal_runs_have_no_spread(void)
{
	static const double value[] = {0.1, 0.1, 0.1};
	struct spread s = spread_of(value, 3), one = spread_of(value, 1);

	CHECK(s.mean == 0.1 && s.deviation == 0 && spread_half(&s) == 0);
	CHECK(one.mean == 0.1 && one.deviation == 0 && isinf(spread_half(&one)));
}

/*
 * Means 2 and 6, variances 1 and 4, of three runs each: (1 + 4) / 3 = 5/3. Welch's degrees: (5/3)^2 / ((1/3)^2 / 2 +
 * (4/3)^2 / 2) = 2.94, so t is 4.3027, and half the interval 5.555: more than the difference of 4.
 */
static void means_within_the_spread(void)
{
	static const double a[] = {1, 2, 3}, b[] = {4, 6, 8};
	struct spread x = spread_of(a, 3), y = spread_of(b, 3);
	struct spread_difference d = spread_compare(&x, &y);

	CHECK_F64(d.mean, 4, 1e-12);
	CHECK_F64(d.half, 4.3027 * sqrt(5.0 / 3), 1e-3);
	CHECK(d.within);
}

/* The same, 10 apart. Backwards, the difference has the other sign. */
static void means_beyond_the_spread(void)
{
	static const double a[] = {1, 2, 3}, b[] = {10, 12, 14};
	struct spread x = spread_of(a, 3), y = spread_of(b, 3);
	struct spread_difference d = spread_compare(&y, &x);

	CHECK_F64(d.mean, -10, 1e-12);
	CHECK_F64(d.half, 4.3027 * sqrt(5.0 / 3), 1e-3);
	CHECK(!d.within);
}

/* A single run says nothing; runs without any spread differ if they differ at all. */
static void runs_without_spread(void)
{
	static const double a[] = {5, 5}, b[] = {6, 6};
	struct spread x = spread_of(a, 2), y = spread_of(b, 2), one = spread_of(b, 1);

	CHECK(!spread_compare(&x, &y).within);
	CHECK(spread_compare(&x, &x).within);
	CHECK(spread_compare(&x, &one).within && isinf(spread_compare(&x, &one).half));
}

static const struct tap_test tests[] = {
	{"quantiles are those of the tables", quantiles_are_those_of_the_tables},
	{"a spread of eight runs", a_spread_of_eight_runs},
	{"equal runs have no spread", equal_runs_have_no_spread},
	{"means within the spread", means_within_the_spread},
	{"means beyond the spread", means_beyond_the_spread},
	{"runs without spread", runs_without_spread},
};

int main(void)
{
	return tap_main("spread", tests, TAP_COUNT(tests));
}
