#include "compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return !strncmp(name, prefix, n) && (!name[n] || name[n] == '.');
}

const char *compare_of_core(const char *name)
{
	size_t digits = strncmp(name, "core", 4) ? 0 : strspn(name + 4, "0123456789");

	return digits && name[4 + digits] == '.' ? name + 4 + digits + 1 : name;
}

bool compare_is_compared(const char *name, const struct compare_options *o)
{
	static const char *const apart[] = {"run",      "host",       "trace.file", "critical_path_messages",
					    "timeline", "network_map"};

	size_t length = strlen(name);

	for (size_t n = 0; n < sizeof(apart) / sizeof(apart[0]); n++)
		if (begins(compare_of_core(name), apart[n]))
			return false;
	/* explains a row to the reader */
	if (length > strlen(".meaning") && strcmp(name + length - strlen(".meaning"), ".meaning") == 0)
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

/* One value in each of the results; NULL where a result lacks it. */
struct compared {
	const struct result_value *in[COMPARE_MAX];
	unsigned count;
};

/* The change from the first value that is largest, whatever its sign; NaN if there are no two numbers. */
static double largest_change(const struct compared *v)
{
	double largest = (double)NAN;

	for (unsigned n = 1; n < v->count; n++) {
		double change;

		if (!v->in[0] || !v->in[n] || v->in[0]->text || v->in[n]->text)
			continue;
		change = compare_change(v->in[0]->number, v->in[n]->number);
		if (isnan(largest) || fabs(change) > fabs(largest))
			largest = change;
	}
	return largest;
}

static void compare_row(const struct compared *v, const struct compare_options *o, struct report *r)
{
	const struct result_value *any = NULL;
	double change = largest_change(v);

	for (unsigned n = v->count; n-- > 0;)
		any = v->in[n] ? v->in[n] : any;
	report_cell_text(r, any->name);
	for (unsigned n = 0; n < v->count; n++)
		value_cell(v->in[n], o->as_text, r);
	if (v->count == 2)
		report_cell_f64(r, isnan(change) ? (double)NAN : compare_ratio(v->in[0]->number, v->in[1]->number));
	report_cell_f64(r, change);
	report_cell_text(r, any->unit);
}

size_t compare_count(const struct result *a, const struct compare_options *o)
{
	size_t count = 0;

	for (size_t n = 0; n < a->count; n++)
		count += compare_is_compared(a->values[n].name, o);
	return count;
}

/* Finds value `name` of result `k` in all; false: it is not compared, an earlier one has it, or all are equal. */
static bool find_compared(const struct result *x, unsigned count, unsigned k, const char *name,
			  const struct compare_options *o, struct compared *out)
{
	bool differ = k > 0;
	size_t table, column;

	if (!compare_is_compared(name, o) || (o->without_rows && compare_row_parts(name, &table, &column)))
		return false;
	out->count = count;
	for (unsigned n = 0; n < count; n++) {
		out->in[n] = result_find(&x[n], name);
		if (n < k && out->in[n])
			return false;
		differ = differ || compare_differ(out->in[0], out->in[n], o->within_percent);
	}
	return differ;
}

/* Adds the rows of what is configured, or of all else. Returns their number. */
static size_t compare_half(const struct result *x, unsigned count, bool configured, const struct compare_options *o,
			   struct report *r)
{
	struct compared v;
	size_t rows = 0;

	for (unsigned k = 0; k < count; k++) {
		for (size_t n = 0; n < x[k].count; n++) {
			const char *name = x[k].values[n].name;

			if (begins(name, "config") != configured || !find_compared(x, count, k, name, o, &v))
				continue;
			if (r)
				compare_row(&v, o, r);
			rows++;
		}
	}
	return rows;
}

size_t compare_results(const struct result *x, unsigned count, const struct compare_options *o, struct report *r)
{
	static const char letters[COMPARE_MAX][2] = {"a", "b", "c", "d", "e", "f", "g", "h",
						     "i", "j", "k", "l", "m", "n", "o", "p"};
	struct report_column columns[COMPARE_MAX + 4];
	unsigned width = 0;
	size_t rows;

	columns[width++] = (struct report_column){"name", ""};
	for (unsigned n = 0; n < count; n++)
		columns[width++] = (struct report_column){letters[n], ""};
	if (count == 2)
		columns[width++] = (struct report_column){"ratio", ""};
	columns[width++] = (struct report_column){"change", "%"};
	columns[width++] = (struct report_column){"unit", ""};
	if (r)
		report_table(r, "differences", "values that differ", columns, width);
	rows = compare_half(x, count, true, o, r);
	rows += compare_half(x, count, false, o, r);
	if (r)
		report_table_end(r);
	return rows;
}
