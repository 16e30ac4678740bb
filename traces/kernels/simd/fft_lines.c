/*
 * Complex transforms on the SIMD array as in fft.c, but of interleaved lines, like those of a
 * cube in all directions but one: point i of all transforms, then point i + 1.
 *
 *     fft_lines [LOG2 [COUNT]]     points 2^LOG2, transforms; default 10, 8; an even number of PEs
 *
 * A transfer deals one point of as many lines as there are pairs, which are neighbours in
 * memory. So no part of a cache line is fetched in vain if the number of pairs is a multiple of
 * four.
 */
#include "fft_moved.h"

enum { UNDER_WAY = 64 }; /* transfers; psim-record tracks 1024, and the array executes fewer at a time */

static void get(long n, long count, long first, long some, double *x, long at)
{
	for (long i = 0; i < n; i++) {
		deal_rows(x + 2 * (i * count + first), at + i, 1, 2 * some, 1);
		if (i % UNDER_WAY == UNDER_WAY - 1)
			simd_wait(UNDER_WAY);
	}
}

static void put(long n, long count, long first, long some, double *x, long at)
{
	for (long i = 0; i < n; i++) {
		collect_rows(x + 2 * (i * count + first), at + i, 1, 2 * some, 1);
		if (i % UNDER_WAY == UNDER_WAY - 1)
			simd_wait(UNDER_WAY);
	}
}

static int transform(int log2n, int count, double *x, const double *roots, double *work)
{
	(void)work;
	return fft_moved(get, put, log2n, count, x, roots);
}

int main(int argc, char *argv[])
{
	return fft_main("fft_lines", argc, argv, (struct fft_way){.all = transform, .side_by_side = 1});
}
