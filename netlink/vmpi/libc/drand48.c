/* 48-bit random numbers; each rank has its own sequence. */
#define _GNU_SOURCE /* drand48_r */
#include "libc_state.h"

#include <stdlib.h>
#include <string.h>

static struct drand48_data data;

WEAK void srand48(long seed)
{
	srand48_r(seed, &data);
}

WEAK unsigned short *seed48(unsigned short seed[3])
{
	static unsigned short before[3];

	memcpy(before, data.__x, sizeof(before));
	seed48_r(seed, &data);
	return before;
}

WEAK void lcong48(unsigned short parameters[7])
{
	lcong48_r(parameters, &data);
}

#define DRAWN(result, name, as) \
	WEAK result name(void) \
	{ \
		result x; \
\
		name##_r(&data, &x); \
		return x; \
	} \
	WEAK result as(unsigned short state[3]) \
	{ \
		result x; \
\
		as##_r(state, &data, &x); \
		return x; \
	}
DRAWN(double, drand48, erand48)
DRAWN(long, lrand48, nrand48)
DRAWN(long, mrand48, jrand48)
