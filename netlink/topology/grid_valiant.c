/*
 * Two-leg routing on grids, each leg in dimension order with its own virtual channels. The first
 * leg leads to a random node (L. Valiant, G. Brebner, STOC 1981), always or if the queues favour it
 * (UGAL: A. Singh, thesis, Stanford 2005): at the source's router the engine is offered both paths.
 */
#include <stdlib.h>

#include "../../psim/base/rng.h"
#include "grid_state.h"

/* Starts the last leg at `at`. */
static void second_leg(const struct grid *g, uint32_t at, uint32_t dst, struct grid_state *s)
{
	uint64_t coin = g->ties == TIES_RANDOM ? rng_u64(s->salt, at, dst) : 0;

	s->hops = (uint16_t)(grid_set_distances(g, at, dst, coin, s) + 1);
	s->high = grid_high(g, at, dst);
	s->crossed = 0;
	s->leg = LEG_SECOND;
	s->dim = grid_next_dim(g, s, 0) & 7;
}

static void start_grid_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r,
			       enum leg leg)
{
	const struct grid *g = t->private_data;
	struct grid_state *s = grid_state_of(r);
	uint64_t coin = grid_coin(g, key);
	uint32_t between = (uint32_t)rng_below(key, 1, 0, g->nodes);
	unsigned hops;

	*s = (struct grid_state){0};
	s->salt = coin >> 61 & 3;
	s->high = grid_high(g, src, between);
	hops = grid_set_distances(g, src, between, coin, s);
	if (!hops || (leg == LEG_OPEN && (src == dst || between == dst))) {
		second_leg(g, src, dst, s);
		return;
	}
	s->hops = (uint16_t)(hops + grid_distance(t, between, dst) + 1);
	s->leg = leg & 3;
	s->dim = grid_next_dim(g, s, 0) & 7;
}

void grid_valiant_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	start_grid_valiant(t, src, dst, key, r, LEG_FIRST);
}

/* The nodes between; random ties are left to keys. */
uint32_t grid_valiant_choices(const struct topology *t)
{
	const struct grid *g = t->private_data;

	return g->ties == TIES_RANDOM ? 0 : g->nodes;
}

unsigned grid_valiant_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
			     unsigned max)
{
	const struct grid *g = t->private_data;
	unsigned count = 1;

	if (max < 2)
		return 0;
	links[0] = t->inject[src * t->nics];
	count += grid_leg(g, src, choice, links + count, max - count);
	if (count < max)
		count += grid_leg(g, choice, dst, links + count, max - count);
	if (count >= max)
		return 0;
	links[count++] = t->eject[dst * t->nics];
	return count;
}

void grid_ugal_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	start_grid_valiant(t, src, dst, key, r, LEG_OPEN);
}

static struct route_step grid_valiant_step_of(const struct grid *g, const struct grid_state *s, uint32_t at)
{
	unsigned d = s->dim, port = 2 * d + (s->left[d] < 0), base = s->leg == LEG_SECOND ? g->leg_vcs : 0;

	return (struct route_step){
		grid_link(g, at, port), (uint16_t)(base + grid_vc(g, s, at, d, port)), s->hops, true, 0, COUNTS_LINK};
}

unsigned grid_legs_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			const struct route *r, struct route_step *steps)
{
	const struct grid *g = t->private_data;
	const struct grid_state *s = grid_state_read(r);
	uint32_t at = router - g->nodes;
	unsigned count = 0;

	if (s->dim == g->dims)
		return grid_order_next(t, router, in_link, in_vc, r, steps);
	if (s->leg == LEG_OPEN) {
		struct grid_state minimal = *s;

		second_leg(g, at, r->dst, &minimal);
		steps[count++] = grid_valiant_step_of(g, &minimal, at);
	}
	steps[count++] = grid_valiant_step_of(g, s, at);
	return count;
}

void grid_legs_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct grid *g = t->private_data;
	struct grid_state *s = grid_state_of(r);
	uint32_t at = router - g->nodes;
	unsigned d;

	if (s->dim == g->dims)
		return;
	if (s->leg == LEG_OPEN) {
		if (step->vc >= g->leg_vcs)
			second_leg(g, at, r->dst, s);
		else
			s->leg = LEG_FIRST;
	}
	d = s->dim;
	grid_advance(g, s, at, d, 2 * d + (s->left[d] < 0));
	if (!s->left[d])
		s->dim = grid_next_dim(g, s, d + 1) & 7;
	if (s->dim == g->dims && s->leg == LEG_FIRST)
		second_leg(g, t->link[step->link].to - g->nodes, r->dst, s);
}
