/*
 * * Sensitivity of the figures to each axis of a study: how much a criterion changes from one value of the axis to
 * another, everything else equal.
 *
 * Designs that differ in one axis alone form a line. From each value of the axis to its successor, the change of a
 * criterion is the mean, over all lines that have both, of the logarithm of the ratio. In a whole grid the sums of
 * these changes are the main effects of a factorial experiment (Montgomery, "Design and Analysis of Experiments");
 * where designs are missing, since they are invalid, left out or not sampled, only designs are compared that
 * differ in this axis alone.
 *
 * The elasticity is the slope of ln(criterion) over ln(value), by least squares with an intercept for each line:
 * 0.5 says that twice the value multiplies the criterion by 2^0.5.
 */
#ifndef PSIM_ENERGY_EXPLORE_SENSITIVITY_H
#define PSIM_ENERGY_EXPLORE_SENSITIVITY_H

#include "designs.h"

/* The effect of one axis on one criterion. */
struct effect {
	size_t axis;        /* of the study */
	size_t least, most; /* positions of the values at which the criterion is least and most */
	size_t lines;       /* lines with two or more designs; 0: nothing to compare, and ratios are 1 */
	double ratio;       /* of the criterion at `most` to that at `least`, 1 or more */
	double low, high;   /* the same two over the mean of the values */
	double elasticity; /* with respect to the axis' first parameter; NAN where its values are no positive numbers */
};

struct sensitivity {
	struct effect *effects[CRITERION_COUNT]; /* one for each axis, the largest ratio first; owned */
	size_t count;                            /* axes */
};

/* Finds the effects of all axes on all criteria. Returns 0, or -1 with `e` if memory is exhausted. */
int sensitivity_find(const struct study *s, const struct designs *d, struct sensitivity *out, struct err *e);
void sensitivity_finish(struct sensitivity *x);

/* The name of an axis for people: "core.rob_entries", or "pair width". */
void sensitivity_name(const struct study *s, size_t axis, char text[STUDY_LABEL_MAX]);

#endif
