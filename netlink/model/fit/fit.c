#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"

/* A share of the sum of squares that is rounding: 1e-10 of a value, squared. */
#define ROUNDING 1e-20

bool problem_left_out(const struct lsq *s, struct left_out *l)
{
	double sum = 0, squares = 0, n = s->rows;

	for (unsigned r = 0; r < s->rows; r++) {
		/* the error at r of the fit without r, in closed form (the PRESS statistic) */
		double rest = 1 - s->leverage[r], error = s->residual[r] / rest;

		if (rest < 1e-9)
			return false;
		sum += error * error;
		squares += error * error * error * error;
	}
	l->mean = sum / n;
	l->standard_error = n > 1 ? sqrt(fmax(0, (squares / n - l->mean * l->mean) / (n - 1))) : 0;
	return true;
}

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
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double error = model_largest(&f->model, point->values, NULL) - point->result;

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
	return problem_left_out(s, &left_out) ? 100 * sqrt(left_out.mean / (values / b->rows)) : (double)NAN;
}

/* Sets coefficients, their errors and the fit's statistics from the solution in `s`. */
static void take_solution(struct fit *f, const struct problem *b, const struct lsq *s)
{
	fit_take_errors(f, b, s->residual);
	f->cross_validation = fit_left_out_error(b, s);
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

/* Returns half the interval from the scatter of the points and the errors of coefficients. */
static double scatter_interval(const struct fit *f, const double *values)
{
	double x[MODEL_ROWS_MAX], sum = 0, scatter = f->variance + f->scatter;
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
	if (f->relative)
		scatter *= sum * sum;
	for (unsigned t = first; t < end; t++)
		for (unsigned u = first; u < end; u++)
			scatter += x[t] * f->covariance[t][u] * x[u];
	return f->bound * sqrt(scatter);
}

double fit_interval(const struct fit *f, const double *values)
{
	double half = scatter_interval(f, values);

	if (model_distance(&f->model, values) <= 1)
		return half;
	return fmax(half, fabs(model_largest(&f->model, values, NULL)) * model_expected_error(&f->model, values) / 100);
}
