/*
 * LU factorisation of a tall panel with partial pivoting, unblocked, column by column: HPL's
 * panel factorisation at the bottom of its recursion. On the scalar core.
 *
 *     panel M W     default 64 rows, 8 columns
 *
 * Multiplies the factors and compares with the matrix.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { MAX_ROWS = 1 << 16, MAX_COLUMNS = 256 };

static double entry(long i, long j)
{
	return (double)((i * 37 + j * 101 + i * j) % 257) / 257 - 0.5;
}

static long pivot_of(long m, const double *x)
{
	double most = fabs(x[0]);
	long at = 0;

	for (long i = 1; i < m; i++)
		if (fabs(x[i]) > most) {
			most = fabs(x[i]);
			at = i;
		}
	return at;
}

/* y -= x s, four rows at a time. */
static void subtract(long m, const double *restrict x, double s, double *restrict y)
{
	long i = 0;

	for (; i + 4 <= m; i += 4) {
		y[i] -= x[i] * s;
		y[i + 1] -= x[i + 1] * s;
		y[i + 2] -= x[i + 2] * s;
		y[i + 3] -= x[i + 3] * s;
	}
	for (; i < m; i++)
		y[i] -= x[i] * s;
}

static void panel(long m, long w, double *a, long *pivots)
{
	for (long k = 0; k < w; k++) {
		double *x = a + k * m, scale;
		long p = k + pivot_of(m - k, x + k);

		pivots[k] = p;
		for (long j = 0; j < w; j++) {
			double t = a[j * m + k];

			a[j * m + k] = a[j * m + p];
			a[j * m + p] = t;
		}
		scale = 1 / x[k];
		for (long i = k + 1; i < m; i++)
			x[i] *= scale;
		for (long j = k + 1; j < w; j++)
			subtract(m - k - 1, x + k + 1, a[j * m + k], a + j * m + k + 1);
	}
}

/* Number of rows of the factors' product that differ from the matrix's rows, in their new order. */
static long wrong(long m, long w, const double *a, const long *pivots, long *order)
{
	long count = 0;

	for (long i = 0; i < m; i++)
		order[i] = i;
	for (long k = 0; k < w; k++) {
		long t = order[k];

		order[k] = order[pivots[k]];
		order[pivots[k]] = t;
	}
	for (long i = 0; i < m; i++)
		for (long j = 0; j < w; j++) {
			double sum = 0;

			for (long k = 0; k <= (i < j ? i : j); k++)
				sum += (k == i ? 1 : a[k * m + i]) * a[j * m + k];
			if (!(fabs(sum - entry(order[i], j)) < 1e-9)) {
				count++;
				break;
			}
		}
	return count;
}

int main(int argc, char *argv[])
{
	long m = argc > 1 ? atol(argv[1]) : 64, w = argc > 2 ? atol(argv[2]) : 8, bad;
	double *a;
	long *pivots, *order;

	if (w < 1 || w > MAX_COLUMNS || m < w || m > MAX_ROWS) {
		fprintf(stderr, "panel: W is a number from 1 to %d, M one from W to %d\n", MAX_COLUMNS, MAX_ROWS);
		return 2;
	}
	a = calloc((size_t)(m * w), sizeof(*a));
	pivots = calloc((size_t)w, sizeof(*pivots));
	order = calloc((size_t)m, sizeof(*order));
	if (!a || !pivots || !order)
		return 1;
	for (long j = 0; j < w; j++)
		for (long i = 0; i < m; i++)
			a[j * m + i] = entry(i, j);
	psim_region_begin("panel");
	panel(m, w, a, pivots);
	psim_region_end("panel");
	bad = wrong(m, w, a, pivots, order);
	printf("panel %ld %ld: %ld rows wrong%s\n", m, w, bad, bad ? "" : ": right");
	return bad ? 1 : 0;
}
