/*
 * The report as a page that needs no server and no network: page.html with the data where its mark is. The data is the
 * report as it is, with units and meanings, so that the page can name both:
 *
 *     group  {"n": name, "d": meaning, "i": [items]}
 *     table  {"n": name, "d": meaning, "c": [[column, unit], ...], "r": [[cell, ...], ...], "m": rows that it lacks}
 *     value  {"n": name, "d": meaning, "u": unit, "v": number or text}
 */
#include <stdlib.h>
#include <string.h>

#include "../mem.h"
#include "out.h"
#include "report_json.h"
#include "report_page.h"
#include "report_tree.h"

static int name_item(json_t *object, const struct report_item *item)
{
	return json_object_set_new(object, "n", report_json_text(item->name)) |
	       json_object_set_new(object, "d", report_json_text(item->doc));
}

static int add_columns(json_t *table, const struct report_item *columns, size_t count)
{
	json_t *all = json_array();
	int result = json_object_set_new(table, "c", all);

	for (size_t c = 0; c < count && !result; c++) {
		json_t *column = json_array();

		result = json_array_append_new(all, column) |
			 json_array_append_new(column, report_json_text(columns[c].name)) |
			 json_array_append_new(column, report_json_text(columns[c].unit));
	}
	return result;
}

/* ---- tables of very many rows: those with the largest cells ---- */
struct page_rows {
	double *value; /* of each row; NULL: all rows are written */
	double least;  /* rows with at least this value are written, and of this value so many: */
	size_t ties, dropped;
};

static double page_cell(const struct report_item *cell)
{
	return cell->kind == ITEM_U64 ? (double)cell->value.u64 : cell->kind == ITEM_F64 ? cell->value.f64 : 0;
}

static int page_by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* Sets `p` to the rows of the table whose cells begin at `cell`. 0, or -1: memory is short. */
static int page_rows_choose(struct page_rows *p, const struct report_item *cell, size_t rows, size_t columns, size_t by,
			    unsigned most)
{
	double *sorted = mem_alloc(rows, sizeof(*sorted), NULL);

	p->value = mem_alloc(rows, sizeof(*p->value), NULL);
	if (!sorted || !p->value) {
		free(sorted);
		return -1;
	}
	for (size_t row = 0; row < rows; row++)
		sorted[row] = p->value[row] = page_cell(&cell[row * columns + by]);
	qsort(sorted, rows, sizeof(*sorted), page_by_size);
	p->least = sorted[most - 1];
	for (size_t n = 0; n < most; n++)
		p->ties += sorted[n] == p->least;
	p->dropped = rows - most;
	free(sorted);
	return 0;
}

/* Returns whether the next row is written. */
static bool page_rows_take(struct page_rows *p, size_t row)
{
	if (!p->value || p->value[row] > p->least)
		return true;
	if (p->value[row] < p->least || !p->ties)
		return false;
	p->ties--;
	return true;
}

/* Returns the column of that name; `columns`: there is none. */
static size_t page_column(const struct report_item *column, size_t columns, const char *name, size_t length)
{
	size_t c = 0;

	while (c < columns && (strncmp(column[c].name, name, length) != 0 || column[c].name[length]))
		c++;
	return c;
}

/* Bounds a table if it is one of report_page_most. 0, or -1: memory is short. */
static int page_rows_bound(struct page_rows *p, const struct report *r, const struct report_item *table, size_t rows)
{
	size_t columns = (size_t)table->value.u64;

	*p = (struct page_rows){.value = NULL};
	for (unsigned n = 0; n < r->most_count; n++) {
		const struct report_most *m = &r->most[n];

		if (strcmp(m->table, table->name) != 0 || rows <= m->rows)
			continue;
		for (const char *name = m->by; *name; name += strcspn(name, " "), name += *name == ' ') {
			size_t by = page_column(table + 1, columns, name, strcspn(name, " "));

			if (by < columns)
				return page_rows_choose(p, table + 1 + columns, rows, columns, by, m->rows);
		}
	}
	return 0;
}

static int add_page_rows(json_t *table, const struct report_item *cell, size_t rows, size_t columns,
			 struct page_rows *p)
{
	json_t *all = json_array();
	int result = json_object_set_new(table, "r", all);

	for (size_t row = 0; row < rows && !result; row++, cell += columns) {
		json_t *line;

		if (!page_rows_take(p, row))
			continue;
		line = json_array();
		result = json_array_append_new(all, line);
		for (size_t c = 0; c < columns && !result; c++)
			result = json_array_append_new(line, report_json_value(&cell[c]));
	}
	return result;
}

/* Adds the table `at` and its rows; "m": rows that the page leaves out. */
static int add_page_table(json_t *object, const struct report *r, const struct report_item *at, size_t rows)
{
	size_t columns = (size_t)at->value.u64;
	struct page_rows p;
	int result = page_rows_bound(&p, r, at, rows) || add_columns(object, at + 1, columns) ||
		     add_page_rows(object, at + 1 + columns, rows, columns, &p);

	if (!result && p.dropped)
		result = json_object_set_new(object, "m", json_integer((json_int_t)p.dropped));
	free(p.value);
	return result;
}

/* Fills `list` from the items at `*at` up to the end of their group. */
static int add_page_items(const struct report *r, size_t *at, json_t *list)
{
	for (; *at < r->items.count && r->items.at[*at].kind != ITEM_END; ++*at) {
		const struct report_item *item = &r->items.at[*at];
		json_t *object = json_object();
		int result = json_array_append_new(list, object);

		if (!result)
			result = name_item(object, item);
		if (!result && item->kind == ITEM_GROUP) {
			json_t *inner = json_array();

			++*at;
			result = json_object_set_new(object, "i", inner) || add_page_items(r, at, inner);
		} else if (!result && item->kind == ITEM_TABLE) {
			size_t rows = report_rows(r, *at, at);

			result = add_page_table(object, r, item, rows);
		} else if (!result) {
			result = json_object_set_new(object, "u", report_json_text(item->unit)) |
				 json_object_set_new(object, "v", report_json_value(item));
		}
		if (result)
			return -1;
	}
	return 0;
}

int report_write_html(const struct report *r, FILE *out, struct err *e)
{
	json_t *list = json_array();
	size_t at = 0;
	int result = 0;

	if (!list || add_page_items(r, &at, list)) {
		result = mem_short(e);
	} else {
		fputs(report_page_head, out);
		result = report_json_dump(list, out, JSON_COMPACT | JSON_ESCAPE_SLASH | JSON_REAL_PRECISION(12));
		fputs(report_page_tail, out);
		result = result && !ferror(out) ? mem_short(e) : out_check(out, "report", e);
	}
	json_decref(list);
	return result;
}
