/*
 * Computes bisections. Networks of lines have staircases. For networks whose bisection has no closed form: the maximum
 * flow between the halves of the nodes with lower and with higher numbers, by shortest augmenting paths in layers (Y.
 * Dinitz, Soviet Math. Dokl. 11, 1970).
 */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "down.h"
#include "kind.h"

/* `open`: dimensions that are not cut yet, of `rest` routers. */
static double least_staircase(const struct topology *t, const struct staircase *s, unsigned open, double rest)
{
	double least = 0;

	for (unsigned d = 0; d < s->dims; d++) {
		double lines = rest / s->size[d], cut;

		if (!(open >> d & 1) || s->size[d] == 1)
			continue;
		cut = lines * s->cut(t, d);
		if (s->size[d] % 2)
			cut += least_staircase(t, s, open & ~(1U << d), lines);
		if (least == 0 || cut < least)
			least = cut;
	}
	return least;
}

double topology_staircase(const struct topology *t, const struct staircase *s, double routers)
{
	return least_staircase(t, s, UINT32_MAX, routers);
}

struct cut {
	const struct topology *t;
	const struct topology_down *down; /* NULL: all links are up */
	double *used;                     /* [link]: bandwidth in use */
	uint32_t *layer;                  /* [vertex], from 1; 0: not reached */
	uint32_t *next;                   /* [vertex]: the first link not yet exhausted */
	uint32_t *queue, *path;
};

static double bandwidth(const struct cut *c, uint32_t l)
{
	if (c->down && c->down->link[l])
		return 0;
	return c->t->class[c->t->link[l].class].fat ? TOPOLOGY_NO_LIMIT : c->t->class[c->t->link[l].class].bytes_per_s;
}

/*
 * Returns the i-th link of `v`: one that leaves it, or one that enters it and can return flow. Sets
 * the residual capacity and the vertex that it leads to.
 */
static bool cut_step_of(const struct cut *c, uint32_t v, uint32_t i, uint32_t *link, uint32_t *to, double *left)
{
	const struct topology *t = c->t;
	uint32_t out = t->out_first[v + 1] - t->out_first[v];

	if (i < out) {
		*link = t->out_link[t->out_first[v] + i];
		*to = t->link[*link].to;
		*left = bandwidth(c, *link) - c->used[*link];
		return true;
	}
	if (t->in_first[v] + i - out >= t->in_first[v + 1])
		return false;
	*link = t->in_link[t->in_first[v] + i - out];
	*to = t->link[*link].from;
	*left = c->used[*link];
	return true;
}

static bool is_end(const struct cut *c, uint32_t v)
{
	return v >= c->t->nodes / 2 && v < c->t->nodes;
}

/* Sets the distances from the lower half; returns whether the upper half is reachable. */
static bool find_layers(struct cut *c)
{
	uint32_t vertices = c->t->nodes + c->t->routers, count = 0, link, to;
	bool reached = false;
	double left;

	memset(c->layer, 0, vertices * sizeof(*c->layer));
	memset(c->next, 0, vertices * sizeof(*c->next));
	for (uint32_t v = 0; v < c->t->nodes / 2; v++) {
		c->layer[v] = 1;
		c->queue[count++] = v;
	}
	for (uint32_t at = 0; at < count; at++)
		for (uint32_t i = 0; cut_step_of(c, c->queue[at], i, &link, &to, &left); i++)
			if (left > 0 && !c->layer[to]) {
				c->layer[to] = c->layer[c->queue[at]] + 1;
				c->queue[count++] = to;
				reached = reached || is_end(c, to);
			}
	return reached;
}

/* Augments one path from `v`, depth first; returns its flow, 0 if there is no path. */
static double augment(struct cut *c, uint32_t v)
{
	uint32_t *at = c->path, depth = 0, link, to; /* path[d]: vertex at depth d, left by its step next[v] */
	double left, least;

	at[0] = v;
	while (!is_end(c, at[depth])) {
		if (!cut_step_of(c, at[depth], c->next[at[depth]], &link, &to, &left)) {
			if (!depth)
				return 0;
			c->next[at[--depth]]++;
		} else if (left > 0 && c->layer[to] == c->layer[at[depth]] + 1) {
			at[++depth] = to;
		} else {
			c->next[at[depth]]++;
		}
	}
	least = -1;
	for (uint32_t d = 0; d < depth; d++) {
		cut_step_of(c, at[d], c->next[at[d]], &link, &to, &left);
		least = least < 0 || left < least ? left : least;
	}
	for (uint32_t d = 0; d < depth; d++) {
		cut_step_of(c, at[d], c->next[at[d]], &link, &to, &left);
		c->used[link] += c->t->link[link].from == at[d] ? least : -least;
	}
	return least;
}

double topology_flow_between_halves(const struct topology *t, const struct topology_down *down)
{
	uint32_t vertices = t->nodes + t->routers;
	struct cut c = {
		.t = t,
		.down = down,
		.used = mem_alloc(t->links, sizeof(*c.used), NULL),
		.layer = mem_alloc(vertices, sizeof(*c.layer), NULL),
		.next = mem_alloc(vertices, sizeof(*c.next), NULL),
		.queue = mem_alloc(vertices, sizeof(*c.queue), NULL),
		.path = mem_alloc(vertices, sizeof(*c.path), NULL),
	};
	double sum = 0, more;

	if (c.used && c.layer && c.next && c.queue && c.path)
		while (find_layers(&c))
			for (uint32_t v = 0; v < t->nodes / 2; v++)
				while ((more = augment(&c, v)) > 0)
					sum += more;
	free(c.used);
	free(c.layer);
	free(c.next);
	free(c.queue);
	free(c.path);
	return sum;
}
