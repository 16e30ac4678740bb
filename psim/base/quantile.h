/*
 * Quantiles of many numbers in little memory: a histogram whose bins have the same relative width, that of G. Tene's
 * HdrHistogram. A number below 2 * QUANTILE_PARTS has a bin of its own; a larger one shares its bin with those that
 * differ by less than 1 / QUANTILE_PARTS of it.
 */
#ifndef PSIM_BASE_QUANTILE_H
#define PSIM_BASE_QUANTILE_H

#include <stdint.h>

enum {
	QUANTILE_BITS = 7,
	QUANTILE_PARTS = 1 << QUANTILE_BITS,                   /* bins of an octave */
	QUANTILE_BINS = QUANTILE_PARTS * (65 - QUANTILE_BITS), /* of all 64-bit numbers */
};

/* Returns the bin of a number, less than QUANTILE_BINS. */
unsigned quantile_bin(uint64_t value);

/*
 * Returns the number of which a part `share` (0 to 1) of those counted in bin[QUANTILE_BINS] are at most as large: the
 * middle of its bin, so at most 1 / (2 * QUANTILE_PARTS) off. 0: none is counted.
 */
double quantile_of(const uint64_t *bin, double share);

#endif
