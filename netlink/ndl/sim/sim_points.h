/* Points of a sweep that are done, in the file of --checkpoint. */
#ifndef PSIM_NETLINK_NDL_SIM_POINTS_H
#define PSIM_NETLINK_NDL_SIM_POINTS_H

#include "../../../psim/base/cli/checkpoint.h"
#include "../../../psim/base/config/config.h"
#include "../../wormhole/wormhole_run.h"

/*
 * Begins the checkpoint of a sweep by this simulator, which depends on its file, the configuration, the pattern (NULL:
 * none) and the operands, and reads it. 0, or -1 with `e`.
 */
int sim_points_begin(struct checkpoint *k, const struct checkpoint_options *o, const struct config *config,
		     const char *pattern, int count, char *const operands[], struct err *e);

/* Takes the result of a load, if it is done: 1; 0; -1 with `e`: the part is none. */
int sim_points_take(const struct checkpoint *k, double load, struct run_result *out, struct err *e);

/* Keeps a result, unless it is interrupted. 0, or -1 with `e`. */
int sim_points_keep(struct checkpoint *k, double load, const struct run_result *result, struct err *e);

#endif
