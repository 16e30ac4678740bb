/*
 * Mapping by merging (S. Sano, K. Kise, "Task Mapping Method for Mesh/Torus Connection Network"):
 * groups, of one task each at the start, are merged in pairs until one group fills the machine. In
 * every round the first group of the queue is paired with the one with which it communicates most,
 * and their boxes of nodes are put together in the best of all ways. Rounds double the box in x, y,
 * z, x, …
 *
 * That is the paper's merging of powers of two. Here a round multiplies a side of the box by the least prime
 * factor p of what is left of the machine's side: the first group is joined with p - 1 others, one after the
 * other, each the one with which all that are joined so far communicate most. The third and further ones are joined at
 * either end of the axis of the round.
 *
 * A way is a face of the first group's box, which keeps its orientation, and a symmetry of the
 * second group's box (axes of equal length exchanged, axes mirrored).
 *
 * Only edges between the two groups count. Since a distance is a sum over the axes, so is the cost
 * of a way: sums for each (axis of the first, axis and direction of the second) give the cost of
 * all ways (2-D: 32 for squares, 3-D: 288 for cubes).
 */
#ifndef PSIM_NETLINK_MAPPING_MERGE_H
#define PSIM_NETLINK_MAPPING_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "task_graph.h"

enum { MERGE_DIMS_MAX = 4 };

/* A grid of nodes, of at most 16384 along each dimension. */
struct merge_machine {
	unsigned dims;
	uint32_t size[MERGE_DIMS_MAX];
	bool wrap[MERGE_DIMS_MAX];
	bool open;   /* distances as if dimensions did not wrap */
	bool direct; /* equally long ways round: the one without the wrap; else + */
};

enum merge_goal {
	MERGE_NONE,     /* the second group behind the first, not turned */
	MERGE_COST,     /* least bytes x links */
	MERGE_BALANCED, /* among the ways within `slack` of the least cost, least bytes on a link */
	MERGE_MAXLINK,  /* least bytes on the busiest link; then cost */
	MERGE_SQUARES,  /* least sum of squares of the bytes on links */
};

struct merge_options {
	enum merge_goal goal;
	double slack;   /* MERGE_BALANCED: ways that cost up to (1 + slack) times the least are candidates */
	uint64_t order; /* 0: ways in their plain order, axes x, y, z; other values shuffle both */
};

/*
 * Places all tasks of `g`, as many as the machine has nodes: sets node[task], first dimension
 * fastest. The first of equally good ways counts, so the order matters. 0, or -1 with `e`
 * (STATUS_FAILED: memory; STATUS_USAGE: sizes).
 */
int merge_tasks(const struct task_graph *g, const struct merge_machine *m, const struct merge_options *o,
		uint32_t *node, struct err *e);

#endif
