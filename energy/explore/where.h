/* Conditions on designs: "area_mm2<=250", "core.rob_entries=64", "seconds<1e-3". */
#ifndef PSIM_ENERGY_EXPLORE_WHERE_H
#define PSIM_ENERGY_EXPLORE_WHERE_H

#include "../../psim/base/config/value.h"
#include "designs.h"

/* A condition on a column of the tables, or on a parameter that varies. */
struct where {
	int column; /* of a design; -1: a parameter */
	size_t param;
	enum where_op { WHERE_LESS, WHERE_AT_MOST, WHERE_MORE, WHERE_AT_LEAST, WHERE_IS } op;
	double value;
	char text[VALUE_TEXT_MAX]; /* a parameter's value, as the study writes it */
};

/* Reads a condition. Returns 0, or -1 with `e` (STATUS_USAGE). */
int where_read(const struct study *s, const char *text, struct where *out, struct err *e);

/*
 * Omits the designs that do not satisfy it, and marks the front of the rest. Returns 0, or -1
 * with `e`.
 */
int where_apply(const struct where *w, const struct study *s, struct designs *d, struct err *e);

/*
 * Whether a design satisfies it, or there is none. Returns 0, or -1 with `e` (STATUS_USAGE), which has the condition's
 * `text` and the values of the designs.
 */
int where_check(const struct where *w, const char *text, const struct study *s, const struct designs *d, struct err *e);

#endif
