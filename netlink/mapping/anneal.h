/*
 * Simulated annealing of a placement by exchanges of tasks, as RMATT does for large machines (cited
 * by S. Sano, K. Kise): a few independent chains start from the same placement, and the best result
 * counts.
 */
#ifndef PSIM_NETLINK_MAPPING_ANNEAL_H
#define PSIM_NETLINK_MAPPING_ANNEAL_H

#include "../topology/topology.h"
#include "placement_cost.h"
#include "task_graph.h"
#include "jobs.h"

struct anneal_options {
	unsigned chains, threads;
	uint64_t steps; /* exchanges tried, for each chain */
	uint64_t boxes; /* moves of boxes of a mesh or torus before these, for each chain */
	uint64_t seed;
	bool open;            /* distances as if dimensions did not wrap */
	double weight;        /* weight, 0 … 1, of the bytes on the busiest link; the rest is the cost's */
	uint64_t limit;       /* bytes on a link; 0: from the weight */
	const bool *excluded; /* [node]: stays empty; NULL: none */
	bool cool;            /* starts are good: lower temperatures */
	struct jobs_watch *watch;
};

struct anneal_result {
	uint64_t tried, done; /* exchanges, of all chains */
	unsigned best_chain;  /* equal to chains: none improved the start */
};

/*
 * Minimises (1 - weight) x cost / the start's cost + weight x busiest link / the start's busiest
 * link; with a limit, the cost plus a price for bytes beyond the limit. `node` becomes the best of
 * all chains and of the start (the first of equals), the same for any number of threads. 0, or -1
 * with `e` when memory is short.
 */
int anneal_placement(const struct topology *t, const struct task_graph *g, uint32_t *node,
		     const struct anneal_options *o, struct anneal_result *result, struct err *e);

#endif
