/* Compares tables with numbered rows (each rank): a line for each column instead of one for each row. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "compare_parts.h"

enum { TOP = 3 };

/* A column of such a table: "ranks" and "time". */
struct column {
	const char *name; /* of the first value seen: owned by the result */
	size_t table, at; /* lengths: of the table's name, and up to the column's */
	size_t rows, changed, only_a, only_b;
	double sum_a, sum_b;
	struct {
		double by;
		const struct result_value *a, *b;
	} top[TOP];
};

struct columns {
	struct column *at;
	size_t count, room, last;
};

bool compare_row_parts(const char *name, size_t *table, size_t *column)
{
	for (const char *p = strchr(name, '.'); p; p = strchr(p + 1, '.')) {
		size_t digits = strspn(p + 1, "0123456789");

		if (digits && p[1 + digits] == '.') {
			*table = (size_t)(p - name);
			*column = *table + 1 + digits + 1;
			return true;
		}
	}
	return false;
}

static bool is_column(const struct column *c, const char *name, size_t table, size_t at)
{
	return c->table == table && !strncmp(c->name, name, table) && !strcmp(c->name + c->at, name + at);
}

/* Finds the column of this value, adds it if it is the first; NULL where memory is short. */
static struct column *compare_rows_find(struct columns *s, const char *name, size_t table, size_t at)
{
	/* values come row by row: the column after the last one is often the right one */
	for (size_t n = 0; n < s->count; n++) {
		size_t i = (s->last + 1 + n) % s->count;

		if (is_column(&s->at[i], name, table, at)) {
			s->last = i;
			return &s->at[i];
		}
	}
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		struct column *to = mem_resize(s->at, room, sizeof(*to), NULL);

		if (!to)
			return NULL;
		s->at = to;
		s->room = room;
	}
	s->last = s->count;
	s->at[s->count] = (struct column){.name = name, .table = table, .at = at};
	return &s->at[s->count++];
}

static void add_top(struct column *c, const struct result_value *a, const struct result_value *b)
{
	double by = fabs(b->number - a->number);
	unsigned i = TOP;

	if (!(by > c->top[TOP - 1].by) && c->top[TOP - 1].a)
		return;
	for (i = TOP - 1; i && (!c->top[i - 1].a || c->top[i - 1].by < by); i--)
		c->top[i] = c->top[i - 1];
	c->top[i].by = by;
	c->top[i].a = a;
	c->top[i].b = b;
}

static void compare_rows_add_pair(struct column *c, const struct result_value *a, const struct result_value *b,
				  double within)
{
	if (!b || a->text || b->text) {
		c->only_a += !b;
		c->changed += !b || compare_differ(a, b, within);
		return;
	}
	c->rows++;
	c->sum_a += a->number;
	c->sum_b += b->number;
	if (compare_differ(a, b, within)) {
		c->changed++;
		add_top(c, a, b);
	}
}

static void number_cell(double v, const struct compare_options *o, struct report *r)
{
	char text[40];

	if (!o->as_text) {
		report_cell_f64(r, v);
		return;
	}
	snprintf(text, sizeof(text), "%.6g", v);
	report_cell_text(r, text);
}

static void report_columns(const struct columns *s, const struct result *a, const struct compare_options *o,
			   struct report *r)
{
	static const struct report_column head[] = {
		{"column", ""}, {"rows", ""},  {"changed", ""}, {"mean_a", ""},
		{"mean_b", ""}, {"ratio", ""}, {"unit", ""},
	};
	char name[512];

	report_table(r, "rows", "tables with numbered rows: mean of a column over the rows that both reports have",
		     head, 7);
	for (size_t n = 0; n < s->count; n++) {
		const struct column *c = &s->at[n];
		const struct result_value *v = result_find(a, c->name);
		double rows = c->rows ? (double)c->rows : 1;

		if (!c->rows || (!c->changed && !c->only_a && !c->only_b))
			continue;
		snprintf(name, sizeof(name), "%.*s.%s", (int)c->table, c->name, c->name + c->at);
		report_cell_text(r, name);
		report_cell_u64(r, c->rows);
		report_cell_u64(r, c->changed + c->only_b);
		number_cell(c->sum_a / rows, o, r);
		number_cell(c->sum_b / rows, o, r);
		report_cell_f64(r, compare_ratio(c->sum_a, c->sum_b));
		report_cell_text(r, v ? v->unit : "");
	}
	report_table_end(r);
}

static void report_largest(const struct columns *s, const struct compare_options *o, struct report *r)
{
	static const struct report_column head[] = {
		{"name", ""}, {"a", ""}, {"b", ""}, {"ratio", ""}, {"unit", ""},
	};

	report_table(r, "largest", "rows in which these columns differ most", head, 5);
	for (size_t n = 0; n < s->count; n++)
		for (unsigned i = 0; i < TOP && s->at[n].top[i].a; i++) {
			const struct result_value *a = s->at[n].top[i].a, *b = s->at[n].top[i].b;

			report_cell_text(r, a->name);
			number_cell(a->number, o, r);
			number_cell(b->number, o, r);
			report_cell_f64(r, compare_ratio(a->number, b->number));
			report_cell_text(r, a->unit);
		}
	report_table_end(r);
}

size_t compare_rows(const struct result *a, const struct result *b, const struct compare_options *o, struct report *r)
{
	struct columns s = {0};
	size_t table, at, changed = 0;

	for (size_t n = 0; n < a->count; n++) {
		const struct result_value *v = &a->values[n];
		struct column *c;

		if (!compare_is_compared(v->name, o) || !compare_row_parts(v->name, &table, &at))
			continue;
		c = compare_rows_find(&s, v->name, table, at);
		if (c)
			compare_rows_add_pair(c, v, result_find(b, v->name), o->within_percent);
	}
	for (size_t n = 0; n < b->count; n++) {
		const struct result_value *v = &b->values[n];
		struct column *c;

		if (!compare_is_compared(v->name, o) || !compare_row_parts(v->name, &table, &at) ||
		    result_find(a, v->name))
			continue;
		c = compare_rows_find(&s, v->name, table, at);
		if (c)
			c->only_b++;
	}
	for (size_t n = 0; n < s.count; n++)
		changed += s.at[n].changed + s.at[n].only_b;
	if (changed && r) {
		report_columns(&s, a, o, r);
		report_largest(&s, o, r);
	}
	free(s.at);
	return changed;
}
