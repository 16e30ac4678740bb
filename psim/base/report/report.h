/*
 * A report: a tree of named values and tables that is written as text, JSON,
 * CSV or a page by one writer each. Names are snake_case; every value has a unit
 * ("" if it is a plain number) and a one-line meaning. Strings are copied.
 */
#ifndef PSIM_BASE_REPORT_H
#define PSIM_BASE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../err.h"

enum { REPORT_TEXT_COLUMNS_MAX = 64 }; /* of a table as text; the other formats have no bound */

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_CSV, REPORT_HTML };

struct config;
struct report;

struct report *report_create(void);
void report_destroy(struct report *r); /* NULL is allowed */

/*
 * A part of a report to show: the values of a group, or a table, by its path ("core",
 * "energy.stages"). `names`: the values or columns to show, separated by blanks, NULL for all of
 * them.
 */
struct report_pick {
	const char *path, *names;
};

/*
 * Keeps, of the groups and tables at the top that are added from now on, only those in which a
 * pick's path begins: the others take no memory. `picks` is borrowed until the report is complete.
 */
void report_keep(struct report *r, const struct report_pick *picks, unsigned count);

/* Returns whether the group or table at the top is kept. If not, its values need not be computed. */
bool report_keeps(const struct report *r, const char *name);

/*
 * Bounds tables at the top in pages. One with more than `rows` rows has those with the largest cells in the first of
 * the columns of `by` (names between blanks) that it has, in their order. The other formats have all rows. `tables` is
 * borrowed until the report is written.
 */
struct report_most {
	const char *table, *by;
	unsigned rows;
};
void report_page_most(struct report *r, const struct report_most *tables, unsigned count);

/* Groups nest; every report_group needs its report_end. */
void report_group(struct report *r, const char *name, const char *doc);
void report_end(struct report *r);

void report_u64(struct report *r, const char *name, uint64_t value, const char *unit, const char *doc);
void report_f64(struct report *r, const char *name, double value, const char *unit, const char *doc);
void report_text(struct report *r, const char *name, const char *value, const char *doc);

/*
 * A table: open it with its columns, give the cells of each row from left to right, close it. JSON:
 * an array of objects; text: aligned columns; CSV: section,row,column,value lines like every other
 * value.
 */
struct report_column {
	const char *name, *unit;
};
void report_table(struct report *r, const char *name, const char *doc, const struct report_column *columns,
		  unsigned count);
void report_cell_u64(struct report *r, uint64_t value);
void report_cell_f64(struct report *r, double value);
void report_cell_text(struct report *r, const char *value);
void report_table_end(struct report *r);

/* Adds the group "config" with every value of `c`. */
void report_config(struct report *r, const struct config *c);

/* Adds the group "run": program, version, command line; inputs are added by the caller. */
void report_identity(struct report *r, const char *program, int argc, char *const argv[]);

/*
 * Writes the report; returns 0, or -1 with `e` on an output error. Text is for
 * people: times, energies and powers get a prefix (ms, nJ), numbers are rounded.
 */
int report_write(const struct report *r, enum report_format format, FILE *out, struct err *e);

/* Writes these parts as text, in the order of the picks; parts that `r` does not have are skipped. */
int report_write_picks(const struct report *r, const struct report_pick *picks, unsigned count, FILE *out,
		       struct err *e);

/*
 * Finds the number named `path`: "core.ipc", or in a table "regions.dgemm.ipc", where the first
 * cell names the row (the first such row counts). False, and `*value` unchanged, if there is none.
 */
bool report_number(const struct report *r, const char *path, double *value);

/*
 * Checks an expectation. `text`: NAME=VALUE, NAME=VALUE+-TOLERANCE (or with the sign U+00B1; a
 * number, or N% of the value), NAME>=VALUE, NAME<=VALUE. 0, or -1 with `e`: STATUS_EXPECT if it is
 * missed, STATUS_USAGE if the text is malformed or the report has no such number.
 */
int report_expect(const struct report *r, const char *text, struct err *e);

/* Checks that `text` is well formed, before a long run. 0, or -1 with `e`. */
int report_expect_check(const char *text, struct err *e);

#endif
