/*
 * fft.c with the data copied by the scalar core: it reads through its cache and writes into
 * the SBM of one PE after the other, as a transpose would be done.
 *
 *     fft_copy [LOG2 [COUNT]]     points 2^LOG2, transforms; at first 10, 8; an even number of PEs
 *
 * Checks some results against the definition, and that transforming back gives
 * the input.
 */
#include <stdint.h>

#include "../fft_check.h"
#include "simd_kernel.h"
#include "fft_passes.h"

/* Bit patterns: integer loads and stores are the scalar core's at any time. */
static void copy_in(long n, const uint64_t *restrict x, uint64_t *restrict re, uint64_t *restrict im)
{
	for (long i = 0; i < n; i++) {
		re[i] = x[2 * i];
		im[i] = x[2 * i + 1];
	}
}

static void copy_out(long n, uint64_t *restrict x, const uint64_t *restrict re, const uint64_t *restrict im)
{
	for (long i = 0; i < n; i++) {
		x[2 * i] = re[i];
		x[2 * i + 1] = im[i];
	}
}

static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	struct array array = array_here();
	long n = 1L << log2n, pairs = array.pes / 2;
	uint64_t *bits = (uint64_t *)x;

	(void)work;
	if (needs_pairs(array.pes) || needs_room(array, 2 * n))
		return 1;
	simd_on();
	for (long t = 0; t < count; t += pairs) {
		long some = smaller(pairs, count - t), at;

		for (long p = 0; p < some; p++)
			copy_in(n, bits + 2 * n * (t + p), sbm_of(2 * p, 0), sbm_of(2 * p + 1, 0));
		at = fft_passes(log2n, sbm(0), sbm(n), roots) - sbm(0);
		for (long p = 0; p < some; p++)
			copy_out(n, bits + 2 * n * (t + p), sbm_of(2 * p, at), sbm_of(2 * p + 1, at));
	}
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	return fft_main("fft_copy", argc, argv, (struct fft_way){.all = transform});
}
