/*
 * The default of `mopt`: several methods, the best refined, then annealing of the best. The
 * work is bounded by counts, not by time: the same on any host.
 */
#ifndef PSIM_NETLINK_MAPPING_AUTO_H
#define PSIM_NETLINK_MAPPING_AUTO_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "placement_cost.h"
#include "task_graph.h"

struct optimise_request;

struct auto_result {
	const char *start;   /* the method whose placement was best, refined */
	uint64_t start_cost; /* of it, bytes x links */
	uint64_t tried;      /* exchanges, in annealing */
	bool in_order;       /* the tasks stay in order */
};

/*
 * Places the tasks; `node` is in order at the start. q->effort is the number of lengths of edges, in
 * millions, that annealing may evaluate, in all chains; 0: none. `order`: the cost of tasks in order. 0, or
 * -1 with `e` when memory is short.
 */
int auto_placement(const struct optimise_request *q, const struct task_graph *g, const struct mapping_cost *order,
		   uint32_t *node, struct auto_result *result, struct err *e);

#endif
