#include "refine.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "exchange.h"

enum {
	ROUND = 256, /* tasks between two checks of the watch */
	TASK_WORK =
		1 << 14, /* edges evaluated for one task: bounds tasks with many partners, routers with many nodes */
	AROUND = 8,      /* nodes beside a partner, about */
};

struct refine {
	const struct topology *t;
	const struct task_graph *g;
	const struct refine_options *o;
	struct refine_result *result;
	struct exchange x;
	bool *settled;         /* [task]: has no better place unless a task that it communicates with moves */
	uint32_t *seen, stamp; /* [node]: offered to the present task */
	int64_t left;          /* edges that may yet be evaluated for it */
};

struct best {
	int64_t change; /* of cost */
	uint32_t node;
};

static void refine_offer(struct refine *r, uint32_t task, uint32_t to, struct best *best)
{
	const bool *excluded = r->o->excluded;
	int64_t change;

	if (r->seen[to] == r->stamp || r->left <= 0)
		return;
	r->seen[to] = r->stamp;
	if (to == r->x.node[task] || (excluded && (excluded[to] || excluded[r->x.node[task]])))
		return;
	r->result->tried++;
	r->left -= (int64_t)(r->g->first[task + 1] - r->g->first[task]);
	if (exchange_own_change(&r->x, task, to) >= 0)
		return;
	change = exchange_cost_change(&r->x, task, to);
	if (change < best->change)
		*best = (struct best){change, to};
}

/* Offers the node `centre` of a communicating task, and the nodes of its router's neighbours. */
static void refine_offer_around(struct refine *r, uint32_t task, uint32_t centre, struct best *best)
{
	const struct topology *t = r->t;
	uint32_t router = t->link[t->inject[centre * t->nics]].to;

	refine_offer(r, task, centre, best);
	for (uint32_t i = t->out_first[router]; i < t->out_first[router + 1] && r->left > 0; i++) {
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

/* Tasks that communicate with one that has moved may have a better place now. */
static void unsettle(struct refine *r, uint32_t task)
{
	r->settled[task] = false;
	for (size_t k = r->g->first[task]; k < r->g->first[task + 1]; k++)
		r->settled[r->g->link[k].other] = false;
}

static bool refine_task(struct refine *r, uint32_t task)
{
	struct best best = {0, 0};
	size_t first = r->g->first[task], partners = r->g->first[task + 1] - first,
	       few = TASK_WORK / AROUND / (partners + 1) + 1, step = partners > few ? partners / few : 1;
	uint32_t other;

	r->stamp++;
	r->left = TASK_WORK;
	for (size_t k = first; k < first + partners; k += step)
		refine_offer_around(r, task, r->x.node[r->g->link[k].other], &best);
	r->settled[task] = true;
	if (best.change == 0)
		return false;
	other = r->x.task[best.node];
	exchange_do(&r->x, task, best.node);
	r->result->exchanges++;
	unsettle(r, task);
	if (other != EXCHANGE_EMPTY)
		unsettle(r, other);
	return true;
}

/* Returns whether the work of refinement may go on. */
static bool refine_goes_on(const struct refine *r, uint32_t task)
{
	return task % ROUND || !r->o->watch || jobs_step(r->o->watch, 0);
}

static bool one_pass(struct refine *r)
{
	bool found = false;

	for (uint32_t task = 0; task < r->g->tasks; task++) {
		if (!refine_goes_on(r, task))
			return false;
		if (!r->settled[task])
			found |= refine_task(r, task);
	}
	return found;
}

int refine_placement(const struct topology *t, const struct task_graph *g, uint32_t *node,
		     const struct refine_options *o, struct refine_result *result, struct err *e)
{
	struct refine r = {.t = t, .g = g, .o = o, .result = result};
	int failed = -1;

	*result = (struct refine_result){0};
	r.settled = mem_alloc((size_t)g->tasks + 1, sizeof(*r.settled), e);
	r.seen = mem_alloc(t->nodes, sizeof(*r.seen), e);
	if (r.settled && r.seen && !exchange_init(&r.x, t, g, node, false, EXCHANGE_NO_LIMIT, e)) {
		while (result->passes < o->passes) {
			result->passes++;
			if (!one_pass(&r))
				break;
		}
		memcpy(node, r.x.node, g->tasks * sizeof(*node));
		failed = 0;
	}
	exchange_finish(&r.x);
	free(r.settled);
	free(r.seen);
	return failed;
}
