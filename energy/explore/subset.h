/*
 * * A part of a study's combinations, where the whole grid is too large: a Latin hypercube (McKay, Beckman,
 * Conover, "A comparison of three methods for selecting values of input variables", Technometrics 1979), and a
 * search toward the front by steps to neighbours of its designs (Pareto local search: Paquete, Chiarandini,
 * Stützle, 2004).
 *
 * What is chosen depends on the study, the seed and the figures alone: not on what the results file has already.
 */
#ifndef PSIM_ENERGY_EXPLORE_SUBSET_H
#define PSIM_ENERGY_EXPLORE_SUBSET_H

#include "designs.h"

struct sample {
	const struct plan *plan; /* borrowed */
	bool *chosen;            /* by combination; owned */
	size_t count;            /* chosen combinations */
	size_t valid;            /* combinations that are not skipped */
	uint64_t seed;
};

/* Begins with nothing chosen. Returns 0, or -1 with `e` if memory is exhausted. */
int sample_begin(const struct plan *p, uint64_t seed, struct sample *out, struct err *e);
void sample_end(struct sample *s);

/*
 * * Chooses `count` valid combinations, or all if there are no more, as a Latin hypercube: the values of each axis
 * come equally often, or differ by one. A combination that is invalid or chosen twice is replaced by a random one.
 * Returns 0, or -1 with `e`.
 */
int sample_latin(struct sample *s, size_t count, struct err *e);

/*
 * Chooses up to `count` more: neighbours of the front of `d`, which differ in one axis by one step, in random order;
 * once all of them are chosen, random combinations. Returns the number chosen, 0 if nothing is left, or -1 with `e`.
 */
int sample_toward_front(struct sample *s, const struct designs *d, size_t count, struct err *e);

#endif
