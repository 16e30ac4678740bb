#include "psim_simd.h"
SIMD_FUNCTION static void twice(simd_bits *x)
{
	*x = simd_int_add(*x, *x);
}
int main(void)
{
	simd_on();
	twice(simd_all(0));
	simd_off();
	return 0;
}
