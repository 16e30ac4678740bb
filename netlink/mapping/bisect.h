/*
 * Placement by dual recursive bisection, on any network and for any number of tasks: halves the
 * nodes (the box of a grid along its longest side), and the tasks with them so that few bytes
 * cross.
 */
#ifndef PSIM_NETLINK_MAPPING_BISECT_H
#define PSIM_NETLINK_MAPPING_BISECT_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Places as many tasks as the network has nodes, without those that are excluded[node] (NULL:
 * none), or fewer: sets node[task]. Links to tasks of other parts count with the distance to the
 * middle of their part (F. Pellegrini, J. Roman, "Scotch", HPCN 1996). Halves grow from a task and
 * are refined as C. Fiduccia, R. Mattheyses do (DAC 1982). 0, or -1 with `e` when memory is short.
 */
int bisect_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		     struct err *e);

#endif
