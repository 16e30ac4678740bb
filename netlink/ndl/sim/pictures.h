/* Pictures of simulators: latency over throughput of one or several networks; use of the channels. */
#ifndef PSIM_NETLINK_NDL_PICTURES_H
#define PSIM_NETLINK_NDL_PICTURES_H

#include <stdio.h>

#include "../../../psim/base/vec.h"
#include "../../wormhole/kernel.h"

struct curve_point {
	double accepted, latency, error; /* bytes a clock and PU; clocks; half of the 95 % interval */
};
struct curve {
	char *name;
	struct vec_of(struct curve_point) points; /* in the order of the loads */
};

/*
 * Reads "NAME=FILE.csv", a simulator's report of several loads (-f csv). 0, or -1 with `e`
 * (STATUS_USAGE, STATUS_BAD_INPUT). Call curve_finish also after a failure.
 */
int curve_read(struct curve *c, const char *text, struct err *e);
void curve_finish(struct curve *c);

/*
 * Draws latency over accepted throughput, with all points: the axis of latency is logarithmic where a network
 * saturates. Beside each name is the largest accepted throughput.
 */
void curves_draw(FILE *out, const char *title, const struct curve *curves, unsigned count);

/*
 * Draws a row for each output of a kind of resource and each of its virtual channels, a cell for
 * each element (or the mean of several): the share of `clocks` in which the link carried a flit, or
 * the channel was held.
 */
void use_draw(FILE *out, const char *title, const struct network *n, const struct kernel *k, uint64_t clocks);

#endif
