/*
 * A topology made from a network description: its links and routing functions. It lets programs and patterns run on a
 * described network with the packet and flow engines.
 *
 * A node with one output and one input, both to switches, becomes a node of the topology. A node
 * with more is its own router, so it becomes a node and a router with a link each way between them.
 * Links and ports are in the order of the description's outputs, those of nodes last. A statement
 * of connection{} is a class of links.
 */
#ifndef PSIM_NETLINK_NDL_DESCRIBED_H
#define PSIM_NETLINK_NDL_DESCRIBED_H

#include "../topology/topology.h"
#include "../topology/topology_config.h"

/*
 * Loads the description `file` with `operands` (load.h) and makes a topology of it. `cfg` only
 * provides the section [link], with one bandwidth and one cable for all links between routers. A
 * description whose path between two nodes depends on free channels is refused if it is not proven free of deadlock
 * (STATUS_BAD_INPUT). NULL and `e` on failure; free with topology_destroy.
 */
struct topology *described_topology(const char *file, const char *operands, const struct topology_config *cfg,
				    struct err *e);

/*
 * Checks [link] of a configuration for a described network, which uses nothing of [topology]. 0, or -1
 * and `e` (STATUS_USAGE) with the place of the offending value.
 */
int described_config_check(const struct config *c, const struct topology_config *cfg, struct err *e);

#endif
