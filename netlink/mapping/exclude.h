/* Placements that use nodes twice, or nodes that are excluded, made to fit. */
#ifndef PSIM_NETLINK_MAPPING_EXCLUDE_H
#define PSIM_NETLINK_MAPPING_EXCLUDE_H

#include <stdbool.h>

#include "../topology/topology.h"
#include "task_graph.h"

/*
 * Moves of the first `tasks` tasks those that stand on an excluded node (excluded[node]; NULL: none),
 * or on one that a lower task has, to the free nodes where they cost least bytes x links, one after
 * the other. The tasks behind those are silent and take what is left, excluded or not. 0, or -1 with
 * `e` when memory is short.
 */
int exclude_nodes(const struct topology *t, const struct task_graph *g, uint32_t tasks, const bool *excluded,
		  uint32_t *node, struct err *e);

#endif
