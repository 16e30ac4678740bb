/* Placement of a walk through the task graph along a walk through the network, for rings, pipelines and trees. */
#ifndef PSIM_NETLINK_MAPPING_WALK_H
#define PSIM_NETLINK_MAPPING_WALK_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Places the tasks, in the order in which a depth-first search meets them that follows heavy edges
 * first, on the nodes in the order of a reflected Gray code: on a grid or hypercube each is a
 * neighbour of the one before. Nodes that are excluded[node] (NULL: none) stay empty. Sets
 * node[task]. 0, or -1 with `e` when memory is short.
 */
int walk_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		   struct err *e);

#endif
