#include "psim_simd.h"
SIMD_FUNCTION static void take(const double *x, double *to)
{
	simd_read(*x, 99, to);
}
int main(void)
{
	double x;
	simd_on();
	take(simd_all(0), &x);
	simd_off();
	return 0;
}
