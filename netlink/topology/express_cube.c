/*
 * Express cubes (W. Dally, "Express cubes: improving the performance of k-ary n-cube interconnection networks", IEEE
 * Trans. Computers 40(9), 1991): a mesh with a second level of channels. In each line every `express`-th router, from
 * the first on, is an interchange, and express links join each interchange to the next one. The paper's interchanges
 * are switches between routers; here they are routers.
 *
 * Dimension order, by a shortest path in each line: along it, or by local links to an interchange, express links, and
 * local links again. The first of these local links are on VC 0, all others on VC 1, so channels are held in the order
 * of dimensions, and within one: local ones on VC 0, express ones, local ones on VC 1. Each of the three goes one way.
 */
#include <assert.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "topology_plan.h"

enum { EXPRESS_DIMS_MAX = 6, EXPRESS_PORTS = 4, LINE_MAX = 5000 };
enum { LOCAL, EXPRESS };

struct express {
	uint32_t dims, concentration, every;
	uint32_t size[EXPRESS_DIMS_MAX], step[EXPRESS_DIMS_MAX];
	uint32_t *out; /* [(router * dims + dimension) * EXPRESS_PORTS + port]: links */
};

/* Ports of a dimension: 2 * class + whether it leads to lower coordinates. */
static unsigned express_port(unsigned class, bool down)
{
	return 2 * class + down;
}

static unsigned express_levels(const struct plan *p)
{
	(void)p;
	return 2;
}

static int express_check(struct plan *p)
{
	uint32_t size[EXPRESS_DIMS_MAX + 1];
	uint64_t nodes;
	uint32_t longest = 0;

	if (p->dims > EXPRESS_DIMS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u dimensions, expected at most %d", p->cfg->topology.dims,
				 p->dims, EXPRESS_DIMS_MAX);
	for (unsigned d = 0; d < p->dims; d++) {
		size[d] = p->dim[d];
		if (p->dim[d] < 2 || p->dim[d] > LINE_MAX)
			return plan_fail(p, "topology", "dims", "%s: a dimension of %u, expected 2 to %d",
					 p->cfg->topology.dims, p->dim[d], LINE_MAX);
		longest = p->dim[d] > longest ? p->dim[d] : longest;
	}
	if (p->cfg->topology.express >= longest)
		return plan_fail(p, "topology", "express",
				 "%u: no line of %s has a second interchange, expected less than %u",
				 (unsigned)p->cfg->topology.express, p->cfg->topology.dims, longest);
	size[p->dims] = p->cfg->topology.concentration;
	if (!size[p->dims])
		return plan_fail(p, "topology", "concentration", "0: expected 1 or more nodes of each router");
	if (plan_product(p, size, p->dims + 1, &nodes))
		return -1;
	return plan_no_cabinets(p);
}

static uint32_t express_coordinate(const struct express *x, uint32_t router, unsigned d)
{
	return router / x->step[d] % x->size[d];
}

static int express_add(struct express *x, const struct topology *t, struct graph *g, uint32_t router, unsigned d,
		       unsigned class, bool down, struct err *e)
{
	uint32_t far = (class == EXPRESS ? x->every : 1) * x->step[d];
	uint32_t to = down ? router - far : router + far;
	uint16_t port = (uint16_t)(d * EXPRESS_PORTS + express_port(class, down));
	uint16_t back = (uint16_t)(d * EXPRESS_PORTS + express_port(class, !down));

	x->out[((size_t)router * x->dims + d) * EXPRESS_PORTS + express_port(class, down)] = (uint32_t)g->link.count;
	return graph_link(g, (struct topology_link){t->nodes + router, t->nodes + to, (uint16_t) class, port, back}, e);
}

static int express_link_router(struct express *x, const struct topology *t, struct graph *g, uint32_t router,
			       struct err *e)
{
	for (unsigned d = 0; d < x->dims; d++)
		for (unsigned class = LOCAL; class <= EXPRESS; class ++) {
			uint32_t at = express_coordinate(x, router, d), far = class == EXPRESS ? x->every : 1;

			if (class == EXPRESS && at % x->every)
				continue;
			if (at + far < x->size[d] && express_add(x, t, g, router, d, class, false, e))
				return -1;
			if (at >= far && express_add(x, t, g, router, d, class, true, e))
				return -1;
		}
	return 0;
}

static int express_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->cfg->topology.concentration);
	struct express *x = mem_alloc(1, sizeof(*x), e);
	uint32_t size[EXPRESS_DIMS_MAX + 1] = {p->cfg->topology.concentration};

	t->private_data = x;
	if (!x)
		return -1;
	x->dims = p->dims;
	x->concentration = p->cfg->topology.concentration;
	x->every = p->cfg->topology.express;
	t->routers = 1;
	for (unsigned d = 0; d < x->dims; d++) {
		x->size[d] = size[d + 1] = p->dim[d];
		x->step[d] = t->routers;
		t->routers *= p->dim[d];
	}
	t->nodes = t->routers * x->concentration;
	t->vcs = 2;
	x->out = mem_alloc((size_t)t->routers * x->dims, EXPRESS_PORTS * sizeof(*x->out), e);
	if (!x->out || plan_dims(t, size, x->dims + 1, e) ||
	    graph_class(g, p->rate[LOCAL], p->cable_ps[LOCAL], e, "local") < 0 ||
	    graph_class(g, p->rate[EXPRESS], p->cable_ps[EXPRESS], e, "express") < 0)
		return -1;
	for (uint32_t router = 0; router < t->routers; router++)
		if (express_link_router(x, t, g, router, e))
			return -1;
	return graph_add_nics(g, t, &nics, e);
}

static void express_destroy(void *private_data)
{
	struct express *x = private_data;

	free(x->out);
	free(x);
}

static uint32_t express_apart(uint32_t a, uint32_t b)
{
	return a < b ? b - a : a - b;
}

/* Sets the interchanges before and behind a coordinate; they are one if there is none behind, or at it. */
static void interchanges(const struct express *x, unsigned d, uint32_t at, uint32_t around[2])
{
	around[0] = at / x->every * x->every;
	around[1] = around[0] + x->every < x->size[d] && at != around[0] ? around[0] + x->every : around[0];
}

/*
 * Returns the links between two coordinates of a line, and sets the coordinate to which its first part leads: that of
 * the interchange where express links begin, or `b` if none is worth it.
 */
static uint32_t express_line(const struct express *x, unsigned d, uint32_t a, uint32_t b, uint32_t *by)
{
	uint32_t least = express_apart(a, b), from[2], to[2];

	*by = b;
	interchanges(x, d, a, from);
	interchanges(x, d, b, to);
	for (unsigned i = 0; i < 4; i++) {
		uint32_t on = from[i / 2], off = to[i % 2];
		uint32_t links = express_apart(a, on) + express_apart(on, off) / x->every + express_apart(off, b);

		if (on != off && links < least) {
			least = links;
			*by = on;
		}
	}
	return least;
}

static unsigned express_between(const struct express *x, uint32_t a, uint32_t b)
{
	unsigned sum = 0;
	uint32_t by;

	for (unsigned d = 0; d < x->dims; d++)
		sum += express_line(x, d, express_coordinate(x, a, d), express_coordinate(x, b, d), &by);
	return sum;
}

static unsigned express_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct express *x = t->private_data;

	return express_between(x, src / x->concentration, dst / x->concentration);
}

/* Returns what the links of a line carry across the middle between coordinates `last` and `last` + 1, one way. */
static double express_across(const struct topology *t, unsigned d, uint32_t last)
{
	const struct express *x = t->private_data;
	double local = t->class[LOCAL].bytes_per_s;

	return last / x->every * x->every + x->every < x->size[d] ? local + t->class[EXPRESS].bytes_per_s : local;
}

/*
 * A cut through a line in its middle; through an odd one half of the lines are cut before the middle router, half
 * behind it, as topology_staircase has it.
 */
static double express_cut(const struct topology *t, unsigned d)
{
	const struct express *x = t->private_data;
	uint32_t half = x->size[d] / 2;

	return x->size[d] % 2 ? (express_across(t, d, half - 1) + express_across(t, d, half)) / 2
			      : express_across(t, d, half - 1);
}

static double express_bisection(const struct topology *t)
{
	const struct express *x = t->private_data;

	return topology_staircase(t, &(struct staircase){x->dims, x->size, express_cut}, t->routers);
}

static void express_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)t;
	(void)src;
	(void)key;
	*r = (struct route){.dst = dst};
}

static unsigned express_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step *steps)
{
	const struct express *x = t->private_data;
	uint32_t at = router - t->nodes, end = r->dst / x->concentration, a = 0, b = 0, by;
	unsigned d = 0, class;
	bool down;

	(void)in_link;
	(void)in_vc;
	while (d < x->dims && (a = express_coordinate(x, at, d)) == (b = express_coordinate(x, end, d)))
		d++;
	if (d == x->dims) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	express_line(x, d, a, b, &by);
	class = by == a ? EXPRESS : LOCAL;
	down = class == EXPRESS ? b < a : by < a;
	steps[0] = (struct route_step){
		.link = x->out[((size_t)at * x->dims + d) * EXPRESS_PORTS + express_port(class, down)],
		.vc = by == b,
		.hops = (uint16_t)(express_between(x, at, end) + 1),
		.escape = true};
	return 1;
}

static void express_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	(void)t;
	(void)router;
	(void)step;
	(void)r;
}

const struct topology_kind topology_express_cube = {
	.name = topology_express_cube_name,
	.doc = "mesh with express links between interchanges",
	.lines = true,
	.routing = {ROUTING_DIMENSION_ORDER(express_start, express_next, express_take)},
	.levels = express_levels,
	.check = express_check,
	.build = express_build,
	.destroy = express_destroy,
	.distance = express_distance,
	.bisection = express_bisection,
};
