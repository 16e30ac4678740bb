/*
 * The inner product of two vectors, the obvious way (docs/guide/time-a-kernel.md).
 *
 *     dot [TIMES]     TIMES: repetitions, default 20
 */
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { N = 1000 };

static double a[N], b[N];

static double dot(int n, const double *x, const double *y)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

int main(int argc, char *argv[])
{
	int times = argc > 1 ? atoi(argv[1]) : 20;
	double sum = 0;
	for (int i = 0; i < N; i++) { /* small integers: every sum is exact */
		a[i] = i % 7 - 3;
		b[i] = i % 5 - 2;
	}
	psim_region_begin("dot");
	for (int t = 0; t < times; t++)
		sum += dot(N, a, b);
	psim_region_end("dot");

	int expected = 0;
	for (int i = 0; i < N; i++)
		expected += (i % 7 - 3) * (i % 5 - 2) * times;
	printf("dot: %.1f, %s\n", sum, sum == expected ? "right" : "wrong");
	return sum != expected;
}
