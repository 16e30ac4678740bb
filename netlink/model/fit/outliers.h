/* Points that are far off what the other points say, whatever the model. */
#ifndef PSIM_NETLINK_OUTLIERS_H
#define PSIM_NETLINK_OUTLIERS_H

#include "points.h"

/* Caches and other edges make kernels two or three times slower from one size to the next; assumed. */
#define OUTLIER_TIMES 3.0

struct outlier {
	size_t point;    /* index into the list */
	double expected; /* its value by the other points */
	double scatter;  /* of these around their curve: standard deviation, as a share of the value */
};

/*
 * Finds fitted points that are OUTLIER_TIMES off: too large or too small for the smooth curve through the others,
 * a polynomial of second degree in the logarithms of sizes and value, and by more than chance (deleted residuals,
 * R. D. Cook, S. Weisberg, "Residuals and influence in regression", 1982, with Bonferroni's bound of 95 %). The
 * worst first; what was found takes no part in what is found next. Returns their number, at most `room`; 0 too
 * where there are too few points to say, or numbers without a logarithm; -1 with `e`.
 */
int outliers_find(const struct points *p, struct outlier *list, unsigned room, struct err *e);

#endif
