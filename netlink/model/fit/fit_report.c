#include "fit_report.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "../../../psim/base/config/value.h"
#include "../../../psim/base/report/svg.h"

enum { FORMULA_MAX = 1024 };

/* Writes a coefficient as a plain number or, if there is a unit, as people do: "6.98 ns" for 6.98e-9 of seconds. */
static void coefficient_text(double c, const char *unit, char *text, size_t size)
{
	if (unit && unit[0] && !unit[1])
		svg_value_text(c, unit, text, size);
	else
		snprintf(text, size, unit ? "%.4g" : "%.6g", c);
}

/* Writes a sum; with a unit, which may be empty, "6.98 ns n^2 + 0.31 ns n^3", else "6.98e-09*n^2 + 3.1e-10*n^3". */
static void sum_text(const struct model *m, unsigned s, const char *unit, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned t = m->first[s]; t < m->first[s + 1] && at < size; t++) {
		char term[TERM_TEXT_MAX], number[40];
		double c = m->coefficient[t];
		bool begin = at == 0;

		if (m->sums > 1 && !(c > 0))
			continue; /* the coefficient is 0 */
		term_write(&m->terms[t], &m->variables, term);
		coefficient_text(begin ? c : fabs(c), unit, number, sizeof(number));
		at += (size_t)snprintf(text + at, size - at, "%s%s%s%s",
				       begin   ? ""
				       : c < 0 ? " - "
					       : " + ",
				       number,
				       strcmp(term, "1") == 0 ? ""
				       : unit                 ? " "
							      : "*",
				       strcmp(term, "1") ? term : "");
	}
	if (at == 0)
		snprintf(text, size, "0");
}

/* Writes sum number `s` of the model in one line. */
static void formula_of_sum(const struct model *m, unsigned s, char *text, size_t size)
{
	sum_text(m, s, NULL, text, size);
}

/* Writes the model in one line, "1.5e-10*n^3 + 2e-08", "max(2e-09*n^2, 1.5e-10*n^3)"; cut at `size`. */
static void formula_of(const struct model *m, char *text, size_t size)
{
	size_t at = 0;

	if (m->lookup) {
		snprintf(text, size, "interpolated between %u sizes", m->lookup->count);
		return;
	}
	if (m->sums == 1) {
		formula_of_sum(m, 0, text, size);
		return;
	}
	for (unsigned s = 0; s < m->sums && at < size; s++) {
		char sum[FORMULA_MAX];

		formula_of_sum(m, s, sum, sizeof(sum));
		at += (size_t)snprintf(text + at, size - at, "%s%s%s", s ? ", " : "max(", sum,
				       s + 1 < m->sums ? "" : ")");
	}
}

void fit_formula_read(const struct model *m, unsigned s, const char *unit, char *text, size_t size)
{
	if (m->lookup)
		formula_of(m, text, size);
	else
		sum_text(m, s, unit, text, size);
}

void fit_formula_rival(const struct model *m, const struct rival *r, char *text, size_t size)
{
	struct model rival = {.variables = m->variables, .sums = 1, .first = {0, r->count}, .count = r->count};

	memcpy(rival.terms, r->terms, sizeof(r->terms));
	memcpy(rival.coefficient, r->coefficient, sizeof(r->coefficient));
	formula_of_sum(&rival, 0, text, size);
}

/* Error in percent of the value that the model should give. */
static double fit_report_error_of(const struct fit *f, const struct point *p)
{
	return 100 * (model_largest(&f->model, p->values, NULL) - p->result) / p->result;
}

double fit_held_out_error(const struct fit *f, const struct points *p, const struct point **worst)
{
	double largest = (double)NAN;

	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double error = fabs(fit_report_error_of(f, point));

		if (!point->held_out || !(isnan(largest) || error > largest))
			continue;
		largest = error;
		if (worst)
			*worst = point;
	}
	return largest;
}

static void report_errors(struct report *r, const struct fit *f, const struct points *p)
{
	report_f64(r, "r2", f->r2, "", "share of the variance explained");
	report_f64(r, "rms_error", f->rms_error, "%", "rms error of the fitted points");
	report_f64(r, "max_error", f->model.max_error, "%", "largest error of the fitted points");
	report_f64(r, "cross_validation", f->cross_validation, "%",
		   "rms error of what is left out: one value of a variable at a time");
	report_f64(r, "beyond_error", f->beyond, "%",
		   "largest error at the upper third of the sizes, fitted without them");
	report_u64(r, "held_out", p->list.count - f->points, "", "points that the fit did not use");
	report_f64(r, "held_out_error", fit_held_out_error(f, p, NULL), "%",
		   "largest error of the points that the fit did not use");
	report_u64(r, "errors", MODEL_ERRORS, "", "rules of the next two, for readers of older files");
	report_f64(r, "error_inside", f->model.error_inside, "%", "expected error inside the range of the fit");
	report_f64(r, "error_outside", f->model.error_outside, "%",
		   "expected error at twice the range; elsewhere outside times log2 of the factor");
}

static uint64_t version_of(const struct model *m)
{
	if (m->lookup)
		return MODEL_FORMAT_TABLE;
	return m->sums == 1 ? MODEL_FORMAT_ONE_SUM : MODEL_FORMAT_SUMS;
}

static void report_head(struct report *r, const struct fit *f, const struct points *p)
{
	char formula[FORMULA_MAX];

	formula_of(&f->model, formula, sizeof(formula));
	report_group(r, "model", "the time model");
	report_text(r, "format", MODEL_FORMAT_NAME, "format, see docs/formats/model-format.md");
	report_u64(r, "version", version_of(&f->model), "", "version of the format");
	report_text(r, "value", f->model.value_name, "quantity that the model predicts");
	report_text(r, "unit", f->model.unit, "unit of the value");
	report_text(r, "formula", formula, "formula of the model, rounded");
	report_text(r, "weights", f->relative ? "relative" : "equal", "weights of the points");
	report_u64(r, "hypotheses", f->hypotheses, "", "sets of terms tried; 0: terms given");
	report_text(r, "kernel", f->kernel ? f->kernel : "", "kernel whose theory gave the terms");
	report_u64(r, "points", f->points, "", "points that the fit used");
	report_u64(r, "sizes", f->sizes, "", "different sizes among these points");
	report_u64(r, "degrees_of_freedom", f->degrees, "", "number of sizes - number of terms");
	report_errors(r, f, p);
	report_end(r);
}

static void report_terms(struct report *r, const struct fit *f)
{
	static const struct report_column columns[] = {
		{"sum", ""}, {"term", ""}, {"coefficient", ""}, {"standard_error", ""}, {"low", ""}, {"high", ""},
	};
	char term[TERM_TEXT_MAX];
	unsigned sum = 0, skip = f->model.sums == 1; /* one sum: no column of sums */

	report_table(r, "terms", "coefficients with their 95 % confidence interval", columns + skip, 6 - skip);
	for (unsigned t = 0; t < f->model.count; t++) {
		double half = f->bound * f->standard_error[t];

		sum += t == f->model.first[sum + 1];
		term_write(&f->model.terms[t], &f->model.variables, term);
		if (!skip)
			report_cell_u64(r, sum + 1);
		report_cell_text(r, term);
		report_cell_f64(r, f->model.coefficient[t]);
		report_cell_f64(r, f->standard_error[t]);
		report_cell_f64(r, f->model.coefficient[t] - half);
		report_cell_f64(r, f->model.coefficient[t] + half);
	}
	report_table_end(r);
}

static void report_knots(struct report *r, const struct lookup *g)
{
	static const struct report_column columns[] = {{"x1", ""}, {"x2", ""}, {"x3", ""}, {"x4", ""}, {"value", ""}};
	struct report_column used[MODEL_VARIABLES_MAX + 1];

	memcpy(used, columns, g->variables * sizeof(*used));
	used[g->variables] = columns[MODEL_VARIABLES_MAX];
	report_table(r, "knots", "sizes, in the order of variables, and the value at each", used, g->variables + 1);
	for (unsigned i = 0; i < g->count; i++) {
		struct knot k = lookup_knot(g, i);

		for (unsigned v = 0; v < g->variables; v++)
			report_cell_f64(r, k.at[v]);
		report_cell_f64(r, k.value);
	}
	report_table_end(r);
}

/* Returns the number, from 1, of the largest sum at `values`; 0: no value. */
static unsigned fit_report_largest_sum(const struct model *m, const double *values)
{
	unsigned s = 0;

	return isfinite(model_largest(m, values, &s)) ? s + 1 : 0;
}

/* Reports where each sum is the largest. */
static void report_sums(struct report *r, const struct fit *f, const struct points *p)
{
	static const struct report_column columns[] = {{"sum", ""}, {"formula", ""}, {"points", ""}, {"held_out", ""}};
	char formula[FORMULA_MAX];

	report_table(r, "sums",
		     "sums of which the model takes the maximum, and the number of points at which each is the maximum",
		     columns, 4);
	for (unsigned s = 0; s < f->model.sums; s++) {
		uint64_t count[2] = {0}; /* fitted, held out */

		for (size_t i = 0; i < p->list.count; i++)
			count[p->list.at[i].held_out] +=
				fit_report_largest_sum(&f->model, p->list.at[i].values) == s + 1;
		formula_of_sum(&f->model, s, formula, sizeof(formula));
		report_cell_u64(r, s + 1);
		report_cell_text(r, formula);
		report_cell_u64(r, count[0]);
		report_cell_u64(r, count[1]);
	}
	report_table_end(r);
}

void fit_report_model(struct report *r, const struct fit *f, const struct points *p)
{
	static const struct report_column columns[] = {{"variable", ""}, {"from", ""}, {"to", ""}};

	report_head(r, f, p);
	report_table(r, "variables", "variables and their range in the fit", columns, 3);
	for (unsigned i = 0; i < f->model.variables.count; i++) {
		report_cell_text(r, f->model.variables.name[i]);
		report_cell_f64(r, f->model.from[i]);
		report_cell_f64(r, f->model.to[i]);
	}
	report_table_end(r);
	if (f->model.lookup) {
		report_knots(r, f->model.lookup);
		return;
	}
	if (f->model.sums > 1)
		report_sums(r, f, p);
	report_terms(r, f);
}

void fit_point_name(const struct model *m, const double *values, char *text, size_t size)
{
	size_t at = 0;

	for (unsigned i = 0; i < m->variables.count && at < size; i++) {
		char number[32];

		value_real(values[i], number, sizeof(number));
		at += (size_t)snprintf(text + at, size - at, "%s%s=%s", i ? "," : "", m->variables.name[i], number);
	}
}

void fit_report_points(struct report *r, const struct fit *f, const struct points *p)
{
	const char *unit = f->model.unit;
	const struct report_column columns[] =
		{
			{"point", ""}, {"use", ""},  {"value", unit},  {"model", unit}, {"error", "%"},
			{"sum", ""},   {"file", ""}, {"checksum", ""}, {"program", ""},
		},
				   without[] = {
					   {"point", ""},  {"use", ""},  {"value", unit},  {"model", unit},
					   {"error", "%"}, {"file", ""}, {"checksum", ""}, {"program", ""},
				   };
	bool several = f->model.sums > 1;
	char name[256];

	report_table(r, "points",
		     several ? "runs, the model's values for them, and the sum that is the maximum"
			     : "runs, and the model's values for them",
		     several ? columns : without, several ? 9 : 8);
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];

		fit_point_name(&f->model, point->values, name, sizeof(name));
		report_cell_text(r, name);
		report_cell_text(r, point->held_out ? "held out" : "fit");
		report_cell_f64(r, point->result);
		report_cell_f64(r, model_largest(&f->model, point->values, NULL));
		report_cell_f64(r, fit_report_error_of(f, point));
		if (several)
			report_cell_u64(r, fit_report_largest_sum(&f->model, point->values));
		report_cell_text(r, point->file);
		report_cell_text(r, point->checksum);
		report_cell_text(r, point->program);
	}
	report_table_end(r);
}

void fit_report_predictions(struct report *r, const struct fit *f, const struct prediction *list, size_t count)
{
	const char *unit = f->model.unit;
	const struct report_column columns[] = {
		{"point", ""},    {"model", unit}, {"low", unit}, {"high", unit},
		{"interval", ""}, {"outside", ""}, {"sum", ""},
	};
	bool several = f->model.sums > 1;
	char name[256];

	report_table(r, "predictions",
		     "predictions and where runs are to be expected; outside: factor beyond the range of the fit",
		     columns, several ? 7 : 6);
	for (size_t i = 0; i < count; i++) {
		double value = model_largest(&f->model, list[i].values, NULL), low, high;
		bool outside = fit_interval(f, list[i].values, &low, &high, NULL);

		fit_point_name(&f->model, list[i].values, name, sizeof(name));
		report_cell_text(r, name);
		report_cell_f64(r, value);
		report_cell_f64(r, low);
		report_cell_f64(r, high);
		report_cell_text(r, outside ? "extrapolation" : "95 % of runs");
		report_cell_f64(r, model_distance(&f->model, list[i].values));
		if (several)
			report_cell_u64(r, fit_report_largest_sum(&f->model, list[i].values));
	}
	report_table_end(r);
}

/* Adds the name of a point and its KiB of data, or blanks. */
static void report_cache_point(struct report *r, const struct model *m, const struct point *point)
{
	char name[256] = "";

	if (point)
		fit_point_name(m, point->values, name, sizeof(name));
	report_cell_text(r, name);
	report_cell_f64(r, point ? point->data_kib : (double)NAN);
}

void fit_report_caches(struct report *r, const struct fit *f, const struct doubts *d)
{
	static const struct report_column columns[] = {{"cache", ""},         {"size", "KiB"}, {"holds", ""},
						       {"holds_data", "KiB"}, {"leaves", ""},  {"leaves_data", "KiB"}};

	if (!d->caches)
		return;
	report_table(r, "caches",
		     "largest data of which a cache fetches lines once, and smallest of which it fetches them twice",
		     columns, 6);
	for (unsigned n = 0; n < d->caches; n++) {
		report_cell_text(r, d->cache[n].name);
		report_cell_f64(r, d->cache[n].kib);
		report_cache_point(r, &f->model, d->cache[n].held);
		report_cache_point(r, &f->model, d->cache[n].left);
	}
	report_table_end(r);
}

void fit_report_config(struct report *r, const struct points *p)
{
	const char *group, *name;
	json_t *values, *value;

	report_group(r, "config", "configuration of the simulated processor");
	json_object_foreach(p->config, group, values)
	{
		report_group(r, group, "");
		json_object_foreach(values, name, value)
		{
			if (json_is_string(value))
				report_text(r, name, json_string_value(value), "");
		}
		report_end(r);
	}
	report_end(r);
}
