/* Small arithmetic that many files need. */
#ifndef PSIM_BASE_NUMBER_H
#define PSIM_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a / b, of counts or times; 0 where there is nothing to divide by. */
static inline double ratio_of(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static inline bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Returns the least power of two that is `n` or more; n is at most 2^31. */
static inline unsigned power_of_two_from(uint64_t n)
{
	unsigned p = 1;

	while (p < n)
		p *= 2;
	return p;
}

#endif
