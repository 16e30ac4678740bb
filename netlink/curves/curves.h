/* Pictures of open loops: latency over accepted throughput, of one or several networks. */
#ifndef PSIM_NETLINK_CURVES_H
#define PSIM_NETLINK_CURVES_H

#include <stdbool.h>
#include <stdio.h>

#include "../../psim/base/err.h"
#include "../../psim/base/vec.h"

struct curve_point {
	double accepted, latency, error; /* share; mean, and half of its 95 % interval */
	double p99;                      /* 99th percentile of the latency; 0: not known */
};
struct curve {
	char *name;
	struct vec_of(struct curve_point) points; /* in the order of the loads */
};

/* Texts of the axes. */
struct curve_axes {
	const char *doc;      /* what latency and intervals are */
	const char *accepted; /* of what it is a share */
	const char *unit;     /* of latency: "clocks", which have no prefix, or "s" */
};

/*
 * Reads "NAME=FILE.csv", the table `points` of a report of several loads (-f csv), with latencies in `unit`. 0, or -1
 * with `e` (STATUS_USAGE, STATUS_BAD_INPUT). Call curve_finish also after a failure.
 */
int curve_read(struct curve *c, const char *text, const char *unit, struct err *e);
void curve_finish(struct curve *c);

/*
 * Draws latency over accepted throughput, with all points: the axis of latency is logarithmic where a network
 * saturates. Beside each name is the largest accepted throughput. The 99th percentile, where it is known, is dashed.
 */
void curves_draw(FILE *out, const char *title, const struct curve_axes *axes, const struct curve *curves,
		 unsigned count);

/*
 * Draws `own` and the curves of the texts `beside`, which curve_read reads, as `path`. `name` begins the title of one
 * curve; several are "Networks". 0, or -1 with `e`.
 */
int curves_write(FILE *out, const struct curve_axes *axes, const struct curve *own, const char *const *beside,
		 unsigned count, struct err *e);

#endif
