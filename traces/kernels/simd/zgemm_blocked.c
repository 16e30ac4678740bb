/*
 * C = A B for n x n matrices of double complex numbers on the SIMD array, as a sum of products
 * of blocks of 128 without overlapped transfers (zgemm_blocked.h).
 *
 *     zgemm_blocked N     default 48; any N from 1 to 4096, an even number of PEs
 *
 * The input is small integers, so every sum is exact, whatever the order and rounding; the
 * result is compared with plain inner products.
 */
#include "../zgemm_check.h"
#include "zgemm_blocked.h"

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	return zgemm_blocked(&(struct update){n, n, n, a, b, c});
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm_blocked", argc, argv, zgemm, zgemm_no_work);
}
