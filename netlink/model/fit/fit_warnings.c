/* Warnings about a fit. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fit_report.h"

/*
 * Errors count as far above those of cross-validation when they are more than four times these:
 * about as many standard deviations (assumed), and above LEAST_ERROR.
 */
#define FAR_ABOVE 4.0

/* Times whose spread is below this share are the same. */
#define SAME 1e-3

enum { TEXT_MAX = 400, LISTED_MAX = 20 };

/* The table of warnings, which begins with the first of them: without any there is none. */
struct warnings {
	struct report *report;
	bool begun;
};

__attribute__((format(printf, 3, 4))) static void warn(struct warnings *w, const char *what, const char *format, ...)
{
	static const struct report_column columns[] = {{"warning", ""}, {"about", ""}};
	char text[TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!w->begun)
		report_table(w->report, "warnings", "reasons to doubt this fit", columns, 2);
	w->begun = true;
	report_cell_text(w->report, what);
	report_cell_text(w->report, text);
}

int fit_doubts(struct doubts *d, const struct fit *f, const struct points *p, struct err *e)
{
	struct outlier found[OUTLIERS_MAX];
	struct fit table = {0};
	struct err none;
	int count = outliers_find(p, found, OUTLIERS_MAX, e);

	int known;

	*d = (struct doubts){.interpolated = (double)NAN};
	d->caches = fit_caches(p, d->cache);
	known = d->caches ? fit_caches_data(p, &d->data, e) : 0;
	if (known < 0)
		return -1;
	d->data_known = known > 0;
	if (!f->model.lookup && fit_interpolate(p, &table, &none) == 0)
		d->interpolated = table.cross_validation;
	fit_finish(&table);
	for (int i = 0; i < count; i++)
		if (f->model.max_error >
		    100 * found[i].scatter) /* else the model describes the point better than the curve does */
			d->outlier[d->outliers++] = found[i];
	return count < 0 ? -1 : 0;
}

void fit_doubts_finish(struct doubts *d)
{
	if (d->data_known)
		fit_finish(&d->data);
}

/* ---- caches ---- */

/* Warns of caches that hold the data of some points and not those of others. */
static void warn_left(struct warnings *w, const struct fit *f, const struct doubts *d)
{
	for (unsigned n = 0; n < d->caches; n++) {
		const struct cache *c = &d->cache[n];
		char held[256], left[256];

		if (!c->held || !c->left)
			continue;
		fit_point_name(&f->model, c->held->values, held, sizeof(held));
		fit_point_name(&f->model, c->left->values, left, sizeof(left));
		warn(w, "data leave a cache",
		     "%s, %.4g KiB, fetches the lines of %s, %.4g KiB, once, and those of %s, %.4g KiB, %.3g times: "
		     "the "
		     "time may follow two laws; fit each alone, or --interpolate",
		     c->name, c->kib, held, c->held->data_kib, left, c->left->data_kib,
		     c->left->fetched_kib[c->number] / c->left->data_kib);
	}
}

/* Warns of a prediction whose data a cache that holds those of all points may not hold. */
static bool warn_leaves(struct warnings *w, const struct fit *f, const struct doubts *d, const double *values)
{
	double kib = d->data_known ? model_largest(&d->data.model, values, NULL) : 0;
	bool warned = false;

	for (unsigned n = 0; n < d->caches; n++) {
		const struct cache *c = &d->cache[n];
		char name[256], held[256];

		if (!c->held || c->left || !(kib > c->kib) || !(kib > c->held->data_kib))
			continue;
		fit_point_name(&f->model, values, name, sizeof(name));
		fit_point_name(&f->model, c->held->values, held, sizeof(held));
		warn(w, "data may leave a cache",
		     "%s touches about %.4g KiB, more than %s, %.4g KiB, which fetches the lines of %s, %.4g KiB, "
		     "once: "
		     "the time may follow another law; simulate larger sizes",
		     name, kib, c->name, c->kib, held, c->held->data_kib);
		warned = true;
	}
	return warned;
}

/* ---- sizes of --predict ---- */

static bool warn_outside(struct warnings *w, const struct model *m, const double *values)
{
	struct model_watch watch = {0};
	char text[TEXT_MAX];

	model_evaluate(m, values, &watch);
	if (!watch.outside)
		return false;
	model_watch_text(m, &watch, text, sizeof(text));
	warn(w, "extrapolation", "%s", text);
	return true;
}

/* Warns about what makes the interval at a prediction beyond the range as wide as it is. */
static bool warn_width(struct warnings *w, const struct fit *f, const double *values)
{
	const struct model *m = &f->model;
	double low, high;
	char name[256], formula[256];
	int rival;

	if (!fit_interval(f, values, &low, &high, &rival))
		return false;
	fit_point_name(m, values, name, sizeof(name));
	for (unsigned v = 0; v < m->variables.count; v++)
		if (!f->learnt[v] && model_factor(m, v, values[v]) > 1) {
			warn(w, "nothing known beyond the range",
			     "%s: no points beyond the others in %s check the model: no interval, hold out larger "
			     "sizes",
			     name, m->variables.name[v]);
			return true;
		}
	if (rival < 0)
		return false;
	fit_formula_rival(m, &f->rival[rival], formula, sizeof(formula));
	warn(w, "rival model", "%s: %s fits nearly as well, and differs by a factor of %.3g: it widens the interval",
	     name, formula, fit_rival_ratio(f, &f->rival[rival], values));
	return true;
}

/* Returns whether negative values would be wrong: all points are above 0. */
static bool makes_sense_below_zero(const struct points *p)
{
	for (size_t i = 0; i < p->list.count; i++)
		if (!(p->list.at[i].result >= 0))
			return true;
	return false;
}

static bool warn_below_zero(struct warnings *w, const struct fit *f, const double *values)
{
	double value = model_largest(&f->model, values, NULL);
	char name[256];

	if (!(value < 0))
		return false;
	fit_point_name(&f->model, values, name, sizeof(name));
	warn(w, "value below zero", "%s: %.3g%s%s, while all points are above 0", name, value,
	     *f->model.unit ? " " : "", f->model.unit);
	return true;
}

/*
 * Warns about points, held out or not, then predictions; limits the number of warnings of a kind. A point that is held
 * out is no extrapolation to doubt: its error is measured.
 */
static void warn_sizes(struct warnings *w, const struct fit *f, const struct points *p, const struct doubts *d,
		       const struct prediction *list, size_t count)
{
	bool any_sign = makes_sense_below_zero(p);
	unsigned outside = 0, below = 0, wide = 0, leaves = 0;

	for (size_t i = 0; i < p->list.count + count; i++) {
		bool point = i < p->list.count;
		const double *values = point ? p->list.at[i].values : list[i - p->list.count].values;

		if (outside < LISTED_MAX && !point)
			outside += warn_outside(w, &f->model, values);
		if (wide < LISTED_MAX && !point)
			wide += warn_width(w, f, values);
		if (leaves < LISTED_MAX && !point)
			leaves += warn_leaves(w, f, d, values);
		if (below < LISTED_MAX && !any_sign)
			below += warn_below_zero(w, f, values);
	}
}

/* ---- errors ---- */

static bool far_above(double error, double cross_validation)
{
	return error > FAR_ABOVE * cross_validation && error > LEAST_ERROR;
}

static void warn_errors(struct warnings *w, const struct fit *f, const struct points *p)
{
	const struct point *worst = NULL;
	double held_out = fit_held_out_error(f, p, &worst), usual = f->cross_validation;
	char name[256];

	if (worst && far_above(held_out, usual)) {
		fit_point_name(&f->model, worst->values, name, sizeof(name));
		warn(w, "held-out error far above cross-validation",
		     "%s: %.3g %% against %.3g %%: the model does not hold for these points", name, held_out, usual);
	}
	if (far_above(f->beyond, usual))
		warn(w, "error beyond the points",
		     "%.3g %% at the upper third of the sizes, fitted without them, against %.3g %% in "
		     "cross-validation: do not extrapolate",
		     f->beyond, usual);
}

/* Warns if a sum of terms is more than twice as far off as interpolation between the points. */
static void warn_table(struct warnings *w, const struct fit *f, const struct doubts *d)
{
	if (f->cross_validation > LEAST_ERROR && f->cross_validation > 2 * d->interpolated)
		warn(w, "no sum of these terms",
		     "%.3g %% error at points left out, %.3g %% with interpolation: use --interpolate, or --terms for "
		     "each part",
		     f->cross_validation, d->interpolated);
}

static void warn_outliers(struct warnings *w, const struct fit *f, const struct points *p, const struct doubts *d)
{
	for (unsigned i = 0; i < d->outliers; i++) {
		const struct point *point = &p->list.at[d->outlier[i].point];
		double expected = d->outlier[i].expected, times = point->result / expected;
		char name[256];

		fit_point_name(&f->model, point->values, name, sizeof(name));
		warn(w, "outlier", "%s (%s): %.4g is %s%.2g times the prediction of the other points, %.4g", name,
		     point->file, point->result, times < 1 ? "1/" : "", times < 1 ? 1 / times : times, expected);
	}
}

/* ---- sizes with too little information ---- */

/* Sums of products of deviations from the mean, of a size or its logarithm, over the fitted points. */
struct moments {
	double xx, xy, yy;
};

static struct moments moments_of(const struct points *p, unsigned a, unsigned b, bool logarithms)
{
	double mean[2] = {0}, n = 0;
	struct moments m = {0};

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < p->list.count; i++) {
			double x = p->list.at[i].values[a], y = p->list.at[i].values[b];

			if (p->list.at[i].held_out)
				continue;
			x = logarithms ? log(x) : x;
			y = logarithms ? log(y) : y;
			if (pass == 0) {
				mean[0] += x;
				mean[1] += y;
				n++;
				continue;
			}
			m.xx += (x - mean[0]) * (x - mean[0]);
			m.xy += (x - mean[0]) * (y - mean[1]);
			m.yy += (y - mean[1]) * (y - mean[1]);
		}
		if (pass == 0) {
			mean[0] /= n;
			mean[1] /= n;
		}
	}
	return m;
}

/* Returns whether all points are on a line, to rounding; in logarithms: one size is a power of the other. */
static bool on_a_line(const struct moments *m)
{
	return m->xx > 0 && m->yy > 0 && m->xx * m->yy - m->xy * m->xy < 1e-9 * m->xx * m->yy;
}

static void warn_diagonals(struct warnings *w, const struct fit *f, const struct points *p)
{
	const struct variables *v = &f->model.variables;

	for (unsigned a = 0; a < v->count && f->sizes > 1; a++) {
		if (v->count > 1 && !(f->model.to[a] > f->model.from[a]))
			warn(w, "constant size", "%s is %g at all points", v->name[a], f->model.from[a]);
		for (unsigned b = a + 1; b < v->count; b++) {
			struct moments plain = moments_of(p, a, b, false), logs = moments_of(p, a, b, true);

			if (on_a_line(&plain) || on_a_line(&logs))
				warn(w, "sizes that change together",
				     "%s and %s change together at all points: their costs cannot be separated, vary "
				     "one alone",
				     v->name[a], v->name[b]);
		}
	}
}

static void warn_few_sizes(struct warnings *w, const struct fit *f)
{
	if (f->model.lookup)
		return; /* sizes vary independently */
	if (2 * f->model.count >= f->sizes)
		warn(w, "few sizes", "%u for %u terms, expected more than twice as many", f->sizes, f->model.count);
}

/* Warns where the values of a variable are too few to check its functions. */
static void warn_few_values(struct warnings *w, const struct fit *f)
{
	const struct model *m = &f->model;

	for (unsigned v = 0; v < m->variables.count && m->variables.count > 1 && !m->lookup; v++) {
		unsigned most = 0;

		for (unsigned s = 0; s < m->sums; s++) {
			unsigned functions = fit_functions(m->terms + m->first[s], m->first[s + 1] - m->first[s], v);

			most = functions > most ? functions : most;
		}
		if (f->values[v] > 1 && 2 * most >= f->values[v])
			warn(w, "few values",
			     "%s has %u values for %u function%s of it, expected more than twice as many",
			     m->variables.name[v], f->values[v], most, most > 1 ? "s" : "");
	}
}

static void warn_coefficients(struct warnings *w, const struct fit *f)
{
	char term[TERM_TEXT_MAX + 16]; /* includes the sum's number */
	unsigned sum = 0;

	for (unsigned t = 0; t < f->model.count; t++) {
		sum += t == f->model.first[sum + 1];
		if (!(fabs(f->model.coefficient[t]) <= f->bound * f->standard_error[t]))
			continue;
		term_write(&f->model.terms[t], &f->model.variables, term);
		if (f->model.sums > 1)
			snprintf(term + strlen(term), 16, " in sum %u", sum + 1);
		warn(w, "coefficient that may be 0", "%s", term);
	}
}

static void warn_constant(struct warnings *w, const struct fit *f, const struct points *p)
{
	double least = (double)INFINITY, most = -(double)INFINITY;

	for (size_t i = 0; i < p->list.count; i++) {
		least = fmin(least, p->list.at[i].result);
		most = fmax(most, p->list.at[i].result);
	}
	if (f->sizes > 1 && most - least <= SAME * fabs(most))
		warn(w, "all sizes take the same", "%.4g%s%s at each point: does the program use its size?", most,
		     *f->model.unit ? " " : "", f->model.unit);
}

void fit_report_warnings(struct report *r, const struct fit *f, const struct points *p, const struct doubts *d,
			 const struct prediction *list, size_t count)
{
	struct warnings warnings = {.report = r}, *w = &warnings;

	warn_constant(w, f, p);
	warn_left(w, f, d);
	warn_sizes(w, f, p, d, list, count);
	warn_errors(w, f, p);
	warn_table(w, f, d);
	warn_outliers(w, f, p, d);
	warn_diagonals(w, f, p);
	warn_few_sizes(w, f);
	warn_few_values(w, f);
	warn_coefficients(w, f);
	if (p->config_mixed)
		warn(w, "reports of different configurations", "%s", p->config_difference);
	if (w->begun)
		report_table_end(r);
}
