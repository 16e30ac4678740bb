#include "node_routes.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

enum { ROUTE_MAX = 1 << 16, DIMS_MAX = 32, HOMES_MAX = 512 };

/* Makes the tables of a grid: lengths by difference of coordinates, around the ring where it wraps, and open. */
static int tabulate_grid(struct node_routes *w, const struct grid *g, struct err *e)
{
	size_t all = 0;
	uint16_t *at;

	for (unsigned d = 0; d < g->dims; d++)
		all += (size_t)2 * (2 * g->dim[d]);
	w->spans = at = mem_alloc(all, sizeof(*w->spans), e);
	if (!at)
		return -1;
	for (unsigned open = 0; open < 2; open++)
		for (unsigned d = 0; d < g->dims; d++) {
			uint32_t n = g->dim[d];

			at += n;
			w->span[open][d] = at;
			for (uint32_t x = 0; x < n; x++) {
				uint32_t far = !open && g->wrap[d] && 2 * x > n ? n - x : x;

				at[x] = *(at - x) = (uint16_t)far;
			}
			at += n;
		}
	w->coordinate = g->coordinate;
	w->dims = g->dims;
	return 0;
}

/* Returns whether nodes of one router are apart: those of a platform, whose links are all at one. */
static bool are_apart(const struct topology *t)
{
	for (uint32_t v = 1; t->routers == 1 && v < t->nodes; v++)
		if (topology_distance(t, 0, v))
			return true;
	return false;
}

/* Numbers the routers that have nodes, or nodes that are apart; returns their number. */
static uint32_t number_homes(struct node_routes *w, uint32_t *number)
{
	const struct topology *t = w->t;
	uint32_t homes = 0;

	if (are_apart(t)) {
		for (uint32_t v = 0; v < t->nodes; v++)
			w->home[v] = v;
		return t->nodes;
	}
	for (uint32_t v = 0; v < t->nodes; v++) {
		uint32_t router = t->link[t->inject[v * t->nics]].to - t->nodes;

		if (!number[router])
			number[router] = ++homes;
		w->home[v] = number[router] - 1;
	}
	return homes;
}

/* Makes the table of a network that is no grid, if it is small. */
static int tabulate_homes(struct node_routes *w, struct err *e)
{
	const struct topology *t = w->t;
	uint32_t *number = mem_alloc(t->routers, sizeof(*number), e), *node = NULL;

	w->home = mem_alloc(t->nodes, sizeof(*w->home), e);
	if (number && w->home) {
		w->homes = number_homes(w, number);
		if (w->homes <= HOMES_MAX) {
			w->far = mem_alloc((size_t)w->homes * w->homes, sizeof(*w->far), e);
			node = mem_alloc(w->homes, sizeof(*node), e);
		}
	}
	free(number);
	if (!w->home || (w->homes <= HOMES_MAX && (!w->far || !node))) {
		free(node);
		return -1;
	}
	for (uint32_t v = 0; node && v < t->nodes; v++)
		node[w->home[v]] = v;
	for (uint32_t i = 0; node && i < w->homes * w->homes; i++)
		w->far[i] = (uint16_t)topology_distance(t, node[i / w->homes], node[i % w->homes]);
	free(node);
	return 0;
}

/*
 * The links of a route to a router and on from there, with those of NICs. A platform has all of them at one router,
 * each on a virtual channel of its own.
 */
static unsigned most_links(const struct topology *t)
{
	unsigned each = (t->routers > t->vcs ? t->routers : t->vcs) + 1;

	return 2 * each < ROUTE_MAX ? 2 * each : ROUTE_MAX;
}

int node_routes_init(struct node_routes *w, const struct topology *t, struct err *e)
{
	const struct grid *g = topology_grid(t);

	*w = (struct node_routes){.t = t, .grid = topology_grid_in_order(t)};
	w->max = most_links(t);
	w->links = mem_alloc(w->max, sizeof(*w->links), e);
	if (!w->links)
		return -1;
	return g ? tabulate_grid(w, g, e) : tabulate_homes(w, e);
}

void node_routes_finish(struct node_routes *w)
{
	free(w->links);
	free(w->spans);
	free(w->home);
	free(w->far);
	*w = (struct node_routes){0};
}

/* Returns the signed distance along dimension d. */
static int routes_left_of(const struct grid *g, unsigned d, const uint16_t *from, const uint16_t *to)
{
	int n = (int)g->dim[d], left = to[d] - from[d], forth = left < 0 ? left + n : left;
	bool positive = 2 * forth < n;

	if (!g->wrap[d])
		return left;
	if (2 * forth == n)
		switch (g->ties) {
		case TIES_POSITIVE: positive = true; break;
		case TIES_NEGATIVE: positive = false; break;
		case TIES_DIRECT: positive = left > 0; break;
		default: positive = grid_forth_by_parity(g, d, from, to);
		}
	return positive ? forth : forth - n;
}

static unsigned grid_links(struct node_routes *w, uint32_t src, uint32_t dst)
{
	const struct grid *g = w->grid;
	const uint16_t *a = &g->coordinate[src * g->dims], *b = &g->coordinate[dst * g->dims];
	uint32_t at = src, stride = 1;
	unsigned count = 0;

	for (unsigned d = 0; d < g->dims; stride *= g->dim[d++]) {
		int left = routes_left_of(g, d, a, b);
		uint32_t x = a[d], n = g->dim[d], port = 2 * d + (left < 0);

		for (; left; left += left < 0 ? 1 : -1) {
			uint32_t i = at * g->ports + port, next;

			w->links[count++] = g->port_link ? g->port_link[i] : i;
			if (left < 0)
				next = x ? x - 1 : n - 1;
			else
				next = x + 1 < n ? x + 1 : 0;
			at = at - x * stride + next * stride;
			x = next;
		}
	}
	return count;
}

unsigned node_routes_find(struct node_routes *w, uint32_t src, uint32_t dst)
{
	unsigned all, count = 0;

	if (src == dst)
		return 0;
	if (w->grid)
		return grid_links(w, src, dst);
	all = topology_path(w->t, src, dst, 0, w->links, w->max);
	for (unsigned i = 0; i < all; i++) {
		const struct topology_link *l = &w->t->link[w->links[i]];

		if (l->from >= w->t->nodes && l->to >= w->t->nodes)
			w->links[count++] = w->links[i];
	}
	return count;
}

unsigned node_routes_distance_untabled(const struct node_routes *w, uint32_t src, uint32_t dst, bool open)
{
	uint32_t x[DIMS_MAX], y[DIMS_MAX];
	unsigned sum = 0;

	if (!open)
		return topology_distance(w->t, src, dst);
	topology_coordinates(w->t, src, x);
	topology_coordinates(w->t, dst, y);
	for (unsigned d = 0; d < w->t->dimensions; d++)
		sum += x[d] > y[d] ? x[d] - y[d] : y[d] - x[d];
	return sum;
}
