/*
 * Dragonfly+ (A. Shpiner et al., HiPINEB 2017), or Megafly: groups of leaves with p nodes each and of spines with h
 * global links each; every leaf of a group is joined to every spine of it. Global ports of groups, j / h their spine,
 * lead where those of a dragonfly lead: port j of group i to group i + j + 1, and each further round of ports adds a
 * copy of every link.
 *
 * A minimal path goes up, over a global link and down, or up and down within a group. One VC is enough for it: up,
 * global, down are an order. A path via another group has these on VC 0, there as far as it must go down to a leaf for
 * another spine, and again on VC 1.
 */
#include <assert.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "topology_plan.h"

enum { PORTS_MAX = 65000 };
enum { LOCAL, GLOBAL, CLASSES };

struct dragonfly_plus {
	uint32_t p, leaves, spines, h, groups, copies; /* copies: global links between two groups */
};

struct __attribute__((may_alias)) dragonfly_plus_state {
	uint32_t router;  /* leaf of the destination */
	uint32_t draw;    /* selects the copy of the global link on the last leg; within a group the spine */
	uint16_t between; /* group at the end of the first leg */
	uint16_t first;   /* copy of the global link on the first leg */
	uint16_t leaf;    /* of the group between, on the way from spine to spine */
	uint8_t hops;     /* links to go, ejection included */
	uint8_t leg;      /* enum leg */
};
static_assert(sizeof(struct dragonfly_plus_state) == ROUTE_STATE_BYTES, "fills the state of a route");

static unsigned dragonfly_plus_levels(const struct plan *p)
{
	(void)p;
	return CLASSES;
}

static uint32_t dragonfly_plus_groups(const struct plan *p)
{
	return p->cfg->topology.groups ? p->cfg->topology.groups : p->dim[2] * p->dim[3] + 1;
}

static int dragonfly_plus_check(struct plan *p)
{
	uint64_t ports, local, nodes;

	if (p->dims != 4)
		return plan_fail(p, "topology", "dims",
				 "%s: %u sizes, expected 4: nodes per leaf, leaves and spines per group, global links "
				 "per spine",
				 p->cfg->topology.dims, p->dims);
	ports = (uint64_t)p->dim[2] * p->dim[3];
	if (ports > PORTS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %llu global links per group, expected at most %d",
				 p->cfg->topology.dims, (unsigned long long)ports, PORTS_MAX);
	if (dragonfly_plus_groups(p) > ports + 1)
		return plan_fail(p, "topology", "groups",
				 "%u groups, expected at most %llu: one more than a group has global links",
				 dragonfly_plus_groups(p), (unsigned long long)ports + 1);
	if (plan_product(p, (uint32_t[]){p->dim[0], p->dim[1], dragonfly_plus_groups(p)}, 3, &nodes))
		return -1;
	local = (uint64_t)p->dim[1] * p->dim[2];
	if (local * dragonfly_plus_groups(p) > PLAN_NODES_MAX)
		return plan_fail(p, "topology", "dims", "%s: %llu links within each group, expected at most %d in all",
				 p->cfg->topology.dims, (unsigned long long)local, PLAN_NODES_MAX);
	return plan_no_cabinets(p);
}

static uint32_t dragonfly_plus_group(const struct dragonfly_plus *f, uint32_t router)
{
	return router / (f->leaves + f->spines);
}

/* Returns the place of a router in its group: leaves are first. */
static uint32_t dragonfly_plus_place(const struct dragonfly_plus *f, uint32_t router)
{
	return router % (f->leaves + f->spines);
}

static uint32_t dragonfly_plus_home(const struct dragonfly_plus *f, uint32_t node)
{
	uint32_t leaf = node / f->p;

	return leaf / f->leaves * (f->leaves + f->spines) + leaf % f->leaves;
}

/* Returns the global port of group `from` towards group `to`. */
static uint32_t dragonfly_plus_port(const struct dragonfly_plus *f, uint32_t from, uint32_t to, uint32_t copy)
{
	uint32_t ahead = to > from ? to - from : to + f->groups - from;

	return copy * (f->groups - 1) + ahead - 1;
}

/* Returns the place in group `from` of the spine that has its link to group `to`. */
static uint32_t dragonfly_plus_gate(const struct dragonfly_plus *f, uint32_t from, uint32_t to, uint32_t copy)
{
	return f->leaves + dragonfly_plus_port(f, from, to, copy) / f->h;
}

/* ---- building ---- */

static int dragonfly_plus_link_leaves(const struct dragonfly_plus *f, uint32_t first, struct graph *g, struct err *e)
{
	for (uint32_t leaf = 0; leaf < f->leaves; leaf++)
		for (uint32_t i = 0; i < f->spines; i++) {
			uint32_t spine = first + f->leaves + i;
			uint16_t up = (uint16_t)i, down = (uint16_t)leaf;

			if (graph_link(g, (struct topology_link){first + leaf, spine, LOCAL, up, down}, e) ||
			    graph_link(g, (struct topology_link){spine, first + leaf, LOCAL, down, up}, e))
				return -1;
		}
	return 0;
}

static int dragonfly_plus_link_spines(const struct dragonfly_plus *f, uint32_t nodes, uint32_t group, struct graph *g,
				      struct err *e)
{
	uint32_t routers = f->leaves + f->spines;

	for (uint32_t copy = 0; copy < f->copies; copy++)
		for (uint32_t to = 0; to < f->groups; to++) {
			uint32_t out, in;

			if (to == group)
				continue;
			out = dragonfly_plus_port(f, group, to, copy);
			in = dragonfly_plus_port(f, to, group, copy);
			if (graph_link(g,
				       (struct topology_link){nodes + group * routers + f->leaves + out / f->h,
							      nodes + to * routers + f->leaves + in / f->h, GLOBAL,
							      (uint16_t)(f->leaves + out % f->h),
							      (uint16_t)(f->leaves + in % f->h)},
				       e))
				return -1;
		}
	return 0;
}

static int dragonfly_plus_add_nics(const struct plan *p, const struct dragonfly_plus *f, const struct topology *t,
				   struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, 0);
	uint32_t *home = mem_alloc(t->nodes, sizeof(*home), e);
	int result;

	if (!home)
		return -1;
	for (uint32_t node = 0; node < t->nodes; node++)
		home[node] = dragonfly_plus_home(f, node);
	nics.home = home;
	result = graph_add_nics(g, t, &nics, e);
	free(home);
	return result;
}

static int dragonfly_plus_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct dragonfly_plus *f = mem_alloc(1, sizeof(*f), e);
	uint32_t groups = dragonfly_plus_groups(p), ports = p->dim[2] * p->dim[3];

	t->private_data = f;
	if (!f)
		return -1;
	*f = (struct dragonfly_plus){p->dim[0], p->dim[1], p->dim[2], p->dim[3], groups, 0};
	f->copies = groups > 1 ? ports / (groups - 1) : 0;
	t->routers = (f->leaves + f->spines) * groups;
	t->nodes = f->p * f->leaves * groups;
	t->vcs = t->routing->minimal ? 1 : 2;
	if (plan_dims(t, (uint32_t[]){f->p, f->leaves, groups}, 3, e) ||
	    graph_class(g, p->rate[LOCAL], p->cable_ps[LOCAL], e, "local") < 0 ||
	    graph_class(g, p->rate[GLOBAL], p->cable_ps[GLOBAL], e, "global") < 0)
		return -1;
	for (uint32_t group = 0; group < groups; group++)
		if (dragonfly_plus_link_leaves(f, t->nodes + group * (f->leaves + f->spines), g, e) ||
		    dragonfly_plus_link_spines(f, t->nodes, group, g, e))
			return -1;
	return dragonfly_plus_add_nics(p, f, t, g, e);
}

/* ---- paths ---- */

static unsigned dragonfly_plus_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct dragonfly_plus *f = t->private_data;
	uint32_t from = dragonfly_plus_home(f, src), to = dragonfly_plus_home(f, dst);

	if (from == to)
		return 0;
	return dragonfly_plus_group(f, from) == dragonfly_plus_group(f, to) ? 2 : 3;
}

/* Cuts all global links between two halves of the groups, or all links up of half of the leaves. */
static double dragonfly_plus_bisection(const struct topology *t)
{
	const struct dragonfly_plus *f = t->private_data;
	double half = f->groups / 2, global, local;

	if (f->groups % 2)
		return 0;
	global = half * half * f->copies * t->class[GLOBAL].bytes_per_s;
	local = half * f->leaves * f->spines * t->class[LOCAL].bytes_per_s;
	return global < local ? global : local;
}

static struct dragonfly_plus_state *dragonfly_plus_state_of(struct route *r)
{
	return (struct dragonfly_plus_state *)(void *)r->state;
}

static const struct dragonfly_plus_state *dragonfly_plus_state_read(const struct route *r)
{
	return (const struct dragonfly_plus_state *)(const void *)r->state;
}

/* Returns the place of the spine by which the last leg leaves group `own`, or which it takes within the group. */
static uint32_t dragonfly_plus_exit(const struct dragonfly_plus *f, uint32_t own, const struct dragonfly_plus_state *s)
{
	uint32_t to = dragonfly_plus_group(f, s->router);

	if (own == to)
		return f->leaves + s->draw % f->spines;
	return dragonfly_plus_gate(f, own, to, s->draw % f->copies);
}

/* Counts the links of the last leg from router `at`. */
static unsigned dragonfly_plus_to_go(const struct dragonfly_plus *f, uint32_t at, const struct dragonfly_plus_state *s)
{
	uint32_t own = dragonfly_plus_group(f, at), place = dragonfly_plus_place(f, at);

	if (at == s->router)
		return 0;
	if (own == dragonfly_plus_group(f, s->router))
		return place < f->leaves ? 2 : 1;
	if (place < f->leaves)
		return 3;
	return place == dragonfly_plus_exit(f, own, s) ? 2 : 4;
}

static void dragonfly_plus_last_leg(const struct dragonfly_plus *f, uint32_t at, struct dragonfly_plus_state *s)
{
	s->leg = LEG_LAST;
	s->hops = (uint8_t)(dragonfly_plus_to_go(f, at, s) + 1);
}

static void dragonfly_plus_start_by(const struct topology *t, uint32_t src, uint32_t dst, uint32_t draw,
				    struct route *r)
{
	const struct dragonfly_plus *f = t->private_data;
	struct dragonfly_plus_state *s = dragonfly_plus_state_of(r);

	*s = (struct dragonfly_plus_state){.router = dragonfly_plus_home(f, dst), .draw = draw};
	dragonfly_plus_last_leg(f, dragonfly_plus_home(f, src), s);
}

static void dragonfly_plus_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)key;
	dragonfly_plus_start_by(t, src, dst, dst, r);
}

static void dragonfly_plus_start_random(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key,
					struct route *r)
{
	dragonfly_plus_start_by(t, src, dst, (uint32_t)(rng_u64(key, 1, 0) >> 32), r);
}

/* Starts a path via a random group, unless that is an end's. The key draws copies and leaf. */
static void dragonfly_plus_start_legs(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key,
				      struct route *r, enum leg leg)
{
	const struct dragonfly_plus *f = t->private_data;
	struct dragonfly_plus_state *s = dragonfly_plus_state_of(r);
	uint32_t from = dragonfly_plus_home(f, src), own = dragonfly_plus_group(f, from), between, arrival;

	dragonfly_plus_start_random(t, src, dst, key, r);
	between = (uint32_t)rng_below(key, 2, 0, f->groups);
	if (from == s->router || between == own || between == dragonfly_plus_group(f, s->router))
		return;
	s->between = (uint16_t)between;
	s->first = (uint16_t)rng_below(key, 3, 0, f->copies);
	s->leaf = (uint16_t)rng_below(key, 4, 0, f->leaves);
	s->leg = (uint8_t)leg;
	arrival = between * (f->leaves + f->spines) + dragonfly_plus_gate(f, between, own, s->first);
	s->hops = (uint8_t)(2 + dragonfly_plus_to_go(f, arrival, s) + 1);
}

static void dragonfly_plus_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key,
					 struct route *r)
{
	dragonfly_plus_start_legs(t, src, dst, key, r, LEG_FIRST);
}

static void dragonfly_plus_start_ugal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key,
				      struct route *r)
{
	dragonfly_plus_start_legs(t, src, dst, key, r, LEG_OPEN);
}

/* Returns the port of router `at` on the leg of `s`; sets `*vc` to that of paths of two legs. */
static uint32_t dragonfly_plus_leave(const struct dragonfly_plus *f, uint32_t at, const struct dragonfly_plus_state *s,
				     uint16_t *vc)
{
	uint32_t own = dragonfly_plus_group(f, at), place = dragonfly_plus_place(f, at), exit;
	uint32_t to = s->leg == LEG_LAST ? dragonfly_plus_group(f, s->router) : s->between;
	uint32_t copy = s->leg == LEG_LAST ? s->draw % (f->copies ? f->copies : 1) : s->first;

	*vc = s->leg == LEG_LAST;
	if (own == to && place >= f->leaves)
		return dragonfly_plus_place(f, s->router);
	exit = s->leg == LEG_LAST ? dragonfly_plus_exit(f, own, s) : dragonfly_plus_gate(f, own, to, copy);
	if (place < f->leaves)
		return exit - f->leaves;
	if (place == exit)
		return f->leaves + dragonfly_plus_port(f, own, to, copy) % f->h;
	*vc = 0; /* the first leg ends at the leaf */
	return s->leaf;
}

static struct route_step dragonfly_plus_step(const struct topology *t, uint32_t router,
					     const struct dragonfly_plus_state *s)
{
	struct route_step step = {.hops = s->hops, .escape = true};
	uint32_t port = dragonfly_plus_leave(t->private_data, router - t->nodes, s, &step.vc);

	step.link = t->out_link[t->out_first[router] + port];
	if (t->vcs == 1)
		step.vc = 0;
	return step;
}

static unsigned dragonfly_plus_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				    const struct route *r, struct route_step *steps)
{
	const struct dragonfly_plus_state *s = dragonfly_plus_state_read(r);
	unsigned count = 0;

	(void)in_link;
	(void)in_vc;
	if (s->leg == LEG_LAST && router - t->nodes == s->router) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	if (s->leg == LEG_OPEN) {
		struct dragonfly_plus_state minimal = *s;

		dragonfly_plus_last_leg(t->private_data, router - t->nodes, &minimal);
		steps[count++] = dragonfly_plus_step(t, router, &minimal);
	}
	steps[count++] = dragonfly_plus_step(t, router, s);
	return count;
}

static void dragonfly_plus_take(const struct topology *t, uint32_t router, const struct route_step *step,
				struct route *r)
{
	const struct dragonfly_plus *f = t->private_data;
	struct dragonfly_plus_state *s = dragonfly_plus_state_of(r);
	uint32_t to = t->link[step->link].to;

	if (to < t->nodes)
		return;
	if (s->leg == LEG_OPEN) {
		if (step->vc)
			dragonfly_plus_last_leg(f, router - t->nodes, s);
		else
			s->leg = LEG_FIRST;
	}
	s->hops--;
	if (s->leg == LEG_FIRST && dragonfly_plus_group(f, to - t->nodes) == s->between)
		dragonfly_plus_last_leg(f, to - t->nodes, s);
}

/*
 * ---- progressive ----
 * The source's leaf chooses as with ugal, but a minimal path stays open up to its first spine, on VC 0. There it goes
 * on, over the global link to the destination's group, or by a group to which another link of this spine leads. The
 * order of channels stays up, global, down on VC 0, then on VC 1.
 */

static void dragonfly_plus_start_progressive(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key,
					     struct route *r)
{
	const struct dragonfly_plus *f = t->private_data;
	struct dragonfly_plus_state *s = dragonfly_plus_state_of(r);
	uint32_t own = dragonfly_plus_group(f, dragonfly_plus_home(f, src));

	dragonfly_plus_start_legs(t, src, dst, key, r, LEG_OPEN);
	if (s->leg == LEG_LAST && own != dragonfly_plus_group(f, s->router)) {
		s->leg = LEG_OPEN;
		s->between = (uint16_t)own; /* none was drawn */
	}
}

/* Returns whether spine `at` has a drawn link to a third group, and sets `by` to the path over it. */
static bool dragonfly_plus_divert(const struct dragonfly_plus *f, uint32_t at, const struct dragonfly_plus_state *s,
				  struct dragonfly_plus_state *by)
{
	uint32_t own = dragonfly_plus_group(f, at), place = dragonfly_plus_place(f, at) - f->leaves;
	uint32_t port = place * f->h + (s->draw >> 8) % f->h, to, arrival;

	if (port >= f->copies * (f->groups - 1))
		return false;
	to = (own + 1 + port % (f->groups - 1)) % f->groups;
	if (to == dragonfly_plus_group(f, s->router))
		return false;
	*by = *s;
	by->leg = LEG_FIRST;
	by->between = (uint16_t)to;
	by->first = (uint16_t)(port / (f->groups - 1));
	arrival = to * (f->leaves + f->spines) + dragonfly_plus_gate(f, to, own, by->first);
	by->hops = (uint8_t)(1 + dragonfly_plus_to_go(f, arrival, s) + 1);
	return true;
}

static struct route_step dragonfly_plus_minimal_step(const struct topology *t, uint32_t router,
						     const struct dragonfly_plus_state *s)
{
	struct dragonfly_plus_state minimal = *s;

	dragonfly_plus_last_leg(t->private_data, router - t->nodes, &minimal);
	return dragonfly_plus_step(t, router, &minimal);
}

static unsigned dragonfly_plus_next_progressive(const struct topology *t, uint32_t router, uint32_t in_link,
						unsigned in_vc, const struct route *r, struct route_step *steps)
{
	const struct dragonfly_plus *f = t->private_data;
	const struct dragonfly_plus_state *s = dragonfly_plus_state_read(r);
	uint32_t at = router - t->nodes;
	struct dragonfly_plus_state by;

	if (s->leg != LEG_OPEN)
		return dragonfly_plus_next(t, router, in_link, in_vc, r, steps);
	steps[0] = dragonfly_plus_minimal_step(t, router, s);
	if (dragonfly_plus_place(f, at) >= f->leaves) {
		if (!dragonfly_plus_divert(f, at, s, &by))
			return 1;
		steps[1] = dragonfly_plus_step(t, router, &by);
		return 2;
	}
	steps[0].vc = 0;
	if (s->between == dragonfly_plus_group(f, at))
		return 1;
	steps[1] = dragonfly_plus_step(t, router, s);
	return 2;
}

static void dragonfly_plus_take_progressive(const struct topology *t, uint32_t router, const struct route_step *step,
					    struct route *r)
{
	const struct dragonfly_plus *f = t->private_data;
	struct dragonfly_plus_state *s = dragonfly_plus_state_of(r), by;
	uint32_t at = router - t->nodes;

	if (s->leg == LEG_OPEN && dragonfly_plus_place(f, at) < f->leaves &&
	    step->link == dragonfly_plus_minimal_step(t, router, s).link)
		return; /* open up to the spine */
	if (s->leg == LEG_OPEN && dragonfly_plus_place(f, at) >= f->leaves && !step->vc &&
	    dragonfly_plus_divert(f, at, s, &by))
		*s = by;
	dragonfly_plus_take(t, router, step, r);
}

const struct topology_kind topology_dragonfly_plus = {
	.name = topology_dragonfly_plus_name,
	.doc = "groups of leaves and spines, all groups joined by their spines",
	.routing =
		{
			{.name = "minimal",
			 .doc = "up, global, down; the destination selects among equal paths",
			 ROUTED_BY(dragonfly_plus_start, dragonfly_plus_next, dragonfly_plus_take),
			 .minimal = true},
			{.name = "random",
			 .doc = "up, global, down; equal paths at random for each packet",
			 ROUTED_BY(dragonfly_plus_start_random, dragonfly_plus_next, dragonfly_plus_take),
			 .random = true,
			 .minimal = true},
			{.name = "valiant",
			 .doc = "via a random group",
			 ROUTED_BY(dragonfly_plus_start_valiant, dragonfly_plus_next, dragonfly_plus_take),
			 .random = true},
			{.name = "ugal",
			 .doc = "random or valiant, by the queue lengths at the source",
			 ROUTED_BY(dragonfly_plus_start_ugal, dragonfly_plus_next, dragonfly_plus_take),
			 .choice = true,
			 .random = true},
			{.name = "progressive",
			 .doc = "ugal, and again at the first spine: on, or via a group that it is joined to",
			 ROUTED_BY(dragonfly_plus_start_progressive, dragonfly_plus_next_progressive,
				   dragonfly_plus_take_progressive),
			 .choice = true,
			 .random = true},
		},
	.levels = dragonfly_plus_levels,
	.check = dragonfly_plus_check,
	.build = dragonfly_plus_build,
	.destroy = free,
	.distance = dragonfly_plus_distance,
	.bisection = dragonfly_plus_bisection,
};
