#include "optimise.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../topology/grid.h"
#include "../topology/topology.h"
#include "bisect.h"
#include "exclude.h"
#include "greedy.h"
#include "merge.h"
#include "scotch_map.h"

/* Describes the grid for merging; fails for other networks. */
static int grid_of(const struct topology *t, struct merge_machine *m, struct err *e)
{
	const struct grid *g = topology_grid(t);

	if (!g || t->dimensions > MERGE_DIMS_MAX)
		return err_set(e, STATUS_USAGE,
			       "merging places tasks on meshes and tori of at most %d dimensions, not on this %s, "
			       "expected method auto, bisect or greedy",
			       MERGE_DIMS_MAX, topology_name(t));
	*m = (struct merge_machine){.dims = t->dimensions};
	m->direct = g->ties == TIES_DIRECT;
	for (unsigned d = 0; d < m->dims; d++) {
		m->size[d] = t->dims[d];
		m->wrap[d] = g->wrap[d];
	}
	return 0;
}

int optimise_merge(const struct optimise_request *q, unsigned method, unsigned order, const struct task_graph *g,
		   uint32_t *node, struct err *e)
{
	static const enum merge_goal goals[] = {MERGE_NONE, MERGE_COST, MERGE_BALANCED, MERGE_MAXLINK, MERGE_SQUARES};
	const struct merge_options options = {goals[method], q->slack, order};
	struct merge_machine m;

	if (grid_of(q->topology, &m, e))
		return -1;
	m.open = q->open;
	return merge_tasks(g, &m, &options, node, e);
}

/* Returns the matrix between groups of `per_node` consecutive ranks. */
static struct comm_matrix *by_node(struct comm_matrix *m, unsigned per_node, struct err *e)
{
	uint32_t tasks = (comm_matrix_ranks(m) + per_node - 1) / per_node;
	struct comm_matrix *result = comm_matrix_create(tasks, e);
	size_t count;
	const struct comm_matrix_entry *x = comm_matrix_entries(m, &count);
	bool failed = !x && count && mem_short(e);

	for (size_t i = 0; result && !failed && i < count; i++)
		failed =
			comm_matrix_add(result, x[i].src / per_node, x[i].dst / per_node, x[i].bytes, x[i].messages, e);
	if (!failed)
		return result;
	comm_matrix_destroy(result);
	return NULL;
}

/*
 * Returns the graph of tasks to place: ranks, or groups of them. Merging needs as many tasks as
 * nodes; other methods leave nodes empty.
 */
static struct task_graph *graph_of(const struct optimise_request *q, uint32_t tasks, struct err *e)
{
	uint32_t all = q->method >= METHOD_BISECT ? tasks : q->topology->nodes;
	struct comm_matrix *groups;
	struct task_graph *g;

	if (q->per_node == 1)
		return task_graph_create(q->matrix, all, e);
	groups = by_node(q->matrix, q->per_node, e);
	g = groups ? task_graph_create(groups, all, e) : NULL;
	comm_matrix_destroy(groups);
	return g;
}

/* ---- what is best ---- */

static double optimise_ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static uint64_t hops_of(const struct optimise_request *q, const struct mapping_cost *c)
{
	return q->open ? c->mesh_hop_bytes : c->hop_bytes;
}

/* Compares by the weight, or else by the goal of the method, then by bytes x links. */
bool optimise_better(const struct optimise_request *q, const struct mapping_cost *order, const struct mapping_cost *a,
		     const struct mapping_cost *b)
{
	if (q->weighted) {
		uint64_t hops = hops_of(q, order), most = order->max_link_bytes;
		double x = (1 - q->weight) * optimise_ratio(hops_of(q, a), hops) +
			   q->weight * optimise_ratio(a->max_link_bytes, most),
		       y = (1 - q->weight) * optimise_ratio(hops_of(q, b), hops) +
			   q->weight * optimise_ratio(b->max_link_bytes, most);

		return x < y;
	}
	if (q->method > METHOD_MINCOST && q->method < METHOD_BISECT)
		if (a->max_link_bytes != b->max_link_bytes)
			return a->max_link_bytes < b->max_link_bytes;
	if (hops_of(q, a) != hops_of(q, b))
		return hops_of(q, a) < hops_of(q, b);
	return a->max_link_bytes < b->max_link_bytes;
}

/* ---- merging, in several orders ---- */

struct orders {
	const struct optimise_request *q;
	const struct task_graph *g;
	struct optimise_result *r;
	pthread_mutex_t lock; /* guards the two members below, and r */
	uint32_t *node;
	bool any;
};

/* Keeps the best placement of all orders; among equals that of the first order. */
static void optimise_hand_in(struct orders *o, unsigned order, const uint32_t *node, const struct mapping_cost *c)
{
	pthread_mutex_lock(&o->lock);
	if (!o->any || optimise_better(o->q, &o->r->before, c, &o->r->after) ||
	    (order < o->r->best_order && !optimise_better(o->q, &o->r->before, &o->r->after, c))) {
		memcpy(o->node, node, o->g->tasks * sizeof(*node));
		o->r->after = *c;
		o->r->best_order = order;
		o->any = true;
	}
	pthread_mutex_unlock(&o->lock);
}

static int order_job(void *user, unsigned order, struct err *e)
{
	struct orders *o = user;
	uint32_t *node = mem_alloc(o->g->tasks, sizeof(*node), e);
	struct mapping_cost c;
	int failed = !node || optimise_merge(o->q, o->q->method, order, o->g, node, e) ||
		     mapping_cost(o->q->topology, o->g, node, &c, NULL, e);

	if (!failed)
		optimise_hand_in(o, order, node, &c);
	free(node);
	jobs_step(o->q->watch, 1);
	return failed ? -1 : 0;
}

static int merge_orders(const struct optimise_request *q, const struct task_graph *g, uint32_t *node,
			struct optimise_result *r, struct err *e)
{
	struct orders o = {.q = q, .g = g, .r = r, .node = node};
	int failed;

	pthread_mutex_init(&o.lock, NULL);
	failed = jobs_run(q->orders, q->threads, order_job, &o, q->watch, e);
	pthread_mutex_destroy(&o.lock);
	return failed;
}

/* ---- all methods ---- */

/*
 * Places ranks on the nodes that are not excluded, in order, and tasks that do not communicate
 * behind them, where there is room.
 */
static void put_in_order(const struct optimise_request *q, const struct optimise_result *r, uint32_t tasks,
			 uint32_t *node)
{
	uint32_t next = 0;

	for (uint32_t v = 0; v < q->topology->nodes && next < r->tasks; v++)
		if (!q->excluded || !q->excluded[v])
			node[next++] = v;
	for (uint32_t v = 0, k = 0; v < q->topology->nodes && next < tasks; v++)
		if (k < r->tasks && node[k] == v)
			k++;
		else
			node[next++] = v;
}

static int optimise_find(const struct optimise_request *q, const struct task_graph *g, uint32_t *node,
			 struct optimise_result *r, struct err *e)
{
	const struct topology *t = q->topology;
	const struct bisect_options halves = {
		.excluded = q->excluded, .seed = q->seed, .open = q->open, .watch = q->watch};
	const struct scotch_options scotch = {.excluded = q->excluded, .seed = q->seed, .strategy = q->strategy};

	switch (q->method) {
	case METHOD_KEEP:
		for (uint32_t i = 0; i < r->tasks && q->from; i++)
			node[i] = q->from[i * q->per_node];
		return 0;
	case METHOD_AUTO: return auto_placement(q, g, &r->before, node, &r->searched, e);
	case METHOD_BISECT: return bisect_placement(t, g, &halves, node, e);
	case METHOD_GREEDY: return greedy_placement(t, g, q->excluded, q->watch, node, e);
	case METHOD_SCOTCH: return scotch_placement(t, g, &scotch, node, e);
	default:
		if (merge_orders(q, g, node, r, e))
			return -1;
		return q->excluded ? exclude_nodes(t, g, r->tasks, q->excluded, node, e) : 0;
	}
}

/* Refines the placement by exchanges, if requested. */
static int optimise_improve(const struct optimise_request *q, const struct task_graph *g, uint32_t *node,
			    struct optimise_result *r, struct err *e)
{
	const struct anneal_options o = {
		.chains = q->chains,
		.threads = q->threads,
		.steps = q->steps * g->tasks,
		.boxes = q->boxes,
		.limit = q->limit,
		.seed = q->seed,
		.open = q->open,
		.weight = q->weighted ? q->weight : 0,
		.excluded = q->excluded,
		.watch = q->watch,
	};

	const struct refine_options fine = {.passes = q->passes, .excluded = q->excluded, .watch = q->watch};

	if (q->passes && refine_placement(q->topology, g, node, &fine, &r->refined, e))
		return -1;
	return q->steps || q->boxes ? anneal_placement(q->topology, g, node, &o, &r->annealed, e) : 0;
}

static int optimise_place(const struct optimise_request *q, const struct task_graph *g, uint32_t *node,
			  struct optimise_result *r, struct err *e)
{
	const struct topology *t = q->topology;

	put_in_order(q, r, g->tasks, node);
	r->load_before = mem_alloc(t->links, sizeof(*r->load_before), e);
	if (!r->load_before || mapping_cost(t, g, node, &r->before, r->load_before, e) ||
	    optimise_find(q, g, node, r, e) || mapping_cost(t, g, node, &r->after, NULL, e))
		return -1;
	/*
	 * refinement and annealing never make it worse; METHOD_KEEP runs no search, and Scotch's
	 * result is kept
	 */
	r->in_order = (q->method == METHOD_KEEP && !q->from) || r->searched.in_order;
	if (q->method != METHOD_KEEP && q->method != METHOD_NONE && q->method != METHOD_SCOTCH &&
	    optimise_better(q, &r->before, &r->before, &r->after)) {
		r->in_order = true;
		put_in_order(q, r, g->tasks, node);
	}
	r->load = mem_alloc(t->links, sizeof(*r->load), e);
	if (!r->load || optimise_improve(q, g, node, r, e))
		return -1;
	return mapping_cost(t, g, node, &r->after, r->load, e);
}

static int optimise_check(const struct optimise_request *q, uint32_t tasks, struct err *e)
{
	uint32_t nodes = q->topology->nodes, ranks = comm_matrix_ranks(q->matrix);
	bool *used;
	bool twice = false;

	for (uint32_t v = 0; v < q->topology->nodes && q->excluded; v++)
		nodes -= q->excluded[v];

	if (tasks > nodes)
		return err_set(e, STATUS_USAGE, "%u ranks, %u on each of %u nodes: expected at most %llu", ranks,
			       q->per_node, nodes, (unsigned long long)nodes * q->per_node);
	if (!q->from)
		return 0;
	used = mem_alloc(q->topology->nodes, sizeof(*used), e);
	if (!used)
		return -1;
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t first = q->from[i - i % q->per_node];

		twice |= i % q->per_node ? q->from[i] != first : used[first];
		twice |= q->excluded && q->excluded[first];
		used[first] = true;
	}
	free(used);
	if (twice)
		return err_set(
			e, STATUS_USAGE,
			"initial placement: expected %u consecutive rank%s on each node, and none on excluded nodes",
			q->per_node, q->per_node == 1 ? "" : "s");
	return 0;
}

static int optimise_watched(const struct optimise_request *q, struct optimise_result *r, struct err *e)
{
	struct task_graph *g;
	uint32_t *node = NULL;
	int result = -1;

	*r = (struct optimise_result){.ranks = comm_matrix_ranks(q->matrix)};
	r->tasks = (r->ranks + q->per_node - 1) / q->per_node;
	if (optimise_check(q, r->tasks, e))
		return -1;
	g = graph_of(q, r->tasks, e);
	if (g)
		node = mem_alloc(g->tasks, sizeof(*node), e);
	if (node && !optimise_place(q, g, node, r, e)) {
		r->bytes = g->bytes;
		r->node = mem_alloc(r->ranks, sizeof(*r->node), e);
		for (uint32_t i = 0; r->node && i < r->ranks; i++)
			r->node[i] = node[i / q->per_node];
		result = r->node ? 0 : -1;
	}
	free(node);
	task_graph_destroy(g);
	if (result)
		optimise_finish(r);
	return result;
}

int optimise(const struct optimise_request *q, struct optimise_result *r, struct err *e)
{
	struct jobs_watch nobody = {0};
	struct optimise_request own = *q;

	own.watch = q->watch ? q->watch : &nobody;
	own.threads = q->threads ? q->threads : 1;
	return optimise_watched(&own, r, e);
}

void optimise_finish(struct optimise_result *r)
{
	free(r->node);
	free(r->load);
	free(r->load_before);
	r->node = NULL;
	r->load = r->load_before = NULL;
}
