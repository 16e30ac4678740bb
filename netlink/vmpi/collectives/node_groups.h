/* Ranks of a communicator by node, for operations in two levels (two_level.c). */
#ifndef PSIM_VMPI_NODE_GROUPS_H
#define PSIM_VMPI_NODE_GROUPS_H

#include "collective.h"

/* Those of a communicator, made once; the run ends if memory is short. */
const struct comm_nodes *node_groups(const struct collective *c);

/* Returns whether all of a communicator take part, on several nodes, of which one has several ranks. */
bool node_groups_levels(const struct collective *c);

#endif
