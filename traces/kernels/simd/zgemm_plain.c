/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array, the plain form: one
 * row of C at a time, as a compiler for vector machines compiles
 *
 *     do i; do k; c(i, :) = c(i, :) + a(i, k) * b(k, :)
 *
 * but with eight columns of each pair in registers: eight loads from the SBM and two broadcast
 * loads for 16 multiply-adds. Transfers are waited for. zgemm.c is the tuned form.
 *
 *     zgemm_plain N     default 48; any N from 1 to 4096, an even number of PEs
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include "../zgemm_check.h"
#include "zgemm_tiles.h"

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return zgemm_blocks((struct zgemm_way){ZGEMM_PLAIN_COLUMNS, zgemm_plain_multiply},
			    &(struct update){n, n, n, a, b, c});
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm_plain", argc, argv, zgemm, zgemm_no_work);
}
