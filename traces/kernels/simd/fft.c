/*
 * Complex transforms of 1024 points, eight of them, on the SIMD array: one in each pair of PEs,
 * real parts in the even PE, imaginary parts in the odd one (fft_passes.h).
 *
 *     fft [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8; an even number of PEs
 *
 * Numbers are stored as re, im, re, im …, so a PE needs every second double of a transform:
 * transfers take single doubles, 16 bytes apart.
 *
 * Checks some results against the definition, and that the inverse transform returns the input.
 */
#include "fft_moved.h"

enum { PIECES = 1 << 15 }; /* doubles of one transfer */

static void get(long n, long count, long first, long some, double *x, long at)
{
	(void)count;
	for (long pe = 0; pe < 2 * some; pe++)
		for (long i = 0; i < n; i += PIECES)
			get_rows(x + 2 * n * (first + pe / 2) + 2 * i + pe % 2, pe, at + i, 1, smaller(n - i, PIECES),
				 2);
}

static void put(long n, long count, long first, long some, double *x, long at)
{
	(void)count;
	for (long pe = 0; pe < 2 * some; pe++)
		for (long i = 0; i < n; i += PIECES)
			put_rows(x + 2 * n * (first + pe / 2) + 2 * i + pe % 2, pe, at + i, 1, smaller(n - i, PIECES),
				 2);
}

static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	(void)work;
	return fft_moved(get, put, log2n, count, x, roots);
}

int main(int argc, char *argv[])
{
	return fft_main("fft", argc, argv, (struct fft_way){.all = transform});
}
