#include "greedy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "node_routes.h"

#define NOWHERE UINT32_MAX
enum { CENTRES = 4, AROUND = 12 }; /* for each task: neighbours considered, and free nodes around each */

struct entry {
	uint64_t weight;
	uint32_t task;
};

struct greedy {
	const struct topology *t;
	const struct task_graph *g;
	struct node_routes routes;
	struct jobs_watch *watch;
	uint32_t *node;                   /* [task], NOWHERE until placed */
	bool *used;                       /* [node] */
	uint64_t *weight;                 /* [task]: bytes between it and placed tasks */
	struct vec_of(struct entry) heap; /* may hold outdated entries of tasks whose weight has increased */
	uint32_t *queue, *seen, stamp;    /* of a breadth-first search: vertices */
	uint32_t lowest;                  /* all nodes below it are used */
};

static bool heavier(const struct entry *a, const struct entry *b)
{
	return a->weight != b->weight ? a->weight > b->weight : a->task < b->task;
}

HEAP(entries, struct entry, heavier)

static int greedy_push(struct greedy *s, struct entry x, struct err *e)
{
	if (vec_reserve(&s->heap, 1, e))
		return -1;
	entries_push(s->heap.at, s->heap.count++, x);
	return 0;
}

static uint64_t greedy_cost_at(const struct greedy *s, uint32_t task, uint32_t node)
{
	uint64_t cost = 0;

	for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
		const struct task_link *x = &s->g->link[k];
		uint32_t at = s->node[x->other];

		if (at != NOWHERE)
			cost += (x->out + x->in) * node_routes_distance(&s->routes, node, at, false);
	}
	return cost;
}

struct best {
	uint64_t cost;
	uint32_t node; /* NOWHERE: none so far */
};

static void greedy_offer(const struct greedy *s, uint32_t task, uint32_t node, struct best *best)
{
	uint64_t cost = greedy_cost_at(s, task, node);

	if (best->node == NOWHERE || cost < best->cost || (cost == best->cost && node < best->node))
		*best = (struct best){cost, node};
}

/* Offers the AROUND free nodes nearest to a node. */
static void greedy_offer_around(struct greedy *s, uint32_t task, uint32_t centre, struct best *best)
{
	const struct topology *t = s->t;
	uint32_t head = 0, tail = 0, found = 0;

	s->stamp++;
	s->queue[tail++] = t->link[t->inject[centre * t->nics]].to;
	s->seen[s->queue[0]] = s->stamp;
	while (head < tail && found < AROUND) {
		uint32_t v = s->queue[head++];

		if (v < t->nodes) {
			if (!s->used[v]) {
				greedy_offer(s, task, v, best);
				found++;
			}
			continue;
		}
		for (uint32_t i = t->out_first[v]; i < t->out_first[v + 1]; i++) {
			uint32_t to = t->link[t->out_link[i]].to;

			if (s->seen[to] != s->stamp) {
				s->seen[to] = s->stamp;
				s->queue[tail++] = to;
			}
		}
	}
}

/* Selects up to CENTRES placed tasks with which `task` communicates most. */
static unsigned choose_centres(const struct greedy *s, uint32_t task, uint32_t centre[CENTRES])
{
	struct entry most[CENTRES];
	unsigned count = 0;

	for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
		const struct task_link *x = &s->g->link[k];
		struct entry one = {x->out + x->in, x->other};
		unsigned at = count;

		if (s->node[x->other] == NOWHERE)
			continue;
		while (at && heavier(&one, &most[at - 1]))
			at--;
		if (at == CENTRES)
			continue;
		count += count < CENTRES;
		memmove(most + at + 1, most + at, (count - at - 1) * sizeof(*most));
		most[at] = one;
	}
	for (unsigned i = 0; i < count; i++)
		centre[i] = s->node[most[i].task];
	return count;
}

/* Returns the middle of a grid, from which the placement can grow in all directions. */
static uint32_t middle(const struct topology *t)
{
	uint32_t at[32] = {0};

	for (unsigned d = 0; d < t->dimensions; d++)
		at[d] = t->dims[d] / 2;
	return topology_node_at(t, at);
}

static int greedy_place(struct greedy *s, uint32_t task, struct err *e)
{
	struct best best = {0, NOWHERE};
	uint32_t centre[CENTRES];
	unsigned count = s->watch && !jobs_step(s->watch, 0) ? 0 : choose_centres(s, task, centre);

	for (unsigned i = 0; i < count; i++)
		greedy_offer_around(s, task, centre[i], &best);
	while (s->lowest < s->t->nodes && s->used[s->lowest])
		s->lowest++;
	if (best.node == NOWHERE)
		best.node = s->used[middle(s->t)] ? s->lowest : middle(s->t);
	s->node[task] = best.node;
	s->used[best.node] = true;
	for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
		const struct task_link *x = &s->g->link[k];

		if (s->node[x->other] != NOWHERE)
			continue;
		s->weight[x->other] += x->out + x->in;
		if (greedy_push(s, (struct entry){s->weight[x->other], x->other}, e))
			return -1;
	}
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	return heavier(a, b) ? -1 : heavier(b, a);
}

/* Lists the tasks by the bytes that they send and receive. */
static struct entry *heaviest_first(const struct task_graph *g, struct err *e)
{
	struct entry *all = mem_alloc((size_t)g->tasks + 1, sizeof(*all), e);

	for (uint32_t task = 0; all && task < g->tasks; task++) {
		all[task].task = task;
		for (size_t k = g->first[task]; k < g->first[task + 1]; k++)
			all[task].weight += g->link[k].out + g->link[k].in;
	}
	if (all)
		qsort(all, g->tasks, sizeof(*all), compare_entries);
	return all;
}

/* Places a task and, heaviest first, those that it is connected with. */
static int greedy_place_component(struct greedy *s, uint32_t task, struct err *e)
{
	if (greedy_place(s, task, e))
		return -1;
	while (s->heap.count) {
		struct entry x = entries_pop(s->heap.at, s->heap.count--);

		if (s->node[x.task] == NOWHERE && greedy_place(s, x.task, e))
			return -1;
	}
	return 0;
}

/* Components of the graph begin with their heaviest task; tasks that do not communicate come last, in order. */
static int greedy_place_all(struct greedy *s, struct err *e)
{
	struct entry *first = heaviest_first(s->g, e);
	int failed = first ? 0 : -1;

	for (uint32_t task = 0; task < s->g->tasks; task++)
		s->node[task] = NOWHERE;
	for (uint32_t i = 0; !failed && i < s->g->tasks; i++)
		if (s->node[first[i].task] == NOWHERE)
			failed = greedy_place_component(s, first[i].task, e);
	free(first);
	return failed;
}

int greedy_placement(const struct topology *t, const struct task_graph *g, const bool *excluded,
		     struct jobs_watch *watch, uint32_t *node, struct err *e)
{
	uint32_t vertices = t->nodes + t->routers;
	struct greedy s = {.t = t, .g = g, .watch = watch, .node = node};
	int result = -1;

	s.used = mem_alloc(t->nodes, sizeof(*s.used), e);
	s.weight = mem_alloc(g->tasks, sizeof(*s.weight), e);
	s.queue = mem_alloc(vertices, sizeof(*s.queue), e);
	s.seen = mem_alloc(vertices, sizeof(*s.seen), e);
	for (uint32_t v = 0; s.used && excluded && v < t->nodes; v++)
		s.used[v] = excluded[v];
	if (s.used && s.weight && s.queue && s.seen && !node_routes_init(&s.routes, t, e))
		result = greedy_place_all(&s, e);
	node_routes_finish(&s.routes);
	free(s.used);
	free(s.weight);
	free(s.queue);
	free(s.seen);
	vec_finish(&s.heap);
	return result;
}
