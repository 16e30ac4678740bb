/*
 * Caches that a kernel leaves, and the sizes at which it does: of the points that say how much data they touch
 * (points.h, data_kib), all arrays together, and how much of them each cache has fetched. The data may be larger
 * than a cache that holds what is used again, so what counts are lines that it fetched more than once.
 */
#ifndef PSIM_NETLINK_FIT_CACHES_H
#define PSIM_NETLINK_FIT_CACHES_H

#include "fit.h"

struct cache {
	const char *name; /* "L1D"; constant */
	unsigned number;
	double kib; /* its size */
	/*
	 * the point of the largest data that it fetches less than twice, in the mean, and that of the smallest that it
	 * fetches twice or more; NULL: none; of the list of points
	 */
	const struct point *held, *left;
};

/* Finds the caches of the points' configuration, and what they hold; returns their number, 0 where it is unknown. */
unsigned fit_caches(const struct points *p, struct cache caches[CACHES]);

/*
 * Fits the KiB of data as a function of the sizes, to say what larger ones touch. 1 with `f`, for fit_finish; 0: no
 * such function; -1 with `e` where memory is short.
 */
int fit_caches_data(const struct points *p, struct fit *f, struct err *e);

#endif
