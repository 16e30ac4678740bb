#include "auto.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "bisect.h"
#include "exclude.h"
#include "greedy.h"
#include "optimise.h"
#include "pack.h"
#include "walk.h"

enum {
	PASSES = 30, /* of refinement */
	PASSES_OF_MANY = 4,
	REFINED = 4, /* of the placements */
	REFINED_OF_MANY = 1,
	MANY = 8192, /* tasks */
	CHAINS = 8,  /* of annealing, where each may try a task TRIES_LEAST times */
	TRIES_LEAST = 600,
	TRIES_MAX = 100,      /* for each task and chain, of one unit of effort */
	BOXES = 40,           /* moves of boxes for each chain, of one unit of effort */
	BISECTIONS_LEAST = 2, /* the first one without wrap-around links */
	BISECTIONS_MAX = 16,
	EDGE_VISITS = 30, /* of an edge on one level of bisection, about */
};

enum start { START_ORDER, START_MERGED, START_WALK, START_GREEDY, START_PACKED, START_BISECTED };

struct candidate {
	unsigned start; /* enum start; higher: a further bisection */
	uint32_t *node; /* [task] */
	struct mapping_cost cost;
};

struct search {
	const struct optimise_request *q;
	const struct task_graph *g;
	const struct mapping_cost *order;
	const uint32_t *in_order;
	struct candidate *candidate; /* in the order of starts, then the best first */
	unsigned count;
};

/* Merging wants as many tasks as nodes: others are silent. Leaves the placement in order where it does not apply. */
static int place_merged(const struct search *s, uint32_t *node, struct err *e)
{
	const struct optimise_request *q = s->q;
	uint32_t nodes = q->topology->nodes, *all = mem_alloc(nodes, sizeof(*all), e);
	struct task_graph padded = *s->g;
	int failed = -1;

	if (!all)
		return -1;
	if (!task_graph_pad(s->g, nodes, &padded, e)) {
		failed = optimise_merge(q, METHOD_MINCOST, 0, &padded, all, e);
		if (!failed && q->excluded)
			failed = exclude_nodes(q->topology, &padded, s->g->tasks, q->excluded, all, e);
		if (!failed)
			memcpy(node, all, s->g->tasks * sizeof(*node));
		else if (e && e->status == STATUS_USAGE)
			failed = 0;
		free(padded.first);
	}
	free(all);
	return failed;
}

/* 0; 1 if the candidate does not apply; -1. */
static int place_start(const struct search *s, unsigned candidate, uint32_t *node, struct err *e)
{
	const struct optimise_request *q = s->q;
	const struct topology *t = q->topology;
	const struct bisect_options halves = {
		.excluded = q->excluded,
		.seed = q->seed + candidate,
		.open = q->open || (candidate - START_BISECTED) % 2 == 0,
		.watch = q->watch,
	};

	memcpy(node, s->in_order, s->g->tasks * sizeof(*node));
	switch (candidate) {
	case START_ORDER: return 0;
	case START_MERGED: return place_merged(s, node, e);
	case START_WALK: return walk_placement(t, s->g, q->excluded, node, e);
	case START_GREEDY: return greedy_placement(t, s->g, q->excluded, q->watch, node, e);
	case START_PACKED: return pack_placement(t, s->g, q->excluded, node, e);
	default: return bisect_placement(t, s->g, &halves, node, e);
	}
}

static const char *start_name(unsigned candidate)
{
	static const char *const names[] = {"in order", "mincost", "walk", "greedy", "packed", "bisect"};

	return names[candidate < START_BISECTED ? candidate : START_BISECTED];
}

static unsigned passes(const struct task_graph *g)
{
	return g->tasks > MANY ? PASSES_OF_MANY : PASSES;
}

static int start_job(void *user, unsigned index, struct err *e)
{
	struct search *s = user;
	struct candidate *c = &s->candidate[index];
	int made;

	c->start = index;
	c->node = mem_alloc((size_t)s->g->tasks + 1, sizeof(*c->node), e);
	made = c->node ? place_start(s, index, c->node, e) : -1;
	if (!made)
		made = mapping_cost(s->q->topology, s->g, c->node, &c->cost, NULL, e);
	if (made > 0) {
		free(c->node);
		c->node = NULL;
	}
	jobs_step(s->q->watch, 1);
	return made < 0 ? -1 : 0;
}

static int refine_job(void *user, unsigned index, struct err *e)
{
	struct search *s = user;
	struct candidate *c = &s->candidate[index];
	const struct optimise_request *q = s->q;
	const struct refine_options fine = {.passes = passes(s->g), .excluded = q->excluded, .watch = q->watch};
	struct refine_result refined;
	int failed = refine_placement(q->topology, s->g, c->node, &fine, &refined, e) ||
		     mapping_cost(q->topology, s->g, c->node, &c->cost, NULL, e);

	jobs_step(q->watch, 1);
	return failed ? -1 : 0;
}

/*
 * Sorts candidates, the best first, among equals by start. Those that do not apply, or that an early end has left out,
 * come last.
 */
static void auto_rank(const struct search *s, struct candidate *candidate, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		struct candidate c = candidate[i];
		unsigned k = i;

		for (; k && c.node; k--) {
			const struct candidate *other = &candidate[k - 1];

			if (other->node && !optimise_better(s->q, s->order, &c.cost, &other->cost))
				break;
			candidate[k] = *other;
		}
		candidate[k] = c;
	}
}

/* Drops all but the best few of candidates [from, to); moves these to [at, …). Returns the place behind them. */
static unsigned keep_few(const struct search *s, unsigned from, unsigned to, unsigned at)
{
	unsigned few = s->g->tasks > MANY ? REFINED_OF_MANY : REFINED;

	auto_rank(s, s->candidate + from, to - from);
	for (unsigned i = from; i < to; i++) {
		struct candidate c = s->candidate[i];

		s->candidate[i].node = NULL;
		if (i < from + few && c.node)
			s->candidate[at++] = c;
		else
			free(c.node);
	}
	return at;
}

/*
 * Makes all placements, and refines the best few of those that are made whatever the effort, and of
 * the others: more effort is never worse than none.
 */
static int auto_find_start(struct search *s, struct err *e)
{
	const unsigned always = START_BISECTED + BISECTIONS_LEAST;
	unsigned kept;

	if (jobs_run(s->count, s->q->threads, start_job, s, s->q->watch, e))
		return -1;
	kept = keep_few(s, 0, always, 0);
	s->count = keep_few(s, always, s->count, kept);
	if (jobs_run(s->count, s->q->threads, refine_job, s, s->q->watch, e))
		return -1;
	auto_rank(s, s->candidate, s->count);
	return 0;
}

/*
 * Returns the number of bisections: those whose work is about half of the effort. One visits each
 * edge EDGE_VISITS times on each level.
 */
static unsigned bisections(const struct optimise_request *q, const struct task_graph *g)
{
	uint64_t work = EDGE_VISITS, count;

	for (uint32_t tasks = g->tasks; tasks > 1; tasks /= 2)
		work += EDGE_VISITS * (g->links + 1);
	count = q->effort * 500000 / work;
	return count < BISECTIONS_LEAST ? BISECTIONS_LEAST : count > BISECTIONS_MAX ? BISECTIONS_MAX : (unsigned)count;
}

/* Divides the effort among chains, few where each could try each task a few times only. An exchange evaluates the edges
 * of two tasks. */
static void share_effort(const struct optimise_request *q, const struct task_graph *g, struct anneal_options *o)
{
	uint64_t edges = 2 * (g->links / (g->tasks ? g->tasks : 1) + 1), all = q->effort * 1000000 / edges,
		 most = TRIES_MAX * q->effort * g->tasks, chains = all / (TRIES_LEAST * ((uint64_t)g->tasks + 1)) + 1;

	o->chains = chains < CHAINS ? (unsigned)chains : CHAINS;
	o->steps = all / o->chains < most ? all / o->chains : most;
	o->boxes = BOXES * q->effort;
}

/* Returns a cost that no placement is below: every byte on no link where nodes share routers, else on one. */
static uint64_t least_cost(const struct topology *t, const struct task_graph *g)
{
	for (uint32_t v = 1; v < t->nodes; v++)
		if (t->link[t->inject[v * t->nics]].to == t->link[t->inject[(v - 1) * t->nics]].to)
			return 0;
	return g->bytes;
}

static int auto_anneal(const struct search *s, uint32_t *node, struct auto_result *result, struct err *e)
{
	const struct optimise_request *q = s->q;
	struct anneal_options o = {
		.threads = q->threads,
		.seed = q->seed,
		.open = q->open,
		.weight = q->weighted ? q->weight : 0,
		.limit = q->limit,
		.excluded = q->excluded,
		.cool = true,
		.watch = q->watch,
	};
	const struct refine_options fine = {.passes = passes(s->g), .excluded = q->excluded, .watch = q->watch};
	struct anneal_result annealed;
	struct refine_result refined;
	bool by_cost = !q->weighted && !q->limit && !q->open;

	share_effort(q, s->g, &o);
	if (!o.steps || !s->g->links || (by_cost && s->candidate[0].cost.hop_bytes <= least_cost(q->topology, s->g)))
		return 0;
	if (anneal_placement(q->topology, s->g, node, &o, &annealed, e))
		return -1;
	result->tried = annealed.tried;
	result->in_order &= annealed.best_chain == o.chains;
	if (by_cost && refine_placement(q->topology, s->g, node, &fine, &refined, e))
		return -1;
	result->in_order &= !by_cost || !refined.exchanges;
	return 0;
}

int auto_placement(const struct optimise_request *q, const struct task_graph *g, const struct mapping_cost *order,
		   uint32_t *node, struct auto_result *result, struct err *e)
{
	struct search s = {.q = q, .g = g, .order = order, .in_order = node};
	unsigned all = START_BISECTED + bisections(q, g);
	int failed = -1;

	*result = (struct auto_result){0};
	s.count = all;
	s.candidate = mem_alloc(all, sizeof(*s.candidate), e);
	if (s.candidate && !auto_find_start(&s, e)) {
		const struct candidate *best = &s.candidate[0];

		result->start = start_name(best->start);
		result->start_cost = best->cost.hop_bytes;
		result->in_order = !memcmp(node, best->node, g->tasks * sizeof(*node));
		memcpy(node, best->node, g->tasks * sizeof(*node));
		failed = auto_anneal(&s, node, result, e);
	}
	for (unsigned i = 0; s.candidate && i < all; i++)
		free(s.candidate[i].node);
	free(s.candidate);
	return failed;
}
