/* A batch of products of 6 x 6 matrices, for psim-cc: a product in each PE. */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

typedef double matrix[6][6];

static void products(long n, matrix *a, matrix *b, matrix *c)
{
#pragma omp simd
	for (long m = 0; m < n; m++)
		for (int i = 0; i < 6; i++)
			for (int j = 0; j < 6; j++) {
				double sum = 0;

				for (int k = 0; k < 6; k++)
					sum += a[m][i][k] * b[m][k][j];
				c[m][i][j] = sum;
			}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 1000, bad = 0;
	matrix *a = malloc((size_t)n * sizeof(*a)), *b = malloc((size_t)n * sizeof(*b)),
	       *c = malloc((size_t)n * sizeof(*c));

	if (!a || !b || !c)
		return 1;
	for (long m = 0; m < n; m++)
		for (int i = 0; i < 6; i++)
			for (int j = 0; j < 6; j++) {
				a[m][i][j] = (double)((m + i + 2 * j) % 7 - 3);
				b[m][i][j] = i == (j + 1) % 6; /* a permutation of columns */
			}
	psim_region_begin("gemm6");
	products(n, a, b, c);
	psim_region_end("gemm6");
	for (long m = 0; m < n; m++)
		for (int i = 0; i < 6; i++)
			for (int j = 0; j < 6; j++)
				bad += c[m][i][j] != a[m][i][(j + 1) % 6];
	printf("gemm6 %ld: %ld elements wrong\n", n, bad);
	return bad != 0;
}
