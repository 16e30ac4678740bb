/*
 * Time models: psim-fit fits them to simulated runs of several sizes, and a program skeleton
 * evaluates them instead of computing.
 *
 *     struct model *dgemm = model_read("dgemm.model", &e);
 *     struct model_watch watch = {0};
 *     …
 *     double n = 512;
 *     BSIM_Add_time(model_evaluate(dgemm, &n, &watch));
 *     if (watch.warn)
 *         …model_watch_text(dgemm, &watch, text, sizeof(text))…
 *
 * A model is a sum of coefficients times products of powers and logarithms of its variables, the
 * largest of several such sums, or a table that is interpolated (docs/formats/model-format.md). It is
 * constant once read: any number of threads may evaluate it, each with a watch of its own.
 */
#ifndef PSIM_NETLINK_MODEL_H
#define PSIM_NETLINK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum {
	MODEL_VARIABLES_MAX = 4,
	MODEL_TERMS_MAX = 12, /* terms of a sum */
	MODEL_SUMS_MAX = 3,
	MODEL_ROWS_MAX = MODEL_SUMS_MAX * MODEL_TERMS_MAX, /* terms of all sums */
	MODEL_NAME_MAX = 32,                               /* bytes of a variable's name, NUL included */
};

struct model;

/* Quantities that a model may say besides its value. */
enum model_quantity {
#define QUANTITY(name, unit, doc) MODEL_##name,
#include "quantity.def"
#undef QUANTITY
	MODEL_QUANTITIES,
};

/*
 * Reads a model file that psim-fit wrote ("-": standard input). The caller owns the result. NULL
 * and `e` (STATUS_BAD_INPUT) if the file cannot be read, is not a model, is of another version, or
 * holds an invalid number.
 */
struct model *model_read(const char *path, struct err *e);
void model_destroy(struct model *m); /* NULL is allowed */

/* Returns the number of variables, 1 to MODEL_VARIABLES_MAX. */
unsigned model_variables(const struct model *m);

/*
 * Returns the name of variable `i` (owned by `m`) and sets its smallest and largest value in the
 * fit; `from` and `to` may be NULL.
 */
const char *model_variable(const struct model *m, unsigned i, double *from, double *to);

/* Returns the unit ("s") of the model's value. Owned by `m`. */
const char *model_unit(const struct model *m);

/* Returns the reasons to doubt the fit that its file has, "few sizes; data leave a cache", or "". Owned by `m`. */
const char *model_doubts(const struct model *m);

/*
 * Returns NULL, or why the file's expected errors are not those of the present rules: an older psim-fit has computed
 * them, or there are none.
 */
const char *model_errors_note(const struct model *m);

/*
 * Returns the expected error at these sizes, in percent of the value. Inside the range of the fit: the largest that
 * psim-fit saw, at points fitted, left out, or held out. Outside it is proportional to the logarithm of the factor by
 * which a size is outside, at least the error inside, and infinite where no factor exists: the range is not above 0.
 * For a file without expected errors: from the error at the fitted points.
 */
double model_expected_error(const struct model *m, const double *values);

/*
 * Records calls outside the range. Zero it first; model_evaluate fills it. A variable is outside if
 * it is below the smallest or above the largest value that it had in the fit.
 */
struct model_watch {
	bool outside;   /* in the last call a variable was outside */
	bool warn;      /* and for the first time with this watch: time to warn */
	uint64_t times; /* calls with a variable outside */
	struct model_outside {
		double value;  /* over all these calls: the value of this variable furthest outside, */
		double factor; /* and its distance: value / largest, or smallest / value; above 1; 0: never outside */
	} furthest[MODEL_VARIABLES_MAX]; /* of each variable */
};

/*
 * Returns the model's value (seconds, if model_unit is "s") at values[0 … variables - 1], in the
 * order of model_variable: the largest of its sums. Outside the fitted range they are evaluated all
 * the same, and `watch` (may be NULL) records it.
 *
 * NaN where there is no value: the logarithm, or a negative or fractional power, of a number that
 * is not positive, a result beyond the range of double, or, if the unit is "s", a time below zero,
 * which polynomials can give outside their range.
 */
double model_evaluate(const struct model *m, const double *values, struct model_watch *watch);

/* Returns whether the model says a quantity. */
bool model_says(const struct model *m, enum model_quantity q);

/* Returns a quantity that the model says, in its unit, at these sizes; NaN where it is not finite or is below zero. */
double model_quantity(const struct model *m, enum model_quantity q, const double *values);

/* Returns the name of a quantity, as in model files, and its unit; constant. */
const char *model_quantity_name(enum model_quantity q);
const char *model_quantity_unit(enum model_quantity q);

/*
 * Writes "n = 1024 is 2.56 times the largest fitted value, 400" (or the smallest), of each variable that was
 * outside, with "; " between them.
 */
void model_watch_text(const struct model *m, const struct model_watch *watch, char *text, size_t size);

#endif
