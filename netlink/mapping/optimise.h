/* The methods of `mopt` by name: compute a placement of a task graph on a network. */
#ifndef PSIM_NETLINK_MAPPING_OPTIMISE_H
#define PSIM_NETLINK_MAPPING_OPTIMISE_H

#include <stdbool.h>

#include "../../psim/base/choice.h"
#include "anneal.h"
#include "auto.h"
#include "placement_cost.h"
#include "refine.h"

struct optimise_request {
	const struct topology *topology;
	struct comm_matrix *matrix;
	unsigned method;          /* enum optimise_method */
	double slack;             /* METHOD_BALANCED: merge.h */
	bool weighted;            /* compare by `weight`, not by the method's goal */
	double weight;            /* 0 … 1: the busiest link's; the rest is the cost's */
	bool open;                /* distances as if dimensions did not wrap */
	unsigned orders;          /* number of orders of the ways to try; the best placement counts */
	unsigned passes;          /* most passes of refinement; 0: none */
	uint64_t steps;           /* exchanges of annealing for each task and chain; 0: none */
	uint64_t boxes;           /* moves of boxes before these, for each chain */
	uint64_t limit;           /* bytes on a link, for annealing; 0: none, or from the weight */
	unsigned chains, threads; /* threads 0: 1 */
	uint64_t seed;
	uint64_t effort;          /* METHOD_AUTO: auto.h */
	unsigned strategy;        /* METHOD_SCOTCH: enum scotch_strategy */
	unsigned per_node;        /* consecutive ranks on a node */
	const uint32_t *from;     /* METHOD_KEEP: node of each rank; NULL: in order */
	const bool *excluded;     /* [node]: has no ranks; NULL: none */
	struct jobs_watch *watch; /* NULL: no progress, no early end */
};

/* Methods from bisect on do not merge: any network size. */
#define OPTIMISE_METHODS(C) \
	C(METHOD_NONE, "none") \
	C(METHOD_MINCOST, "mincost") \
	C(METHOD_BALANCED, "balanced") \
	C(METHOD_MINLINK, "minlink") \
	C(METHOD_MINSQUARES, "minsquares") \
	C(METHOD_BISECT, "bisect") \
	C(METHOD_GREEDY, "greedy") \
	C(METHOD_SCOTCH, "scotch") \
	C(METHOD_KEEP, "keep") \
	C(METHOD_AUTO, "auto")
enum optimise_method { OPTIMISE_METHODS(CHOICE_ID) };

struct optimise_result {
	uint32_t ranks;
	uint32_t *node; /* [rank] */
	bool in_order;  /* ranks in order, refined, were better than the method's placement */
	unsigned best_order;
	struct mapping_cost before, after; /* of ranks in order, and of the placement */
	struct auto_result searched;       /* METHOD_AUTO */
	struct refine_result refined;
	struct anneal_result annealed;
	uint64_t *load_before, *load; /* [link] */
	uint64_t bytes;               /* between tasks of different nodes' groups */
	uint32_t tasks;               /* number of groups of per_node ranks */
};

/*
 * Computes a placement. 0, or -1 with `e`: STATUS_USAGE if the ranks do not fit or the method does
 * not support this network.
 */
int optimise(const struct optimise_request *q, struct optimise_result *r, struct err *e);

/* Compares the placements' costs `a` and `b` by the request's goal; `order`: that of ranks in order. */
bool optimise_better(const struct optimise_request *q, const struct mapping_cost *order, const struct mapping_cost *a,
		     const struct mapping_cost *b);

/*
 * Places the graph's first `tasks` tasks by one merging of `method`, in this order of ways. 0, or -1 with `e`:
 * STATUS_USAGE if merging does not support the network.
 */
int optimise_merge(const struct optimise_request *q, unsigned method, unsigned order, const struct task_graph *g,
		   uint32_t *node, struct err *e);

void optimise_finish(struct optimise_result *r);

#endif
