#include "compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return !strncmp(name, prefix, n) && (!name[n] || name[n] == '.');
}

/* Returns the name behind "core3." of a report of several cores, or the name itself. */
static const char *of_core(const char *name)
{
	size_t digits = strncmp(name, "core", 4) ? 0 : strspn(name + 4, "0123456789");

	return digits && name[4 + digits] == '.' ? name + 4 + digits + 1 : name;
}

bool compare_is_compared(const char *name, const struct compare_options *o)
{
	static const char *const apart[] = {"run", "host", "trace.file", "critical_path_messages"};

	for (size_t n = 0; n < sizeof(apart) / sizeof(apart[0]); n++)
		if (begins(of_core(name), apart[n]))
			return false;
	return !o->only || begins(name, o->only);
}

/* Change from a to b in percent of a; infinite from 0 to anything else. */
static double compare_change(double a, double b)
{
	if (a == b || (isnan(a) && isnan(b)))
		return 0;
	if (a != 0)
		return 100 * (b - a) / fabs(a);
	return copysign((double)INFINITY, b);
}

double compare_ratio(double a, double b)
{
	if (a == b || (isnan(a) && isnan(b)))
		return 1;
	return b / a;
}

bool compare_differ(const struct result_value *a, const struct result_value *b, double within)
{
	if (!a || !b || !a->text != !b->text)
		return true;
	if (a->text)
		return strcmp(a->text, b->text) != 0;
	/* not `>`: a NaN counts as a change */
	return !(fabs(compare_change(a->number, b->number)) <= within);
}

static void value_cell(const struct result_value *v, bool as_text, struct report *r)
{
	char number[40];

	if (v && !v->text && !as_text) {
		report_cell_f64(r, v->number);
		return;
	}
	if (v && !v->text)
		snprintf(number, sizeof(number), "%.6g", v->number);
	report_cell_text(r, !v ? "-" : v->text ? v->text : number);
}

static void compare_row(const struct result_value *a, const struct result_value *b, const struct compare_options *o,
			struct report *r)
{
	bool numbers = a && b && !a->text && !b->text;

	report_cell_text(r, a ? a->name : b->name);
	value_cell(a, o->as_text, r);
	value_cell(b, o->as_text, r);
	report_cell_f64(r, numbers ? compare_ratio(a->number, b->number) : (double)NAN);
	report_cell_f64(r, numbers ? compare_change(a->number, b->number) : (double)NAN);
	report_cell_text(r, a ? a->unit : b->unit);
}

size_t compare_count(const struct result *a, const struct compare_options *o)
{
	size_t count = 0;

	for (size_t n = 0; n < a->count; n++)
		count += compare_is_compared(a->values[n].name, o);
	return count;
}

size_t compare_results(const struct result *a, const struct result *b, const struct compare_options *o,
		       struct report *r)
{
	static const struct report_column columns[] = {
		{"name", ""}, {"a", ""}, {"b", ""}, {"ratio", ""}, {"change", "%"}, {"unit", ""},
	};
	size_t rows = 0, table, column;

	report_table(r, "differences", "values that differ", columns, 6);
	for (size_t n = 0; n < a->count; n++) {
		const struct result_value *other = result_find(b, a->values[n].name);

		if (o->without_rows && compare_row_parts(a->values[n].name, &table, &column))
			continue;
		if (compare_is_compared(a->values[n].name, o) &&
		    compare_differ(&a->values[n], other, o->within_percent)) {
			compare_row(&a->values[n], other, o, r);
			rows++;
		}
	}
	for (size_t n = 0; n < b->count; n++) {
		if (o->without_rows && compare_row_parts(b->values[n].name, &table, &column))
			continue;
		if (compare_is_compared(b->values[n].name, o) && !result_find(a, b->values[n].name)) {
			compare_row(NULL, &b->values[n], o, r);
			rows++;
		}
	}
	report_table_end(r);
	return rows;
}
