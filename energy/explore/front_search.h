/*
 * The choice of the combinations to simulate next, so that few of a large grid give most of its front:
 * multi-objective Bayesian optimization. A Gaussian process predicts each figure (surrogate.h), and a candidate is
 * worth the hypervolume that it adds to the front if its figures come out well, at the lower end of what the model
 * holds for likely (SMS-EGO: Ponweiser, Wagner, Biermann and Vincze, "Multiobjective optimization on a limited budget
 * of evaluations using model-assisted S-metric selection", PPSN X, 2008), times the probability that it keeps the
 * limits (Schonlau, Welch and Jones, "Global versus local search in constrained optimization of computer models",
 * 1998). While nothing known keeps them, that probability alone is what a candidate is worth.
 *
 * Added hypervolume is a mean over directions from the reference point (Deng and Zhang, "Approximating hypervolume
 * and hypervolume contributions using polar coordinate", IEEE Transactions on Evolutionary Computation 23, 2019), so
 * its cost does not depend on the size of the front, and is linear in the number of objectives.
 */
#ifndef PSIM_ENERGY_EXPLORE_FRONT_SEARCH_H
#define PSIM_ENERGY_EXPLORE_FRONT_SEARCH_H

#include <stdint.h>

#include "surrogate.h"

enum {
	SEARCH_OBJECTIVES_MAX = 8,
	SEARCH_LIMITS_MAX = 64,
	SEARCH_VALUES_MAX = SEARCH_OBJECTIVES_MAX + SEARCH_LIMITS_MAX
};

/* A combination with its values: first the objectives, then the figures that have limits; less is better. */
struct search_point {
	size_t combination;
	bool feasible; /* it keeps all limits */
	double value[SEARCH_VALUES_MAX];
};

struct search {
	struct space space;
	const bool *allowed; /* of each combination, whether it may be chosen; borrowed */
	unsigned objectives, limits;
	double limit[SEARCH_LIMITS_MAX]; /* the largest values that keep them */
	uint64_t seed;
	struct surrogate *model[SEARCH_VALUES_MAX]; /* of each value; NULL until it is fitted first */
};

void search_finish(struct search *s);

/*
 * Chooses up to `count` allowed combinations that are not among the `known` ones, and sets chosen[0 …]. The known
 * ones are 1 or more. Returns their number, 0 if no combination is left, or -1 with `e` if memory is exhausted.
 */
int search_choose(struct search *s, const struct search_point *known, size_t known_count, size_t count, size_t *chosen,
		  struct err *e);

#endif
