/* Guest code: whether functions with nests run their versions for the array. */
#include <stdlib.h>

#include "psim_nest.h"
#include "psim_simd.h"

/*
 * Read by compiled functions, as a constant (nest_version.cc). Both versions are right, so a constructor that runs
 * before this one may use the one for the array, whose routine then finds none.
 */
long psim_nest_array = 1;

/*
 * A copy sets it before it comes back without having done anything, and the function that has called it resets it
 * (nest_leave.cc).
 */
long psim_nest_left;

/* Not 0 if the last refusal was for a reason that the nest's next run has, too. */
long psim_nest_lasting;

/* Without an array, the version for it serves only to report that there is none. */
__attribute__((constructor(101))) static void look_for_array(void)
{
	psim_nest_array = simd_pes() > 0 || getenv("PSIM_NEST_REPORT");
}
