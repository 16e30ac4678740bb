/*
 * Terms of a model: products of powers and logarithms of variables, "1", "n^2",
 * "n^(3/2)*log2(m)^2". Powers are exact fractions, so that a term reads back as it was written.
 */
#ifndef PSIM_NETLINK_TERM_H
#define PSIM_NETLINK_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "model.h"

struct variables {
	unsigned count;
	char name[MODEL_VARIABLES_MAX][MODEL_NAME_MAX];
};

/* A fraction in lowest terms, den > 0. */
struct power {
	int num, den;
};

enum { POWER_MAX = 20, POWER_DEN_MAX = 1000, LOG_POWER_MAX = 9, TERM_TEXT_MAX = 256 };

struct factor {
	struct power power;
	unsigned log_power; /* power of log2 of the variable */
};

struct term {
	struct factor factor[MODEL_VARIABLES_MAX]; /* by position of the variable */
};

/* Returns the term 1. */
struct term term_one(void);

bool term_equal(const struct term *a, const struct term *b);

/*
 * Adds a variable; 0, or -1 with `e`: invalid (a name is a letter, then letters, digits, _),
 * duplicate, too many.
 */
int variables_add(struct variables *v, const char *name, size_t length, struct err *e);

/* Returns the position of the name of that length, -1 if there is none. */
int variables_find(const struct variables *v, const char *name, size_t length);

/* Reads one term; 0, or -1 with `e` (STATUS_USAGE). */
int term_read(struct term *t, const char *text, const struct variables *v, struct err *e);

/* Reads "1, n, n^2" into terms[0 … MODEL_TERMS_MAX - 1]; returns their number, or -1 with `e`. */
int terms_read(struct term *terms, const char *text, const struct variables *v, struct err *e);

/* Writes a term in the syntax of term_read. */
void term_write(const struct term *t, const struct variables *v, char text[TERM_TEXT_MAX]);

/* Evaluates a term; not finite where it has no value (model_evaluate). */
double term_value(const struct term *t, unsigned variables, const double *values);

/* Returns whether `a` is another term than `b` and grows at least as fast in every variable. */
bool term_dominates(const struct term *a, const struct term *b);

#endif
