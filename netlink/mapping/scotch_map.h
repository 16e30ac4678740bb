/* Recursive bisection by Scotch, where the library was found. */
#ifndef PSIM_NETLINK_MAPPING_SCOTCH_MAP_H
#define PSIM_NETLINK_MAPPING_SCOTCH_MAP_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Places the tasks on a mesh, torus or hypercube, whose nodes may be excluded[node] (NULL: none). What
 * Scotch puts on the same node as others moves to the free node that costs least. 0, or -1 with `e`:
 * STATUS_USAGE if this program was built without Scotch or the network is another one.
 */
int scotch_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint64_t seed,
		     uint32_t *node, struct err *e);

#endif
