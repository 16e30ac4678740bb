#include "task_graph.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

/* Counts the entries that are edges. */
static size_t count_edges(const struct comm_matrix_entry *x, size_t count)
{
	size_t edges = 0;

	for (size_t i = 0; i < count; i++)
		edges += x[i].src != x[i].dst && x[i].bytes;
	return edges;
}

static void take_edges(struct task_graph *g, const struct comm_matrix_entry *x, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (x[i].src != x[i].dst && x[i].bytes) {
			g->edge[g->edges++] = (struct task_edge){x[i].src, x[i].dst, x[i].bytes};
			g->bytes += x[i].bytes;
		}
}

static int by_other(const void *a, const void *b)
{
	const struct task_link *x = a, *y = b;

	return x->other < y->other ? -1 : x->other > y->other;
}

/* Adds each edge as a link at both its ends, then combines links to the same task. */
static void task_graph_make_links(struct task_graph *g, size_t *next)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->edges; i++) {
		const struct task_edge *x = &g->edge[i];

		g->link[next[x->src]++] = (struct task_link){x->dst, x->bytes, 0};
		g->link[next[x->dst]++] = (struct task_link){x->src, 0, x->bytes};
	}
	for (uint32_t t = 0; t < g->tasks; t++) {
		size_t from = g->first[t], end = next[t], begin = kept;

		qsort(g->link + from, end - from, sizeof(*g->link), by_other);
		g->first[t] = kept;
		for (size_t i = from; i < end; i++) {
			if (kept > begin && g->link[kept - 1].other == g->link[i].other) {
				g->link[kept - 1].out += g->link[i].out;
				g->link[kept - 1].in += g->link[i].in;
			} else {
				g->link[kept++] = g->link[i];
			}
		}
	}
	g->first[g->tasks] = kept;
	g->links = kept;
}

static int link_tasks(struct task_graph *g, struct err *e)
{
	size_t *next = mem_alloc((size_t)g->tasks + 1, sizeof(*next), e);

	g->first = mem_alloc((size_t)g->tasks + 1, sizeof(*g->first), e);
	g->link = mem_alloc(2 * g->edges + 1, sizeof(*g->link), e);
	if (!next || !g->first || !g->link) {
		free(next);
		return -1;
	}
	for (size_t i = 0; i < g->edges; i++) {
		next[g->edge[i].src]++;
		next[g->edge[i].dst]++;
	}
	for (uint32_t t = 0; t < g->tasks; t++) {
		g->first[t + 1] = g->first[t] + next[t];
		next[t] = g->first[t];
	}
	task_graph_make_links(g, next);
	free(next);
	return 0;
}

struct task_graph *task_graph_create(struct comm_matrix *m, uint32_t tasks, struct err *e)
{
	struct task_graph *g = mem_alloc(1, sizeof(*g), e);
	const struct comm_matrix_entry *x;
	size_t count;

	if (!g)
		return NULL;
	x = comm_matrix_entries(m, &count);
	if (!x && count) {
		mem_short(e);
		task_graph_destroy(g);
		return NULL;
	}
	g->tasks = tasks;
	g->edge = mem_alloc(count_edges(x, count) + 1, sizeof(*g->edge), e);
	if (g->edge) {
		take_edges(g, x, count);
		if (!link_tasks(g, e))
			return g;
	}
	task_graph_destroy(g);
	return NULL;
}

void task_graph_destroy(struct task_graph *g)
{
	if (!g)
		return;
	free(g->edge);
	free(g->first);
	free(g->link);
	free(g);
}

int task_graph_pad(const struct task_graph *g, uint32_t tasks, struct task_graph *padded, struct err *e)
{
	*padded = *g;
	padded->tasks = tasks;
	padded->first = mem_alloc((size_t)tasks + 1, sizeof(*padded->first), e);
	if (!padded->first)
		return -1;
	for (uint32_t t = 0; t <= tasks; t++)
		padded->first[t] = t < g->tasks ? g->first[t] : g->links;
	return 0;
}
