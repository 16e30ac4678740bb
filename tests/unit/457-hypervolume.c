/* The volume that a set of points dominates: energy/explore/hypervolume.h. */
#include "tap.h"

#include <math.h>

#include "alloc_fail.h"
#include "energy/explore/hypervolume.h"
#include "psim/base/rng.h"

static double volume(const struct hypervolume_point *points, size_t count, unsigned dimensions, double reference)
{
	struct hypervolume_point r;
	double v = -1;

	for (unsigned n = 0; n < HYPERVOLUME_MAX; n++)
		r.at[n] = reference;
	CHECK_I64(hypervolume(points, count, dimensions, &r, &v, NULL), 0);
	return v;
}

static void a_point_has_its_box(void)
{
	const struct hypervolume_point half[] = {{{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}}};

	for (unsigned n = 1; n <= HYPERVOLUME_MAX; n++)
		CHECK_F64(volume(half, 1, n, 1), pow(0.5, n), 1e-15);
	CHECK_F64(volume(half, 0, 3, 1), 0, 0);
	/* at the reference, or beyond it in one coordinate, it has none */
	CHECK_F64(volume(half, 1, 3, 0.5), 0, 0);
	CHECK_F64(volume((const struct hypervolume_point[]){{{0, 2}}}, 1, 2, 1), 0, 0);
}

/* Three steps up to (4, 4): from x = 1 to 2 the height 1, then 2, then 3: 6. Dominated and equal points add nothing. */
static void steps_in_the_plane_add_up(void)
{
	const struct hypervolume_point steps[] = {{{2, 2}}, {{3, 1}}, {{1, 3}}, {{3, 3}}, {{2, 2}}, {{5, 0}}};

	CHECK_F64(volume(steps, 3, 2, 4), 6, 1e-15);
	CHECK_F64(volume(steps, 6, 2, 4), 6, 1e-15);
	CHECK_F64(volume(steps, 1, 2, 4), 4, 1e-15);
}

/*
 * Up to (2, 2, 2) each of the three points has 2 x 1 x 1, each two have the cube of 1 from (1, 1, 1) in common, and
 * so have all three: 3 x 2 - 3 x 1 + 1. In four coordinates the first two of them have 2 x 2 - 1.
 */
static void boxes_that_overlap_count_once(void)
{
	const struct hypervolume_point corners[] = {{{0, 1, 1, 1}}, {{1, 0, 1, 1}}, {{1, 1, 0, 1}}};

	CHECK_F64(volume(corners, 3, 3, 2), 4, 1e-15);
	CHECK_F64(volume(corners, 2, 4, 2), 3, 1e-15);
}

/*
 * By inclusion and exclusion: the sum over all subsets of the boxes that they have in common, with alternating signs.
 */
static double by_subsets(const struct hypervolume_point *p, unsigned count, unsigned dimensions)
{
	double sum = 0;

	for (unsigned set = 1; set < 1u << count; set++) {
		double product = 1;
		int sign = -1;

		for (unsigned k = 0; k < dimensions; k++) {
			double most = 0;

			for (unsigned n = 0; n < count; n++)
				if (set >> n & 1)
					most = fmax(most, p[n].at[k]);
			product *= fmax(1 - most, 0);
		}
		for (unsigned n = 0; n < count; n++)
			sign = set >> n & 1 ? -sign : sign;
		sum += sign * product;
	}
	return sum;
}

static void random_points_have_the_volume_of_their_union(void)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct hypervolume_point p[9];
		const unsigned dimensions = 2 + seed % 5;

		/* few different values: ties are frequent */
		for (unsigned n = 0; n < 9; n++)
			for (unsigned k = 0; k < dimensions; k++)
				p[n].at[k] =
					(double)rng_below(seed, k, n, seed % 2 ? 5 : 1000) / (seed % 2 ? 5.0 : 1000.0);
		CHECK_F64(volume(p, 9, dimensions, 1), by_subsets(p, 9, dimensions), 1e-12);
	}
}

static void a_volume_without_memory_is_an_error(void)
{
	const struct hypervolume_point p[] = {{{0, 0}}}, one = {{1, 1}};
	unsigned failures = 0;
	struct err e;
	double v;

	for (unsigned n = 1; n < 9; n++) {
		int ret;

		alloc_fail_at(n);
		ret = hypervolume(p, 1, 2, &one, &v, &e);
		alloc_fail_end();
		if (ret == 0)
			break;
		failures++;
	}
	CHECK_U64(failures, 2); /* the front, the room */
}

static const struct tap_test tests[] = {
	{"a point has its box", a_point_has_its_box},
	{"steps in the plane add up", steps_in_the_plane_add_up},
	{"boxes that overlap count once", boxes_that_overlap_count_once},
	{"random points have the volume of their union", random_points_have_the_volume_of_their_union},
	{"a volume without memory is an error", a_volume_without_memory_is_an_error},
};

int main(void)
{
	return tap_main("hypervolume", tests, TAP_COUNT(tests));
}
