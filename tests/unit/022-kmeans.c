/* Groups of points: psim/base/kmeans.h. Numbers worked out by hand. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "psim/base/kmeans.h"

/*
 * Four points in two groups of two, squares of distances 4 in one dimension: the variance is 4 / (4 - 2) = 2. Logarithm
 * of the likelihood: 4 ln (1/2) - 4/2 (ln 2 pi + ln 2) - 4 / (2 * 2) = -2.772589 - 5.062048 - 1; two centres and as
 * many further parameters: 2 * 2 / 2 ln 4 = 2.772589.
 */
static void the_score_is_that_of_the_formula(void)
{
	static const uint64_t size[] = {2, 2};

	CHECK_F64(kmeans_bic(size, 2, 1, 4), -2.772589 - 5.062048 - 1 - 2.772589, 1e-5);
	CHECK(isfinite(kmeans_bic(size, 2, 1, 0)));
}

/* Points at 0, 0.1, 0.2 and at 5, 5.1, 5.2 on both axes: centres at 0.1 and 5.1, squares 4 * 2 * 0.01 = 0.08. */
static void two_heaps_are_two_groups(void)
{
	static const double at[] = {0, 0, 5, 5, 0.1, 0.1, 5.1, 5.1, 0.2, 0.2, 5.2, 5.2};
	const struct kmeans_points p = {at, 6, 2};
	struct kmeans k;
	struct err e;

	for (uint64_t seed = 0; seed < 20; seed++) {
		REQUIRE(kmeans_create(&k, &p, 2, seed, &e) == 0);
		CHECK_U64(k.groups, 2);
		CHECK(k.of[0] == k.of[2] && k.of[2] == k.of[4] && k.of[1] == k.of[3] && k.of[3] == k.of[5]);
		CHECK(k.of[0] != k.of[1]);
		CHECK_F64(k.centre[2 * k.of[0]], 0.1, 1e-12);
		CHECK_F64(k.centre[2 * k.of[1] + 1], 5.1, 1e-12);
		CHECK_F64(k.squares, 0.08, 1e-12);
		CHECK_F64(kmeans_distance(&k, &p, 0, k.of[0]), 0.02, 1e-12);
		kmeans_finish(&k);
	}
}

/* Three different points make three groups, however many are wanted; and one point one. */
static void equal_points_are_in_one_group(void)
{
	static const double at[] = {1, 2, 3, 2, 1, 3, 3};
	const struct kmeans_points p = {at, 7, 1}, one = {at, 1, 1};
	struct kmeans k;
	struct err e;

	REQUIRE(kmeans_create(&k, &p, 6, 1, &e) == 0);
	CHECK_U64(k.groups, 3);
	CHECK_F64(k.squares, 0, 0);
	CHECK(k.of[0] == k.of[4] && k.of[1] == k.of[3] && k.of[2] == k.of[5] && k.of[5] == k.of[6]);
	kmeans_finish(&k);
	REQUIRE(kmeans_create(&k, &one, 3, 1, &e) == 0);
	CHECK_U64(k.groups, 1);
	kmeans_finish(&k);
}

/* The score is largest at the three heaps that there are, of 1 to 5. */
static void the_score_finds_the_number(void)
{
	double at[60], best = -HUGE_VAL;
	const struct kmeans_points p = {at, 60, 1};
	unsigned found = 0;

	for (unsigned n = 0; n < 60; n++)
		at[n] = 10 * (n % 3) + 0.01 * (n / 3); /* heaps 0.19 wide */
	for (unsigned groups = 1; groups <= 5; groups++) {
		double score = -HUGE_VAL;

		for (uint64_t seed = 1; seed <= 5; seed++) {
			struct kmeans k;
			struct err e;

			REQUIRE(kmeans_create(&k, &p, groups, seed, &e) == 0);
			score = fmax(score, k.bic);
			kmeans_finish(&k);
		}
		found = score > best ? groups : found;
		best = fmax(best, score);
	}
	CHECK_U64(found, 3);
}

static void a_seed_decides_the_result(void)
{
	double at[200];
	const struct kmeans_points p = {at, 100, 2};
	struct kmeans a, b;
	struct err e;

	for (unsigned n = 0; n < 200; n++)
		at[n] = sin(n * n);
	REQUIRE(kmeans_create(&a, &p, 7, 3, &e) == 0 && kmeans_create(&b, &p, 7, 3, &e) == 0);
	CHECK(a.groups == b.groups && memcmp(a.of, b.of, 100 * sizeof(*a.of)) == 0);
	/* no point is nearer to another centre */
	for (size_t n = 0; n < 100; n++)
		for (unsigned g = 0; g < a.groups; g++)
			CHECK(kmeans_distance(&a, &p, n, a.of[n]) <= kmeans_distance(&a, &p, n, g));
	kmeans_finish(&a);
	kmeans_finish(&b);
}

static const struct tap_test tests[] = {
	{"the score is that of the formula", the_score_is_that_of_the_formula},
	{"two heaps are two groups", two_heaps_are_two_groups},
	{"equal points are in one group", equal_points_are_in_one_group},
	{"the score finds the number of heaps", the_score_finds_the_number},
	{"a seed decides the result", a_seed_decides_the_result},
};

int main(void)
{
	return tap_main("groups of points", tests, TAP_COUNT(tests));
}
