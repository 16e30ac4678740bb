/* Extrapolation error: fits the model without the largest points and predicts them. */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "fit.h"

enum { LEFT_OUT = 3 }; /* a third of the sizes, and of the values of a variable */

struct ordered {
	double value;
	unsigned row;
};

/* The parts of a problem without its largest points. */
struct trial {
	const struct fit *fit;
	const struct problem *problem;
	const double *const *column; /* of all rows */
	unsigned count;              /* of columns */
	bool positive;
	struct lsq lsq;
	double *sorted; /* columns and values in the order of a trial */
};

/* Errors at the rows that a trial leaves out. */
struct seen {
	double error, factor; /* largest error, in percent; factor by which the rows are beyond the others */
	double excess;        /* percent, at twice the range: by how much errors are above their interval */
};

static int fit_beyond_by_value(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Copies the columns and values in this order of the rows. */
static void take_order(struct trial *t, const unsigned *order)
{
	const struct problem *b = t->problem;

	for (unsigned c = 0; c <= t->count; c++)
		for (unsigned r = 0; r < b->rows; r++)
			t->sorted[(size_t)c * b->rows + r] = c < t->count ? t->column[c][order[r]] : b->y[order[r]];
}

/* Returns a model with the range of the first `rows` rows of the order. */
static struct model kept_range(const struct trial *t, const unsigned *order, unsigned rows)
{
	struct model kept = t->fit->model;

	for (unsigned i = 0; i < kept.variables.count; i++) {
		kept.from[i] = kept.to[i] = t->problem->points[order[0]]->values[i];
		for (unsigned r = 1; r < rows; r++) {
			kept.from[i] = fmin(kept.from[i], t->problem->points[order[r]]->values[i]);
			kept.to[i] = fmax(kept.to[i], t->problem->points[order[r]]->values[i]);
		}
	}
	return kept;
}

/* Returns the variance of a prediction at row `r` in units of that of residuals. */
static double share_at(const struct trial *t, const double *const *column, unsigned r)
{
	double share = 1;

	for (unsigned i = 0; i < t->count; i++)
		for (unsigned j = 0; j < t->count; j++)
			share += column[i][r] * t->lsq.inverse[i][j] * column[j][r];
	return share;
}

/* Notes the errors at the rows from `rows` on, whose columns are `column` and whose values `y`. */
static void look(const struct trial *t, const unsigned *order, const double *const *column, const double *y,
		 const double *coefficient, struct seen *seen)
{
	const unsigned rows = t->lsq.rows;
	const struct model kept = kept_range(t, order, rows);
	double variance = t->lsq.rss / (rows - t->count), bound = student_bound(0.95, rows - t->count);

	for (unsigned r = rows; r < t->problem->rows; r++) {
		double sum = 0, factor = model_distance(&kept, t->problem->points[order[r]]->values), error, half;

		for (unsigned c = 0; c < t->count; c++)
			sum += coefficient[c] * column[c][r];
		if (!(fabs(y[r]) > 0))
			continue;
		error = 100 * fabs(sum / y[r] - 1);
		half = 100 * bound * sqrt(variance * share_at(t, column, r)) / fabs(y[r]);
		seen->error = fmax(seen->error, error);
		seen->factor = fmax(seen->factor, factor);
		if (factor > 1 && isfinite(factor))
			seen->excess = fmax(seen->excess, (error - half) / log2(factor));
	}
}

/* Fits the first `rows` rows of the order; false if they are too few. */
static bool try_without(struct trial *t, const unsigned *order, unsigned rows, struct seen *seen)
{
	const double *column[MODEL_TERMS_MAX], *y = t->sorted + (size_t)t->count * t->problem->rows;
	double coefficient[MODEL_TERMS_MAX];
	bool negative = false;

	if (rows <= t->count || rows >= t->problem->rows)
		return false;
	take_order(t, order);
	for (unsigned c = 0; c < t->count; c++)
		column[c] = t->sorted + (size_t)c * t->problem->rows;
	t->lsq.rows = rows;
	if (lsq_solve(&t->lsq, column, t->count, y) < 0)
		return false;
	for (unsigned c = 0; c < t->count; c++) {
		coefficient[c] = t->lsq.coefficient[c];
		negative |= coefficient[c] < 0;
	}
	if (negative && t->positive)
		lsq_positive(&t->lsq, column, t->count, y, coefficient);
	look(t, order, column, y, coefficient, seen);
	return true;
}

/*
 * Leaves out the rows with the largest value of a variable, with its two largest values, four …, up to a third of them.
 * Returns whether the others ever determined the model.
 */
static bool try_variable(struct trial *t, unsigned variable, struct seen *seen)
{
	const struct problem *b = t->problem;
	const unsigned *order = b->order + (size_t)variable * b->rows;
	unsigned out = 0, rows = b->rows, most = b->values[variable] / LEFT_OUT;
	bool learnt = false;

	for (unsigned next = 1; next == 1 || next <= most; next *= 2) {
		for (; out < next && rows > 0; out++) {
			double value = b->points[order[rows - 1]]->values[variable];

			while (rows > 0 && !(b->points[order[rows - 1]]->values[variable] < value))
				rows--;
		}
		learnt |= try_without(t, order, rows, seen);
	}
	return learnt;
}

/* Writes the rows in ascending order of their values. */
static int order_by_value(const struct problem *b, unsigned *order, struct err *e)
{
	struct ordered *ordered = mem_alloc(b->rows, sizeof(*ordered), e);

	if (!ordered)
		return -1;
	for (unsigned r = 0; r < b->rows; r++)
		ordered[r] = (struct ordered){b->y[r] / b->weight[r], r};
	qsort(ordered, b->rows, sizeof(*ordered), fit_beyond_by_value);
	for (unsigned r = 0; r < b->rows; r++)
		order[r] = ordered[r].row;
	free(ordered);
	return 0;
}

int fit_beyond(struct fit *f, const struct problem *b, const double *const *column, unsigned count, bool positive,
	       struct err *e)
{
	struct trial t = {.fit = f, .problem = b, .column = column, .count = count, .positive = positive};
	struct seen third = {.factor = 1}, all = {0};
	unsigned *order = mem_alloc(b->rows, sizeof(*order), e);
	int ret;

	t.sorted = order ? mem_alloc((size_t)b->rows * (count + 1), sizeof(*t.sorted), e) : NULL;
	ret = t.sorted ? lsq_create(&t.lsq, b->rows, e) : -1;
	f->beyond = (double)NAN;
	if (ret == 0)
		ret = order_by_value(b, order, e);
	if (ret == 0) {
		if (try_without(&t, order, b->rows - b->rows / LEFT_OUT, &third)) {
			f->beyond = third.error;
			f->beyond_factor = third.factor;
		}
		for (unsigned v = 0; v < b->variables; v++)
			f->learnt[v] =
				try_variable(&t, v, &all) && fit_functions(f->model.terms, count, v) < b->values[v];
		f->excess = fmax(third.excess, all.excess);
	}
	lsq_finish(&t.lsq);
	free(t.sorted);
	free(order);
	return ret;
}
