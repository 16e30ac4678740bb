/*
 * Interpolated tables: models of kernels that no sum of terms describes, such as one that outgrows
 * a cache. Between sizes that were run the value follows a power law in each variable, that is, its
 * logarithm is linear in that of the size; beyond them the outermost power law extends.
 */
#ifndef PSIM_NETLINK_LOOKUP_H
#define PSIM_NETLINK_LOOKUP_H

#include "model.h"

enum { KNOTS_MAX = 65536 };

/* A size, and the value there; all above 0. */
struct knot {
	double at[MODEL_VARIABLES_MAX], value;
};

/* A grid: all combinations of the sizes of each variable. Everything is owned. */
struct lookup {
	unsigned variables, count;             /* count: of values */
	unsigned sizes[MODEL_VARIABLES_MAX];   /* number of different ones of each variable */
	double *size[MODEL_VARIABLES_MAX];     /* ascending */
	double *log_size[MODEL_VARIABLES_MAX]; /* their logarithms */
	double *value, *log_value;             /* sizes of the last variable are adjacent */
};

/*
 * Makes a grid of knots[0 … count - 1], in any order. NULL and `e` (STATUS_BAD_INPUT, without a
 * place) if there are fewer than two or too many, a number is not above 0, a size appears twice, or
 * a combination is missing.
 */
struct lookup *lookup_create(const struct knot *knots, unsigned count, unsigned variables, struct err *e);
void lookup_destroy(struct lookup *g); /* NULL is allowed */

/* Returns the value at a size; NaN where a size is not above 0, or the value is beyond double. */
double lookup_value(const struct lookup *g, const double *values);

/* Returns the size and value number `i` of `count`. */
struct knot lookup_knot(const struct lookup *g, unsigned i);

/*
 * Predicts the value at knot `i` from its neighbours along `variable` (from the two before it at
 * that variable's last size); NaN without such neighbours.
 */
double lookup_without(const struct lookup *g, unsigned i, unsigned variable, bool *last);

#endif
