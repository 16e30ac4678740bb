/* Studies that sample: energy/explore/paired.h, point_units.h, anchors.h, estimates.h, front_within.h. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy/explore/estimates.h"
#include "energy/explore/front_within.h"
#include "energy/explore/point_kind.h"
#include "explore_study.h"

static void a_ratio_has_the_error_of_its_residuals(void)
{
	/*
	 * by hand: the ratio is 12 / 8; the residuals about it are 0, -1 and 1, so the variance of one is 2 / 2, that
	 * of the sum 3, and the relative error sqrt(3) / 12
	 */
	static const double a[] = {3, 5, 4}, b[] = {2, 4, 2}, twice[] = {4, 8, 4};
	struct paired p = paired_ratio(a, b, 3);

	CHECK_F64(p.ratio, 1.5, 1e-15);
	CHECK_F64(p.error, sqrt(3) / 12, 1e-15);
	/* machines that differ by a factor in all units have no error, however different the units are */
	p = paired_ratio(twice, b, 3);
	CHECK_F64(p.ratio, 2, 0);
	CHECK_F64(p.error, 0, 0);
}

static void checks_say_how_far_ratios_are_off(void)
{
	/* by hand: sqrt((9 + 16) / 4) = 2.5 in hundredths; Student's t of 2 degrees is 4.3027; hypot(2.5, 6) = 6.5 */
	static const double off[] = {0.03, 0, -0.04, 0};
	const struct paired_trust t = paired_trust(off, 4);

	CHECK_F64(t.spread, 0.025, 1e-15);
	CHECK_F64(t.t, 4.3027, 1e-9);
	CHECK_F64(paired_half(&t, 0), 4.3027 * 0.025, 1e-9);
	CHECK_F64(paired_half(&t, 0.06), 4.3027 * 0.065, 1e-9);
	CHECK_F64(t.largest, 0.04, 0);
}

static void an_interval_is_not_below_the_worst_check(void)
{
	/* by hand: one of 32 is off by 0.04, in the root mean square 0.04 / sqrt(32); t of 16 degrees is 2.12 */
	double off[32] = {[7] = -0.04};
	struct paired_trust t = paired_trust(off, 32);

	CHECK_F64(paired_half(&t, 0), 0.04, 0);
	CHECK_F64(paired_half(&t, 0.03), 2.12 * hypot(0.04 / sqrt(32), 0.03), 1e-4);
}

static void units_are_one_a_period(void)
{
	struct sample_plan p;
	char text[POINT_UNITS_TEXT_MAX];
	struct err e;

	/* 2000 + 1000 + 256 are a twelfth of 39072, of which 3413175 have 87.4; 10 million have 200 of 50000 */
	CHECK_I64(point_units_plan("auto", 3413175, &p, text, &e), 1);
	CHECK_U64(p.every, 39072);
	CHECK_U64(p.chosen_count, 87);
	CHECK_STR(text, "1000/39072/2000");
	for (uint64_t n = 0; n < p.chosen_count; n++)
		CHECK(p.chosen[n] >= n * 39072 + 2000 && p.chosen[n] <= (n + 1) * 39072 - 1256);
	free((void *)(uintptr_t)p.chosen);
	CHECK_I64(point_units_plan("auto", 10000000, &p, text, &e), 1);
	CHECK_U64(p.every, 50000);
	CHECK_U64(p.chosen_count, 200);
	free((void *)(uintptr_t)p.chosen);
	/* 40 units need 40 periods */
	CHECK_I64(point_units_plan("500/10000", 399999, &p, text, &e), 0);
	CHECK_U64(p.chosen_count, 0);
	CHECK_I64(point_units_plan("500/10000", 400000, &p, text, &e), 1);
	CHECK_U64(p.chosen_count, 40);
	free((void *)(uintptr_t)p.chosen);
}

static void mistakes_of_a_plan_are_reported(void)
{
	static const char *const wrong[] = {"", "1000", "0/40000", "1000/40000x", "-1/40000", "1000/3255"};
	struct sample_plan p;
	char text[POINT_UNITS_TEXT_MAX];

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
		struct err e = {0};

		CHECK_I64(point_units_plan(wrong[n], 1000000, &p, text, &e), -1);
		CHECK_I64(e.status, STATUS_USAGE);
	}
}

/* A study of 16 processors and a trace, whose points are sampled; the units are made by the tests. */
struct bench {
	struct study *study;
	struct plan *plan;
};

enum { POINTS = 16, UNITS = 40 };

static void begin(struct bench *b)
{
	static const char text[] = "sample = 1000/50000\n[sweep]\ncore.rob_entries = 16, 32, 64, 128\n"
				   "l2.latency = 8, 10, 12, 16\n[traces]\nd = SAMPLES/dgemm-packed.trace.gz\n";
	struct err e = {0};

	b->study = explore_study(text, &e);
	CHECK_STR(e.text, "");
	REQUIRE(b->study != NULL);
	b->plan = plan_create(b->study, &e);
	REQUIRE(b->plan != NULL);
	CHECK_U64(b->plan->count, POINTS);
	CHECK_I64(anchors_choose(b->plan, 0, &e), 0);
}

static void end(struct bench *b)
{
	plan_destroy(b->plan);
	study_close(b->study);
}

/* Gives a point units of 1 to 40 cycles times `slow`, of `slow_late` in the second half, and as many joules. */
static void give_units(struct plan_point *p, double slow, double slow_late)
{
	double sum = 0;

	REQUIRE(point_units_create(&p->units, UNITS, NULL) == 0);
	for (unsigned n = 0; n < UNITS; n++) {
		const double cycles = (n < UNITS / 2 ? slow : slow_late) * (1 + n);

		for (unsigned k = 0; k < UNIT_FIGURES; k++)
			p->units.value[k][n] = cycles;
		sum += cycles;
	}
	for (unsigned n = 0; n < FIGURE_COUNT; n++)
		p->units.expanded.value[n] = sum;
}

/* Gives an anchor whole figures that are `of_units` times those of its units. */
static void give_whole(struct plan_point *p, double of_units)
{
	p->known = true;
	for (unsigned n = 0; n < FIGURE_COUNT; n++)
		p->figures.value[n] = of_units * p->units.expanded.value[n];
}

/* Chooses the anchors behind those by lot; all units are known. */
static void choose_others(struct bench *b)
{
	double least[POINTS];

	CHECK_U64(anchors_spread(b->plan, 0, least), ANCHORS_MIN / 2);
}

/* All points are alike, and all whole runs as their units say but that of the first anchor, which is returned. */
static struct plan_point *give_all_alike(struct bench *b, double of_units)
{
	struct plan_point *first = NULL;

	for (size_t n = 0; n < POINTS; n++)
		give_units(&b->plan->points[n], 1, 1);
	choose_others(b);
	for (size_t n = 0; n < POINTS; n++) {
		struct plan_point *p = &b->plan->points[n];

		if (!p->anchor)
			continue;
		give_whole(p, first ? 1 : of_units);
		first = first ? first : p;
	}
	return first;
}

static size_t count_anchors(const struct bench *b)
{
	size_t anchors = 0;

	for (size_t n = 0; n < POINTS; n++)
		anchors += b->plan->points[n].anchor;
	return anchors;
}

static void half_of_sixteen_points_are_anchors(void)
{
	struct bench b;

	begin(&b);
	for (size_t n = 0; n < POINTS; n++) {
		CHECK(b.plan->points[n].sampled);
		CHECK(plan_lacks_units(&b.plan->points[n]));
		CHECK(plan_lacks_whole(&b.plan->points[n]) == b.plan->points[n].anchor);
	}
	/* half of them by lot; the others need the units of all points */
	CHECK_U64(count_anchors(&b), ANCHORS_MIN / 2);
	for (size_t n = 0; n < POINTS; n++)
		give_units(&b.plan->points[n], 1, 1);
	choose_others(&b);
	CHECK_U64(count_anchors(&b), ANCHORS_MIN);
	end(&b);
}

static void machines_that_are_unlike_all_anchors_get_one(void)
{
	/* of the points that lots leave, two kinds of two differ from all others in the second half of the trace */
	static const double late[] = {1.5, 1.5, 2, 2};
	double least[POINTS];
	struct bench b;
	size_t odd[4], count = 0, anchors = 0;

	begin(&b);
	for (size_t n = 0; n < POINTS; n++) {
		const bool is_odd = !b.plan->points[n].anchor && count < 4;

		give_units(&b.plan->points[n], 1, is_odd ? late[count] : 1);
		if (is_odd)
			odd[count++] = n;
	}
	REQUIRE(count == 4);
	/* only two more: both kinds have an anchor, the one that is farther off first */
	b.plan->files.at[0].anchors = ANCHORS_MIN / 2 + 1;
	CHECK_U64(anchors_spread(b.plan, 0, least), 1);
	CHECK(b.plan->points[odd[2]].anchor != b.plan->points[odd[3]].anchor);
	b.plan->files.at[0].anchors++;
	b.plan->files.at[0].anchors_all = false;
	CHECK_U64(anchors_spread(b.plan, 0, least), 1);
	CHECK(b.plan->points[odd[0]].anchor != b.plan->points[odd[1]].anchor);
	/* their twins are estimated from them, and need none */
	for (unsigned n = 0; n < 4; n++)
		anchors += b.plan->points[odd[n]].anchor;
	CHECK_U64(anchors, 2);
	end(&b);
}

static void anchors_wait_for_all_units(void)
{
	double least[POINTS];
	struct bench b;
	struct plan_point *last;

	begin(&b);
	last = &b.plan->points[POINTS - 1];
	for (size_t n = 0; n < POINTS - 1; n++)
		give_units(&b.plan->points[n], 1, 1);
	/* another share of the study has the last one */
	last->elsewhere = true;
	CHECK_U64(anchors_spread(b.plan, 0, least), 0);
	CHECK_U64(count_anchors(&b), ANCHORS_MIN / 2);
	/* it has failed: nothing of it will come */
	last->failed = true;
	CHECK_U64(anchors_spread(b.plan, 0, least), ANCHORS_MIN / 2);
	end(&b);
}

static void what_units_miss_of_all_points_cancels(void)
{
	struct bench b;

	begin(&b);
	/* each whole run takes 1.25 times its units: so do the estimates, without an error */
	for (size_t n = 0; n < POINTS; n++)
		give_units(&b.plan->points[n], 1 + 0.1 * (double)n, 1 + 0.1 * (double)n);
	choose_others(&b);
	for (size_t n = 0; n < POINTS; n++)
		if (b.plan->points[n].anchor)
			give_whole(&b.plan->points[n], 1.25);
	CHECK_I64(estimates_make(b.plan, NULL), 0);
	for (size_t n = 0; n < POINTS; n++) {
		const double *v = b.plan->points[n].figures.value, sum = (1 + 0.1 * (double)n) * 820;

		CHECK(plan_has(&b.plan->points[n]));
		CHECK_F64(v[FIGURE_seconds], 1.25 * sum, 1e-9 * sum);
		CHECK_F64(v[FIGURE_system_j], 1.25 * sum, 1e-9 * sum);
		CHECK_F64(v[FIGURE_seconds_error], b.plan->points[n].anchor ? 1.25 * sum : 0, 1e-9 * sum);
	}
	end(&b);
}

static void an_anchor_that_is_off_widens_all_intervals(void)
{
	struct bench b;
	double half;

	begin(&b);
	/*
	 * by hand: all points are alike, so each is estimated from the first anchor other than itself. The first anchor
	 * takes 1.08 times as long as its units say: seven are off by log 1.08, and so is it, from the second.
	 */
	give_all_alike(&b, 1.08);
	CHECK_I64(estimates_make(b.plan, NULL), POINTS - ANCHORS_MIN);
	half = 2.7764 * log(1.08); /* Student's t of 4 degrees: 21 % */
	CHECK_F64(paired_half(&b.plan->files.at[0].trust[UNIT_TIME], 0), half, 1e-9);
	/* above 5 %: all are to be simulated whole, and are no result till then */
	for (size_t n = 0; n < POINTS; n++) {
		CHECK(plan_has(&b.plan->points[n]) == b.plan->points[n].anchor);
		CHECK(plan_lacks_whole(&b.plan->points[n]) == !b.plan->points[n].anchor);
	}
	/* once more: none is marked again */
	CHECK_I64(estimates_make(b.plan, NULL), 0);
	end(&b);
}

/* A run that was disturbed may have simulated other points whole: the estimates are those of an undisturbed one. */
static void a_whole_run_that_nothing_asks_for_changes_no_figure(void)
{
	struct plan_point *other = NULL;
	struct bench b;

	begin(&b);
	give_all_alike(&b, 1);
	for (size_t n = 0; n < POINTS; n++)
		other = b.plan->points[n].anchor ? other : &b.plan->points[n];
	REQUIRE(other != NULL);
	give_whole(other, 1.5);
	CHECK_I64(estimates_make(b.plan, NULL), 0);
	CHECK(other->estimated && !other->known);
	CHECK_F64(other->figures.value[FIGURE_seconds], 820, 1e-9);
	end(&b);
}

static void without_an_anchor_nothing_is_estimated(void)
{
	struct bench b;

	begin(&b);
	give_all_alike(&b, 1)->known = false;
	CHECK_I64(estimates_make(b.plan, NULL), 0);
	for (size_t n = 0; n < POINTS; n++)
		CHECK(plan_has(&b.plan->points[n]) == b.plan->points[n].known);
	end(&b);
}

static void an_anchor_without_a_temperature_is_none(void)
{
	struct bench b;

	begin(&b);
	/* as above, but the one that is off is a runaway: nothing else is off */
	give_all_alike(&b, 1.08)->figures.value[FIGURE_system_j] = HUGE_VAL;
	CHECK_I64(estimates_make(b.plan, NULL), 0);
	for (size_t n = 0; n < POINTS; n++)
		CHECK(plan_has(&b.plan->points[n]));
	CHECK_F64(b.plan->files.at[0].trust[UNIT_TIME].spread, 0, 0);
	end(&b);
}

static void a_front_is_within_the_intervals_of_differences(void)
{
	/*
	 * by hand: intervals of differences are 2 % each, of time and of energy, and areas are equal. Design 1 is 1 %
	 * slower than 0: it may be on the front. 2 is 5 % worse in both: it is not. 3 has half the energy: nothing
	 * else can dominate it. The others are far off.
	 */
	static const double time[] = {1, 1.01, 1.05, 2}, energy[] = {1, 1, 1.05, 0.5};
	static const enum design_within within[] = {WITHIN_MAYBE, WITHIN_MAYBE, WITHIN_NO, WITHIN_YES};
	const struct objectives o = {3, {CRITERION_time, CRITERION_energy, CRITERION_area}};
	struct designs d = {0};
	struct bench b;

	begin(&b);
	for (size_t n = 0; n < POINTS; n++) {
		struct plan_point *p = &b.plan->points[n];

		give_units(p, 1, 1);
		p->estimated = true;
		p->figures.value[FIGURE_seconds] = n < 4 ? time[n] : 9;
		p->figures.value[FIGURE_system_j] = n < 4 ? energy[n] : 9;
		p->figures.value[FIGURE_area_mm2] = 1;
	}
	for (unsigned k = 0; k < UNIT_FIGURES; k++)
		b.plan->files.at[0].trust[k] = (struct paired_trust){.spread = 0.01, .t = 2};
	CHECK_I64(designs_make(b.plan, NULL, OVER_GEOMEAN, &d, NULL), 0);
	CHECK_I64(designs_mark_front_by(&d, &o, NULL), 0);
	front_mark_within(b.plan, NULL, OVER_GEOMEAN, &o, &d);
	for (size_t n = 0; n < POINTS; n++)
		CHECK_STR(within_word(d.at[n].within), within_word(n < 4 ? within[n] : WITHIN_NO));
	designs_finish(&d);
	end(&b);
}

static const struct tap_test tests[] = {
	{"a ratio has the error of its residuals", a_ratio_has_the_error_of_its_residuals},
	{"checks say how far ratios are off", checks_say_how_far_ratios_are_off},
	{"an interval is not below the worst check", an_interval_is_not_below_the_worst_check},
	{"units are one a period", units_are_one_a_period},
	{"mistakes of a plan are reported", mistakes_of_a_plan_are_reported},
	{"half of sixteen points are anchors", half_of_sixteen_points_are_anchors},
	{"machines that are unlike all anchors get one", machines_that_are_unlike_all_anchors_get_one},
	{"anchors wait for all units", anchors_wait_for_all_units},
	{"what units miss of all points cancels", what_units_miss_of_all_points_cancels},
	{"an anchor that is off widens all intervals", an_anchor_that_is_off_widens_all_intervals},
	{"an anchor without a temperature is none", an_anchor_without_a_temperature_is_none},
	{"a whole run that nothing asks for changes no figure", a_whole_run_that_nothing_asks_for_changes_no_figure},
	{"without an anchor nothing is estimated", without_an_anchor_nothing_is_estimated},
	{"a front is within the intervals of differences", a_front_is_within_the_intervals_of_differences},
};

int main(void)
{
	return tap_main("sampled studies", tests, TAP_COUNT(tests));
}
