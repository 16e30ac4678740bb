/*
 * Complex transforms of 1024 points, eight of them, on the SIMD array, the plain form: radix 2,
 * each pass from one array to the other in a self-sorting order, as in fft_stockham.f90 for the
 * scalar core; the scalar core copies the data (fft_copied.h).
 *
 *     fft_plain [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8; an even number of PEs
 *
 * Checks some results against the definition, and that the inverse transform returns the input.
 */
#include "fft_copied.h"

/* `groups` points share a root, m roots. Real parts in the even PE of a pair, imaginary parts in the odd one. */
SIMD_FUNCTION static void pass(long groups, long m, const double *restrict x, double *restrict y,
			       const double *restrict roots)
{
	for (long k = 0; k < m; k++, x += groups, y += 2 * groups) {
		double re = roots[2 * k * groups], im = roots[2 * k * groups + 1];

		for (long j = 0; j < groups; j++) {
			double a = x[j], b = x[m * groups + j];

			y[j] = a + b;
			y[groups + j] = simd_fxcmaddd(a - b, im, (a - b) * re);
		}
	}
}

static double *passes(int log2n, double *x, double *y, const double *roots)
{
	for (long groups = 1, m = 1L << (log2n - 1); m > 0; groups *= 2, m /= 2) {
		double *t = x;

		pass(groups, m, x, y, roots);
		x = y;
		y = t;
	}
	return x;
}

static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	(void)work;
	return fft_copied(passes, log2n, count, x, roots);
}

int main(int argc, char *argv[])
{
	return fft_main("fft_plain", argc, argv, (struct fft_way){.all = transform});
}
