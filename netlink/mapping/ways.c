#include "ways.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "../topology/grid.h"

enum { WAY_MAX = 1 << 16, DIMS_MAX = 32 };

int ways_init(struct ways *w, const struct topology *t, struct err *e)
{
	*w = (struct ways){.t = t, .grid = topology_grid_in_order(t)};
	w->max = t->routers + 2 < WAY_MAX ? t->routers + 2 : WAY_MAX;
	w->links = mem_alloc(w->max, sizeof(*w->links), e);
	return w->links ? 0 : -1;
}

void ways_finish(struct ways *w)
{
	free(w->links);
	w->links = NULL;
}

/* Returns the signed distance along dimension d. */
static int ways_left_of(const struct grid *g, unsigned d, const uint16_t *from, const uint16_t *to)
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

static unsigned grid_links(struct ways *w, uint32_t src, uint32_t dst)
{
	const struct grid *g = w->grid;
	const uint16_t *a = &g->coordinate[src * g->dims], *b = &g->coordinate[dst * g->dims];
	uint32_t at = src, stride = 1;
	unsigned count = 0;

	for (unsigned d = 0; d < g->dims; stride *= g->dim[d++]) {
		int left = ways_left_of(g, d, a, b);
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

unsigned ways_find(struct ways *w, uint32_t src, uint32_t dst)
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

unsigned ways_distance(const struct ways *w, uint32_t src, uint32_t dst, bool open)
{
	uint32_t x[DIMS_MAX], y[DIMS_MAX];
	unsigned sum = 0;

	if (!open && !w->grid)
		return topology_distance(w->t, src, dst);
	if (w->grid) {
		const struct grid *g = w->grid;
		const uint16_t *a = &g->coordinate[src * g->dims], *b = &g->coordinate[dst * g->dims];

		for (unsigned d = 0; d < g->dims; d++) {
			unsigned far = a[d] > b[d] ? (unsigned)(a[d] - b[d]) : (unsigned)(b[d] - a[d]);

			sum += !open && g->wrap[d] && 2 * far > g->dim[d] ? g->dim[d] - far : far;
		}
		return sum;
	}
	topology_coordinates(w->t, src, x);
	topology_coordinates(w->t, dst, y);
	for (unsigned d = 0; d < w->t->dimensions; d++)
		sum += x[d] > y[d] ? x[d] - y[d] : y[d] - x[d];
	return sum;
}
