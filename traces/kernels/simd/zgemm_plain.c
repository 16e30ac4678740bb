/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array, the plain way: one row of
 * C at a time, as a compiler for vector machines would do it with
 *
 *     do i; do k; c(i, :) = c(i, :) + a(i, k) * b(k, :)
 *
 * but eight columns of each pair stay in registers: eight loads from the SBM and two broadcast
 * ones for 16 multiply-adds. Transfers are waited for. zgemm.c is the tuned form.
 *
 *     zgemm_plain N     at first 48; any N from 1 to 4096, an even number of PEs
 *
 * Small integers are multiplied, so every sum is exact, whatever the order and
 * rounding; the result is compared with plain inner products.
 */
#include "zgemm_blocks.h"

enum { COLUMNS = 8 }; /* of a pair */

#define PRODUCT(j) s##j = simd_fxcmaddd(b[j], im, s##j + b[j] * re)

SIMD_FUNCTION static void row(long depth, const double *restrict a, const double *restrict b, double *restrict c,
                              int more)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;

	for (const double *end = a + 2 * depth; a < end; a += 2, b += COLUMNS) {
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

static long multiply(const struct zgemm_phase *f, long left, const double *a, long n, const double *b, double *c,
                     int more)
{
	(void)left;
	(void)n;
	row(f->depth, a, b, c, more);
	return 1;
}

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return zgemm_blocks(COLUMNS, multiply, false, n, a, b, c);
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm_plain", argc, argv, zgemm, zgemm_no_work);
}
