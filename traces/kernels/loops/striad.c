/* a = b + s c in single precision: the loop of a textbook, for psim-cc. */
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

static void striad(long n, float *restrict a, const float *restrict b, const float *restrict c, float s)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 1000, wrong = 0;
	float *a, *b, *c;

	if (n < 1)
		return 2;
	a = malloc((size_t)n * sizeof(*a));
	b = malloc((size_t)n * sizeof(*b));
	c = malloc((size_t)n * sizeof(*c));
	if (!a || !b || !c)
		return 1;
	for (long i = 0; i < n; i++) {
		a[i] = 0;
		b[i] = (float)(i % 7 - 3);
		c[i] = (float)(i % 11 - 5);
	}
	psim_region_begin("striad");
	striad(n, a, b, c, 3);
	psim_region_end("striad");
	for (long i = 0; i < n; i++)
		wrong += a[i] != b[i] + 3 * c[i];
	printf("striad %ld: %ld elements wrong\n", n, wrong);
	return wrong != 0;
}
