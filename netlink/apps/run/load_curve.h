/*
 * Load curves of nsim: a pattern at several loads as an open loop, in a table and a picture, and where the network
 * saturates. The curve ends at the second load in a row of which less is accepted than offered.
 */
#ifndef PSIM_NETLINK_LOAD_CURVE_H
#define PSIM_NETLINK_LOAD_CURVE_H

#include "../../../psim/base/report/report.h"
#include "../../engine/protocol/protocol_engine.h"

struct run;
struct load_curve;

/* Runs the points of --load, and those that --saturation needs; sets run->curve. 0, or -1 with `e`. */
int load_curve_run(struct run *run, struct err *e);

/* Adds the table "points", and the group "saturation". */
void load_curve_report(const struct load_curve *c, struct report *r);

/* Returns whether the windows of all points are steady. */
bool load_curve_steady(const struct load_curve *c);
/* Returns the messages of all points that are longer than any of the protocol. */
struct protocol_beyond load_curve_beyond(const struct load_curve *c, enum protocol_where where);

/* Draws the picture, if it is requested. 0, or -1 with `e`. */
int load_curve_draw(struct run *run, struct err *e);

void load_curve_destroy(struct load_curve *c); /* NULL is allowed */

#endif
