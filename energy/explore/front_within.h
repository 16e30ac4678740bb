/* Finds which designs of a study that samples are on the front, within the intervals of its estimates. */
#ifndef PSIM_ENERGY_EXPLORE_FRONT_WITHIN_H
#define PSIM_ENERGY_EXPLORE_FRONT_WITHIN_H

#include "designs.h"

/*
 * Sets `within` of designs whose front is marked: NO, if a design of the front is better by more than the interval of
 * the difference in each objective that is estimated, and no worse in the others; YES, of a design of the front, if no
 * design may be no worse in all objectives; else MAYBE. Differences are paired (estimates_difference), so their
 * intervals are narrower than those of the designs. An objective without interval, such as misses, is taken as exact.
 */
void front_mark_within(const struct plan *p, const size_t *trace, enum design_over over, const struct objectives *o,
		       struct designs *d);

/* "yes", "maybe", "no". */
const char *within_word(enum design_within w);

/*
 * Half the 95 % interval of the difference between two designs in a criterion, relative: time or energy, over the
 * traces, which are independent.
 */
double front_difference(const struct plan *p, const size_t *trace, enum design_over over, const struct design *a,
			const struct design *b, enum unit_figure figure);

#endif
