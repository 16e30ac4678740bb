/*
 * C = A B for n x n matrices of doubles on the SIMD array, as a sum of products of blocks of
 * 128 (blocked.h), with the 4 x 4 sums of dgemm.c. Blocks of A and C are dealt to the PEs row
 * by row, without overlap.
 *
 *     dgemm_blocked N     default 48; any N from 1 to 4096, any number of PEs
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include <stdbool.h>

#include "../dgemm_check.h"
#include "blocked.h"
#include "dgemm_tiles.h"

/* Computes four rows of each PE for all columns of the block. */
static void panel(const struct update *u, const struct blocked *x, const double *a, double *c)
{
	const double *b = u->b + x->k * u->n + x->j;
	long j = 0;

	for (; j + DGEMM_COLUMNS <= x->width; j += DGEMM_COLUMNS)
		dgemm_tile(x->depth, a, b + j, u->n, c + j, x->width, true);
	for (; j < x->width; j++)
		dgemm_edge(x->depth, a, b + j, u->n, c + j, x->width, true);
}

static void block(const struct update *u, const struct blocked *x)
{
	long pes = array_here().pes;
	double *c = u->c + x->i * u->n + x->j;

	deal_rows(u->a + x->i * u->k + x->k, 0, x->depth, x->height, u->k);
	deal_rows(c, x->c_at, x->width, x->height, u->n);
	simd_wait(0);
	for (long rows = 0; rows < x->height; rows += DGEMM_ROWS * pes)
		panel(u, x, sbm(rows / pes * x->depth), sbm(x->c_at + rows / pes * x->width));
	collect_rows(c, x->c_at, x->width, x->height, u->n);
	simd_wait(0);
}

static int dgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	simd_on();
	blocked_all(&(struct update){n, n, n, a, b, c}, DGEMM_ROWS * array_here().pes, block);
	simd_off();
	return 0;
}

/* Needs no work space in memory. */
static size_t no_work(int n)
{
	(void)n;
	return 0;
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm_blocked", argc, argv, dgemm, no_work);
}
