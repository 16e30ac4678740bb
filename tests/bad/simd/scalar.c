#include "psim_simd.h"
int main(void)
{
	volatile double one = simd_pes();
	one = simd_fxmaddd(one, one, one);
	return 0;
}
