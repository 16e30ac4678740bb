/* A first placement on any network and of any number of tasks: one after the other, each near to
 * its own. */
#ifndef PSIM_NETLINK_MAPPING_GREEDY_H
#define PSIM_NETLINK_MAPPING_GREEDY_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * The next task is always the one that communicates most with those that have a place (the lowest
 * of equals), the first the one that communicates most of all. It goes to the free node, of some
 * around the tasks that it communicates with most, that costs least bytes x distance (the lowest of
 * equals). As many tasks as the network has nodes, without those that are excluded[node] (NULL:
 * none), or fewer: node[task]. 0, or -1 with `e` when
 * memory is short.
 */
int greedy_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		     struct err *e);

#endif
