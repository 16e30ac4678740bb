#include "walk.h"

#include <stdlib.h>

#include "../../psim/base/mem.h"

enum { DIMS_MAX = 32 };

struct partner {
	uint64_t bytes;
	uint32_t task;
};

struct walk {
	const struct task_graph *g;
	struct partner *partner; /* as g->link, each task's heaviest first */
	size_t *next;            /* [task]: its first partner that may be unseen */
	uint32_t *order, met;    /* tasks as they are met */
	uint32_t *stack;         /* the path from the start to the present task */
	bool *seen;              /* [task] */
};

static int compare_partners(const void *a, const void *b)
{
	const struct partner *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static void sort_partners(struct walk *w)
{
	const struct task_graph *g = w->g;

	for (size_t k = 0; k < g->links; k++)
		w->partner[k] = (struct partner){g->link[k].out + g->link[k].in, g->link[k].other};
	for (uint32_t task = 0; task < g->tasks; task++) {
		w->next[task] = g->first[task];
		qsort(w->partner + g->first[task], g->first[task + 1] - g->first[task], sizeof(*w->partner),
		      compare_partners);
	}
}

/* Returns the task, not seen, with which `task` communicates most, the first of equals; itself if there is none. */
static uint32_t heaviest_unseen(struct walk *w, uint32_t task)
{
	size_t *k = &w->next[task];

	while (*k < w->g->first[task + 1] && w->seen[w->partner[*k].task])
		++*k;
	return *k < w->g->first[task + 1] ? w->partner[*k].task : task;
}

static void walk_meet(struct walk *w, uint32_t task, uint32_t *depth)
{
	w->seen[task] = true;
	w->order[w->met++] = task;
	w->stack[(*depth)++] = task;
}

static void walk_from(struct walk *w, uint32_t task)
{
	uint32_t depth = 0;

	walk_meet(w, task, &depth);
	while (depth) {
		uint32_t at = w->stack[depth - 1], next = heaviest_unseen(w, at);

		if (next == at)
			depth--;
		else
			walk_meet(w, next, &depth);
	}
}

/* Components begin with an end, a task with one partner, where they have one. */
static void walk_all(struct walk *w)
{
	const struct task_graph *g = w->g;

	for (unsigned ends = 1; ends < 2; ends--)
		for (uint32_t task = 0; task < g->tasks; task++)
			if (!w->seen[task] && (!ends || g->first[task + 1] - g->first[task] == 1))
				walk_from(w, task);
}

/* Returns the i-th node of a reflected Gray code over the network's dimensions. */
static uint32_t gray_node(const struct topology *t, uint32_t i)
{
	uint32_t at[DIMS_MAX] = {0};

	for (unsigned d = 0; d < t->dimensions; d++) {
		uint32_t n = t->dims[d], digit = i % n;

		i /= n;
		at[d] = i % 2 ? n - 1 - digit : digit;
	}
	return topology_node_at(t, at);
}

int walk_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		   struct err *e)
{
	size_t n = (size_t)g->tasks + 1;
	struct walk w = {.g = g};
	int result = -1;

	w.order = mem_alloc(n, sizeof(*w.order), e);
	w.stack = mem_alloc(n, sizeof(*w.stack), e);
	w.seen = mem_alloc(n, sizeof(*w.seen), e);
	w.next = mem_alloc(n, sizeof(*w.next), e);
	w.partner = mem_alloc(g->links + 1, sizeof(*w.partner), e);
	if (w.order && w.stack && w.seen && w.next && w.partner) {
		sort_partners(&w);
		walk_all(&w);
		for (uint32_t i = 0, k = 0; k < g->tasks; i++) {
			uint32_t v = gray_node(t, i);

			if (!excluded || !excluded[v])
				node[w.order[k++]] = v;
		}
		result = 0;
	}
	free(w.order);
	free(w.stack);
	free(w.seen);
	free(w.next);
	free(w.partner);
	return result;
}
