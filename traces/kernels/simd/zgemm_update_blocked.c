/*
 * C += A B for matrices of double complex numbers on the SIMD array, of any shape, as a sum of
 * products of blocks of 128 without overlapped transfers (zgemm_blocked.h).
 *
 *     zgemm_update_blocked M N K     default 48 each; from 1 to 4096; an even number of PEs
 */
#include "zgemm_blocked.h"

int main(int argc, char *argv[])
{
	return update_main("zgemm_update_blocked", argc, argv, "zgemm", 2, zgemm_blocked);
}
