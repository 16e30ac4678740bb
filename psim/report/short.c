/* Summarises runs of processors, a line each. */
#include <math.h>
#include <string.h>

#include "compare_parts.h"

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

double compare_whole(const struct result *x, const char *name)
{
	const struct result_value *v = short_name_figure(x, name);

	return v ? v->number : (double)NAN;
}

bool compare_has_short(const struct result *x)
{
	return short_name_figure(x, "seconds") != NULL;
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

void compare_short(const struct result *x, unsigned count, char *const *files, struct report *r)
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
