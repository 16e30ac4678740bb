/*
 * C += A B on the SIMD array, for any shape, in the plain form of dgemm_plain.c: a column of C
 * at a time, eight rows of each PE in registers; transfers are waited for.
 *
 *     dgemm_update_plain M N K     default 48 each; from 1 to 4096; K is limited by the SBM
 */
#include "dgemm_update.h"
#include "dgemm_tiles.h"

static void strip(const struct update *u, long j, long width, const double *a, double *c)
{
	for (long l = 0; l < width; l++)
		dgemm_plain_column(u->k, a, u->b + j + l, u->n, c + l, width, true);
}

static int product(const struct update *u)
{
	return update_blocks(u, DGEMM_PLAIN_ROWS, strip, false);
}

int main(int argc, char *argv[])
{
	return update_main("dgemm_update_plain", argc, argv, "dgemm", 1, product);
}
