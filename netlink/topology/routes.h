/*
 * Routings over any graph of routers. Kinds whose structure gives no routing of its own (a file, a
 * random graph) use these rows; their `ready` makes the tables.
 *
 * Channels by hops: the i-th link between routers is taken on virtual channel i, so channels are
 * held in the order of their numbers and form no cycle (I. Gopal, IEEE Trans. Comm. 33, 1985). Up
 * and down: after a link away from the root none leads back towards it; one channel (M. Schroeder
 * et al., Autonet, IEEE JSAC 9(8), 1991). Layered: a path is on one channel all the way, by layers.h.
 *
 * Nothing is stored for all pairs: the column of a destination, for every router what its next link
 * depends on, is made by a search in breadth when a packet first goes there, and kept. Two bits a
 * router, the distance modulo 3, suffice for shortest paths, since distances of neighbours differ
 * by at most 1; up_down takes two bytes.
 */
#ifndef PSIM_NETLINK_ROUTES_H
#define PSIM_NETLINK_ROUTES_H

#include "kind.h"

struct routes;

/*
 * Makes the tables of a topology whose links are known, and sets its number of virtual channels.
 * 0, or -1 with `e`: the routing needs more channels than engines have, or memory is short.
 */
int routes_make(struct topology *t, struct err *e);
void routes_destroy(void *private_data);
unsigned routes_distance(const struct topology *t, uint32_t src, uint32_t dst);

void routes_start_minimal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
void routes_start_layered(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
void routes_start_ecmp(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
void routes_start_random(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
void routes_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
void routes_start_ugal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
void routes_start_up_down(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
unsigned routes_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc, const struct route *r,
		     struct route_step *steps);
unsigned routes_next_adaptive(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			      const struct route *r, struct route_step *steps);
unsigned routes_next_up_down(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step *steps);
void routes_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);
uint32_t routes_choices(const struct topology *t);
unsigned routes_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
		       unsigned max);

/* topology.h: topology_route_restart, topology_route_continues */
void routes_restart(const struct topology *t, uint32_t router, uint32_t src, uint32_t dst, uint64_t key,
		    struct route *r);
bool routes_continues(const struct topology *t, uint32_t router, const struct route *r);

/* The rows of a kind; `legs` 0 is up_down. */
#define ROUTES_OVER_ANY_GRAPH \
	{.name = "minimal", \
	 .doc = "a shortest path for each destination, channels by hops", \
	 ROUTED_BY(routes_start_minimal, routes_next, routes_take), \
	 .minimal = true, \
	 .legs = 1}, \
		{.name = "ecmp", \
		 .doc = "a shortest path for each pair of nodes, by a hash", \
		 ROUTED_BY(routes_start_ecmp, routes_next, routes_take), \
		 .minimal = true, \
		 .legs = 1}, \
		{.name = "random", \
		 .doc = "a shortest path for each packet", \
		 ROUTED_BY(routes_start_random, routes_next, routes_take), \
		 .random = true, \
		 .minimal = true, \
		 .legs = 1}, \
		{.name = "adaptive", \
		 .doc = "the emptiest of 16 links of shortest paths", \
		 ROUTED_BY(routes_start_minimal, routes_next_adaptive, routes_take), \
		 .choice = true, \
		 .minimal = true, \
		 .legs = 1}, \
		{.name = "up_down", \
		 .doc = "a shortest path that goes up to the root's side first, then down", \
		 ROUTED_BY(routes_start_up_down, routes_next_up_down, routes_take)}, \
		{.name = "layered", \
		 .doc = "a shortest path for each pair of routers, all on one of few channels", \
		 ROUTED_BY(routes_start_layered, routes_next, routes_take), \
		 .minimal = true, \
		 .layered = true, \
		 .legs = 1}, \
		ROUTING_VALIANT(routes_start_valiant, routes_next, routes_take, routes_choices, routes_choose), \
		ROUTING_UGAL("a shortest path or valiant, by the queue lengths at the source", routes_start_ugal, \
			     routes_next, routes_take)

#endif
