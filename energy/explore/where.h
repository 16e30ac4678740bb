/* Conditions on designs: "area_mm2<=250", "core.rob_entries=64", "seconds<1 ms", and the limits of a study. */
#ifndef PSIM_ENERGY_EXPLORE_WHERE_H
#define PSIM_ENERGY_EXPLORE_WHERE_H

#include "../../psim/base/config/value.h"
#include "designs.h"

enum { CONDITIONS_MAX = 64, CONDITION_TEXT_MAX = 200 };

/* A condition on a column of the tables, or on a parameter that varies. */
struct where {
	int column; /* of a design; -1: a parameter */
	size_t param;
	enum where_op { WHERE_LESS, WHERE_AT_MOST, WHERE_MORE, WHERE_AT_LEAST, WHERE_IS } op;
	double value;
	char text[VALUE_TEXT_MAX];        /* a parameter's value, as the study writes it */
	char written[CONDITION_TEXT_MAX]; /* for messages: "--where 'area<250'", "s.ini:9: limit area = 250" */
};

/* All that a design must satisfy. */
struct conditions {
	unsigned count;
	struct where at[CONDITIONS_MAX];
};

/* Reads a condition of --where. Returns 0, or -1 with `e` (STATUS_USAGE). */
int where_read(const struct study *s, const char *text, struct where *out, struct err *e);

/* Adds the limits of the study, or a condition of --where. Returns 0, or -1 with `e` (STATUS_USAGE). */
int conditions_limits(struct conditions *c, const struct study *s, struct err *e);
int conditions_add(struct conditions *c, const struct study *s, const char *text, struct err *e);

/* Returns whether a combination satisfies all conditions on parameters, which are known before it is simulated. */
bool conditions_allow(const struct conditions *c, const struct study *s, size_t combination);

/* Returns whether a design satisfies all of them. */
bool conditions_hold(const struct conditions *c, const struct study *s, const struct design *d);

/* Omits the designs that do not satisfy it. */
void where_apply(const struct where *w, const struct study *s, struct designs *d);

/*
 * Whether a design satisfies it, or there is none. Returns 0, or -1 with `e` (STATUS_USAGE), which has the condition
 * and the values of the designs.
 */
int where_check(const struct where *w, const struct study *s, const struct designs *d, struct err *e);

#endif
