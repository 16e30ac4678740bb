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
	uint64_t exchanges, tried; /* done, and looked at */
	unsigned passes;
};

/*
 * Passes over all tasks: each is offered the nodes next to those it communicates with, in exchange
 * for who is there, as long as a pass finds something, at most `passes` of them. One task a node at
 * the most; `node` is changed in place; nodes that are excluded[node] (NULL: none) keep what they
 * have. 0, or -1 with `e` when memory is short.
 */
int refine_placement(const struct topology *t, const struct task_graph *g, uint32_t *node, const bool *excluded,
		     unsigned passes, struct refine_result *result, struct err *e);

#endif
