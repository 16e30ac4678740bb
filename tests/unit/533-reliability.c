/* Time to solution where nodes fail (netlink/reliability): published intervals, closed forms, limits. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "netlink/reliability/failure_times.h"
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

	CHECK_F64(reliability_trial(&w, 1, 0).seconds, 120, 1e-9);
	CHECK_F64(reliability_trial(&w, 1, 0).saving, 20, 1e-9);
	CHECK_F64(reliability_expected(&w), 120, 1e-6);
	w.work = 25;
	CHECK_F64(reliability_trial(&w, 1, 0).seconds, 30, 1e-9);
}

/*
 * Work of 100 s, saved at 30, 60 and 90 s. Failures at 10, 72, 85, 100 and 150 s, restarts of 5 s. 10 s are repeated,
 * and it goes on from 0 at 15; at 45 it has saved 30 s of work. The failure at 72 discards 27 s, and it goes on at 77.
 * That at 85 discards 8 s; it goes on at 90. That at 100 discards 10 s; it goes on at 105. The work is saved at 135, so
 * the failure at 150 discards 15 s; it goes on at 155, saves at 185, and ends at 195: 100 s, 5 restarts of 5 s, and
 * 70 s that are repeated.
 */
static void failures_of_a_list_repeat_what_is_not_saved(void)
{
	static const double mark[] = {30, 60, 90}, failure[] = {10, 72, 85, 100, 150};
	struct reliability_work w = {.mtbf = (double)INFINITY,
				     .shape = 1,
				     .restart = 5,
				     .work = 100,
				     .marked = true,
				     .listed = true,
				     .mark = mark,
				     .marks = 3,
				     .failure = failure,
				     .failures = 5};
	struct reliability_trial t = reliability_trial(&w, 1, 0);

	CHECK_F64(t.failures, 5, 0);
	CHECK_F64(t.repeated, 70, 1e-9);
	CHECK_F64(t.restarting, 25, 1e-9);
	CHECK_F64(t.saving, 0, 0);
	CHECK_F64(t.seconds, 195, 1e-9);

	/* restarts of 20 s: that at 72 goes on until 85, the next one until 100, and the one after it to 120 */
	w.restart = 20;
	w.failures = 4;
	/* 10 + 20, 30 s of work are saved at 60; 12 s are discarded; restarts from 72 to 120; then 70 s */
	t = reliability_trial(&w, 1, 0);
	CHECK_F64(t.repeated, 22, 1e-9);
	CHECK_F64(t.restarting, 68, 1e-9);
	CHECK_F64(t.seconds, 190, 1e-9);

	/* without checkpoints all is repeated: 10 + 5, 57 + 5, 8 + 5, 10 + 5, then 100 */
	w.restart = 5;
	w.marks = 0;
	CHECK_F64(reliability_trial(&w, 1, 0).seconds, 205, 1e-9);
}

/* 400 s of work, saved at 10, 30, 100 and 200 s: Daly's expectation of each part, within four standard errors. */
static void marked_checkpoints_have_the_expected_mean(void)
{
	static const double mark[] = {10, 30, 100, 200};
	struct reliability_work w = {
		.mtbf = 80, .shape = 1, .restart = 7, .work = 400, .marked = true, .mark = mark, .marks = 4};
	double parts[] = {10, 20, 70, 100, 200}, expected = 0, sum;
	struct reliability_times t;
	struct err e;

	for (unsigned i = 0; i < TAP_COUNT(parts); i++)
		expected += 80 * exp(7.0 / 80) * (exp(parts[i] / 80) - 1);
	CHECK_F64(reliability_expected(&w), expected, 1e-9);
	REQUIRE(reliability_run(&w, 3, 20000, &t, &e) == 0);
	CHECK_F64(t.mean.seconds, expected, 4 * t.error / 1.96);
	sum = w.work + t.mean.saving + t.mean.repeated + t.mean.restarting;
	CHECK_F64(t.mean.seconds, sum, 1e-9 * sum);
	/* a failure for each part, and each restart, that is begun in vain: e^(x/M) - 1 of each */
	expected = 0;
	for (unsigned i = 0; i < TAP_COUNT(parts); i++)
		expected += (exp(parts[i] / 80) - 1) * exp(7.0 / 80);
	/*
	 * Most of them are in the longest part: geometric, e^2.5 in the mean. A trial deviates by less than 15, the
	 * mean by 0.11.
	 */
	CHECK_F64(t.mean.failures, expected, 0.42);
	CHECK(t.low < t.mean.seconds && t.mean.seconds < t.high);
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
		CHECK_F64(t.mean.seconds, reliability_expected(&cases[n]), 4 * t.error / 1.96);
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

/*
 * Of a sweep by trials none of the intervals is better than Daly's beyond four standard errors of the difference, and
 * those of a quarter and of four times are worse beyond them.
 */
static void the_best_of_a_sweep_is_the_interval_of_daly(void)
{
	static const double factors[] = {0.25, 0.5, 0.7, 1.4, 2, 4};
	struct reliability_work w = {.mtbf = 3600, .shape = 1, .checkpoint = 60, .restart = 120, .work = 36000};
	double daly = reliability_daly(w.mtbf, w.checkpoint);
	struct reliability_times best, t;
	struct err e;

	w.interval = daly;
	REQUIRE(reliability_run(&w, 1, 4000, &best, &e) == 0);
	for (unsigned i = 0; i < TAP_COUNT(factors); i++) {
		double margin;

		w.interval = factors[i] * daly;
		REQUIRE(reliability_run(&w, 2 + i, 4000, &t, &e) == 0);
		margin = 4 * hypot(t.error, best.error) / 1.96;
		CHECK(best.mean.seconds < t.mean.seconds + margin);
		if (i == 0 || i == TAP_COUNT(factors) - 1)
			CHECK(best.mean.seconds + margin < t.mean.seconds);
	}
}

static struct failure_times failures_of(const char *text, struct err *e, int *ret)
{
	static const bool used[4] = {true, true, false, true};
	struct failure_times t = {0};
	char name[] = "/tmp/failures-XXXXXX";
	int fd = mkstemp(name);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	*ret = -1;
	if (!f)
		return t;
	fputs(text, f);
	fclose(f);
	*ret = failure_times_read(name, used, 4, &t, e);
	remove(name);
	return t;
}

static void files_have_failures_of_nodes_with_ranks(void)
{
	/* node 2 has no ranks; two failures at 20 s are one */
	struct err e;
	int ret;
	struct failure_times t = failures_of("failures 1 # made by hand\n5 node:0\n7 node:2\n\n20 other\n20 node:3\n"
					     "1e3 node:1\nend 2e3\n",
					     &e, &ret);

	CHECK(ret == 0);
	REQUIRE(t.at.count == 3);
	CHECK_F64(t.at.at[0], 5, 0);
	CHECK_F64(t.at.at[1], 20, 0);
	CHECK_F64(t.at.at[2], 1000, 0);
	CHECK_F64(t.end, 2000, 0);
	failure_times_finish(&t);
}

static void hopeless_programs_have_no_end(void)
{
	struct reliability_work w = {
		.mtbf = 1, .shape = 1, .checkpoint = 1000, .restart = 1000, .interval = 1000, .work = 1e6};

	CHECK(isinf(reliability_trial(&w, 1, 0).seconds));
}

static const struct tap_test tests[] = {
	{"intervals are those of the papers", intervals_are_those_of_the_papers},
	{"without failures checkpoints add their share", without_failures_checkpoints_add_their_share},
	{"trials have the expected mean", trials_have_the_expected_mean},
	{"the least time is at the interval of Daly", least_time_is_at_the_interval_of_daly},
	{"failures of a list repeat what is not saved", failures_of_a_list_repeat_what_is_not_saved},
	{"marked checkpoints have the expected mean", marked_checkpoints_have_the_expected_mean},
	{"the best of a sweep is the interval of Daly", the_best_of_a_sweep_is_the_interval_of_daly},
	{"files have failures of nodes with ranks", files_have_failures_of_nodes_with_ranks},
	{"hopeless programs have no end", hopeless_programs_have_no_end},
};

int main(void)
{
	return tap_main("reliability", tests, TAP_COUNT(tests));
}
