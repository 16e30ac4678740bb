/* Finds outliers: points far off the curve of the others, whatever the model. */
#ifndef PSIM_NETLINK_OUTLIERS_H
#define PSIM_NETLINK_OUTLIERS_H

#include "points.h"

/* Caches and other edges make kernels two or three times slower from one size to the next; assumed. */
#define OUTLIER_TIMES 3.0

struct outlier {
	size_t point;    /* index into the list */
	double expected; /* its value predicted from the other points */
	double scatter;  /* standard deviation of these around their curve, as a share of the value */
};

/*
 * Finds fitted points that are off by a factor of OUTLIER_TIMES: too large or too small for the
 * smooth curve through the others, a polynomial of second degree in the logarithms of sizes and
 * value, and by more than chance (deleted residuals, R. D. Cook, S. Weisberg, "Residuals and
 * influence in regression", 1982, with Bonferroni's bound of 95 %). The worst comes first; the
 * search for the next one leaves it out. Returns their number, at most `room`; 0 also where points
 * are too few or a number has no logarithm; -1 with `e`.
 */
int outliers_find(const struct points *p, struct outlier *list, unsigned room, struct err *e);

#endif
