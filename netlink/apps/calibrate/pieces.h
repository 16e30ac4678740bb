/*
 * Piecewise linear fits: the number of pieces, their borders and lines that cost the least, by dynamic programming over
 * all borders between samples (R. Bellman, "On the approximation of curves by line segments using dynamic
 * programming", CACM 4(6), 1961). A piece costs the squares of its deviations, relative to what was measured, over the
 * noise of a measurement, and a penalty for its parameters (G. Schwarz, "Estimating the dimension of a model", Annals
 * of Statistics 6(2), 1978).
 */
#ifndef PSIM_NETLINK_PIECES_H
#define PSIM_NETLINK_PIECES_H

#include <stddef.h>

#include "../../../psim/base/err.h"

enum { PIECES_SAMPLES_MOST = 512 };

struct piece_sample {
	double x, y;
	double scale; /* the deviation of y is relative to it; more than 0 */
};

/* y = a + b (x - x of the first sample), a and b at least 0. */
struct piece {
	size_t first, count; /* samples */
	double a, b;
};

/*
 * Fits `count` samples with ascending x, at most PIECES_SAMPLES_MOST, into `pieces`, which has room for as many.
 * `noise`: the standard deviation of a measurement, relative. Returns the number of pieces; 0 with `e`: memory is
 * short.
 */
size_t pieces_fit(const struct piece_sample *samples, size_t count, double noise, struct piece *pieces, struct err *e);

/* The value at `x` of the piece of its place; before the first sample and behind the last one as there. */
double pieces_at(const struct piece_sample *samples, const struct piece *pieces, size_t count, double x);

#endif
