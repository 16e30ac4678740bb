/* State of a topology that is made from a description; private to described.c and described_adaptive.c. */
#ifndef PSIM_NETLINK_NDL_DESCRIBED_STATE_H
#define PSIM_NETLINK_NDL_DESCRIBED_STATE_H

#include <assert.h>

#include "../topology/topology.h"
#include "../wormhole/network.h"
#include "../wormhole/routing.h"

enum { DESCRIBED_HOPS_MAX = 4096 };

struct described {
	struct ndl_loaded *loaded;
	const struct network *net;
	uint32_t nodes;
	uint32_t *resource_of; /* [router], counted from 0 */
	uint32_t *vertex_of;   /* [resource]: its router, or its node if it has none */
	uint32_t *link_of;     /* [output of the description] */
	uint32_t *output_of;   /* [link]; NETWORK_NONE: between a node and the router added for it */
	bool *plain;           /* [node]: a switch routes for it */
	bool escapes;          /* a packet waits for escape channels only; else for any of its choices */
};

struct __attribute__((may_alias)) described_state {
	uint16_t hops; /* links to go; of an adaptive routing links gone */
	uint8_t unused[ROUTE_STATE_BYTES - 2];
};
static_assert(sizeof(struct described_state) == ROUTE_STATE_BYTES, "fills the state of a route");

/* Sets what a routing function sees of a packet to `dst` in `router` but the answers about free channels. */
void described_view(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc, uint32_t dst,
		    struct routing_view *v);

/* Calls the routing for a view. Ends the guarded run at a mistake, which includes retry unless `may_retry`. */
struct routing_choice described_choice(const struct described *d, struct routing_view *v, bool may_retry);

/* Returns the step of a choice that leads to an output; does not set its hops. */
struct route_step described_step(const struct topology *t, const struct routing_view *v, struct routing_choice c);

/* Ends the guarded run of a packet to node `dst` that has taken DESCRIBED_HOPS_MAX links. */
_Noreturn void described_lost(const struct described *d, uint32_t dst);

/* ---- adaptive routing (described_adaptive.c): functions of struct topology_routing ---- */

void described_adaptive_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
unsigned described_adaptive_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				 const struct route *r, struct route_step *steps);
void described_adaptive_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);

/*
 * Refuses a routing that remembers its calls, whose number is not that of packets: follows paths between some nodes,
 * and calls it twice. 0, or -1 with `e`.
 */
int described_adaptive_check(const struct topology *t, struct err *e);

#endif
