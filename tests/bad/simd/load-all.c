#include "psim_simd.h"
int main(void)
{
	return simd_pes() + *(volatile int *)simd_all(8);
}
