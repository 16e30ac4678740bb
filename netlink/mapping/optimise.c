#include "optimise.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../topology/kind.h"
#include "greedy.h"
#include "merge.h"

/* The grid that merging works on. */
static int grid_of(const struct topology *t, struct merge_machine *m, struct err *e)
{
	bool torus = !strcmp(t->kind->name, "torus"), mesh = !strcmp(t->kind->name, "mesh");

	if ((!torus && !mesh) || t->dimensions > MERGE_DIMS_MAX)
		return err_set(e, STATUS_USAGE,
		               "merging places tasks on a mesh or torus of at most %d dimensions, "
		               "not on this %s: "
		               "expected method greedy",
		               MERGE_DIMS_MAX, t->kind->name);
	*m = (struct merge_machine){.dims = t->dimensions};
	for (unsigned d = 0; d < m->dims; d++) {
		m->size[d] = t->dims[d];
		m->wrap[d] = torus;
	}
	return 0;
}

/* The matrix of groups of `per_node` ranks in a row. */
static struct comm_matrix *by_node(struct comm_matrix *m, unsigned per_node, struct err *e)
{
	uint32_t tasks = (comm_matrix_ranks(m) + per_node - 1) / per_node;
	struct comm_matrix *result = comm_matrix_create(tasks, e);
	size_t count;
	const struct comm_matrix_entry *x = comm_matrix_entries(m, &count);
	bool failed = !x && count && mem_short(e);

	for (size_t i = 0; result && !failed && i < count; i++)
		failed = comm_matrix_add(result, x[i].src / per_node, x[i].dst / per_node,
		                         x[i].bytes, x[i].messages, e);
	if (!failed)
		return result;
	comm_matrix_destroy(result);
	return NULL;
}

/* The tasks to place: ranks, or groups of them. Merging fills the machine; others leave nodes
 * empty. */
static struct task_graph *graph_of(const struct optimise_request *q, uint32_t tasks, struct err *e)
{
	uint32_t all = q->method >= METHOD_GREEDY ? tasks : q->topology->nodes;
	struct comm_matrix *groups;
	struct task_graph *g;

	if (q->per_node == 1)
		return task_graph_create(q->matrix, all, e);
	groups = by_node(q->matrix, q->per_node, e);
	g = groups ? task_graph_create(groups, all, e) : NULL;
	comm_matrix_destroy(groups);
	return g;
}

/* Better: by the goal of the method, then by bytes x links. */
static bool better(unsigned method, const struct mapping_cost *a, const struct mapping_cost *b)
{
	if (method > METHOD_MINCOST && method < METHOD_GREEDY)
		if (a->max_link_bytes != b->max_link_bytes)
			return a->max_link_bytes < b->max_link_bytes;
	if (a->hop_bytes != b->hop_bytes)
		return a->hop_bytes < b->hop_bytes;
	return a->max_link_bytes < b->max_link_bytes;
}

static int merge_orders(const struct optimise_request *q, const struct task_graph *g,
                        uint32_t *node, struct optimise_result *r, struct err *e)
{
	static const enum merge_goal goals[] = {MERGE_NONE, MERGE_COST, MERGE_BALANCED,
	                                        MERGE_MAXLINK, MERGE_SQUARES};
	uint32_t *trial = mem_alloc(g->tasks, sizeof *trial, e);
	struct merge_machine m;
	int failed = !trial || grid_of(q->topology, &m, e);

	for (unsigned order = 0; order < q->orders && !failed; order++) {
		const struct merge_options o = {goals[q->method], q->slack, order, NULL};
		struct mapping_cost c;

		failed = merge_tasks(g, &m, &o, trial, e) ||
		         mapping_cost(q->topology, g, trial, &c, NULL, e);
		if (!failed && (!order || better(q->method, &c, &r->after))) {
			memcpy(node, trial, g->tasks * sizeof *node);
			r->after = c;
			r->best_order = order;
		}
	}
	free(trial);
	return failed ? -1 : 0;
}

static int place(const struct optimise_request *q, const struct task_graph *g, uint32_t *node,
                 struct optimise_result *r, struct err *e)
{
	const struct topology *t = q->topology;

	for (uint32_t i = 0; i < g->tasks; i++)
		node[i] = i;
	r->load_before = mem_alloc(t->links, sizeof *r->load_before, e);
	if (!r->load_before || mapping_cost(t, g, node, &r->before, r->load_before, e))
		return -1;
	if (q->method < METHOD_GREEDY && merge_orders(q, g, node, r, e))
		return -1;
	if (q->method == METHOD_GREEDY &&
	    (greedy_placement(t, g, node, e) || mapping_cost(t, g, node, &r->after, NULL, e)))
		return -1;
	/* searches never make it worse than it was; `none` is no search */
	r->in_order = q->method == METHOD_KEEP && !q->from;
	if (q->method != METHOD_KEEP && q->method != METHOD_NONE &&
	    better(q->method, &r->before, &r->after)) {
		r->in_order = true;
		for (uint32_t i = 0; i < g->tasks; i++)
			node[i] = i;
	}
	for (uint32_t i = 0; i < r->tasks && q->method == METHOD_KEEP && q->from; i++)
		node[i] = q->from[i * q->per_node];
	if (q->passes && refine_placement(t, g, node, q->passes, &r->refined, e))
		return -1;
	r->load = mem_alloc(t->links, sizeof *r->load, e);
	return r->load ? mapping_cost(t, g, node, &r->after, r->load, e) : -1;
}

static int check(const struct optimise_request *q, uint32_t tasks, struct err *e)
{
	uint32_t nodes = q->topology->nodes, ranks = comm_matrix_ranks(q->matrix);
	bool *used;
	bool twice = false;

	if (tasks > nodes)
		return err_set(e, STATUS_USAGE,
		               "%u ranks, %u on each of %u nodes: expected at most %llu", ranks,
		               q->per_node, nodes, (unsigned long long)nodes * q->per_node);
	if (!q->from)
		return 0;
	used = mem_alloc(nodes, sizeof *used, e);
	if (!used)
		return -1;
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t first = q->from[i - i % q->per_node];

		twice |= i % q->per_node ? q->from[i] != first : used[first];
		used[first] = true;
	}
	free(used);
	if (twice)
		return err_set(e, STATUS_USAGE,
		               "the placement to begin with: expected %u rank%s in a row on each "
		               "node, no others",
		               q->per_node, q->per_node == 1 ? "" : "s");
	return 0;
}

int optimise(const struct optimise_request *q, struct optimise_result *r, struct err *e)
{
	struct task_graph *g;
	uint32_t *node = NULL;
	int result = -1;

	*r = (struct optimise_result){.ranks = comm_matrix_ranks(q->matrix)};
	r->tasks = (r->ranks + q->per_node - 1) / q->per_node;
	if (check(q, r->tasks, e))
		return -1;
	g = graph_of(q, r->tasks, e);
	if (g)
		node = mem_alloc(g->tasks, sizeof *node, e);
	if (node && !place(q, g, node, r, e)) {
		r->bytes = g->bytes;
		r->node = mem_alloc(r->ranks, sizeof *r->node, e);
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

void optimise_finish(struct optimise_result *r)
{
	free(r->node);
	free(r->load);
	free(r->load_before);
	r->node = NULL;
	r->load = r->load_before = NULL;
}
