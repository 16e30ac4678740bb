/* Recursive bisection by the Scotch library, if the build has it. */
#ifndef PSIM_NETLINK_MAPPING_SCOTCH_MAP_H
#define PSIM_NETLINK_MAPPING_SCOTCH_MAP_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Places the tasks on a mesh, torus or hypercube, whose nodes may be excluded[node] (NULL: none).
 * Where Scotch puts several tasks on a node, all but one move to the free nodes of least cost. 0,
 * or -1 with `e`: STATUS_USAGE if this build lacks Scotch or the network is of another kind.
 */
int scotch_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint64_t seed,
		     uint32_t *node, struct err *e);

#endif
