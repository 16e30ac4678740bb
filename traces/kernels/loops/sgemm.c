/* A product of matrices of floats, for psim-cc: PEs of pairs of singles compute two rows at once. */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

static void sgemm(long n, const float *a, const float *b, float *c)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			float sum = 0;

			for (long k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 64, bad = 0;
	size_t bytes = (size_t)n * (size_t)n * sizeof(float);
	float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);

	if (n < 1 || n > 1024 || !a || !b || !c)
		return 1;
	for (long k = 0; k < n * n; k++) {
		a[k] = (float)(k % 13) - 6;
		b[k] = (float)(k % 7) - 3;
	}
	psim_region_begin("sgemm");
	sgemm(n, a, b, c);
	psim_region_end("sgemm");
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			long sum = 0; /* small integers: every sum is exact */

			for (long k = 0; k < n; k++)
				sum += ((i * n + k) % 13 - 6) * ((k * n + j) % 7 - 3);
			bad += c[i * n + j] != (float)sum;
		}
	printf("sgemm %ld: %ld elements wrong\n", n, bad);
	return bad != 0;
}
