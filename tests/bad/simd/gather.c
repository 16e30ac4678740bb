#include "psim_simd.h"
/* PE 9 looks up number 9000 of the 8192 that an SBM has. */
SIMD_FUNCTION static void look_up(double *x)
{
	*x = simd_gather_x(x, simd_int_of(1000 * simd_number()));
}
int main(void)
{
	simd_on();
	look_up(simd_all(0));
	simd_off();
	return 0;
}
