/* Summarises two runs of processors, a line each. */
#include <math.h>

#include "compare.h"

enum { COLUMNS = 9, NAME_BYTES = 64 };

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

static double short_name_number(const struct result *x, const char *name)
{
	const struct result_value *v = short_name_figure(x, name);

	return v ? v->number : (double)NAN;
}

bool compare_has_short(const struct result *x)
{
	return short_name_figure(x, "seconds") != NULL;
}

static const char *short_name_of(const struct result *x, const char *file)
{
	const struct result_value *program = result_find(x, "trace.program");

	return program && program->text ? program->text : file;
}

void compare_short(const struct result x[2], const char *const files[2], struct report *r)
{
	static const struct report_column columns[COLUMNS] = {
		{"program", ""},       {"seconds", "s"},       {"ipc", "insn/cycle"},
		{"gflops", "GFlop/s"}, {"share_of_peak", "%"}, {"energy_j", "J"},
		{"power_w", "W"},      {"area_mm2", "mm2"},    {"speed_up", ""},
	};

	report_table(r, "runs", "runs relative to the first: speed-up and price", columns, COLUMNS);
	for (int n = 0; n < 2; n++) {
		report_cell_text(r, short_name_of(&x[n], files[n]));
		for (int c = 1; c < COLUMNS - 1; c++)
			report_cell_f64(r, short_name_number(&x[n], columns[c].name));
		report_cell_f64(r, short_name_number(&x[0], "seconds") / short_name_number(&x[n], "seconds"));
	}
	report_table_end(r);
}
