#include "placement_cost.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

enum { DIMS_MAX = 32 };

static uint64_t mesh_distance(const struct topology *t, uint32_t a, uint32_t b)
{
	uint32_t x[DIMS_MAX], y[DIMS_MAX];
	uint64_t sum = 0;

	topology_coordinates(t, a, x);
	topology_coordinates(t, b, y);
	for (unsigned d = 0; d < t->dimensions; d++)
		sum += x[d] > y[d] ? x[d] - y[d] : y[d] - x[d];
	return sum;
}

/* Adds the bytes of a message to every link of its path. */
static void placement_cost_add_way(const struct topology *t, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t *load)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t link = t->inject[src * t->nics], at;
	unsigned vc = 0;
	struct route r;

	topology_route_start(t, src, dst, 0, &r);
	for (;;) {
		load[link] += bytes;
		at = t->link[link].to;
		if (at < t->nodes)
			return;
		topology_route_next(t, at, link, vc, &r, steps);
		topology_route_take(t, at, &steps[0], &r);
		link = steps[0].link;
		vc = steps[0].vc;
	}
}

static void find_max(const struct topology *t, const uint64_t *load, struct mapping_cost *c)
{
	for (uint32_t l = 0; l < t->links; l++)
		if (t->link[l].from >= t->nodes && t->link[l].to >= t->nodes && load[l] > c->max_link_bytes) {
			c->max_link_bytes = load[l];
			c->max_link = l;
		}
}

int mapping_cost(const struct topology *t, const struct task_graph *g, const uint32_t *node, struct mapping_cost *c,
		 uint64_t *load, struct err *e)
{
	uint64_t *own = load ? NULL : mem_alloc(t->links, sizeof(*own), e), *use = load ? load : own;

	if (!use)
		return -1;
	*c = (struct mapping_cost){0};
	for (uint32_t l = 0; load && l < t->links; l++)
		load[l] = 0;
	for (size_t i = 0; i < g->edges; i++) {
		const struct task_edge *x = &g->edge[i];
		uint32_t a = node[x->src], b = node[x->dst];

		if (a == b)
			continue;
		c->hop_bytes += x->bytes * topology_distance(t, a, b);
		c->mesh_hop_bytes += x->bytes * mesh_distance(t, a, b);
		placement_cost_add_way(t, a, b, x->bytes, use);
	}
	find_max(t, use, c);
	free(own);
	return 0;
}
