/* Placement by the Scotch library, if the build has it: for comparison. */
#ifndef PSIM_NETLINK_MAPPING_SCOTCH_MAP_H
#define PSIM_NETLINK_MAPPING_SCOTCH_MAP_H

#include <stdbool.h>

#include "../../psim/base/choice.h"
#include "../topology/topology.h"
#include "task_graph.h"

/* Scotch's strategies, by what they favour; recursive: without multilevel k-way refinement. */
#define SCOTCH_STRATEGIES(C) \
	C(STRATEGY_DEFAULT, "default") \
	C(STRATEGY_QUALITY, "quality") \
	C(STRATEGY_SPEED, "speed") \
	C(STRATEGY_RECURSIVE, "recursive")
enum scotch_strategy { SCOTCH_STRATEGIES(CHOICE_ID) };

struct scotch_options {
	const bool *excluded; /* [node]; NULL: none */
	uint64_t seed;
	unsigned strategy; /* enum scotch_strategy */
};

/*
 * Places the tasks on any network. Meshes, tori, hypercubes and trees are architectures that Scotch
 * knows; it decomposes the graph of others. Where Scotch puts several tasks on a node, all but one
 * move to the free nodes of least cost. 0, or -1 with `e`: STATUS_USAGE if this build lacks Scotch.
 */
int scotch_placement(const struct topology *t, const struct task_graph *g, const struct scotch_options *o,
		     uint32_t *node, struct err *e);

#endif
