/*
 * Complex transforms of 1024 points, eight of them, on the SIMD array: one in each pair of
 * PEs, real parts in the even PE, imaginary parts in the odd one (fft_passes.h).
 *
 *     fft [LOG2 [COUNT]]     points 2^LOG2, transforms; at first 10, 8; an even number of PEs
 *
 * Numbers lie in memory as re, im, re, im …, so what a PE needs is every second double
 * of a transform: transfers take single doubles, 16 bytes apart. Where there are more
 * transforms than pairs, the next ones come in while these are worked on.
 *
 * Checks some results against the definition, and that transforming back gives
 * the input.
 */
#include "../fft_check.h"
#include "simd_kernel.h"
#include "fft_passes.h"

enum { PIECES = 1 << 15 }; /* doubles of one transfer */

/* The real and imaginary parts of `count` transforms: into the SBMs, or out of them. */
static void get(long n, long count, const double *x, long at)
{
	for (long pe = 0; pe < 2 * count; pe++)
		for (long i = 0; i < n; i += PIECES)
			get_rows(x + pe / 2 * 2 * n + 2 * i + pe % 2, pe, at + i, 1, smaller(n - i, PIECES), 2);
}

static void put(long n, long count, double *x, long at)
{
	for (long pe = 0; pe < 2 * count; pe++)
		for (long i = 0; i < n; i += PIECES)
			put_rows(x + pe / 2 * 2 * n + 2 * i + pe % 2, pe, at + i, 1, smaller(n - i, PIECES), 2);
}

/* An SBM has a pair of arrays for the transforms in work and, where it fits, one for the next. */
static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	struct array array = array_here();
	long n = 1L << log2n, pairs = array.pes / 2, sets = array.room >= 4 * n ? 2 : 1, set = 0;

	(void)work;
	if (needs_pairs(array.pes) || needs_room(array, 2 * n))
		return 1;
	simd_on();
	get(n, smaller(pairs, count), x, 0);
	for (long t = 0; t < count; t += pairs, set = (set + 1) % sets) {
		long next = t + pairs, mine = 2 * n * set, other = 2 * n * ((set + 1) % sets);
		double *result;

		simd_wait(0);
		if (next < count && sets == 2)
			get(n, smaller(pairs, count - next), x + 2 * n * next, other);
		result = fft_passes(log2n, sbm(mine), sbm(mine + n), roots);
		put(n, smaller(pairs, count - t), x + 2 * n * t, result - sbm(0));
		if (next < count && sets == 1) {
			simd_wait(0);
			get(n, smaller(pairs, count - next), x + 2 * n * next, 0);
		}
	}
	simd_wait(0);
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	return fft_main("fft", argc, argv, (struct fft_way){.all = transform});
}
