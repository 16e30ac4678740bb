/*
 * C = A B for n x n matrices of doubles on the SIMD array, the plain way: one column of C
 * at a time, as a compiler for vector machines would do it with
 *
 *     do j; do k; c(:, j) = c(:, j) + a(:, k) * b(k, j)
 *
 * but eight rows of each PE stay in registers: eight loads from the SBM and one broadcast
 * one for eight multiply-adds. Transfers are waited for. dgemm.c is the tuned form.
 *
 *     dgemm_plain N     at first 48; any N from 1 to 4096, any number of PEs
 *
 * Small integers are multiplied, so every sum is exact, whatever the order and
 * rounding; the result is compared with plain inner products.
 */
#include "dgemm_blocks.h"

enum { ROWS = 8 }; /* of a PE */

/* One column: `depth` steps of k for ROWS rows of A, `depth` apart; rows of C are `width` apart. */
SIMD_FUNCTION static void column(long depth, const double *restrict a, const double *restrict b, long n,
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

static void strip(const struct dgemm_plan *p, const struct dgemm_phase *f, const double *a, double *c)
{
	for (long j = 0; j < f->width; j++)
		column(f->depth, a, p->b + f->k * p->n + f->j + j, p->n, c + j, f->width, f->k > 0);
}

static int dgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return dgemm_blocks(ROWS, strip, false, n, a, b, c);
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm_plain", argc, argv, dgemm, dgemm_no_work);
}
