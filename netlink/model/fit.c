#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

int problem_create(struct problem *b, const struct points *p, bool relative, struct err *e)
{
	size_t count = p->list.count + 1;

	*b = (struct problem){0};
	b->points = mem_alloc(count, sizeof(const struct point *), e);
	b->weight = mem_alloc(count, sizeof *b->weight, e);
	b->y = mem_alloc(count, sizeof *b->y, e);
	if (!b->points || !b->weight || !b->y)
		return -1;
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];

		if (point->held_out)
			continue;
		if (relative && !(point->result > 0))
			return err_set(e, STATUS_BAD_INPUT,
			               "%s: %s is %g, expected more than 0 for relative weights "
			               "(--weights equal takes any)",
			               point->file, p->value_name, point->result);
		b->weight[b->rows] = relative ? 1 / point->result : 1;
		b->y[b->rows] = b->weight[b->rows] * point->result;
		b->points[b->rows++] = point;
	}
	return 0;
}

void problem_finish(struct problem *b)
{
	free(b->points);
	free(b->weight);
	free(b->y);
	*b = (struct problem){0};
}

int problem_column(const struct problem *b, unsigned variables, const struct term *t,
                   double *column)
{
	for (unsigned r = 0; r < b->rows; r++) {
		column[r] = b->weight[r] * term_value(t, variables, b->points[r]->values);
		if (!isfinite(column[r]))
			return (int)r;
	}
	return -1;
}

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

static void take_ranges(struct model *m, const struct problem *b)
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
	double weights = 0, mean = 0, total = 0, squares = 0, rss = 0;

	f->model.max_error = 0;
	for (unsigned r = 0; r < b->rows; r++) {
		weights += b->weight[r] * b->weight[r];
		mean += b->weight[r] * b->y[r];
	}
	mean /= weights;
	for (unsigned r = 0; r < b->rows; r++) {
		double distance = b->y[r] - b->weight[r] * mean;
		double error = fabs(b->y[r]) > 0 ? 100 * residual[r] / b->y[r] : 0; /* no percent of 0 */

		total += distance * distance;
		squares += error * error;
		rss += residual[r] * residual[r];
		f->model.max_error = fmax(f->model.max_error, fabs(error));
	}
	f->r2 = total > 0 ? 1 - rss / total : (double)NAN;
	f->rms_error = sqrt(squares / b->rows);
	f->points = b->rows;
	f->degrees = b->rows - f->model.count;
	f->bound = student_bound(0.95, f->degrees);
	f->variance = rss / f->degrees;
	take_ranges(&f->model, b);
}

static double left_out_error(const struct problem *b, const struct lsq *s)
{
	struct left_out left_out;
	double values = 0;

	for (unsigned r = 0; r < b->rows; r++)
		values += b->y[r] * b->y[r];
	return problem_left_out(s, &left_out) ? 100 * sqrt(left_out.mean / (values / b->rows)) : (double)NAN;
}

/* Everything about the solution in `s`. */
static void take_solution(struct fit *f, const struct problem *b, const struct lsq *s)
{
	fit_take_errors(f, b, s->residual);
	f->cross_validation = left_out_error(b, s);
	for (unsigned t = 0; t < s->columns; t++) {
		f->model.coefficient[t] = s->coefficient[t];
		f->standard_error[t] = sqrt(f->variance * s->inverse[t][t]);
		for (unsigned u = 0; u < s->columns; u++)
			f->covariance[t][u] = f->variance * s->inverse[t][u];
	}
}

int problem_columns(const struct problem *b, const struct model *m, double *columns, const double **column,
                    struct err *e)
{
	char text[TERM_TEXT_MAX];

	for (unsigned t = 0; t < m->count; t++) {
		int bad = problem_column(b, m->variables.count, &m->terms[t],
		                         columns + (size_t)t * b->rows);

		column[t] = columns + (size_t)t * b->rows;
		term_write(&m->terms[t], &m->variables, text);
		if (bad >= 0)
			return err_set(e, STATUS_BAD_INPUT,
			               "%s: term '%s' has no value there, expected variables above "
			               "0 for logarithms "
			               "and broken or negative powers",
			               b->points[bad]->file, text);
	}
	return 0;
}

static int solve(struct fit *f, const struct problem *b, struct lsq *s, double *columns,
                 struct err *e)
{
	const double *column[MODEL_TERMS_MAX];
	char text[TERM_TEXT_MAX];
	struct model *m = &f->model;

	if (problem_columns(b, m, columns, column, e) < 0)
		return -1;
	if (lsq_solve(s, column, m->count, b->y) < 0) {
		term_write(&m->terms[s->dependent], &m->variables, text);
		return err_set(e, STATUS_USAGE,
		               "term '%s' is a combination of the others at these %u points, "
		               "expected terms or points "
		               "that tell them apart",
		               text, b->rows);
	}
	take_solution(f, b, s);
	return 0;
}

static int too_few(const struct problem *b, unsigned terms, struct err *e)
{
	return err_set(e, STATUS_USAGE, "too few points: %u for %u terms, expected at least %u",
	               b->rows, terms, terms + 1);
}

void fit_start(struct fit *f, const struct points *p, const struct term *terms, const unsigned *first, unsigned sums,
               bool relative)
{
	*f = (struct fit){.relative = relative};
	f->model.variables = p->variables;
	f->model.sums = sums;
	f->model.count = first[sums];
	memcpy(f->model.first, first, (sums + 1) * sizeof *first);
	memcpy(f->model.terms, terms, first[sums] * sizeof *terms);
	memcpy(f->model.value_name, p->value_name, sizeof p->value_name);
	memcpy(f->model.unit, p->unit, sizeof p->unit);
}

int fit_terms(const struct points *p, const struct term *terms, unsigned count, bool relative,
              struct fit *f, struct err *e)
{
	const unsigned first[] = {0, count};
	struct lsq s = {0};
	struct problem b;
	double *columns = NULL;
	int ret;

	fit_start(f, p, terms, first, 1, relative);
	ret = problem_create(&b, p, relative, e);
	if (ret == 0 && b.rows <= count)
		ret = too_few(&b, count, e);
	if (ret == 0)
		ret = lsq_create(&s, b.rows, e);
	if (ret == 0) {
		columns = mem_alloc((size_t)b.rows * count, sizeof *columns, e);
		ret = columns ? solve(f, &b, &s, columns, e) : -1;
	}
	free(columns);
	lsq_finish(&s);
	problem_finish(&b);
	return ret;
}

double fit_interval(const struct fit *f, const double *values)
{
	double x[MODEL_ROWS_MAX], sum = 0, scatter = f->variance;
	unsigned largest = 0, first, end;

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
