/*
 * Jellyfish (A. Singla, C. Hong, L. Popa, P. Godfrey, NSDI 2012): a random regular graph of routers.
 * Pairs that are not joined and have free ports are joined at random. Where none is left, a link makes
 * room: it is removed, and its ends are joined to those with free ports. With an odd number of ports one
 * stays free.
 */
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "graph_file.h"
#include "routes.h"
#include "topology_plan.h"

enum { ATTEMPTS = 100, DRAWS = 32, DEGREE_MIN = 3, DEGREE_MAX = 4096 };

/* A graph under construction. */
struct wires {
	uint32_t routers, degree;
	uint64_t seed, drawn; /* drawn: random numbers so far */
	uint32_t *ends;       /* [router * degree + port]: its neighbour */
	uint32_t *used;       /* [router]: its joined ports, the first ones */
	uint32_t *open;       /* routers with free ports */
	uint32_t open_count;
};

static uint32_t jellyfish_draw(struct wires *w, uint32_t below)
{
	return (uint32_t)rng_below(w->seed, 1, w->drawn++, below);
}

static bool jellyfish_are_joined(const struct wires *w, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < w->used[a]; i++)
		if (w->ends[(size_t)a * w->degree + i] == b)
			return true;
	return false;
}

static bool jellyfish_may_join(const struct wires *w, uint32_t a, uint32_t b)
{
	return a != b && !jellyfish_are_joined(w, a, b);
}

static void jellyfish_join(struct wires *w, uint32_t a, uint32_t b)
{
	w->ends[(size_t)a * w->degree + w->used[a]++] = b;
	w->ends[(size_t)b * w->degree + w->used[b]++] = a;
}

static void jellyfish_remove_end(struct wires *w, uint32_t a, uint32_t b)
{
	uint32_t *ends = w->ends + (size_t)a * w->degree, i = 0;

	while (ends[i] != b)
		i++;
	ends[i] = ends[--w->used[a]];
}

static void jellyfish_keep_open(struct wires *w)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < w->open_count; i++)
		if (w->used[w->open[i]] < w->degree)
			w->open[kept++] = w->open[i];
	w->open_count = kept;
}

/* Removes router number `i` of the open ones if its ports are all joined. */
static void jellyfish_close_if_full(struct wires *w, uint32_t i)
{
	if (w->used[w->open[i]] == w->degree)
		w->open[i] = w->open[--w->open_count];
}

/*
 * Joins a random pair, if there is one. Draws give all pairs the same chance; pairs are searched in order only where
 * many draws found none.
 */
static bool jellyfish_join_pair(struct wires *w)
{
	uint32_t count = w->open_count;

	for (uint32_t i = 0; i < DRAWS * count; i++) {
		uint32_t a = jellyfish_draw(w, count), b = jellyfish_draw(w, count);

		if (!jellyfish_may_join(w, w->open[a], w->open[b]))
			continue;
		jellyfish_join(w, w->open[a], w->open[b]);
		jellyfish_close_if_full(w, a > b ? a : b); /* the later one: the last takes its place */
		jellyfish_close_if_full(w, a > b ? b : a);
		return true;
	}
	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = a + 1; b < count; b++)
			if (jellyfish_may_join(w, w->open[a], w->open[b])) {
				jellyfish_join(w, w->open[a], w->open[b]);
				jellyfish_keep_open(w);
				return true;
			}
	return false;
}

/* Removes a random link x to y, and joins x to `a` and y to `b`, which may be the same. */
static bool jellyfish_make_room(struct wires *w, uint32_t a, uint32_t b)
{
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t x = jellyfish_draw(w, w->routers), port = jellyfish_draw(w, w->degree), y;

		if (port >= w->used[x])
			continue;
		y = w->ends[(size_t)x * w->degree + port];
		if (!jellyfish_may_join(w, x, a) || !jellyfish_may_join(w, y, b) || y == a || x == b)
			continue;
		jellyfish_remove_end(w, x, y);
		jellyfish_remove_end(w, y, x);
		jellyfish_join(w, x, a);
		jellyfish_join(w, y, b);
		return true;
	}
	return false;
}

/* Joins all ports but one at most; returns false if the draws find no way. */
static bool jellyfish_join_all(struct wires *w)
{
	for (;;) {
		uint32_t a, b;

		if (jellyfish_join_pair(w))
			continue;
		if (!w->open_count)
			return true;
		a = b = w->open[0];
		if (w->used[a] + 1 == w->degree) { /* one port: with one of another, if there is any */
			if (w->open_count == 1)
				return true;
			b = w->open[1];
		}
		if (!jellyfish_make_room(w, a, b))
			return false;
		jellyfish_keep_open(w);
	}
}

/* Returns whether ways lead from router 0 to all others; uses `open` as a queue. */
static bool jellyfish_is_connected(const struct wires *w, bool *seen)
{
	uint32_t count = 1;

	memset(seen, 0, w->routers * sizeof(*seen));
	w->open[0] = 0;
	seen[0] = true;
	for (uint32_t at = 0; at < count; at++)
		for (uint32_t i = 0; i < w->used[w->open[at]]; i++) {
			uint32_t to = w->ends[(size_t)w->open[at] * w->degree + i];

			if (seen[to])
				continue;
			seen[to] = true;
			w->open[count++] = to;
		}
	return count == w->routers;
}

static void jellyfish_start_over(struct wires *w, uint64_t seed)
{
	w->seed = seed;
	w->drawn = 0;
	w->open_count = w->routers;
	for (uint32_t v = 0; v < w->routers; v++) {
		w->used[v] = 0;
		w->open[v] = v;
	}
}

static int jellyfish_make_wires(struct wires *w, uint64_t seed, struct err *e)
{
	bool *seen = mem_alloc(w->routers, sizeof(*seen), e);
	int result = -1;

	w->ends = mem_alloc((size_t)w->routers * w->degree, sizeof(*w->ends), e);
	w->used = mem_alloc(w->routers, sizeof(*w->used), e);
	w->open = mem_alloc(w->routers, sizeof(*w->open), e);
	if (seen && w->ends && w->used && w->open) {
		for (uint64_t k = 0; k < ATTEMPTS && result; k++) {
			jellyfish_start_over(w, rng_u64(seed, k, 0));
			result = jellyfish_join_all(w) && jellyfish_is_connected(w, seen) ? 0 : -1;
		}
		if (result)
			err_set(e, STATUS_USAGE, "topology.dims: no connected graph of %u routers of %u links found",
				w->routers, w->degree);
	}
	free(seen);
	return result;
}

static void jellyfish_drop_wires(struct wires *w)
{
	free(w->ends);
	free(w->used);
	free(w->open);
}

/* ---- the kind ---- */

static unsigned jellyfish_levels(const struct plan *p)
{
	(void)p;
	return 1;
}

static int jellyfish_check(struct plan *p)
{
	uint32_t size[2];
	uint64_t nodes;

	if (p->dims != 2)
		return plan_fail(p, "topology", "dims", "%s: %u sizes, expected 2: routers, and links of each",
				 p->cfg->topology.dims, p->dims);
	if (p->dim[0] > GRAPH_ROUTERS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u routers, expected at most %d", p->cfg->topology.dims,
				 p->dim[0], GRAPH_ROUTERS_MAX);
	if (p->dim[1] < DEGREE_MIN || p->dim[1] > DEGREE_MAX || p->dim[1] >= p->dim[0])
		return plan_fail(p, "topology", "dims",
				 "%s: %u links of each router, expected %d to %d, and less than routers",
				 p->cfg->topology.dims, p->dim[1], DEGREE_MIN, DEGREE_MAX);
	if (!p->cfg->topology.concentration)
		return plan_fail(p, "topology", "concentration", "0: expected 1 or more nodes of each router");
	size[0] = p->dim[0];
	size[1] = p->cfg->topology.concentration;
	if (plan_product(p, size, 2, &nodes))
		return -1;
	return plan_no_cabinets(p);
}

static int jellyfish_add_links(const struct plan *p, const struct wires *w, struct topology *t, struct graph *g,
			       struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->cfg->topology.concentration);

	if (graph_class(g, p->rate[0], p->cable_ps[0], e, "link") < 0)
		return -1;
	for (uint32_t v = 0; v < w->routers; v++)
		for (uint32_t i = 0; i < w->used[v]; i++) {
			uint32_t to = w->ends[(size_t)v * w->degree + i];

			if (graph_link(g, (struct topology_link){t->nodes + v, t->nodes + to, 0, 0, 0}, e))
				return -1;
		}
	return graph_add_nics(g, t, &nics, e);
}

static int jellyfish_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct wires w = {.routers = p->dim[0], .degree = p->dim[1]};
	int result;

	t->routers = w.routers;
	t->nodes = t->routers * p->cfg->topology.concentration;
	result = jellyfish_make_wires(&w, p->cfg->topology.seed, e);
	if (!result)
		result = jellyfish_add_links(p, &w, t, g, e);
	jellyfish_drop_wires(&w);
	return result;
}

const struct topology_kind topology_jellyfish = {
	.name = topology_jellyfish_name,
	.doc = "random regular graph of routers",
	.routing = {ROUTES_OVER_ANY_GRAPH},
	.levels = jellyfish_levels,
	.check = jellyfish_check,
	.build = jellyfish_build,
	.ready = routes_make,
	.destroy = routes_destroy,
	.distance = routes_distance,
};
