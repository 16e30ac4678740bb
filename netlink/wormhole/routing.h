/*
 * The arguments of a description's routing function, under the names of NDL: the message's
 * destination, which channels are free, whether the flits behind the head can move. The kernel
 * answers from its present state; the check of a description tries all answers (wormhole_check.h).
 */
#ifndef PSIM_NETLINK_WORMHOLE_ROUTING_H
#define PSIM_NETLINK_WORMHOLE_ROUTING_H

#include "network.h"

/* The first question of a routing about a dimension, output or virtual channel that is not there. */
struct routing_wrong {
	const char *word; /* of NDL: "msg_dest_dim"; NULL: none */
	const char *what; /* "dimension", "output", "virtual channel" */
	int64_t value;
	int32_t high; /* the largest that is there */
	int line;     /* of the description */
};

struct routing_view {
	const int32_t *dest;  /* index of the destination's node */
	int32_t dims;         /* of that node: nodes of several kinds may differ */
	int32_t outputs, vcs; /* of the resource */
	struct routing_wrong wrong;
	uint32_t dest_node;
	uint32_t resource;      /* resource of the head */
	int32_t in_port, in_vc; /* by which it arrived; -1: it starts here */
	uint32_t bytes;
	uint32_t open;  /* the check's: dimensions (a bit each) in which dest stands for all indices */
	uint32_t named; /* 1 + the first of these that was read, or 0 */
	void *user;     /* of the caller */
	bool (*phys_free)(struct routing_view *v, int32_t port);
	bool (*virt_free)(struct routing_view *v, int32_t port, int32_t vc);
	int32_t (*virt_room)(struct routing_view *v, int32_t port, int32_t vc); /* flits that it can still take */
	bool (*trail_move)(struct routing_view *v);
};

/* Sets the destination's index and all limits from dest_node and resource. */
static inline void routing_view_limits(struct routing_view *v, const struct network *n)
{
	const struct network_resource *r = &n->resources[v->resource];

	v->dest = network_place(n, n->nodes[v->dest_node]);
	v->dims = (int32_t)n->kinds[n->resources[n->nodes[v->dest_node]].kind].dims;
	v->outputs = (int32_t)r->outputs;
	v->vcs = r->vcs;
	v->wrong.word = NULL;
}

/* Returns `value` if it is in 0 … count - 1; else -1, and the view keeps the first such question. */
static inline int32_t routing_limit(struct routing_view *v, const char *word, const char *what, int64_t value,
				    int32_t count, int line)
{
	if (value >= 0 && value < count)
		return (int32_t)value;
	if (!v->wrong.word)
		v->wrong = (struct routing_wrong){word, what, value, count - 1, line};
	return -1;
}

/*
 * Returns index `d` of the destination; 0 if it has no such dimension. Routing functions know the destination by it
 * only, so that the check sees what their answer depends on (wormhole_check.h).
 */
static inline int32_t routing_dest_dim(struct routing_view *v, int64_t d, int line)
{
	int32_t at = routing_limit(v, "msg_dest_dim", "dimension", d, v->dims, line);

	if (at < 0)
		return 0;
	if (v->open >> at & 1 && !v->named)
		v->named = (uint32_t)at + 1;
	return v->dest[at];
}

/*
 * After a call of a routing function: 0, or -1 with `e` (STATUS_BAD_INPUT) if view->wrong is set.
 */
int routing_check_words(const struct network *n, const struct routing_view *v, struct err *e);

#endif
