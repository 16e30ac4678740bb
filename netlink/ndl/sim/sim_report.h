/* What a generated simulator reports: points of a sweep, use of channels, a picture. */
#ifndef PSIM_NETLINK_NDL_SIM_REPORT_H
#define PSIM_NETLINK_NDL_SIM_REPORT_H

#include <stdio.h>

#include "../../../psim/base/report/report.h"
#include "../../wormhole/wormhole_check.h"
#include "../../wormhole/wormhole_run.h"

struct sim_point {
	double load;
	struct run_result result;
};

/* Group "network": sizes, distance, cycles of dependences (NULL: not checked). */
void sim_report_network(struct report *r, const struct network *n, const struct check_result *check);

/* Table "points", one row a load. */
void sim_report_points(struct report *r, const struct sim_point *points, unsigned count);

/* Group "latency" and others of a single run. */
void sim_report_run(struct report *r, const struct sim_point *point);

/*
 * Use of channels over `clocks`: table "switches" (a row a kind and output: mean and largest
 * share of clocks in which the link carried a flit; share in which its virtual channels were held);
 * table "channels" with each channel, if `all`.
 */
void sim_report_use(struct report *r, const struct network *n, const struct kernel *k, uint64_t clocks, bool all);

#endif
