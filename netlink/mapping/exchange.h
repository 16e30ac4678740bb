/*
 * A placement with its cost and the bytes on every link, both updated when two tasks exchange
 * places, or one moves to an empty node.
 */
#ifndef PSIM_NETLINK_MAPPING_EXCHANGE_H
#define PSIM_NETLINK_MAPPING_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "task_graph.h"
#include "node_routes.h"

#define EXCHANGE_EMPTY UINT32_MAX
#define EXCHANGE_NO_LIMIT UINT64_MAX

struct exchange {
	const struct task_graph *g;
	struct node_routes routes;
	bool open;             /* distances as if dimensions did not wrap */
	uint32_t nodes;        /* of the network */
	uint32_t *node;        /* [task] */
	uint32_t *task;        /* [node]; EXCHANGE_EMPTY: no task */
	uint64_t *load;        /* [link]: bytes on links between routers; NULL without a limit */
	uint64_t limit;        /* bytes on a link above which there is excess */
	uint64_t cost;         /* bytes x links */
	uint64_t excess;       /* bytes beyond the limit, summed over links */
	uint32_t *mark, stamp; /* [task]: moved by the present exchange_move */
};

/*
 * Initialises from a placement of at most one task a node. With EXCHANGE_NO_LIMIT only the cost is
 * kept. 0, or -1 with `e` when memory is short. Call exchange_finish in both cases.
 */
int exchange_init(struct exchange *x, const struct topology *t, const struct task_graph *g, const uint32_t *node,
		  bool open, uint64_t limit, struct err *e);
void exchange_finish(struct exchange *x);

/* Returns the part of exchange_cost_change that `task` itself causes. */
int64_t exchange_own_change(const struct exchange *x, uint32_t task, uint32_t to);

/* Returns the increase of cost if `task` moved to node `to`, and the task there to its node. */
int64_t exchange_cost_change(const struct exchange *x, uint32_t task, uint32_t to);

/* Makes that exchange. An exchange with the old node undoes it. */
void exchange_do(struct exchange *x, uint32_t task, uint32_t to);

/*
 * Returns the increase of cost if tasks moved simultaneously, each from its node of `from` to that
 * of `to`.
 */
int64_t exchange_move_change(struct exchange *x, const uint32_t *task, const uint32_t *from, const uint32_t *to,
			     uint32_t count);

/*
 * Moves tasks simultaneously, each to its node of `to`: the nodes that they enter are those that
 * they leave, or empty ones.
 */
void exchange_move(struct exchange *x, const uint32_t *task, const uint32_t *to, uint32_t count);

#endif
