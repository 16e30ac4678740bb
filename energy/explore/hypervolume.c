#include "hypervolume.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

struct measure {
	unsigned dimensions;
	const struct hypervolume_point *reference;
};

/* Returns whether `a` is no worse than `b` in each coordinate. */
static bool weakly_dominates(const struct measure *m, const struct hypervolume_point *a,
			     const struct hypervolume_point *b)
{
	for (unsigned n = 0; n < m->dimensions; n++)
		if (a->at[n] > b->at[n])
			return false;
	return true;
}

/* Adds `p` to the points of `list` that none of them dominates; returns their number. */
static size_t add_to_front(const struct measure *m, struct hypervolume_point *list, size_t count,
			   const struct hypervolume_point *p)
{
	size_t left = 0;

	for (size_t n = 0; n < count; n++)
		if (weakly_dominates(m, &list[n], p))
			return count;
	for (size_t n = 0; n < count; n++)
		if (!weakly_dominates(m, p, &list[n]))
			list[left++] = list[n];
	list[left] = *p;
	return left + 1;
}

/* The volume between one point and the reference. */
static double box(const struct measure *m, const struct hypervolume_point *p)
{
	double volume = 1;

	for (unsigned n = 0; n < m->dimensions; n++)
		volume *= m->reference->at[n] - p->at[n];
	return volume;
}

/*
 * The volume of a front: of each point what it dominates alone among those from it on, which is its box less the
 * volume of the others within it. `room` has place for the fronts of all levels.
 */
static double volume_of(const struct measure *m, const struct hypervolume_point *front, size_t count,
			struct hypervolume_point *room)
{
	double volume = 0;

	for (size_t n = 0; n < count; n++) {
		size_t inside = 0;

		for (size_t k = n + 1; k < count; k++) {
			struct hypervolume_point p = front[n];

			for (unsigned i = 0; i < m->dimensions; i++)
				p.at[i] = fmax(p.at[i], front[k].at[i]);
			inside = add_to_front(m, room, inside, &p);
		}
		volume += box(m, &front[n]) - (inside ? volume_of(m, room, inside, room + inside) : 0);
	}
	return volume;
}

static int by_last(const void *a, const void *b)
{
	const struct hypervolume_point *x = a, *y = b;

	for (unsigned n = HYPERVOLUME_MAX; n-- > 0;)
		if (x->at[n] != y->at[n])
			return x->at[n] > y->at[n] ? -1 : 1;
	return 0;
}

int hypervolume(const struct hypervolume_point *points, size_t count, unsigned dimensions,
		const struct hypervolume_point *reference, double *volume, struct err *e)
{
	const struct measure m = {dimensions, reference};
	struct hypervolume_point *front = mem_alloc(count + 1, sizeof(*front), e), *room;
	size_t left = 0;

	if (!front)
		return -1;
	for (size_t n = 0; n < count; n++) {
		struct hypervolume_point p = {{0}};
		bool below = true;

		memcpy(p.at, points[n].at, dimensions * sizeof(p.at[0]));
		for (unsigned k = 0; k < dimensions; k++)
			below &= p.at[k] < reference->at[k];
		if (below)
			left = add_to_front(&m, front, left, &p);
	}
	/* the order in which each level has the fewest points that no other one dominates */
	qsort(front, left, sizeof(*front), by_last);
	/* a level has at least one point less than the one above it */
	room = mem_alloc(left * (left + 1) / 2 + 1, sizeof(*room), e);
	if (room)
		*volume = volume_of(&m, front, left, room);
	free(room);
	free(front);
	return room ? 0 : -1;
}
