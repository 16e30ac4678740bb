/*
 * y = y + a x on the SIMD array, in its simplest form: the example of docs/models/simd-isa.md.
 *
 *     axpy [N]     N numbers for each PE, default 1000
 *
 * Compares every element with what the scalar core computes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"
#include "../psim_simd.h"

/* Runs in every PE, on its own x and y. */
SIMD_FUNCTION static void axpy(long n, double *restrict y, const double *restrict x, const double *a)
{
	for (long i = 0; i < n; i++)
		y[i] += *a * x[i];
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 1000, pes = simd_pes(), wrong = 0;
	double a = 3, *x, *y;

	if (!pes || n < 1 || 16 * n > (long)simd_sbm_bytes()) {
		fprintf(stderr, "axpy: needs a SIMD array, and N from 1 to an SBM's bytes / 16\n");
		return 2;
	}
	x = malloc(sizeof(*x) * (size_t)(n * pes));
	y = malloc(sizeof(*y) * (size_t)(n * pes));
	if (!x || !y)
		return 1;
	for (long i = 0; i < n * pes; i++) {
		x[i] = (double)i;
		y[i] = 1;
	}
	psim_region_begin("axpy");
	/* a block of each vector to each PE: x at the start of its memory, then y */
	simd_deal(simd_all(0), x, (uint32_t)(8 * n), (uint32_t)pes);
	simd_deal(simd_all(8 * (uint64_t)n), y, (uint32_t)(8 * n), (uint32_t)pes);
	simd_wait(0);
	simd_on();
	axpy(n, simd_all(8 * (uint64_t)n), simd_all(0), &a);
	simd_off();
	simd_collect(simd_all(8 * (uint64_t)n), y, (uint32_t)(8 * n), (uint32_t)pes);
	simd_wait(0);
	psim_region_end("axpy");
	for (long i = 0; i < n * pes; i++)
		wrong += y[i] != 1 + 3 * x[i];
	printf("axpy %ld on %ld PEs: %ld wrong\n", n, pes, wrong);
	return wrong != 0;
}
