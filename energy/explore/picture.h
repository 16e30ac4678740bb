/* The design space as a picture: two figures of the designs, one dot per design. */
#ifndef PSIM_ENERGY_EXPLORE_PICTURE_H
#define PSIM_ENERGY_EXPLORE_PICTURE_H

#include <stdio.h>

#include "designs.h"

/* One panel: the designs over all traces or of one. */
struct picture_panel {
	const struct designs *designs;
	const char *over; /* "geometric mean of 2 traces" */
};

struct picture {
	const struct plan *plan;
	const struct picture_panel *panels; /* from top to bottom */
	unsigned panel_count;
	int colour;     /* the varying parameter that colours the dots; -1: area */
	unsigned x, y;  /* columns of the designs */
	const char *by; /* objectives of the front */
};

/*
 * Returns the number of the varying parameter "section.key" for `colour`, -1 for "area", or -2
 * with `e` (STATUS_USAGE) if it is neither.
 */
int picture_colour(const struct study *s, const char *name, struct err *e);

/*
 * Writes the picture as SVG: one dot per design with its values as a tooltip; designs of the front ringed and, space
 * permitting, labelled; the front of the two axes alone as a line; the design of the least energy-delay product, over
 * time and energy with the curve of equal product. Returns 0, or -1 with `e` if memory is exhausted or the stream
 * fails.
 */
int picture_write(const struct picture *p, FILE *out, struct err *e);

#endif
