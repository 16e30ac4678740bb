/* The design space as a picture: time against energy, a dot a design. */
#ifndef PSIM_ENERGY_EXPLORE_PICTURE_H
#define PSIM_ENERGY_EXPLORE_PICTURE_H

#include <stdio.h>

#include "designs.h"

/* One panel: the designs over all traces or of one, and what its figures are. */
struct picture_panel {
	const struct designs *designs;
	const char *over; /* "geometric mean of 2 traces" */
};

struct picture {
	const struct plan *plan;
	const struct picture_panel *panels; /* below each other */
	unsigned panel_count;
	int colour; /* the varying parameter that colours the dots, -1: area */
};

/*
 * The number of the varying parameter "section.key" for `colour`, or -1 for "area". -2 with `e`,
 * STATUS_USAGE, if it is neither.
 */
int picture_colour(const struct study *s, const char *name, struct err *e);

/*
 * Writes the picture as SVG: a dot a design with its values on hovering, those that none beats in
 * time, energy and area ringed and, where there is room, labelled; the front of time and energy as
 * a line; the design of the least energy-delay product, and the line of equal product through it.
 * 0, or -1 with `e` without memory or if the stream fails.
 */
int picture_write(const struct picture *p, FILE *out, struct err *e);

#endif
