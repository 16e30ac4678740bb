/* A part of a study's combinations: energy/explore/subset.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "energy/explore/point_kind.h"
#include "energy/explore/subset.h"
#include "explore_study.h"

/* 4 x 3 x 2 combinations, all valid. */
static const char grid[] = "[sweep]\ncore.rob_entries = 16, 32, 64, 128\nl1d.size = 32 KiB, 64 KiB, 128 KiB\n"
			   "lsu.forwarding = yes, no\n[traces]\nh = SAMPLES/hello.trace.gz\n";

struct grid {
	struct study *study;
	struct plan *plan;
	struct sample sample;
};

static void open_grid(struct grid *g, const char *text, uint64_t seed)
{
	struct err e = {0};

	*g = (struct grid){0};
	g->study = explore_study(text, &e);
	CHECK_STR(e.text, "");
	REQUIRE(g->study != NULL);
	g->plan = plan_create(g->study, &e);
	REQUIRE(g->plan != NULL);
	CHECK_I64(sample_begin(g->plan, NULL, seed, &g->sample, &e), 0);
}

static void close_grid(struct grid *g)
{
	sample_end(&g->sample);
	plan_destroy(g->plan);
	study_close(g->study);
}

static size_t count_chosen(const struct sample *s)
{
	size_t count = 0;

	for (size_t n = 0; n < s->plan->study->combinations; n++)
		count += s->chosen[n];
	return count;
}

/*
 * A hypercube of 12 from 4 x 3 x 2 values: each window 3 times, each cache 4 times, each choice 6 times, unless
 * one was replaced.
 */
static void a_hypercube_has_each_value_equally_often(void)
{
	unsigned exact = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		unsigned window[4] = {0}, cache[3] = {0}, choice[2] = {0};
		bool even = true;
		struct grid g;

		open_grid(&g, grid, seed);
		CHECK_I64(sample_latin(&g.sample, 12, NULL), 0);
		CHECK_U64(g.sample.count, 12);
		CHECK_U64(count_chosen(&g.sample), 12);
		for (size_t n = 0; n < 24; n++) {
			window[n / 6] += g.sample.chosen[n];
			cache[n / 2 % 3] += g.sample.chosen[n];
			choice[n % 2] += g.sample.chosen[n];
		}
		for (unsigned n = 0; n < 4; n++)
			even &= window[n] == 3 && cache[n % 3] == 4 && choice[n % 2] == 6;
		exact += even;
		close_grid(&g);
	}
	/*
	 * 12 samples in 24 places: some fall on one place and are replaced. Some of 40 hypercubes have no such pair.
	 * Four samples, one in each window, cannot meet: the next test has them.
	 */
	CHECK(exact > 0);
}

static void four_samples_have_four_windows(void)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		unsigned window[4] = {0}, choice[2] = {0};
		struct grid g;

		open_grid(&g, grid, seed);
		CHECK_I64(sample_latin(&g.sample, 4, NULL), 0);
		for (size_t n = 0; n < 24; n++) {
			window[n / 6] += g.sample.chosen[n];
			choice[n % 2] += g.sample.chosen[n];
		}
		for (unsigned n = 0; n < 4; n++)
			CHECK_U64(window[n], 1);
		CHECK_U64(choice[0], 2);
		close_grid(&g);
	}
}

static void the_seed_decides_what_is_chosen(void)
{
	struct grid a, b, c;
	unsigned differ = 0;

	open_grid(&a, grid, 5);
	open_grid(&b, grid, 5);
	CHECK_I64(sample_latin(&a.sample, 6, NULL), 0);
	CHECK_I64(sample_latin(&b.sample, 6, NULL), 0);
	for (size_t n = 0; n < 24; n++)
		CHECK_U64(a.sample.chosen[n], b.sample.chosen[n]);
	for (uint64_t seed = 6; seed < 16; seed++) {
		bool equal = true;

		open_grid(&c, grid, seed);
		CHECK_I64(sample_latin(&c.sample, 6, NULL), 0);
		for (size_t n = 0; n < 24; n++)
			equal &= a.sample.chosen[n] == c.sample.chosen[n];
		differ += !equal;
		close_grid(&c);
	}
	CHECK(differ >= 9);
	close_grid(&a);
	close_grid(&b);
}

/* Fetch of 24 bytes is invalid: half of the 8 combinations. More samples than there are become all of them. */
static void invalid_combinations_are_never_chosen(void)
{
	static const char half[] = "[sweep]\nfetch.width_bytes = 24, 32\ncore.rob_entries = 16, 32, 64, 128\n"
				   "[traces]\nh = SAMPLES/hello.trace.gz\n";
	struct grid g;

	for (size_t count = 1; count <= 9; count++) {
		open_grid(&g, half, count);
		CHECK_U64(g.sample.valid, 4);
		CHECK_I64(sample_latin(&g.sample, count, NULL), 0);
		CHECK_U64(count_chosen(&g.sample), count < 4 ? count : 4);
		for (size_t n = 0; n < 4; n++)
			CHECK(!g.sample.chosen[n]);
		close_grid(&g);
	}
}

/* Points that are left out are neither run nor designs. */
static void what_is_not_chosen_is_left_out(void)
{
	struct designs d = {0};
	struct grid g;

	open_grid(&g, grid, 1);
	for (size_t n = 0; n < g.plan->count; n++) {
		g.plan->points[n].known = n % 2;
		for (unsigned f = 0; f < FIGURE_COUNT; f++)
			g.plan->points[n].figures.value[f] = 1;
	}
	CHECK_I64(sample_latin(&g.sample, 6, NULL), 0);
	plan_choose(g.plan, g.sample.chosen);
	CHECK_U64(g.plan->live, 6);
	CHECK_U64(plan_known(g.plan) + plan_missing_count(g.plan), 6);
	CHECK_I64(designs_make(g.plan, NULL, OVER_SUM, &d, NULL), 0);
	CHECK_U64(d.count, plan_known(g.plan));
	for (size_t n = 0; n < d.count; n++)
		CHECK(g.sample.chosen[d.at[n].combination]);
	designs_finish(&d);
	close_grid(&g);
}

/* Figures of which each depends on one axis: the first window, the last cache and the first choice are best. */
static void set_figures(struct grid *g)
{
	for (size_t n = 0; n < g->plan->count; n++) {
		double *value = g->plan->points[n].figures.value;

		for (unsigned f = 0; f < FIGURE_COUNT; f++)
			value[f] = 1;
		value[FIGURE_seconds] = 1 + (double)(n / 6);
		value[FIGURE_system_j] = 4 - (double)(n / 2 % 3);
		value[FIGURE_area_mm2] = 1 + (double)(n % 2);
		g->plan->points[n].known = true;
	}
}

/* Searches for `count` combinations with these conditions; returns whether the best one, 4, is among them. */
static bool finds_the_best(struct grid *g, const struct conditions *c, size_t count)
{
	struct objectives front;
	struct err e;
	int chosen = 1;

	sample_end(&g->sample);
	CHECK_I64(sample_begin(g->plan, c, 1, &g->sample, &e), 0);
	CHECK_I64(objectives_read(&point_kind_psim, "time,energy,area", &front, &e), 0);
	CHECK_I64(sample_latin(&g->sample, sample_first(count), &e), 0);
	while (chosen > 0 && g->sample.count < count) {
		struct designs d = {0};

		plan_choose(g->plan, g->sample.chosen);
		CHECK_I64(designs_make(g->plan, NULL, OVER_GEOMEAN, &d, &e), 0);
		chosen = sample_toward_front(&g->sample, &d, &front, sample_step(count), &e);
		CHECK(chosen >= 0);
		designs_finish(&d);
	}
	return g->sample.chosen[4];
}

/* The front is the one combination that is best in all: window 0, cache 2, choice 0, which is number 4 of 24. */
static void a_search_finds_the_front(void)
{
	struct grid g;

	open_grid(&g, grid, 3);
	set_figures(&g);
	CHECK(finds_the_best(&g, NULL, 9));
	CHECK_U64(count_chosen(&g.sample), 9);
	/* more than there are become all, and then none is left */
	CHECK(finds_the_best(&g, NULL, 99));
	CHECK_U64(count_chosen(&g.sample), 24);
	close_grid(&g);
}

/* A condition on a parameter is known before anything runs: half of the combinations have the first choice, "yes". */
static void a_search_chooses_what_the_conditions_allow(void)
{
	struct conditions c = {0};
	struct grid g;
	struct err e;

	open_grid(&g, grid, 3);
	set_figures(&g);
	CHECK_I64(conditions_add(&c, g.study, "lsu.forwarding=no", &e), 0);
	CHECK(!finds_the_best(&g, &c, 99));
	CHECK_U64(count_chosen(&g.sample), 12);
	for (size_t n = 0; n < 24; n++)
		CHECK_U64(g.sample.chosen[n], n % 2);
	close_grid(&g);
}

/*
 * A limit that one combination of 24 keeps: power is 2 W at number 4, and a watt more for each step away from it. A
 * search for half of the combinations finds it.
 */
static void a_search_goes_to_what_keeps_the_limits(void)
{
	struct conditions c = {0};
	struct grid g;
	struct err e;

	open_grid(&g, grid, 3);
	set_figures(&g);
	for (size_t n = 0; n < g.plan->count; n++)
		g.plan->points[n].figures.value[FIGURE_power_w] =
			2 + (double)(n / 6) + (2 - (double)(n / 2 % 3)) + (double)(n % 2);
	CHECK_I64(conditions_add(&c, g.study, "power<2.5", &e), 0);
	CHECK(finds_the_best(&g, &c, 12));
	close_grid(&g);
}

static void a_sample_without_memory_is_an_error(void)
{
	struct grid g;
	unsigned failures = 0;

	open_grid(&g, grid, 3);
	for (unsigned n = 1; n < 20; n++) {
		struct err e = {0};
		int ret;

		alloc_fail_at(n);
		ret = sample_latin(&g.sample, 6, &e);
		alloc_fail_end();
		if (ret == 0)
			break;
		CHECK(strncmp(e.text, "out of memory", 13) == 0);
		CHECK_U64(g.sample.count, 0);
		failures++;
	}
	CHECK_U64(failures, 2); /* combinations, strata */
	close_grid(&g);
}

static const struct tap_test tests[] = {
	{"a hypercube has each value equally often", a_hypercube_has_each_value_equally_often},
	{"four samples have four windows", four_samples_have_four_windows},
	{"the seed decides what is chosen", the_seed_decides_what_is_chosen},
	{"invalid combinations are never chosen", invalid_combinations_are_never_chosen},
	{"what is not chosen is left out", what_is_not_chosen_is_left_out},
	{"a search finds the front", a_search_finds_the_front},
	{"a search chooses what the conditions allow", a_search_chooses_what_the_conditions_allow},
	{"a search goes to what keeps the limits", a_search_goes_to_what_keeps_the_limits},
	{"a sample without memory is an error", a_sample_without_memory_is_an_error},
};

int main(void)
{
	return tap_main("sample", tests, TAP_COUNT(tests));
}
