/*
 * The search of psim-explore on a known problem (docs/accuracy/studies.md): DTLZ2 of three objectives and five
 * variables (Deb, Thiele, Laumanns and Zitzler, "Scalable multi-objective optimization test problems", CEC 2002) on a
 * grid of 7 x 7 x 5 x 5 x 5. Its front is an eighth of a sphere: the 49 combinations whose last three variables are a
 * half. Prints for each of five seeds how many of them 110 combinations have, and their hypervolume as a part of the
 * front's, beside a draw of as many.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "energy/explore/front_search.h"
#include "energy/explore/hypervolume.h"
#include "psim/base/rng.h"

enum { ALL = 6125, FRONT = 49, COUNT = 110, FIRST = 14, STEP = 6, SEEDS = 5, OBJECTIVES = 3 };
enum { STREAM_FIRST = 99, STREAM_DRAW = 77 };
/* The largest value of an objective is 1.75; the reference is a tenth beyond it. */
static const double reference_at = 1.925;

static const struct space grid = {5, {7, 7, 5, 5, 5}, {true, true, true, true, true}, ALL};

static double coordinate(size_t combination, unsigned axis)
{
	return (double)space_position(&grid, combination, axis) / (double)(grid.length[axis] - 1);
}

static void dtlz2(size_t combination, double *value)
{
	const double right = acos(-1) / 2, a = coordinate(combination, 0) * right,
		     b = coordinate(combination, 1) * right;
	double radius = 1;

	for (unsigned n = 2; n < grid.axes; n++)
		radius += (coordinate(combination, n) - 0.5) * (coordinate(combination, n) - 0.5);
	value[0] = radius * cos(a) * cos(b);
	value[1] = radius * cos(a) * sin(b);
	value[2] = radius * sin(a);
}

static bool is_front(size_t combination)
{
	return combination % 125 == 62; /* the middle of each of the last three axes: 2 x 25 + 2 x 5 + 2 */
}

static double volume_of(const size_t *at, size_t count)
{
	struct hypervolume_point points[COUNT], reference = {{reference_at, reference_at, reference_at}};
	double volume = 0;
	struct err e;

	for (size_t n = 0; n < count; n++)
		dtlz2(at[n], points[n].at);
	if (hypervolume(points, count, OBJECTIVES, &reference, &volume, &e) < 0)
		fprintf(stderr, "search-dtlz2: %s\n", e.text);
	return volume;
}

/* Draws `count` different combinations. */
static void draw(uint64_t seed, unsigned stream, size_t count, size_t *at)
{
	size_t done = 0;

	for (uint64_t n = 0; done < count; n++) {
		bool again = false;

		at[done] = rng_below(seed, stream, n, ALL);
		for (size_t k = 0; k < done; k++)
			again |= at[k] == at[done];
		done += !again;
	}
}

/* Searches, and sets at[COUNT]. Returns 0, or -1. */
static int search(uint64_t seed, const bool *allowed, size_t *at)
{
	struct search s = {.space = grid, .allowed = allowed, .objectives = OBJECTIVES, .seed = seed};
	struct search_point known[COUNT];
	size_t done = FIRST;
	struct err e;
	int got = 0;

	draw(seed, STREAM_FIRST, FIRST, at);
	for (size_t from = 0; got >= 0 && from < COUNT; done += (size_t)got) {
		for (; from < done; from++) {
			known[from] = (struct search_point){.combination = at[from], .feasible = true};
			dtlz2(at[from], known[from].value);
		}
		got = from < COUNT ? search_choose(&s, known, done, STEP, at + done, &e) : 0;
	}
	search_finish(&s);
	if (got < 0)
		fprintf(stderr, "search-dtlz2: %s\n", e.text);
	return got;
}

static unsigned front_of(const size_t *at)
{
	unsigned found = 0;

	for (unsigned n = 0; n < COUNT; n++)
		found += is_front(at[n]);
	return found;
}

int main(void)
{
	static bool allowed[ALL];
	size_t front[FRONT], at[COUNT], drawn[COUNT];
	double all;

	for (size_t n = 0, found = 0; n < ALL; n++) {
		allowed[n] = true;
		if (is_front(n))
			front[found++] = n;
	}
	all = volume_of(front, FRONT);
	printf("| seed | front, search | hypervolume, search | front, random | hypervolume, random "
	       "|\n|---|---|---|---|---|\n");
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		if (search(seed, allowed, at) < 0)
			return 1;
		draw(seed, STREAM_DRAW, COUNT, drawn);
		printf("| %u | %u of %d | %.3f | %u | %.3f |\n", (unsigned)seed, front_of(at), FRONT,
		       volume_of(at, COUNT) / all, front_of(drawn), volume_of(drawn, COUNT) / all);
		fflush(stdout);
	}
	return 0;
}
