/*
 * Designs compared: a combination's figures over its traces, and which designs no other one beats.
 */
#ifndef PSIM_ENERGY_EXPLORE_DESIGNS_H
#define PSIM_ENERGY_EXPLORE_DESIGNS_H

#include "plan.h"

/* How figures of several traces become one. */
enum design_over {
	OVER_GEOMEAN, /* geometric mean: each trace counts the same, whatever its length */
	OVER_SUM,     /* as if run one after the other */
};

/* What designs are compared by; less is better. */
enum criterion { CRITERION_time, CRITERION_energy, CRITERION_area, CRITERION_energy_delay, CRITERION_COUNT };

struct criterion_row {
	const char *name, *column, *unit, *doc;
};
extern const struct criterion_row criterion_rows[]; /* CRITERION_COUNT rows */

/* What is shown beside the criteria, and nothing is compared by. */
enum beside { BESIDE_energy_low, BESIDE_energy_high, BESIDE_area_low, BESIDE_area_high, BESIDE_memory, BESIDE_COUNT };

struct beside_row {
	enum figure figure;
	bool chip; /* the same for every trace */
};
extern const struct beside_row beside_rows[]; /* BESIDE_COUNT rows */

struct design {
	size_t combination;
	double value[CRITERION_COUNT];
	double beside[BESIDE_COUNT];
	bool front; /* no other design is better in one of time, energy and area and as good in the others */
};

struct designs vec_of(struct design);

/*
 * The designs of a plan in order of the combinations: over all traces, or of `trace` alone (NULL:
 * all). A combination of which a point is not known is left out. 0, or -1 with `e`.
 */
int designs_make(const struct plan *p, const size_t *trace, enum design_over over, struct designs *out, struct err *e);
void designs_finish(struct designs *d);

/*
 * Marks the front: the designs that are not dominated. a dominates b where a is no worse in time,
 * energy and area, and better in one of them; of equal ones none dominates. 0, or -1 with `e`
 * without memory.
 */
int designs_mark_front(struct designs *d, struct err *e);

/* Is `a` no worse than `b` in the first `count` criteria, and better in one? */
bool design_dominates(const struct design *a, const struct design *b, unsigned count);

/* The least by `c`, of equal ones the first that is not dominated by one of them; NULL if there are no designs. */
const struct design *designs_best(const struct designs *d, enum criterion c);

#endif
