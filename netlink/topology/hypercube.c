/*
 * Binary hypercube: neighbours differ in one bit. E-cube routing corrects the bits from the lowest
 * up (H. Sullivan, T. Bashkow, ICA 1977), which is dimension order and free of deadlock.
 */
#include <assert.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "topology_plan.h"

struct __attribute__((may_alias)) cube_state {
	uint32_t left;    /* bits to correct on this leg */
	uint32_t between; /* node at the end of the first leg */
	uint16_t hops;    /* links to go, ejection included */
	uint8_t leg;      /* enum leg */
	uint8_t unused[5];
};
static_assert(sizeof(struct cube_state) == ROUTE_STATE_BYTES, "fills the state of a route");

static struct cube_state *hypercube_state_of(struct route *r)
{
	return (struct cube_state *)(void *)r->state;
}

static const struct cube_state *hypercube_state_read(const struct route *r)
{
	return (const struct cube_state *)(const void *)r->state;
}

static unsigned hypercube_bits(uint32_t v)
{
	return (unsigned)__builtin_popcount(v);
}

static unsigned hypercube_levels(const struct plan *p)
{
	return p->dims;
}

static int hypercube_check(struct plan *p)
{
	for (unsigned d = 0; d < p->dims; d++)
		if (p->dim[d] != 2)
			return plan_fail(p, "topology", "dims", "%s: expected 2x2x…, for instance 2^10 for 1024 nodes",
					 p->cfg->topology.dims);
	if (p->dims > 24)
		return plan_fail(p, "topology", "dims", "%s: too large, expected at most 2^24", p->cfg->topology.dims);
	return plan_no_cabinets(p);
}

static int hypercube_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, 1);

	t->nodes = t->routers = 1u << p->dims;
	t->vcs = t->routing->legs + t->routing->adaptive;
	if (plan_dims(t, p->dim, p->dims, e))
		return -1;
	for (unsigned d = 0; d < p->dims; d++)
		if (graph_class(g, p->rate[d], p->cable_ps[d], e, "bit%u", d) < 0)
			return -1;
	for (uint32_t v = 0; v < t->nodes; v++)
		for (unsigned d = 0; d < p->dims; d++)
			if (graph_link(g,
				       (struct topology_link){t->nodes + v, t->nodes + (v ^ 1u << d), (uint16_t)d,
							      (uint16_t)d, (uint16_t)d},
				       e))
				return -1;
	return graph_add_nics(g, t, &nics, e);
}

static void hypercube_last_leg(uint32_t at, uint32_t dst, struct cube_state *s)
{
	s->left = at ^ dst;
	s->hops = (uint16_t)(hypercube_bits(s->left) + 1);
	s->leg = LEG_LAST;
}

static void hypercube_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	struct cube_state *s = hypercube_state_of(r);

	(void)t;
	(void)key;
	*s = (struct cube_state){0};
	hypercube_last_leg(src, dst, s);
}

static uint32_t hypercube_between(const struct topology *t, uint64_t key)
{
	return (uint32_t)rng_below(key, 1, 0, t->nodes);
}

static void hypercube_start_legs(uint32_t src, uint32_t dst, uint32_t between, struct route *r, enum leg leg)
{
	struct cube_state *s = hypercube_state_of(r);

	*s = (struct cube_state){.left = src ^ between, .between = between, .leg = (uint8_t)leg};
	s->hops = (uint16_t)(hypercube_bits(src ^ between) + hypercube_bits(between ^ dst) + 1);
	if (!s->left || (leg == LEG_OPEN && (src == dst || between == dst)))
		hypercube_last_leg(src, dst, s);
}

static void hypercube_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	hypercube_start_legs(src, dst, hypercube_between(t, key), r, LEG_FIRST);
}

static void hypercube_start_ugal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	hypercube_start_legs(src, dst, hypercube_between(t, key), r, LEG_OPEN);
}

static uint32_t hypercube_choices(const struct topology *t)
{
	return t->nodes;
}

static unsigned hypercube_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
				 unsigned max)
{
	struct route r = {.dst = dst};

	hypercube_start_legs(src, dst, choice, &r, LEG_FIRST);
	return route_walk(t, src, &r, links, max);
}

/* Computes the link's number: every router has the same number of links, in order. */
static struct route_step hypercube_step_of(const struct topology *t, uint32_t at, const struct cube_state *s,
					   unsigned bit, unsigned vc)
{
	return (struct route_step){at * t->dimensions + bit, (uint16_t)vc, s->hops, true, 0, COUNTS_LINK};
}

static unsigned hypercube_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			       const struct route *r, struct route_step *steps)
{
	const struct cube_state *s = hypercube_state_read(r);
	uint32_t at = router - t->nodes;
	unsigned count = 0;

	(void)in_link;
	(void)in_vc;
	if (!s->left) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	if (s->leg == LEG_OPEN) {
		struct cube_state minimal = *s;

		hypercube_last_leg(at, r->dst, &minimal);
		steps[count++] = hypercube_step_of(t, at, &minimal, (unsigned)__builtin_ctz(minimal.left), 1);
	}
	/* the last of two legs uses VC 1; a single leg VC 0 */
	steps[count++] = hypercube_step_of(t, at, s, (unsigned)__builtin_ctz(s->left),
					   s->leg == LEG_LAST && t->routing->legs > 1);
	return count;
}

/* Offers any differing bit on VC 1; e-cube on VC 0 is the escape. */
static unsigned hypercube_next_adaptive(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
					const struct route *r, struct route_step *steps)
{
	const struct cube_state *s = hypercube_state_read(r);
	unsigned count = 0;

	for (uint32_t left = s->left; left && count < ROUTE_STEPS_MAX - 1; left &= left - 1) {
		steps[count] = hypercube_step_of(t, router - t->nodes, s, (unsigned)__builtin_ctz(left), 1);
		steps[count++].escape = false;
	}
	return count + hypercube_next(t, router, in_link, in_vc, r, steps + count);
}

static void hypercube_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	struct cube_state *s = hypercube_state_of(r);
	uint32_t at = router - t->nodes;
	unsigned bit;

	if (!s->left)
		return;
	bit = step->link - at * t->dimensions;
	if (s->leg == LEG_OPEN) {
		if (step->vc)
			hypercube_last_leg(at, r->dst, s);
		else
			s->leg = LEG_FIRST;
	}
	s->left &= ~(1u << bit);
	s->hops--;
	if (!s->left && s->leg == LEG_FIRST)
		hypercube_last_leg(s->between, r->dst, s);
}

static unsigned hypercube_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	(void)t;
	return hypercube_bits(src ^ dst);
}

/* Half of the nodes have a link across the cut of a bit. */
static double hypercube_bisection(const struct topology *t)
{
	double least = t->class[0].bytes_per_s;

	for (unsigned d = 1; d < t->dimensions; d++)
		least = t->class[d].bytes_per_s < least ? t->class[d].bytes_per_s : least;
	return t->nodes / 2 * least;
}

const struct topology_kind topology_hypercube = {
	.name = topology_hypercube_name,
	.doc = "binary n-cube, one router per node",
	.shape = SHAPE_HYPERCUBE,
	.routing =
		{
			{.name = "e_cube",
			 .doc = "lowest bit first",
			 .start = hypercube_start,
			 .next = hypercube_next,
			 .take = hypercube_take,
			 .minimal = true,
			 .legs = 1},
			ROUTING_ADAPTIVE("any differing bit; e-cube as escape", hypercube_start,
					 hypercube_next_adaptive, hypercube_take),
			ROUTING_VALIANT(hypercube_start_valiant, hypercube_next, hypercube_take, hypercube_choices,
					hypercube_choose),
			ROUTING_UGAL("e-cube or valiant, by the queue lengths at the source", hypercube_start_ugal,
				     hypercube_next, hypercube_take),
		},
	.levels = hypercube_levels,
	.check = hypercube_check,
	.build = hypercube_build,
	.distance = hypercube_distance,
	.bisection = hypercube_bisection,
};
