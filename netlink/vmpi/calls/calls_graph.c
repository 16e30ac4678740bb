/* Calls: topologies of graphs (MPI 3.1, 7.5). Ranks of a distributed graph deposit their edges before they meet. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/scratch.h"
#include "../collectives/collective.h"
#include "object_calls.h"

static struct comm *enter_graph_call(struct vmpi *v, enum call_id call, VMPI_Comm comm, int *ret)
{
	struct comm *c = comm_find(&v->comms, comm);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (c && !c->remote)
		return c;
	*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intracommunicator", comm);
	return NULL;
}

static const struct graph *enter_graph(struct vmpi *v, enum call_id call, VMPI_Comm comm, bool distributed, int *ret)
{
	const struct comm *c = enter_graph_call(v, call, comm, ret);

	if (!c)
		return NULL;
	if (c->graph && c->graph->distributed == distributed)
		return c->graph;
	*ret = rank_error(v, comm, VMPI_ERR_TOPOLOGY, "communicator %d has no %s graph", comm,
			  distributed ? "distributed" : "such");
	return NULL;
}

/* ---- graphs of which every rank has all edges ---- */

static int *copy_ints(struct vmpi *v, const int *from, size_t n)
{
	int *to = mem_alloc(n + 1, sizeof(*to), &v->err);

	if (!to)
		rank_stop(v);
	if (n)
		memcpy(to, from, n * sizeof(*to));
	return to;
}

static void set_graph(struct vmpi *v, struct comm *c, int nnodes, const int *index, const int *edges)
{
	size_t n = (size_t)nnodes, many = nnodes ? (size_t)index[nnodes - 1] : 0;
	struct graph *g = mem_alloc(1, sizeof(*g), &v->err);

	if (c->graph) {
		free(g);
		return;
	}
	if (!g)
		rank_stop(v);
	c->graph = g;
	g->nodes = (uint32_t)nnodes;
	g->out_at = mem_alloc(n + 1, sizeof(int), &v->err);
	if (!g->out_at)
		rank_stop(v);
	memcpy(g->out_at + 1, index, n * sizeof(int));
	g->out = copy_ints(v, edges, many);
	g->in_at = copy_ints(v, g->out_at, n + 1);
	g->in = copy_ints(v, edges, many);
}

int vmpi_Graph_create(struct vmpi *v, VMPI_Comm comm, int nnodes, const int *index, const int *edges, int reorder,
		      VMPI_Comm *newcomm)
{
	int ret, local;
	const struct comm *c = enter_graph_call(v, CALL_Graph_create, comm, &ret);

	(void)reorder; /* ranks are not reordered */
	if (!c)
		return ret;
	if (nnodes < 0 || (uint32_t)nnodes > c->group->size)
		return rank_error(v, comm, VMPI_ERR_ARG, "graph of %d nodes: expected 0 to %u, one per rank", nnodes,
				  c->group->size);
	for (int i = 0; i < nnodes; i++)
		if (index[i] < (i ? index[i - 1] : 0))
			return rank_error(v, comm, VMPI_ERR_ARG, "index %d of node %d: expected no less than before",
					  index[i], i);
	for (int i = 0; nnodes && i < index[nnodes - 1]; i++)
		if (edges[i] < 0 || edges[i] >= nnodes)
			return rank_error(v, comm, VMPI_ERR_RANK, "edge to %d: expected 0 to %d", edges[i], nnodes - 1);
	local = (int)comm_local(v, comm);
	ret = comm_split_all(v, comm, local < nnodes ? 0 : -1, local, newcomm);
	if (ret == VMPI_SUCCESS && *newcomm != VMPI_COMM_NULL)
		set_graph(v, comm_find(&v->comms, *newcomm), nnodes, index, edges);
	return ret;
}

int vmpi_Graphdims_get(struct vmpi *v, VMPI_Comm comm, int *nnodes, int *nedges)
{
	int ret;
	const struct graph *g = enter_graph(v, CALL_Graphdims_get, comm, false, &ret);

	if (!g)
		return ret;
	*nnodes = (int)g->nodes;
	*nedges = g->out_at[g->nodes];
	return VMPI_SUCCESS;
}

int vmpi_Graph_get(struct vmpi *v, VMPI_Comm comm, int maxindex, int maxedges, int *index, int *edges)
{
	int ret;
	const struct graph *g = enter_graph(v, CALL_Graph_get, comm, false, &ret);

	if (!g)
		return ret;
	for (int i = 0; i < maxindex && i < (int)g->nodes; i++)
		index[i] = g->out_at[i + 1];
	for (int i = 0; i < maxedges && i < g->out_at[g->nodes]; i++)
		edges[i] = g->out[i];
	return VMPI_SUCCESS;
}

static int check_rank(struct vmpi *v, VMPI_Comm comm, const struct graph *g, int rank)
{
	if (rank >= 0 && (uint32_t)rank < g->nodes)
		return VMPI_SUCCESS;
	return rank_error(v, comm, VMPI_ERR_RANK, "rank %d: expected 0 to %d", rank, (int)g->nodes - 1);
}

int vmpi_Graph_neighbors_count(struct vmpi *v, VMPI_Comm comm, int rank, int *nneighbors)
{
	int ret;
	const struct graph *g = enter_graph(v, CALL_Graph_neighbors_count, comm, false, &ret);

	if (!g || (ret = check_rank(v, comm, g, rank)))
		return ret;
	*nneighbors = g->out_at[rank + 1] - g->out_at[rank];
	return VMPI_SUCCESS;
}

int vmpi_Graph_neighbors(struct vmpi *v, VMPI_Comm comm, int rank, int maxneighbors, int *neighbors)
{
	int ret;
	const struct graph *g = enter_graph(v, CALL_Graph_neighbors, comm, false, &ret);

	if (!g || (ret = check_rank(v, comm, g, rank)))
		return ret;
	for (int i = 0; i < maxneighbors && g->out_at[rank] + i < g->out_at[rank + 1]; i++)
		neighbors[i] = g->out[g->out_at[rank] + i];
	return VMPI_SUCCESS;
}

int vmpi_Cart_map(struct vmpi *v, VMPI_Comm comm, int ndims, const int *dims, const int *periods, int *newrank)
{
	int ret;
	int64_t points = 1;
	const struct comm *c = enter_graph_call(v, CALL_Cart_map, comm, &ret);

	(void)periods;
	if (!c)
		return ret;
	if (ndims < 0)
		return rank_error(v, comm, VMPI_ERR_DIMS, "%d dimensions: expected 0 or more", ndims);
	for (int i = 0; i < ndims && points <= c->group->size; i++)
		points *= dims[i];
	if (points > c->group->size || points < 1)
		return rank_error(v, comm, VMPI_ERR_DIMS, "grid of %lld points: expected 1 to %u, one per rank",
				  (long long)points, c->group->size);
	*newrank = (int)comm_local(v, comm);
	if (*newrank >= points)
		*newrank = VMPI_UNDEFINED;
	return VMPI_SUCCESS;
}

int vmpi_Graph_map(struct vmpi *v, VMPI_Comm comm, int nnodes, const int *index, const int *edges, int *newrank)
{
	int ret;
	const struct comm *c = enter_graph_call(v, CALL_Graph_map, comm, &ret);

	(void)index;
	(void)edges;
	if (!c)
		return ret;
	if (nnodes < 1 || (uint32_t)nnodes > c->group->size)
		return rank_error(v, comm, VMPI_ERR_ARG, "graph of %d nodes: expected 1 to %u, one per rank", nnodes,
				  c->group->size);
	*newrank = (int)comm_local(v, comm);
	if (*newrank >= nnodes)
		*newrank = VMPI_UNDEFINED;
	return VMPI_SUCCESS;
}

/* ---- distributed graphs ---- */

static int by_target(const void *a, const void *b)
{
	const struct graph_edge *p = a, *q = b;

	if (p->to != q->to)
		return p->to < q->to ? -1 : 1;
	if (p->rank != q->rank)
		return p->rank < q->rank ? -1 : 1;
	return (p->place > q->place) - (p->place < q->place);
}

static int by_source(const void *a, const void *b)
{
	const struct graph_edge *p = a, *q = b;

	if (p->from != q->from)
		return p->from < q->from ? -1 : 1;
	if (p->rank != q->rank)
		return p->rank < q->rank ? -1 : 1;
	return (p->place > q->place) - (p->place < q->place);
}

/* Lists of the neighbours of each rank, in the order of the sorted edges. */
static void list_neighbors(struct vmpi *v, const struct graph_edges *e, uint32_t nodes, bool in, int **at, int **list,
			   int **weight)
{
	size_t n = 0;

	*at = mem_alloc((size_t)nodes + 1, sizeof(int), &v->err);
	*list = mem_alloc(e->list.count + 1, sizeof(int), &v->err);
	*weight = mem_alloc(e->list.count + 1, sizeof(int), &v->err);
	if (!*at || !*list || !*weight)
		rank_stop(v);
	for (size_t i = 0; i < e->list.count; i++) {
		const struct graph_edge *g = &e->list.at[i];

		if (!(in ? g->in : g->out))
			continue;
		(*list)[n] = in ? g->from : g->to;
		(*weight)[n++] = g->weight;
		(*at)[(in ? g->to : g->from) + 1]++;
	}
	for (uint32_t i = 0; i < nodes; i++)
		(*at)[i + 1] += (*at)[i];
}

/* The first rank that knows all edges makes the graph. */
static void make_graph(struct vmpi *v, struct comm *c, struct graph_edges *e)
{
	struct graph *g;
	uint32_t nodes = c->group->size;

	if (c->graph)
		return;
	g = c->graph = mem_alloc(1, sizeof(*g), &v->err);
	if (!g)
		rank_stop(v);
	*g = (struct graph){.distributed = true, .weighted = e->weighted, .nodes = nodes};
	qsort(e->list.at, e->list.count, sizeof(struct graph_edge), by_target);
	list_neighbors(v, e, nodes, true, &g->in_at, &g->in, &g->in_weight);
	qsort(e->list.at, e->list.count, sizeof(struct graph_edge), by_source);
	list_neighbors(v, e, nodes, false, &g->out_at, &g->out, &g->out_weight);
}

/* All ranks deposit their edges in all processes; the barrier represents their exchange. */
static int deposit_edges(struct vmpi *v, VMPI_Comm comm, struct graph_edge *list, size_t count, bool weighted,
			 VMPI_Comm *newcomm)
{
	int ret = comm_split_all(v, comm, 0, (int)comm_local(v, comm), newcomm);
	struct comm *c;

	if (ret)
		return ret;
	c = comm_find(&v->comms, *newcomm);
	for (size_t i = 0; i < count; i++) {
		list[i].rank = comm_local(v, *newcomm);
		list[i].place = (uint32_t)i;
	}
	remote_edges(v, c, list, count, weighted);
	if (comm_add_edges(c, list, count, weighted, &v->err) < 0)
		rank_stop(v);
	collective_barrier(v, *newcomm);
	if (!c->graph) {
		make_graph(v, c, c->edges);
		comm_drop_edges(c);
	}
	return VMPI_SUCCESS;
}

static int check_edge(struct vmpi *v, VMPI_Comm comm, int rank, int weight)
{
	uint32_t size = comm_find(&v->comms, comm)->group->size;

	if (rank < 0 || (uint32_t)rank >= size)
		return rank_error(v, comm, VMPI_ERR_RANK, "neighbour %d: expected 0 to %u", rank, size - 1);
	if (weight < 0)
		return rank_error(v, comm, VMPI_ERR_ARG, "weight %d: expected 0 or more", weight);
	return VMPI_SUCCESS;
}

static bool has_weights(const int *weights)
{
	return weights != VMPI_UNWEIGHTED && weights != VMPI_WEIGHTS_EMPTY;
}

int vmpi_Dist_graph_create(struct vmpi *v, VMPI_Comm comm, int n, const int *sources, const int *degrees,
			   const int *destinations, const int *weights, VMPI_Info info, int reorder, VMPI_Comm *newcomm)
{
	int ret;
	const struct comm *c = enter_graph_call(v, CALL_Dist_graph_create, comm, &ret);
	struct graph_edge *list;
	size_t edges = 0, k = 0;

	(void)info;
	(void)reorder;
	if (!c)
		return ret;
	for (int i = 0; i < n; i++) {
		if (degrees[i] < 0)
			return rank_error(v, comm, VMPI_ERR_ARG, "degree %d: expected 0 or more", degrees[i]);
		edges += (size_t)degrees[i];
	}
	list = scratch_take(v, edges + 1, sizeof(*list));
	for (int i = 0; i < n; i++)
		for (size_t end = k + (size_t)degrees[i]; k < end && ret == VMPI_SUCCESS; k++) {
			int weight = has_weights(weights) ? weights[k] : 1;

			list[k] = (struct graph_edge){
				.from = sources[i], .to = destinations[k], .weight = weight, .in = true, .out = true};
			ret = check_edge(v, comm, sources[i], weight);
			if (ret == VMPI_SUCCESS)
				ret = check_edge(v, comm, destinations[k], weight);
		}
	if (ret == VMPI_SUCCESS)
		ret = deposit_edges(v, comm, list, edges, weights != VMPI_UNWEIGHTED, newcomm);
	scratch_give(v, list);
	return ret;
}

int vmpi_Dist_graph_create_adjacent(struct vmpi *v, VMPI_Comm comm, int indegree, const int *sources,
				    const int *sourceweights, int outdegree, const int *destinations,
				    const int *destweights, VMPI_Info info, int reorder, VMPI_Comm *newcomm)
{
	int ret, own;
	const struct comm *c = enter_graph_call(v, CALL_Dist_graph_create_adjacent, comm, &ret);
	struct graph_edge *list;

	(void)info;
	(void)reorder;
	if (!c)
		return ret;
	if (indegree < 0 || outdegree < 0)
		return rank_error(v, comm, VMPI_ERR_ARG, "degrees %d and %d: expected 0 or more", indegree, outdegree);
	list = scratch_take(v, (size_t)indegree + (size_t)outdegree + 1, sizeof(*list));
	own = (int)comm_local(v, comm);
	for (int i = 0; i < indegree && ret == VMPI_SUCCESS; i++) {
		list[i] = (struct graph_edge){.from = sources[i], .to = own, .in = true};
		list[i].weight = has_weights(sourceweights) ? sourceweights[i] : 1;
		ret = check_edge(v, comm, sources[i], list[i].weight);
	}
	for (int i = 0; i < outdegree && ret == VMPI_SUCCESS; i++) {
		struct graph_edge *e = &list[indegree + i];

		*e = (struct graph_edge){.from = own, .to = destinations[i], .out = true};
		e->weight = has_weights(destweights) ? destweights[i] : 1;
		ret = check_edge(v, comm, destinations[i], e->weight);
	}
	if (ret == VMPI_SUCCESS)
		ret = deposit_edges(v, comm, list, (size_t)indegree + (size_t)outdegree,
				    sourceweights != VMPI_UNWEIGHTED, newcomm);
	scratch_give(v, list);
	return ret;
}

int vmpi_Dist_graph_neighbors_count(struct vmpi *v, VMPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
	int ret;
	const struct graph *g = enter_graph(v, CALL_Dist_graph_neighbors_count, comm, true, &ret);
	uint32_t own = g ? comm_local(v, comm) : 0;

	if (!g)
		return ret;
	*indegree = g->in_at[own + 1] - g->in_at[own];
	*outdegree = g->out_at[own + 1] - g->out_at[own];
	*weighted = g->weighted;
	return VMPI_SUCCESS;
}

int vmpi_Dist_graph_neighbors(struct vmpi *v, VMPI_Comm comm, int maxindegree, int *sources, int *sourceweights,
			      int maxoutdegree, int *destinations, int *destweights)
{
	int ret;
	const struct graph *g = enter_graph(v, CALL_Dist_graph_neighbors, comm, true, &ret);
	uint32_t own = g ? comm_local(v, comm) : 0;

	if (!g)
		return ret;
	for (int i = 0, k = g->in_at[own]; i < maxindegree && k < g->in_at[own + 1]; i++, k++) {
		sources[i] = g->in[k];
		if (has_weights(sourceweights) && g->weighted)
			sourceweights[i] = g->in_weight[k];
	}
	for (int i = 0, k = g->out_at[own]; i < maxoutdegree && k < g->out_at[own + 1]; i++, k++) {
		destinations[i] = g->out[k];
		if (has_weights(destweights) && g->weighted)
			destweights[i] = g->out_weight[k];
	}
	return VMPI_SUCCESS;
}
