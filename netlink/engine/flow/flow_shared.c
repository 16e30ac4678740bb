/*
 * Bandwidths that several links share: both directions of a half-duplex link, all links of a backbone. Each is a link
 * of its own, which a message takes once besides those of its path.
 */
#include "flow_state.h"

#include "../../../psim/base/mem.h"
#include "../../topology/down.h"
#include "../../topology/topology_names.h"
#include "../../topology/kind.h"

/* Gives links `l` and `back` (UINT32_MAX: none) a new bandwidth. */
static int share_between(struct net_engine *n, uint32_t l, uint32_t back, struct err *e)
{
	const struct topology *t = n->topology;
	uint32_t *first = vec_push(&n->media, e);

	if (!first || fluid_add_link(&n->fluid, t->class[t->link[l].class].bytes_per_s, e))
		return -1;
	*first = l;
	n->shared[l] = n->fluid.links - 1;
	if (back != UINT32_MAX)
		n->shared[back] = n->fluid.links - 1;
	return 0;
}

/* Returns whether a link of class `a` may share a bandwidth with one of `b`: directions of a torus have two classes. */
static bool may_pair(const struct topology_class *a, const struct topology_class *b)
{
	return b->half_duplex && b->bytes_per_s == a->bytes_per_s;
}

/* Returns a link back that has no partner yet, of the same class if there is one, or UINT32_MAX. */
static uint32_t link_back(const struct net_engine *n, uint32_t l)
{
	const struct topology *t = n->topology;
	const struct topology_class *classes = t->class;
	const struct topology_link *link = &t->link[l];
	uint32_t other = UINT32_MAX;

	for (uint32_t i = t->out_first[link->to]; i < t->out_first[link->to + 1]; i++) {
		uint32_t back = t->out_link[i];

		if (back == l || t->link[back].to != link->from || n->shared[back])
			continue;
		if (t->link[back].class == link->class)
			return back;
		if (other == UINT32_MAX && may_pair(&classes[link->class], &classes[t->link[back].class]))
			other = back;
	}
	return other;
}

static int share_pair(struct net_engine *n, uint32_t l, struct err *e)
{
	uint32_t back = link_back(n, l);
	char name[LINK_NAME_MAX];

	if (back == UINT32_MAX)
		return err_set(
			e, STATUS_USAGE,
			"flow engine: link %s, half duplex of class %s, has no link back of its class, expected one "
			"of a half-duplex class with its bandwidth",
			topology_link_name(n->topology, l, name), n->topology->class[n->topology->link[l].class].name);
	return share_between(n, l, back, e);
}

/* All links of a class are one. */
static int share_class(struct net_engine *n, unsigned class, struct err *e)
{
	const struct topology *t = n->topology;
	uint32_t row = 0;

	for (uint32_t l = 0; l < t->links; l++) {
		if (t->link[l].class != class)
			continue;
		if (!row && share_between(n, l, UINT32_MAX, e))
			return -1;
		row = row ? row : n->shared[l];
		n->shared[l] = row;
	}
	return 0;
}

int flow_shared_make(struct net_engine *n, struct err *e)
{
	const struct topology *t = n->topology;

	for (unsigned c = 0; c < t->classes; c++) {
		const struct topology_class *class = &t->class[c];

		if (!class->links || (!class->half_duplex && !class->backbone))
			continue;
		if (n->routes != ROUTES_ONE)
			return err_set(
				e, STATUS_USAGE,
				"flow engine: links of class %s share a bandwidth, expected a routing with one path "
				"between two nodes, not %s",
				class->name, t->routing->name);
		if (!n->shared && !(n->shared = mem_alloc(t->links, sizeof(*n->shared), e)))
			return -1;
		if (class->backbone && share_class(n, c, e))
			return -1;
		for (uint32_t l = 0; class->half_duplex && l < t->links; l++)
			if (t->link[l].class == c && !n->shared[l] && share_pair(n, l, e))
				return -1;
	}
	if (!n->log || (!n->shared && !net_log_wants_links(n->log)))
		return 0;
	n->flowing = mem_alloc(flow_rows(n), sizeof(*n->flowing), e);
	if (!n->flowing || !net_log_wants_links(n->log))
		return n->flowing ? 0 : -1;
	n->by_link = mem_alloc(t->links, sizeof(*n->by_link), e);
	return n->by_link ? 0 : -1;
}

uint32_t flow_link_of(const struct net_engine *n, uint32_t row)
{
	const uint32_t media = n->memory + 2 * n->topology->nodes; /* the first medium's row: it follows the memories */

	if (row < n->topology->links)
		return n->shared && n->shared[row] ? FLOW_NO_LINK : row;
	return row >= media && row - media < n->media.count ? n->media.at[row - media] : FLOW_NO_LINK;
}

uint32_t flow_first_of(const struct net_engine *n, uint32_t link)
{
	return n->shared && n->shared[link] ? flow_link_of(n, n->shared[link]) : link;
}

void flow_media(const struct net_engine *n, uint32_t *first, double *bytes)
{
	for (uint32_t l = 0; l < n->topology->links; l++) {
		first[l] = flow_first_of(n, l);
		if (n->shared && n->shared[l])
			bytes[l] = first[l] == l ? n->fluid.link[n->shared[l]].carried : 0;
	}
}

unsigned flow_shared_add(struct net_engine *n, unsigned links, unsigned all)
{
	for (unsigned i = 0; n->shared && i < links; i++) {
		uint32_t row = n->shared[n->path[i]];
		unsigned k = links;

		while (k < all && n->path[k] != row)
			k++;
		if (row && k == all)
			n->path[all++] = row;
	}
	return all;
}
