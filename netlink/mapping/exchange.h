/*
 * A placement that knows its cost and the bytes on every link, and keeps both up to date while two
 * tasks change places, or one moves to an empty node.
 */
#ifndef PSIM_NETLINK_MAPPING_EXCHANGE_H
#define PSIM_NETLINK_MAPPING_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "task_graph.h"
#include "ways.h"

#define EXCHANGE_EMPTY UINT32_MAX
#define EXCHANGE_NO_LIMIT UINT64_MAX

struct exchange {
	const struct task_graph *g;
	struct ways ways;
	bool open;             /* distances as if dimensions did not wrap */
	uint32_t nodes;        /* of the network */
	uint32_t *node;        /* [task] */
	uint32_t *task;        /* [node]; EXCHANGE_EMPTY */
	uint64_t *load;        /* [link] bytes on links between routers; NULL where there is no limit */
	uint64_t limit;        /* bytes on a link beyond which it counts */
	uint64_t cost;         /* bytes x links */
	uint64_t excess;       /* bytes beyond the limit, summed over links */
	uint32_t *mark, stamp; /* [task]: those that exchange_move moves */
};

/*
 * From a placement of at most one task a node. With EXCHANGE_NO_LIMIT only the cost is kept. 0, or
 * -1 with `e` when memory is short. Free with exchange_finish in both cases.
 */
int exchange_init(struct exchange *x, const struct topology *t, const struct task_graph *g, const uint32_t *node,
		  bool open, uint64_t limit, struct err *e);
void exchange_finish(struct exchange *x);

/* How much the cost would grow if `task` went to node `to`, and who is there to its node. */
int64_t exchange_cost_change(const struct exchange *x, uint32_t task, uint32_t to);

/* Does it. Doing it again with the old node undoes it. */
void exchange_do(struct exchange *x, uint32_t task, uint32_t to);

/* How much the cost would grow if tasks moved, all at once, each from its node of `from` to that of `to`. */
int64_t exchange_move_change(struct exchange *x, const uint32_t *task, const uint32_t *from, const uint32_t *to,
			     uint32_t count);

/* Moves tasks, each to its node of `to`, all at once: the nodes that they leave are those that they
 * come to, or empty ones. */
void exchange_move(struct exchange *x, const uint32_t *task, const uint32_t *to, uint32_t count);

/* The most bytes on a link; 0 without a limit. */
uint64_t exchange_most(const struct exchange *x);

#endif
