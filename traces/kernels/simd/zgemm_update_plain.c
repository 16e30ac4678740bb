/*
 * C += A B for matrices of double complex numbers on the SIMD array, of any shape, in the plain
 * form of zgemm_plain.c: a row of C at a time, eight columns of each pair in registers;
 * transfers are waited for.
 *
 *     zgemm_update_plain M N K     default 48 each; from 1 to 4096; an even number of PEs
 */
#include "zgemm_tiles.h"

static int product(const struct update *u)
{
	return zgemm_blocks((struct zgemm_way){ZGEMM_PLAIN_COLUMNS, zgemm_plain_multiply, .update = true}, u);
}

int main(int argc, char *argv[])
{
	return update_main("zgemm_update_plain", argc, argv, "zgemm", 2, product);
}
