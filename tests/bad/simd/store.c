#include "psim_simd.h"
static double elsewhere;
SIMD_FUNCTION static void copy(double *to, const double *x)
{
	*to = *x;
}
int main(void)
{
	simd_on();
	copy(&elsewhere, simd_all(0));
	simd_off();
	return 0;
}
