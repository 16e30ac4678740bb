/* Graphs of GOAL schedules in memory: replay_goal.h. */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "replay_goal.h"

struct goal *goal_create(const char *path, uint32_t ranks, struct err *e)
{
	struct goal *g = mem_alloc(1, sizeof(*g), e);

	if (!g)
		return NULL;
	g->ranks = ranks;
	g->unit = GOAL_UNIT_NS;
	g->path = mem_copy_text(path, e);
	g->rank = mem_alloc(ranks, sizeof(*g->rank), e);
	if (g->path && g->rank)
		return g;
	goal_destroy(g);
	return NULL;
}

int goal_set_rank(struct goal *g, uint32_t rank, const struct goal_op *ops, uint32_t count,
		  const struct goal_edge *edges, size_t edge_count, struct err *e)
{
	struct goal_rank *r = &g->rank[rank];

	r->ops = mem_alloc((size_t)count + 1, sizeof(*r->ops), e);
	r->edges = mem_alloc(edge_count + 1, sizeof(*r->edges), e);
	if (!r->ops || !r->edges)
		return -1;
	r->read = true;
	r->count = count;
	r->cpus = 1;
	for (uint32_t i = 0; i < count; i++) {
		r->ops[i] = ops[i];
		r->ops[i].left = r->ops[i].edges = 0;
		r->cpus = ops[i].cpu >= r->cpus ? ops[i].cpu + 1U : r->cpus;
		g->nics = g->nics || ops[i].nic;
	}
	/* `edges` counts, then is the end of an operation's edges, then, filled backwards, their begin */
	for (size_t i = 0; i < edge_count; i++) {
		r->ops[edges[i].from].edges++;
		r->ops[edges[i].to & ~GOAL_ON_START].left++;
	}
	for (uint32_t i = 1; i <= count; i++)
		r->ops[i].edges += r->ops[i - 1].edges;
	for (size_t i = edge_count; i-- > 0;)
		r->edges[--r->ops[edges[i].from].edges] = edges[i].to;
	return 0;
}
