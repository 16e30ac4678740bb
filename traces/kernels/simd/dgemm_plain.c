/*
 * C = A B for n x n matrices of doubles on the SIMD array, the plain form: one column of C at a
 * time, as a compiler for vector machines compiles
 *
 *     do j; do k; c(:, j) = c(:, j) + a(:, k) * b(k, j)
 *
 * but with eight rows of each PE in registers: eight loads from the SBM and one broadcast load
 * for eight multiply-adds. Transfers are waited for. dgemm.c is the tuned form.
 *
 *     dgemm_plain N     default 48; any N from 1 to 4096, any number of PEs
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include "dgemm_blocks.h"
#include "dgemm_tiles.h"

static void strip(const struct dgemm_plan *p, const struct dgemm_phase *f, const double *a, double *c)
{
	for (long j = 0; j < f->width; j++)
		dgemm_plain_column(f->depth, a, p->b + f->k * p->n + f->j + j, p->n, c + j, f->width, f->k > 0);
}

static int dgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return dgemm_blocks(DGEMM_PLAIN_ROWS, strip, false, n, a, b, c);
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm_plain", argc, argv, dgemm, dgemm_no_work);
}
