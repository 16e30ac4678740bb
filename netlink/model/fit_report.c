#include "fit_report.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "../../psim/base/value.h"

void fit_formula(const struct model *m, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned t = 0; t < m->count && at < size; t++) {
		char term[TERM_TEXT_MAX];
		double c = m->coefficient[t];

		term_write(&m->terms[t], &m->variables, term);
		at += (size_t)snprintf(text + at, size - at, "%s%.6g%s%s",
		                       t ? c < 0 ? " - " : " + " : "", t ? fabs(c) : c,
		                       strcmp(term, "1") ? "*" : "", strcmp(term, "1") ? term : "");
	}
}

/* Percent, of a value that the model should have given. */
static double error_of(const struct fit *f, const struct point *p)
{
	return 100 * (model_sum(&f->model, p->values) - p->result) / p->result;
}

static double held_out_error(const struct fit *f, const struct points *p)
{
	double largest = (double)NAN;

	for (size_t i = 0; i < p->list.count; i++)
		if (p->list.at[i].held_out)
			largest = fmax(largest, fabs(error_of(f, &p->list.at[i])));
	return largest;
}

static void report_head(struct report *r, const struct fit *f, const struct points *p)
{
	char formula[1024];

	fit_formula(&f->model, formula, sizeof formula);
	report_group(r, "model", "the time model");
	report_text(r, "format", MODEL_FORMAT_NAME, "docs/model-format.md");
	report_u64(r, "version", MODEL_FORMAT_VERSION, "", "of the format");
	report_text(r, "value", f->model.value_name, "what it gives");
	report_text(r, "unit", f->model.unit, "of the value");
	report_text(r, "formula", formula, "rounded");
	report_text(r, "weights", f->relative ? "relative" : "equal", "of the points");
	report_u64(r, "hypotheses", f->hypotheses, "", "sets of terms tried, 0: terms given");
	report_u64(r, "points", f->points, "", "fitted to");
	report_u64(r, "degrees_of_freedom", f->degrees, "", "points - terms");
	report_f64(r, "r2", f->r2, "", "share of the variance explained");
	report_f64(r, "rms_error", f->rms_error, "%", "of the fitted points");
	report_f64(r, "max_error", f->model.max_error, "%", "largest of the fitted points");
	report_f64(r, "cross_validation", f->cross_validation, "%",
	           "rms error of points left out one at a time");
	report_u64(r, "held_out", p->list.count - f->points, "",
	           "points that the fit has not seen");
	report_f64(r, "held_out_error", held_out_error(f, p), "%", "largest of these");
	report_end(r);
}

static void report_terms(struct report *r, const struct fit *f)
{
	static const struct report_column columns[] = {
		{"term", ""}, {"coefficient", ""}, {"standard_error", ""},
		{"low", ""},  {"high", ""},
	};
	char term[TERM_TEXT_MAX];

	report_table(r, "terms", "coefficients with their 95 % confidence interval", columns, 5);
	for (unsigned t = 0; t < f->model.count; t++) {
		double half = f->bound * f->standard_error[t];

		term_write(&f->model.terms[t], &f->model.variables, term);
		report_cell_text(r, term);
		report_cell_f64(r, f->model.coefficient[t]);
		report_cell_f64(r, f->standard_error[t]);
		report_cell_f64(r, f->model.coefficient[t] - half);
		report_cell_f64(r, f->model.coefficient[t] + half);
	}
	report_table_end(r);
}

void fit_report_model(struct report *r, const struct fit *f, const struct points *p)
{
	static const struct report_column columns[] = {{"variable", ""}, {"from", ""}, {"to", ""}};

	report_head(r, f, p);
	report_table(r, "variables", "their range in the fit", columns, 3);
	for (unsigned i = 0; i < f->model.variables.count; i++) {
		report_cell_text(r, f->model.variables.name[i]);
		report_cell_f64(r, f->model.from[i]);
		report_cell_f64(r, f->model.to[i]);
	}
	report_table_end(r);
	report_terms(r, f);
}

/* "n=64,m=2": the name of a row. */
static void point_name(const struct model *m, const double *values, char *text, size_t size)
{
	size_t at = 0;

	for (unsigned i = 0; i < m->variables.count && at < size; i++) {
		char number[32];

		value_real(values[i], number, sizeof number);
		at += (size_t)snprintf(text + at, size - at, "%s%s=%s", i ? "," : "",
		                       m->variables.name[i], number);
	}
}

void fit_report_points(struct report *r, const struct fit *f, const struct points *p)
{
	const char *unit = f->model.unit;
	const struct report_column columns[] = {
		{"point", ""},  {"use", ""},  {"value", unit},  {"model", unit},
		{"error", "%"}, {"file", ""}, {"checksum", ""}, {"program", ""},
	};
	char name[256];

	report_table(r, "points", "the runs, and what the model makes of them", columns, 8);
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];

		point_name(&f->model, point->values, name, sizeof name);
		report_cell_text(r, name);
		report_cell_text(r, point->held_out ? "held out" : "fit");
		report_cell_f64(r, point->result);
		report_cell_f64(r, model_sum(&f->model, point->values));
		report_cell_f64(r, error_of(f, point));
		report_cell_text(r, point->file);
		report_cell_text(r, point->checksum);
		report_cell_text(r, point->program);
	}
	report_table_end(r);
}

/* The largest factor by which a variable is outside; 1: none is. */
static double outside(const struct model *m, const double *values)
{
	double factor = 1;

	for (unsigned i = 0; i < m->variables.count; i++)
		factor = fmax(factor, model_factor(m, i, values[i]));
	return factor;
}

void fit_report_predictions(struct report *r, const struct fit *f, const struct prediction *list,
                            size_t count)
{
	const char *unit = f->model.unit;
	const struct report_column columns[] = {
		{"point", ""}, {"model", unit}, {"low", unit}, {"high", unit}, {"outside", ""},
	};
	char name[256];

	report_table(
		r, "predictions",
		"with the 95 % interval of a run; outside: the range of the fit by that factor",
		columns, 5);
	for (size_t i = 0; i < count; i++) {
		double value = model_sum(&f->model, list[i].values),
		       half = fit_interval(f, list[i].values);

		point_name(&f->model, list[i].values, name, sizeof name);
		report_cell_text(r, name);
		report_cell_f64(r, value);
		report_cell_f64(r, value - half);
		report_cell_f64(r, value + half);
		report_cell_f64(r, outside(&f->model, list[i].values));
	}
	report_table_end(r);
}

static void warn_outside(struct report *r, const struct model *m, const double *values)
{
	struct model_watch watch = {0};
	char text[256];

	model_evaluate(m, values, &watch);
	if (!watch.outside)
		return;
	model_watch_text(m, &watch, text, sizeof text);
	report_cell_text(r, "extrapolation");
	report_cell_text(r, text);
}

void fit_report_warnings(struct report *r, const struct fit *f, const struct points *p,
                         const struct prediction *list, size_t count)
{
	static const struct report_column columns[] = {{"warning", ""}, {"about", ""}};
	char term[TERM_TEXT_MAX];

	report_table(r, "warnings", "what to keep in mind", columns, 2);
	for (size_t i = 0; i < p->list.count; i++)
		if (p->list.at[i].held_out)
			warn_outside(r, &f->model, p->list.at[i].values);
	for (size_t i = 0; i < count; i++)
		warn_outside(r, &f->model, list[i].values);
	for (unsigned t = 0; t < f->model.count; t++) {
		if (!(fabs(f->model.coefficient[t]) <= f->bound * f->standard_error[t]))
			continue;
		term_write(&f->model.terms[t], &f->model.variables, term);
		report_cell_text(r, "coefficient that may be 0");
		report_cell_text(r, term);
	}
	if (p->config_mixed) {
		report_cell_text(r, "reports of different configurations");
		report_cell_text(r, p->config_difference);
	}
	report_table_end(r);
}

void fit_report_config(struct report *r, const struct points *p)
{
	const char *group, *name;
	json_t *values, *value;

	report_group(r, "config", "of the simulated processor");
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
