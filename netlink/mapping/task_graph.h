/* Task graphs: the bytes that each task sends to each other one. Sparse; constant after creation. */
#ifndef PSIM_NETLINK_MAPPING_GRAPH_H
#define PSIM_NETLINK_MAPPING_GRAPH_H

#include <stdint.h>

#include "../../psim/base/err.h"
#include "../traffic/matrix.h"

struct task_edge {
	uint32_t src, dst;
	uint64_t bytes;
};

/* Traffic between two tasks, as seen from one of them. */
struct task_link {
	uint32_t other;
	uint64_t out, in; /* bytes to the other, and from it */
};

struct task_graph {
	uint32_t tasks;
	size_t edges, links;
	struct task_edge *edge; /* by source, then destination; no self edges, none of 0 bytes */
	size_t *first;          /* link[first[t] … first[t+1]-1] belong to task t, sorted by `other` */
	struct task_link *link;
	uint64_t bytes; /* of all edges */
};

/*
 * Makes a graph of `tasks` tasks, at least as many as the matrix has ranks (the others do not
 * communicate). Messages to oneself are ignored. NULL and `e` when memory is short.
 */
struct task_graph *task_graph_create(struct comm_matrix *m, uint32_t tasks, struct err *e);
void task_graph_destroy(struct task_graph *g); /* NULL is allowed */

/*
 * Sets `padded` to `g` with `tasks` tasks, of which the further ones do not communicate. It shares
 * all but `first`, to be freed, with `g`. 0, or -1 with `e` when memory is short.
 */
int task_graph_pad(const struct task_graph *g, uint32_t tasks, struct task_graph *padded, struct err *e);

/*
 * Returns the matrix of a pattern: "bruck:4096:2048" (Bruck's allgather: ranks, bytes of the first
 * step), "stencil:16x16x16:1000" (every neighbour of a mesh of tasks, bytes), "stencil-torus:…".
 * NULL and `e` (STATUS_USAGE) if the pattern is unknown.
 */
struct comm_matrix *task_pattern(const char *text, struct err *e);

#endif
