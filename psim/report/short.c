/* Summarises runs of processors, or of systems, a line each. */
#include <math.h>
#include <string.h>

#include "compare_parts.h"

enum { COLUMNS = 9, SYSTEM_COLUMNS = 10, NAME_BYTES = 64 };

/* Finds a figure of the whole run: in group "core", or "chip" where there are several. */
static const struct result_value *short_name_figure(const struct result *x, const char *name)
{
	static const char *const groups[] = {"core", "chip"};
	const struct result_value *v = NULL;
	char path[NAME_BYTES];

	for (size_t n = 0; n < sizeof(groups) / sizeof(groups[0]) && !v; n++) {
		snprintf(path, sizeof(path), "%s.%s", groups[n], name);
		v = result_find(x, path);
	}
	return v && !v->text ? v : NULL;
}

double compare_whole(const struct result *x, const char *name)
{
	const struct result_value *v = short_name_figure(x, name);

	return v ? v->number : (double)NAN;
}

static double number_named(const struct result *x, const char *name)
{
	const struct result_value *v = result_find(x, name);

	return v && !v->text ? v->number : (double)NAN;
}

double compare_system(const struct result *x, const char *name)
{
	char path[NAME_BYTES];
	double value;

	snprintf(path, sizeof(path), "program.%s", name);
	value = number_named(x, path);
	snprintf(path, sizeof(path), "network.%s", name);
	return isnan(value) ? number_named(x, path) : value;
}

enum compare_kind compare_kind_of(const struct result *x)
{
	if (short_name_figure(x, "seconds"))
		return COMPARE_PROCESSOR;
	return isnan(compare_system(x, "seconds")) ? COMPARE_OTHER : COMPARE_SYSTEM;
}

enum compare_kind compare_kind_of_all(const struct result *x, unsigned count)
{
	enum compare_kind kind = compare_kind_of(&x[0]);

	for (unsigned n = 1; n < count; n++)
		if (compare_kind_of(&x[n]) != kind)
			return COMPARE_OTHER;
	return kind;
}

static const char *program_of(const struct result *x)
{
	const struct result_value *program = result_find(x, "trace.program");

	return program ? program->text : NULL;
}

/* The name of the n-th run: its program, or its file where another run is of the same program. */
static const char *short_name_of(const struct result *x, unsigned count, unsigned n, const char *file)
{
	const char *program = program_of(&x[n]);

	for (unsigned k = 0; program && k < count; k++) {
		const char *other = k == n ? NULL : program_of(&x[k]);

		if (other && !strcmp(other, program))
			return file;
	}
	return program ? program : file;
}

/* Runs of nsim or bsim: their names are their files, since most compare one program. */
static void short_systems(const struct result *x, unsigned count, char *const *files, struct report *r)
{
	static const struct report_column columns[SYSTEM_COLUMNS] = {
		{"program", ""},    {"seconds", "s"},   {"compute", "s"},  {"wait", "s"},    {"messages", ""},
		{"bytes", "bytes"}, {"link_most", "%"}, {"energy_j", "J"}, {"power_w", "W"}, {"speed_up", ""},
	};

	report_table(r, "runs", "runs relative to the first: speed-up and price", columns, SYSTEM_COLUMNS);
	for (unsigned n = 0; n < count; n++) {
		report_cell_text(r, files[n]);
		for (int c = 1; c < 6; c++)
			report_cell_f64(r, compare_system(&x[n], columns[c].name));
		report_cell_f64(r, number_named(&x[n], "link_use.most"));
		report_cell_f64(r, number_named(&x[n], "power.energy"));
		report_cell_f64(r, number_named(&x[n], "power.power"));
		report_cell_f64(r, compare_system(&x[0], "seconds") / compare_system(&x[n], "seconds"));
	}
	report_table_end(r);
}

static void short_processors(const struct result *x, unsigned count, char *const *files, struct report *r)
{
	static const struct report_column columns[COLUMNS] = {
		{"program", ""},       {"seconds", "s"},       {"ipc", "insn/cycle"},
		{"gflops", "GFlop/s"}, {"share_of_peak", "%"}, {"energy_j", "J"},
		{"power_w", "W"},      {"area_mm2", "mm2"},    {"speed_up", ""},
	};

	report_table(r, "runs", "runs relative to the first: speed-up and price", columns, COLUMNS);
	for (unsigned n = 0; n < count; n++) {
		report_cell_text(r, short_name_of(x, count, n, files[n]));
		for (int c = 1; c < COLUMNS - 1; c++)
			report_cell_f64(r, compare_whole(&x[n], columns[c].name));
		report_cell_f64(r, compare_whole(&x[0], "seconds") / compare_whole(&x[n], "seconds"));
	}
	report_table_end(r);
}

void compare_short(const struct result *x, unsigned count, char *const *files, struct report *r)
{
	if (compare_kind_of(&x[0]) == COMPARE_SYSTEM)
		short_systems(x, count, files, r);
	else
		short_processors(x, count, files, r);
}
