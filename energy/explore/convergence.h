/* The steps of a search: the designs, the front and the hypervolume after each. */
#ifndef PSIM_ENERGY_EXPLORE_CONVERGENCE_H
#define PSIM_ENERGY_EXPLORE_CONVERGENCE_H

#include "subset.h"

struct convergence_row {
	size_t simulated, feasible; /* designs so far, and those that satisfy the conditions */
	size_t front;               /* of the latter those that none of them dominates */
	double share;               /* of the hypervolume of all feasible designs; NAN: not computed */
};

struct convergence vec_of(struct convergence_row);

/* Objectives of which the hypervolume is computed: of more it takes long. */
enum { CONVERGENCE_OBJECTIVES_MAX = 4 };

/*
 * Makes a row for each step of a search for `wanted` combinations. `feasible` has the designs that satisfy the
 * conditions. Each objective has a scale from the least to the most of them, which is the reference. Returns 0, or -1
 * with `e`.
 */
int convergence_make(const struct sample *s, size_t wanted, const struct designs *feasible, const struct objectives *o,
		     struct convergence *out, struct err *e);

/*
 * The hypervolume of some designs, with an objective's least and most in `range` as 0 and 1, the reference. Returns
 * 0, or -1 with `e`.
 */
int convergence_volume(const struct designs *d, const struct designs *range, const struct objectives *o, double *volume,
		       struct err *e);

#endif
