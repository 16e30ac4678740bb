/*
 * Interpolated tables: the kind of model for kernels that no sum of terms describes, such as one that falls out of
 * a cache. Between sizes that were run the value follows a power law in each variable, that is, its logarithm is
 * linear in that of the size; beyond them the outermost of these laws goes on.
 */
#ifndef PSIM_NETLINK_LOOKUP_H
#define PSIM_NETLINK_LOOKUP_H

#include "model.h"

enum { KNOTS_MAX = 65536 };

/* A size, and the value there; all above 0. */
struct knot {
	double at[MODEL_VARIABLES_MAX], value;
};

/* All combinations of the sizes of each variable. Everything is owned. */
struct lookup {
	unsigned variables, count;             /* count: of values */
	unsigned sizes[MODEL_VARIABLES_MAX];   /* different ones of each variable */
	double *size[MODEL_VARIABLES_MAX];     /* rising */
	double *log_size[MODEL_VARIABLES_MAX]; /* their logarithms */
	double *value, *log_value;             /* of the last variable the sizes lie side by side */
};

/*
 * A grid of knots[0 … count - 1], in any order. NULL and `e` (STATUS_BAD_INPUT, without a place) if there are
 * fewer than two or too many, a number is not above 0, a size appears twice, or a combination is missing.
 */
struct lookup *lookup_create(const struct knot *knots, unsigned count, unsigned variables, struct err *e);
void lookup_destroy(struct lookup *g); /* NULL is allowed */

/* The value at a size; NaN where a size is not above 0, or the value is beyond double. */
double lookup_value(const struct lookup *g, const double *values);

/* The size and value number `i` of `count`. */
struct knot lookup_knot(const struct lookup *g, unsigned i);

/*
 * The value at knot `i` by its neighbours along `variable` (by the two before it at that variable's last size);
 * NaN where it has none on either side.
 */
double lookup_without(const struct lookup *g, unsigned i, unsigned variable, bool *last);

#endif
