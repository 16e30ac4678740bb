/* Checks expected figures: numbers of a report, by name. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../near.h"
#include "../renamed.h"
#include "report_tree.h"

enum { NAME_ROOM = 512 };

/* Returns whether `path` is the parts joined by '.'; empty parts are skipped. */
static bool joined(const char *path, const char *const parts[3])
{
	bool first = true;

	for (int i = 0; i < 3; i++) {
		size_t n = strlen(parts[i]);

		if (!n)
			continue;
		if (!first && *path++ != '.')
			return false;
		if (strncmp(path, parts[i], n) != 0)
			return false;
		path += n;
		first = false;
	}
	return !*path;
}

static bool report_expect_take(const struct report_item *item, double *value)
{
	if (item->kind == ITEM_U64)
		*value = (double)item->value.u64;
	else if (item->kind == ITEM_F64)
		*value = item->value.f64;
	return item->kind != ITEM_TEXT;
}

/* Finds a cell in the table at `*at` and moves `*at` to its end; the first cell names a row. */
static bool find_cell(const struct report *r, size_t *at, const char *group, const char *path, double *value)
{
	size_t columns = (size_t)r->items.at[*at].value.u64, rows;
	const struct report_item *column = &r->items.at[*at + 1], *cell = column + columns;
	char number[REPORT_CELL_MAX];

	rows = report_rows(r, *at, at);
	for (size_t row = 0; row < rows; row++, cell += columns)
		for (size_t c = 1; c < columns; c++) {
			const char *const parts[3] = {group, report_value_text(cell, true, number), column[c].name};

			if (joined(path, parts))
				return report_expect_take(&cell[c], value);
		}
	return false;
}

static bool report_expect_number(const struct report *r, const char *path, double *value)
{
	struct report_path here = {.depth = 0};

	for (size_t i = 0; r && i < r->items.count; i++) {
		const struct report_item *item = &r->items.at[i];
		const char *const parts[3] = {here.text, item->name, ""};

		switch (item->kind) {
		case ITEM_GROUP: report_path_enter(&here, item->name); break;
		case ITEM_END: report_path_leave(&here); break;
		case ITEM_TABLE:
			report_path_enter(&here, item->name);
			if (find_cell(r, &i, here.text, path, value))
				return true;
			report_path_leave(&here);
			break;
		default:
			if (joined(path, parts))
				return report_expect_take(item, value);
		}
	}
	return false;
}

bool report_number(const struct report *r, const char *path, double *value)
{
	char present[NAME_ROOM];

	return report_expect_number(r, path, value) ||
	       (renamed_path(path, present, sizeof(present)) && report_expect_number(r, present, value));
}

enum relation { EQUAL, AT_LEAST, AT_MOST };
struct expectation {
	char path[256];
	enum relation relation;
	double value, tolerance;
};

/* Reads a finite number at the start of `text`; sets `*end` behind it. */
static bool report_expect_read_number(const char *text, char **end, double *value)
{
	errno = 0;
	*value = strtod(text, end);
	return *end != text && !isspace((unsigned char)*text) && isfinite(*value);
}

static int report_expect_parse(const char *text, struct expectation *x, struct err *e)
{
	size_t length = strcspn(text, "<>=");
	const char *at = text + length;
	char *end;

	x->relation = *at == '>' ? AT_LEAST : *at == '<' ? AT_MOST : EQUAL;
	x->tolerance = 0;
	at += x->relation != EQUAL;
	if (!length || length >= sizeof(x->path) || *at++ != '=' || !report_expect_read_number(at, &end, &x->value))
		goto malformed;
	snprintf(x->path, sizeof(x->path), "%.*s", (int)length, text);
	if (x->relation == EQUAL && *end) {
		size_t sign = !strncmp(end, "+-", 2) || !strncmp(end, "\xc2\xb1", 2) ? 2 : 0;

		if (!sign || !report_expect_read_number(end + sign, &end, &x->tolerance) || x->tolerance < 0)
			goto malformed;
		if (*end == '%') {
			x->tolerance *= fabs(x->value) / 100;
			end++;
		}
	}
	if (!*end)
		return 0;
malformed:
	return err_set(e, STATUS_USAGE,
		       "--expect '%s': malformed, expected NAME=VALUE, NAME=VALUE+-TOLERANCE "
		       "(a number or N%%), NAME>=VALUE or NAME<=VALUE; numbers in the unit that --format csv shows",
		       text);
}

int report_expect_check(const char *text, struct err *e)
{
	struct expectation x;

	return report_expect_parse(text, &x, e);
}

/* Offers a name that the caller overwrites later: copies the best one. */
static void report_expect_offer(struct near *n, char kept[NAME_ROOM], const char *name)
{
	near_offer(n, name);
	if (n->best == name) {
		snprintf(kept, NAME_ROOM, "%s", name);
		n->best = kept;
	}
}

/* Offers the names of numbers that report_number knows: those of groups, and a table's cells. */
static void offer_cells(const struct report *r, size_t *at, const char *group, struct near *n, char kept[NAME_ROOM])
{
	size_t columns = (size_t)r->items.at[*at].value.u64, rows;
	const struct report_item *column = &r->items.at[*at + 1], *cell = column + columns;
	char number[REPORT_CELL_MAX], name[NAME_ROOM];

	rows = report_rows(r, *at, at);
	for (size_t row = 0; row < rows; row++, cell += columns)
		for (size_t c = 1; c < columns; c++) {
			snprintf(name, sizeof(name), "%.160s.%.160s.%.160s", group,
				 report_value_text(cell, true, number), column[c].name);
			if (cell[c].kind != ITEM_TEXT)
				report_expect_offer(n, kept, name);
		}
}

static int no_number(const struct report *r, const char *text, const char *path, struct err *e)
{
	struct near n = near_start(path);
	struct report_path here = {.depth = 0};
	char name[NAME_ROOM], kept[NAME_ROOM];

	for (size_t i = 0; i < r->items.count; i++) {
		const struct report_item *item = &r->items.at[i];

		if (item->kind == ITEM_GROUP) {
			report_path_enter(&here, item->name);
		} else if (item->kind == ITEM_END) {
			report_path_leave(&here);
		} else if (item->kind == ITEM_TABLE) {
			report_path_enter(&here, item->name);
			offer_cells(r, &i, here.text, &n, kept);
			report_path_leave(&here);
		} else if (item->kind != ITEM_TEXT) {
			snprintf(name, sizeof(name), "%.250s%s%.250s", here.text, *here.text ? "." : "", item->name);
			report_expect_offer(&n, kept, name);
		}
	}
	return err_set(e, STATUS_USAGE, "--expect '%s': the report has no number %s%s%s%s", text, path,
		       n.best ? ", did you mean " : "", n.best ? n.best : "", n.best ? "?" : "");
}

int report_expect(const struct report *r, const char *text, struct err *e)
{
	static const char *const relations[] = {"", "at least ", "at most "};
	struct expectation x;
	char tolerance[40] = "", is[40], expected[40];
	double value;
	bool met;

	if (report_expect_parse(text, &x, e))
		return -1;
	if (!report_number(r, x.path, &value))
		return no_number(r, text, x.path, e);
	met = x.relation == AT_LEAST  ? value >= x.value
	      : x.relation == AT_MOST ? value <= x.value
				      : fabs(value - x.value) <= x.tolerance;
	if (met)
		return 0;
	if (x.tolerance > 0)
		snprintf(tolerance, sizeof(tolerance), " +- %.6g", x.tolerance);
	for (int digits = 9; digits <= 17; digits += 8) { /* 17 distinguish any two */
		snprintf(is, sizeof(is), "%.*g", digits, value);
		snprintf(expected, sizeof(expected), "%.*g", digits, x.value);
		if (strcmp(is, expected) != 0)
			break;
	}
	return err_set(e, STATUS_EXPECT, "%s is %s, expected %s%s%s", x.path, is, relations[x.relation], expected,
		       tolerance);
}
