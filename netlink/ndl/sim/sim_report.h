/* Report of a generated simulator: points of a sweep, use of channels. */
#ifndef PSIM_NETLINK_NDL_SIM_REPORT_H
#define PSIM_NETLINK_NDL_SIM_REPORT_H

#include <stdio.h>

#include "../../../psim/base/report/report.h"
#include "../../wormhole/wormhole_check.h"
#include "sim_points.h"

/* Adds the group "network": sizes, distance, cycles of dependences (NULL: not checked). */
void sim_report_network(struct report *r, const struct network *n, const struct check_result *check);

/* Says in words whether a run is steady: "yes", "no: …", or "-" where that is not known. Returns `text`. */
const char *sim_report_steady(const struct run_result *x, char *text, size_t size);

/* Adds the table "points", one row a load. */
void sim_report_points(struct report *r, const struct sim_point *points, unsigned count);

/* Adds the group "latency" and others of a single run. */
void sim_report_run(struct report *r, const struct sim_point *point);

/*
 * Adds the use of channels: table "use" (a row a kind and output: mean and largest share of clocks in which the link
 * carried a flit; share in which its virtual channels were held), likewise "classes"; table "channels" with each
 * channel, if `all`.
 */
void sim_report_use(struct report *r, const struct network *n, const struct sim_use *k, bool all);

#endif
