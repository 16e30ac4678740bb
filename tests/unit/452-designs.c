/* Fronts and means of designs: energy/explore/designs.h. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore_study.h"
#include "energy/explore/designs.h"
#include "energy/explore/point_kind.h"
#include "energy/explore/where.h"
#include "psim/base/rng.h"

static struct design design(double time, double energy, double area)
{
	return (struct design){.value = {time, energy, area, time * energy}};
}

static void a_design_is_on_the_front_unless_another_is_as_good_and_better_in_one(void)
{
	struct designs d = {0};
	/* by hand: 2 is beaten by 0 (same time and energy, less area); 4 by 1 and 3; 5 and 6 are equal */
	static const struct {
		double time, energy, area;
		bool front;
	} rows[] = {
		{1, 9, 5, true},  {3, 3, 5, true}, {1, 9, 6, false}, {4, 2, 4, true},
		{4, 4, 5, false}, {9, 1, 9, true}, {9, 1, 9, true},  {9, 9, 1, true},
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		*vec_push(&d, NULL) = design(rows[n].time, rows[n].energy, rows[n].area);
	CHECK_I64(designs_mark_front(&d, NULL), 0);
	for (size_t n = 0; n < d.count; n++)
		CHECK_U64(d.at[n].front, rows[n].front);
	designs_finish(&d);
}

static void a_front_has_the_objectives_that_are_asked_for(void)
{
	struct designs d = {0};
	struct objectives o;
	struct err e;
	char text[64];
	/* by hand, in power (less is better) and gflops (more): 1 is beaten by 0, 3 by 0 and 2; areas do not count */
	static const struct {
		double power, gflops, area;
		bool front;
	} rows[] = {{10, 4, 9, true}, {11, 4, 1, false}, {20, 9, 9, true}, {20, 4, 1, false}, {5, 0, 9, true}};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct design row = design(1, 1, rows[n].area);

		row.extra[EXTRA_power] = rows[n].power;
		row.extra[EXTRA_gflops] = rows[n].gflops;
		*vec_push(&d, NULL) = row;
	}
	CHECK_I64(objectives_read(&point_kind_psim, "power_w,gflops", &o, &e), 0);
	CHECK_I64(designs_mark_front_by(&d, &o, NULL), 0);
	for (size_t n = 0; n < d.count; n++)
		CHECK_U64(d.at[n].front, rows[n].front);
	CHECK_I64(objectives_read(&point_kind_psim, "time,area_mm2,power_w", &o, &e), 0);
	objectives_text(&o, NULL, text, sizeof(text));
	CHECK_STR(text, "time, area and power_w");
	CHECK_I64(objectives_read(&point_kind_psim, "time,", &o, &e), -1);
	CHECK_I64(objectives_read(&point_kind_psim, "time,time,time,time,time,time,time,time,time", &o, &e), -1);
	designs_finish(&d);
}

/* Against the definition, over many designs of few different values: ties are frequent. */
static void the_front_is_what_the_definition_says(void)
{
	struct designs d = {0};
	unsigned front = 0;

	for (uint64_t n = 0; n < 400; n++)
		*vec_push(&d, NULL) = design((double)rng_below(1, 0, n, 12), (double)rng_below(1, 1, n, 12),
					     (double)rng_below(1, 2, n, 12));
	CHECK_I64(designs_mark_front(&d, NULL), 0);
	for (size_t n = 0; n < d.count; n++) {
		bool beaten = false;

		for (size_t k = 0; k < d.count; k++)
			beaten |= design_dominates(&d.at[k], &d.at[n], 3);
		CHECK(d.at[n].front == !beaten);
		front += d.at[n].front;
	}
	CHECK(front > 3 && front < 200);
	designs_finish(&d);
}

static void dominance_can_look_at_time_and_energy_alone(void)
{
	const struct design a = design(1, 2, 9), b = design(1, 3, 1);

	CHECK(design_dominates(&a, &b, 2));
	CHECK(!design_dominates(&a, &b, 3));
	CHECK(!design_dominates(&a, &a, 3));
}

static void the_best_is_the_least_and_the_first_of_equals(void)
{
	struct designs d = {0};

	CHECK(designs_best(&d, CRITERION_time) == NULL);
	*vec_push(&d, NULL) = design(3, 4, 7);
	*vec_push(&d, NULL) = design(2, 7, 7);
	*vec_push(&d, NULL) = design(2, 8, 8);
	/* energy-delay: 12, 14, 16 */
	CHECK(designs_best(&d, CRITERION_time) == &d.at[1]);
	CHECK(designs_best(&d, CRITERION_energy) == &d.at[0]);
	CHECK(designs_best(&d, CRITERION_area) == &d.at[0]);
	CHECK(designs_best(&d, CRITERION_energy_delay) == &d.at[0]);
	designs_finish(&d);
}

static void the_best_is_not_beaten_by_another_of_equals(void)
{
	struct designs d = {0};

	/* all of the least area: the first is beaten by the third, and the fourth beats only the second */
	*vec_push(&d, NULL) = design(5, 5, 7);
	*vec_push(&d, NULL) = design(1, 9, 7);
	*vec_push(&d, NULL) = design(4, 5, 7);
	*vec_push(&d, NULL) = design(1, 8, 7);
	CHECK(designs_best(&d, CRITERION_area) == &d.at[2]);
	/* the rule, whatever the order: nobody of the list beats the best */
	for (unsigned c = 0; c < CRITERION_COUNT; c++)
		for (size_t n = 0; n < d.count; n++)
			CHECK(!design_dominates(&d.at[n], designs_best(&d, c), 3));
	designs_finish(&d);
}

/* Two combinations, two traces, figures given by hand. */
static struct plan *two_by_two(struct study **s)
{
	static const double seconds[] = {2, 8, 1, 3}, joules[] = {1, 9, 4, 4};
	struct err e = {0};
	struct plan *p;

	*s = explore_study("[sweep]\ncore.rob_entries = 32, 64\n[traces]\n"
			   "h = SAMPLES/hello.trace.gz\nd = SAMPLES/dgemm.trace.gz\n",
			   &e);
	CHECK_STR(e.text, "");
	REQUIRE(*s != NULL);
	p = plan_create(*s, &e);
	REQUIRE(p != NULL);
	for (size_t n = 0; n < 4; n++) {
		p->points[n].known = true;
		p->points[n].figures.value[FIGURE_seconds] = seconds[n];
		p->points[n].figures.value[FIGURE_system_j] = joules[n];
		p->points[n].figures.value[FIGURE_area_mm2] = n < 2 ? 100 : 120;
	}
	return p;
}

static void check_design(const struct design *d, double time, double energy, double area)
{
	CHECK_F64(d->value[CRITERION_time], time, 1e-12);
	CHECK_F64(d->value[CRITERION_energy], energy, 1e-12);
	CHECK_F64(d->value[CRITERION_area], area, 0);
	CHECK_F64(d->value[CRITERION_energy_delay], time * energy, 1e-11);
}

static void traces_become_one_by_mean_or_sum(void)
{
	struct study *s;
	struct plan *p = two_by_two(&s);
	struct designs geomean = {0}, sum = {0}, one = {0};
	const size_t second = 1;

	CHECK_I64(designs_make(p, NULL, OVER_GEOMEAN, &geomean, NULL), 0);
	CHECK_I64(designs_make(p, NULL, OVER_SUM, &sum, NULL), 0);
	CHECK_I64(designs_make(p, &second, OVER_SUM, &one, NULL), 0);
	/* sqrt(2 * 8), sqrt(1 * 9); sqrt(1 * 3), sqrt(4 * 4) */
	check_design(&geomean.at[0], 4, 3, 100);
	check_design(&geomean.at[1], 1.7320508075688772, 4, 120);
	check_design(&sum.at[0], 10, 10, 100);
	check_design(&sum.at[1], 4, 8, 120);
	check_design(&one.at[0], 8, 9, 100);
	check_design(&one.at[1], 3, 4, 120);
	designs_finish(&geomean);
	designs_finish(&sum);
	designs_finish(&one);
	plan_destroy(p);
	study_close(s);
}

/* A trace without floating point does not count: 3 and 5, then the mean of 2 and 8; none at all is 0. */
static void gflops_are_of_traces_that_have_some(void)
{
	struct study *s;
	struct plan *p = two_by_two(&s);
	const double gflops[] = {0, 3, 0, 5}, all[] = {2, 8, 0, 5}, none[4] = {0};
	const struct {
		const double *value, mean[2];
		size_t with;
	} rows[] = {{gflops, {3, 5}, 1}, {all, {4, 5}, 2}, {none, {0, 0}, 0}};

	for (unsigned k = 0; k < 3; k++) {
		struct designs d = {0};

		for (size_t n = 0; n < 4; n++)
			p->points[n].figures.value[FIGURE_gflops] = rows[k].value[n];
		CHECK_I64(designs_make(p, NULL, OVER_GEOMEAN, &d, NULL), 0);
		CHECK_F64(d.at[0].extra[EXTRA_gflops], rows[k].mean[0], 1e-12);
		CHECK_F64(d.at[1].extra[EXTRA_gflops], rows[k].mean[1], 1e-12);
		CHECK_U64(designs_with_flops(p), rows[k].with);
		designs_finish(&d);
	}
	plan_destroy(p);
	study_close(s);
}

static void traces_have_weights(void)
{
	struct study *s;
	struct plan *p = two_by_two(&s);
	struct designs geomean = {0}, sum = {0};

	s->traces.at[1].weight = 3;
	CHECK_I64(designs_make(p, NULL, OVER_GEOMEAN, &geomean, NULL), 0);
	CHECK_I64(designs_make(p, NULL, OVER_SUM, &sum, NULL), 0);
	/* (2 x 8^3)^(1/4) = 5.65685, (1 x 9^3)^(1/4) = 5.19615; 2 + 3 x 8, 1 + 3 x 9 */
	check_design(&geomean.at[0], 5.656854249492381, 5.196152422706632, 100);
	check_design(&sum.at[0], 26, 28, 100);
	designs_finish(&geomean);
	designs_finish(&sum);
	plan_destroy(p);
	study_close(s);
}

static void conditions_leave_out_designs(void)
{
	static const struct {
		const char *text;
		unsigned left;
	} rows[] = {
		{"area_mm2<=100", 1},       {"area_mm2<100", 0},
		{"area_mm2>100", 1},        {"seconds<1e9", 2},
		{"core.rob_entries=64", 1}, {"core.rob_entries>=32", 2},
		{"core.rob_entries<64", 1}, {"seconds<5 s", 1},
		{"seconds<5000ms", 1},      {"edp<60", 1},
		{"density<1", 2},
	};
	struct study *s;
	struct plan *p = two_by_two(&s);
	struct err e;
	struct where w;

	for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct designs d = {0};
		bool read = where_read(s, rows[n].text, &w, &e) == 0;

		CHECK_I64(designs_make(p, NULL, OVER_SUM, &d, NULL), 0);
		if (read)
			where_apply(&w, s, &d);
		CHECK_I64(designs_mark_front(&d, NULL), 0);
		if (read)
			CHECK_U64(d.count, rows[n].left);
		for (size_t k = 0; k < d.count && d.count == 1; k++)
			CHECK(d.at[k].front); /* of those that are left */
		CHECK(read);
		designs_finish(&d);
	}
	CHECK_I64(where_read(s, "core.rob_entries", &w, &e), -1);
	CHECK_I64(where_read(s, "decode.width=4", &w, &e), -1); /* does not vary */
	CHECK_I64(where_read(s, "seconds<1h", &w, &e), -1);
	CHECK_STR(e.text, "--where 'seconds<1h': unit 'h', expected a number in s");
	CHECK_U64(e.status, STATUS_USAGE);
	plan_destroy(p);
	study_close(s);
}

/*
 * Sums: 10 s and 10 J on 100 mm2, 4 s and 8 J on 120 mm2. A limit of a figure of which more is better is a least one.
 */
static void limits_of_a_study_are_conditions(void)
{
	static const struct {
		const char *limit;
		bool first, second;
	} rows[] = {
		{"area = 110", true, false},     {"time = 4 s", false, true},  {"edp = 32", false, true},
		{"energy_j = 0", true, true},    {"gflops = 1", false, false}, {"gflops = 0", true, true},
		{"area_mm2 = 99", false, false}, {"density = 0", true, true},
	};
	static const char *const wrong[] = {"areas = 110", "area = 110 m", "area = big", "core.rob_entries = 32"};
	char text[200];

	for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct study *s;
		struct plan *p = two_by_two(&s);
		struct conditions c = {0};
		struct designs d = {0};
		struct study_limit *limit = vec_push(&s->limits, NULL);
		const size_t length = strcspn(rows[n].limit, " ");

		*limit = (struct study_limit){strndup(rows[n].limit, length), strdup(rows[n].limit + length + 3), 9};
		CHECK_I64(conditions_limits(&c, s, NULL), 0);
		CHECK_U64(c.count, 1);
		CHECK_I64(designs_make(p, NULL, OVER_SUM, &d, NULL), 0);
		CHECK_U64(conditions_hold(&c, s, &d.at[0]), rows[n].first);
		CHECK_U64(conditions_hold(&c, s, &d.at[1]), rows[n].second);
		CHECK(conditions_allow(&c, s, 0)); /* the figures are known after the run only */
		designs_finish(&d);
		plan_destroy(p);
		study_close(s);
	}
	for (unsigned n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
		struct conditions c = {0};
		struct err e = {0};
		struct study *s;

		snprintf(text, sizeof(text), "[traces]\nh = SAMPLES/hello.trace.gz\n[limits]\n%s\n", wrong[n]);
		s = explore_study(text, &e);
		REQUIRE(s != NULL);
		CHECK_I64(conditions_limits(&c, s, &e), -1);
		CHECK_U64(e.status, STATUS_USAGE);
		CHECK(strstr(e.text, ":4: limit") != NULL);
		study_close(s);
	}
}

static void what_is_not_known_is_left_out(void)
{
	struct study *s;
	struct plan *p = two_by_two(&s);
	struct designs all = {0}, first = {0};
	const size_t trace = 0;

	p->points[1].known = false;
	CHECK_I64(designs_make(p, NULL, OVER_SUM, &all, NULL), 0);
	CHECK_I64(designs_make(p, &trace, OVER_SUM, &first, NULL), 0);
	CHECK_U64(all.count, 1);
	CHECK_U64(all.at[0].combination, 1);
	CHECK_U64(first.count, 2);
	designs_finish(&all);
	designs_finish(&first);
	plan_destroy(p);
	study_close(s);
}

static const struct tap_test tests[] = {
	{"a design is on the front unless another is as good and better in one",
	 a_design_is_on_the_front_unless_another_is_as_good_and_better_in_one},
	{"limits of a study are conditions", limits_of_a_study_are_conditions},
	{"a front has the objectives that are asked for", a_front_has_the_objectives_that_are_asked_for},
	{"the front is what the definition says", the_front_is_what_the_definition_says},
	{"dominance can look at time and energy alone", dominance_can_look_at_time_and_energy_alone},
	{"the best is the least and the first of equals", the_best_is_the_least_and_the_first_of_equals},
	{"the best is not beaten by another of equals", the_best_is_not_beaten_by_another_of_equals},
	{"gflops are of traces that have some", gflops_are_of_traces_that_have_some},
	{"traces have weights", traces_have_weights},
	{"conditions leave out designs", conditions_leave_out_designs},
	{"traces become one by mean or sum", traces_become_one_by_mean_or_sum},
	{"what is not known is left out", what_is_not_known_is_left_out},
};

int main(void)
{
	return tap_main("designs", tests, TAP_COUNT(tests));
}
