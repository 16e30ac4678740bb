/* Networks that a file lists edge by edge. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "graph_file.h"
#include "topology_names.h"
#include "routes.h"
#include "topology_plan.h"

static unsigned graph_kind_levels(const struct plan *p)
{
	(void)p;
	return 1;
}

static int graph_kind_check(struct plan *p)
{
	if (!*p->cfg->topology.file)
		return plan_fail(p, "topology", "file",
				 "none, expected a list of edges (docs/formats/graph-format.md)");
	return plan_no_cabinets(p);
}

/* Adds a link each way for each edge. Their ports are in the order of the file. */
static int graph_kind_add_edges(const struct plan *p, const struct graph_file *f, const struct topology *t,
				struct graph *g, struct err *e)
{
	for (unsigned c = 0; c < f->classes; c++)
		if (graph_class(g, p->rate[0], p->cable_ps[0], e, "%s", f->class[c]) < 0)
			return -1;
	if (vec_reserve(&g->link, 2 * ((size_t)f->edges + (size_t)t->nodes * t->nics), e))
		return -1;
	for (uint32_t i = 0; i < f->edges; i++) {
		const struct graph_edge *x = &f->edge[i];
		uint32_t from = t->nodes + x->from, to = t->nodes + x->to;

		if (graph_link(g, (struct topology_link){from, to, x->class, 0, 0}, e) ||
		    graph_link(g, (struct topology_link){to, from, x->back, 0, 0}, e))
			return -1;
	}
	return 0;
}

/* Nodes, of the vertices at which they are. */
struct graph_nodes {
	const struct graph_file *f;
	const struct topology *t;
	const uint32_t *home;
};

/* The name of a node: its vertex's, with its number there if the vertex has several. */
static const char *name_graph_node(const void *from, uint32_t node, char text[ROUTER_NAME_MAX])
{
	const struct graph_nodes *n = from;
	uint32_t home = n->home[node], first = node;
	char name[ROUTER_NAME_MAX];

	topology_router_name(n->t, n->t->nodes + home, name);
	while (first && n->home[first - 1] == home)
		first--;
	if (n->f->hosts[home] == 1)
		snprintf(text, ROUTER_NAME_MAX, "%s", name);
	else
		snprintf(text, ROUTER_NAME_MAX, "%.50s.%" PRIu32, name, node - first);
	return text;
}

/* Names nodes, unless all vertices have numbers: those are not the numbers of nodes. */
static int name_graph_nodes(const struct graph_file *f, struct topology *t, const uint32_t *home, struct err *e)
{
	const struct graph_nodes nodes = {f, t, home};
	bool numbers = true;

	for (uint32_t v = 0; v < f->vertices && numbers; v++) {
		const char *name = t->router_names.text + t->router_names.at[v];

		numbers = strspn(name, "0123456789") == strlen(name);
	}
	return numbers ? 0 : topology_names_make(&t->node_names, t->nodes, name_graph_node, &nodes, e);
}

static int graph_kind_build_graph(const struct plan *p, struct graph_file *f, struct topology *t, struct graph *g,
				  struct err *e)
{
	struct graph_nics nics = plan_nics(p, 0);
	uint32_t *home;
	int result;

	t->nodes = f->nodes;
	t->routers = f->vertices;
	t->router_names = (struct topology_names){f->names, f->name_at};
	f->names = NULL;
	f->name_at = NULL;
	home = mem_alloc(t->nodes, sizeof(*home), e);
	if (!home)
		return -1;
	for (uint32_t v = 0, node = 0; v < f->vertices; v++)
		for (uint32_t i = 0; i < f->hosts[v]; i++)
			home[node++] = v;
	nics.home = home;
	if (name_graph_nodes(f, t, home, e) < 0) {
		free(home);
		return -1;
	}
	result = graph_kind_add_edges(p, f, t, g, e) || graph_add_nics(g, t, &nics, e) ? -1 : 0;
	free(home);
	return result;
}

static int graph_kind_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_file f;
	int result;

	if (graph_file_read(&f, p->cfg->topology.file, p->cfg->topology.concentration, e))
		return -1;
	result = graph_kind_build_graph(p, &f, t, g, e);
	graph_file_finish(&f);
	return result;
}

const struct topology_kind topology_graph = {
	.name = topology_graph_name,
	.doc = "routers and links of a file",
	.routing = {ROUTES_OVER_ANY_GRAPH},
	.levels = graph_kind_levels,
	.check = graph_kind_check,
	.build = graph_kind_build,
	.ready = routes_make,
	.destroy = routes_destroy,
	.distance = routes_distance,
};
