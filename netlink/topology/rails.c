/*
 * Rails: islands of `rails` GPUs, joined by a switch with fast links, and a plane for each rail: a network of any other
 * kind whose nodes are the GPUs of that number, one of each island (NVIDIA, "DGX SuperPOD reference architecture"; W.
 * Wang et al., "Rail-only", HOTI 2024, has planes without links between them, as here). Node island * rails + rail is a
 * GPU; it has a router of its own, with a link to the switch of its island and one to its plane.
 *
 * The routers are those of the GPUs, the switches of the islands, then the planes, one behind the other. A packet that
 * leaves its island changes the rail in its own island or in its destination's. So channels are held in the order fast
 * links, plane, or the reverse: there is no cycle if the plane's routing has none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "link_class.h"
#include "topology_plan.h"

/* Ports of a GPU's router and of routers of planes: behind those of planes, before those of NICs (link_graph.c). */
enum { PORT_ISLAND, PORT_PLANE, PORT_GPU = 0xfe00 };
enum { HOPS_ACROSS = 2 }; /* links between two GPUs of an island */

struct rails {
	struct topology *plane;
	struct topology_routing routing;                         /* that of the rails, with what the plane's adds */
	uint32_t rails, islands, plane_links;                    /* plane_links: of routers */
	uint32_t to_switch, to_gpu, to_plane, from_plane, first; /* links of GPU 0; first: of plane 0 */
};

/* Makes the plan of the planes: the same lists, for another kind. */
static struct plan rails_plane_plan(const struct plan *p)
{
	struct plan q = *p;
	unsigned kinds;

	q.kind = topology_kinds(&kinds)[p->cfg->topology.plane];
	return q;
}

static unsigned rails_levels(const struct plan *p)
{
	struct plan q = rails_plane_plan(p);

	return q.kind->levels(&q);
}

/* The configuration of a plane. What concerns all links, or links that are down, is left to the whole. */
static struct topology_config *rails_plane_config(const struct topology_config *cfg, struct err *e)
{
	struct topology_config *c = mem_alloc(1, sizeof(*c), e);

	if (!c)
		return NULL;
	*c = *cfg;
	c->topology.kind = cfg->topology.plane;
	snprintf(c->topology.routing, sizeof(c->topology.routing), "%s", cfg->topology.plane_routing);
	snprintf(c->topology.down, sizeof(c->topology.down), "none");
	c->links_fail = false;
	c->classes = 0;
	c->plane = true;
	c->link.port_bandwidth = 0;
	return c;
}

/* The links of an island have one bandwidth and one cable, from [link] or from the section of their class. */
static int rails_check_island(struct plan *p)
{
	const struct link_class_config *c = link_class_section(p->cfg, "island");

	if (c && c->bandwidth > 0 && p->cfg->link.island_bandwidth != 0)
		return plan_fail(p, "link", "island_bandwidth",
				 "%.6g, and [link.island] has a bandwidth, expected one of both",
				 p->cfg->link.island_bandwidth);
	if (c && c->cable >= 0 && p->cfg->link.island_cable != 0)
		return plan_fail(p, "link", "island_cable",
				 "%lld ps, and [link.island] has a cable, expected one of both",
				 (long long)p->cfg->link.island_cable);
	return 0;
}

static int rails_check(struct plan *p)
{
	struct topology_config *c;
	struct plan q;
	int result;

	if (!strcmp(rails_plane_plan(p).kind->name, topology_rails_name) ||
	    !strcmp(rails_plane_plan(p).kind->name, topology_platform_name))
		return plan_fail(p, "topology", "plane", "a plane of kind %s, expected another kind",
				 rails_plane_plan(p).kind->name);
	if (p->cfg->topology.nics != 1)
		return plan_fail(p, "topology", "nics", "%u NICs of a node, expected 1: a node is a GPU with its NIC",
				 (unsigned)p->cfg->topology.nics);
	if (rails_check_island(p))
		return -1;
	c = rails_plane_config(p->cfg, p->err);
	if (!c)
		return -1;
	result = plan_make(&q, c, p->err);
	p->blame_section = q.blame_section;
	p->blame_key = q.blame_key;
	free(c);
	return result;
}

/* ---- building ---- */

static uint32_t gpu_router(const struct topology *t, uint32_t node)
{
	return t->nodes + node;
}

static uint32_t island_switch(const struct topology *t, uint32_t island)
{
	return 2 * t->nodes + island;
}

static uint32_t plane_vertex(const struct topology *t, const struct rails *x, uint32_t rail, uint32_t router)
{
	return 2 * t->nodes + x->islands + rail * x->plane->routers + (router - x->plane->nodes);
}

/* Adds a link from each GPU to its switch and to its plane, and back: the numbers of each go with those of the GPUs. */
static int rails_link_gpus(struct rails *x, const struct topology *t, struct graph *g, const int class[2],
			   struct err *e)
{
	uint32_t *const first[4] = {&x->to_switch, &x->to_gpu, &x->to_plane, &x->from_plane};

	for (unsigned way = 0; way < 4; way++) {
		*first[way] = (uint32_t)g->link.count;
		for (uint32_t node = 0; node < t->nodes; node++) {
			uint32_t island = node / x->rails, rail = node % x->rails, here = gpu_router(t, node);
			uint32_t home = x->plane->link[x->plane->inject[island]].to;
			uint32_t to = way < 2 ? island_switch(t, island) : plane_vertex(t, x, rail, home);
			uint16_t own = way < 2 ? PORT_ISLAND : PORT_PLANE, its = way < 2 ? (uint16_t)rail : PORT_GPU;
			struct topology_link out = {here, to, (uint16_t) class[way / 2], own, its};
			struct topology_link in = {to, here, (uint16_t) class[way / 2], its, own};

			if (graph_link(g, way % 2 ? in : out, e))
				return -1;
		}
	}
	return 0;
}

/* Copies the links of the planes, each plane's in the order of its numbers. */
static int rails_link_planes(struct rails *x, const struct topology *t, struct graph *g, unsigned class, struct err *e)
{
	const struct topology *plane = x->plane;

	x->first = (uint32_t)g->link.count;
	for (uint32_t rail = 0; rail < x->rails; rail++)
		for (uint32_t l = 0; l < x->plane_links; l++) {
			struct topology_link link = plane->link[l];

			link.from = plane_vertex(t, x, rail, link.from);
			link.to = plane_vertex(t, x, rail, link.to);
			link.class = (uint16_t)(link.class + class);
			if (graph_link(g, link, e))
				return -1;
		}
	return 0;
}

/* The plane's links between routers come first, its NICs last (graph_add_nics). */
static uint32_t links_of_routers(const struct topology *plane)
{
	uint32_t count = 0;

	while (count < plane->links && plane->link[count].from >= plane->nodes && plane->link[count].to >= plane->nodes)
		count++;
	return count;
}

static int rails_make_plane(const struct plan *p, struct topology *t, struct rails *x, struct err *e)
{
	struct topology_config *c = rails_plane_config(p->cfg, e);
	uint32_t size[PLAN_LIST_MAX];
	uint64_t nodes;

	x->plane = c ? topology_create(c, e) : NULL;
	free(c);
	if (!x->plane)
		return -1;
	x->rails = p->cfg->topology.rails;
	x->islands = x->plane->nodes;
	x->plane_links = links_of_routers(x->plane);
	nodes = (uint64_t)x->islands * x->rails;
	if (nodes + (uint64_t)x->plane->routers * x->rails > PLAN_NODES_MAX)
		return err_set(e, STATUS_USAGE, "topology.rails: %u planes of %u nodes, expected at most %d vertices",
			       x->rails, x->islands, PLAN_NODES_MAX);
	t->nodes = (uint32_t)nodes;
	t->routers = t->nodes + x->islands + x->rails * x->plane->routers;
	t->vcs = x->plane->vcs;
	size[0] = x->rails;
	for (unsigned d = 0; d < x->plane->dimensions && d + 1 < PLAN_LIST_MAX; d++)
		size[d + 1] = x->plane->dims[d];
	return plan_dims(t, size, x->plane->dimensions + 1, e);
}

/* A routing of rails is random or adaptive if that of its planes is. */
static void rails_note_routing(struct topology *t, struct rails *x)
{
	const struct topology_routing *of_plane = x->plane->routing;

	t->random = x->plane->random;
	if (!of_plane->choice && !of_plane->random)
		return;
	x->routing = *t->routing;
	x->routing.choice = of_plane->choice;
	x->routing.random = of_plane->random;
	x->routing.by_vc = of_plane->by_vc;
	x->routing.sees_group = of_plane->sees_group;
	t->routing = &x->routing;
}

/* Returns the bandwidth of a class that has `rate` without a section of its own. */
static double class_rate(const struct topology_config *cfg, const char *name, double rate)
{
	const struct link_class_config *c = link_class_section(cfg, name);

	return c && c->bandwidth > 0 ? c->bandwidth : rate;
}

static int rails_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, 1);
	struct rails *x = mem_alloc(1, sizeof(*x), e);
	double island = p->cfg->link.island_bandwidth;
	int class[2];

	t->private_data = x;
	if (!x || rails_make_plane(p, t, x, e))
		return -1;
	rails_note_routing(t, x);
	island = island == 0 ? nics.bytes_per_s : island;
	class[0] = graph_class(g, island, p->cfg->link.island_cable, e, "island");
	class[1] = graph_class(g, nics.bytes_per_s, nics.cable_ps, e, "rail");
	if (class[0] < 0 || class[1] < 0)
		return -1;
	for (unsigned c = 0; c + 2 < x->plane->classes; c++) { /* the last two are of its NICs */
		const struct topology_class *k = &x->plane->class[c];

		if (graph_class(g, k->bytes_per_s, k->cable_ps, e, "%s", k->name) < 0)
			return -1;
	}
	if (rails_link_gpus(x, t, g, class, e) || rails_link_planes(x, t, g, 2, e))
		return -1;
	nics.bytes_per_s = fmax(class_rate(p->cfg, "island", island), class_rate(p->cfg, "rail", nics.bytes_per_s));
	nics.cable_ps = 0;
	return graph_add_nics(g, t, &nics, e);
}

static void rails_destroy(void *private_data)
{
	struct rails *x = private_data;

	topology_destroy(x->plane);
	free(x);
}

/* ---- distances ---- */

static unsigned rails_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct rails *x = t->private_data;
	uint32_t a = src / x->rails, b = dst / x->rails;
	unsigned across = src % x->rails == dst % x->rails ? 0 : HOPS_ACROSS;

	return a == b ? across : across + 2 + topology_distance(x->plane, a, b);
}

/*
 * Between halves of the islands: that of each plane. Between halves of the rails: all fast links of half of the GPUs.
 * The second has no use if one half would have more GPUs.
 */
static double rails_bisection(const struct topology *t)
{
	const struct rails *x = t->private_data;
	double planes = x->plane->kind->bisection ? x->plane->kind->bisection(x->plane) * x->rails : 0;
	double islands = (double)x->islands * (x->rails / 2) * t->class[0].bytes_per_s;

	return planes > 0 && x->rails % 2 == 0 && islands < planes ? islands : planes;
}

/* ---- paths ---- */

static struct route rails_route_of_plane(const struct rails *x, const struct route *r)
{
	struct route q = *r;

	q.dst = r->dst / x->rails;
	return q;
}

static void rails_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	const struct rails *x = t->private_data;
	struct route q = {0};

	*r = (struct route){.dst = dst};
	if (src / x->rails == dst / x->rails)
		return;
	topology_route_start(x->plane, src / x->rails, dst / x->rails, key, &q);
	memcpy(r->state, q.state, sizeof(r->state));
}

/* Returns the link of a plane for one of ours, or ours for one of a plane's. */
static uint32_t rails_link_of_plane(const struct rails *x, uint32_t rail, uint32_t link)
{
	if (link >= x->first)
		return link - x->first - rail * x->plane_links;
	if (link >= x->from_plane)
		return x->plane->eject[(link - x->from_plane) / x->rails];
	return x->plane->inject[(link - x->to_plane) / x->rails];
}

static uint32_t rails_link_from_plane(const struct rails *x, uint32_t rail, uint32_t link)
{
	uint32_t to = x->plane->link[link].to;

	return to < x->plane->nodes ? x->from_plane + to * x->rails + rail : x->first + rail * x->plane_links + link;
}

/* Offers the steps of a router of a plane; `router` is a vertex of the plane. */
static unsigned rails_next_in_plane(const struct topology *t, uint32_t rail, uint32_t router, uint32_t in_link,
				    unsigned in_vc, const struct route *r, struct route_step *steps)
{
	const struct rails *x = t->private_data;
	struct route q = rails_route_of_plane(x, r);
	unsigned count = topology_route_next(x->plane, router, in_link, in_vc, &q, steps);

	for (unsigned i = 0; i < count; i++) {
		steps[i].link = rails_link_from_plane(x, rail, steps[i].link);
		steps[i].hops = (uint16_t)(steps[i].hops + (rail == r->dst % x->rails ? 1 : 1 + HOPS_ACROSS));
		if (steps[i].sees)
			steps[i].sees = rails_link_from_plane(x, rail, steps[i].sees - 1) + 1;
	}
	return count;
}

/* Returns the step of GPU `node` into its plane. */
static struct route_step rails_enter(const struct topology *t, const struct rails *x, uint32_t node,
				     const struct route *r)
{
	uint32_t inject = x->plane->inject[node / x->rails];
	struct route_step steps[ROUTE_STEPS_MAX];

	rails_next_in_plane(t, node % x->rails, x->plane->link[inject].to, inject, 0, r, steps);
	return (struct route_step){.link = x->to_plane + node, .hops = (uint16_t)(steps[0].hops + 1), .escape = true};
}

/* Returns a step within an island; `then` links follow behind it. */
static struct route_step rails_cross(uint32_t link, unsigned then)
{
	return (struct route_step){.link = link, .hops = (uint16_t)(1 + then), .escape = true};
}

static unsigned rails_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			   const struct route *r, struct route_step *steps)
{
	const struct rails *x = t->private_data;
	uint32_t v = router - t->nodes, rail = r->dst % x->rails, island = r->dst / x->rails;
	bool early = t->routing->legs == 1; /* the packet changes its rail before the plane */

	if (v >= t->nodes + x->islands) {
		uint32_t plane = (v - t->nodes - x->islands) / x->plane->routers;

		return rails_next_in_plane(t, plane, (v - t->nodes - x->islands) % x->plane->routers + x->plane->nodes,
					   rails_link_of_plane(x, plane, in_link), in_vc, r, steps);
	}
	if (v >= t->nodes) { /* a switch, on the way to the GPU of the destination's rail */
		uint32_t here = v - t->nodes, gpu = here * x->rails + rail;

		steps[0] = rails_cross(x->to_gpu + gpu, here == island ? 1 : rails_enter(t, x, gpu, r).hops);
	} else if (v == r->dst) {
		steps[0] = route_eject(t, r);
	} else if (v / x->rails == island) {
		steps[0] = rails_cross(x->to_switch + v, HOPS_ACROSS);
	} else if (early && v % x->rails != rail) {
		steps[0] = rails_cross(x->to_switch + v, 1u + rails_enter(t, x, v - v % x->rails + rail, r).hops);
	} else {
		steps[0] = rails_enter(t, x, v, r);
	}
	return 1;
}

static void rails_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct rails *x = t->private_data;
	uint32_t v = router - t->nodes, rail;
	struct route_step of_plane = *step;
	struct route q;

	if (v < t->nodes + x->islands)
		return;
	v -= t->nodes + x->islands;
	rail = v / x->plane->routers;
	q = rails_route_of_plane(x, r);
	of_plane.link = rails_link_of_plane(x, rail, step->link);
	topology_route_take(x->plane, v % x->plane->routers + x->plane->nodes, &of_plane, &q);
	memcpy(r->state, q.state, sizeof(r->state));
}

const struct topology_kind topology_rails = {
	.name = topology_rails_name,
	.doc = "islands of GPUs, and a plane of another kind for each rail",
	.routing =
		{
			{.name = "early",
			 .doc = "to the GPU of the destination's rail, then over its plane",
			 ROUTED_BY(rails_start, rails_next, rails_take),
			 .minimal = true,
			 .legs = 1},
			{.name = "late",
			 .doc = "over the plane of the source's rail, then to the destination",
			 ROUTED_BY(rails_start, rails_next, rails_take),
			 .minimal = true,
			 .legs = 2},
		},
	.levels = rails_levels,
	.check = rails_check,
	.build = rails_build,
	.destroy = rails_destroy,
	.distance = rails_distance,
	.bisection = rails_bisection,
};
