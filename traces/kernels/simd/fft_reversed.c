/*
 * Complex transforms of 1024 points, eight of them, on the SIMD array as textbooks have them, like
 * ../fft.c for the scalar core: decimation in time, radix 2, in place. The scalar core copies each point
 * to its place in bit-reversed order, which a table has, as it would do in memory: data whose addresses do not
 * follow each other come through its cache.
 *
 *     fft_reversed [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8; an even number of PEs
 *
 * Checks some results against the definition, and that the inverse transform returns the input.
 */
#include "../fft_check.h"
#include "fft_copies.h"

static uint32_t places[1 << FFT_LOG2_MAX]; /* where each point in bit-reversed order comes from */

static void reversed_in(long n, const uint64_t *restrict x, uint64_t *restrict re, uint64_t *restrict im)
{
	for (long i = 0; i < n; i++) {
		re[i] = x[2 * places[i]];
		im[i] = x[2 * places[i] + 1];
	}
}

/* The butterflies of points `half` apart; real parts in the even PE of a pair, imaginary parts in the odd one. */
SIMD_FUNCTION static void pass(long n, long half, double *x, const double *restrict roots)
{
	for (long group = 0; group < n; group += 2 * half) {
		double *p = x + group, *q = p + half;
		const double *w = roots;

		for (long k = 0; k < half; k++, w += n / half) {
			double a = p[k], b = q[k], t = simd_fxcmaddd(b, w[1], b * w[0]);

			p[k] = a + t;
			q[k] = a - t;
		}
	}
}

static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	struct array array = array_here();
	long n = 1L << log2n, pairs = array.pes / 2;
	uint64_t *bits = (uint64_t *)x;

	(void)work;
	if (needs_pairs(array.pes) || needs_room(array, n))
		return 1;
	simd_on();
	for (long t = 0; t < count; t += pairs) {
		long some = smaller(pairs, count - t);

		for (long p = 0; p < some; p++)
			reversed_in(n, bits + 2 * n * (t + p), sbm_of(2 * p, 0), sbm_of(2 * p + 1, 0));
		for (long half = 1; half < n; half *= 2)
			pass(n, half, sbm(0), roots);
		for (long p = 0; p < some; p++)
			fft_copy_out(n, bits + 2 * n * (t + p), sbm_of(2 * p, 0), sbm_of(2 * p + 1, 0));
	}
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	int log2n = argc > 1 ? atoi(argv[1]) : 10;

	/* The last bit of i is the first of its place; the others follow as those of i / 2 do. */
	if (log2n >= 1 && log2n <= FFT_LOG2_MAX)
		for (uint32_t i = 1; i < 1U << log2n; i++)
			places[i] = places[i / 2] / 2 + ((i & 1) << (log2n - 1));
	return fft_main("fft_reversed", argc, argv, (struct fft_way){.all = transform});
}
