/* A system of a study: its configuration; private to system_*.c. */
#ifndef PSIM_ENERGY_EXPLORE_SYSTEM_POINT_H
#define PSIM_ENERGY_EXPLORE_SYSTEM_POINT_H

#include "../../netlink/engine/net_config.h"
#include "../../netlink/cost/cost.h"
#include "../../netlink/power/power.h"
#include "../../netlink/reliability/reliability.h"
#include "../../netlink/topology/topology_config.h"
#include "../../netlink/vmpi/vmpi_config.h"
#include "point_kind.h"

#define CONFIG_ROWS "energy/explore/system_params.def"
#define CONFIG_SECTION(name) system_##name##_params
struct system_own {
#include "../../psim/base/config/config_struct.h"
};

struct system_config {
	struct topology_config topology;
	struct net_config net;
	struct vmpi_config vmpi;
	struct power_config power;
	struct cost_config cost;
	struct reliability_config reliability;
	struct system_own own;
};

/* Runs a program, or traffic, as bsim or nsim does: point_kind.run. */
int system_run(const struct study *s, const struct plan_file *f, const struct simulate_options *o, struct figures *out,
	       struct err *e);

#endif
