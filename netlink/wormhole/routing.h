/*
 * The arguments of a description's routing function, under the names of NDL: the message's
 * destination, which channels are free, whether the flits behind the head can move. The kernel
 * answers from its present state; the check of a description tries all answers (wormhole_check.h).
 */
#ifndef PSIM_NETLINK_WORMHOLE_ROUTING_H
#define PSIM_NETLINK_WORMHOLE_ROUTING_H

#include "network.h"

struct routing_view {
	const int32_t *dest; /* index of the destination's node */
	uint32_t dest_node;
	uint32_t resource;      /* resource of the head */
	int32_t in_port, in_vc; /* by which it arrived; -1: it starts here */
	uint32_t bytes;
	void *user; /* of the caller */
	bool (*phys_free)(struct routing_view *v, int32_t port);
	bool (*virt_free)(struct routing_view *v, int32_t port, int32_t vc);
	int32_t (*virt_room)(struct routing_view *v, int32_t port, int32_t vc); /* flits that it can still take */
	bool (*trail_move)(struct routing_view *v);
};

#endif
