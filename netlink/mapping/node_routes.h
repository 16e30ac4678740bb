/* Paths between two nodes and their lengths, from tables: for searches that need millions of them. */
#ifndef PSIM_NETLINK_NODE_ROUTES_H
#define PSIM_NETLINK_NODE_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../topology/grid.h"
#include "../topology/topology.h"

struct node_routes {
	const struct topology *t;
	const struct grid *grid; /* mesh or torus in dimension order; NULL: use the topology's routing */
	uint32_t *links;         /* of the last path */
	unsigned max;
	/* distances of a grid: sums of span[open][d][a - b], a and b coordinates along dimension d */
	unsigned dims; /* 0: not a grid */
	const uint16_t *coordinate;
	uint16_t *spans;
	const uint16_t *span[2][GRID_DIMS_MAX];
	/* distances of other networks with few routers: far[home[a] * homes + home[b]] */
	uint32_t homes, *home; /* home[node]: number of its router among those with nodes */
	uint16_t *far;         /* NULL: the topology computes them */
};

/* Initialises the state of one thread. 0, or -1 with `e` when memory is short. */
int node_routes_init(struct node_routes *w, const struct topology *t, struct err *e);
void node_routes_finish(struct node_routes *w);

/*
 * Writes w->links, the links between routers of the path of key 0 with the first choice; returns
 * their number.
 */
unsigned node_routes_find(struct node_routes *w, uint32_t src, uint32_t dst);

/* node_routes_distance of networks without a table. */
unsigned node_routes_distance_untabled(const struct node_routes *w, uint32_t src, uint32_t dst, bool open);

/* Returns the distance between two nodes in links: |dx| + |dy| + … where `open`, else the network's distance. */
static inline unsigned node_routes_distance(const struct node_routes *w, uint32_t src, uint32_t dst, bool open)
{
	const uint16_t *a, *b;
	unsigned sum = 0;

	if (!w->dims)
		return w->far && !open ? w->far[w->home[src] * w->homes + w->home[dst]]
				       : node_routes_distance_untabled(w, src, dst, open);
	a = w->coordinate + (size_t)src * w->dims;
	b = w->coordinate + (size_t)dst * w->dims;
	for (unsigned d = 0; d < w->dims; d++)
		sum += w->span[open][d][a[d] - b[d]];
	return sum;
}

/* A task that moves from one node to another, for many distances to further nodes. */
struct node_routes_move {
	const struct node_routes *routes;
	uint32_t from, to;
	bool open;
	unsigned axes; /* along which the two differ */
	unsigned axis[GRID_DIMS_MAX];
	const uint16_t *span_from[GRID_DIMS_MAX], *span_to[GRID_DIMS_MAX]; /* by minus the coordinate; or by router */
};

static inline struct node_routes_move node_routes_move(const struct node_routes *w, uint32_t from, uint32_t to,
						       bool open)
{
	struct node_routes_move m = {.routes = w, .from = from, .to = to, .open = open};

	if (!w->dims && w->far && !open) {
		m.span_from[0] = w->far + (size_t)w->home[from] * w->homes;
		m.span_to[0] = w->far + (size_t)w->home[to] * w->homes;
	}
	for (unsigned d = 0; d < w->dims; d++) {
		uint16_t a = w->coordinate[(size_t)from * w->dims + d], b = w->coordinate[(size_t)to * w->dims + d];

		if (a == b)
			continue;
		m.axis[m.axes] = d;
		m.span_from[m.axes] = w->span[open][d] + a;
		m.span_to[m.axes++] = w->span[open][d] + b;
	}
	return m;
}

/* Returns by how much the distance to node `at` grows. */
static inline int node_routes_move_change(const struct node_routes_move *m, uint32_t at)
{
	const struct node_routes *w = m->routes;
	const uint16_t *x;
	int sum = 0;

	if (!w->dims) {
		if (m->span_to[0])
			return (int)m->span_to[0][w->home[at]] - (int)m->span_from[0][w->home[at]];
		return (int)node_routes_distance_untabled(w, m->to, at, m->open) -
		       (int)node_routes_distance_untabled(w, m->from, at, m->open);
	}
	x = w->coordinate + (size_t)at * w->dims;
	for (unsigned k = 0; k < m->axes; k++) {
		int c = x[m->axis[k]];

		sum += (int)m->span_to[k][-c] - (int)m->span_from[k][-c];
	}
	return sum;
}

#endif
