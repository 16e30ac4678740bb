/* Expected errors of a model, inside the range of its fit and beyond. */
#include <math.h>

#include "fit.h"

/* Returns an error seen at `factor` beyond the range as it is at twice the range. */
static double at_twice(double error, double factor)
{
	return factor > 1 ? error / log2(factor) : error;
}

void fit_expect_errors(struct fit *f, const struct points *p)
{
	double inside = fmax(f->model.max_error, f->cross_validation), outside = fmax(LEAST_ERROR, f->rivals);

	if (f->relative)
		inside = fmax(inside, 100 * sqrt(f->left_out_variance));
	outside = fmax(outside, f->excess);
	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double factor = model_distance(&f->model, point->values);
		double error = fabs(100 * (model_largest(&f->model, point->values, NULL) / point->result - 1));

		if (!point->held_out || isnan(error))
			continue;
		for (unsigned v = 0; v < f->model.variables.count; v++)
			f->learnt[v] |= model_factor(&f->model, v, point->values[v]) > 1;
		if (factor > 1)
			outside = fmax(outside, at_twice(error, factor));
		else
			inside = fmax(inside, error);
	}
	f->model.error_inside = inside;
	f->model.error_outside = fmax(inside, outside);
}
