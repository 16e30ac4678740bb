/*
 * The part of a pair of PEs in a product of complex matrices: columns of B and C in its SBM,
 * `depth` steps of k; elements of A, which all pairs need, are broadcast from memory.
 *
 * A product takes two instructions: a's real part times each PE's own b, and a's imaginary part
 * times the partner's, subtracted in the even PE and added in the odd one (a cross operation).
 */
#ifndef ZGEMM_TILES_H
#define ZGEMM_TILES_H

#include "zgemm_blocks.h"

enum { ZGEMM_ROWS = 4, ZGEMM_COLUMNS = 4 }; /* complex sums of a pair */
enum { ZGEMM_PLAIN_COLUMNS = 8 };           /* columns of the plain form, a row at a time */

#define ROW(i, row) \
	do { \
		double re = (row)[0], im = (row)[1]; \
\
		s##i##0 += b0 * re, s##i##1 += b1 * re, s##i##2 += b2 * re, s##i##3 += b3 * re; \
		s##i##0 = simd_fxcmaddd(b0, im, s##i##0); \
		s##i##1 = simd_fxcmaddd(b1, im, s##i##1); \
		s##i##2 = simd_fxcmaddd(b2, im, s##i##2); \
		s##i##3 = simd_fxcmaddd(b3, im, s##i##3); \
	} while (0)
#define MORE(i, c) s##i##0 += (c)[0], s##i##1 += (c)[1], s##i##2 += (c)[2], s##i##3 += (c)[3]
#define STORE(i, c) (c)[0] = s##i##0, (c)[1] = s##i##1, (c)[2] = s##i##2, (c)[3] = s##i##3

/*
 * `depth` steps of k for 4 rows of A, `stride` numbers apart, and 4 columns of B. Adds to C if
 * `more`.
 */
SIMD_FUNCTION static void zgemm_tile(long depth, const double *restrict a, long stride, const double *restrict b,
				     double *restrict c, int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
	double s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += ZGEMM_COLUMNS) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

		ROW(0, a);
		ROW(1, a + 2 * stride);
		ROW(2, a + 4 * stride);
		ROW(3, a + 6 * stride);
	}
	if (more) {
		MORE(0, c);
		MORE(1, c + ZGEMM_COLUMNS);
		MORE(2, c + 2 * ZGEMM_COLUMNS);
		MORE(3, c + 3 * ZGEMM_COLUMNS);
	}
	STORE(0, c);
	STORE(1, c + ZGEMM_COLUMNS);
	STORE(2, c + 2 * ZGEMM_COLUMNS);
	STORE(3, c + 3 * ZGEMM_COLUMNS);
}

/* One row, if their number is no multiple of four. */
SIMD_FUNCTION static void zgemm_edge(long depth, const double *restrict a, const double *restrict b, double *restrict c,
				     int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += ZGEMM_COLUMNS) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];

		ROW(0, a);
	}
	if (more)
		MORE(0, c);
	STORE(0, c);
}

static long zgemm_multiply(const struct zgemm_phase *f, long left, const double *a, long stride, const double *b,
			   double *c, int more)
{
	if (left < ZGEMM_ROWS) {
		zgemm_edge(f->depth, a, b, c, more);
		return 1;
	}
	zgemm_tile(f->depth, a, stride, b, c, more);
	return ZGEMM_ROWS;
}

#undef ROW
#undef MORE
#undef STORE

#define PRODUCT(j) s##j = simd_fxcmaddd(b[j], im, s##j + b[j] * re)

/* The plain form: one row, 8 columns. */
SIMD_FUNCTION static void zgemm_plain_row(long depth, const double *restrict a, const double *restrict b,
					  double *restrict c, int more)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += ZGEMM_PLAIN_COLUMNS) {
		double re = a[0], im = a[1];

		PRODUCT(0), PRODUCT(1), PRODUCT(2), PRODUCT(3);
		PRODUCT(4), PRODUCT(5), PRODUCT(6), PRODUCT(7);
	}
	if (more) {
		s0 += c[0], s1 += c[1], s2 += c[2], s3 += c[3];
		s4 += c[4], s5 += c[5], s6 += c[6], s7 += c[7];
	}
	c[0] = s0, c[1] = s1, c[2] = s2, c[3] = s3, c[4] = s4, c[5] = s5, c[6] = s6, c[7] = s7;
}

static long zgemm_plain_multiply(const struct zgemm_phase *f, long left, const double *a, long stride, const double *b,
				 double *c, int more)
{
	(void)left;
	(void)stride;
	zgemm_plain_row(f->depth, a, b, c, more);
	return 1;
}

#undef PRODUCT

#endif
