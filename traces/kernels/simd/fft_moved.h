/*
 * Transforms in pairs of PEs whose data are moved by transfers. With more transforms than
 * pairs, the transfer of the next ones overlaps the computation.
 */
#ifndef FFT_MOVED_H
#define FFT_MOVED_H

#include "../fft_check.h"
#include "simd_kernel.h"
#include "fft_passes.h"

/*
 * Moves transforms first … first + some - 1 of `count` into the SBMs, or out of them. Each PE
 * has n doubles from `at` on, the real or the imaginary parts of one transform.
 */
typedef void fft_move(long n, long count, long first, long some, double *x, long at);

/* An SBM has a pair of arrays for the current transforms and, if it fits, one for the next. */
static int fft_moved(fft_move *get, fft_move *put, int log2n, int count, double *x, const double *roots)
{
	struct array array = array_here();
	long n = 1L << log2n, pairs = array.pes / 2, sets = array.room >= 4 * n ? 2 : 1, set = 0;

	if (needs_pairs(array.pes) || needs_room(array, 2 * n))
		return 1;
	simd_on();
	get(n, count, 0, smaller(pairs, count), x, 0);
	for (long t = 0; t < count; t += pairs, set = (set + 1) % sets) {
		long next = t + pairs, mine = 2 * n * set, other = 2 * n * ((set + 1) % sets);
		double *result;

		simd_wait(0);
		if (next < count && sets == 2)
			get(n, count, next, smaller(pairs, count - next), x, other);
		result = fft_passes(log2n, sbm(mine), sbm(mine + n), roots);
		put(n, count, t, smaller(pairs, count - t), x, result - sbm(0));
		if (next < count && sets == 1) {
			simd_wait(0);
			get(n, count, next, smaller(pairs, count - next), x, 0);
		}
	}
	simd_wait(0);
	simd_off();
	return 0;
}

#endif
