#include "psim_simd.h"
static double x[64];
int main(void)
{
	if (!simd_pes())
		return 1;
	simd_deal(simd_pe(0, 0), x, 16, 4);
	simd_wait(0);
	return 0;
}
