/* The search on grids of known functions: energy/explore/front_search.h and surrogate.h. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "energy/explore/front_search.h"
#include "psim/base/rng.h"

enum { POINTS_MAX = 200 };

/* A function on a grid: sets the values of a combination, and returns whether it keeps the limits. */
typedef bool function_fn(const struct space *s, size_t combination, double *value);

static double coordinate(const struct space *s, size_t combination, unsigned axis)
{
	return (double)space_position(s, combination, axis) / (double)(s->length[axis] - 1);
}

/*
 * ZDT1 (Zitzler, Deb and Thiele, "Comparison of multiobjective evolutionary algorithms: empirical results", 2000) of
 * four variables. Its front is where all but the first are 0.
 */
static bool zdt1(const struct space *s, size_t combination, double *value)
{
	double g = 1;

	for (unsigned n = 1; n < 4; n++)
		g += 3 * coordinate(s, combination, n);
	value[0] = coordinate(s, combination, 0);
	value[1] = g * (1 - sqrt(value[0] / g));
	return true;
}

/* ZDT1 with a limit: the first objective is at least 0.6. Its front begins there. */
static bool limited(const struct space *s, size_t combination, double *value)
{
	zdt1(s, combination, value);
	value[2] = -value[0];
	return value[0] >= 0.6;
}

/* Searches from `first` random combinations, in steps of 5; returns how many are known in the end. */
static size_t run(struct search *s, function_fn *function, size_t first, size_t count, struct search_point *known)
{
	size_t done = 0, chosen[5];
	struct err e = {0};
	int got = 1;

	for (uint64_t n = 0; done < first; n++) {
		const size_t at = rng_below(s->seed, 99, n, s->space.combinations);
		bool again = !s->allowed[at];

		for (size_t k = 0; k < done; k++)
			again |= known[k].combination == at;
		if (!again)
			known[done++].combination = at;
	}
	for (size_t from = 0; got > 0; from = done, done += (size_t)got) {
		for (size_t n = from; n < done; n++)
			known[n].feasible = function(&s->space, known[n].combination, known[n].value);
		got = done + 5 <= count ? search_choose(s, known, done, 5, chosen, &e) : 0;
		for (int n = 0; n < got; n++)
			known[done + (size_t)n].combination = chosen[n];
	}
	CHECK_STR(e.text, "");
	search_finish(s);
	return done;
}

static bool *all_of(size_t count)
{
	bool *allowed = malloc(count);

	memset(allowed, true, count);
	return allowed;
}

/* The 11 combinations of ZDT1's front are the multiples of 7^3; 60 of 3773, 1.6 %, find all of them. */
static void the_front_of_zdt1_is_found(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct search_point known[POINTS_MAX] = {0};
		bool *allowed = all_of(3773);
		struct search s = {.space = {4, {11, 7, 7, 7}, {true, true, true, true}, 3773},
				   .allowed = allowed,
				   .objectives = 2,
				   .seed = seed};
		unsigned found = 0;

		CHECK_U64(run(&s, zdt1, 10, 60, known), 60);
		for (unsigned n = 0; n < 60; n++) {
			found += known[n].combination % 343 == 0;
			for (unsigned k = 0; k < n; k++)
				CHECK(known[k].combination != known[n].combination);
		}
		CHECK_U64(found, 11);
		free(allowed);
	}
}

/* The front of a limited ZDT1 is the 5 combinations from 0.6 on. It begins with nothing that keeps the limit. */
static void the_search_comes_to_what_keeps_a_limit(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct search_point known[POINTS_MAX] = {0};
		bool *allowed = all_of(3773);
		struct search s = {.space = {4, {11, 7, 7, 7}, {true, true, true, true}, 3773},
				   .allowed = allowed,
				   .objectives = 2,
				   .limits = 1,
				   .limit = {-0.6},
				   .seed = seed};
		unsigned found = 0, feasible = 0;

		CHECK_U64(run(&s, limited, 10, 60, known), 60);
		for (unsigned n = 0; n < 60; n++) {
			found += known[n].combination % 343 == 0 && known[n].combination / 343 >= 6;
			feasible += known[n].feasible;
		}
		CHECK_U64(found, 5);
		CHECK(feasible >= 40);
		free(allowed);
	}
}

/* Equal input has an equal choice; what is not allowed is never chosen; what is left is chosen, then nothing. */
static void a_choice_depends_on_its_input_alone(void)
{
	struct search_point known[40] = {0};
	size_t first[10], second[10];
	bool allowed[36];
	struct search s = {.space = {2, {6, 6}, {true, false}, 36}, .allowed = allowed, .objectives = 2, .seed = 7};
	struct err e;

	for (unsigned n = 0; n < 36; n++)
		allowed[n] = n % 3 != 2;
	for (unsigned n = 0; n < 6; n++) {
		known[n].combination = 6 * n;
		known[n].feasible = true;
		known[n].value[0] = n;
		known[n].value[1] = 5.0 - n;
	}
	for (unsigned n = 0; n < 2; n++) {
		CHECK_I64(search_choose(&s, known, 6, 10, n ? second : first, &e), 10);
		search_finish(&s);
	}
	CHECK(!memcmp(first, second, sizeof(first)));
	for (unsigned n = 0; n < 10; n++) {
		CHECK(allowed[first[n]]);
		known[6 + n] = (struct search_point){.combination = first[n], .feasible = true, .value = {n, n}};
	}
	/* 24 are allowed: 16 are known, 8 are left */
	CHECK_I64(search_choose(&s, known, 16, 10, first, &e), 8);
	for (unsigned n = 0; n < 8; n++)
		known[16 + n] = (struct search_point){.combination = first[n], .feasible = true, .value = {n, n}};
	CHECK_I64(search_choose(&s, known, 24, 10, first, &e), 0);
	search_finish(&s);
}

/*
 * A process through three values of one axis. At them it has the values, and almost no doubt; between them it has
 * more. By symmetry the mean in the middle of 1, 3, 1 and its ends is the same on both sides. What is believed has no
 * doubt left.
 */
static void a_model_goes_through_its_values(void)
{
	const struct space space = {1, {9}, {true}, 9};
	const size_t at[] = {0, 4, 8}, all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	const double value[] = {1, 3, 1};
	struct surrogate *g = surrogate_create(&space, NULL);

	REQUIRE(g != NULL);
	CHECK_I64(surrogate_fit(g, at, value, 3, NULL), 0);
	CHECK_I64(surrogate_candidates(g, all, 9, NULL), 0);
	for (unsigned n = 0; n < 9; n++)
		CHECK_F64(surrogate_mean(g, n), surrogate_mean(g, 8 - n), 1e-9);
	for (unsigned n = 0; n < 3; n++) {
		CHECK_F64(surrogate_mean(g, at[n]), value[n], 0.2);
		CHECK(surrogate_deviation(g, at[n]) < surrogate_deviation(g, 2));
	}
	CHECK(surrogate_mean(g, 2) > 1 && surrogate_mean(g, 2) < 3);
	const double before = surrogate_deviation(g, 2), mean = surrogate_mean(g, 2);

	CHECK_I64(surrogate_believe(g, 2, NULL), 0);
	CHECK(surrogate_deviation(g, 2) < 0.5 * before);
	CHECK_F64(surrogate_mean(g, 2), mean, 0);
	surrogate_destroy(g);
}

/* Values that are all equal are predicted everywhere. */
static void equal_values_are_no_trouble(void)
{
	const struct space space = {2, {3, 3}, {true, false}, 9};
	const size_t at[] = {0, 4, 8}, all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	const double value[] = {7, 7, 7};
	struct surrogate *g = surrogate_create(&space, NULL);

	REQUIRE(g != NULL);
	CHECK_I64(surrogate_fit(g, at, value, 3, NULL), 0);
	CHECK_I64(surrogate_candidates(g, all, 9, NULL), 0);
	for (unsigned n = 0; n < 9; n++)
		CHECK_F64(surrogate_mean(g, n), 7, 1e-9);
	surrogate_destroy(g);
}

static void a_choice_without_memory_is_an_error(void)
{
	struct search_point known[3] = {{0, true, {1, 2}}, {5, true, {2, 1}}, {7, false, {3, 3}}};
	bool *allowed = all_of(9);
	unsigned failures = 0;
	size_t chosen[2];

	for (unsigned n = 1; n < 200; n++) {
		struct search s = {.space = {2, {3, 3}, {true, true}, 9}, .allowed = allowed, .objectives = 2};
		struct err e = {0};
		int ret;

		alloc_fail_at(n);
		ret = search_choose(&s, known, 3, 2, chosen, &e);
		alloc_fail_end();
		search_finish(&s);
		if (ret >= 0)
			break;
		CHECK(strncmp(e.text, "out of memory", 13) == 0);
		failures++;
	}
	CHECK(failures > 20 && failures < 199);
	free(allowed);
}

static const struct tap_test tests[] = {
	{"the front of ZDT1 is found", the_front_of_zdt1_is_found},
	{"the search comes to what keeps a limit", the_search_comes_to_what_keeps_a_limit},
	{"a choice depends on its input alone", a_choice_depends_on_its_input_alone},
	{"a model goes through its values", a_model_goes_through_its_values},
	{"equal values are no trouble", equal_values_are_no_trouble},
	{"a choice without memory is an error", a_choice_without_memory_is_an_error},
};

int main(void)
{
	return tap_main("search", tests, TAP_COUNT(tests));
}
