/*
 * Tables for people, in lines of at most 120 characters. One that is wider has its sentences on several lines,
 * then its names, then all texts. If that does not suffice, a table of more than 160 characters has its columns
 * below each other, each part with the first column again.
 */
#include <string.h>

#include "../escape.h"
#include "report_tree.h"

enum {
	LINE = REPORT_LINE,
	LINE_MOST = 160, /* characters of a table that is in one piece nevertheless */
	SENTENCE = 48,   /* characters that a text keeps before names take several lines */
	TEXT_LEAST = 24, /* characters that a text keeps, if it has them */
};

struct column {
	const struct report_item *item; /* its name and unit */
	const struct report_item *cell; /* of the first row */
	struct report_style style;
	bool left;        /* text */
	int cells, width; /* of the widest cell or unit, and of the column */
};

struct table {
	struct column column[REPORT_TEXT_COLUMNS_MAX]; /* the columns shown */
	size_t column_count;
	size_t row_count, step; /* items from one row to the next */
	bool units;
};

static int wider(int a, int b)
{
	return a > b ? a : b;
}

/* ---- lines of a text ---- */
/* Characters on the screen of one character as escape_next shows it. */
static int shown_width(const char *shown)
{
	return (unsigned char)*shown < 0x80 ? (int)strlen(shown) : 1;
}

const char *report_line_end(const char *text, int width)
{
	const char *blank = NULL, *point = NULL, *mark = NULL, *at = text;
	char shown[ESCAPE_MAX];

	for (int used = 0; *at;) {
		const char *next = escape_next(at, shown);

		if (*at == ' ')
			blank = at;
		else if (at > text && at[-1] == '.')
			point = at;
		else if (at > text && strchr("_/=,-", at[-1]))
			mark = at;
		used += shown_width(shown);
		if (used > width && at > text)
			return blank > text ? blank : point ? point : mark ? mark : at;
		at = next;
	}
	return at;
}

/* The characters of the longest part of a name that no line end divides. */
static int longest_part(const char *name)
{
	int longest = 0, part = 0;

	for (; *name; name++) {
		part++;
		longest = wider(longest, part);
		if (strchr("._ ", *name))
			part = 0;
	}
	return longest;
}

/* Writes the line of `text` that ends at `end`, in `width` characters; returns the rest of the text. */
static const char *put_piece(FILE *out, const char *text, const char *end, const struct column *c, bool last)
{
	char shown[ESCAPE_MAX];
	int used = 0;

	for (const char *at = text; at < end; used += shown_width(shown))
		at = escape_next(at, shown);
	if (!c->left && used < c->width)
		fprintf(out, "%*s", c->width - used, "");
	for (const char *at = text; at < end;) {
		at = escape_next(at, shown);
		fputs(shown, out);
	}
	if (c->left && !last && used < c->width)
		fprintf(out, "%*s", c->width - used, "");
	return end + strspn(end, " ");
}

/* ---- columns ---- */
bool report_picked(const char *names, const char *name)
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

/* The largest value of column `c` and of those shown with the same unit that are not much larger. */
static double largest_beside(const struct table *t, const struct report_item *columns, const char *names, size_t c)
{
	const struct report_item *cells = columns + t->step;
	double own = report_largest(&cells[c], t->row_count, t->step), most = own;

	for (size_t k = 0; k < t->step && *columns[c].unit; k++) {
		double other;

		if (k == c || strcmp(columns[k].unit, columns[c].unit) != 0 || !report_picked(names, columns[k].name))
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
	c->cells = escape_width(c->style.prefix) + escape_width(item->unit);
	for (size_t row = 0; row < t->row_count; row++)
		c->cells = wider(c->cells, escape_width(report_styled_text(&cell[row * t->step], &c->style, number)));
	t->units = t->units || *item->unit;
}

/* How many of the columns from `from` on fit a line beside the first. */
static size_t columns_that_fit(const struct table *t, size_t from)
{
	int used = from ? 2 + t->column[0].width : 0;
	size_t n = from;

	while (n < t->column_count && (used + 2 + t->column[n].width <= LINE || n == from))
		used += 2 + t->column[n++].width;
	return n - from;
}

/* Makes columns as wide as their names and cells; returns the width of the table. */
static int widen(struct table *t)
{
	int width = 0;

	for (size_t n = 0; n < t->column_count; n++) {
		t->column[n].width = wider(escape_width(t->column[n].item->name), t->column[n].cells);
		width += 2 + t->column[n].width;
	}
	return width;
}

/* The width that a column keeps: of its name, or (`names`) the longest part of it, and of cells, texts up to `text`. */
static int least_width(const struct column *c, bool names, int text)
{
	const int name = names ? longest_part(c->item->name) : escape_width(c->item->name);

	return wider(name, c->left && c->cells > text ? text : c->cells);
}

/* Makes the widest columns narrower until a line has all, but none narrower than it has to be. */
static void narrow(struct table *t, bool names, int text)
{
	while (columns_that_fit(t, 0) < t->column_count) {
		struct column *widest = NULL;

		for (size_t n = 0; n < t->column_count; n++) {
			struct column *c = &t->column[n];

			if (c->width > least_width(c, names, text) && (!widest || c->width > widest->width))
				widest = c;
		}
		if (!widest)
			return;
		widest->width--;
	}
}

/* Sets the widths of columns; returns whether a line has all of them. */
static bool fit(struct table *t)
{
	const int width = widen(t);

	narrow(t, false, SENTENCE);
	narrow(t, true, SENTENCE);
	narrow(t, true, TEXT_LEAST);
	if (columns_that_fit(t, 0) == t->column_count)
		return true;
	if (width > LINE_MOST)
		return false;
	widen(t);
	return true;
}

/* ---- lines of a table ---- */
/* The number of texts up to the last that is not empty. */
static size_t used_columns(const char *const *texts, size_t count)
{
	while (count && !*texts[count - 1])
		count--;
	return count;
}

/* A row: lines until its texts end, each up to its last text. */
static void put_row(FILE *out, const struct column *const *shown, size_t count, const char **texts)
{
	do {
		const size_t used = used_columns(texts, count);

		fputs(" ", out);
		for (size_t n = 0; n < used; n++) {
			const char *end = report_line_end(texts[n], shown[n]->width);

			fputs(" ", out);
			texts[n] = put_piece(out, texts[n], end, shown[n], n + 1 == used);
			if (n + 1 < used)
				fputs(" ", out);
		}
		fputc('\n', out);
	} while (used_columns(texts, count));
}

/* The names, units and rows of some columns. */
static void put_columns(FILE *out, const struct table *t, const struct column *const *shown, size_t count)
{
	char numbers[REPORT_TEXT_COLUMNS_MAX][REPORT_CELL_MAX];
	const char *texts[REPORT_TEXT_COLUMNS_MAX];

	for (size_t c = 0; c < count; c++)
		texts[c] = shown[c]->item->name;
	put_row(out, shown, count, texts);
	for (size_t c = 0; c < count; c++) {
		snprintf(numbers[c], REPORT_CELL_MAX, "%s%s", shown[c]->style.prefix, shown[c]->item->unit);
		texts[c] = numbers[c];
	}
	if (t->units)
		put_row(out, shown, count, texts);
	for (size_t row = 0; row < t->row_count; row++) {
		for (size_t c = 0; c < count; c++)
			texts[c] = report_styled_text(&shown[c]->cell[row * t->step], &shown[c]->style, numbers[c]);
		put_row(out, shown, count, texts);
	}
}

/* Each part of the columns that a line has room for, or (`whole`) all. */
static void put_parts(FILE *out, const struct table *t, bool whole)
{
	const struct column *shown[REPORT_TEXT_COLUMNS_MAX] = {&t->column[0]};

	for (size_t from = 0; from < t->column_count;) {
		const size_t count = whole ? t->column_count : columns_that_fit(t, from), first = from > 0;

		for (size_t n = 0; n < count; n++)
			shown[first + n] = &t->column[from + n];
		put_columns(out, t, shown, first + count);
		from += count;
	}
}

void report_put_table(const struct report_item *table, size_t rows, const char *names, FILE *out)
{
	const struct report_item *columns = table + 1;
	struct table t = {.step = (size_t)table->value.u64, .row_count = rows};

	if (t.step > REPORT_TEXT_COLUMNS_MAX)
		bug("table %s has %zu columns", table->name, t.step);
	for (size_t c = 0; c < t.step; c++)
		if (report_picked(names, columns[c].name))
			add_column(&t, columns, names, c);
	put_parts(out, &t, fit(&t));
}
