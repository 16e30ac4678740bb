#include "exclude.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "node_routes.h"

#define NOWHERE UINT32_MAX

struct fit {
	const struct task_graph *g;
	struct node_routes routes;
	const bool *excluded;
	uint32_t *node;
	bool *taken; /* [node] */
};

static bool exclude_is_free(const struct fit *f, uint32_t v)
{
	return !f->taken[v] && !(f->excluded && f->excluded[v]);
}

static uint64_t exclude_cost_at(const struct fit *f, uint32_t task, uint32_t v)
{
	uint64_t cost = 0;

	for (size_t k = f->g->first[task]; k < f->g->first[task + 1]; k++) {
		const struct task_link *l = &f->g->link[k];
		uint32_t at = f->node[l->other];

		if (at != NOWHERE)
			cost += (l->out + l->in) * node_routes_distance(&f->routes, v, at, false);
	}
	return cost;
}

static void place_homeless(struct fit *f, uint32_t task)
{
	uint64_t least = UINT64_MAX;
	uint32_t best = NOWHERE;

	for (uint32_t v = 0; v < f->routes.t->nodes; v++) {
		uint64_t cost = exclude_is_free(f, v) ? exclude_cost_at(f, task, v) : UINT64_MAX;

		if (cost < least) {
			least = cost;
			best = v;
		}
	}
	f->node[task] = best;
	f->taken[best] = true;
}

static void exclude_place_all(struct fit *f, uint32_t tasks)
{
	for (uint32_t i = 0; i < f->g->tasks; i++) {
		bool stays = i < tasks && exclude_is_free(f, f->node[i]);

		if (stays)
			f->taken[f->node[i]] = true;
		else
			f->node[i] = NOWHERE;
	}
	for (uint32_t i = 0; i < tasks; i++)
		if (f->node[i] == NOWHERE)
			place_homeless(f, i);
	for (uint32_t i = tasks, v = 0; i < f->g->tasks; i++) {
		while (f->taken[v])
			v++;
		f->node[i] = v++;
	}
}

int exclude_nodes(const struct topology *t, const struct task_graph *g, uint32_t tasks, const bool *excluded,
		  uint32_t *node, struct err *e)
{
	struct fit f = {.g = g, .excluded = excluded, .node = node};
	int result = -1;

	f.taken = mem_alloc(t->nodes, sizeof(*f.taken), e);
	if (f.taken && !node_routes_init(&f.routes, t, e)) {
		exclude_place_all(&f, tasks);
		result = 0;
	}
	node_routes_finish(&f.routes);
	free(f.taken);
	return result;
}
