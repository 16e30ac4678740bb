/* The report for people: a heading a group, a line a value, aligned. */
#include <string.h>

#include "out.h"
#include "report_tree.h"

/* Characters on the screen: bytes that do not continue a UTF-8 sequence. */
static int width_of(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* Pads with blanks from `used` characters to `width`. */
static void pad(FILE *out, int used, int width)
{
	if (used < width)
		fprintf(out, "%*s", width - used, "");
}

static void put_left(FILE *out, const char *text, int width)
{
	fputs(text, out);
	pad(out, width_of(text), width);
}

static void put_right(FILE *out, const char *text, int width)
{
	pad(out, width_of(text), width);
	fputs(text, out);
}

struct widths {
	int name, value, unit;
};

/* Of the values that directly follow `at` in one group. */
static struct widths measure(const struct report *r, size_t at)
{
	struct widths w = {20, 12, 0};
	char number[REPORT_CELL_MAX];

	for (; at < r->items.count && r->items.at[at].kind >= ITEM_U64; at++) {
		const struct report_item *item = &r->items.at[at];

		w.name = larger(w.name, width_of(item->name));
		w.unit = larger(w.unit, width_of(item->unit));
		if (item->kind != ITEM_TEXT)
			w.value = larger(w.value, width_of(report_value_text(item, false, number)));
	}
	return w;
}

static void put_value(FILE *out, const struct report_item *item, struct widths w)
{
	char number[REPORT_CELL_MAX];
	const char *text = report_value_text(item, false, number);
	int used;

	fputs("  ", out);
	put_left(out, item->name, w.name);
	fputs("  ", out);
	if (item->kind == ITEM_TEXT) {
		fputs(text, out);
		used = width_of(text);
	} else {
		put_right(out, text, w.value);
		used = w.value;
	}
	if (*item->unit) {
		fprintf(out, " %s", item->unit);
		used += 1 + width_of(item->unit);
	}
	if (*item->doc) {
		pad(out, used, w.value + 1 + w.unit);
		fprintf(out, "  # %s", item->doc);
	}
	fputc('\n', out);
}

/* One line of a table: the names, the units, or a row. */
enum table_line { LINE_NAME, LINE_UNIT, LINE_CELL };

static const char *cell_text(const struct report_item *item, enum table_line line,
                             char number[REPORT_CELL_MAX])
{
	return line == LINE_NAME   ? item->name
	       : line == LINE_UNIT ? item->unit
	                           : report_value_text(item, false, number);
}

struct table {
	const struct report_item *columns, *cells;
	size_t column_count, row_count;
};

static int column_width(const struct table *t, size_t column)
{
	char number[REPORT_CELL_MAX];
	int w = larger(width_of(t->columns[column].name), width_of(t->columns[column].unit));

	for (size_t row = 0; row < t->row_count; row++)
		w = larger(w, width_of(cell_text(&t->cells[row * t->column_count + column],
		                                 LINE_CELL, number)));
	return w;
}

static void put_line(FILE *out, const struct table *t, const struct report_item *items,
                     enum table_line line, const int *widths)
{
	char number[REPORT_CELL_MAX];

	fputs(" ", out);
	for (size_t c = 0; c < t->column_count; c++) {
		const char *text = cell_text(&items[c], line, number);
		bool is_text = t->row_count && t->cells[c].kind == ITEM_TEXT;

		fputs(" ", out);
		if (!is_text)
			put_right(out, text, widths[c]);
		else if (c + 1 < t->column_count)
			put_left(out, text, widths[c]);
		else
			fputs(text, out);
		if (c + 1 < t->column_count)
			fputs(" ", out);
	}
	fputc('\n', out);
}

enum { COLUMNS_MAX = 64 };

static size_t put_table(const struct report *r, size_t at, FILE *out)
{
	int widths[COLUMNS_MAX];
	struct table t = {&r->items.at[at + 1], NULL, (size_t)r->items.at[at].value.u64, 0};
	bool units = false;
	size_t end;

	if (t.column_count > COLUMNS_MAX)
		bug("table %s has %zu columns", r->items.at[at].name, t.column_count);
	t.row_count = report_rows(r, at, &end);
	t.cells = t.columns + t.column_count;
	for (size_t c = 0; c < t.column_count; c++) {
		widths[c] = column_width(&t, c);
		units = units || *t.columns[c].unit;
	}
	put_line(out, &t, t.columns, LINE_NAME, widths);
	if (units)
		put_line(out, &t, t.columns, LINE_UNIT, widths);
	for (size_t row = 0; row < t.row_count; row++)
		put_line(out, &t, t.cells + row * t.column_count, LINE_CELL, widths);
	return end;
}

static void put_heading(FILE *out, const struct report_path *path, const char *doc, bool *first)
{
	if (!*first)
		fputc('\n', out);
	*first = false;
	fprintf(out, "%s%s%s\n", path->text, *doc ? ": " : "", doc);
}

int report_write_text(const struct report *r, FILE *out, struct err *e)
{
	struct report_path path = {.depth = 0};
	struct widths w = measure(r, 0);
	bool first = true,
	     plain = true; /* plain: the last thing written was a value of this group */

	for (size_t i = 0; i < r->items.count; i++) {
		const struct report_item *item = &r->items.at[i];

		switch (item->kind) {
		case ITEM_TABLE:
			report_path_enter(&path, item->name);
			put_heading(out, &path, item->doc, &first);
			report_path_leave(&path);
			i = put_table(r, i, out);
			plain = false;
			break;
		case ITEM_GROUP:
			report_path_enter(&path, item->name);
			w = measure(r, i + 1);
			/* a group that holds only groups needs no heading of its own */
			if (i + 1 < r->items.count && r->items.at[i + 1].kind != ITEM_GROUP)
				put_heading(out, &path, item->doc, &first);
			plain = true;
			break;
		case ITEM_END:
			report_path_leave(&path);
			plain = false;
			break;
		default:
			if (!plain) { /* values after a nested group: say whose they are */
				w = measure(r, i);
				if (path.depth)
					put_heading(out, &path, "", &first);
				plain = true;
			}
			put_value(out, item, w);
			first = false;
		}
	}
	return fflush(out) || ferror(out) ? out_error("report", e) : 0;
}
