#include "quantile.h"

#include <math.h>

unsigned quantile_bin(uint64_t value)
{
	unsigned octave;

	if (value < 2 * QUANTILE_PARTS)
		return (unsigned)value;
	octave = 63 - (unsigned)__builtin_clzll(value) - QUANTILE_BITS;
	return octave * QUANTILE_PARTS + (unsigned)(value >> octave);
}

/* The middle of the numbers that a bin counts. */
static double middle_of(unsigned bin)
{
	unsigned octave = bin < 2 * QUANTILE_PARTS ? 0 : bin / QUANTILE_PARTS - 1;
	uint64_t first = (uint64_t)(bin - octave * QUANTILE_PARTS) << octave;

	return (double)first + (ldexp(1, (int)octave) - 1) / 2;
}

double quantile_of(const uint64_t *bin, double share)
{
	uint64_t all = 0, below = 0, rank;

	for (unsigned i = 0; i < QUANTILE_BINS; i++)
		all += bin[i];
	if (!all)
		return 0;
	rank = (uint64_t)ceil(share * (double)all);
	for (unsigned i = 0; i < QUANTILE_BINS; i++) {
		below += bin[i];
		if (below >= rank && below)
			return middle_of(i);
	}
	return 0;
}
