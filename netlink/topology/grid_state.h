/* The state that a packet carries in a grid: the 16 bytes of struct route. */
#ifndef PSIM_NETLINK_GRID_STATE_H
#define PSIM_NETLINK_GRID_STATE_H

#include <assert.h>

#include "grid.h"

struct __attribute__((may_alias)) grid_state {
	int16_t left[GRID_DIMS_MAX]; /* links to go in each dimension, with sign, on this leg */
	uint16_t hops;               /* links to go in all, ejection included */
	uint8_t crossed;             /* bit d: has crossed the dateline of dimension d on this leg */
	uint8_t dim : 3;             /* the dimension in which it travels; `dims` on arrival */
	uint8_t leg : 2;             /* enum leg */
	uint8_t high : 1;            /* balanced: VC 1 where no dateline is crossed */
	uint8_t salt : 2;            /* decides random ties on later legs */
};
static_assert(sizeof(struct grid_state) == ROUTE_STATE_BYTES, "fills the state of a route");

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

/* Returns the first dimension from `d` on in which links are to go. */
static inline unsigned grid_next_dim(const struct grid *g, const struct grid_state *s, unsigned d)
{
	while (d < g->dims && !s->left[d])
		d++;
	return d;
}

/* Returns whether the rest of the path in dimension d crosses its dateline. */
static inline bool grid_will_cross(const struct grid *g, const struct grid_state *s, uint32_t at, unsigned d)
{
	int end = g->coordinate[at * g->dims + d] + s->left[d];

	return end < 0 || end >= (int)g->dim[d];
}

/*
 * Returns the virtual channel, within a leg's, for a link in dimension d behind `port`: 0 before
 * the dateline, 1 after it (W. Dally, C. Seitz, IEEE Trans. Comp. 36(5), 1987), so that neither has
 * a cycle round the dimension.
 */
static inline unsigned grid_vc(const struct grid *g, const struct grid_state *s, uint32_t at, unsigned d, unsigned port)
{
	unsigned vc = (s->crossed >> d & g->behind) | (g->wraps[at] >> port & g->crossing);

	if (g->balanced && !vc)
		return s->high && !grid_will_cross(g, s, at, d);
	return vc;
}

/* Moves the packet's state over one link in dimension d, behind `port`. */
static inline void grid_advance(const struct grid *g, struct grid_state *s, uint32_t at, unsigned d, unsigned port)
{
	s->crossed |= (uint8_t)((g->wraps[at] >> port & 1) << d);
	s->left[d] += port & 1 ? 1 : -1;
	s->hops--;
}

/* Returns random bits from a packet's key, if the configuration needs any. */
uint64_t grid_coin(const struct grid *g, uint64_t key);

/*
 * dateline = balanced: returns whether a packet takes VC 1 where it crosses no dateline. A hash
 * decides, so that paths stay fixed.
 */
bool grid_high(const struct grid *g, uint32_t src, uint32_t dst);

/* Sets s->left to the distances from `at` to `to`, ties by the configuration's rule; returns their sum. */
unsigned grid_set_distances(const struct grid *g, uint32_t at, uint32_t to, uint64_t coin, struct grid_state *s);

/*
 * Writes the links from router `from` to `to` in dimension order; ties are not random. Returns their number, or more
 * than `max` if they do not fit.
 */
unsigned grid_leg(const struct grid *g, uint32_t from, uint32_t to, uint32_t *links, unsigned max);

#endif
