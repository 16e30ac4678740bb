/*
 * Placement by dual recursive bisection, on any network and for any number of tasks: halves the
 * nodes (the box of a grid along its longest side), and the tasks with them so that few bytes
 * cross.
 */
#ifndef PSIM_NETLINK_MAPPING_BISECT_H
#define PSIM_NETLINK_MAPPING_BISECT_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "jobs.h"
#include "task_graph.h"

struct bisect_options {
	const bool *excluded; /* [node]: stays empty; NULL: none */
	uint64_t seed;        /* others make other placements */
	bool open;            /* distances as if dimensions did not wrap: clearer for graphs that do not */
	struct jobs_watch *watch;
};

/*
 * Places as many tasks as the network has nodes that are not excluded, or fewer: sets node[task].
 * Links to tasks of other parts count with the distance to the middle of their part (F. Pellegrini,
 * J. Roman, "Scotch", HPCN 1996). halve.h divides the tasks; once the watch stops the search, they
 * are divided in their order. 0, or -1 with `e` when memory is short.
 */
int bisect_placement(const struct topology *t, const struct task_graph *g, const struct bisect_options *o,
		     uint32_t *node, struct err *e);

#endif
