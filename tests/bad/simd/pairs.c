#include "psim_simd.h"
SIMD_FUNCTION static void square(simd_bits *x)
{
	*x = simd_pair_multiply(*x, *x);
}
int main(void)
{
	simd_on();
	square(simd_all(0));
	simd_off();
	return 0;
}
