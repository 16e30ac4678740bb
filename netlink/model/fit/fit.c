#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"

/* A share of the sum of squares that is rounding: 1e-10 of a value, squared. */
#define ROUNDING 1e-20

void fit_take_ranges(struct model *m, const struct problem *b)
{
	for (unsigned i = 0; i < m->variables.count; i++) {
		m->from[i] = m->to[i] = b->points[0]->values[i];
		for (unsigned r = 1; r < b->rows; r++) {
			m->from[i] = fmin(m->from[i], b->points[r]->values[i]);
			m->to[i] = fmax(m->to[i], b->points[r]->values[i]);
		}
	}
}

void fit_take_errors(struct fit *f, const struct problem *b, const double *residual)
{
	double weights = 0, mean = 0, squares = 0, total = 0, rss = 0;

	for (unsigned r = 0; r < b->rows; r++) {
		weights += b->weight[r] * b->weight[r];
		mean += b->weight[r] * b->y[r];
	}
	mean /= weights;
	for (unsigned r = 0; r < b->rows; r++) {
		double distance = b->y[r] - b->weight[r] * mean;

		total += distance * distance;
		squares += b->y[r] * b->y[r];
		rss += residual[r] * residual[r];
	}
	f->r2 = total > ROUNDING * squares ? 1 - rss / total : (double)NAN; /* of nothing there is no share */
	f->points = b->runs;
	f->sizes = b->rows;
	memcpy(f->values, b->values, sizeof(f->values));
	f->degrees = b->rows - f->model.count;
	f->bound = student_bound(0.95, f->degrees);
	f->variance = rss / f->degrees;
	f->scatter = b->scatter;
	fit_take_ranges(&f->model, b);
}

void fit_take_run_errors(struct fit *f, const struct points *p)
{
	double squares = 0;

	f->model.max_error = 0;
	f->positive = true;
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double error = model_largest(&f->model, point->values, NULL) - point->result;

		f->positive &= point->result >= 0;
		if (point->held_out)
			continue;
		error = fabs(point->result) > 0 ? 100 * error / point->result : 0; /* no percent of 0 */
		squares += error * error;
		f->model.max_error = fmax(f->model.max_error, fabs(error));
	}
	f->rms_error = sqrt(squares / f->points);
}

static double fit_left_out_error(const struct problem *b, const struct lsq *s)
{
	struct left_out left_out;
	double values = 0;

	for (unsigned r = 0; r < b->rows; r++)
		values += b->y[r] * b->y[r];
	return problem_left_out(b, s, true, &left_out) ? 100 * sqrt(left_out.mean / (values / b->rows)) : (double)NAN;
}

/* Sets coefficients, their errors and the fit's statistics from the solution in `s`. */
static void take_solution(struct fit *f, const struct problem *b, const struct lsq *s)
{
	fit_take_errors(f, b, s->residual);
	f->cross_validation = fit_left_out_error(b, s);
	if (!problem_rows_left_out(b, s, &f->left_out_variance))
		f->left_out_variance = 0;
	for (unsigned t = 0; t < s->columns; t++) {
		f->model.coefficient[t] = s->coefficient[t];
		f->standard_error[t] = sqrt(f->variance * s->inverse[t][t]);
		for (unsigned u = 0; u < s->columns; u++)
			f->covariance[t][u] = f->variance * s->inverse[t][u];
	}
}

static int fit_solve(struct fit *f, const struct problem *b, struct lsq *s, double *columns, struct err *e)
{
	const double *column[MODEL_TERMS_MAX];
	char text[TERM_TEXT_MAX];
	struct model *m = &f->model;
	bool positive = true;

	if (problem_columns(b, m, columns, column, e) < 0)
		return -1;
	if (lsq_solve(s, column, m->count, b->y) < 0) {
		term_write(&m->terms[s->dependent], &m->variables, text);
		return err_set(e, STATUS_USAGE,
			       "term '%s' is a linear combination of the others at these %u points, expected "
			       "independent terms or other points",
			       text, b->rows);
	}
	take_solution(f, b, s);
	for (unsigned t = 0; t < m->count; t++)
		positive &= m->coefficient[t] >= 0;
	return fit_beyond(f, b, column, m->count, positive, e);
}

void fit_start(struct fit *f, const struct points *p, const struct term *terms, const unsigned *first, unsigned sums,
	       bool relative)
{
	*f = (struct fit){.relative = relative, .beyond = (double)NAN, .beyond_factor = 1};
	f->model.variables = p->variables;
	f->model.sums = sums;
	f->model.count = first[sums];
	memcpy(f->model.first, first, (sums + 1) * sizeof(*first));
	if (terms)
		memcpy(f->model.terms, terms, first[sums] * sizeof(*terms));
	memcpy(f->model.value_name, p->value_name, sizeof(p->value_name));
	memcpy(f->model.unit, p->unit, sizeof(p->unit));
}

int fit_terms(const struct points *p, const struct term *terms, unsigned count, bool relative, struct fit *f,
	      struct err *e)
{
	const unsigned first[] = {0, count};
	struct lsq s = {0};
	struct problem b;
	double *columns = NULL;
	int ret;

	fit_start(f, p, terms, first, 1, relative);
	ret = problem_create(&b, p, relative, e);
	if (ret == 0 && b.rows <= count)
		ret = problem_too_few(&b, count, count + 1, "", e);
	if (ret == 0)
		ret = lsq_create(&s, b.rows, e);
	if (ret == 0) {
		columns = mem_alloc((size_t)b.rows * count, sizeof(*columns), e);
		ret = columns ? fit_solve(f, &b, &s, columns, e) : -1;
	}
	if (ret == 0)
		fit_take_run_errors(f, p);
	free(columns);
	lsq_finish(&s);
	problem_finish(&b);
	return ret;
}

/*
 * Returns half the interval from the scatter of the points and the errors of coefficients, at least that of the errors
 * of rows left out: terms that were chosen for their small residuals have smaller ones than other runs.
 */
static double scatter_interval(const struct fit *f, const double *values)
{
	double x[MODEL_ROWS_MAX], sum = 0, scatter = f->variance + f->scatter;
	double least = f->left_out_variance + f->scatter;
	unsigned largest = 0, first, end;

	if (f->model.lookup)
		return f->bound * sqrt(scatter) * lookup_value(f->model.lookup, values);
	model_largest(&f->model, values, &largest);
	first = f->model.first[largest];
	end = f->model.first[largest + 1];
	for (unsigned t = first; t < end; t++) {
		x[t] = term_value(&f->model.terms[t], f->model.variables.count, values);
		if (f->relative)
			sum += f->model.coefficient[t] * x[t];
	}
	if (f->relative) {
		scatter *= sum * sum;
		least *= sum * sum;
	}
	for (unsigned t = first; t < end; t++)
		for (unsigned u = first; u < end; u++)
			scatter += x[t] * f->covariance[t][u] * x[u];
	return f->bound * sqrt(fmax(scatter, least));
}

unsigned fit_functions(const struct term *terms, unsigned count, unsigned variable)
{
	unsigned functions = 0;

	for (unsigned t = 0; t < count; t++) {
		const struct factor *a = &terms[t].factor[variable];
		bool again = false;

		for (unsigned u = 0; u < t && !again; u++) {
			const struct factor *b = &terms[u].factor[variable];

			again = a->power.num == b->power.num && a->power.den == b->power.den &&
				a->log_power == b->log_power;
		}
		functions += !again;
	}
	return functions;
}

double fit_rival_ratio(const struct fit *f, const struct rival *r, const double *values)
{
	double value = 0, model = model_largest(&f->model, values, NULL);

	for (unsigned t = 0; t < r->count; t++)
		value += r->coefficient[t] * term_value(&r->terms[t], f->model.variables.count, values);
	if (!(value > 0) || !(model > 0) || !isfinite(value) || !isfinite(model))
		return (double)INFINITY;
	return fmax(value / model, model / value);
}

bool fit_interval(const struct fit *f, const double *values, double *low, double *high, int *rival)
{
	double value = model_largest(&f->model, values, NULL), half = scatter_interval(f, values), more;

	if (rival)
		*rival = -1;
	*low = value - half;
	*high = value + half;
	if (f->positive)
		*low = fmax(*low, 0);
	if (model_distance(&f->model, values) <= 1)
		return false;
	more = model_expected_error(&f->model, values) / 100;
	for (unsigned v = 0; v < f->model.variables.count; v++)
		if (!f->learnt[v] && model_factor(&f->model, v, values[v]) > 1)
			more = (double)NAN;
	for (unsigned n = 0; n < f->rival_count; n++) {
		double ratio = fit_rival_ratio(f, &f->rival[n], values) - 1;

		if (!(ratio > more))
			continue;
		more = ratio;
		if (rival)
			*rival = (int)n;
	}
	if (f->positive && value > 0) { /* as many times less as more */
		*low = value / (1 + half / value + more);
		*high = value * (1 + half / value + more);
	} else {
		*low -= fabs(value) * more;
		*high += fabs(value) * more;
	}
	return true;
}
