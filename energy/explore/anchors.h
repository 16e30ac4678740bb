/*
 * The anchors of a study that samples (estimates.h): which points are simulated whole beside their units.
 *
 * Half of them are drawn by lot, by their configurations' hashes, so that they stand for the other points. Each further
 * one is the point that the units show to be least like any anchor so far: the one with the largest of the least errors
 * of its paired ratios (paired.h). It is the farthest-first choice of T. Gonzalez, "Clustering to minimize the maximum
 * intercluster distance", Theoretical Computer Science 38, 1985, and sampling in two phases, of which the first one,
 * cheap and of all points, says where to look in the second (W. Cochran, Sampling techniques, 1977, chapter 12).
 *
 * Of points that are as unlike, the lot decides: units may be alike of machines that differ in what no unit has, such
 * as the first lines from memory, and a choice by order would prefer some of these.
 *
 * Machines of a corner of the grid may behave as no others do, so that their units are off by what no anchor by lot is
 * off. Their units differ from those of all anchors, so the corner gets one.
 */
#ifndef PSIM_ENERGY_EXPLORE_ANCHORS_H
#define PSIM_ENERGY_EXPLORE_ANCHORS_H

#include "plan.h"

enum {
	ANCHORS_MIN = 8, /* of the points of a trace; half as many degrees of freedom */
	/* Up to ANCHORS_ENOUGH, one of ANCHORS_FEW points; above, one of ANCHORS_SHARE. */
	ANCHORS_ENOUGH = 19,
	ANCHORS_FEW = 8,
	ANCHORS_SHARE = 12,
	ANCHORS_MOST = 64, /* each point is compared with all of them */
	ANCHORS_BY_LOT = 2 /* one of so many, rounded up */
};

/*
 * Chooses the points that are sampled, and the anchors by lot, of those that are not left out. Points of a trace that
 * is too short, on several cores or with a program for a SIMD array are simulated whole, as are those of a trace with
 * fewer than 2 * ANCHORS_MIN points. Does nothing unless the study samples. 0, or -1 with `e`. `draw` is 0, or the
 * number of another draw of lots, by which intervals are tested.
 */
int anchors_choose(struct plan *p, uint64_t draw, struct err *e);

/*
 * Chooses the other anchors of a file, as soon as the units of all points are known that may be some: a run that has
 * only a share of them waits. `least` has room for all points. Sets `anchors_all` of the file when all are chosen.
 * Returns how many of the chosen ones have no whole run yet.
 */
size_t anchors_spread(struct plan *p, size_t file, double *least);

/* The standard error of the ratio of two points' units in a figure, relative. They have as many units. */
double anchors_error(const struct plan_point *a, const struct plan_point *b, enum unit_figure figure);

#endif
