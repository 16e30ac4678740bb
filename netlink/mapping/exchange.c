#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

/* Adds bytes to the links of a path, or subtracts them. */
static void exchange_add_route(struct exchange *x, uint32_t src, uint32_t dst, uint64_t bytes, bool off)
{
	unsigned count = node_routes_find(&x->routes, src, dst);

	for (unsigned i = 0; i < count; i++) {
		uint64_t *load = &x->load[x->routes.links[i]];

		x->excess -= *load > x->limit ? *load - x->limit : 0;
		*load = off ? *load - bytes : *load + bytes;
		x->excess += *load > x->limit ? *load - x->limit : 0;
	}
}

int exchange_init(struct exchange *x, const struct topology *t, const struct task_graph *g, const uint32_t *node,
		  bool open, uint64_t limit, struct err *e)
{
	*x = (struct exchange){.g = g, .open = open, .nodes = t->nodes, .limit = limit};
	if (node_routes_init(&x->routes, t, e))
		return -1;
	x->node = mem_alloc((size_t)g->tasks + 1, sizeof(*x->node), e);
	x->task = mem_alloc(t->nodes, sizeof(*x->task), e);
	x->mark = mem_alloc((size_t)g->tasks + 1, sizeof(*x->mark), e);
	if (!x->node || !x->task || !x->mark)
		return -1;
	if (limit != EXCHANGE_NO_LIMIT) {
		x->load = mem_alloc(t->links, sizeof(*x->load), e);
		if (!x->load)
			return -1;
	}
	memset(x->task, 0xff, t->nodes * sizeof(*x->task));
	for (uint32_t i = 0; i < g->tasks; i++) {
		x->node[i] = node[i];
		x->task[node[i]] = i;
	}
	for (size_t i = 0; i < g->edges; i++) {
		const struct task_edge *d = &g->edge[i];
		uint32_t a = node[d->src], b = node[d->dst];

		x->cost += d->bytes * node_routes_distance(&x->routes, a, b, open);
		if (x->load)
			exchange_add_route(x, a, b, d->bytes, false);
	}
	return 0;
}

void exchange_finish(struct exchange *x)
{
	node_routes_finish(&x->routes);
	free(x->node);
	free(x->task);
	free(x->load);
	free(x->mark);
	x->node = x->task = x->mark = NULL;
	x->load = NULL;
}

/* Returns the cost of a link with its ends at these nodes. Distances are the same both ways. */
static int64_t link_cost(const struct exchange *x, const struct task_link *l, uint32_t at, uint32_t other)
{
	return (int64_t)(l->out + l->in) * (int64_t)node_routes_distance(&x->routes, at, other, x->open);
}

/*
 * Returns one task's increase of cost: it moves to `to`. Traffic with `other`, which comes from
 * there, stays as it is.
 */
static int64_t change_of(const struct exchange *x, uint32_t task, uint32_t to, uint32_t other)
{
	const struct node_routes_move move = node_routes_move(&x->routes, x->node[task], to, x->open);
	int64_t change = 0;

	for (size_t k = x->g->first[task]; k < x->g->first[task + 1]; k++) {
		const struct task_link *l = &x->g->link[k];

		if (l->other != other)
			change += (int64_t)(l->out + l->in) * node_routes_move_change(&move, x->node[l->other]);
	}
	return change;
}

int64_t exchange_own_change(const struct exchange *x, uint32_t task, uint32_t to)
{
	return change_of(x, task, to, x->task[to]);
}

int64_t exchange_cost_change(const struct exchange *x, uint32_t task, uint32_t to)
{
	uint32_t other = x->task[to];

	return change_of(x, task, to, other) + (other == EXCHANGE_EMPTY ? 0 : change_of(x, other, x->node[task], task));
}

/* Adds the bytes of all edges of a task, except those to `other`, to links, or subtracts them. */
static void add_edges(struct exchange *x, uint32_t task, uint32_t other, bool off)
{
	for (size_t k = x->g->first[task]; k < x->g->first[task + 1]; k++) {
		const struct task_link *l = &x->g->link[k];

		if (l->other == other)
			continue;
		if (l->out)
			exchange_add_route(x, x->node[task], x->node[l->other], l->out, off);
		if (l->in)
			exchange_add_route(x, x->node[l->other], x->node[task], l->in, off);
	}
}

static void add_both(struct exchange *x, uint32_t task, uint32_t other, bool off)
{
	if (!x->load)
		return;
	add_edges(x, task, EXCHANGE_EMPTY, off);
	if (other != EXCHANGE_EMPTY)
		add_edges(x, other, task, off);
}

void exchange_do(struct exchange *x, uint32_t task, uint32_t to)
{
	uint32_t from = x->node[task], other = x->task[to];

	if (to == from)
		return;
	x->cost += (uint64_t)exchange_cost_change(x, task, to);
	add_both(x, task, other, true);
	x->task[from] = other;
	if (other != EXCHANGE_EMPTY)
		x->node[other] = from;
	x->node[task] = to;
	x->task[to] = task;
	add_both(x, task, other, false);
}

/* ---- moves of several tasks ---- */

static void exchange_mark(struct exchange *x, const uint32_t *task, uint32_t count)
{
	x->stamp++;
	for (uint32_t i = 0; i < count; i++)
		x->mark[task[i]] = x->stamp;
}

/* Returns whether this edge of a marked task is counted at its other end. */
static bool counted_there(const struct exchange *x, const struct task_link *l, uint32_t task)
{
	return x->mark[l->other] == x->stamp && l->other < task;
}

static uint64_t marked_cost(const struct exchange *x, const uint32_t *task, uint32_t count)
{
	uint64_t cost = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = task[i];

		for (size_t k = x->g->first[a]; k < x->g->first[a + 1]; k++) {
			const struct task_link *l = &x->g->link[k];

			if (!counted_there(x, l, a))
				cost += (uint64_t)link_cost(x, l, x->node[a], x->node[l->other]);
		}
	}
	return cost;
}

static void add_marked(struct exchange *x, const uint32_t *task, uint32_t count, bool off)
{
	for (uint32_t i = 0; i < count && x->load; i++) {
		uint32_t a = task[i];

		for (size_t k = x->g->first[a]; k < x->g->first[a + 1]; k++) {
			const struct task_link *l = &x->g->link[k];
			uint32_t from = x->node[a], to = x->node[l->other];

			if (counted_there(x, l, a))
				continue;
			if (l->out)
				exchange_add_route(x, from, to, l->out, off);
			if (l->in)
				exchange_add_route(x, to, from, l->in, off);
		}
	}
}

int64_t exchange_move_change(struct exchange *x, const uint32_t *task, const uint32_t *from, const uint32_t *to,
			     uint32_t count)
{
	uint64_t before;
	int64_t change;

	exchange_mark(x, task, count);
	before = marked_cost(x, task, count);
	for (uint32_t i = 0; i < count; i++)
		x->node[task[i]] = to[i];
	change = (int64_t)(marked_cost(x, task, count) - before);
	for (uint32_t i = 0; i < count; i++)
		x->node[task[i]] = from[i];
	return change;
}

void exchange_move(struct exchange *x, const uint32_t *task, const uint32_t *to, uint32_t count)
{
	exchange_mark(x, task, count);
	x->cost -= marked_cost(x, task, count);
	add_marked(x, task, count, true);
	for (uint32_t i = 0; i < count; i++)
		x->task[x->node[task[i]]] = EXCHANGE_EMPTY;
	for (uint32_t i = 0; i < count; i++) {
		x->node[task[i]] = to[i];
		x->task[to[i]] = task[i];
	}
	x->cost += marked_cost(x, task, count);
	add_marked(x, task, count, false);
}
