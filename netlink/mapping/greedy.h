/*
 * Greedy placement on any network and for any number of tasks: one task after the other, each near
 * its neighbours.
 */
#ifndef PSIM_NETLINK_MAPPING_GREEDY_H
#define PSIM_NETLINK_MAPPING_GREEDY_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "jobs.h"
#include "task_graph.h"

/*
 * The next task is always the one that communicates most with placed tasks (the lowest of equals);
 * the first is the one that communicates most in all. It gets the free node with the least bytes x
 * distance (the lowest of equals) among some around its heaviest neighbours. Places as many tasks
 * as the network has nodes, without those that are excluded[node] (NULL: none), or fewer: sets
 * node[task]. Once the watch (NULL: none) stops the search, tasks get the lowest free nodes. 0, or -1 with `e` when
 * memory is short.
 */
int greedy_placement(const struct topology *t, const struct task_graph *g, const bool *excluded,
		     struct jobs_watch *watch, uint32_t *node, struct err *e);

#endif
