/*
 * C = A B for n x n matrices of doubles, in blocks of rows and columns held in
 * registers: 4 x 4 results at a time, so that 8 loads feed 16 multiply-adds.
 *
 *     dgemm N     N: a multiple of 4, default 48
 *
 * Prints the sum of C and checks one element against a plain inner product.
 */
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { TILE = 4 };

static void tile(int n, const double *a, const double *b, double *c)
{
	double sum[TILE][TILE] = {{0}};
	for (int k = 0; k < n; k++)
		for (int i = 0; i < TILE; i++)
			for (int j = 0; j < TILE; j++)
				sum[i][j] += a[i * n + k] * b[k * n + j];
	for (int i = 0; i < TILE; i++)
		for (int j = 0; j < TILE; j++)
			c[i * n + j] = sum[i][j];
}

static void dgemm(int n, const double *a, const double *b, double *c)
{
	for (int i = 0; i < n; i += TILE)
		for (int j = 0; j < n; j += TILE)
			tile(n, a + i * n, b + j, c + i * n + j);
}

int main(int argc, char *argv[])
{
	int n = argc > 1 ? atoi(argv[1]) : 48;
	if (n < TILE || n % TILE || n > 4096) {
		fprintf(stderr, "dgemm: N is a multiple of %d from %d to 4096\n", TILE, TILE);
		return 2;
	}
	size_t size = (size_t)n * (size_t)n;
	double *a = malloc(size * sizeof(*a)), *b = malloc(size * sizeof(*b));
	double *c = malloc(size * sizeof(*c)), total = 0, one = 0;
	if (!a || !b || !c)
		return 1;
	for (size_t i = 0; i < size; i++) { /* small integers: every sum is exact */
		a[i] = (double)(i % 7) - 3;
		b[i] = (double)(i % 5) - 2;
	}
	psim_region_begin("dgemm");
	dgemm(n, a, b, c);
	psim_region_end("dgemm");
	for (size_t i = 0; i < size; i++)
		total += c[i];
	for (int k = 0; k < n; k++)
		one += a[(n - 1) * n + k] * b[k * n + n - 2];
	printf("dgemm %d: sum %.1f, c[n-1][n-2] %s\n", n, total, one == c[(n - 1) * n + n - 2] ? "right" : "wrong");
	return one == c[(n - 1) * n + n - 2] ? 0 : 1;
}
