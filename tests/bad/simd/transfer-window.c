#include "psim_simd.h"
static double x[64];
int main(void)
{
	if (!simd_pes())
		return 1;
	simd_get(x + 8, x, 16);
	simd_wait(0);
	return 0;
}
