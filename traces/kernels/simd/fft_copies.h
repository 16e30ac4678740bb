/* Copies between memory, where numbers are re, im, re, im …, and the SBMs of a pair of PEs, by the scalar core. */
#ifndef FFT_COPIES_H
#define FFT_COPIES_H

#include "simd_kernel.h"

/* Copies bit patterns: integer loads and stores are the scalar core's in either mode. */
static void fft_copy_out(long n, uint64_t *restrict x, const uint64_t *restrict re, const uint64_t *restrict im)
{
#pragma GCC unroll 4
	for (long i = 0; i < n; i++) {
		x[2 * i] = re[i];
		x[2 * i + 1] = im[i];
	}
}

#endif
