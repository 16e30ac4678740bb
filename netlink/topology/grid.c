#include "grid.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

static bool any_wrap(const struct grid_shape *s)
{
	for (unsigned d = 0; d < s->dims; d++)
		if (s->wrap[d] && s->dim[d] > 1)
			return true;
	return false;
}

int grid_check(struct plan *p, const struct grid_shape *s)
{
	uint64_t nodes;

	if (plan_product(p, s->dim, s->dims, &nodes))
		return -1;
	/* a packet stores 16 bits of hops and signed 16 bits for each dimension */
	for (unsigned d = 0; d < s->dims; d++)
		if (s->dim[d] > (s->wrap[d] ? 65534 : 32767))
			return plan_fail(p, "topology", "dims", "%s: a dimension of %u, expected at most %d",
					 p->cfg->topology.dims, s->dim[d], s->wrap[d] ? 65534 : 32767);
	if (p->cabinets && p->cabinets != s->dims)
		return plan_fail(p, "topology", "cabinet", "%s: %u sizes, expected one for each of the %u dimensions",
				 p->cfg->topology.cabinet, p->cabinets, s->dims);
	for (unsigned d = 0; d < p->cabinets; d++)
		if (s->dim[d] % p->cabinet[d])
			return plan_fail(p, "topology", "cabinet",
					 "%s: cabinets of %u nodes do not fill a dimension "
					 "of %u, expected a divisor",
					 p->cfg->topology.cabinet, p->cabinet[d], s->dim[d]);
	return 0;
}

static void set_shape(struct grid *g, const struct plan *p, const struct grid_shape *s)
{
	g->dims = s->dims;
	g->ports = 2 * s->dims;
	g->nodes = 1;
	for (unsigned d = 0; d < s->dims; d++) {
		g->dim[d] = s->dim[d];
		g->wrap[d] = s->wrap[d];
		g->nodes *= s->dim[d];
	}
	g->ties = p->cfg->topology.ties;
	g->leg_vcs = any_wrap(s) && p->cfg->topology.dateline != DATELINE_NONE ? 2 : 1;
	g->behind = g->leg_vcs > 1;
	g->crossing = g->behind && p->cfg->topology.dateline != DATELINE_BEHIND;
	g->balanced = g->behind && p->cfg->topology.dateline == DATELINE_BALANCED;
}

static int grid_make_arrays(struct grid *g, struct topology *t, struct err *e)
{
	g->wraps = mem_alloc(g->nodes, sizeof(*g->wraps), e);
	g->coordinate = plan_coordinates(g->nodes, g->dim, g->dims, e);
	return g->wraps && g->coordinate ? plan_dims(t, g->dim, g->dims, e) : -1;
}

/* Adds the classes "+x", "-x", "+y", …; with cabinets a second set for links between them. */
static int make_classes(struct grid *g, const struct plan *p, const char *letters, struct graph *links, struct err *e)
{
	for (unsigned far = 0; far <= (p->cabinets > 0); far++)
		for (unsigned port = 0; port < g->ports; port++) {
			int class = graph_class(links, p->rate[port / 2],
						far ? p->cfg->link.between_cabinets : p->cable_ps[port / 2], e,
						"%c%c%s", port & 1 ? '-' : '+', letters[port / 2], far ? " far" : "");

			if (class < 0)
				return -1;
			g->class_port[class] = (uint8_t)port;
		}
	return 0;
}

/* Sets the neighbour of `v` behind `port`; false if there is none. */
static bool neighbour(const struct grid *g, uint32_t v, unsigned port, uint32_t *to, bool *wraps)
{
	unsigned d = port / 2;
	uint32_t c = g->coordinate[v * g->dims + d], n = g->dim[d], stride = 1;

	for (unsigned i = 0; i < d; i++)
		stride *= g->dim[i];
	*wraps = port & 1 ? c == 0 : c == n - 1;
	if (n == 1 || (*wraps && !g->wrap[d]))
		return false;
	if (port & 1)
		*to = *wraps ? v + (n - 1) * stride : v - stride;
	else
		*to = *wraps ? v - (n - 1) * stride : v + stride;
	return true;
}

static int grid_make_links(struct grid *g, const struct plan *p, struct graph *links, struct err *e)
{
	bool complete = true;

	g->port_link = mem_alloc((size_t)g->nodes * g->ports, sizeof(*g->port_link), e);
	if (!g->port_link)
		return -1;
	for (uint32_t v = 0; v < g->nodes; v++)
		for (unsigned port = 0; port < g->ports; port++) {
			uint32_t *link = &g->port_link[v * g->ports + port], to, c, other;
			unsigned d = port / 2;
			bool wraps, far;

			*link = LINK_NONE;
			if (!neighbour(g, v, port, &to, &wraps)) {
				complete = false;
				continue;
			}
			c = g->coordinate[v * g->dims + d];
			other = g->coordinate[to * g->dims + d];
			far = p->cabinets && c / p->cabinet[d] != other / p->cabinet[d];
			*link = (uint32_t)links->link.count;
			g->wraps[v] |= (uint16_t)(wraps << port);
			if (graph_link(links,
				       (struct topology_link){g->nodes + v, g->nodes + to,
							      (uint16_t)(port + (far ? g->ports : 0)), (uint16_t)port,
							      (uint16_t)port},
				       e))
				return -1;
		}
	if (complete) {
		free(g->port_link);
		g->port_link = NULL;
	}
	return 0;
}

int grid_build(const struct plan *p, const struct grid_shape *s, struct topology *t, struct graph *links, struct err *e)
{
	struct grid *g = mem_alloc(1, sizeof(*g), e);
	struct graph_nics nics = plan_nics(p, 1);

	t->private_data = g;
	if (!g)
		return -1;
	set_shape(g, p, s);
	t->nodes = t->routers = g->nodes;
	t->random |= g->ties == TIES_RANDOM;
	t->vcs = t->routing->legs * g->leg_vcs + t->routing->adaptive;
	if (grid_make_arrays(g, t, e) || make_classes(g, p, s->letters, links, e) || grid_make_links(g, p, links, e))
		return -1;
	return graph_add_nics(links, t, &nics, e);
}

void grid_destroy(void *private_data)
{
	struct grid *g = private_data;

	free(g->port_link);
	free(g->wraps);
	free(g->coordinate);
	free(g);
}

unsigned grid_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	const struct grid *g = t->private_data;
	const uint16_t *a = &g->coordinate[src * g->dims], *b = &g->coordinate[dst * g->dims];
	unsigned sum = 0;

	for (unsigned d = 0; d < g->dims; d++) {
		unsigned far = (unsigned)abs(a[d] - b[d]);

		sum += g->wrap[d] && far > g->dim[d] / 2 ? g->dim[d] - far : far;
	}
	return sum;
}

/* A line is cut once, or twice where it wraps (Dally & Towles, 5.2.1). */
static double grid_cut(const struct topology *t, unsigned d)
{
	const struct grid *g = t->private_data;

	return (g->wrap[d] ? 2 : 1) * t->class[2 * d].bytes_per_s;
}

double grid_bisection(const struct topology *t)
{
	const struct grid *g = t->private_data;

	return topology_staircase(t, &(struct staircase){g->dims, g->dim, grid_cut}, g->nodes);
}
