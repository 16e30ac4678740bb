/*
 * The hypervolume of a set of points: the volume of what they dominate, up to a reference point (Zitzler and Thiele,
 * "Multiobjective optimization using evolutionary algorithms: a comparative case study", PPSN V, 1998). Of two
 * sets of which one dominates the other, that one has more (Zitzler and others, IEEE Transactions on Evolutionary
 * Computation 7, 2003).
 */
#ifndef PSIM_ENERGY_EXPLORE_HYPERVOLUME_H
#define PSIM_ENERGY_EXPLORE_HYPERVOLUME_H

#include <stddef.h>

#include "../../psim/base/err.h"

enum { HYPERVOLUME_MAX = 8 }; /* coordinates */

struct hypervolume_point {
	double at[HYPERVOLUME_MAX]; /* less is better */
};

/*
 * The volume between `count` points and `reference`, in the first `dimensions` coordinates. A point that is not below
 * the reference in each of them has no volume. Returns 0, or -1 with `e` if memory is exhausted.
 *
 * Method: WFG (While, Bradstreet and Barone, "A fast way of calculating exact hypervolumes", IEEE Transactions on
 * Evolutionary Computation 16, 2012). Its time grows exponentially with the dimensions: fronts of hundreds of
 * points take a moment in three and long in eight.
 */
int hypervolume(const struct hypervolume_point *points, size_t count, unsigned dimensions,
		const struct hypervolume_point *reference, double *volume, struct err *e);

#endif
