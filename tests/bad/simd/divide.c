#include "psim_simd.h"
SIMD_FUNCTION static void half(double *x)
{
	*x /= 3;
}
int main(void)
{
	simd_on();
	half(simd_all(0));
	simd_off();
	return 0;
}
