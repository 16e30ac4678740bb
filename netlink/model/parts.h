/* What a model consists of; for the files of this folder. */
#ifndef PSIM_NETLINK_PARTS_H
#define PSIM_NETLINK_PARTS_H

#include "term.h"

/* Version of the model file (docs/model-format.md), and the word that says it is one. */
enum { MODEL_FORMAT_VERSION = 1 };
#define MODEL_FORMAT_NAME "psim-model"

enum { MODEL_TEXT_MAX = 128 }; /* bytes of a value's name with its end, and of its unit */

struct model {
	struct variables variables;
	double from[MODEL_VARIABLES_MAX], to[MODEL_VARIABLES_MAX]; /* range in the fit */
	unsigned count;
	struct term terms[MODEL_TERMS_MAX];
	double coefficient[MODEL_TERMS_MAX];
	char value_name[MODEL_TEXT_MAX], unit[MODEL_TEXT_MAX];
	double max_error; /* percent */
};

/* How far `value` is outside of from … to of variable `i`: a factor above 1, or 1 inside. */
double model_factor(const struct model *m, unsigned i, double value);

/* The sum itself, whatever it is. */
double model_sum(const struct model *m, const double *values);

#endif
