/*
 * Figures of a study that samples: of most points only units of the trace are simulated (point_units.h), the same for
 * all machines.
 *
 * Some points, the anchors, are simulated whole too. A point's figures are those of an anchor, times what its units
 * have of the anchor's: what units do not show of the whole (the warm-up that they miss, the place that they have)
 * is in both, and cancels. Of the anchors the reference is the one from which the point's times differ most evenly.
 *
 * How far this is off is known from the anchors: each is estimated from the others, and its own whole run says by how
 * much that is wrong (paired_trust). Anchors are drawn at random from the study's points, by their configurations'
 * hashes, so that they stand for the others.
 */
#ifndef PSIM_ENERGY_EXPLORE_ESTIMATES_H
#define PSIM_ENERGY_EXPLORE_ESTIMATES_H

#include "plan.h"

enum {
	ANCHORS_MIN = 8, /* of the points of a trace; half as many degrees of freedom */
	/*
	 * Up to so many, one of ANCHORS_FEW points; above, one of ANCHORS_SHARE. A point is farther off than all of n
	 * anchors with a probability of 1 / (n + 1), whatever makes points be off (S. Wilks, "Determination of sample
	 * sizes for setting tolerance limits", Annals of Mathematical Statistics 12, 1941): 19 anchors hold 95 %.
	 */
	ANCHORS_ENOUGH = 19,
	ANCHORS_FEW = 8,
	ANCHORS_SHARE = 12,
	ANCHORS_MOST = 64 /* each point is compared with all of them */
};

/* Half an interval, relative, beyond which a point is simulated whole. */
#define ESTIMATE_WIDE 0.05

/*
 * Chooses the points that are sampled and their anchors, of those that are not left out. Points of a trace that is too
 * short, on several cores or with a program for a SIMD array are simulated whole, as are those of a trace with fewer
 * than 2 * ANCHORS_MIN points. Does nothing unless the study samples. 0, or -1 with `e`.
 */
int estimates_choose(struct plan *p, struct err *e);

/*
 * Sets the figures of all sampled points whose units and anchors are known. Returns the number of points that are
 * marked as wide by that, or -1 with `e`: memory is short.
 */
int estimates_make(struct plan *p, struct err *e);

/*
 * Half the 95 % interval of the relative difference between two points of one trace, each known or estimated, in a
 * figure.
 */
double estimates_difference(const struct plan *p, const struct plan_point *a, const struct plan_point *b,
			    enum unit_figure figure);

#endif
