#include "placement_cost.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "node_routes.h"

/* Adds the bytes of a message to every link of its path. */
static void placement_cost_add_route(struct node_routes *w, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t *load)
{
	const struct topology *t = w->t;
	unsigned count = node_routes_find(w, src, dst);

	load[t->inject[src * t->nics]] += bytes;
	for (unsigned i = 0; i < count; i++)
		load[w->links[i]] += bytes;
	load[t->eject[dst * t->nics]] += bytes;
}

static void find_max(const struct topology *t, const uint64_t *load, struct mapping_cost *c)
{
	for (uint32_t l = 0; l < t->links; l++)
		if (t->link[l].from >= t->nodes && t->link[l].to >= t->nodes && load[l] > c->max_link_bytes) {
			c->max_link_bytes = load[l];
			c->max_link = l;
		}
}

static void add_edges_up(struct node_routes *w, const struct task_graph *g, const uint32_t *node,
			 struct mapping_cost *c, uint64_t *load)
{
	*c = (struct mapping_cost){0};
	for (size_t i = 0; i < g->edges; i++) {
		const struct task_edge *x = &g->edge[i];
		uint32_t a = node[x->src], b = node[x->dst];

		if (a == b)
			continue;
		c->hop_bytes += x->bytes * node_routes_distance(w, a, b, false);
		c->mesh_hop_bytes += x->bytes * node_routes_distance(w, a, b, true);
		placement_cost_add_route(w, a, b, x->bytes, load);
	}
	find_max(w->t, load, c);
}

int mapping_cost(const struct topology *t, const struct task_graph *g, const uint32_t *node, struct mapping_cost *c,
		 uint64_t *load, struct err *e)
{
	uint64_t *own = load ? NULL : mem_alloc(t->links, sizeof(*own), e), *use = load ? load : own;
	struct node_routes w = {0};
	int result = -1;

	for (uint32_t l = 0; load && l < t->links; l++)
		load[l] = 0;
	if (use && !node_routes_init(&w, t, e)) {
		add_edges_up(&w, g, node, c, use);
		result = 0;
	}
	node_routes_finish(&w);
	free(own);
	return result;
}
