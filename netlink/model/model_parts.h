/* The parts of a model; private to this folder. */
#ifndef PSIM_NETLINK_PARTS_H
#define PSIM_NETLINK_PARTS_H

#include "lookup.h"
#include "term.h"

/*
 * Versions of the model file (docs/formats/model-format.md): 2 has several sums, 3 is an interpolated
 * table. A model of one sum is written as version 1, which older programs read. And the word that
 * identifies a model.
 */
enum { MODEL_FORMAT_ONE_SUM = 1, MODEL_FORMAT_SUMS = 2, MODEL_FORMAT_TABLE = 3 };
#define MODEL_FORMAT_NAME "psim-model"

/*
 * Rules by which expected errors are computed (docs/models/fitting.md); a file of an older psim-fit has a lower number.
 */
enum { MODEL_ERRORS = 2 };

enum { MODEL_TEXT_MAX = 128 }; /* bytes of a value's name, NUL included, and of its unit */

enum { MODEL_DOUBTS_MAX = 512 }; /* bytes of the names of all warnings, NUL included */

/* A quantity besides the value: a sum. */
struct quantity {
	unsigned count; /* 0: the model does not say it */
	struct term terms[MODEL_TERMS_MAX];
	double coefficient[MODEL_TERMS_MAX];
};

struct model {
	struct variables variables;
	double from[MODEL_VARIABLES_MAX], to[MODEL_VARIABLES_MAX]; /* range in the fit */
	unsigned sums;                                             /* the value is the largest of them */
	unsigned first[MODEL_SUMS_MAX + 1]; /* sum s has the terms first[s] … first[s + 1] - 1 */
	unsigned count;                     /* of all sums: first[sums] */
	struct term terms[MODEL_ROWS_MAX];
	double coefficient[MODEL_ROWS_MAX];
	char value_name[MODEL_TEXT_MAX], unit[MODEL_TEXT_MAX];
	char doubts[MODEL_DOUBTS_MAX];
	struct lookup *lookup;              /* a table instead of sums, then one sum without terms; NULL: none; owned */
	double max_error;                   /* percent */
	double error_inside, error_outside; /* percent: to expect inside the range of the fit, and at twice it */
	struct quantity quantity[MODEL_QUANTITIES];
	double errors; /* MODEL_ERRORS of these two; 0: the file has not both */
};

/* Returns the factor by which `value` is outside from … to of variable `i`: above 1, or 1 inside. */
double model_factor(const struct model *m, unsigned i, double value);

/* Returns the largest factor by which a variable is outside: above 1, or 1 inside; infinite where there is none. */
double model_distance(const struct model *m, const double *values);

/* Evaluates sum number `s`, finite or not. */
double model_sum(const struct model *m, unsigned s, const double *values);

/*
 * Evaluates the largest of the sums and sets its number, the first of equals (`largest` may be
 * NULL); NaN if a sum is not finite.
 */
double model_largest(const struct model *m, const double *values, unsigned *largest);

#endif
