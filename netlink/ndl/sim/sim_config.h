/* The parameters of a generated simulator: structs from sim_params.def. */
#ifndef PSIM_NETLINK_NDL_SIM_CONFIG_H
#define PSIM_NETLINK_NDL_SIM_CONFIG_H

#include "../../../psim/base/config/config.h"
#include "../../wormhole/wormhole_run.h"

#define CONFIG_ROWS "netlink/ndl/sim/sim_params.def"
#define CONFIG_SECTION(name) sim_##name##_params
struct sim_config {
#include "../../../psim/base/config/config_struct.h"
};

/* Adds both sections to `c`, filling `target`, and sets the defaults. */
void sim_config_add(struct config *c, struct sim_config *target);

/* Which of them are read, and when. */
extern const struct config_use sim_config_uses[];

/* The parameters as a run wants them; PU functions, operands and load are the caller's. */
struct run_params sim_run_params(const struct sim_config *v);

#endif
