/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array.
 *
 *     zgemm N     at first 48; any N from 1 to 4096, an even number of PEs
 *
 * A product takes two instructions: with a's real part each PE's own b is multiplied, with
 * a's imaginary part the partner's, subtracted in the even PE and added in the odd one (a
 * cross operation). A pair holds 4 x 4 complex sums: four loads from the SBM and eight
 * broadcast ones feed 32 multiply-adds. One row of results after the other leaves, and one row of
 * the next block of B after the other comes in, between the blocks of sums.
 *
 * Small integers are multiplied, so every sum is exact, whatever the order and
 * rounding; the result is compared with plain inner products.
 */
#include "zgemm_blocks.h"

enum { ROWS = 4, COLUMNS = 4 }; /* complex sums of a pair */

#define ROW(i, row)                                                                          \
	do {                                                                                 \
		double re = (row)[0], im = (row)[1];                                         \
                                                                                             \
		s##i##0 += b0 * re, s##i##1 += b1 * re, s##i##2 += b2 * re, s##i##3 += b3 * re; \
		s##i##0 = simd_fxcmaddd(b0, im, s##i##0);                                    \
		s##i##1 = simd_fxcmaddd(b1, im, s##i##1);                                    \
		s##i##2 = simd_fxcmaddd(b2, im, s##i##2);                                    \
		s##i##3 = simd_fxcmaddd(b3, im, s##i##3);                                    \
	} while (0)
#define MORE(i, c) s##i##0 += (c)[0], s##i##1 += (c)[1], s##i##2 += (c)[2], s##i##3 += (c)[3]
#define STORE(i, c) (c)[0] = s##i##0, (c)[1] = s##i##1, (c)[2] = s##i##2, (c)[3] = s##i##3

/* `depth` steps of k for ROWS rows of A, `n` numbers apart, and COLUMNS columns of B. */
SIMD_FUNCTION static void tile(long depth, const double *restrict a, long n, const double *restrict b,
                                           double *restrict c, int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
	double s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += COLUMNS) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

		ROW(0, a);
		ROW(1, a + 2 * n);
		ROW(2, a + 4 * n);
		ROW(3, a + 6 * n);
	}
	if (more) {
		MORE(0, c);
		MORE(1, c + COLUMNS);
		MORE(2, c + 2 * COLUMNS);
		MORE(3, c + 3 * COLUMNS);
	}
	STORE(0, c);
	STORE(1, c + COLUMNS);
	STORE(2, c + 2 * COLUMNS);
	STORE(3, c + 3 * COLUMNS);
}

/* One row, where their number is no multiple of four. */
SIMD_FUNCTION static void row(long depth, const double *restrict a, const double *restrict b,
                                          double *restrict c, int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += COLUMNS) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

		ROW(0, a);
	}
	if (more)
		MORE(0, c);
	STORE(0, c);
}

static long multiply(const struct zgemm_phase *f, long left, const double *a, long n, const double *b, double *c,
                     int more)
{
	if (left < ROWS) {
		row(f->depth, a, b, c, more);
		return 1;
	}
	tile(f->depth, a, n, b, c, more);
	return ROWS;
}

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return zgemm_blocks(COLUMNS, multiply, true, n, a, b, c);
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm", argc, argv, zgemm, zgemm_no_work);
}
