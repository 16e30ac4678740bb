#include "psim_simd.h"
SIMD_FUNCTION static void turn(double *x)
{
	*x = simd_exchange(*x);
}
int main(void)
{
	simd_on();
	turn(simd_all(0));
	simd_off();
	return 0;
}
