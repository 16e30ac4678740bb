#include "bisect.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/heap.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "ways.h"

enum { PASSES_MAX = 6, STARTS = 3 };

/* A set of nodes and the tasks placed on it: ranges of two arrays. */
struct part {
	uint32_t node_from, nodes, task_from, tasks;
};

struct entry {
	int64_t gain;
	uint32_t task, stamp; /* outdated if the task's stamp differs */
};

struct bisect {
	const struct topology *t;
	const struct task_graph *g;
	struct ways ways;
	uint32_t *node;          /* [task]: the middle of its part; its node when done */
	uint32_t *nodes, *tasks; /* permutations in which each part is contiguous */
	uint32_t *part;          /* [task] */
	struct vec_of(struct part) queue;
	/* state of the present part: */
	uint32_t now;
	uint32_t middle[2];                  /* of its halves */
	int64_t far;                         /* distance between these in links */
	uint8_t *side, *best_side;           /* [task] */
	int64_t *outer;                      /* [task]: cost saved in half 1 by links to tasks of other parts */
	uint32_t *stamp;                     /* [task] */
	bool *locked;                        /* [task] */
	struct vec_of(struct entry) heap[2]; /* by side */
	uint32_t *scratch, *moved;
};

/* ---- a heap of tasks by what their change of sides gains ---- */

static bool ahead(const struct entry *a, const struct entry *b)
{
	return a->gain != b->gain ? a->gain > b->gain : a->task < b->task;
}

/* Returns the cost saved if the task changes sides. */
static int64_t bisect_gain_of(const struct bisect *s, uint32_t task)
{
	unsigned side = s->side[task];
	int64_t gain = side ? -s->outer[task] : s->outer[task];

	for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
		const struct task_link *l = &s->g->link[k];
		int64_t cut = (int64_t)(l->out + l->in) * s->far;

		if (s->part[l->other] == s->now)
			gain += s->side[l->other] == side ? -cut : cut;
	}
	return gain;
}

HEAP(entries, struct entry, ahead)

static int bisect_push(struct bisect *s, uint32_t task, struct err *e)
{
	struct entry x = {bisect_gain_of(s, task), task, ++s->stamp[task]};
	unsigned side = s->side[task];

	if (vec_reserve(&s->heap[side], 1, e))
		return -1;
	entries_push(s->heap[side].at, s->heap[side].count++, x);
	return 0;
}

/* Pops the best unlocked task of a side; false if there is none. */
static bool pop(struct bisect *s, unsigned side, struct entry *top)
{
	while (s->heap[side].count) {
		*top = entries_pop(s->heap[side].at, s->heap[side].count--);
		if (!s->locked[top->task] && s->stamp[top->task] == top->stamp)
			return true;
	}
	return false;
}

/* Moves a task to the other side, locks it for this pass and updates its neighbours' gains. */
static int bisect_change(struct bisect *s, uint32_t task, struct err *e)
{
	s->side[task] ^= 1;
	s->locked[task] = true;
	for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
		uint32_t other = s->g->link[k].other;

		if (s->part[other] == s->now && !s->locked[other] && bisect_push(s, other, e))
			return -1;
	}
	return 0;
}

static int fill_heaps(struct bisect *s, const struct part *p, struct err *e)
{
	s->heap[0].count = s->heap[1].count = 0;
	for (uint32_t i = 0; i < p->tasks; i++)
		s->locked[s->tasks[p->task_from + i]] = false;
	for (uint32_t i = 0; i < p->tasks; i++)
		if (bisect_push(s, s->tasks[p->task_from + i], e))
			return -1;
	return 0;
}

/* ---- halves ---- */

/*
 * Starts with all tasks in half 1, then moves `count` to half 0: the best one each time, from the
 * first one on.
 */
static int bisect_grow(struct bisect *s, const struct part *p, uint32_t count, uint32_t seed, struct err *e)
{
	for (uint32_t i = 0; i < p->tasks; i++)
		s->side[s->tasks[p->task_from + i]] = 1;
	if (fill_heaps(s, p, e) || (count && bisect_change(s, seed, e)))
		return -1;
	for (uint32_t i = 1; i < count; i++) {
		struct entry x;

		if (!pop(s, 1, &x) || bisect_change(s, x.task, e))
			return -1;
	}
	return 0;
}

/*
 * One Fiduccia-Mattheyses pass: exchanges pairs, the best first, while there are any; then returns
 * to the best state.
 */
static int refine_pass(struct bisect *s, const struct part *p, int64_t *gained, struct err *e)
{
	uint32_t done = 0, keep = 0;
	int64_t sum = 0, best = 0;
	struct entry a, b;

	if (fill_heaps(s, p, e))
		return -1;
	while (pop(s, 0, &a)) {
		sum += a.gain;
		s->moved[done++] = a.task;
		if (bisect_change(s, a.task, e))
			return -1;
		if (!pop(s, 1, &b))
			break;
		sum += b.gain;
		s->moved[done++] = b.task;
		if (bisect_change(s, b.task, e))
			return -1;
		if (sum > best) {
			best = sum;
			keep = done;
		}
		/* far behind the best: it will not be reached again */
		if (done - keep > 200 && done - keep > p->tasks / 4)
			break;
	}
	while (done > keep)
		s->side[s->moved[--done]] ^= 1;
	*gained = best;
	return 0;
}

static int64_t cost_of(const struct bisect *s, const struct part *p)
{
	int64_t cost = 0;

	for (uint32_t i = 0; i < p->tasks; i++) {
		uint32_t task = s->tasks[p->task_from + i];

		cost -= s->side[task] ? s->outer[task] : 0;
		for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
			const struct task_link *l = &s->g->link[k];

			/* each cut link is seen from both ends */
			if (s->part[l->other] == s->now && s->side[l->other] > s->side[task])
				cost += (int64_t)(l->out + l->in) * s->far;
		}
	}
	return cost;
}

/* Returns the last task of a breadth-first walk over the part's graph from `task`. */
static uint32_t farthest(struct bisect *s, const struct part *p, uint32_t task)
{
	uint32_t head = 0, tail = 0, next = 0;

	for (uint32_t i = 0; i < p->tasks; i++)
		s->locked[s->tasks[p->task_from + i]] = false;
	s->locked[task] = true;
	s->scratch[tail++] = task;
	while (tail < p->tasks) {
		if (head == tail) { /* the graph is not connected */
			while (s->locked[s->tasks[p->task_from + next]])
				next++;
			task = s->tasks[p->task_from + next];
			s->locked[task] = true;
			s->scratch[tail++] = task;
		}
		task = s->scratch[head++];
		for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
			uint32_t other = s->g->link[k].other;

			if (s->part[other] == s->now && !s->locked[other]) {
				s->locked[other] = true;
				s->scratch[tail++] = other;
			}
		}
	}
	return s->scratch[tail - 1];
}

/* Returns the task most attracted to half 0 by tasks of other parts, the lowest of equals. */
static uint32_t most_drawn(const struct bisect *s, const struct part *p)
{
	uint32_t best = s->tasks[p->task_from];

	for (uint32_t i = 1; i < p->tasks; i++) {
		uint32_t task = s->tasks[p->task_from + i];

		if (s->outer[task] < s->outer[best])
			best = task;
	}
	return best;
}

/* Selects `count` of the part's tasks for half 0: the best of some starts. */
static int choose_sides(struct bisect *s, const struct part *p, uint32_t count, struct err *e)
{
	uint32_t seeds[STARTS];
	int64_t least = 0;

	seeds[0] = most_drawn(s, p);
	seeds[1] = farthest(s, p, s->tasks[p->task_from]);
	seeds[2] = farthest(s, p, seeds[1]);
	for (unsigned i = 0; i < STARTS; i++) {
		int64_t gained = 1, cost;

		if (bisect_grow(s, p, count, seeds[i], e))
			return -1;
		for (unsigned k = 0; k < PASSES_MAX && gained > 0; k++)
			if (refine_pass(s, p, &gained, e))
				return -1;
		cost = cost_of(s, p);
		if (i && cost >= least)
			continue;
		least = cost;
		for (uint32_t k = 0; k < p->tasks; k++)
			s->best_side[k] = s->side[s->tasks[p->task_from + k]];
	}
	return 0;
}

/* ---- nodes ---- */

/* Partitions a part's nodes into halves; returns the number of nodes in the first. */
static uint32_t halve_nodes(struct bisect *s, const struct part *p)
{
	const struct topology *t = s->t;
	uint32_t *nodes = &s->nodes[p->node_from], low[32], high[32], x[32], half = 0, rest = 0;
	unsigned longest = 0;

	for (unsigned d = 0; d < t->dimensions; d++) {
		low[d] = UINT32_MAX;
		high[d] = 0;
	}
	for (uint32_t i = 0; i < p->nodes; i++) {
		topology_coordinates(t, nodes[i], x);
		for (unsigned d = 0; d < t->dimensions; d++) {
			low[d] = x[d] < low[d] ? x[d] : low[d];
			high[d] = x[d] > high[d] ? x[d] : high[d];
		}
	}
	/* in networks with levels the highest one */
	for (unsigned d = 1; d < t->dimensions; d++)
		if (s->ways.grid ? high[d] - low[d] >= high[longest] - low[longest] : high[d] > low[d])
			longest = d;
	for (uint32_t i = 0; i < p->nodes; i++) {
		topology_coordinates(t, nodes[i], x);
		if (2 * (x[longest] - low[longest]) <= high[longest] - low[longest] && half < p->nodes - 1)
			nodes[half++] = nodes[i];
		else
			s->scratch[rest++] = nodes[i];
	}
	memcpy(&nodes[half], s->scratch, rest * sizeof(*nodes));
	return half;
}

/* Returns how many tasks go to the first half: all if they fit, else in proportion. */
static uint32_t bisect_share(const struct part *p, uint32_t half)
{
	uint32_t rest = p->nodes - half;
	uint64_t first = ((uint64_t)p->tasks * half + p->nodes / 2) / p->nodes;

	if (p->tasks <= half)
		return p->tasks;
	if (first > half)
		first = half;
	return p->tasks - (uint32_t)first > rest ? p->tasks - rest : (uint32_t)first;
}

/* Computes for each task the cost saved in half 1 by links to tasks of other parts. */
static void weigh_outer(struct bisect *s, const struct part *p)
{
	for (uint32_t i = 0; i < p->tasks; i++) {
		uint32_t task = s->tasks[p->task_from + i];

		s->outer[task] = 0;
		for (size_t k = s->g->first[task]; k < s->g->first[task + 1]; k++) {
			const struct task_link *l = &s->g->link[k];
			uint32_t at = s->node[l->other];

			if (s->part[l->other] != s->now)
				s->outer[task] += (int64_t)(l->out + l->in) *
						  ((int64_t)ways_distance(&s->ways, s->middle[0], at, false) -
						   (int64_t)ways_distance(&s->ways, s->middle[1], at, false));
		}
	}
}

/* Queues the two halves, and moves their tasks to the halves' middles. */
static int bisect_split(struct bisect *s, const struct part *p, uint32_t half, uint32_t count, struct err *e)
{
	uint32_t *tasks = &s->tasks[p->task_from], low = 0, high = 0;
	struct part *halves;

	if (vec_reserve(&s->queue, 2, e))
		return -1;
	for (uint32_t i = 0; i < p->tasks; i++)
		if (s->best_side[i])
			s->scratch[high++] = tasks[i];
		else
			tasks[low++] = tasks[i];
	memcpy(&tasks[low], s->scratch, high * sizeof(*tasks));
	halves = &s->queue.at[s->queue.count];
	halves[0] = (struct part){p->node_from, half, p->task_from, count};
	halves[1] = (struct part){p->node_from + half, p->nodes - half, p->task_from + count, p->tasks - count};
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t i = 0; i < halves[k].tasks; i++) {
			uint32_t task = s->tasks[halves[k].task_from + i];

			s->part[task] = (uint32_t)s->queue.count + k;
			s->node[task] = s->middle[k];
		}
	s->queue.count += 2;
	return 0;
}

static int bisect_halve(struct bisect *s, uint32_t number, struct err *e)
{
	const struct part p = s->queue.at[number];
	uint32_t half, count;

	if (!p.tasks)
		return 0;
	if (p.nodes == 1) {
		s->node[s->tasks[p.task_from]] = s->nodes[p.node_from];
		return 0;
	}
	s->now = number;
	half = halve_nodes(s, &p);
	count = bisect_share(&p, half);
	s->middle[0] = s->nodes[p.node_from + half / 2];
	s->middle[1] = s->nodes[p.node_from + half + (p.nodes - half) / 2];
	s->far = (int64_t)ways_distance(&s->ways, s->middle[0], s->middle[1], false);
	weigh_outer(s, &p);
	if (count && count < p.tasks) {
		if (choose_sides(s, &p, count, e))
			return -1;
	} else {
		memset(s->best_side, count ? 0 : 1, p.tasks);
	}
	return bisect_split(s, &p, half, count, e);
}

static int bisect_run(struct bisect *s, const bool *excluded, struct err *e)
{
	struct part *all = vec_push(&s->queue, e);

	if (!all)
		return -1;
	*all = (struct part){.tasks = s->g->tasks};
	for (uint32_t v = 0; v < s->t->nodes; v++)
		if (!excluded || !excluded[v])
			s->nodes[all->nodes++] = v;
	for (uint32_t i = 0; i < s->g->tasks; i++)
		s->tasks[i] = i;
	for (uint32_t number = 0; number < s->queue.count; number++)
		if (bisect_halve(s, number, e))
			return -1;
	return 0;
}

static int bisect_alloc(struct bisect *s, struct err *e)
{
	size_t n = (size_t)s->g->tasks + 1, most = n > s->t->nodes ? n : s->t->nodes;

	s->nodes = mem_alloc(s->t->nodes, sizeof(*s->nodes), e);
	s->tasks = mem_alloc(n, sizeof(*s->tasks), e);
	s->part = mem_alloc(n, sizeof(*s->part), e);
	s->side = mem_alloc(n, sizeof(*s->side), e);
	s->best_side = mem_alloc(n, sizeof(*s->best_side), e);
	s->outer = mem_alloc(n, sizeof(*s->outer), e);
	s->stamp = mem_alloc(n, sizeof(*s->stamp), e);
	s->locked = mem_alloc(n, sizeof(*s->locked), e);
	s->scratch = mem_alloc(most, sizeof(*s->scratch), e);
	s->moved = mem_alloc(n, sizeof(*s->moved), e);
	return s->nodes && s->tasks && s->part && s->side && s->best_side && s->outer && s->stamp && s->locked &&
			       s->scratch && s->moved
		       ? ways_init(&s->ways, s->t, e)
		       : -1;
}

int bisect_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		     struct err *e)
{
	struct bisect s = {.t = t, .g = g, .node = node};
	int result = bisect_alloc(&s, e) ? -1 : bisect_run(&s, excluded, e);

	ways_finish(&s.ways);
	free(s.nodes);
	free(s.tasks);
	free(s.part);
	free(s.side);
	free(s.best_side);
	free(s.outer);
	free(s.stamp);
	free(s.locked);
	free(s.scratch);
	free(s.moved);
	vec_finish(&s.queue);
	vec_finish(&s.heap[0]);
	vec_finish(&s.heap[1]);
	return result;
}
