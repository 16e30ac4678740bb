#include "psim_simd.h"
static double x[64];
int main(void)
{
	if (!simd_pes())
		return 1;
	simd_get(simd_all(0), x, 12);
	simd_wait(0);
	return 0;
}
