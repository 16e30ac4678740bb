/*
 * C += A B on the SIMD array, for any shape, with the 4 x 4 sums of dgemm.c; the transfer of
 * the next block of C overlaps the computation.
 *
 *     dgemm_update M N K     default 48 each; from 1 to 4096; K is limited by the SBM
 */
#include "dgemm_update.h"
#include "dgemm_tiles.h"

static void strip(const struct update *u, long j, long width, const double *a, double *c)
{
	const double *b = u->b + j;
	long l = 0;

	for (; l + DGEMM_COLUMNS <= width; l += DGEMM_COLUMNS)
		dgemm_tile(u->k, a, b + l, u->n, c + l, width, true);
	for (; l < width; l++)
		dgemm_edge(u->k, a, b + l, u->n, c + l, width, true);
}

static int product(const struct update *u)
{
	return update_blocks(u, DGEMM_ROWS, strip, true);
}

int main(int argc, char *argv[])
{
	return update_main("dgemm_update", argc, argv, "dgemm", 1, product);
}
