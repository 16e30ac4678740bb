/* Parameters of a generated simulator: structs from sim_params.def. */
#ifndef PSIM_NETLINK_NDL_SIM_CONFIG_H
#define PSIM_NETLINK_NDL_SIM_CONFIG_H

#include "../../../psim/base/choice.h"
#include "../../../psim/base/config/config.h"
#include "../../wormhole/wormhole_run.h"
#include "../description.h"

enum { SIM_LINKS_MAX = 64 };

/* A section [link.NAME]. */
struct sim_link_config {
	char name[NDL_CLASS_NAME_MAX + 1], place[128];
#define P(field, type, initial, min, max, unit, doc) PARAM_CTYPE_##type(field);
#include "sim_link.def"
#undef P
};

#define CONFIG_ROWS "netlink/ndl/sim/sim_params.def"
#define CONFIG_SECTION(name) sim_##name##_params
struct sim_config {
#include "../../../psim/base/config/config_struct.h"
	unsigned links; /* sections [link.NAME] */
	struct sim_link_config link[SIM_LINKS_MAX];
};

#define SIM_ALLOCATIONS(C) \
	C(ALLOCATION_GREEDY, "greedy") \
	C(ALLOCATION_ISLIP, "islip")
#define SIM_PHYS_FREE(C) \
	C(PHYS_FREE_ANY_CHANNEL, "any_channel") \
	C(PHYS_FREE_IDLE_LINK, "idle_link")

enum sim_allocation { SIM_ALLOCATIONS(CHOICE_ID) };
enum sim_phys_free { SIM_PHYS_FREE(CHOICE_ID) };

/* Adds the sections to `c`, filling `target`, and sets the defaults. */
void sim_config_add(struct config *c, struct sim_config *target);

/* Rules for the parameters that are read. */
extern const struct config_use sim_config_uses[];

/*
 * Gives the classes that sections [link.NAME] name their clocks. 0, or -1 with `e` (STATUS_USAGE) and the section's
 * place where the description has no such class.
 */
int sim_config_apply(const struct sim_config *v, struct network *n, struct err *e);

/* Returns the parameters of a run; the caller sets PU functions, operands and load. */
struct run_params sim_run_params(const struct sim_config *v);

#endif
