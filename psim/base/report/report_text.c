/*
 * The report for people: a heading a group, a line a value, aligned. A description that ends behind column 120 goes on
 * in a line of its own, below itself.
 */
#include <string.h>

#include "../escape.h"
#include "../mem.h"
#include "out.h"
#include "report_tree.h"

enum { DOC_LEAST = 24 }; /* characters that a line of a description has at least */

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

/* Writes a text up to `end`. */
static void put_words(FILE *out, const char *text, const char *end)
{
	char shown[ESCAPE_MAX];

	while (text < end) {
		text = escape_next(text, shown);
		fputs(shown, out);
	}
}

/* Writes a text behind `used` characters of a line; the rest in lines that begin with `column` blanks and `mark`. */
static void put_in_lines(FILE *out, const char *text, int used, int column, const char *mark)
{
	const char *end = report_line_end(text, larger(REPORT_LINE - used, 1));

	put_words(out, text, end);
	for (text = end + strspn(end, " "); *text; text = end + strspn(end, " ")) {
		fprintf(out, "\n%*s%s", column, "", mark);
		end = report_line_end(text, REPORT_LINE - column - (int)strlen(mark));
		put_words(out, text, end);
	}
}

/* Writes a description at `column`, behind a value that ends at `used`; below a long value if it has no room there. */
static void put_doc(FILE *out, const char *doc, int used, int column)
{
	static const char mark[] = "  # ";
	int begin = larger(used, column), length = (int)strlen(mark), width = escape_width(doc);
	bool fits = begin + length + width <= REPORT_LINE;

	if (!fits && begin + length + DOC_LEAST > REPORT_LINE && column + length + DOC_LEAST <= REPORT_LINE) {
		fputc('\n', out);
		used = 0;
		begin = column;
	}
	pad(out, used, begin);
	fputs(mark, out);
	if (begin + length + DOC_LEAST > REPORT_LINE)
		escape_text(out, doc);
	else
		put_in_lines(out, doc, begin + length, begin, mark);
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
	if (*item->doc)
		put_doc(out, item->doc, 4 + w.name + used, 4 + w.name + w.value + 1 + w.unit);
	fputc('\n', out);
}

/* The table at `at` with the columns of `names`; returns the place of its end. */
static size_t put_table(const struct report *r, size_t at, const char *names, FILE *out)
{
	size_t end, rows = report_rows(r, at, &end);

	report_put_table(&r->items.at[at], rows, names, out);
	return end;
}

static void put_heading(FILE *out, const struct report_path *path, const char *doc, bool *first)
{
	if (!*first)
		fputc('\n', out);
	*first = false;
	escape_text(out, path->text);
	fputs(*doc ? ": " : "", out);
	put_in_lines(out, doc, escape_width(path->text) + 2, 4, "");
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
			i = put_table(r, i, NULL, out);
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
			put_table(r, i, picks[n].names, out);
			continue;
		}
		for (i++; r->items.at[i].kind >= ITEM_U64; i++)
			if (report_picked(picks[n].names, r->items.at[i].name))
				put_value(out, &r->items.at[i], w);
	}
	return out_check(out, "report", e);
}
