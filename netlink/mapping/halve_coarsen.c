/* Coarsening: vertices with heavy edges between them become one. */
#include <string.h>

#include "../../psim/base/rng.h"
#include "halve.h"

#define NONE UINT32_MAX
enum { PARTS = 24 }; /* no vertex is larger than this part of all */

/* Prefers heavy edges between small vertices: M. Holtgrewe, P. Sanders, C. Schulz, IPDPS 2010. */
static double rating(const struct halve_level *l, uint32_t v, size_t k)
{
	double weight = (double)l->weight[k];

	return weight * weight / ((double)l->size[v] * (double)l->size[l->other[k]]);
}

/* Puts the vertices into a random order; those of the first level are in it as they are numbered. */
static void halve_shuffle(struct halve *h, const struct halve_level *l, unsigned depth)
{
	for (uint32_t i = 0; i < l->vertices; i++)
		h->queue[i] = i;
	for (uint32_t i = l->vertices; i > 1; i--) {
		uint32_t k = (uint32_t)rng_below(h->seed, depth, i, i), held = h->queue[k];

		h->queue[k] = h->queue[i - 1];
		h->queue[i - 1] = held;
	}
}

static bool may_join(const struct halve *h, const struct halve_level *l, uint32_t a, uint32_t b, uint32_t most)
{
	return l->size[a] + l->size[b] <= most && (!h->within || l->side[a] == l->side[b]);
}

/* Matches v with the free neighbour of the highest rating; returns its heaviest neighbour of all. */
static uint32_t match_neighbour(struct halve *h, const struct halve_level *l, uint32_t v, uint32_t most)
{
	uint32_t *mate = h->trail, heaviest = NONE, best = NONE;
	double high = -1, highest = -1;

	for (size_t k = l->first[v]; k < l->first[v + 1]; k++) {
		uint32_t u = l->other[k];
		double r = rating(l, v, k);

		if (r > highest) {
			highest = r;
			heaviest = u;
		}
		if (r > high && mate[u] == NONE && may_join(h, l, u, v, most)) {
			high = r;
			best = u;
		}
	}
	if (best != NONE) {
		mate[v] = best;
		mate[best] = v;
	}
	return heaviest;
}

/*
 * Matches neighbours; then vertices that stay alone with others that have the same heaviest
 * neighbour, or none at all: the leaves of a star would never shrink otherwise.
 */
static void match(struct halve *h, const struct halve_level *l, uint32_t most)
{
	uint32_t *mate = h->trail, *waiting = h->place; /* waiting[neighbour]: 1 + a vertex alone */
	uint32_t alone = 0;

	memset(waiting, 0, l->vertices * sizeof(*waiting));
	for (uint32_t i = 0; i < l->vertices; i++)
		mate[i] = NONE;
	for (uint32_t i = 0; i < l->vertices; i++) {
		uint32_t v = h->queue[i], heaviest, *place, other;

		if (mate[v] != NONE)
			continue;
		heaviest = match_neighbour(h, l, v, most);
		if (mate[v] != NONE)
			continue;
		place = heaviest == NONE ? &alone : &waiting[heaviest];
		other = *place - 1;
		if (*place && mate[other] == NONE && may_join(h, l, v, other, most)) {
			mate[v] = other;
			mate[other] = v;
			*place = 0;
		} else {
			*place = v + 1;
		}
	}
}

/* Numbers the vertices of the level above; returns how many there are. */
static uint32_t number_pairs(struct halve_level *l, const uint32_t *mate)
{
	uint32_t count = 0;

	for (uint32_t v = 0; v < l->vertices; v++)
		l->coarse[v] = mate[v] < v ? l->coarse[mate[v]] : count++;
	return count;
}

/* Adds the edges of vertex v to those of its vertex above, which begin at `from`; mark: 1 + the last edge to there. */
static size_t contract_edges(const struct halve_level *l, struct halve_level *up, uint32_t v, size_t edges, size_t from,
			     uint32_t *mark)
{
	uint32_t own = l->coarse[v];

	for (size_t k = l->first[v]; k < l->first[v + 1]; k++) {
		uint32_t to = l->coarse[l->other[k]];

		if (to == own)
			continue;
		if (mark[to] > from) {
			up->weight[mark[to] - 1] += l->weight[k];
			continue;
		}
		up->other[edges] = to;
		up->weight[edges] = l->weight[k];
		mark[to] = (uint32_t)++edges;
	}
	return edges;
}

static void contract(struct halve *h, const struct halve_level *l, struct halve_level *up)
{
	const uint32_t *mate = h->trail;
	uint32_t *mark = h->place;
	size_t edges = 0;

	memset(mark, 0, up->vertices * sizeof(*mark));
	up->largest = 0;
	for (uint32_t v = 0; v < l->vertices; v++) {
		uint32_t own = l->coarse[v];
		size_t from = edges;

		if (mate[v] < v)
			continue;
		up->first[own] = edges;
		up->size[own] = l->size[v];
		up->pull[own] = l->pull[v];
		up->side[own] = l->side[v];
		edges = contract_edges(l, up, v, edges, from, mark);
		if (mate[v] != NONE) {
			up->size[own] += l->size[mate[v]];
			up->pull[own] += l->pull[mate[v]];
			edges = contract_edges(l, up, mate[v], edges, from, mark);
		}
		up->largest = up->size[own] > up->largest ? up->size[own] : up->largest;
	}
	up->first[up->vertices] = edges;
}

int halve_coarsen(struct halve *h, unsigned depth, struct err *e)
{
	struct halve_level *l = &h->level[depth], *up = &h->level[depth + 1];
	uint32_t all = h->level[0].vertices, most = all / PARTS > l->largest ? all / PARTS : l->largest, count;

	halve_shuffle(h, l, depth);
	match(h, l, most > 2 ? most : 2);
	count = number_pairs(l, h->trail);
	if (count > l->vertices - l->vertices / 16)
		return 0;
	if (halve_level_room(up, count, l->first[l->vertices], e))
		return -1;
	up->vertices = count;
	contract(h, l, up);
	return 1;
}
