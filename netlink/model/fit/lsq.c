#include "lsq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "../../../psim/base/mem.h"

enum { DEGREES_MAX = 10000 }; /* more do not change the first four digits */

int lsq_create(struct lsq *s, unsigned rows, struct err *e)
{
	*s = (struct lsq){.rows = rows};
	s->residual = mem_alloc(rows, sizeof(*s->residual), e);
	s->leverage = mem_alloc(rows, sizeof(*s->leverage), e);
	s->q = mem_alloc((size_t)rows * MODEL_TERMS_MAX, sizeof(*s->q), e);
	return s->residual && s->leverage && s->q ? 0 : -1;
}

void lsq_finish(struct lsq *s)
{
	free(s->residual);
	free(s->leverage);
	free(s->q);
	*s = (struct lsq){0};
}

/* Copies the columns, scaled to length 1, into q; -1 where that is not possible. */
static int scale_columns(struct lsq *s, const double *const *columns)
{
	for (unsigned c = 0; c < s->columns; c++) {
		double length = 0;

		for (unsigned r = 0; r < s->rows; r++)
			length = hypot(length, columns[c][r]);
		s->dependent = c;
		if (!(length > 0) || !isfinite(length))
			return -1;
		s->scale[c] = length;
		for (unsigned r = 0; r < s->rows; r++)
			s->q[c * s->rows + r] = columns[c][r] / length;
	}
	return 0;
}

/* Copies the factor R from q's upper triangle; -1 if its rank is short. */
static int take_triangle(struct lsq *s, double *r, const lapack_int *pivot)
{
	memset(r, 0, sizeof(*r) * MODEL_TERMS_MAX * MODEL_TERMS_MAX);
	for (unsigned c = 0; c < s->columns; c++) {
		for (unsigned i = 0; i <= c; i++)
			r[c * MODEL_TERMS_MAX + i] = s->q[c * s->rows + i];
		s->dependent = (unsigned)pivot[c] - 1;
		if (!(fabs(r[c * MODEL_TERMS_MAX + c]) > LSQ_RANK_LIMIT * fabs(r[0])))
			return -1;
	}
	return 0;
}

static void take_coefficients(struct lsq *s, double *r, const lapack_int *pivot, const double *y)
{
	lapack_int p = (lapack_int)s->columns;
	double x[MODEL_TERMS_MAX];

	for (unsigned c = 0; c < s->columns; c++) {
		x[c] = 0;
		for (unsigned i = 0; i < s->rows; i++)
			x[c] += s->q[c * s->rows + i] * y[i];
	}
	LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', p, 1, r, MODEL_TERMS_MAX, x, MODEL_TERMS_MAX);
	for (unsigned c = 0; c < s->columns; c++)
		s->coefficient[pivot[c] - 1] = x[c] / s->scale[pivot[c] - 1];

	LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', p, r, MODEL_TERMS_MAX);
	for (unsigned a = 0; a < s->columns; a++) {
		for (unsigned b = 0; b < s->columns; b++) {
			unsigned ta = (unsigned)pivot[a] - 1, tb = (unsigned)pivot[b] - 1;
			double sum = 0;

			for (unsigned k = a > b ? a : b; k < s->columns; k++)
				sum += r[k * MODEL_TERMS_MAX + a] * r[k * MODEL_TERMS_MAX + b];
			s->inverse[ta][tb] = sum / (s->scale[ta] * s->scale[tb]);
		}
	}
}

static void take_residuals(struct lsq *s, const double *const *columns, const double *y)
{
	s->rss = 0;
	for (unsigned i = 0; i < s->rows; i++) {
		double sum = y[i], leverage = 0;

		for (unsigned c = 0; c < s->columns; c++) {
			sum -= s->coefficient[c] * columns[c][i];
			leverage += s->q[c * s->rows + i] * s->q[c * s->rows + i];
		}
		s->residual[i] = sum;
		s->leverage[i] = leverage;
		s->rss += sum * sum;
	}
}

int lsq_solve(struct lsq *s, const double *const *columns, unsigned count, const double *y)
{
	lapack_int m = (lapack_int)s->rows, p = (lapack_int)count;
	lapack_int pivot[MODEL_TERMS_MAX] = {0};
	double r[MODEL_TERMS_MAX * MODEL_TERMS_MAX], tau[MODEL_TERMS_MAX];
	double work[3 * MODEL_TERMS_MAX + 1]; /* for unblocked dgeqp3, so that LAPACK allocates nothing */

	if (!count || count > MODEL_TERMS_MAX || count > s->rows)
		bug("%u columns for %u rows", count, s->rows);
	s->columns = count;
	if (scale_columns(s, columns) < 0)
		return -1;
	if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, p, s->q, m, pivot, tau, work, 3 * p + 1) ||
	    take_triangle(s, r, pivot) < 0)
		return -1;
	if (LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, m, p, p, s->q, m, tau, work, 3 * p + 1))
		return -1;
	take_coefficients(s, r, pivot, y);
	take_residuals(s, columns, y);
	return isfinite(s->rss) ? 0 : -1;
}

/*
 * P(|T| < t): M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions",
 * 26.7.3 (odd degrees) and 26.7.4 (even), finite sums.
 */
static double student_probability(double t, unsigned degrees)
{
	double angle = atan(t / sqrt(degrees)), c = cos(angle);
	bool odd = degrees % 2;
	double part = odd ? c : 1, sum = degrees > 1 ? part : 0;

	for (unsigned k = odd ? 3 : 2; k + 2 <= degrees; k += 2) {
		part *= c * c * (k - 1) / k;
		sum += part;
	}
	sum *= sin(angle);
	return odd ? (angle + sum) * 2 / acos(-1) : sum;
}

double student_bound(double confidence, unsigned degrees)
{
	double low = 0, high = 1;

	if (degrees > DEGREES_MAX)
		degrees = DEGREES_MAX;
	while (student_probability(high, degrees) < confidence && high < 1e15)
		high *= 2;
	for (int n = 0; n < 200 && high - low > 1e-14 * high; n++) {
		double middle = (low + high) / 2;

		if (student_probability(middle, degrees) < confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}
