/* Divides the time and the energy of runs into parts that add up to them, side by side. */
#include <math.h>
#include <string.h>

#include "compare_parts.h"

enum { NAME_BYTES = 64, PARTS_MAX = 24 };

/* The parts of a figure in each report; parts that a report lacks are 0 there. */
struct division {
	char name[PARTS_MAX][NAME_BYTES];
	double value[PARTS_MAX][COMPARE_MAX], all[COMPARE_MAX];
	unsigned count;
};

/* Finds the part of that name, or adds it. NULL: there are too many. */
static double *part_values(struct division *d, const char *name, size_t length)
{
	unsigned n = 0;

	while (n < d->count && (strncmp(d->name[n], name, length) != 0 || d->name[n][length]))
		n++;
	if (n == PARTS_MAX || length >= NAME_BYTES)
		return NULL;
	if (n == d->count)
		snprintf(d->name[d->count++], NAME_BYTES, "%.*s", (int)length, name);
	return d->value[n];
}

/*
 * Looks for values TABLE.part.COLUMN, where `table` ends in a '.', and `column` begins with one: adds `times` each to
 * column `at` of the division (NULL: only sums up). Returns their sum; NaN: there is none, or more than the division
 * has room for.
 */
static double divide_column(const struct result *x, const char *table, const char *column, double times,
			    struct division *d, unsigned at)
{
	size_t begin = strlen(table), end = strlen(column);
	double sum = 0, *part;
	bool any = false;

	for (size_t n = 0; n < x->count; n++) {
		const struct result_value *v = &x->values[n];
		size_t length = strlen(v->name);

		if (length <= begin + end || strncmp(v->name, table, begin) != 0 ||
		    strcmp(v->name + length - end, column) != 0 || v->text)
			continue;
		any = true;
		sum += v->number;
		part = d ? part_values(d, v->name + begin, length - begin - end) : NULL;
		if (d && !part)
			return (double)NAN;
		if (part)
			part[at] += times * v->number;
	}
	return any ? sum : (double)NAN;
}

/* Divides `seconds` by the commit slots of the core whose values begin with `prefix`. false: it has none. */
static bool divide_core(const struct result *x, const char *prefix, double seconds, struct division *d, unsigned at)
{
	char table[2 * NAME_BYTES];
	double slots;

	snprintf(table, sizeof(table), "%scycle_parts.", prefix);
	slots = divide_column(x, table, ".slots", 0, NULL, at);
	if (!(slots > 0))
		return false;
	return divide_column(x, table, ".slots", seconds / slots, d, at) > 0;
}

static double number_of_core(const struct result *x, unsigned core, const char *name)
{
	const struct result_value *v;
	char path[2 * NAME_BYTES];

	snprintf(path, sizeof(path), "core%u.%s", core, name);
	v = result_find(x, path);
	return v && !v->text ? v->number : (double)NAN;
}

/* Divides the time of several cores: each has the same share of it, of which the end passes without work. */
static bool divide_chip(const struct result *x, struct division *d, unsigned at)
{
	double seconds = d->all[at], cycles = compare_whole(x, "cycles"), own, *ended;
	char prefix[NAME_BYTES];
	unsigned cores = 0;

	while (number_of_core(x, cores, "core.cycles") >= 0)
		cores++;
	for (unsigned n = 0; n < cores; n++) {
		own = number_of_core(x, n, "core.cycles");
		snprintf(prefix, sizeof(prefix), "core%u.", n);
		if (!(own <= cycles) || !divide_core(x, prefix, seconds * own / cycles / cores, d, at))
			return false;
		if (own == cycles)
			continue;
		ended = part_values(d, "ended", strlen("ended"));
		if (!ended)
			return false;
		ended[at] += seconds * (cycles - own) / cycles / cores;
	}
	return cores > 0;
}

static bool divide_time(const struct result *x, struct division *d, unsigned at)
{
	d->all[at] = compare_whole(x, "seconds");
	return d->all[at] > 0 && (divide_core(x, "", d->all[at], d, at) || divide_chip(x, d, at));
}

/* Divides the time of a run of nsim or bsim by its critical path. */
static bool divide_path(const struct result *x, struct division *d, unsigned at)
{
	d->all[at] = compare_system(x, "seconds");
	return d->all[at] > 0 && divide_column(x, "bounds.", ".time", 1, d, at) > 0;
}

static bool divide_power(const struct result *x, struct division *d, unsigned at)
{
	const struct result_value *v = result_find(x, "power.energy");

	d->all[at] = v && !v->text ? v->number : (double)NAN;
	return d->all[at] > 0 && divide_column(x, "power_parts.", ".energy", 1, d, at) > 0;
}

static bool divide_energy(const struct result *x, struct division *d, unsigned at)
{
	d->all[at] = compare_whole(x, "energy_j");
	return d->all[at] > 0 && divide_column(x, "energy.units.", ".energy", 1, d, at) > 0;
}

/* ---- the tables ---- */
/* Unit of a table for people, and its size. */
struct scale {
	char unit[8];
	double size;
};

static struct scale scale_of(const struct division *d, unsigned count, const char *unit, bool as_text)
{
	static const struct {
		double size;
		const char *text;
	} prefixes[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
	struct scale s = {.size = 1};
	double most = 0;
	unsigned n = 0;

	for (unsigned k = 0; k < count; k++)
		most = fmax(most, d->all[k]);
	while (as_text && n + 1 < sizeof(prefixes) / sizeof(prefixes[0]) && most < prefixes[n].size)
		n++;
	s.size = prefixes[n].size;
	snprintf(s.unit, sizeof(s.unit), "%s%s", prefixes[n].text, unit);
	return s;
}

static void division_row(const struct division *d, const char *name, const double *value, unsigned count, double size,
			 struct report *r)
{
	double whole = d->all[1] - d->all[0];

	report_cell_text(r, name);
	for (unsigned k = 0; k < count; k++)
		report_cell_f64(r, value[k] / size);
	if (count != 2)
		return;
	report_cell_f64(r, (value[1] - value[0]) / size);
	report_cell_f64(r, whole != 0 ? 100 * (value[1] - value[0]) / whole : 0);
}

static void division_table(const struct division *d, unsigned count, const char *name, const char *doc,
			   const struct scale *s, struct report *r)
{
	static const char letters[COMPARE_MAX][2] = {"a", "b", "c", "d", "e", "f", "g", "h",
						     "i", "j", "k", "l", "m", "n", "o", "p"};
	struct report_column columns[1 + COMPARE_MAX + 2] = {{"part", ""}};
	unsigned width = 1;

	for (unsigned k = 0; k < count; k++)
		columns[width++] = (struct report_column){letters[k], s->unit};
	if (count == 2) {
		columns[width++] = (struct report_column){"difference", s->unit};
		columns[width++] = (struct report_column){"share", "%"};
	}
	report_table(r, name, doc, columns, width);
	for (unsigned n = 0; n < d->count; n++)
		division_row(d, d->name[n], d->value[n], count, s->size, r);
	division_row(d, "all", d->all, count, s->size, r);
	report_table_end(r);
}

/* Returns whether the reports have the same parts. */
static bool same_parts(const struct division *d, unsigned count)
{
	for (unsigned n = 0; n < d->count; n++)
		for (unsigned k = 1; k < count; k++)
			if (d->value[n][k] != d->value[n][0])
				return false;
	return true;
}

/* A table of parts, of runs of one kind. */
struct division_kind {
	const char *name, *unit, *doc;
	bool (*divide)(const struct result *x, struct division *d, unsigned at);
};

enum { DIVISIONS = 2 };

static const struct division_kind processor_divisions[DIVISIONS] = {
	{"time_parts", "s",
	 "time by part of the machine, as the commit slots divide it; share: of the whole difference", divide_time},
	{"energy_parts", "J", "energy by unit of the chip; share: of the whole difference", divide_energy},
};

static const struct division_kind system_divisions[DIVISIONS] = {
	{"time_parts", "s", "time by part of the critical path; share: of the whole difference", divide_path},
	{"energy_parts", "J", "energy by part of the machine; share: of the whole difference", divide_power},
};

void compare_parts_side(const struct result *x, unsigned count, bool as_text, struct report *r)
{
	const struct division_kind *tables =
		compare_kind_of(&x[0]) == COMPARE_SYSTEM ? system_divisions : processor_divisions;

	for (size_t t = 0; t < DIVISIONS; t++) {
		struct division d = {.count = 0};
		bool all = true;
		struct scale s;

		for (unsigned k = 0; k < count; k++)
			all = tables[t].divide(&x[k], &d, k) && all;
		s = scale_of(&d, count, tables[t].unit, as_text);
		if (all && !(as_text && same_parts(&d, count)))
			division_table(&d, count, tables[t].name, tables[t].doc, &s, r);
	}
}
