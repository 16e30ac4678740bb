/*
 * Transforms in pairs of PEs whose data the scalar core copies: it reads through its cache and
 * writes into the SBM of one PE after the other, like a transpose.
 */
#ifndef FFT_COPIED_H
#define FFT_COPIED_H

#include "../fft_check.h"
#include "fft_copies.h"

/* Transforms x of every pair with y as work space; returns the array with the result. */
typedef double *fft_in_place(int log2n, double *x, double *y, const double *roots);

/* Copies bit patterns: integer loads and stores are the scalar core's in either mode. */
static void fft_copy_in(long n, const uint64_t *restrict x, uint64_t *restrict re, uint64_t *restrict im)
{
#pragma GCC unroll 4
	for (long i = 0; i < n; i++) {
		re[i] = x[2 * i];
		im[i] = x[2 * i + 1];
	}
}

/* Runs all transforms, one batch per number of pairs. */
static int fft_copied(fft_in_place *passes, int log2n, int count, double *x, const double *roots)
{
	struct array array = array_here();
	long n = 1L << log2n, pairs = array.pes / 2;
	uint64_t *bits = (uint64_t *)x;

	if (needs_pairs(array.pes) || needs_room(array, 2 * n))
		return 1;
	simd_on();
	for (long t = 0; t < count; t += pairs) {
		long some = smaller(pairs, count - t), at;

		for (long p = 0; p < some; p++)
			fft_copy_in(n, bits + 2 * n * (t + p), sbm_of(2 * p, 0), sbm_of(2 * p + 1, 0));
		at = passes(log2n, sbm(0), sbm(n), roots) - sbm(0);
		for (long p = 0; p < some; p++)
			fft_copy_out(n, bits + 2 * n * (t + p), sbm_of(2 * p, at), sbm_of(2 * p + 1, at));
	}
	simd_off();
	return 0;
}

#endif
