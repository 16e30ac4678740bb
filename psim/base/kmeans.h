/*
 * Groups of points: k-means (J. MacQueen, 1967; S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on
 * Information Theory 28, 1982), begun as by D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful
 * seeding", SODA 2007, and the score of their number (D. Pelleg, A. Moore, "X-means", ICML 2000).
 */
#ifndef PSIM_BASE_KMEANS_H
#define PSIM_BASE_KMEANS_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* `at[count]`, points of `dims` coordinates each, one behind the other. */
struct kmeans_points {
	const double *at;
	size_t count;
	unsigned dims;
};

struct kmeans {
	unsigned groups; /* at most as many as wanted: none is empty */
	uint32_t *of;    /* the group of each point */
	double *centre;  /* `dims` coordinates for each group */
	double squares;  /* the sum of the squared distances to the centres */
	double bic;      /* kmeans_bic of this */
};

/*
 * Divides points, at least one, into at most `groups`, at least one; equal points are in one group. The result depends
 * on `seed` alone. 0, or -1 with `e` without memory. Free with kmeans_finish.
 */
int kmeans_create(struct kmeans *k, const struct kmeans_points *p, unsigned groups, uint64_t seed, struct err *e);
void kmeans_finish(struct kmeans *k);

/* The squared distance of point `n` to the centre of `group`. */
double kmeans_distance(const struct kmeans *k, const struct kmeans_points *p, size_t n, unsigned group);

/*
 * The Bayesian information criterion of groups of `size[groups]` points with this sum of squares: the logarithm of the
 * likelihood of normal distributions around the centres with one variance for all, less half their number of parameters
 * times the logarithm of the number of points. The variance is `KMEANS_VARIANCE_LEAST` at least, so that equal points
 * have a score. Of two numbers of groups, that with the larger score describes the points better.
 */
#define KMEANS_VARIANCE_LEAST 1e-10
double kmeans_bic(const uint64_t *size, unsigned groups, unsigned dims, double squares);

#endif
