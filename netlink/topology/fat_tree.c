/*
 * Fat trees: extended generalised fat trees XGFT(h; m1 … mh; 1, w2 … wh) (S. Öhring et al., IPPS
 * 1995). A switch of level l has m_l children and w_(l+1) parents; level 1 has m_1 nodes. k-ary
 * n-trees have m = k, w = k throughout; the full trees of 2p-port switches with 3 levels are p x p
 * x 2p.
 *
 * A switch of level l is (above, choice). `above` is its subtree: the digits of its nodes' numbers
 * without the first l. `choice` is the switch within the subtree: the choices of parents that lead
 * up to it, as one number.
 *
 * Packets go up to a common ancestor and down. Up-down paths form no cycle, so one VC suffices. The
 * path down is fixed, the path up is free.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "number_list.h"
#include "topology_plan.h"

enum { LEVELS_MAX = 16, PORTS_MAX = 65000 };

struct tree {
	unsigned levels;
	uint32_t down[LEVELS_MAX + 1], up[LEVELS_MAX + 1]; /* of a switch of level 1 …; up of the last level: 0 */
	uint32_t first[LEVELS_MAX + 2];                    /* the first switch of level 1 …, counted from 0 */
	uint16_t *digit;                                   /* [node * levels + l - 1], lowest first */
};

struct __attribute__((may_alias)) tree_state {
	uint32_t seed; /* selects the path up: a node, or random bits */
	uint16_t hops; /* links to go, ejection included */
	uint8_t level; /* level of the present switch */
	uint8_t climb; /* levels to go up */
	uint8_t unused[8];
};
static_assert(sizeof(struct tree_state) == ROUTE_STATE_BYTES, "fills the state of a route");

/* Reads w_2 …: the parameter `up`, by default the same as down. */
static int read_up(struct plan *p, uint32_t up[PLAN_LIST_MAX])
{
	const char *text = p->cfg->topology.up;
	int n;

	if (!strcmp(text, "full")) {
		for (unsigned i = 0; i + 1 < p->dims; i++)
			up[i] = p->dim[i];
		return 0;
	}
	n = list_sizes(text, up, PLAN_LIST_MAX, p->err);
	if (n < 0)
		return plan_blame(p, "topology", "up");
	if ((unsigned)n + 1 != p->dims)
		return plan_fail(p, "topology", "up", "%s: %d sizes, expected %u: one for each level but the last",
				 text, n, p->dims - 1);
	return 0;
}

static unsigned fat_tree_levels(const struct plan *p)
{
	return p->dims > 1 ? p->dims - 1 : 1;
}

/* Checks that switches, links, and the ports of a switch fit their types. */
static int fat_tree_check(struct plan *p)
{
	uint32_t up[PLAN_LIST_MAX];
	uint64_t nodes, above, choices = 1;

	if (p->dims > LEVELS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u levels, expected at most %d", p->cfg->topology.dims,
				 p->dims, LEVELS_MAX);
	if (plan_product(p, p->dim, p->dims, &nodes) || read_up(p, up))
		return -1;
	above = nodes;
	for (unsigned l = 0; l < p->dims; l++) {
		uint64_t ports = (uint64_t)p->dim[l] * (l ? 1 : p->cfg->topology.nics) + (l + 1 < p->dims ? up[l] : 0);

		above /= p->dim[l];
		if (ports > PORTS_MAX || above * choices * ports > (uint64_t)8 * PLAN_NODES_MAX)
			return plan_fail(p, "topology", "dims", "%s: too many links at level %u", p->cfg->topology.dims,
					 l + 1);
		choices *= l + 1 < p->dims ? up[l] : 1;
	}
	return plan_no_cabinets(p);
}

/*
 * Adds the links between levels l and l + 1, where level l has `above` subtrees of `choices`
 * switches each.
 */
static int link_level(const struct tree *f, const struct topology *t, struct graph *g, unsigned l,
		      const uint32_t size[2], struct err *e)
{
	uint32_t above = size[0], choices = size[1], parts = f->up[l] * choices;
	/* ports of NICs come last, so the ports up are a leaf's first */
	unsigned base = l > 1 ? f->down[l] : 0, class = 2 * (l - 1);

	for (uint32_t a = 0; a < above; a++)
		for (uint32_t c = 0; c < choices; c++)
			for (unsigned up = 0; up < f->up[l]; up++) {
				uint32_t low = t->nodes + f->first[l] + a * choices + c;
				uint32_t high =
					t->nodes + f->first[l + 1] + a / f->down[l + 1] * parts + up * choices + c;
				uint16_t child = (uint16_t)(a % f->down[l + 1]), port = (uint16_t)(base + up);

				if (graph_link(g, (struct topology_link){low, high, (uint16_t) class, port, child},
					       e) ||
				    graph_link(g, (struct topology_link){high, low, (uint16_t)(class + 1), child, port},
					       e))
					return -1;
			}
	return 0;
}

static int build_levels(struct tree *f, const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	uint32_t size[2] = {t->nodes / f->down[1], 1};

	for (unsigned l = 1; l <= f->levels; l++) {
		f->first[l + 1] = f->first[l] + size[0] * size[1];
		if (l == f->levels)
			break;
		if (graph_class(g, p->rate[l - 1], p->cable_ps[l - 1], e, "up%u", l) < 0 ||
		    graph_class(g, p->rate[l - 1], p->cable_ps[l - 1], e, "down%u", l) < 0 ||
		    link_level(f, t, g, l, size, e))
			return -1;
		size[0] /= f->down[l + 1];
		size[1] *= f->up[l];
	}
	t->routers = f->first[f->levels + 1];
	return 0;
}

static int fat_tree_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->dim[0]);
	struct tree *f = mem_alloc(1, sizeof(*f), e);
	uint32_t up[PLAN_LIST_MAX];
	struct plan copy = *p;

	t->private_data = f;
	if (!f || read_up(&copy, up))
		return -1;
	f->levels = p->dims;
	t->nodes = 1;
	t->vcs = 1;
	for (unsigned l = 1; l <= f->levels; l++) {
		t->nodes *= f->down[l] = p->dim[l - 1];
		f->up[l] = l < f->levels ? up[l - 1] : 0;
	}
	f->digit = plan_coordinates(t->nodes, &f->down[1], f->levels, e);
	if (!f->digit || build_levels(f, p, t, g, e))
		return -1;
	return graph_add_nics(g, t, &nics, e);
}

static void fat_tree_destroy(void *private_data)
{
	struct tree *f = private_data;

	free(f->digit);
	free(f);
}

/* Returns the level of the lowest common ancestor: 1 for nodes of one leaf. */
static unsigned common_level(const struct tree *f, uint32_t a, uint32_t b)
{
	unsigned l = f->levels;

	while (l > 1 && f->digit[a * f->levels + l - 1] == f->digit[b * f->levels + l - 1])
		l--;
	return l;
}

static unsigned fat_tree_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	return 2 * (common_level(t->private_data, src, dst) - 1);
}

static struct tree_state *fat_tree_state_of(struct route *r)
{
	return (struct tree_state *)(void *)r->state;
}

static const struct tree_state *fat_tree_state_read(const struct route *r)
{
	return (const struct tree_state *)(const void *)r->state;
}

static void set_out(const struct topology *t, uint32_t src, uint32_t dst, uint32_t seed, struct route *r)
{
	unsigned climb = common_level(t->private_data, src, dst) - 1;

	*fat_tree_state_of(r) = (struct tree_state){
		.seed = seed, .hops = (uint16_t)(2 * climb + 1), .level = 1, .climb = (uint8_t)climb};
}

static void start_destination(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)key;
	set_out(t, src, dst, dst, r);
}

static void start_source(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)key;
	set_out(t, src, dst, src, r);
}

static void start_random(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	set_out(t, src, dst, (uint32_t)rng_u64(key, 0, 0), r);
}

/* Returns the step over port `port` of the switch; a leaf's NICs are not counted. */
static struct route_step fat_tree_step_of(const struct topology *t, uint32_t router, unsigned port,
					  const struct tree_state *s)
{
	return (struct route_step){t->out_link[t->out_first[router] + port], 0, s->hops, true, 0, COUNTS_LINK};
}

static unsigned down_or_out(const struct topology *t, uint32_t router, const struct route *r, struct route_step *steps)
{
	const struct tree *f = t->private_data;
	const struct tree_state *s = fat_tree_state_read(r);

	if (s->level == 1)
		steps[0] = route_eject(t, r);
	else
		steps[0] = fat_tree_step_of(t, router, f->digit[r->dst * f->levels + s->level - 1], s);
	return 1;
}

/* Returns the port of the first parent. */
static unsigned first_up(const struct tree *f, const struct tree_state *s)
{
	return s->level > 1 ? f->down[s->level] : 0;
}

/* Goes up by the digits of node `seed`: digit l selects the parent at level l (D-mod-k, S-mod-k). */
static unsigned up_by_digits(const struct tree *f, const struct tree_state *s)
{
	unsigned digit = f->digit[s->seed * f->levels + s->level - 1], up = f->up[s->level];

	return digit < up ? digit : digit % up;
}

static unsigned next_digits(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			    const struct route *r, struct route_step *steps)
{
	const struct tree *f = t->private_data;
	const struct tree_state *s = fat_tree_state_read(r);

	(void)in_link;
	(void)in_vc;
	if (!s->climb)
		return down_or_out(t, router, r, steps);
	steps[0] = fat_tree_step_of(t, router, first_up(f, s) + up_by_digits(f, s), s);
	return 1;
}

static unsigned next_random(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			    const struct route *r, struct route_step *steps)
{
	const struct tree *f = t->private_data;
	const struct tree_state *s = fat_tree_state_read(r);
	uint32_t bits;

	(void)in_link;
	(void)in_vc;
	if (!s->climb)
		return down_or_out(t, router, r, steps);
	/* independent bits at every level: the finaliser of MurmurHash3 */
	bits = s->seed + s->level * 0x9e3779b9u;
	bits = (bits ^ bits >> 16) * 0x85ebca6bu;
	bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
	bits ^= bits >> 16;
	steps[0] = fat_tree_step_of(t, router, first_up(f, s) + (unsigned)((uint64_t)bits * f->up[s->level] >> 32), s);
	return 1;
}

/* Random up-links: a parent at each level but the last. */
static uint32_t fat_tree_choices(const struct topology *t)
{
	const struct tree *f = t->private_data;
	uint64_t choices = 1;

	for (unsigned l = 1; l < f->levels && choices <= UINT32_MAX; l++)
		choices *= f->up[l];
	return choices <= UINT32_MAX ? (uint32_t)choices : 0;
}

/* The digits of the choice are the parents, lowest level first. */
static unsigned fat_tree_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
				unsigned max)
{
	const struct tree *f = t->private_data;
	unsigned climb = common_level(f, src, dst) - 1, count = 0;
	uint32_t link = t->inject[src * t->nics];

	if (2 * climb + 2 > max)
		return 0;
	links[count++] = link;
	for (unsigned l = 1; l <= climb; l++) {
		unsigned first = l > 1 ? f->down[l] : 0;

		link = t->out_link[t->out_first[t->link[link].to] + first + choice % f->up[l]];
		choice /= f->up[l];
		links[count++] = link;
	}
	for (unsigned l = climb + 1; l > 1; l--) {
		link = t->out_link[t->out_first[t->link[link].to] + f->digit[dst * f->levels + l - 1]];
		links[count++] = link;
	}
	links[count++] = t->eject[dst * t->nics];
	return count;
}

/* Offers all parents, the one by destination first; if there are more than fit, those that follow it. */
static unsigned fat_tree_next_adaptive(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
				       const struct route *r, struct route_step *steps)
{
	const struct tree *f = t->private_data;
	const struct tree_state *s = fat_tree_state_read(r);
	unsigned up, parent, count;

	(void)in_link;
	(void)in_vc;
	if (!s->climb)
		return down_or_out(t, router, r, steps);
	up = f->up[s->level];
	parent = up_by_digits(f, s);
	for (count = 0; count < up && count < ROUTE_STEPS_MAX; count++) {
		steps[count] = fat_tree_step_of(t, router, first_up(f, s) + parent, s);
		parent = parent + 1 < up ? parent + 1 : 0;
	}
	return count;
}

static void fat_tree_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	struct tree_state *s = fat_tree_state_of(r);

	(void)t;
	(void)router;
	(void)step;
	s->hops--;
	if (s->climb) {
		s->climb--;
		s->level++;
	} else {
		s->level--;
	}
}

/*
 * Cut through the roots, each of which has half of its children on either side: the flow that the
 * narrowest level passes up from half of the nodes. Known if the last level is even.
 */
static double fat_tree_bisection(const struct topology *t)
{
	const struct tree *f = t->private_data;
	double least = t->nodes * (double)t->nics * t->class[t->classes - 1].bytes_per_s;

	if (f->down[f->levels] % 2)
		return 0;
	for (unsigned l = 1; l < f->levels; l++) {
		const struct topology_class *c = &t->class[2 * (l - 1)];

		if (c->links * c->bytes_per_s < least)
			least = c->links * c->bytes_per_s;
	}
	return least / 2;
}

const struct topology_kind topology_fat_tree = {
	.name = topology_fat_tree_name,
	.doc = "extended generalised fat tree (k-ary n-tree, folded Clos)",
	.shape = SHAPE_TREE,
	.routing =
		{
			{.name = "destination_digits",
			 .doc = "up-links by the digits of the destination (D-mod-k)",
			 .start = start_destination,
			 .next = next_digits,
			 .take = fat_tree_take,
			 .minimal = true},
			{.name = "source_digits",
			 .doc = "up-links by the digits of the source (S-mod-k)",
			 .start = start_source,
			 .next = next_digits,
			 .take = fat_tree_take,
			 .minimal = true},
			{.name = "random",
			 .doc = "random up-links, by the packet's key",
			 .start = start_random,
			 .next = next_random,
			 .take = fat_tree_take,
			 .choices = fat_tree_choices,
			 .choose = fat_tree_choose,
			 .random = true,
			 .minimal = true},
			{.name = "adaptive",
			 .doc = "up-links by queue length",
			 .start = start_destination,
			 .next = fat_tree_next_adaptive,
			 .take = fat_tree_take,
			 .choice = true,
			 .minimal = true},
		},
	.levels = fat_tree_levels,
	.check = fat_tree_check,
	.build = fat_tree_build,
	.destroy = fat_tree_destroy,
	.distance = fat_tree_distance,
	.bisection = fat_tree_bisection,
};
