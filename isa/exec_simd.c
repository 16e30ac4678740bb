/* The SIMD extension's instructions: illegal on a processor without an array. */
#include "exec.h"

#define ABSENT(name) \
	X(name) \
	{ \
		return x_illegal(c, i); \
	}

ABSENT(simdon)
ABSENT(simdoff)
ABSENT(rdsimd)
ABSENT(peid)
ABSENT(pegetd)
ABSENT(peputd)
ABSENT(pesumd)
ABSENT(pexd)
ABSENT(fxmaddd)
ABSENT(fxmsubd)
ABSENT(fxcmaddd)
ABSENT(fxjmaddd)
ABSENT(sxget)
ABSENT(sxput)
ABSENT(sxwait)
