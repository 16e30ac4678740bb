/* Richardson's iteration for a x = b with a diagonally dominant matrix: the matrix stays in the buffer memories. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

static void iterate(long n, long times, const double *restrict a, const double *restrict b, double *restrict x,
		    double *restrict y)
{
#pragma omp target data map(to : a [0:n * n], b [0:n]) map(tofrom : x [0:n]) map(alloc : y [0:n])
	for (long t = 0; t < times; t++) {
#pragma omp simd
		for (long i = 0; i < n; i++) {
			double sum = 0;

			for (long j = 0; j < n; j++)
				sum += a[i * n + j] * x[j];
			y[i] = sum;
		}
#pragma omp simd
		for (long i = 0; i < n; i++)
			x[i] = x[i] + 0.5 * (b[i] - y[i]);
	}
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 240, times = argc > 2 ? atol(argv[2]) : 10;
	double *a = malloc(sizeof(double) * (size_t)(n * n + 3 * n)), *b = a + n * n, *x = b + n, *y = x + n;
	double most = 0;

	for (long i = 0; i < n; i++) {
		x[i] = i % 2 ? 0.5 : 1.5;
		b[i] = 1.5; /* the sum of a row: the solution is 1 everywhere */
		for (long j = 0; j < n; j++)
			a[i * n + j] = i == j ? 1 : 0.5 / (double)(n - 1);
	}
	psim_region_begin("iterate");
	iterate(n, times, a, b, x, y);
	psim_region_end("iterate");
	for (long i = 0; i < n; i++)
		most = fabs(x[i] - 1) > most ? fabs(x[i] - 1) : most;
	printf("richardson %ld: %.4f from the solution after %ld steps\n", n, most, times);
	return 0;
}
