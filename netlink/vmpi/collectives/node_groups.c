/* Ranks of a communicator by node: node_groups.h. */
#include "node_groups.h"

#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../vmpi_config.h"

/* Numbers the nodes in the order of their first ranks; begin[n + 1] counts the ranks of n. `number`: [node], zeroed. */
static void number_nodes(const struct collective *c, const struct group *group, struct comm_nodes *g, int *number)
{
	for (int i = 0; i < c->size; i++) {
		int *n = &number[c->v->ranks[group_world(group, (uint32_t)i)].node / c->v->cfg->mpi.island];

		if (!*n) {
			g->leader[g->count++] = i;
			*n = g->count;
		}
		g->node_of[i] = *n - 1;
		g->begin[*n]++;
	}
}

/* Sorts ranks by node. */
static void sort_ranks(const struct collective *c, struct comm_nodes *g)
{
	int each = g->begin[1];

	g->even = true;
	for (int n = 0; n < g->count; n++) {
		g->even &= g->begin[n + 1] == each;
		g->begin[n + 1] += g->begin[n];
	}
	for (int i = 0; i < c->size; i++) {
		int n = g->node_of[i];

		g->even &= n == i / each;
		g->rank[g->begin[n]++] = i;
	}
	for (int n = g->count; n > 0; n--) /* begin[n] is where n + 1 begins */
		g->begin[n] = g->begin[n - 1];
	g->begin[0] = 0;
}

const struct comm_nodes *node_groups(const struct collective *c)
{
	struct comm *comm = comm_find(&c->v->comms, c->comm);
	struct comm_nodes *g = comm->nodes;
	size_t size = (size_t)c->size;
	int *number;
	uint32_t most = 0;

	if (g)
		return g;
	g = comm->nodes = mem_alloc(1, sizeof(*g), &c->v->err);
	for (int i = 0; i < c->size; i++) {
		uint32_t node = c->v->ranks[group_world(comm->group, (uint32_t)i)].node;

		most = node > most ? node : most;
	}
	number = mem_alloc((size_t)most + 1, sizeof(*number), &c->v->err);
	if (g) {
		g->node_of = mem_alloc(size, sizeof(int), &c->v->err);
		g->begin = mem_alloc(size + 1, sizeof(int), &c->v->err);
		g->rank = mem_alloc(size, sizeof(int), &c->v->err);
		g->leader = mem_alloc(size, sizeof(int), &c->v->err);
	}
	if (!g || !number || !g->node_of || !g->begin || !g->rank || !g->leader) {
		free(number);
		rank_stop(c->v);
	}
	number_nodes(c, comm->group, g, number);
	sort_ranks(c, g);
	free(number);
	return g;
}

bool node_groups_levels(const struct collective *c)
{
	const struct comm_nodes *g;

	if (c->members || c->size < 3 || comm_find(&c->v->comms, c->comm)->self)
		return false;
	g = node_groups(c);
	return g->count > 1 && g->count < c->size;
}
