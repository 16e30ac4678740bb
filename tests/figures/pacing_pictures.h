/* Pictures of the pacing paper's figures (docs/accuracy/pacing.md). */
#ifndef PSIM_TESTS_PACING_PICTURES_H
#define PSIM_TESTS_PACING_PICTURES_H

#include <stdio.h>

#include "pacing_run.h"

/* A picture of curves over the gap bias. */
struct curves_kind {
	const char *title, *doc;
	bool square; /* a curve's number is that of nodes along a side */
	bool use;    /* of links, else run time */
};

/* Draws the lines of `pacing … curve` or `… phases` from `in` as SVG. */
void picture_curves(FILE *in, FILE *out, const struct curves_kind *kind);
/* Draws the lines of `pacing … curve` as bars: not paced, bias 0, the best bias, ideal. */
void picture_bars(FILE *in, FILE *out);
/* Draws the lines of `pacing … algorithms`: run times, or with `use` the use of links. */
void picture_algorithms(FILE *in, FILE *out, bool use);

/*
 * Runs `p` on n x n nodes with 1 MiB, frees it, and draws links and buffers over time into `file`. Ends the program
 * with a message where that fails.
 */
struct a2at_result picture_run(struct study *s, unsigned n, struct a2at_program *p, const char *title,
			       const char *file);

#endif
