/* Extrapolation error: fits the model without the largest points and predicts them. */
#include <math.h>
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "fit.h"

enum { LEFT_OUT = 3 }; /* a third of the sizes */

struct ordered {
	double value;
	unsigned row;
};

static int fit_beyond_by_value(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Sorts the rows' columns and values by value. */
static void sort(const struct problem *b, const double *const *column, unsigned count, struct ordered *order,
		 double *to)
{
	for (unsigned r = 0; r < b->rows; r++)
		order[r] = (struct ordered){b->y[r] / b->weight[r], r};
	qsort(order, b->rows, sizeof(*order), fit_beyond_by_value);
	for (unsigned c = 0; c <= count; c++)
		for (unsigned r = 0; r < b->rows; r++)
			to[(size_t)c * b->rows + r] = c < count ? column[c][order[r].row] : b->y[order[r].row];
}

/* Returns the largest error, in percent, of rows from `first` on. */
static double largest_error(const double *const *column, unsigned count, const double *coefficient, const double *y,
			    unsigned first, unsigned rows)
{
	double largest = 0;

	for (unsigned r = first; r < rows; r++) {
		double sum = 0;

		for (unsigned c = 0; c < count; c++)
			sum += coefficient[c] * column[c][r];
		if (fabs(y[r]) > 0)
			largest = fmax(largest, fabs(100 * (sum - y[r]) / y[r]));
	}
	return largest;
}

/* Returns the factor by which the rows from `first` on are beyond the range of those before, in any variable. */
static double distance_of(const struct fit *f, const struct problem *b, const struct ordered *order, unsigned first)
{
	struct model kept = f->model;
	double factor = 1;

	for (unsigned i = 0; i < kept.variables.count; i++) {
		kept.from[i] = kept.to[i] = b->points[order[0].row]->values[i];
		for (unsigned r = 1; r < first; r++) {
			kept.from[i] = fmin(kept.from[i], b->points[order[r].row]->values[i]);
			kept.to[i] = fmax(kept.to[i], b->points[order[r].row]->values[i]);
		}
	}
	for (unsigned r = first; r < b->rows; r++)
		factor = fmax(factor, model_distance(&kept, b->points[order[r].row]->values));
	return factor;
}

int fit_beyond(struct fit *f, const struct problem *b, const double *const *column, unsigned count, bool positive,
	       struct err *e)
{
	unsigned rows = b->rows - b->rows / LEFT_OUT;
	struct ordered *order = mem_alloc(b->rows, sizeof(*order), e);
	double *sorted = mem_alloc((size_t)b->rows * (count + 1), sizeof(*sorted), e);
	const double *part[MODEL_TERMS_MAX], *y;
	double coefficient[MODEL_TERMS_MAX];
	struct lsq s = {0};
	int ret = order && sorted ? lsq_create(&s, b->rows, e) : -1;

	f->beyond = (double)NAN;
	if (ret == 0 && rows > count && rows < b->rows) {
		sort(b, column, count, order, sorted);
		f->beyond_factor = distance_of(f, b, order, rows);
		for (unsigned c = 0; c < count; c++)
			part[c] = sorted + (size_t)c * b->rows;
		y = sorted + (size_t)count * b->rows;
		s.rows = rows;
		if (positive) {
			lsq_positive(&s, part, count, y, coefficient);
			f->beyond = largest_error(part, count, coefficient, y, rows, b->rows);
		} else if (lsq_solve(&s, part, count, y) == 0) {
			f->beyond = largest_error(part, count, s.coefficient, y, rows, b->rows);
		}
	}
	lsq_finish(&s);
	free(order);
	free(sorted);
	return ret;
}
