/*
 * Uses F. Pellegrini's "Scotch and PT-Scotch": mapping by dual recursive bipartitioning with the
 * network as target architecture.
 */
#include "scotch_map.h"

#include <stdio.h>
#include <stdlib.h>

#include <scotch/scotch.h>

#include "../../psim/base/mem.h"
#include "../topology/topology.h"
#include "exclude.h"

enum {
	DIMS_MAX = 32,
	TORUS_MAX = 5, /* dimensions of tori and meshes that Scotch knows */
};
static const double weight_sum = 1 << 29; /* Scotch sums weights in 32 bits */

struct work {
	const struct topology *t;
	const struct task_graph *g;
	SCOTCH_Arch whole, part, *arch;
	SCOTCH_Context context; /* one thread: with several, placements vary from run to run */
	SCOTCH_Graph graph, bound, network;
	SCOTCH_Strat strat;
	SCOTCH_Num *first, *other, *weight, *to, *used;
	SCOTCH_Num *network_first, *network_other; /* vertices as in struct topology */
	SCOTCH_Num nodes;                          /* not excluded */
};

/* A tree: sizes from the root down, and the cost of paths that turn at each level. */
static int build_tree(struct work *w)
{
	const struct topology *t = w->t;
	SCOTCH_Num sizes[DIMS_MAX], costs[DIMS_MAX];

	for (unsigned d = 0; d < t->dimensions; d++) {
		unsigned level = t->dimensions - d; /* 1: switches with nodes, 2 links more for each one above */

		sizes[d] = (SCOTCH_Num)t->dims[level - 1];
		costs[d] = (SCOTCH_Num)(2 * (level - 1) + 1);
	}
	return SCOTCH_archTleaf(&w->whole, (SCOTCH_Num)t->dimensions, sizes, costs);
}

static int compare_vertices(const void *a, const void *b)
{
	const SCOTCH_Num *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Writes the neighbours of each vertex, once each where there are several links. */
static SCOTCH_Num list_neighbours(struct work *w, SCOTCH_Num vertices)
{
	const struct topology *t = w->t;
	SCOTCH_Num edges = 0;

	for (SCOTCH_Num v = 0; v < vertices; v++) {
		uint32_t count = t->out_first[v + 1] - t->out_first[v];
		SCOTCH_Num *own = &w->network_other[edges], kept = 0;

		w->network_first[v] = edges;
		for (uint32_t i = 0; i < count; i++)
			own[i] = (SCOTCH_Num)t->link[t->out_link[t->out_first[v] + i]].to;
		qsort(own, count, sizeof(*own), compare_vertices);
		for (uint32_t i = 0; i < count; i++)
			if (!kept || own[kept - 1] != own[i])
				own[kept++] = own[i];
		edges += kept;
	}
	w->network_first[vertices] = edges;
	return edges;
}

/* Any network, as a graph of nodes and routers of which the nodes have tasks. */
static int build_graph_arch(struct work *w, struct err *e)
{
	const struct topology *t = w->t;
	SCOTCH_Num vertices = (SCOTCH_Num)(t->nodes + t->routers), edges;

	w->network_first = mem_alloc((size_t)vertices + 1, sizeof(*w->network_first), e);
	w->network_other = mem_alloc((size_t)t->links + 1, sizeof(*w->network_other), e);
	if (!w->network_first || !w->network_other)
		return -1;
	edges = list_neighbours(w, vertices);
	if (SCOTCH_graphBuild(&w->network, 0, vertices, w->network_first, w->network_first + 1, NULL, NULL, edges,
			      w->network_other, NULL))
		return -1;
	return SCOTCH_archBuild2(&w->whole, &w->network, w->nodes, w->used);
}

static int build_known(struct work *w)
{
	const struct topology *t = w->t;
	SCOTCH_Num dims[DIMS_MAX];

	for (unsigned d = 0; d < t->dimensions && d < DIMS_MAX; d++)
		dims[d] = (SCOTCH_Num)t->dims[d];
	switch (topology_shape(t)) {
	case SHAPE_TORUS: return SCOTCH_archTorusX(&w->whole, (SCOTCH_Num)t->dimensions, dims);
	case SHAPE_MESH: return SCOTCH_archMeshX(&w->whole, (SCOTCH_Num)t->dimensions, dims);
	case SHAPE_HYPERCUBE: return SCOTCH_archHcub(&w->whole, (SCOTCH_Num)t->dimensions);
	case SHAPE_TREE: return build_tree(w);
	case SHAPE_OTHER: break;
	}
	return -1;
}

/* Sets w->arch to the network without excluded nodes. */
static int build_arch(struct work *w, const bool *excluded, struct err *e)
{
	enum topology_shape shape = topology_shape(w->t);
	bool grid = shape == SHAPE_TORUS || shape == SHAPE_MESH;

	for (uint32_t v = 0; v < w->t->nodes; v++)
		if (!excluded || !excluded[v])
			w->used[w->nodes++] = (SCOTCH_Num)v;
	w->arch = &w->whole;
	if (shape == SHAPE_OTHER || (grid && w->t->dimensions > TORUS_MAX))
		return build_graph_arch(w, e);
	if (build_known(w))
		return -1;
	if (!excluded)
		return 0;
	w->arch = &w->part;
	return SCOTCH_archSub(&w->part, &w->whole, w->nodes, w->used);
}

/* Bytes both ways, scaled so that their sum fits. */
static int build_graph(struct work *w)
{
	const struct task_graph *g = w->g;
	double scale = (double)g->bytes > weight_sum ? weight_sum / (double)g->bytes : 1;

	for (uint32_t i = 0; i <= g->tasks; i++)
		w->first[i] = (SCOTCH_Num)g->first[i];
	for (size_t k = 0; k < g->links; k++) {
		double bytes = scale * (double)(g->link[k].out + g->link[k].in);

		w->other[k] = (SCOTCH_Num)g->link[k].other;
		w->weight[k] = bytes < 1 ? 1 : (SCOTCH_Num)bytes;
	}
	return SCOTCH_graphBuild(&w->graph, 0, (SCOTCH_Num)g->tasks, w->first, w->first + 1, NULL, NULL,
				 (SCOTCH_Num)g->links, w->other, w->weight);
}

static int map_graph(struct work *w, const struct scotch_options *o, struct err *e)
{
	static const SCOTCH_Num flags[] = {SCOTCH_STRATDEFAULT, SCOTCH_STRATQUALITY, SCOTCH_STRATSPEED,
					   SCOTCH_STRATQUALITY | SCOTCH_STRATRECURSIVE};

	SCOTCH_contextRandomClone(&w->context);
	SCOTCH_contextRandomSeed(&w->context, (SCOTCH_Num)(o->seed & 0x7fffffff));
	SCOTCH_contextRandomReset(&w->context);
	e->text[0] = '\0';
	if (!build_arch(w, o->excluded, e) && !build_graph(w) && !SCOTCH_contextThreadSpawn(&w->context, 1, NULL) &&
	    !SCOTCH_contextBindGraph(&w->context, &w->graph, &w->bound) &&
	    !SCOTCH_stratGraphMapBuild(&w->strat, flags[o->strategy], w->nodes, 0.0) &&
	    !SCOTCH_graphMap(&w->bound, w->arch, &w->strat, w->to))
		return 0;
	return e->text[0] ? -1 : err_set(e, STATUS_FAILED, "--method scotch: Scotch failed");
}

static int scotch_map_alloc(struct work *w, struct err *e)
{
	w->first = mem_alloc((size_t)w->g->tasks + 2, sizeof(*w->first), e);
	w->other = mem_alloc(w->g->links + 1, sizeof(*w->other), e);
	w->weight = mem_alloc(w->g->links + 1, sizeof(*w->weight), e);
	w->to = mem_alloc((size_t)w->g->tasks + 1, sizeof(*w->to), e);
	w->used = mem_alloc(w->t->nodes, sizeof(*w->used), e);
	return w->first && w->other && w->weight && w->to && w->used ? 0 : -1;
}

static void scotch_start(struct work *w)
{
	SCOTCH_archInit(&w->whole);
	SCOTCH_archInit(&w->part);
	SCOTCH_graphInit(&w->graph);
	SCOTCH_graphInit(&w->bound);
	SCOTCH_graphInit(&w->network);
	SCOTCH_contextInit(&w->context);
	SCOTCH_stratInit(&w->strat);
}

static void scotch_finish(struct work *w)
{
	SCOTCH_stratExit(&w->strat);
	SCOTCH_graphExit(&w->bound);
	SCOTCH_contextExit(&w->context);
	SCOTCH_graphExit(&w->graph);
	SCOTCH_archExit(&w->part);
	SCOTCH_archExit(&w->whole);
	SCOTCH_graphExit(&w->network);
	free(w->first);
	free(w->other);
	free(w->weight);
	free(w->to);
	free(w->used);
	free(w->network_first);
	free(w->network_other);
}

int scotch_placement(const struct topology *t, const struct task_graph *g, const struct scotch_options *o,
		     uint32_t *node, struct err *e)
{
	struct work w = {.t = t, .g = g};
	struct err own;
	int result;

	scotch_start(&w);
	e = e ? e : &own;
	result = scotch_map_alloc(&w, e) ? -1 : map_graph(&w, o, e);
	for (uint32_t i = 0; !result && i < g->tasks; i++)
		node[i] = (uint32_t)w.used[w.to[i]]; /* targets are numbered without excluded nodes */
	scotch_finish(&w);
	return result ? result : exclude_nodes(t, g, g->tasks, o->excluded, node, e);
}
