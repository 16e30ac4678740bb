/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array.
 *
 *     zgemm N     at first 48; any N from 1 to 4096, an even number of PEs
 *
 * A product takes two instructions: with a's real part each PE's own b is multiplied, with
 * a's imaginary part the partner's, subtracted in the even PE and added in the odd one (a
 * cross operation). A pair holds 4 x 4 complex sums: four loads from the SBM and eight
 * broadcast ones feed 32 multiply-adds. One row of results after the other leaves, and one row of
 * the next block of B after the other comes in, between the blocks of sums.
 *
 * Small integers are multiplied, so every sum is exact, whatever the order and
 * rounding; the result is compared with plain inner products.
 */
#include "../zgemm_check.h"
#include "zgemm_tiles.h"

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return zgemm_blocks((struct zgemm_way){ZGEMM_COLUMNS, zgemm_multiply, .ahead = true},
			    &(struct update){n, n, n, a, b, c});
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm", argc, argv, zgemm, zgemm_no_work);
}
