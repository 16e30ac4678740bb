/*
 * Refinement of a placement: exchanges of tasks (or moves to empty nodes) that lower bytes x
 * distance, on any network that knows its distances.
 */
#ifndef PSIM_NETLINK_MAPPING_REFINE_H
#define PSIM_NETLINK_MAPPING_REFINE_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

struct refine_result {
	uint64_t exchanges, tried; /* made; considered */
	unsigned passes;
};

/*
 * Makes at most `passes` passes over all tasks while a pass improves the placement: each task may
 * exchange with the tasks on nodes next to those it communicates with. At most one task a node;
 * `node` is changed in place; excluded[node] (NULL: none) nodes keep their tasks. 0, or -1 with `e`
 * when memory is short.
 */
int refine_placement(const struct topology *t, const struct task_graph *g, uint32_t *node, const bool *excluded,
		     unsigned passes, struct refine_result *result, struct err *e);

#endif
