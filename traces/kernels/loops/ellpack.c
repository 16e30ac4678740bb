/* A sparse matrix in ELLPACK times a vector, for psim-cc: x[column[...]] needs PEs that gather. */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

enum { WIDTH = 8 };

static void product(long n, const double *value, const int *column, const double *x, double *y)
{
#pragma omp simd
	for (long i = 0; i < n; i++) {
		double sum = 0;

		for (int k = 0; k < WIDTH; k++)
			sum += value[k * n + i] * x[column[k * n + i]];
		y[i] = sum;
	}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 1000, bad = 0;
	double *value = malloc((size_t)n * WIDTH * sizeof(*value)), *x = malloc((size_t)n * sizeof(*x));
	double *y = malloc((size_t)n * sizeof(*y));
	int *column = malloc((size_t)n * WIDTH * sizeof(*column));

	if (!value || !x || !y || !column)
		return 1;
	for (long i = 0; i < n; i++) {
		x[i] = (double)i;
		for (int k = 0; k < WIDTH; k++) {
			value[k * n + i] = k + 1;
			column[k * n + i] = (int)((i + k) % n);
		}
	}
	psim_region_begin("ellpack");
	product(n, value, column, x, y);
	psim_region_end("ellpack");
	for (long i = 0; i < n; i++) {
		long sum = 0;

		for (int k = 0; k < WIDTH; k++)
			sum += (k + 1) * ((i + k) % n);
		bad += y[i] != (double)sum;
	}
	printf("ellpack %ld: %ld elements wrong\n", n, bad);
	return bad != 0;
}
