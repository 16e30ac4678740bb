/* Repairs placements that use nodes twice, or excluded nodes. */
#ifndef PSIM_NETLINK_MAPPING_EXCLUDE_H
#define PSIM_NETLINK_MAPPING_EXCLUDE_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Moves those of the first `tasks` tasks that are on an excluded node (excluded[node]; NULL: none),
 * or on a lower task's node, to the free nodes of least bytes x links, one after the other. The
 * remaining tasks do not communicate and get the nodes left over, excluded or not. 0, or -1 with
 * `e` when memory is short.
 */
int exclude_nodes(const struct topology *t, const struct task_graph *g, uint32_t tasks, const bool *excluded,
		  uint32_t *node, struct err *e);

#endif
