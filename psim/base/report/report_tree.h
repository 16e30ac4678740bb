/* The report as the writers see it: a list of items, in which a group or table extends to its ITEM_END. */
#ifndef PSIM_BASE_REPORT_TREE_H
#define PSIM_BASE_REPORT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"
#include "../vec.h"

enum report_kind {
	ITEM_GROUP, /* items up to its ITEM_END */
	ITEM_TABLE, /* value.u64 ITEM_COLUMNs, then cells (nameless values), then ITEM_END */
	ITEM_COLUMN,
	ITEM_END,
	ITEM_U64,
	ITEM_F64,
	ITEM_TEXT,
};

struct report_item {
	enum report_kind kind;
	char *name, *unit, *doc; /* owned unless empty, never NULL in a report that is written */
	union {
		uint64_t u64;
		double f64;
		char *text; /* owned */
	} value;
};

struct report {
	struct report_items vec_of(struct report_item) items;
	unsigned depth;                 /* groups open */
	unsigned table_columns;         /* of the open table; 0: no table is open */
	unsigned cells;                 /* cells given for it so far */
	bool short_of_memory;           /* an item is missing: report_write fails */
	const struct report_pick *kept; /* parts that are kept; NULL: all */
	unsigned kept_count;
	const struct report_most *most; /* tables that pages bound */
	unsigned most_count;
	unsigned dropped; /* open groups and tables of a part that is not kept */
};

/*
 * Returns the number of rows of the table whose ITEM_TABLE is items.at[at]; sets `*end` to the
 * index of its ITEM_END.
 */
size_t report_rows(const struct report *r, size_t at, size_t *end);

/*
 * Writes a cell or value as text: six digits for people, or the fewest that read back (`exact`).
 * Numbers that are not finite are "-" or "inf" for people, and empty otherwise.
 */
enum { REPORT_CELL_MAX = 40 };
const char *report_value_text(const struct report_item *item, bool exact, char number[REPORT_CELL_MAX]);

/*
 * How people see a column of numbers, or (`step` 0) a single one: multiplied by `scale`, which the
 * unit's prefix undoes, and with the same number of decimals in each row. A single number has six
 * digits. The prefix is that of the largest value, or of `beside`, the largest of columns of the same unit, if that is
 * larger. Columns of one unit have one prefix unless their largest values differ by REPORT_SAME_PREFIX or more.
 */
enum { REPORT_DIGITS = -1, REPORT_SAME_PREFIX = 1000 };
struct report_style {
	double scale;
	const char *prefix; /* printed before the unit */
	int decimals;       /* or REPORT_DIGITS: six digits, each number its own point */
};
struct report_style report_style(const struct report_item *first, size_t rows, size_t step, const char *unit,
				 double beside);

/* The largest absolute value of a column, of numbers that are finite; 0: none. */
double report_largest(const struct report_item *first, size_t rows, size_t step);

const char *report_styled_text(const struct report_item *item, const struct report_style *style,
			       char number[REPORT_CELL_MAX]);

/* Writes the names of the groups around an item, "memory.l1d". */
enum { REPORT_DEPTH_MAX = 32 };
struct report_path {
	char text[1024];
	size_t length[REPORT_DEPTH_MAX];
	unsigned depth;
};
void report_path_enter(struct report_path *p, const char *name);
void report_path_leave(struct report_path *p);

/* Returns whether `name` is one of the words of `names`; NULL: all. */
bool report_picked(const char *names, const char *name);

/* Characters of a line for people. */
enum { REPORT_LINE = 120 };

/* The end of the first line of `text` in `width` characters: at a blank, behind a point or mark, or anywhere. */
const char *report_line_end(const char *text, int width);

/* Writes a table of `rows` rows for people, from its ITEM_TABLE on, with the columns of `names`; NULL: all. */
void report_put_table(const struct report_item *table, size_t rows, const char *names, FILE *out);

int report_write_text(const struct report *r, FILE *out, struct err *e);
int report_write_json(const struct report *r, FILE *out, struct err *e);
int report_write_html(const struct report *r, FILE *out, struct err *e);
int report_write_csv(const struct report *r, FILE *out, struct err *e);

#endif
