/*
 * Figures of a study that samples: of most points only units of the trace are simulated (point_units.h), the same for
 * all machines.
 *
 * Some points, the anchors, are simulated whole too. A point's figures are those of an anchor, times what its units
 * have of the anchor's: what units do not show of the whole (the warm-up that they miss, the place that they have)
 * is in both, and cancels. Of the anchors the reference is the one from which the point's times differ most evenly.
 *
 * How far this is off is known from the anchors: each is estimated from the others, and its own whole run says by how
 * much that is wrong (paired_trust).
 */
#ifndef PSIM_ENERGY_EXPLORE_ESTIMATES_H
#define PSIM_ENERGY_EXPLORE_ESTIMATES_H

#include "anchors.h"

/* Half an interval, relative, beyond which a point is simulated whole. */
#define ESTIMATE_WIDE 0.05

/*
 * Sets the figures of all sampled points whose units and anchors are known. Chooses the anchors that follow from units
 * (anchors_spread), and marks points as wide. Returns how many points are to be simulated whole by that, or -1 with
 * `e`: memory is short.
 */
int estimates_make(struct plan *p, struct err *e);

/*
 * Half the 95 % interval of the relative difference between two points of one trace, each known or estimated, in a
 * figure.
 */
double estimates_difference(const struct plan *p, const struct plan_point *a, const struct plan_point *b,
			    enum unit_figure figure);

#endif
