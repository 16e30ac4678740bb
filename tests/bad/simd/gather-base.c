#include "psim_simd.h"
SIMD_FUNCTION static void look_up(double *to, const double *from)
{
	*to = simd_gather_x(from, simd_int_of(simd_number()));
}
int main(void)
{
	double table[32] = {0};
	simd_on();
	look_up(simd_all(0), table);
	simd_off();
	return 0;
}
