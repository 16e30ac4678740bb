/*
 * Refinement of a placement: exchanges of tasks (or moves to empty nodes) that lower bytes x
 * distance, on any network that knows its distances.
 */
#ifndef PSIM_NETLINK_MAPPING_REFINE_H
#define PSIM_NETLINK_MAPPING_REFINE_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "jobs.h"
#include "task_graph.h"

struct refine_result {
	uint64_t exchanges, tried; /* made; considered */
	unsigned passes;
};

struct refine_options {
	unsigned passes;      /* most passes over all tasks */
	const bool *excluded; /* [node]: keeps its task; NULL: none */
	struct jobs_watch *watch;
};

/*
 * Makes passes over all tasks while a pass improves the placement: each task may exchange with the
 * tasks on nodes next to those it communicates with, if that shortens its own edges and lowers the
 * cost. A task is considered again when it or one that it communicates with has moved. At most one
 * task a node; `node` is changed in place. 0, or -1 with `e` when memory is short.
 */
int refine_placement(const struct topology *t, const struct task_graph *g, uint32_t *node,
		     const struct refine_options *o, struct refine_result *result, struct err *e);

#endif
