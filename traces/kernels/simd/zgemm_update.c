/*
 * C += A B for matrices of double complex numbers on the SIMD array, of any shape, with the 4 x
 * 4 complex sums of zgemm.c; transfers of the next blocks of B and C overlap the computation.
 *
 *     zgemm_update M N K     default 48 each; from 1 to 4096; an even number of PEs
 */
#include "zgemm_tiles.h"

static int product(const struct update *u)
{
	return zgemm_blocks((struct zgemm_way){ZGEMM_COLUMNS, zgemm_multiply, .ahead = true, .update = true}, u);
}

int main(int argc, char *argv[])
{
	return update_main("zgemm_update", argc, argv, "zgemm", 2, product);
}
