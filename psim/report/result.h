/*
 * A report read back from JSON, or from a page: a list of named values.
 *
 * Names are paths, "core.ipc". The first member of a table's object names it if that is a text
 * ("regions.dgemm.ipc", the second of that name "regions.dgemm#2.ipc"); otherwise, or in a table of
 * more than 10000 rows, its number from 0 on does. The tree "units" is not part of the list: it
 * gives the values their units.
 */
#ifndef PSIM_REPORT_RESULT_H
#define PSIM_REPORT_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/err.h"

struct result_value {
	char *name;       /* owned */
	char *text;       /* owned; NULL: it is a number */
	double number;    /* NaN for null */
	const char *unit; /* of the result, "" if none */
};

struct result {
	struct result_value *values; /* in the order of the file */
	size_t count;
	size_t *by_name; /* indexes of values, names ascending */
	void *json;      /* holds the units' text */
};

/* Reads the file ("-": standard input). 0, or -1 with `e`. Call result_finish in any case. */
int result_read(struct result *r, const char *path, struct err *e);
void result_finish(struct result *r);

/* Returns the value of that name, or NULL. */
const struct result_value *result_find(const struct result *r, const char *name);

#endif
