/* Inner product of two vectors: the loop of a textbook, for psim-cc. */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

static double dot(long n, const double *x, const double *y)
{
	double sum = 0;

#pragma omp simd reduction(+ : sum)
	for (long i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 1000, expected = 0;
	double *x = malloc((size_t)n * sizeof(*x)), *y = malloc((size_t)n * sizeof(*y)), sum;

	if (!x || !y)
		return 1;
	for (long i = 0; i < n; i++) {
		x[i] = (double)(i % 7 - 3);
		y[i] = (double)(i % 5 - 1);
		expected += (i % 7 - 3) * (i % 5 - 1);
	}
	psim_region_begin("dot");
	sum = dot(n, x, y);
	psim_region_end("dot");
	printf("dot %ld: %.0f, expected %ld\n", n, sum, expected);
	return sum != (double)expected;
}
