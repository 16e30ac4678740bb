/* Least squares with coefficients that are not negative, by one set of columns after the other. */
#include <math.h>
#include <string.h>

#include "lsq.h"

/* A column counts if the cosine between it and what is left of y is above this: less is rounding. */
#define LEAST_COSINE 1e-13

enum { ROUNDS_PER_COLUMN = 8 }; /* ends where rounding would go round in circles */

/* The state of the search: which columns have a coefficient above 0. */
struct positive {
	const double *const *columns;
	unsigned count;
	const double *y;
	double *x;
	bool in[MODEL_TERMS_MAX], barred[MODEL_TERMS_MAX];
};

/* Plain least squares of the columns that are in, to z (the others: 0); -1 if they depend on each other. */
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

/* The column outside that points most along what is left of y; count if none does. */
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

/* From x towards z as far as nothing falls below 0; what comes to 0 there goes out. False: z is reached. */
static bool step(struct positive *p, const double *z)
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
		while (step(&p, z) && solve_in(s, &p, z) == 0)
			;
	}
}
