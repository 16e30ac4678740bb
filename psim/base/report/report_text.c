/* The report for people: a heading a group, a line a value, aligned. */
#include <string.h>

#include "../escape.h"
#include "../mem.h"
#include "out.h"
#include "report_tree.h"

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
	escape_text(out, text);
	pad(out, escape_width(text), width);
}

static void put_right(FILE *out, const char *text, int width)
{
	pad(out, escape_width(text), width);
	escape_text(out, text);
}

/* Returns whether `name` is one of the words of `names`; NULL: all. */
static bool picked(const char *names, const char *name)
{
	size_t n = strlen(name);

	if (!names)
		return true;
	while (*names) {
		size_t length = strcspn(names, " ");

		if (length == n && !strncmp(names, name, n))
			return true;
		names += length;
		names += strspn(names, " ");
	}
	return false;
}

struct widths {
	int name, value, unit;
};

/* Measures the values of one group that directly follow `at`. */
static struct widths report_text_measure(const struct report *r, size_t at)
{
	struct widths w = {20, 12, 0};
	char number[REPORT_CELL_MAX];

	for (; at < r->items.count && r->items.at[at].kind >= ITEM_U64; at++) {
		const struct report_item *item = &r->items.at[at];
		struct report_style style = report_style(item, 1, 0, item->unit, 0);

		w.name = larger(w.name, escape_width(item->name));
		w.unit = larger(w.unit, escape_width(style.prefix) + escape_width(item->unit));
		if (item->kind != ITEM_TEXT)
			w.value = larger(w.value, escape_width(report_styled_text(item, &style, number)));
	}
	return w;
}

static void put_value(FILE *out, const struct report_item *item, struct widths w)
{
	char number[REPORT_CELL_MAX];
	struct report_style style = report_style(item, 1, 0, item->unit, 0);
	const char *text = report_styled_text(item, &style, number);
	int used;

	fputs("  ", out);
	put_left(out, item->name, w.name);
	fputs("  ", out);
	if (item->kind == ITEM_TEXT) {
		escape_text(out, text);
		used = escape_width(text);
	} else {
		put_right(out, text, w.value);
		used = w.value;
	}
	if (*item->unit) {
		fprintf(out, " %s", style.prefix);
		escape_text(out, item->unit);
		used += 1 + escape_width(style.prefix) + escape_width(item->unit);
	}
	if (*item->doc) {
		pad(out, used, w.value + 1 + w.unit);
		fputs("  # ", out);
		escape_text(out, item->doc);
	}
	fputc('\n', out);
}

struct column {
	const struct report_item *item; /* its name and unit */
	const struct report_item *cell; /* of the first row */
	struct report_style style;
	bool left; /* text */
	int width;
};

struct table {
	struct column column[REPORT_TEXT_COLUMNS_MAX]; /* the columns shown */
	size_t column_count;
	size_t row_count, step; /* items from one row to the next */
	bool units;
};

/* The largest value of column `c` and of those shown with the same unit that are not much larger. */
static double largest_beside(const struct table *t, const struct report_item *columns, const char *names, size_t c)
{
	const struct report_item *cells = columns + t->step;
	double own = report_largest(&cells[c], t->row_count, t->step), most = own;

	for (size_t k = 0; k < t->step && *columns[c].unit; k++) {
		double other;

		if (k == c || strcmp(columns[k].unit, columns[c].unit) != 0 || !picked(names, columns[k].name))
			continue;
		other = report_largest(&cells[k], t->row_count, t->step);
		most = other > most && other < REPORT_SAME_PREFIX * own ? other : most;
	}
	return most;
}

static void add_column(struct table *t, const struct report_item *columns, const char *names, size_t n)
{
	const struct report_item *item = &columns[n], *cell = &columns[t->step + n];
	struct column *c = &t->column[t->column_count++];
	char number[REPORT_CELL_MAX];

	*c = (struct column){.item = item, .cell = cell};
	c->style = report_style(cell, t->row_count, t->step, item->unit, largest_beside(t, columns, names, n));
	c->left = t->row_count && cell->kind == ITEM_TEXT;
	c->width = larger(escape_width(item->name), escape_width(c->style.prefix) + escape_width(item->unit));
	for (size_t row = 0; row < t->row_count; row++)
		c->width = larger(c->width, escape_width(report_styled_text(&cell[row * t->step], &c->style, number)));
	t->units = t->units || *item->unit;
}

/* One line of a table: the names, the units, or a row; ends after its last text. */
static void report_text_put_line(FILE *out, const struct table *t, const char *const *texts)
{
	size_t columns = t->column_count;

	while (columns && !*texts[columns - 1])
		columns--;
	fputs(" ", out);
	for (size_t c = 0; c < columns; c++) {
		bool last = c + 1 == columns;

		fputs(" ", out);
		if (!t->column[c].left)
			put_right(out, texts[c], t->column[c].width);
		else
			put_left(out, texts[c], last ? 0 : t->column[c].width);
		if (!last)
			fputs(" ", out);
	}
	fputc('\n', out);
}

static void put_lines(FILE *out, const struct table *t)
{
	char numbers[REPORT_TEXT_COLUMNS_MAX][REPORT_CELL_MAX];
	const char *texts[REPORT_TEXT_COLUMNS_MAX];

	for (size_t c = 0; c < t->column_count; c++)
		texts[c] = t->column[c].item->name;
	report_text_put_line(out, t, texts);
	for (size_t c = 0; c < t->column_count; c++) {
		snprintf(numbers[c], REPORT_CELL_MAX, "%s%s", t->column[c].style.prefix, t->column[c].item->unit);
		texts[c] = numbers[c];
	}
	if (t->units)
		report_text_put_line(out, t, texts);
	for (size_t row = 0; row < t->row_count; row++) {
		for (size_t c = 0; c < t->column_count; c++)
			texts[c] =
				report_styled_text(&t->column[c].cell[row * t->step], &t->column[c].style, numbers[c]);
		report_text_put_line(out, t, texts);
	}
}

/* The table at `at` with the columns of `names`; returns the place of its end. */
static size_t report_text_put_table(const struct report *r, size_t at, const char *names, FILE *out)
{
	const struct report_item *columns = &r->items.at[at + 1];
	struct table t = {.step = (size_t)r->items.at[at].value.u64};
	size_t end;

	if (t.step > REPORT_TEXT_COLUMNS_MAX)
		bug("table %s has %zu columns", r->items.at[at].name, t.step);
	t.row_count = report_rows(r, at, &end);
	for (size_t c = 0; c < t.step; c++)
		if (picked(names, columns[c].name))
			add_column(&t, columns, names, c);
	put_lines(out, &t);
	return end;
}

static void put_heading(FILE *out, const struct report_path *path, const char *doc, bool *first)
{
	if (!*first)
		fputc('\n', out);
	*first = false;
	escape_text(out, path->text);
	fputs(*doc ? ": " : "", out);
	escape_text(out, doc);
	fputc('\n', out);
}

int report_write_text(const struct report *r, FILE *out, struct err *e)
{
	struct report_path path = {.depth = 0};
	struct widths w = report_text_measure(r, 0);
	bool first = true, plain = true; /* plain: the last item written is a value of this group */

	for (size_t i = 0; i < r->items.count; i++) {
		const struct report_item *item = &r->items.at[i];

		switch (item->kind) {
		case ITEM_TABLE:
			report_path_enter(&path, item->name);
			put_heading(out, &path, item->doc, &first);
			report_path_leave(&path);
			i = report_text_put_table(r, i, NULL, out);
			plain = false;
			break;
		case ITEM_GROUP:
			report_path_enter(&path, item->name);
			w = report_text_measure(r, i + 1);
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
			if (!plain) { /* values after a nested group: repeat the heading */
				w = report_text_measure(r, i);
				if (path.depth)
					put_heading(out, &path, "", &first);
				plain = true;
			}
			put_value(out, item, w);
			first = false;
		}
	}
	return out_check(out, "report", e);
}

/* Returns the index of the group or table at `path`, or the number of items. */
static size_t report_text_find(const struct report *r, const char *path)
{
	struct report_path here = {.depth = 0};

	for (size_t i = 0; i < r->items.count; i++) {
		const struct report_item *item = &r->items.at[i];

		if (item->kind == ITEM_END)
			report_path_leave(&here);
		if (item->kind != ITEM_GROUP && item->kind != ITEM_TABLE)
			continue;
		report_path_enter(&here, item->name);
		if (!strcmp(here.text, path))
			return i;
	}
	return r->items.count;
}

int report_write_picks(const struct report *r, const struct report_pick *picks, unsigned count, FILE *out,
		       struct err *e)
{
	struct report_path path = {.depth = 0};
	bool first = true;

	if (!r || r->short_of_memory)
		return mem_short(e);
	for (unsigned n = 0; n < count; n++) {
		size_t i = report_text_find(r, picks[n].path);
		struct widths w = report_text_measure(r, i + 1);

		if (i == r->items.count)
			continue;
		report_path_enter(&path, picks[n].path);
		put_heading(out, &path, r->items.at[i].doc, &first);
		report_path_leave(&path);
		if (r->items.at[i].kind == ITEM_TABLE) {
			report_text_put_table(r, i, picks[n].names, out);
			continue;
		}
		for (i++; r->items.at[i].kind >= ITEM_U64; i++)
			if (picked(picks[n].names, r->items.at[i].name))
				put_value(out, &r->items.at[i], w);
	}
	return out_check(out, "report", e);
}
