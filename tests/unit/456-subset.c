/* A part of a study's combinations: energy/explore/subset.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
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
	CHECK_I64(sample_begin(g->plan, seed, &g->sample, &e), 0);
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

/*
 * The only design is combination 0: its neighbours are the next window (6), the next cache (2), the other choice
 * (1).
 */
static void a_step_goes_to_neighbours_of_the_front(void)
{
	struct design first = {.combination = 0, .front = true}, beaten = {.combination = 23};
	struct design both[] = {first, beaten};
	const struct designs d = {.at = both, .count = 2};
	struct grid g;

	open_grid(&g, grid, 3);
	g.sample.chosen[0] = g.sample.chosen[23] = true;
	g.sample.count = 2;
	CHECK_I64(sample_toward_front(&g.sample, &d, 2, NULL), 2);
	CHECK_U64(count_chosen(&g.sample), 4);
	CHECK_I64(sample_toward_front(&g.sample, &d, 9, NULL), 1);
	CHECK(g.sample.chosen[6] && g.sample.chosen[2] && g.sample.chosen[1]);
	/* all neighbours are chosen: random ones, then none */
	CHECK_I64(sample_toward_front(&g.sample, &d, 9, NULL), 9);
	CHECK_I64(sample_toward_front(&g.sample, &d, 99, NULL), 10);
	CHECK_I64(sample_toward_front(&g.sample, &d, 99, NULL), 0);
	CHECK_U64(count_chosen(&g.sample), 24);
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
	{"a step goes to neighbours of the front", a_step_goes_to_neighbours_of_the_front},
	{"a sample without memory is an error", a_sample_without_memory_is_an_error},
};

int main(void)
{
	return tap_main("sample", tests, TAP_COUNT(tests));
}
