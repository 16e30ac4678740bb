/* What a packet carries in a grid: in struct route's 16 bytes. */
#ifndef PSIM_NETLINK_GRID_STATE_H
#define PSIM_NETLINK_GRID_STATE_H

#include <assert.h>

#include "grid.h"

struct __attribute__((may_alias)) grid_state {
	int16_t left[GRID_DIMS_MAX]; /* links still to go in each dimension, with sign, on this leg
	                              */
	uint16_t hops;               /* links still to go in all, ejection included */
	uint8_t crossed;             /* bit d: has crossed the dateline of dimension d on this leg */
	uint8_t dim : 3;             /* the dimension it travels in; `dims` once it has arrived */
	uint8_t leg : 2;             /* enum grid_leg */
	uint8_t high : 1;            /* balanced: VC 1 where no dateline is crossed */
	uint8_t salt : 2;            /* decides ties where they are random, on later legs */
};
static_assert(sizeof(struct grid_state) == ROUTE_STATE_BYTES, "fills the state of a route");

enum grid_leg { LEG_ONLY, LEG_FIRST, LEG_SECOND, LEG_OPEN };

static inline struct grid_state *grid_state_of(struct route *r)
{
	return (struct grid_state *)(void *)r->state;
}

static inline const struct grid_state *grid_state_read(const struct route *r)
{
	return (const struct grid_state *)(const void *)r->state;
}

static inline uint32_t grid_link(const struct grid *g, uint32_t at, unsigned port)
{
	uint32_t i = at * g->ports + port;

	return g->port_link ? g->port_link[i] : i;
}

/* The first dimension from `d` on in which there is something left to go. */
static inline unsigned grid_next_dim(const struct grid *g, const struct grid_state *s, unsigned d)
{
	while (d < g->dims && !s->left[d])
		d++;
	return d;
}

/* Will what is left in dimension d take the packet across its dateline? */
static inline bool grid_will_cross(const struct grid *g, const struct grid_state *s, uint32_t at, unsigned d)
{
	int end = g->coordinate[at * g->dims + d] + s->left[d];

	return end < 0 || end >= (int)g->dim[d];
}

/*
 * The virtual channel, of a leg's, for a link in dimension d behind `port`: before the
 * dateline 0, behind it 1 (W. Dally, C. Seitz, IEEE Trans. Comp. 36(5), 1987), so
 * that neither has a cycle round the dimension.
 */
static inline unsigned grid_vc(const struct grid *g, const struct grid_state *s, uint32_t at, unsigned d, unsigned port)
{
	unsigned vc = (s->crossed >> d & g->behind) | (g->wraps[at] >> port & g->crossing);

	if (g->balanced && !vc)
		return s->high && !grid_will_cross(g, s, at, d);
	return vc;
}

/* One link in dimension d, behind `port`. */
static inline void grid_advance(const struct grid *g, struct grid_state *s, uint32_t at, unsigned d, unsigned port)
{
	s->crossed |= (uint8_t)((g->wraps[at] >> port & 1) << d);
	s->left[d] += port & 1 ? 1 : -1;
	s->hops--;
}

/* Random bits from a packet's key, where the configuration needs any. */
uint64_t grid_coin(const struct grid *g, uint64_t key);

/*
 * dateline = balanced: does a packet of this leg take VC 1 where it crosses no dateline? By a hash, so that ways
 * are fixed.
 */
bool grid_high(const struct grid *g, uint32_t src, uint32_t dst);

/* Distances from `at` to `to` into s->left, ties by the configuration's rule; returns their sum. */
unsigned grid_aim(const struct grid *g, uint32_t at, uint32_t to, uint64_t coin, struct grid_state *s);

#endif
