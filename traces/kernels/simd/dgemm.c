/*
 * C = A B for n x n matrices of doubles on the SIMD array.
 *
 *     dgemm N     default 48; any N from 1 to 4096, any number of PEs
 *
 * Rows of A and C are dealt to the PEs, four to each; elements of B, which all PEs need, are
 * broadcast by loads from memory. A PE holds 4 x 4 sums in registers: four loads from its SBM
 * and four broadcast loads feed 16 multiply-adds, so that a sum is used again 16 cycles later
 * at one multiply-add a cycle. During the computation on one block of A, transfers load the
 * next block and store the results of the previous one.
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include "dgemm_blocks.h"
#include "dgemm_tiles.h"

/* Computes all columns of a block. */
static void strip(const struct dgemm_plan *p, const struct dgemm_phase *f, const double *a, double *c)
{
	const double *b = p->b + f->k * p->n + f->j;
	long j = 0;

	for (; j + DGEMM_COLUMNS <= f->width; j += DGEMM_COLUMNS)
		dgemm_tile(f->depth, a, b + j, p->n, c + j, f->width, f->k > 0);
	for (; j < f->width; j++)
		dgemm_edge(f->depth, a, b + j, p->n, c + j, f->width, f->k > 0);
}

static int dgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return dgemm_blocks(DGEMM_ROWS, strip, true, n, a, b, c);
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm", argc, argv, dgemm, dgemm_no_work);
}
