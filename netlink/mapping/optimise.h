/*
 * The methods of `mopt` by name: a placement of a task graph on a network, and how it was found.
 */
#ifndef PSIM_NETLINK_MAPPING_OPTIMISE_H
#define PSIM_NETLINK_MAPPING_OPTIMISE_H

#include <stdbool.h>

#include "../../psim/base/choice.h"
#include "anneal.h"
#include "placement_cost.h"
#include "refine.h"

struct optimise_request {
	const struct topology *topology;
	struct comm_matrix *matrix;
	unsigned method;          /* enum optimise_method */
	double slack;             /* METHOD_BALANCED: merge.h */
	bool weighted;            /* best by `weight`, not by the method's goal */
	double weight;            /* 0 … 1: of the busiest link; the rest is the cost's */
	bool open;                /* distances as if dimensions did not wrap */
	unsigned orders;          /* how many orders of the ways are tried; the best placement counts */
	unsigned passes;          /* of refinement, at most; 0: none */
	uint64_t steps;           /* of annealing, for each task and chain; 0: none */
	uint64_t boxes;           /* moves of boxes before that, for each chain */
	uint64_t limit;           /* bytes on a link, for annealing; 0: none, but for the weight */
	unsigned chains, threads; /* threads 0: 1 */
	uint64_t seed;
	unsigned per_node;        /* ranks that stand together on a node, in the order of their numbers */
	const uint32_t *from;     /* METHOD_KEEP: node of each rank; NULL: in order */
	const bool *excluded;     /* [node]: has no ranks; NULL: none */
	struct jobs_watch *watch; /* NULL: nobody watches */
};

/* From bisect on no merging: any network size. */
#define OPTIMISE_METHODS(C) \
	C(METHOD_NONE, "none") \
	C(METHOD_MINCOST, "mincost") \
	C(METHOD_BALANCED, "balanced") \
	C(METHOD_MINLINK, "minlink") \
	C(METHOD_MINSQUARES, "minsquares") \
	C(METHOD_BISECT, "bisect") \
	C(METHOD_GREEDY, "greedy") \
	C(METHOD_SCOTCH, "scotch") \
	C(METHOD_KEEP, "keep")
enum optimise_method { OPTIMISE_METHODS(CHOICE_ID) };

struct optimise_result {
	uint32_t ranks;
	uint32_t *node; /* [rank] */
	bool in_order;  /* refinement began with ranks in order: nothing better was found */
	unsigned best_order;
	struct mapping_cost before, after; /* of ranks in order, and of the placement */
	struct refine_result refined;
	struct anneal_result annealed;
	uint64_t *load_before, *load; /* [link] */
	uint64_t bytes;               /* between tasks of different nodes' groups */
	uint32_t tasks;               /* groups of per_node ranks */
};

/* 0, or -1 with `e`: STATUS_USAGE if the ranks do not fit or the method is not for this network. */
int optimise(const struct optimise_request *q, struct optimise_result *r, struct err *e);
void optimise_finish(struct optimise_result *r);

#endif
