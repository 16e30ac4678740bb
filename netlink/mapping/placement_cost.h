/* Cost of a placement: bytes times links, and bytes on each link. */
#ifndef PSIM_NETLINK_MAPPING_COST_H
#define PSIM_NETLINK_MAPPING_COST_H

#include <stdint.h>

#include "../topology/topology.h"
#include "task_graph.h"

struct mapping_cost {
	uint64_t hop_bytes;      /* bytes x distance in links between routers, over all edges */
	uint64_t mesh_hop_bytes; /* the same with |dx| + |dy| + …, as if dimensions did not wrap */
	uint64_t max_link_bytes; /* on the busiest link between routers, one way */
	uint32_t max_link;       /* the first of those */
};

/*
 * Computes the cost of the placement node[task]. Paths are those of key 0 with the first choice
 * everywhere. `load`: NULL, or receives the bytes on each link of the network, NICs' included. 0,
 * or -1 with `e` when memory is short.
 */
int mapping_cost(const struct topology *t, const struct task_graph *g, const uint32_t *node, struct mapping_cost *c,
		 uint64_t *load, struct err *e);

#endif
