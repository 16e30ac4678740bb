/* Cycles of one core as numbers. */
#ifndef PSIM_CORE_CYCLE_H
#define PSIM_CORE_CYCLE_H

#include <stdint.h>

#define CYCLE_NEVER UINT64_MAX

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t latest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
