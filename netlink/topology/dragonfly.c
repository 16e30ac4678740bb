/*
 * Dragonfly (J. Kim, W. Dally, S. Scott, D. Abts, ISCA 2008): groups of `a` routers, all connected
 * to each other, each with `p` nodes and `h` global links. Global port j of group i, j = 0 … a*h -
 * 1, belongs to router j / h and leads to group i + j + 1 ("relative" arrangement: C. Camarero, E.
 * Vallejo, R. Beivide, ACM TACO 11(4), 2014). Where there are fewer groups than ports, each further
 * round of ports adds a copy of every link, and ports of an incomplete round stay unconnected.
 *
 * VCs, on local and global links alike: 0 on the path to a group other than the destination's, 1 from there to the
 * destination's, 2 in that group. Channels in the order local 0, global 0, local 1, global 1, local 2 form no cycle;
 * minimal routing needs the last two only. Where packets choose, minimal paths use VC 3 instead of 1 up to the
 * destination's group: on VC 1 they would fill the buffers that second legs need, and packets that avoid a congested
 * link would wait behind those that do not.
 */
#include <assert.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "topology_plan.h"

enum { PORTS_MAX = 65000 };
enum { VC_FIRST, VC_SECOND, VC_THERE, VC_MINIMAL, VCS };

struct dragonfly {
	uint32_t p, a, h, groups, copies; /* copies: global links between two groups */
	uint16_t *group, *index;          /* [router]: its group, and its index in the group */
	uint16_t *gate, *gate_port;       /* [global port of a group]: its router, and its port among the h */
	uint32_t *home;                   /* [node]: its router */
};

struct __attribute__((may_alias)) dragonfly_state {
	uint32_t router;        /* of the destination */
	uint16_t between;       /* group at the end of the first leg */
	uint16_t hops;          /* links to go, ejection included */
	uint16_t copy;          /* copy of the global link on the only leg, or the last one */
	uint16_t first, second; /* copies on the legs via another group, drawn separately */
	uint8_t leg;            /* enum leg */
	uint8_t by_way;         /* the packet chose the path via another group */
};
static_assert(sizeof(struct dragonfly_state) == ROUTE_STATE_BYTES, "fills the state of a route");

static unsigned dragonfly_levels(const struct plan *p)
{
	(void)p;
	return 2;
}

static uint32_t groups_of(const struct plan *p)
{
	return p->cfg->topology.groups ? p->cfg->topology.groups : p->dim[1] * p->dim[2] + 1;
}

static int dragonfly_check(struct plan *p)
{
	uint64_t ports;
	uint32_t size[3];

	if (p->dims != 3)
		return plan_fail(
			p, "topology", "dims",
			"%s: %u sizes, expected 3: nodes per router, routers per group, global links per router",
			p->cfg->topology.dims, p->dims);
	ports = (uint64_t)p->dim[1] * p->dim[2];
	if (ports > PORTS_MAX || p->dim[1] > PORTS_MAX / 2)
		return plan_fail(p, "topology", "dims", "%s: %llu global links per group, expected at most %d",
				 p->cfg->topology.dims, (unsigned long long)ports, PORTS_MAX);
	if (groups_of(p) > ports + 1)
		return plan_fail(p, "topology", "groups",
				 "%u groups, expected at most %llu: one more than a group has global links",
				 groups_of(p), (unsigned long long)ports + 1);
	size[0] = p->dim[0];
	size[1] = p->dim[1];
	size[2] = groups_of(p);
	if (plan_product(p, size, 3, &ports))
		return -1;
	return plan_no_cabinets(p);
}

static int dragonfly_make_arrays(struct dragonfly *f, const struct plan *p, struct topology *t, struct err *e)
{
	f->p = p->dim[0];
	f->a = p->dim[1];
	f->h = p->dim[2];
	f->groups = groups_of(p);
	f->copies = f->groups > 1 ? f->a * f->h / (f->groups - 1) : 0;
	t->routers = f->a * f->groups;
	t->nodes = f->p * t->routers;
	f->group = mem_alloc(t->routers, sizeof(*f->group), e);
	f->index = mem_alloc(t->routers, sizeof(*f->index), e);
	f->gate = mem_alloc((size_t)f->a * f->h, sizeof(*f->gate), e);
	f->gate_port = mem_alloc((size_t)f->a * f->h, sizeof(*f->gate_port), e);
	f->home = mem_alloc(t->nodes, sizeof(*f->home), e);
	if (!f->group || !f->index || !f->gate || !f->gate_port || !f->home)
		return -1;
	for (uint32_t r = 0; r < t->routers; r++) {
		f->group[r] = (uint16_t)(r / f->a);
		f->index[r] = (uint16_t)(r % f->a);
	}
	for (uint32_t j = 0; j < f->a * f->h; j++) {
		f->gate[j] = (uint16_t)(j / f->h);
		f->gate_port[j] = (uint16_t)(j % f->h);
	}
	for (uint32_t node = 0; node < t->nodes; node++)
		f->home[node] = node / f->p;
	return plan_dims(t, (uint32_t[]){f->p, f->a, f->groups}, 3, e);
}

/* Returns the global port of group `from` towards group `to`. */
static uint32_t port_to(const struct dragonfly *f, uint32_t from, uint32_t to, uint32_t copy)
{
	uint32_t ahead = to > from ? to - from : to + f->groups - from;

	return copy * (f->groups - 1) + ahead - 1;
}

/* Returns the port of router index `from` of a group towards index `to`. */
static unsigned local_port(unsigned from, unsigned to)
{
	return to < from ? to : to - 1;
}

static int link_group(const struct dragonfly *f, const struct topology *t, struct graph *g, uint32_t group,
		      struct err *e)
{
	uint32_t first = t->nodes + group * f->a;

	for (unsigned i = 0; i < f->a; i++)
		for (unsigned j = 0; j < f->a; j++)
			if (i != j &&
			    graph_link(g,
				       (struct topology_link){first + i, first + j, 0, (uint16_t)local_port(i, j),
							      (uint16_t)local_port(j, i)},
				       e))
				return -1;
	for (uint32_t copy = 0; copy < f->copies; copy++)
		for (uint32_t to = 0; to < f->groups; to++) {
			uint32_t out, in;

			if (to == group)
				continue;
			out = port_to(f, group, to, copy);
			in = port_to(f, to, group, copy);
			if (graph_link(g,
				       (struct topology_link){first + f->gate[out], t->nodes + to * f->a + f->gate[in],
							      1, (uint16_t)(f->a - 1 + f->gate_port[out]),
							      (uint16_t)(f->a - 1 + f->gate_port[in])},
				       e))
				return -1;
		}
	return 0;
}

static int dragonfly_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->dim[0]);
	struct dragonfly *f = mem_alloc(1, sizeof(*f), e);

	t->private_data = f;
	if (!f || dragonfly_make_arrays(f, p, t, e) || graph_class(g, p->rate[0], p->cable_ps[0], e, "local") < 0 ||
	    graph_class(g, p->rate[1], p->cable_ps[1], e, "global") < 0)
		return -1;
	t->random |= f->copies > 1;
	t->vcs = t->routing->minimal ? 2 : t->routing->choice ? VCS : 3;
	for (uint32_t group = 0; group < f->groups; group++)
		if (link_group(f, t, g, group, e))
			return -1;
	return graph_add_nics(g, t, &nics, e);
}

static void dragonfly_destroy(void *private_data)
{
	struct dragonfly *f = private_data;

	free(f->group);
	free(f->index);
	free(f->gate);
	free(f->gate_port);
	free(f->home);
	free(f);
}

/* Counts the links from router `at` into another group; sets `*arrival` to the router at their end. */
static unsigned into_group(const struct dragonfly *f, uint32_t at, uint32_t group, uint32_t copy, uint32_t *arrival)
{
	uint32_t own = f->group[at];

	*arrival = group * f->a + f->gate[port_to(f, group, own, copy)];
	return (f->index[at] != f->gate[port_to(f, own, group, copy)]) + 1u;
}

static unsigned dragonfly_between_routers(const struct dragonfly *f, uint32_t at, uint32_t to, uint32_t copy)
{
	uint32_t arrival;
	unsigned n;

	if (f->group[at] == f->group[to])
		return at != to;
	n = into_group(f, at, f->group[to], copy, &arrival);
	return n + (arrival != to);
}

/* Minimum over the copies of a global link. */
static unsigned dragonfly_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct dragonfly *f = t->private_data;
	unsigned least = dragonfly_between_routers(f, f->home[src], f->home[dst], 0);

	for (uint32_t copy = 1; copy < f->copies; copy++) {
		unsigned n = dragonfly_between_routers(f, f->home[src], f->home[dst], copy);

		least = n < least ? n : least;
	}
	return least;
}

/*
 * Minimum over cuts between groups, half of them on either side. With an odd number one group is
 * divided: as many of its first routers as have global links to one side join it, the others the
 * other side, which cuts local links between them and the global links of copies that cross.
 */
static double dragonfly_bisection(const struct topology *t)
{
	const struct dragonfly *f = t->private_data;
	uint32_t half = f->groups / 2, low = f->a / 2, global = half * half * f->copies;

	if (f->groups % 2 == 0)
		return global * t->class[1].bytes_per_s;
	for (uint32_t port = 0; port < f->copies * (f->groups - 1); port++)
		global += (f->gate[port] < low) != (port % (f->groups - 1) < half);
	return (double)low * (f->a - low) * t->class[0].bytes_per_s + global * t->class[1].bytes_per_s;
}

static struct dragonfly_state *dragonfly_state_of(struct route *r)
{
	return (struct dragonfly_state *)(void *)r->state;
}

static const struct dragonfly_state *dragonfly_state_read(const struct route *r)
{
	return (const struct dragonfly_state *)(const void *)r->state;
}

static void dragonfly_last_leg(const struct dragonfly *f, uint32_t at, struct dragonfly_state *s)
{
	s->leg = LEG_LAST;
	s->hops = (uint16_t)(dragonfly_between_routers(f, at, s->router, s->copy) + 1);
}

/* Returns the copy with the shortest path; among equals the first from the key's on. */
static uint16_t best_copy(const struct dragonfly *f, uint32_t from, uint32_t to, uint64_t key)
{
	uint32_t best = 0;
	unsigned least = UINT16_MAX;

	if (f->copies < 2 || f->group[from] == f->group[to])
		return 0;
	for (uint32_t i = 0; i < f->copies; i++) {
		uint32_t copy = (uint32_t)((key + i) % f->copies);
		unsigned n = dragonfly_between_routers(f, from, to, copy);

		if (n < least) {
			least = n;
			best = copy;
		}
	}
	return (uint16_t)best;
}

static void dragonfly_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	const struct dragonfly *f = t->private_data;
	struct dragonfly_state *s = dragonfly_state_of(r);

	*s = (struct dragonfly_state){.router = f->home[dst]};
	s->copy = best_copy(f, f->home[src], s->router, key);
	dragonfly_last_leg(f, f->home[src], s);
}

/* Sends a started packet via group `between`, by the copies s->first and s->second of global links. */
static void dragonfly_go_via(const struct dragonfly *f, uint32_t at, uint32_t between, struct dragonfly_state *s,
			     enum leg leg)
{
	uint32_t arrival;
	unsigned n;

	if (between == f->group[at] || between == f->group[s->router] || at == s->router)
		return;
	s->between = (uint16_t)between;
	if (leg == LEG_FIRST)
		s->copy = s->second;
	s->leg = (uint8_t)leg;
	n = into_group(f, at, between, s->first, &arrival);
	s->hops = (uint16_t)(n + dragonfly_between_routers(f, arrival, s->router, s->second) + 1);
}

static void dragonfly_start_legs(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r,
				 enum leg leg)
{
	const struct dragonfly *f = t->private_data;
	struct dragonfly_state *s = dragonfly_state_of(r);

	dragonfly_start(t, src, dst, key, r);
	if (f->copies > 1) {
		s->first = (uint16_t)rng_below(key, 2, 0, f->copies);
		s->second = (uint16_t)rng_below(key, 3, 0, f->copies);
	}
	dragonfly_go_via(f, f->home[src], (uint32_t)rng_below(key, 1, 0, f->groups), s, leg);
}

static void dragonfly_start_valiant(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	dragonfly_start_legs(t, src, dst, key, r, LEG_FIRST);
}

/* The group between, and the copies of both legs; a path within the ends' groups starts at copy `first`. */
static uint32_t dragonfly_choices(const struct topology *t)
{
	const struct dragonfly *f = t->private_data;
	uint64_t choices = (uint64_t)f->groups * f->copies * f->copies;

	return choices <= UINT32_MAX ? (uint32_t)choices : 0;
}

static unsigned dragonfly_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
				 unsigned max)
{
	const struct dragonfly *f = t->private_data;
	uint32_t first = choice / f->groups % f->copies, second = choice / f->groups / f->copies;
	struct route r = {.dst = dst};
	struct dragonfly_state *s = dragonfly_state_of(&r);

	dragonfly_start(t, src, dst, first, &r);
	s->first = (uint16_t)first;
	s->second = (uint16_t)second;
	dragonfly_go_via(f, f->home[src], choice % f->groups, s, LEG_FIRST);
	return route_walk(t, src, &r, links, max);
}

static void dragonfly_start_ugal(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	dragonfly_start_legs(t, src, dst, key, r, LEG_OPEN);
}

/* Returns the link behind `port` of router `index` of a group. */
static uint32_t link_of(const struct topology *t, uint32_t group, unsigned index, uint32_t port)
{
	const struct dragonfly *f = t->private_data;

	return t->out_link[t->out_first[t->nodes + group * f->a + index] + port];
}

static uint16_t vc_of(const struct topology *t, const struct dragonfly_state *s, bool there)
{
	if (s->leg != LEG_LAST)
		return VC_FIRST;
	if (t->routing->minimal)
		return there;
	if (there)
		return VC_THERE;
	return t->routing->choice && !s->by_way ? VC_MINIMAL : VC_SECOND;
}

/*
 * Returns the step from `router` towards the end of the leg. If the routing sees the group, the
 * global link's queue decides.
 */
static struct route_step dragonfly_step_of(const struct topology *t, uint32_t router, const struct dragonfly_state *s)
{
	const struct dragonfly *f = t->private_data;
	uint32_t at = router - t->nodes, own = f->group[at], to, port, global;
	struct route_step step = {.hops = s->hops, .escape = true};

	to = s->leg == LEG_LAST ? f->group[s->router] : s->between;
	step.vc = vc_of(t, s, own == to);
	if (own == to) {
		port = local_port(f->index[at], f->index[s->router]);
	} else {
		global = port_to(f, own, to, s->leg == LEG_LAST ? s->copy : s->first);
		port = f->a - 1 + f->gate_port[global];
		if (t->routing->sees_group)
			step.sees = link_of(t, own, f->gate[global], port) + 1;
		if (f->gate[global] != f->index[at])
			port = local_port(f->index[at], f->gate[global]);
	}
	step.link = link_of(t, own, f->index[at], port);
	return step;
}

static struct route_step minimal_step(const struct topology *t, uint32_t router, const struct dragonfly_state *s)
{
	struct dragonfly_state minimal = *s;

	dragonfly_last_leg(t->private_data, router - t->nodes, &minimal);
	return dragonfly_step_of(t, router, &minimal);
}

static unsigned dragonfly_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			       const struct route *r, struct route_step *steps)
{
	const struct dragonfly_state *s = dragonfly_state_read(r);
	unsigned count = 0;
	bool one_queue;

	(void)in_link;
	(void)in_vc;
	if (s->leg == LEG_LAST && router - t->nodes == s->router) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	if (s->leg == LEG_OPEN)
		steps[count++] = minimal_step(t, router, s);
	steps[count] = dragonfly_step_of(t, router, s);
	if (!count)
		return 1;
	/* over the same link the VCs differ, unless the queue seen is another link's */
	one_queue = steps[0].link == steps[1].link && !t->routing->sees_group;
	steps[0].counts = steps[1].counts = one_queue || t->routing->by_vc ? COUNTS_VC : COUNTS_ALL_VCS;
	return 2;
}

static void dragonfly_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct dragonfly *f = t->private_data;
	struct dragonfly_state *s = dragonfly_state_of(r);
	uint32_t to = t->link[step->link].to;

	if (to < t->nodes)
		return;
	if (s->leg == LEG_OPEN) {
		if (step->vc != VC_FIRST) {
			dragonfly_last_leg(f, router - t->nodes, s);
		} else {
			s->leg = LEG_FIRST;
			s->by_way = 1;
			s->copy = s->second;
		}
	}
	s->hops--;
	if (s->leg == LEG_FIRST && f->group[to - t->nodes] == s->between)
		dragonfly_last_leg(f, to - t->nodes, s);
}

const struct topology_kind topology_dragonfly = {
	.name = topology_dragonfly_name,
	.doc = "fully connected groups of fully connected routers",
	.routing =
		{
			{.name = "minimal",
			 .doc = "local, global, local",
			 .start = dragonfly_start,
			 .next = dragonfly_next,
			 .take = dragonfly_take,
			 .minimal = true},
			{.name = "valiant",
			 .doc = "via a random group",
			 .start = dragonfly_start_valiant,
			 .next = dragonfly_next,
			 .take = dragonfly_take,
			 .choices = dragonfly_choices,
			 .choose = dragonfly_choose,
			 .random = true},
			{.name = "ugal",
			 .doc = "minimal or valiant, by the queue lengths at the source",
			 .start = dragonfly_start_ugal,
			 .choice = true,
			 .next = dragonfly_next,
			 .take = dragonfly_take,
			 .random = true},
			{.name = "ugal_vc",
			 .doc = "minimal or valiant, by the queue lengths of the virtual channels that each would use",
			 .start = dragonfly_start_ugal,
			 .choice = true,
			 .by_vc = true,
			 .next = dragonfly_next,
			 .take = dragonfly_take,
			 .random = true},
			{.name = "ugal_global",
			 .doc = "minimal or valiant, by the queue lengths of the group's global links",
			 .start = dragonfly_start_ugal,
			 .choice = true,
			 .sees_group = true,
			 .next = dragonfly_next,
			 .take = dragonfly_take,
			 .random = true},
		},
	.levels = dragonfly_levels,
	.check = dragonfly_check,
	.build = dragonfly_build,
	.destroy = dragonfly_destroy,
	.distance = dragonfly_distance,
	.bisection = dragonfly_bisection,
};
