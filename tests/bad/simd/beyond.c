#include "psim_simd.h"
int main(void)
{
	return *(volatile int *)simd_pe(0, simd_sbm_bytes());
}
