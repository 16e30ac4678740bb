/* Least squares with non-negative coefficients, by an active set of columns. */
#include <math.h>
#include <string.h>

#include "lsq.h"

/* A column enters if the cosine between it and the residual is above this: less is rounding. */
#define LEAST_COSINE 1e-13

enum { ROUNDS_PER_COLUMN = 8 }; /* bounds cycles that rounding may cause */

/* State of the search: the columns whose coefficient is above 0. */
struct positive {
	const double *const *columns;
	unsigned count;
	const double *y;
	double *x;
	bool in[MODEL_TERMS_MAX], barred[MODEL_TERMS_MAX];
};

/* Solves plain least squares of the active columns into z (0 for the others); -1 if they are dependent. */
static int solve_in(struct lsq *s, const struct positive *p, double *z)
{
	const double *column[MODEL_TERMS_MAX];
	unsigned index[MODEL_TERMS_MAX], count = 0;

	memset(z, 0, p->count * sizeof(*z));
	for (unsigned c = 0; c < p->count; c++) {
		if (!p->in[c])
			continue;
		column[count] = p->columns[c];
		index[count++] = c;
	}
	if (count == 0)
		return 0;
	if (count > s->rows || lsq_solve(s, column, count, p->y) < 0)
		return -1;
	for (unsigned c = 0; c < count; c++)
		z[index[c]] = s->coefficient[c];
	return 0;
}

/* Returns the inactive column with the largest cosine to the residual; count if none is above the limit. */
static unsigned next_column(const struct lsq *s, const struct positive *p)
{
	double most = LEAST_COSINE, length_y = 0;
	unsigned best = p->count;

	for (unsigned r = 0; r < s->rows; r++)
		length_y += p->y[r] * p->y[r];
	length_y = sqrt(length_y);
	for (unsigned c = 0; c < p->count; c++) {
		double product = 0, length = 0;

		if (p->in[c] || p->barred[c])
			continue;
		for (unsigned r = 0; r < s->rows; r++) {
			double left = p->y[r];

			for (unsigned k = 0; k < p->count; k++)
				left -= p->x[k] * p->columns[k][r];
			product += left * p->columns[c][r];
			length += p->columns[c][r] * p->columns[c][r];
		}
		if (product > most * sqrt(length) * length_y) {
			most = product / (sqrt(length) * length_y);
			best = c;
		}
	}
	return best;
}

/* Moves x towards z until a coefficient reaches 0, and removes that column. Returns false if z is reached. */
static bool lsq_positive_step(struct positive *p, const double *z)
{
	double share = 1;
	unsigned first = p->count;

	for (unsigned c = 0; c < p->count; c++) {
		if (p->in[c] && !(z[c] > 0) && !(p->x[c] / (p->x[c] - z[c]) >= share)) {
			share = p->x[c] / (p->x[c] - z[c]);
			first = c;
		}
	}
	for (unsigned c = 0; c < p->count; c++) {
		p->x[c] += share * (z[c] - p->x[c]);
		if (p->in[c] && (c == first || !(p->x[c] > 0))) {
			p->in[c] = false;
			p->x[c] = 0;
		}
	}
	return first < p->count;
}

void lsq_positive(struct lsq *s, const double *const *columns, unsigned count, const double *y, double *coefficient)
{
	struct positive p = {.columns = columns, .count = count, .y = y, .x = coefficient};
	double z[MODEL_TERMS_MAX];

	memset(coefficient, 0, count * sizeof(*coefficient));
	for (unsigned n = 0; n < ROUNDS_PER_COLUMN * count; n++) {
		unsigned c = next_column(s, &p);

		if (c == count)
			break;
		p.in[c] = true;
		if (solve_in(s, &p, z) < 0 || !(z[c] > 0)) {
			p.in[c] = false;
			p.barred[c] = true;
			continue;
		}
		while (lsq_positive_step(&p, z) && solve_in(s, &p, z) == 0)
			;
	}
}
