/*
 * A PE's part of a product of real matrices: rows of A and C in its SBM, `depth` steps of k;
 * elements of B, which all PEs need, are broadcast from memory, `n` apart from step to step.
 * Adds to C if `more`.
 */
#ifndef DGEMM_TILES_H
#define DGEMM_TILES_H

#include "simd_kernel.h"

enum { DGEMM_ROWS = 4, DGEMM_COLUMNS = 4 }; /* sums of a PE */
enum { DGEMM_PLAIN_ROWS = 8 };              /* rows of the plain form, a column at a time */

/* ROW computes row i of the sums, MORE adds C's elements, and STORE stores them. */
#define ROW(i) s##i##0 += a##i * b0, s##i##1 += a##i * b1, s##i##2 += a##i * b2, s##i##3 += a##i * b3
#define MORE(i, c) s##i##0 += (c)[0], s##i##1 += (c)[1], s##i##2 += (c)[2], s##i##3 += (c)[3]
#define STORE(i, c) (c)[0] = s##i##0, (c)[1] = s##i##1, (c)[2] = s##i##2, (c)[3] = s##i##3

/* `depth` steps of k for 4 rows of A, `depth` apart, and 4 columns of B; rows of C are `width` apart. */
SIMD_FUNCTION static void dgemm_tile(long depth, const double *restrict a, const double *restrict b, long n,
				     double *restrict c, long width, int more)
{
	double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
	double s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;

	for (long k = 0; k < depth; k++, b += n) {
		double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
		double a0 = a[k], a1 = a[depth + k], a2 = a[2 * depth + k], a3 = a[3 * depth + k];

		ROW(0);
		ROW(1);
		ROW(2);
		ROW(3);
	}
	if (more) {
		MORE(0, c);
		MORE(1, c + width);
		MORE(2, c + 2 * width);
		MORE(3, c + 3 * width);
	}
	STORE(0, c);
	STORE(1, c + width);
	STORE(2, c + 2 * width);
	STORE(3, c + 3 * width);
}

/* One column, if their number is no multiple of four. */
SIMD_FUNCTION static void dgemm_edge(long depth, const double *restrict a, const double *restrict b, long n,
				     double *restrict c, long width, int more)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	for (long k = 0; k < depth; k++, b += n) {
		s0 += a[k] * b[0];
		s1 += a[depth + k] * b[0];
		s2 += a[2 * depth + k] * b[0];
		s3 += a[3 * depth + k] * b[0];
	}
	c[0] = more ? c[0] + s0 : s0;
	c[width] = more ? c[width] + s1 : s1;
	c[2 * width] = more ? c[2 * width] + s2 : s2;
	c[3 * width] = more ? c[3 * width] + s3 : s3;
}

/* One column: `depth` steps of k for DGEMM_PLAIN_ROWS rows of A, `depth` apart; rows of C are `width` apart. */
SIMD_FUNCTION static void dgemm_plain_column(long depth, const double *restrict a, const double *restrict b, long n,
					     double *restrict c, long width, int more)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;

	for (long k = 0; k < depth; k++, b += n) {
		const double *p = a + k;

		s0 += p[0] * *b, s1 += p[depth] * *b, s2 += p[2 * depth] * *b, s3 += p[3 * depth] * *b;
		s4 += p[4 * depth] * *b, s5 += p[5 * depth] * *b, s6 += p[6 * depth] * *b, s7 += p[7 * depth] * *b;
	}
	if (more) {
		s0 += c[0], s1 += c[width], s2 += c[2 * width], s3 += c[3 * width];
		s4 += c[4 * width], s5 += c[5 * width], s6 += c[6 * width], s7 += c[7 * width];
	}
	c[0] = s0, c[width] = s1, c[2 * width] = s2, c[3 * width] = s3;
	c[4 * width] = s4, c[5 * width] = s5, c[6 * width] = s6, c[7 * width] = s7;
}

#undef ROW
#undef MORE
#undef STORE

#endif
