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

enum { DIMS_MAX = 8 };
static const double weight_sum = 1 << 29; /* Scotch sums weights in 32 bits */

struct work {
	const struct topology *t;
	const struct task_graph *g;
	SCOTCH_Arch whole, part;
	SCOTCH_Context context; /* one thread: with several, placements vary from run to run */
	SCOTCH_Graph graph, bound;
	SCOTCH_Strat strat;
	SCOTCH_Num *first, *other, *weight, *to, *used;
	SCOTCH_Num nodes; /* not excluded */
};

static int build_arch(struct work *w, struct err *e)
{
	const struct topology *t = w->t;
	SCOTCH_Num dims[DIMS_MAX];

	for (unsigned d = 0; d < t->dimensions && d < DIMS_MAX; d++)
		dims[d] = (SCOTCH_Num)t->dims[d];
	switch (topology_shape(t)) {
	case SHAPE_TORUS: return SCOTCH_archTorusX(&w->whole, (SCOTCH_Num)t->dimensions, dims);
	case SHAPE_MESH: return SCOTCH_archMeshX(&w->whole, (SCOTCH_Num)t->dimensions, dims);
	case SHAPE_HYPERCUBE: return SCOTCH_archHcub(&w->whole, (SCOTCH_Num)t->dimensions);
	case SHAPE_OTHER: break;
	}
	return err_set(e, STATUS_USAGE, "--method scotch: expected a mesh, torus or hypercube, not a %s",
		       topology_name(t));
}

static int exclude(struct work *w, const bool *excluded)
{
	w->nodes = 0;
	for (uint32_t v = 0; v < w->t->nodes; v++)
		if (!excluded || !excluded[v])
			w->used[w->nodes++] = (SCOTCH_Num)v;
	return excluded ? SCOTCH_archSub(&w->part, &w->whole, w->nodes, w->used) : 0;
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

static int map_graph(struct work *w, const bool *excluded, uint64_t seed, struct err *e)
{
	bool known;

	SCOTCH_contextRandomClone(&w->context);
	SCOTCH_contextRandomSeed(&w->context, (SCOTCH_Num)(seed & 0x7fffffff));
	SCOTCH_contextRandomReset(&w->context);
	e->text[0] = '\0';
	if (build_arch(w, e))
		known = e->text[0];
	else if (exclude(w, excluded) || build_graph(w) || SCOTCH_contextThreadSpawn(&w->context, 1, NULL) ||
		 SCOTCH_contextBindGraph(&w->context, &w->graph, &w->bound) ||
		 SCOTCH_stratGraphMapBuild(&w->strat, SCOTCH_STRATDEFAULT, w->nodes, 0.0) ||
		 SCOTCH_graphMap(&w->bound, excluded ? &w->part : &w->whole, &w->strat, w->to))
		known = false;
	else
		return 0;
	return known ? -1 : err_set(e, STATUS_FAILED, "--method scotch: Scotch failed");
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

int scotch_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint64_t seed,
		     uint32_t *node, struct err *e)
{
	struct work w = {.t = t, .g = g};
	struct err own;
	int result;

	SCOTCH_archInit(&w.whole);
	SCOTCH_archInit(&w.part);
	SCOTCH_graphInit(&w.graph);
	SCOTCH_graphInit(&w.bound);
	SCOTCH_contextInit(&w.context);
	SCOTCH_stratInit(&w.strat);
	e = e ? e : &own;
	result = scotch_map_alloc(&w, e) ? -1 : map_graph(&w, excluded, seed, e);
	for (uint32_t i = 0; !result && i < g->tasks; i++)
		/* targets in a part of a network are numbered from 0 on */
		node[i] = (uint32_t)(excluded ? w.used[w.to[i]] : w.to[i]);
	SCOTCH_stratExit(&w.strat);
	SCOTCH_graphExit(&w.bound);
	SCOTCH_contextExit(&w.context);
	SCOTCH_graphExit(&w.graph);
	SCOTCH_archExit(&w.part);
	SCOTCH_archExit(&w.whole);
	free(w.first);
	free(w.other);
	free(w.weight);
	free(w.to);
	free(w.used);
	return result ? result : exclude_nodes(t, g, g->tasks, excluded, node, e);
}
