#include "psim_simd.h"
int main(void)
{
	return simd_pes() + __atomic_exchange_n((int *)simd_pe(0, 0), 1, __ATOMIC_SEQ_CST);
}
