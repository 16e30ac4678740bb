/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array.
 *
 *     zgemm N     default 48; any N from 1 to 4096, an even number of PEs
 *
 * A product takes two instructions: a's real part times each PE's own b, and a's imaginary part
 * times the partner's, subtracted in the even PE and added in the odd one (a cross operation).
 * A pair holds 4 x 4 complex sums: four loads from the SBM and eight broadcast loads feed 32
 * multiply-adds. Between the blocks of sums, transfers store one row of results and load one
 * row of the next block of B.
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
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
