#include "refine.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"

#define EMPTY UINT32_MAX

struct refine {
	const struct topology *t;
	const struct task_graph *g;
	uint32_t *node; /* [task] */
	uint32_t *task; /* [node], EMPTY: no task */
	const bool *excluded;
	struct refine_result *result;
};

/* Returns the cost saved if `task` moves to node `to`, and `other` (or EMPTY) to the task's node. */
static int64_t refine_gain_of(const struct refine *r, uint32_t task, uint32_t to, uint32_t other)
{
	uint32_t from = r->node[task];
	int64_t gain = 0;

	for (size_t k = r->g->first[task]; k < r->g->first[task + 1]; k++) {
		const struct task_link *x = &r->g->link[k];
		uint32_t at = r->node[x->other];

		/* the distance between the two does not change */
		if (x->other == other)
			continue;
		if (x->out)
			gain += (int64_t)x->out *
				((int64_t)topology_distance(r->t, from, at) - (int64_t)topology_distance(r->t, to, at));
		if (x->in)
			gain += (int64_t)x->in *
				((int64_t)topology_distance(r->t, at, from) - (int64_t)topology_distance(r->t, at, to));
	}
	return gain;
}

static int64_t exchange_gain(const struct refine *r, uint32_t task, uint32_t to)
{
	uint32_t other = r->task[to];

	r->result->tried++;
	return refine_gain_of(r, task, to, other) +
	       (other == EMPTY ? 0 : refine_gain_of(r, other, r->node[task], task));
}

static void refine_exchange(const struct refine *r, uint32_t task, uint32_t to)
{
	uint32_t other = r->task[to], from = r->node[task];

	r->task[from] = other;
	if (other != EMPTY)
		r->node[other] = from;
	r->node[task] = to;
	r->task[to] = task;
	r->result->exchanges++;
}

struct best {
	int64_t gain;
	uint32_t node;
};

static void refine_offer(const struct refine *r, uint32_t task, uint32_t to, struct best *best)
{
	int64_t gain;

	if (to == r->node[task] || (r->excluded && (r->excluded[to] || r->excluded[r->node[task]])))
		return;
	gain = exchange_gain(r, task, to);
	if (gain > best->gain)
		*best = (struct best){gain, to};
}

/* Offers the node `centre` of a communicating task, and the nodes of its router's neighbours. */
static void refine_offer_around(const struct refine *r, uint32_t task, uint32_t centre, struct best *best)
{
	const struct topology *t = r->t;
	uint32_t router = t->link[t->inject[centre * t->nics]].to;

	refine_offer(r, task, centre, best);
	for (uint32_t i = t->out_first[router]; i < t->out_first[router + 1]; i++) {
		uint32_t next = t->link[t->out_link[i]].to;

		if (next < t->nodes) {
			refine_offer(r, task, next, best);
			continue;
		}
		for (uint32_t k = t->out_first[next]; k < t->out_first[next + 1]; k++)
			if (t->link[t->out_link[k]].to < t->nodes)
				refine_offer(r, task, t->link[t->out_link[k]].to, best);
	}
}

static bool one_pass(const struct refine *r)
{
	bool found = false;

	for (uint32_t task = 0; task < r->g->tasks; task++) {
		struct best best = {0, 0};

		for (size_t k = r->g->first[task]; k < r->g->first[task + 1]; k++)
			refine_offer_around(r, task, r->node[r->g->link[k].other], &best);
		if (best.gain > 0) {
			refine_exchange(r, task, best.node);
			found = true;
		}
	}
	return found;
}

int refine_placement(const struct topology *t, const struct task_graph *g, uint32_t *node, const bool *excluded,
		     unsigned passes, struct refine_result *result, struct err *e)
{
	struct refine r = {t, g, node, mem_alloc(t->nodes, sizeof(*r.task), e), excluded, result};

	*result = (struct refine_result){0};
	if (!r.task)
		return -1;
	memset(r.task, 0xff, t->nodes * sizeof(*r.task));
	for (uint32_t task = 0; task < g->tasks; task++)
		r.task[node[task]] = task;
	while (result->passes < passes) {
		result->passes++;
		if (!one_pass(&r))
			break;
	}
	free(r.task);
	return 0;
}
