/* The sensitivity of a study as a picture: a tornado of bars for each criterion. */
#ifndef PSIM_ENERGY_EXPLORE_TORNADO_H
#define PSIM_ENERGY_EXPLORE_TORNADO_H

#include <stdio.h>

#include "sensitivity.h"

/* A block of the picture: the sensitivity over all traces or of one. */
struct tornado_block {
	const struct sensitivity *sensitivity;
	const char *over; /* "geometric mean of 2 traces" */
};

/*
 * Writes the picture as SVG: for each block and criterion a bar for each axis, the widest first. A bar goes from 1, at
 * the value where the criterion is least, to the ratio at the value where it is most, on a logarithmic axis that all
 * criteria of a block share. Returns 0, or -1 with `e` if the stream fails.
 */
int tornado_write(const struct study *s, const struct tornado_block *blocks, unsigned count, FILE *out, struct err *e);

#endif
