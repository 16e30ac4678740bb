/* Summarises runs of processors, a line each: figures, parts of the machine. */
#include <math.h>
#include <string.h>

#include "compare_parts.h"

enum { COLUMNS = 9, NAME_BYTES = 64, PARTS_MAX = 16 };

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
			report_cell_f64(r, short_name_number(&x[n], columns[c].name));
		report_cell_f64(r, short_name_number(&x[0], "seconds") / short_name_number(&x[n], "seconds"));
	}
	report_table_end(r);
}

/* Adds the names of the parts in a report: "cycle_parts.memory.cpi", also of a core. Returns their number. */
static unsigned find_parts(const struct result *x, unsigned count, char names[PARTS_MAX][NAME_BYTES])
{
	static const char table[] = "cycle_parts.", column[] = ".cpi";

	for (size_t n = 0; n < x->count && count < PARTS_MAX; n++) {
		const char *name = compare_of_core(x->values[n].name), *end = strrchr(name, '.');
		size_t length;
		unsigned same = 0;

		if (strncmp(name, table, sizeof(table) - 1) != 0 || strcmp(end, column) != 0)
			continue;
		name += sizeof(table) - 1;
		length = (size_t)(end - name);
		if (length >= NAME_BYTES)
			continue;
		snprintf(names[count], NAME_BYTES, "%.*s", (int)length, name);
		while (strcmp(names[same], names[count]) != 0)
			same++;
		count += same == count;
	}
	return count;
}

static double compared_number(const struct result *x, const char *name)
{
	const struct result_value *v = result_find(x, name);

	return v && !v->text ? v->number : (double)NAN;
}

/* The part's cycles per instruction; of several cores the mean over their instructions. NaN: no core has it. */
static double part_cpi(const struct result *x, const char *part)
{
	char path[2 * NAME_BYTES];
	double cycles = 0, instructions = 0;

	snprintf(path, sizeof(path), "cycle_parts.%.*s.cpi", NAME_BYTES - 1, part);
	if (result_find(x, path))
		return compared_number(x, path);
	for (unsigned core = 0;; core++) {
		double count;

		snprintf(path, sizeof(path), "core%u.core.instructions", core);
		count = compared_number(x, path);
		if (isnan(count))
			break;
		snprintf(path, sizeof(path), "core%u.cycle_parts.%.*s.cpi", core, NAME_BYTES - 1, part);
		cycles += compared_number(x, path) * count;
		instructions += count;
	}
	return instructions > 0 ? cycles / instructions : (double)NAN;
}

void compare_parts_side(const struct result *x, unsigned count, char *const *files, struct report *r)
{
	struct report_column columns[1 + PARTS_MAX] = {{"report", ""}};
	char names[PARTS_MAX][NAME_BYTES];
	unsigned parts = 0;

	for (unsigned n = 0; n < count; n++)
		parts = find_parts(&x[n], parts, names);
	for (unsigned p = 0; p < parts; p++)
		columns[1 + p] = (struct report_column){names[p], "cycles/insn"};
	if (!parts)
		return;
	report_table(r, "parts", "cycles per instruction by part of the machine", columns, 1 + parts);
	for (unsigned n = 0; n < count; n++) {
		report_cell_text(r, files[n]);
		for (unsigned p = 0; p < parts; p++)
			report_cell_f64(r, part_cpi(&x[n], names[p]));
	}
	report_table_end(r);
}
