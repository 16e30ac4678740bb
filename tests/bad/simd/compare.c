#include "psim_simd.h"
SIMD_FUNCTION static void clip(double *x)
{
	if (*x < 0)
		*x = 0;
}
int main(void)
{
	simd_on();
	clip(simd_all(0));
	simd_off();
	return 0;
}
