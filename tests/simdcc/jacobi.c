/* Jacobi's iteration, for scalar.py: two nests in a loop, and a nest in a function that a loop calls. */
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

static void relax(int n, double (*restrict to)[n], double (*restrict from)[n])
{
#pragma omp simd
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++)
			to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

static void iterate(int n, int steps, double (*a)[n], double (*b)[n])
{
	for (int t = 0; t < steps; t++) {
#pragma omp simd
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma omp simd
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				a[i][j] = 0.25 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
	}
}

int main(int argc, char *argv[])
{
	int n = argc > 1 ? atoi(argv[1]) : 66, steps = 4;
	double(*a)[n] = calloc((size_t)n * (size_t)n, sizeof(double)),
	(*b)[n] = calloc((size_t)n * (size_t)n, sizeof(double));

	if (!a || !b)
		return 1;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			a[i][j] = b[i][j] = (i + 2 * j) % 7;
	psim_region_begin("jacobi");
	iterate(n, steps, a, b);
	for (int t = 0; t < steps; t++) {
		relax(n, b, a);
		relax(n, a, b);
	}
	psim_region_end("jacobi");
	printf("jacobi %d: %g\n", n, a[1][1]);
	free(a);
	free(b);
}
