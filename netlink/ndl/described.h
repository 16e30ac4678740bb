/*
 * A topology made from a network description: its links, and its routing functions where they leave no
 * choice, so that programs and patterns run on a described network with the packet and flow engines.
 *
 * A node with one output and one input, both to switches, is a node of the topology; a node with more is
 * its own router, so it becomes a node and a router with a link each way between them. Links are in the order of the
 * description's outputs, ports in its order too, those of nodes last. A class of links is a
 * statement of connection{}.
 */
#ifndef PSIM_NETLINK_NDL_DESCRIBED_H
#define PSIM_NETLINK_NDL_DESCRIBED_H

#include "../topology/topology.h"

/*
 * Loads the description `file` with `operands` (load.h) and makes a topology of it. Of `cfg` only the section
 * [link] counts, with one bandwidth and one cable for all links between routers. A
 * description whose way between two nodes depends on what is free is refused with the line of its
 * routing (STATUS_BAD_INPUT). NULL and `e` on failure; free with topology_destroy.
 */
struct topology *described_topology(const char *file, const char *operands, const struct topology_config *cfg,
				    struct err *e);

#endif
