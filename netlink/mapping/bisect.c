#include "bisect.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "halve.h"
#include "node_routes.h"

enum { DIMS_MAX = 32, MANY = 4096, CYCLES = 4, CYCLES_OF_MANY = 2 };

/* A set of nodes and the tasks placed on it: ranges of two arrays. */
struct part {
	uint32_t node_from, nodes, task_from, tasks;
	uint32_t middle;           /* a node */
	uint16_t centre[DIMS_MAX]; /* along each axis: lowest plus highest coordinate */
};

struct bisect {
	const struct topology *t;
	const struct task_graph *g;
	const struct bisect_options *o;
	unsigned axes;       /* of a grid or hypercube, whose distances are sums over them; 0: another network */
	bool wrap[DIMS_MAX]; /* [axis] */
	struct node_routes routes;
	struct halve halve;
	uint32_t *nodes, *tasks; /* permutations in which each part is contiguous */
	uint32_t *part;          /* [task] */
	uint32_t *local;         /* [task]: its index in its part */
	uint32_t *scratch;
	struct vec_of(struct part) queue;
};

/* ---- nodes ---- */

struct bounds {
	uint32_t low[DIMS_MAX], high[DIMS_MAX];
};

static void bounds_of(const struct bisect *s, const struct part *p, struct bounds *b)
{
	const struct topology *t = s->t;
	uint32_t x[DIMS_MAX];

	for (unsigned d = 0; d < t->dimensions; d++) {
		b->low[d] = UINT32_MAX;
		b->high[d] = 0;
	}
	for (uint32_t i = 0; i < p->nodes; i++) {
		topology_coordinates(t, s->nodes[p->node_from + i], x);
		for (unsigned d = 0; d < t->dimensions; d++) {
			b->low[d] = x[d] < b->low[d] ? x[d] : b->low[d];
			b->high[d] = x[d] > b->high[d] ? x[d] : b->high[d];
		}
	}
}

static void set_centre(const struct bisect *s, struct part *p)
{
	struct bounds b;

	p->middle = s->nodes[p->node_from + p->nodes / 2];
	if (!s->axes)
		return;
	bounds_of(s, p, &b);
	for (unsigned d = 0; d < s->axes; d++)
		p->centre[d] = (uint16_t)(b.low[d] + b.high[d]);
}

/* Returns twice the distance between two centres along dimension d. */
static int64_t axis_distance(const struct bisect *s, unsigned d, int64_t a, int64_t b)
{
	int64_t far = a > b ? a - b : b - a, around = 2 * (int64_t)s->t->dims[d];

	return s->wrap[d] && 2 * far > around ? around - far : far;
}

/* Returns twice the distance between the middles of two parts, in links. */
static int64_t part_distance(const struct bisect *s, const struct part *a, const struct part *b)
{
	int64_t sum = 0;

	if (!s->axes)
		return 2 * (int64_t)node_routes_distance(&s->routes, a->middle, b->middle, false);
	for (unsigned d = 0; d < s->axes; d++)
		sum += axis_distance(s, d, a->centre[d], b->centre[d]);
	return sum;
}

/* Returns twice the links saved on the path to part `to` in the second half. */
static int64_t links_saved(const struct bisect *s, const struct part half[2], const struct part *to)
{
	int64_t sum = 0;

	if (!s->axes)
		return part_distance(s, &half[0], to) - part_distance(s, &half[1], to);
	for (unsigned d = 0; d < s->axes; d++)
		if (half[0].centre[d] != half[1].centre[d])
			sum += axis_distance(s, d, half[0].centre[d], to->centre[d]) -
			       axis_distance(s, d, half[1].centre[d], to->centre[d]);
	return sum;
}

/* Partitions a part's nodes into halves; returns the number of nodes in the first. */
static uint32_t halve_nodes(struct bisect *s, const struct part *p)
{
	const struct topology *t = s->t;
	uint32_t *nodes = &s->nodes[p->node_from], x[DIMS_MAX], half = 0, rest = 0;
	struct bounds b;
	unsigned longest = 0;

	bounds_of(s, p, &b);
	/* in networks with levels the highest one */
	for (unsigned d = 1; d < t->dimensions; d++)
		if (s->axes ? b.high[d] - b.low[d] >= b.high[longest] - b.low[longest] : b.high[d] > b.low[d])
			longest = d;
	for (uint32_t i = 0; i < p->nodes; i++) {
		topology_coordinates(t, nodes[i], x);
		if (2 * (x[longest] - b.low[longest]) <= b.high[longest] - b.low[longest] && half < p->nodes - 1)
			nodes[half++] = nodes[i];
		else
			s->scratch[rest++] = nodes[i];
	}
	memcpy(&nodes[half], s->scratch, rest * sizeof(*nodes));
	return half;
}

/* ---- tasks ---- */

/* Writes the graph of a part's tasks for halve.h. Tasks of other parts pull. */
static int load_part(struct bisect *s, uint32_t number, const struct part half[2], struct err *e)
{
	const struct part *p = &s->queue.at[number];
	const uint32_t *tasks = &s->tasks[p->task_from];
	const struct task_graph *g = s->g;
	int64_t far = part_distance(s, &half[0], &half[1]);
	struct halve_level *l = &s->halve.level[0];
	size_t edges = 0;

	for (uint32_t i = 0; i < p->tasks; i++) {
		edges += g->first[tasks[i] + 1] - g->first[tasks[i]];
		s->local[tasks[i]] = i;
	}
	if (halve_room(&s->halve, p->tasks, edges, e))
		return -1;
	edges = 0;
	for (uint32_t i = 0; i < p->tasks; i++) {
		l->first[i] = edges;
		l->size[i] = 1;
		l->pull[i] = 0;
		for (size_t k = g->first[tasks[i]]; k < g->first[tasks[i] + 1]; k++) {
			const struct task_link *x = &g->link[k];
			int64_t bytes = (int64_t)(x->out + x->in);
			const struct part *other = &s->queue.at[s->part[x->other]];

			if (s->part[x->other] != number) {
				l->pull[i] += bytes * links_saved(s, half, other);
				continue;
			}
			l->other[edges] = s->local[x->other];
			l->weight[edges++] = bytes * far;
		}
	}
	l->first[p->tasks] = edges;
	return 0;
}

/* Queues the two halves with their tasks. */
static int bisect_split(struct bisect *s, const struct part *p, struct part half[2], struct err *e)
{
	const uint8_t *side = s->halve.level[0].side;
	uint32_t *tasks = &s->tasks[p->task_from], low = 0, high = 0;

	if (vec_reserve(&s->queue, 2, e))
		return -1;
	for (uint32_t i = 0; i < p->tasks; i++) {
		uint32_t task = tasks[i];

		s->part[task] = (uint32_t)s->queue.count + side[i];
		if (side[i])
			s->scratch[high++] = task;
		else
			tasks[low++] = task;
	}
	memcpy(&tasks[low], s->scratch, high * sizeof(*tasks));
	half[0].task_from = p->task_from;
	half[0].tasks = low;
	half[1].task_from = p->task_from + low;
	half[1].tasks = high;
	memcpy(&s->queue.at[s->queue.count], half, 2 * sizeof(*half));
	s->queue.count += 2;
	return 0;
}

/* Divides the loaded tasks between `first` nodes and the rest. */
static int divide_part(struct bisect *s, const struct part *p, uint32_t first, struct err *e)
{
	uint32_t rest = p->nodes - first, most = p->tasks < first ? p->tasks : first;

	if (s->o->watch && !jobs_step(s->o->watch, 0)) {
		for (uint32_t i = 0; i < p->tasks; i++)
			s->halve.level[0].side[i] = i >= most;
		return 0;
	}
	s->halve.cycles = p->tasks <= MANY ? CYCLES : CYCLES_OF_MANY;
	return halve_run(&s->halve, p->tasks > rest ? p->tasks - rest : 0, most, e);
}

static int bisect_halve(struct bisect *s, uint32_t number, struct err *e)
{
	const struct part p = s->queue.at[number];
	struct part half[2];
	uint32_t first;

	if (!p.tasks || p.nodes == 1)
		return 0;
	first = halve_nodes(s, &p);
	half[0] = (struct part){.node_from = p.node_from, .nodes = first};
	half[1] = (struct part){.node_from = p.node_from + first, .nodes = p.nodes - first};
	set_centre(s, &half[0]);
	set_centre(s, &half[1]);
	if (load_part(s, number, half, e) || divide_part(s, &p, first, e))
		return -1;
	return bisect_split(s, &p, half, e);
}

static int bisect_run(struct bisect *s, uint32_t *node, struct err *e)
{
	struct part *all = vec_push(&s->queue, e);

	if (!all)
		return -1;
	*all = (struct part){.tasks = s->g->tasks};
	for (uint32_t v = 0; v < s->t->nodes; v++)
		if (!s->o->excluded || !s->o->excluded[v])
			s->nodes[all->nodes++] = v;
	set_centre(s, all);
	for (uint32_t i = 0; i < s->g->tasks; i++)
		s->tasks[i] = i;
	for (uint32_t number = 0; number < s->queue.count; number++)
		if (bisect_halve(s, number, e))
			return -1;
	for (uint32_t i = 0; i < s->g->tasks; i++)
		node[i] = s->nodes[s->queue.at[s->part[i]].node_from];
	return 0;
}

static void set_axes(struct bisect *s)
{
	const struct grid *g = topology_grid(s->t);

	s->axes = g ? g->dims : topology_shape(s->t) == SHAPE_HYPERCUBE ? s->t->dimensions : 0;
	for (unsigned d = 0; g && d < s->axes; d++)
		s->wrap[d] = g->wrap[d] && !s->o->open;
}

static int bisect_alloc(struct bisect *s, struct err *e)
{
	size_t n = (size_t)s->g->tasks + 1, most = n > s->t->nodes ? n : s->t->nodes;

	s->nodes = mem_alloc(s->t->nodes, sizeof(*s->nodes), e);
	s->tasks = mem_alloc(n, sizeof(*s->tasks), e);
	s->part = mem_alloc(n, sizeof(*s->part), e);
	s->local = mem_alloc(n, sizeof(*s->local), e);
	s->scratch = mem_alloc(most, sizeof(*s->scratch), e);
	return s->nodes && s->tasks && s->part && s->local && s->scratch ? node_routes_init(&s->routes, s->t, e) : -1;
}

int bisect_placement(const struct topology *t, const struct task_graph *g, const struct bisect_options *o,
		     uint32_t *node, struct err *e)
{
	struct bisect *s = mem_alloc(1, sizeof(*s), e);
	int result;

	if (!s)
		return -1;
	s->t = t;
	s->g = g;
	s->o = o;
	set_axes(s);
	s->halve.seed = o->seed << 32;
	result = bisect_alloc(s, e) ? -1 : bisect_run(s, node, e);
	node_routes_finish(&s->routes);
	halve_finish(&s->halve);
	free(s->nodes);
	free(s->tasks);
	free(s->part);
	free(s->local);
	free(s->scratch);
	vec_finish(&s->queue);
	free(s);
	return result;
}
