#include "psim_simd.h"
/* ordinary code after a simd_off that is not there */
int main(int argc, char **argv)
{
	(void)argv;
	simd_on();
	volatile double three = argc + 2;
	return three > 2;
}
