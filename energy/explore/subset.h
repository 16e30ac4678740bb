/*
 * A part of a study's combinations, where the whole grid is too large: a Latin hypercube (McKay, Beckman,
 * Conover, "A comparison of three methods for selecting values of input variables", Technometrics 1979), and a
 * search toward the front (front_search.h). Combinations that contradict a condition on a parameter are never chosen.
 *
 * What is chosen depends on the study, the conditions, the seed and the figures alone: not on what the results file has
 * already.
 */
#ifndef PSIM_ENERGY_EXPLORE_SUBSET_H
#define PSIM_ENERGY_EXPLORE_SUBSET_H

#include "front_search.h"
#include "where.h"

struct sample {
	const struct plan *plan;             /* borrowed */
	const struct conditions *conditions; /* borrowed; NULL: none */
	bool *allowed;                       /* by combination: valid, and allowed by the conditions; owned */
	bool *chosen;                        /* by combination; owned */
	size_t *order;                       /* the chosen combinations in their order; owned */
	size_t count;                        /* chosen combinations */
	size_t valid;                        /* allowed combinations */
	uint64_t seed;
	struct search search; /* begun by the first sample_toward_front */
};

/* Begins with nothing chosen. Returns 0, or -1 with `e` if memory is exhausted. */
int sample_begin(const struct plan *p, const struct conditions *c, uint64_t seed, struct sample *out, struct err *e);
void sample_end(struct sample *s);

/*
 * Chooses `count` allowed combinations, or all if there are no more, as a Latin hypercube: the values of each axis
 * come equally often, or differ by one. A combination that is not allowed or chosen twice is replaced by a random one.
 * Returns 0, or -1 with `e`.
 */
int sample_latin(struct sample *s, size_t count, struct err *e);

/* The numbers of combinations of a search for `count`: the first ones, a Latin hypercube, and those of a later step. */
size_t sample_first(size_t count);
size_t sample_step(size_t count);

/*
 * Chooses up to `count` more by the figures of the designs so far, toward the front of the objectives, and until a
 * design satisfies the conditions toward them. Returns the number chosen, 0 if nothing is left, or -1 with `e`.
 */
int sample_toward_front(struct sample *s, const struct designs *d, const struct objectives *o, size_t count,
			struct err *e);

#endif
