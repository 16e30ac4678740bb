/*
 * Mapping by merging (S. Sano, K. Kise, "Task Mapping Method for Mesh/Torus Connection Network"):
 * groups of tasks, at first one task each, are joined in pairs until one is left that fills the
 * machine. In every round the first group of the queue takes the one that it communicates with
 * most; the two boxes of nodes are put together in the best of all ways. Rounds double the box in
 * x, y, z, x, …
 *
 * A way: a face of the first group's box, which stays as it is, and a symmetry of the second
 * one's box (axes of equal length exchanged, axes mirrored).
 *
 * Here only edges between the two groups are looked at, and since a distance is a sum over the
 * axes, so is the cost of a way: sums for each (axis of the one, axis and direction of the other)
 * give all of them (2-D: 32 ways of squares, 3-D: 288 of cubes).
 */
#ifndef PSIM_NETLINK_MAPPING_MERGE_H
#define PSIM_NETLINK_MAPPING_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "task_graph.h"

enum { MERGE_DIMS_MAX = 4 };

/* A grid of nodes, a power of two along each dimension. */
struct merge_machine {
	unsigned dims;
	uint32_t size[MERGE_DIMS_MAX];
	bool wrap[MERGE_DIMS_MAX];
	bool open;   /* distances as if no dimension wrapped */
	bool direct; /* where both ways round are as long: the one without the wrap; else + */
};

enum merge_goal {
	MERGE_NONE,     /* the second group behind the first, as it is */
	MERGE_COST,     /* least bytes x links */
	MERGE_BALANCED, /* of the ways within `slack` of the least cost, least bytes on a link */
	MERGE_MAXLINK,  /* least bytes on the link that carries most; then cost */
	MERGE_SQUARES,  /* least sum of squares of the bytes on links */
};

struct merge_options {
	enum merge_goal goal;
	double slack;   /* MERGE_BALANCED: ways that cost up to (1 + slack) times the least compete */
	uint64_t order; /* 0: ways in their plain order, axes x, y, z; others shuffle both */
};

/*
 * Places all tasks of `g`, as many as the machine has nodes: node[task], first dimension fastest.
 * Of ways that are equal the first is taken, so that the order matters. 0, or -1 with `e`
 * (STATUS_FAILED: memory; STATUS_USAGE: sizes).
 */
int merge_tasks(const struct task_graph *g, const struct merge_machine *m, const struct merge_options *o,
		uint32_t *node, struct err *e);

#endif
