#include "psim_simd.h"
static double x[64];
int main(void)
{
	if (!simd_pes())
		return 1;
	simd_put(simd_pe(2, 0), x, 16);
	*(volatile double *)simd_all(8) = 1;
	simd_wait(0);
	return 0;
}
