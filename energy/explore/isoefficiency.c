#include "isoefficiency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

/* Finds the axis of the parameter whose name has `length` letters. 0, or -1: it does not vary. */
static int find_size(struct isoefficiency *x, const char *name, size_t length)
{
	const struct study *s = x->scaling->study;
	size_t first = 0;

	for (x->axis = 0; x->axis < s->axes.count; first += s->axes.at[x->axis++].params.count)
		for (size_t n = 0; n < s->axes.at[x->axis].params.count; n++) {
			const struct param *p = s->axes.at[x->axis].params.at[n].param;
			size_t section = strlen(p->section);

			x->param = first + n;
			if (section + 1 + strlen(p->key) == length && !strncmp(name, p->section, section) &&
			    name[section] == '.' && !strncmp(name + section + 1, p->key, length - section - 1))
				return 0;
		}
	return -1;
}

/* Checks that sizes are numbers that ascend. */
static int check_sizes(const struct isoefficiency *x, struct err *e)
{
	const struct study_param *p = study_param(x->scaling->study, x->param);
	double before = 0;

	for (size_t n = 0; n < p->values.count; n++) {
		char *end;
		double size = strtod(p->values.at[n], &end);

		if (*end || !(size > before) || !isfinite(size))
			return err_set(
				e, STATUS_USAGE, "--isoefficiency: %s:%u: %s.%s: '%s', expected numbers that ascend",
				x->scaling->study->path, p->line, p->param->section, p->param->key, p->values.at[n]);
		before = size;
	}
	return 0;
}

int isoefficiency_find(struct isoefficiency *x, const struct scaling *scaling, const char *text, struct err *e)
{
	size_t length = strcspn(text, "=");
	char *end;

	*x = (struct isoefficiency){.scaling = scaling};
	if (!text[length])
		return err_set(e, STATUS_USAGE, "--isoefficiency '%s': expected PARAMETER=PERCENT", text);
	x->efficiency = strtod(text + length + 1, &end) / 100;
	if (end == text + length + 1 || (*end && strcmp(end, "%") != 0) || !(x->efficiency > 0 && x->efficiency < 1))
		return err_set(e, STATUS_USAGE, "--isoefficiency '%s': expected a percentage between 0 and 100", text);
	if (find_size(x, text, length) < 0 || x->axis == scaling->axis)
		return err_set(e, STATUS_USAGE,
			       "--isoefficiency '%s': expected a parameter of the study that varies, beside run.ranks",
			       text);
	return check_sizes(x, e);
}

/* A grid of designs that differ in ranks and size alone. */
struct grid {
	const struct isoefficiency *x;
	const struct design *const *at; /* by combination */
	size_t first;                   /* the combination of fewest ranks and least size */
};

static size_t grid_combination(const struct grid *g, size_t ranks, size_t size)
{
	const struct study *s = g->x->scaling->study;

	return g->first + ranks * study_axis_step(s, g->x->scaling->axis) + size * study_axis_step(s, g->x->axis);
}

static double number_of(const struct grid *g, size_t combination, size_t param)
{
	return strtod(study_value(g->x->scaling->study, combination, param), NULL);
}

static double ranks_at(const struct grid *g, size_t ranks)
{
	return number_of(g, grid_combination(g, ranks, 0), g->x->scaling->param);
}

static double size_at(const struct grid *g, size_t size)
{
	return number_of(g, grid_combination(g, 0, size), g->x->param);
}

/* Time of a design; NaN: it has not run. */
static double grid_time(const struct grid *g, size_t ranks, size_t size)
{
	const struct design *d = g->at[grid_combination(g, ranks, size)];

	return d && d->value[CRITERION_time] > 0 ? d->value[CRITERION_time] : (double)NAN;
}

/* Overhead over work, 1 / efficiency - 1. */
static double grid_overhead(const struct grid *g, size_t ranks, size_t size)
{
	return ranks_at(g, ranks) * grid_time(g, ranks, size) / (ranks_at(g, 0) * grid_time(g, 0, size)) - 1;
}

/* The size between two at which the overhead is `wanted`, or NaN: it is not between them. */
static double size_between(const struct grid *g, size_t ranks, size_t size, double wanted)
{
	double a = grid_overhead(g, ranks, size), b = grid_overhead(g, ranks, size + 1);
	double low = size_at(g, size), high = size_at(g, size + 1);

	if (!(a >= wanted && b <= wanted))
		return (double)NAN;
	if (!(b > 0) || a == b) /* no power leads to an overhead of 0 */
		return low + (high - low) * (a > b ? (a - wanted) / (a - b) : 0);
	return low * pow(high / low, log(a / wanted) / log(a / b));
}

/* The least size of that efficiency; NaN: none of the study's sizes, or between them. */
static double size_of(const struct grid *g, size_t ranks, size_t sizes)
{
	double wanted = 1 / g->x->efficiency - 1, size = (double)NAN;

	for (size_t n = 0; n + 1 < sizes && isnan(size); n++)
		size = size_between(g, ranks, n, wanted);
	return size;
}

static void grid_rows(const struct grid *g, struct report *r)
{
	const struct scaling *x = g->x->scaling;
	size_t lines = study_axis_length(&x->study->axes.at[x->axis]);
	size_t sizes = study_axis_length(&x->study->axes.at[g->x->axis]);
	char label[STUDY_LABEL_MAX];
	double before = (double)NAN;

	scaling_label(x, g->first, g->x->axis, label);
	for (size_t n = 1; n < lines; n++) {
		double size = size_of(g, n, sizes);

		report_cell_text(r, label);
		report_cell_f64(r, ranks_at(g, n));
		report_cell_f64(r, size);
		report_cell_f64(r, log(size / before) / log(ranks_at(g, n) / ranks_at(g, n - 1)));
		before = size;
	}
}

int isoefficiency_report(const struct isoefficiency *x, const struct designs *d, const char *prefix, const char *over,
			 struct report *r, struct err *e)
{
	const struct study *s = x->scaling->study;
	const struct study_param *p = study_param(s, x->param);
	const struct report_column columns[] = {{"design", ""}, {"ranks", ""}, {p->param->key, ""}, {"growth", ""}};
	const struct design **at = scaling_designs(x->scaling, d, e);
	char name[400], doc[512];

	if (!at)
		return -1;
	snprintf(name, sizeof(name), "%sisoefficiency", prefix);
	snprintf(doc, sizeof(doc),
		 "%s.%s for an efficiency of %g %%, %s; growth: its exponent over ranks; -: beyond the study's values",
		 p->param->section, p->param->key, 100 * x->efficiency, over);
	report_table(r, name, doc, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t n = 0; n < s->combinations; n++) {
		struct grid g = {.x = x, .at = at, .first = n};

		if (n / study_axis_step(s, x->axis) % study_axis_length(&s->axes.at[x->axis]) == 0 &&
		    n / study_axis_step(s, x->scaling->axis) % study_axis_length(&s->axes.at[x->scaling->axis]) == 0)
			grid_rows(&g, r);
	}
	report_table_end(r);
	free(at);
	return 0;
}
