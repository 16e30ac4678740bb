#include "psim_simd.h"
int main(void)
{
	if (!simd_pes())
		return 1;
	simd_get(simd_all(0), (void *)64, 16);
	simd_wait(0);
	return 0;
}
