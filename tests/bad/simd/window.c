#include "psim_simd.h"
int main(void)
{
	*(volatile int *)simd_pe(simd_pes(), 0) = 1;
	return 0;
}
