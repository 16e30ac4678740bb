/* The loads of a simulator's run: one in this process, several in processes of their own. */
#ifndef PSIM_NETLINK_NDL_SIM_POINTS_H
#define PSIM_NETLINK_NDL_SIM_POINTS_H

#include "../../curves/load_search.h"
#include "../../wormhole/wormhole_run.h"
#include "sim_use.h"

struct sim_point {
	struct load_head head;
	struct run_result result;
	struct sim_use *use; /* NULL: of a load between others, found by bisection */
};

struct sim_points {
	struct load_search search;
	struct sim_point point[LOAD_POINTS_MAX];
	unsigned uses; /* of `use` */
	struct sim_use *use[LOAD_POINTS_MAX];
	const struct network *net;
	struct run_params params; /* of all; their load, and, in a long run, clocks are those of each */
	const char *pattern;      /* NULL: the PU file's traffic */
	bool strict, saturation;
};

/*
 * Runs the points that load_search_read has read, with s->net and the others set. A single point, interrupted, has
 * results up to then; several end with the last that is complete. 0, or -1 with `e`.
 */
int sim_points_run(struct sim_points *s, struct err *e);
void sim_points_finish(struct sim_points *s);

#endif
