/*
 * HyperX (J. Ahn, N. Binkert, A. Davis, M. McLaren, R. Schreiber, SC 2009): routers at the points of a
 * grid, each connected to all others of its line in every dimension, with `concentration` nodes each.
 * The flattened butterfly (J. Kim, W. Dally, D. Abts, ISCA 2007) is one whose dimensions are equal.
 *
 * Two routers of a line have `trunk` links side by side; the source node selects that of a packet, so nodes that are as
 * many times as links use them alike. One link corrects a dimension. Dimension order takes channels in the order of
 * their dimensions, so it is free of deadlock with one virtual channel, and it is the escape of `adaptive` (VC 1). A
 * path via a router has a virtual channel for each leg.
 */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "hyperx.h"
#include "number_list.h"
#include "topology_plan.h"

enum { HYPERX_PORTS_MAX = 60000 };

/* ---- building ---- */

static unsigned hyperx_levels(const struct plan *p)
{
	return p->dims;
}

/* Reads the trunks: one, or one of each dimension. Returns their number, or -1. */
static int hyperx_trunk(struct plan *p, uint32_t trunk[HYPERX_DIMS_MAX])
{
	int count = list_sizes(p->cfg->topology.trunk, trunk, HYPERX_DIMS_MAX, p->err);

	if (count < 0)
		return plan_blame(p, "topology", "trunk");
	if (count != 1 && (unsigned)count != p->dims)
		return plan_fail(p, "topology", "trunk",
				 "%s: %d sizes, expected one, or one for each of the %u dimensions",
				 p->cfg->topology.trunk, count, p->dims);
	return count;
}

static int hyperx_check(struct plan *p)
{
	uint32_t size[HYPERX_DIMS_MAX + 1], trunk[HYPERX_DIMS_MAX];
	uint64_t nodes, ports = (uint64_t)p->cfg->topology.concentration * p->cfg->topology.nics;
	int count;

	if (p->dims > HYPERX_DIMS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u dimensions, expected at most %d", p->cfg->topology.dims,
				 p->dims, HYPERX_DIMS_MAX);
	count = hyperx_trunk(p, trunk);
	if (count < 0)
		return -1;
	for (unsigned d = 0; d < p->dims; d++) {
		size[d] = p->dim[d];
		ports += (p->dim[d] - (uint64_t)1) * trunk[count > 1 ? d : 0];
		if (p->dim[d] < 2)
			return plan_fail(p, "topology", "dims", "%s: a dimension of %u, expected at least 2",
					 p->cfg->topology.dims, p->dim[d]);
	}
	size[p->dims] = p->cfg->topology.concentration;
	if (!size[p->dims])
		return plan_fail(p, "topology", "concentration", "0: expected 1 or more nodes of each router");
	if (ports > HYPERX_PORTS_MAX)
		return plan_fail(p, "topology", "dims", "%s: a router of %llu links, expected at most %d",
				 p->cfg->topology.dims, (unsigned long long)ports, HYPERX_PORTS_MAX);
	if (plan_product(p, size, p->dims + 1, &nodes))
		return -1;
	return plan_no_cabinets(p);
}

/* Adds the links that leave a router, in the order of its ports: their numbers are router * ports + port. */
static int hyperx_link_router(const struct hyperx *x, const struct topology *t, struct graph *g, uint32_t router,
			      struct err *e)
{
	for (unsigned d = 0; d < x->dims; d++) {
		uint32_t here = hyperx_coordinate(x, router, d);

		for (uint32_t i = 0; i < x->size[d] * x->trunk[d]; i++) {
			uint32_t c = i / x->trunk[d], lane = i % x->trunk[d];
			uint32_t to = router - here * x->step[d] + c * x->step[d];

			if (c != here &&
			    graph_link(g,
				       (struct topology_link){t->nodes + router, t->nodes + to, (uint16_t)d,
							      (uint16_t)hyperx_port(x, d, here, c, lane),
							      (uint16_t)hyperx_port(x, d, c, here, lane)},
				       e))
				return -1;
		}
	}
	return 0;
}

static int hyperx_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->cfg->topology.concentration);
	struct hyperx *x = mem_alloc(1, sizeof(*x), e);
	uint32_t size[HYPERX_DIMS_MAX + 1] = {p->cfg->topology.concentration}, trunk[HYPERX_DIMS_MAX];
	int count = list_sizes(p->cfg->topology.trunk, trunk, HYPERX_DIMS_MAX, e);

	t->private_data = x;
	if (!x || count < 0)
		return -1;
	x->dims = p->dims;
	x->concentration = p->cfg->topology.concentration;
	t->routers = 1;
	for (unsigned d = 0; d < x->dims; d++) {
		x->size[d] = size[d + 1] = p->dim[d];
		x->trunk[d] = trunk[count > 1 ? d : 0];
		x->step[d] = t->routers;
		x->port[d] = x->ports;
		x->ports += (p->dim[d] - 1) * trunk[count > 1 ? d : 0];
		t->routers *= p->dim[d];
	}
	t->nodes = t->routers * x->concentration;
	t->vcs = t->routing->by_dims ? 2 * x->dims : t->routing->legs + t->routing->adaptive;
	if (plan_dims(t, size, x->dims + 1, e))
		return -1;
	for (unsigned d = 0; d < x->dims; d++)
		if (graph_class(g, p->rate[d], p->cable_ps[d], e, "dim%u", d) < 0)
			return -1;
	for (uint32_t router = 0; router < t->routers; router++)
		if (hyperx_link_router(x, t, g, router, e))
			return -1;
	return graph_add_nics(g, t, &nics, e);
}

/* ---- distances ---- */

static unsigned hyperx_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct hyperx *x = t->private_data;

	return hyperx_between(x, src / x->concentration, dst / x->concentration);
}

/* Each router of one part of a line has `trunk` links to each of the other. */
static double hyperx_cut(const struct topology *t, unsigned d)
{
	const struct hyperx *x = t->private_data;
	uint32_t half = x->size[d] / 2;

	return (double)half * (x->size[d] - half) * x->trunk[d] * t->class[d].bytes_per_s;
}

/* With equal links the least staircase is the bisection (J. Lindsey, American Mathematical Monthly 71(5), 1964). */
static double hyperx_bisection(const struct topology *t)
{
	const struct hyperx *x = t->private_data;

	return topology_staircase(t, &(struct staircase){x->dims, x->size, hyperx_cut}, t->routers);
}

/* ---- paths ---- */

static void hyperx_last_leg(const struct hyperx *x, uint32_t at, struct hyperx_state *s)
{
	s->leg = LEG_LAST;
	s->hops = (uint16_t)(hyperx_between(x, at, s->dst) + 1);
}

void hyperx_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	const struct hyperx *x = t->private_data;
	struct hyperx_state *s = hyperx_state_of(r);

	(void)key;
	*s = (struct hyperx_state){.dst = dst / x->concentration, .lane = (uint16_t)(src % x->concentration)};
	hyperx_last_leg(x, src / x->concentration, s);
}

static void hyperx_start_legs(const struct topology *t, uint32_t src, uint32_t dst, uint32_t between, struct route *r,
			      enum leg leg)
{
	const struct hyperx *x = t->private_data;
	struct hyperx_state *s = hyperx_state_of(r);
	uint32_t at = src / x->concentration;

	hyperx_start(t, src, dst, 0, r);
	if (between == at || (leg == LEG_OPEN && (at == s->dst || between == s->dst)))
		return;
	s->between = between;
	s->leg = (uint8_t)leg;
	s->hops = (uint16_t)(hyperx_between(x, at, between) + hyperx_between(x, between, s->dst) + 1);
}

static uint32_t hyperx_router(const struct topology *t, uint64_t key)
{
	return (uint32_t)rng_below(key, 1, 0, t->routers);
}

static void hyperx_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	hyperx_start_legs(t, src, dst, hyperx_router(t, key), r, LEG_FIRST);
}

static void hyperx_start_ugal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	hyperx_start_legs(t, src, dst, hyperx_router(t, key), r, LEG_OPEN);
}

static uint32_t hyperx_choices(const struct topology *t)
{
	return t->routers;
}

static unsigned hyperx_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
			      unsigned max)
{
	struct route r = {.dst = dst};

	hyperx_start_legs(t, src, dst, choice, &r, LEG_FIRST);
	return route_walk(t, src, &r, links, max);
}

/* Returns the step from router `at` that corrects dimension `d` of the way to `end`. */
static struct route_step hyperx_step(const struct hyperx *x, uint32_t at, uint32_t end, unsigned d, unsigned lane,
				     unsigned vc, unsigned hops)
{
	return hyperx_step_to(x, at, d, hyperx_coordinate(x, end, d), lane, vc, hops);
}

static unsigned hyperx_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			    const struct route *r, struct route_step *steps)
{
	const struct hyperx_state *s = hyperx_state_read(r);
	const struct hyperx *x = t->private_data;
	uint32_t at = router - t->nodes, end = s->leg == LEG_LAST ? s->dst : s->between;
	unsigned count = 0;

	(void)in_link;
	(void)in_vc;
	if (s->leg == LEG_LAST && at == s->dst) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	if (s->leg == LEG_OPEN)
		steps[count++] = hyperx_step(x, at, s->dst, hyperx_differing(x, at, s->dst, 0), s->lane, 1,
					     hyperx_between(x, at, s->dst) + 1);
	/* the last of two legs uses VC 1; a single leg VC 0 */
	steps[count++] = hyperx_step(x, at, end, hyperx_differing(x, at, end, 0), s->lane,
				     s->leg == LEG_LAST && t->routing->legs > 1, s->hops);
	return count;
}

/* Offers every differing dimension, on each lane while there is room, on VC 1; dimension order on VC 0 escapes. */
static unsigned hyperx_next_adaptive(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				     const struct route *r, struct route_step *steps)
{
	const struct hyperx_state *s = hyperx_state_read(r);
	const struct hyperx *x = t->private_data;
	uint32_t at = router - t->nodes;
	unsigned count = 0;

	for (unsigned i = 0, more = 1; more; i++) {
		more = 0;
		for (unsigned d = hyperx_differing(x, at, s->dst, 0); d < x->dims;
		     d = hyperx_differing(x, at, s->dst, d + 1)) {
			if (i >= x->trunk[d] || count + 1 == ROUTE_STEPS_MAX)
				continue;
			steps[count] = hyperx_step(x, at, s->dst, d, s->lane + i, 1, s->hops);
			steps[count++].escape = false;
			more = 1;
		}
	}
	return count + hyperx_next(t, router, in_link, in_vc, r, steps + count);
}

static void hyperx_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct hyperx *x = t->private_data;
	struct hyperx_state *s = hyperx_state_of(r);
	uint32_t to = t->link[step->link].to;

	if (to < t->nodes)
		return;
	if (s->leg == LEG_OPEN) {
		if (step->vc)
			hyperx_last_leg(x, router - t->nodes, s);
		else
			s->leg = LEG_FIRST;
	}
	s->hops--;
	if (s->leg == LEG_FIRST && to - t->nodes == s->between)
		hyperx_last_leg(x, to - t->nodes, s);
}

const struct topology_kind topology_hyperx = {
	.name = topology_hyperx_name,
	.doc = "grid of routers, every line fully connected",
	.lines = true,
	.routing =
		{
			ROUTING_DIMENSION_ORDER(hyperx_start, hyperx_next, hyperx_take),
			ROUTING_ADAPTIVE("any differing dimension; dimension order as escape", hyperx_start,
					 hyperx_next_adaptive, hyperx_take),
			ROUTING_VALIANT(hyperx_start_valiant, hyperx_next, hyperx_take, hyperx_choices, hyperx_choose),
			ROUTING_UGAL("dimension order or valiant, by the queue lengths at the source",
				     hyperx_start_ugal, hyperx_next, hyperx_take),
			{.name = "omni_war",
			 .doc = "any differing dimension, with detours, by queues at each router",
			 ROUTED_BY(hyperx_start_war, hyperx_next_omni_war, hyperx_take_omni_war),
			 .choice = true,
			 .random = true,
			 .by_dims = true},
			{.name = "dim_war",
			 .doc = "dimension order, with a detour in each, by queues at each router",
			 ROUTED_BY(hyperx_start_war, hyperx_next_dim_war, hyperx_take_dim_war),
			 .choice = true,
			 .random = true,
			 .legs = 2},
		},
	.levels = hyperx_levels,
	.check = hyperx_check,
	.build = hyperx_build,
	.destroy = free,
	.distance = hyperx_distance,
	.bisection = hyperx_bisection,
};
