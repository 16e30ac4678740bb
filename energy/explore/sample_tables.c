/* Adds to the report how a study samples. */
#include "estimates.h"
#include "tables.h"

/* The largest relative error of the estimates of a file in a figure. */
static double largest_error(const struct plan *p, size_t file, enum figure figure, enum figure error)
{
	double largest = 0;

	for (size_t n = 0; n < p->count; n++) {
		const struct plan_point *point = &p->points[n];
		const double *v = point->figures.value;

		if (point->file == file && !point->skipped && !point->known && plan_has(point) &&
		    v[error] > largest * v[figure])
			largest = v[error] / v[figure];
	}
	return largest;
}

static void sample_cells(const struct plan *p, size_t file, struct report *r)
{
	const struct plan_file *f = &p->files.at[file];
	const struct sample_plan *u = &f->units;
	size_t estimated = 0, whole = 0;

	for (size_t n = 0; n < p->count; n++) {
		const struct plan_point *point = &p->points[n];

		if (point->file != file || point->skipped || point->left_out)
			continue;
		estimated += !point->known && point->estimated;
		whole += point->known && !point->anchor;
	}
	report_cell_u64(r, u->chosen_count);
	report_cell_u64(r, u->every);
	report_cell_u64(r, f->anchors);
	report_cell_u64(r, estimated);
	report_cell_u64(r, whole);
	report_cell_f64(r, f->estimated ? 100 * f->trust[UNIT_TIME].spread : 0);
	report_cell_f64(r, 100 * largest_error(p, file, FIGURE_seconds, FIGURE_seconds_error));
	report_cell_f64(r, f->estimated ? 100 * f->trust[UNIT_ENERGY].spread : 0);
	report_cell_f64(r, 100 * largest_error(p, file, FIGURE_system_j, FIGURE_system_error_j));
}

void tables_sample(const struct plan *p, struct report *r)
{
	static const struct report_column columns[] = {
		{"program", ""}, {"units", ""},     {"every", "insns"},  {"anchors", ""},     {"estimated", ""},
		{"whole", ""},   {"time_off", "%"}, {"time_error", "%"}, {"energy_off", "%"}, {"energy_error", "%"},
	};

	if (!p->study->sample)
		return;
	report_table(r, "sample",
		     "points by units; off: anchors from others; error: half the widest interval; whole: too wide",
		     columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t n = 0; n < p->files.count; n++) {
		report_cell_text(r, p->files.at[n].program);
		sample_cells(p, n, r);
	}
	report_table_end(r);
}
