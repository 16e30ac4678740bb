/* The configuration of a network's topology and links: one struct from topology_params.def. */
#ifndef PSIM_NETLINK_TOPOLOGY_CONFIG_H
#define PSIM_NETLINK_TOPOLOGY_CONFIG_H

#include "../../psim/base/config/config.h"

#define CONFIG_ROWS "netlink/topology/topology_params.def"
#define CONFIG_SECTION(name) name##_params
struct topology_config {
#include "../../psim/base/config/config_struct.h"
};

/* `ties`; the kinds are in the order of the table in kinds.c. */
enum { TIES_POSITIVE, TIES_NEGATIVE, TIES_PARITY, TIES_RANDOM, TIES_DIRECT };
enum { DATELINE_CROSSING, DATELINE_BEHIND, DATELINE_BALANCED, DATELINE_NONE };

/* Adds both sections to `c`, filling `target`, and sets the defaults. */
void topology_config_add(struct config *c, struct topology_config *target);

/*
 * Can such a network be made? Once, after everything is read. 0, or -1 and `e`
 * (STATUS_USAGE) with the place of the offending value.
 */
int topology_config_check(const struct config *c, const struct topology_config *v, struct err *e);

#endif
