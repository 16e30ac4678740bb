/* Placement of the pieces of a task graph, between which nothing is sent, as whole ones into blocks of nodes. */
#ifndef PSIM_NETLINK_MAPPING_PACK_H
#define PSIM_NETLINK_MAPPING_PACK_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Blocks are runs of nodes whose neighbours in the run are at most so many links apart, from the least distance on: 16,
 * 128 and 1024 nodes of a tree 16x8x8, lines and planes of a grid. A block of the least distance is filled with pieces
 * whose sizes add up to its free nodes, or to the greatest sum below: the greatest piece that is left, and others by
 * dynamic programming (minimum bin slack; J. N. D. Gupta, J. C. Ho, "A new heuristic algorithm for the one-dimensional
 * bin-packing problem", 1999). What fits none goes to the fullest block, of the least distance, that has room for it.
 * Nodes that are excluded[node] (NULL: none) stay empty. Sets node[task]. 0; 1 if the graph is one piece, and `node`
 * stays as it is; -1 with `e` when memory is short.
 */
int pack_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		   struct err *e);

#endif
