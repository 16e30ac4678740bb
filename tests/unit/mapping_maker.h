/* Functions that tests of netlink/mapping share. */
#ifndef PSIM_TESTS_MAPPING_MAKER_H
#define PSIM_TESTS_MAPPING_MAKER_H

#include "netlink/mapping/optimise.h"

/* Makes the graph of a pattern with `tasks` tasks, 0: those of the pattern. The test ends if that fails. */
struct task_graph *mapping_graph(const char *pattern, uint32_t tasks);

/* Returns whether every task has a node of its own, below `nodes`, that is not excluded (NULL: none is). */
bool mapping_is_placement(const uint32_t *node, uint32_t tasks, uint32_t nodes, const bool *excluded);

/*
 * Checks that optimise() fails cleanly whichever of its allocations fails, and that there are more than `least`. The
 * matrix is a bruck:8:1 of its own.
 */
void mapping_short_of_memory(struct optimise_request q, unsigned least);

#endif
