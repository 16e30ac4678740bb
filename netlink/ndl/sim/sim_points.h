/* The loads of a simulator's run: one in this process, several in processes of their own. */
#ifndef PSIM_NETLINK_NDL_SIM_POINTS_H
#define PSIM_NETLINK_NDL_SIM_POINTS_H

#include "../../../psim/base/cli/checkpoint.h"
#include "../../../psim/base/config/config.h"
#include "../../curves/load_search.h"
#include "../../wormhole/wormhole_run.h"
#include "sim_use.h"

struct sim_point {
	struct load_head head;
	struct run_result result;
};

/* The use of channels at a load of the list; a bisection keeps none. */
struct sim_point_use {
	double load;
	struct sim_use *use;
};

struct sim_points {
	struct load_search search;
	struct sim_point point[LOAD_POINTS_MAX];
	unsigned uses; /* of `use` */
	struct sim_point_use use[LOAD_POINTS_MAX];
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
/* Returns the use of channels at the largest load that was run. */
const struct sim_use *sim_points_use(const struct sim_points *s);

/*
 * Begins the checkpoint of a sweep by this simulator, which depends on its file, the configuration, the operands and
 * the pattern, and reads it. 0, or -1 with `e`.
 */
int sim_points_begin(struct checkpoint *k, const struct checkpoint_options *o, const struct config *config,
		     const char *pattern, int count, char *const operands[], struct err *e);

#endif
