/* Input, measured region and check of the sparse products. */
#ifndef SPMV_CHECK_H
#define SPMV_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

/* Compressed rows: row r has the elements start[r] … start[r + 1] - 1, each with its column. */
struct spmv_matrix {
	int n, longest; /* rows and columns; elements of the longest row */
	int *start, *column;
	double *value;
};

/*
 * y = A x. `work` is the result of the kernel's `prepare`. Returns 0, or 1 with a message if it
 * does not fit.
 */
typedef int spmv_product(const struct spmv_matrix *a, const double *restrict x, double *restrict y, void *work);

/*
 * Makes rows of 1 to 2 PER_ROW - 1 elements, near the diagonal and far from it. Returns 0, or
 * -1 if memory is exhausted.
 */
static int spmv_make(struct spmv_matrix *a, int n, int per_row)
{
	long most = (long)n * (2 * per_row - 1);
	int at = 0;

	*a = (struct spmv_matrix){.n = n};
	a->start = malloc(((size_t)n + 1) * sizeof(*a->start));
	a->column = malloc((size_t)most * sizeof(*a->column));
	a->value = malloc((size_t)most * sizeof(*a->value));
	if (!a->start || !a->column || !a->value)
		return -1;
	for (int r = 0; r < n; r++) {
		int count = 1 + (int)((unsigned)r * 2654435761u >> 16) % (2 * per_row - 1);

		a->start[r] = at;
		for (int k = 0; k < count; k++, at++) {
			unsigned far = ((unsigned)r * 31 + (unsigned)k * 40503u) * 2654435761u >> 8;

			a->column[at] = (int)((k & 1 ? far : (unsigned)(r + k)) % (unsigned)n);
			a->value[at] = (double)(far % 7) - 3;
		}
		a->longest = count > a->longest ? count : a->longest;
	}
	a->start[n] = at;
	return 0;
}

static long spmv_wrong(const struct spmv_matrix *a, const double *x, const double *y)
{
	long bad = 0;

	for (int r = 0; r < a->n; r++) {
		long sum = 0; /* small integers: every sum is exact */

		for (int i = a->start[r]; i < a->start[r + 1]; i++)
			sum += (long)a->value[i] * (long)x[a->column[i]];
		bad += y[r] != (double)sum;
	}
	return bad;
}

/* Runs the program NAME [ROWS [PER_ROW]]; `prepare` converts the matrix before the region. */
static int spmv_main(const char *name, int argc, char *argv[], void *(*prepare)(const struct spmv_matrix *),
		     spmv_product *product)
{
	int n = argc > 1 ? atoi(argv[1]) : 500, per_row = argc > 2 ? atoi(argv[2]) : 7, failed;
	struct spmv_matrix a;
	double *x, *y;
	void *work;
	long bad;

	if (n < 1 || n > 1 << 20 || per_row < 1 || per_row > 64) {
		fprintf(stderr, "%s: ROWS is from 1 to %d, PER_ROW from 1 to 64\n", name, 1 << 20);
		return 2;
	}
	x = calloc((size_t)n, sizeof(*x));
	y = calloc((size_t)n, sizeof(*y));
	if (!x || !y || spmv_make(&a, n, per_row))
		return 1;
	for (int i = 0; i < n; i++)
		x[i] = (double)(i % 13) - 6;
	work = prepare ? prepare(&a) : NULL;
	if (prepare && !work)
		return 1;
	psim_region_begin("spmv");
	failed = product(&a, x, y, work);
	psim_region_end("spmv");
	if (failed)
		return 2;
	bad = spmv_wrong(&a, x, y);
	printf("spmv %d, %d elements: y[1] = %.0f, %ld rows wrong\n", n, a.start[n], y[n > 1], bad);
	return bad ? 1 : 0;
}

#endif
