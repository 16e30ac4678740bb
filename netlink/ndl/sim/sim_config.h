/* The parameters of a generated simulator: structs from params.def. */
#ifndef PSIM_NETLINK_NDL_SIM_CONFIG_H
#define PSIM_NETLINK_NDL_SIM_CONFIG_H

#include "../../../psim/base/config/config.h"
#include "../../wormhole/wormhole_run.h"

struct sim_config {
#define SECTION(name, doc) struct sim_##name##_params {
#define P(field, type, initial, min, max, unit, doc) PARAM_CTYPE_##type(field);
#define E(field, initial, choices, doc) unsigned field;
#define END(name) \
	} \
	name;
#include "sim_params.def"
#undef SECTION
#undef P
#undef E
#undef END
};

/* Adds both sections to `c`, filling `target`, and sets the defaults. */
void sim_config_add(struct config *c, struct sim_config *target);

/* Which of them are read, and when. */
extern const struct config_use sim_config_uses[];

/* The parameters as a run wants them; PU functions, operands and load are the caller's. */
struct run_params sim_run_params(const struct sim_config *v);

#endif
