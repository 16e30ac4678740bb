/* Time to solution where nodes fail (netlink/reliability): published intervals, closed forms, limits. */
#include "tap.h"

#include <math.h>

#include "netlink/reliability/reliability.h"

static void intervals_are_those_of_the_papers(void)
{
	/* in minutes: Daly 2006, a dump of 5 takes 117 at 24 h and 9.1 at 15 min; Young's formula, 120 and 12.2 */
	CHECK_F64(reliability_young(24 * 60, 5), 120, 1e-9);
	CHECK_F64(reliability_daly(24 * 60, 5), 117, 0.5);
	CHECK_F64(reliability_young(15, 5), 12.2, 0.05);
	CHECK_F64(reliability_daly(15, 5), 9.1, 0.05);
	/* a dump that takes twice the time between failures */
	CHECK_F64(reliability_daly(15, 30), 15, 0);
}

static void without_failures_checkpoints_add_their_share(void)
{
	/* 100 s of work in steps of 10 s, each with 2 s: 120 s; of 25 s, 2.5 steps: 30 s */
	struct reliability_work w = {
		.mtbf = 1e15, .shape = 1, .checkpoint = 2, .restart = 5, .interval = 10, .work = 100};

	CHECK_F64(reliability_trial(&w, 1, 0), 120, 1e-9);
	CHECK_F64(reliability_expected(&w), 120, 1e-6);
	w.work = 25;
	CHECK_F64(reliability_trial(&w, 1, 0), 30, 1e-9);
}

/*
 * The mean of many trials is Daly's expectation, which holds for exponential failures: within four standard errors,
 * beyond which is one set of trials in 16 000.
 */
static void trials_have_the_expected_mean(void)
{
	static const struct reliability_work cases[] = {
		{.mtbf = 100, .shape = 1, .checkpoint = 2, .restart = 5, .interval = 20, .work = 1000},
		{.mtbf = 50, .shape = 1, .checkpoint = 10, .restart = 0, .interval = 30, .work = 600},
		{.mtbf = 1000, .shape = 1, .checkpoint = 1, .restart = 60, .interval = 44, .work = 4400},
	};

	for (unsigned n = 0; n < TAP_COUNT(cases); n++) {
		struct reliability_times t;
		struct err e;

		REQUIRE(reliability_run(&cases[n], 7, 20000, &t, &e) == 0);
		CHECK(!t.endless);
		CHECK_F64(t.mean, reliability_expected(&cases[n]), 4 * t.error / 1.96);
	}
}

static void least_time_is_at_the_interval_of_daly(void)
{
	struct reliability_work w = {.mtbf = 86400, .shape = 1, .checkpoint = 300, .restart = 600, .work = 1800000};
	double best = reliability_daly(w.mtbf, w.checkpoint), least;

	w.interval = best;
	least = reliability_expected(&w);
	for (unsigned n = 1; n < 5; n++) {
		w.interval = best * (1 + 0.1 * n);
		CHECK(reliability_expected(&w) > least);
		w.interval = best / (1 + 0.1 * n);
		CHECK(reliability_expected(&w) > least);
	}
}

static void hopeless_programs_have_no_end(void)
{
	struct reliability_work w = {
		.mtbf = 1, .shape = 1, .checkpoint = 1000, .restart = 1000, .interval = 1000, .work = 1e6};

	CHECK(isinf(reliability_trial(&w, 1, 0)));
}

static const struct tap_test tests[] = {
	{"intervals are those of the papers", intervals_are_those_of_the_papers},
	{"without failures checkpoints add their share", without_failures_checkpoints_add_their_share},
	{"trials have the expected mean", trials_have_the_expected_mean},
	{"the least time is at the interval of Daly", least_time_is_at_the_interval_of_daly},
	{"hopeless programs have no end", hopeless_programs_have_no_end},
};

int main(void)
{
	return tap_main("reliability", tests, TAP_COUNT(tests));
}
