/*
 * HyperX: what its routings share. A router has `trunk` links to each other router of a line, side by side; a packet's
 * lane selects one of them.
 */
#ifndef PSIM_NETLINK_HYPERX_H
#define PSIM_NETLINK_HYPERX_H

#include <assert.h>

#include "kind.h"

enum { HYPERX_DIMS_MAX = 6 };

struct hyperx {
	uint32_t dims, concentration, ports; /* ports: links of a router to others */
	uint32_t size[HYPERX_DIMS_MAX], trunk[HYPERX_DIMS_MAX], step[HYPERX_DIMS_MAX];
	uint32_t port[HYPERX_DIMS_MAX]; /* the first of a dimension */
};

struct __attribute__((may_alias)) hyperx_state {
	uint32_t dst;     /* router */
	uint32_t between; /* router; omni_war and dim_war: seed of their draws */
	uint16_t hops;    /* links to go, ejection included */
	uint16_t lane;    /* of its links, modulo their trunk */
	uint8_t leg;      /* enum leg */
	uint8_t turns;    /* omni_war: links taken; dim_war: whether the last one did not correct its dimension */
	uint8_t unused[2];
};
static_assert(sizeof(struct hyperx_state) == ROUTE_STATE_BYTES, "fills the state of a route");

static inline struct hyperx_state *hyperx_state_of(struct route *r)
{
	return (struct hyperx_state *)(void *)r->state;
}

static inline const struct hyperx_state *hyperx_state_read(const struct route *r)
{
	return (const struct hyperx_state *)(const void *)r->state;
}

static inline uint32_t hyperx_coordinate(const struct hyperx *x, uint32_t router, unsigned d)
{
	return router / x->step[d] % x->size[d];
}

/* Returns the port of a router at coordinate `from` of dimension `d` that leads to coordinate `to` on a lane. */
static inline uint32_t hyperx_port(const struct hyperx *x, unsigned d, uint32_t from, uint32_t to, uint32_t lane)
{
	return x->port[d] + (to < from ? to : to - 1) * x->trunk[d] + lane;
}

/* Returns the step from router `at` to coordinate `to` of dimension `d`. */
static inline struct route_step hyperx_step_to(const struct hyperx *x, uint32_t at, unsigned d, uint32_t to,
					       uint32_t lane, unsigned vc, unsigned hops)
{
	uint32_t port = hyperx_port(x, d, hyperx_coordinate(x, at, d), to, lane % x->trunk[d]);

	return (struct route_step){at * x->ports + port, (uint16_t)vc, (uint16_t)hops, true, 0, COUNTS_LINK};
}

/* Returns the first dimension from `d` on in which two routers differ; the number of dimensions if there is none. */
static inline unsigned hyperx_differing(const struct hyperx *x, uint32_t a, uint32_t b, unsigned d)
{
	while (d < x->dims && hyperx_coordinate(x, a, d) == hyperx_coordinate(x, b, d))
		d++;
	return d;
}

/* Returns in how many dimensions two routers differ. */
static inline unsigned hyperx_between(const struct hyperx *x, uint32_t a, uint32_t b)
{
	unsigned count = 0;

	for (unsigned d = hyperx_differing(x, a, b, 0); d < x->dims; d = hyperx_differing(x, a, b, d + 1))
		count++;
	return count;
}

/* hyperx_war.c: rows of topology_routing. */
void hyperx_start_war(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
unsigned hyperx_next_omni_war(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			      const struct route *r, struct route_step *steps);
unsigned hyperx_next_dim_war(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step *steps);
void hyperx_take_omni_war(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);
void hyperx_take_dim_war(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);

/* Puts the packet of node `src` on its lane, with the shortest path before it. */
void hyperx_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);

#endif
