/*
 * Hyper-crossbar (CP-PACS: T. Boku et al., ICS 1997): nodes on a grid, each with an exchanger.
 * Every line of every dimension is a crossbar that connects its exchangers. Routers are numbered
 * exchangers first, then the crossbars of the first dimension, of the second … A packet crosses
 * exchanger, crossbar, exchanger in each dimension in which its coordinate differs from the
 * destination's.
 */
#include <assert.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "topology_plan.h"

enum { DIMS_MAX = 8 };

struct hxb {
	unsigned dims;
	uint32_t dim[DIMS_MAX];
	uint16_t *coordinate; /* [node * dims + dimension] */
};

struct __attribute__((may_alias)) hxb_state {
	uint32_t target; /* node at the end of this leg */
	uint16_t hops;   /* links to go, ejection included */
	uint8_t leg;     /* enum leg */
	uint8_t wrong;   /* bit d: dimension d is to go */
	uint8_t dim;     /* within a crossbar: its dimension plus 1; at an exchanger 0 */
	uint8_t turns;   /* dimensions done or in progress */
	uint8_t unused[6];
};
static_assert(sizeof(struct hxb_state) == ROUTE_STATE_BYTES, "fills the state of a route");

static unsigned hyper_crossbar_levels(const struct plan *p)
{
	return p->dims;
}

static int hyper_crossbar_check(struct plan *p)
{
	uint64_t nodes;

	if (p->dims > DIMS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u dimensions, expected at most %d", p->cfg->topology.dims,
				 p->dims, DIMS_MAX);
	for (unsigned d = 0; d < p->dims; d++)
		if (p->dim[d] < 2 || p->dim[d] > 16384)
			return plan_fail(p, "topology", "dims", "%s: a dimension of %u, expected 2 to 16384",
					 p->cfg->topology.dims, p->dim[d]);
	if (plan_product(p, p->dim, p->dims, &nodes))
		return -1;
	return plan_no_cabinets(p);
}

static int hyper_crossbar_make_arrays(struct hxb *h, const struct plan *p, struct topology *t, struct err *e)
{
	h->dims = p->dims;
	t->nodes = 1;
	for (unsigned d = 0; d < p->dims; d++)
		t->nodes *= h->dim[d] = p->dim[d];
	h->coordinate = plan_coordinates(t->nodes, h->dim, h->dims, e);
	return h->coordinate ? plan_dims(t, h->dim, h->dims, e) : -1;
}

/* Adds the links of dimension d, whose crossbars begin at vertex `first`. */
static int link_dimension(const struct hxb *h, const struct topology *t, struct graph *g, unsigned d, uint32_t first,
			  struct err *e)
{
	uint32_t stride = 1;

	for (unsigned i = 0; i < d; i++)
		stride *= h->dim[i];
	for (uint32_t v = 0; v < t->nodes; v++) {
		uint32_t line = first + v % stride + v / (stride * h->dim[d]) * stride, exchanger = t->nodes + v;
		uint16_t c = h->coordinate[v * h->dims + d], dim = (uint16_t)d, class = (uint16_t)(2 * d);

		if (graph_link(g, (struct topology_link){exchanger, line, class, dim, c}, e) ||
		    graph_link(g, (struct topology_link){line, exchanger, class + 1, c, dim}, e))
			return -1;
	}
	return 0;
}

static int hyper_crossbar_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, 1);
	struct hxb *h = mem_alloc(1, sizeof(*h), e);

	t->private_data = h;
	if (!h || hyper_crossbar_make_arrays(h, p, t, e))
		return -1;
	t->routers = t->nodes;
	t->vcs = t->routing->adaptive ? p->dims : t->routing->legs;
	for (unsigned d = 0; d < p->dims; d++) {
		if (graph_class(g, p->rate[d], p->cable_ps[d], e, "to_x%u", d) < 0 ||
		    graph_class(g, p->rate[d], p->cable_ps[d], e, "from_x%u", d) < 0 ||
		    link_dimension(h, t, g, d, t->nodes + t->routers, e))
			return -1;
		t->routers += t->nodes / p->dim[d];
	}
	return graph_add_nics(g, t, &nics, e);
}

static void hyper_crossbar_destroy(void *private_data)
{
	struct hxb *h = private_data;

	free(h->coordinate);
	free(h);
}

/* Returns the set of dimensions in which two nodes differ. */
static unsigned differ(const struct hxb *h, uint32_t a, uint32_t b)
{
	unsigned mask = 0;

	for (unsigned d = 0; d < h->dims; d++)
		mask |= (unsigned)(h->coordinate[a * h->dims + d] != h->coordinate[b * h->dims + d]) << d;
	return mask;
}

static unsigned hyper_crossbar_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	return 2 * (unsigned)__builtin_popcount(differ(t->private_data, src, dst));
}

static struct hxb_state leg_to(const struct topology *t, uint32_t at, uint32_t target, uint32_t dst, enum leg leg)
{
	return (struct hxb_state){
		.target = target,
		.hops = (uint16_t)(hyper_crossbar_distance(t, at, target) + hyper_crossbar_distance(t, target, dst) +
				   1),
		.leg = (uint8_t)leg,
		.wrong = (uint8_t)differ(t->private_data, at, target),
	};
}

static struct hxb_state *hyper_crossbar_state_of(struct route *r)
{
	return (struct hxb_state *)(void *)r->state;
}

static const struct hxb_state *hyper_crossbar_state_read(const struct route *r)
{
	return (const struct hxb_state *)(const void *)r->state;
}

static void hyper_crossbar_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)key;
	*hyper_crossbar_state_of(r) = leg_to(t, src, dst, dst, LEG_LAST);
}

static void hyper_crossbar_start_via(const struct topology *t, uint32_t src, uint32_t dst, uint32_t between,
				     struct route *r)
{
	*hyper_crossbar_state_of(r) =
		between == src ? leg_to(t, src, dst, dst, LEG_LAST) : leg_to(t, src, between, dst, LEG_FIRST);
}

static void hyper_crossbar_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key,
					 struct route *r)
{
	hyper_crossbar_start_via(t, src, dst, (uint32_t)rng_below(key, 1, 0, t->nodes), r);
}

static uint32_t hyper_crossbar_choices(const struct topology *t)
{
	return t->nodes;
}

static unsigned hyper_crossbar_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice,
				      uint32_t *links, unsigned max)
{
	struct route r = {.dst = dst};

	hyper_crossbar_start_via(t, src, dst, choice, &r);
	return route_walk(t, src, &r, links, max);
}

static struct route_step hyper_crossbar_step_of(const struct topology *t, uint32_t router, unsigned port, unsigned vc,
						const struct hxb_state *s)
{
	return (struct route_step){
		t->out_link[t->out_first[router] + port], (uint16_t)vc, s->hops, true, 0, COUNTS_LINK};
}

/* Returns the step out of the present crossbar. */
static struct route_step hyper_crossbar_leave(const struct topology *t, uint32_t router, unsigned vc,
					      const struct hxb_state *s)
{
	const struct hxb *h = t->private_data;

	return hyper_crossbar_step_of(t, router, h->coordinate[s->target * h->dims + s->dim - 1], vc, s);
}

/* Lowest dimension first; each leg has its VC. */
static unsigned hyper_crossbar_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				    const struct route *r, struct route_step *steps)
{
	const struct hxb_state *s = hyper_crossbar_state_read(r);
	unsigned vc = s->leg == LEG_LAST && t->routing->legs > 1;

	(void)in_link;
	(void)in_vc;
	if (s->dim)
		steps[0] = hyper_crossbar_leave(t, router, vc, s);
	else if (s->wrong)
		steps[0] = hyper_crossbar_step_of(t, router, (unsigned)__builtin_ctz(s->wrong), vc, s);
	else
		steps[0] = route_eject(t, r);
	return 1;
}

/* The same path on either of two VCs: neither forms a cycle, nor do both together. */
static unsigned next_either(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			    const struct route *r, struct route_step *steps)
{
	const struct hxb_state *s = hyper_crossbar_state_read(r);

	hyper_crossbar_next(t, router, in_link, in_vc, r, steps);
	if (!s->dim && !s->wrong)
		return 1;
	steps[0].vc = 0;
	steps[1] = steps[0];
	steps[1].vc = 1;
	return 2;
}

/* Any dimension. The VC counts the turns, so a packet never waits for a lower one. */
static unsigned hyper_crossbar_next_adaptive(const struct topology *t, uint32_t router, uint32_t in_link,
					     unsigned in_vc, const struct route *r, struct route_step *steps)
{
	const struct hxb_state *s = hyper_crossbar_state_read(r);
	unsigned count = 0;

	(void)in_link;
	(void)in_vc;
	if (s->dim)
		steps[count++] = hyper_crossbar_leave(t, router, s->turns - 1u, s);
	else if (!s->wrong)
		steps[count++] = route_eject(t, r);
	else
		for (unsigned wrong = s->wrong; wrong; wrong &= wrong - 1)
			steps[count++] = hyper_crossbar_step_of(t, router, (unsigned)__builtin_ctz(wrong), s->turns, s);
	return count;
}

static void hyper_crossbar_take(const struct topology *t, uint32_t router, const struct route_step *step,
				struct route *r)
{
	struct hxb_state *s = hyper_crossbar_state_of(r);

	(void)router;
	if (s->dim) {
		s->dim = 0;
		s->hops--;
		if (!s->wrong && s->leg == LEG_FIRST)
			*s = leg_to(t, s->target, r->dst, r->dst, LEG_LAST);
	} else if (s->wrong) {
		s->dim = (uint8_t)(t->link[step->link].class / 2 + 1);
		s->wrong &= (uint8_t) ~(1u << (s->dim - 1));
		s->turns++;
		s->hops--;
	}
}

/* Cut across an even dimension: each line's crossbar passes half of its exchangers' rate. */
static double hyper_crossbar_bisection(const struct topology *t)
{
	double least = 0;

	for (unsigned d = 0; d < t->dimensions; d++) {
		double cut = t->nodes / 2 * t->class[2 * d].bytes_per_s;

		if (t->dims[d] % 2 == 0 && (least == 0 || cut < least))
			least = cut;
	}
	return least;
}

const struct topology_kind topology_hyper_crossbar = {
	.name = topology_hyper_crossbar_name,
	.doc = "a crossbar for each line of a grid",
	.routing =
		{
			ROUTING_DIMENSION_ORDER(hyper_crossbar_start, hyper_crossbar_next, hyper_crossbar_take),
			{.name = "either_vc",
			 .doc = "dimension order on the less loaded of two VCs",
			 .start = hyper_crossbar_start,
			 .next = next_either,
			 .take = hyper_crossbar_take,
			 .choice = true,
			 .minimal = true,
			 .legs = 2},
			{.name = "adaptive",
			 .doc = "dimensions in any order; a VC for each turn",
			 .start = hyper_crossbar_start,
			 .next = hyper_crossbar_next_adaptive,
			 .take = hyper_crossbar_take,
			 .choice = true,
			 .minimal = true,
			 .adaptive = 1},
			ROUTING_VALIANT(hyper_crossbar_start_valiant, hyper_crossbar_next, hyper_crossbar_take,
					hyper_crossbar_choices, hyper_crossbar_choose),
		},
	.levels = hyper_crossbar_levels,
	.check = hyper_crossbar_check,
	.build = hyper_crossbar_build,
	.destroy = hyper_crossbar_destroy,
	.distance = hyper_crossbar_distance,
	.bisection = hyper_crossbar_bisection,
};
