/* Ranks of a communicator by node, for operations in two levels (../collectives/two_level.c). */
#ifndef PSIM_VMPI_COMM_NODES_H
#define PSIM_VMPI_COMM_NODES_H

#include <stdbool.h>

/* Nodes are in the order of their first ranks, which are their leaders. */
struct comm_nodes {
	int count;    /* nodes that have ranks */
	int *node_of; /* [rank]: the number of its node, from 0 */
	int *begin;   /* [count + 1]: of a node's ranks in `rank` */
	int *rank;    /* of the communicator, by node, ascending within it */
	int *leader;  /* [count] */
	bool even;    /* each node has as many ranks, and they are consecutive */
};

void comm_nodes_destroy(struct comm_nodes *n); /* NULL is allowed */

#endif
