/* Guest code: kernels that need more than this array's PEs can do are left out. */
#include <stdio.h>
#include <stdlib.h>

#include "psim_nest.h"
#include "psim_simd.h"

/* The compiled kernels' needs; no addresses if no kernel has any. */
extern const long first[][NEED_WORDS] __asm__("__start_psim_nest_needs") __attribute__((weak));
extern const long end[][NEED_WORDS] __asm__("__stop_psim_nest_needs") __attribute__((weak));

/* After look_for_array (psim_nest_array.c), before the constructors of programs. */
__attribute__((constructor(102))) static void leave_out_kernels(void)
{
	long units = (long)simd_units(), left = 0;

	for (const long(*need)[NEED_WORDS] = first; need < end; need++)
		if ((*need)[NEED_UNITS] & ~units) {
			*(long *)(*need)[NEED_USABLE] = 0;
			left++;
		}
	if (left && simd_pes() && getenv("PSIM_NEST_REPORT"))
		fprintf(stderr,
			"%ld kernels need what the PEs cannot do, expected psim-record --units as -fpsim-units\n",
			left);
}
