#include "psim_simd.h"
int main(void)
{
	volatile int *p = simd_pe(0, 2);

	__asm__("" : "+r"(p)); /* the compiler would load it in two halves */
	return (int)simd_pes() + *p;
}
