/*
 * C = A B for n x n matrices of doubles on the SIMD array.
 *
 *     dgemm N     at first 48; any N from 1 to 4096, any number of PEs
 *
 * Rows of A and C are dealt to the PEs, four to each; elements of B, which all PEs
 * need, are broadcast by loads from memory. A PE holds 4 x 4 sums in registers: four
 * loads from its SBM and four broadcast ones feed 16 multiply-adds, so that a sum is used
 * again 16 cycles later at one multiply-add a cycle. While one block of A is worked on,
 * the next is on its way into the SBM, and results of the block before are on their way
 * out of it.
 *
 * Small integers are multiplied, so every sum is exact, whatever the order and
 * rounding; the result is compared with plain inner products.
 */
#include "dgemm_blocks.h"

enum { ROWS = 4, COLUMNS = 4 }; /* sums of a PE */

/* Row i of the sums; what C has of it added, where this is not the first block of k; stored. */
#define ROW(i) s##i##0 += a##i * b0, s##i##1 += a##i * b1, s##i##2 += a##i * b2, s##i##3 += a##i * b3
#define MORE(i, c) s##i##0 += (c)[0], s##i##1 += (c)[1], s##i##2 += (c)[2], s##i##3 += (c)[3]
#define STORE(i, c) (c)[0] = s##i##0, (c)[1] = s##i##1, (c)[2] = s##i##2, (c)[3] = s##i##3

/* `depth` steps of k for ROWS rows of A, `depth` apart, and COLUMNS columns of B; rows of C are `width` apart. */
SIMD_FUNCTION static void tile(long depth, const double *restrict a, const double *restrict b, long n,
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

/* One column, where their number is no multiple of four. */
SIMD_FUNCTION static void column(long depth, const double *restrict a, const double *restrict b, long n,
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

/* All columns of a block. */
static void strip(const struct dgemm_plan *p, const struct dgemm_phase *f, const double *a, double *c)
{
	const double *b = p->b + f->k * p->n + f->j;
	long j = 0;

	for (; j + COLUMNS <= f->width; j += COLUMNS)
		tile(f->depth, a, b + j, p->n, c + j, f->width, f->k > 0);
	for (; j < f->width; j++)
		column(f->depth, a, b + j, p->n, c + j, f->width, f->k > 0);
}

static int dgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return dgemm_blocks(ROWS, strip, true, n, a, b, c);
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm", argc, argv, dgemm, dgemm_no_work);
}
