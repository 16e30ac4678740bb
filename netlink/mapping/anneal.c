#include "anneal.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"
#include "boxes.h"
#include "exchange.h"

/*
 * A byte beyond the limit of a link costs as much as EXCESS_PRICE bytes on one link more. Every
 * chain has its own limit, a share of the busiest link's bytes at the start, and its own
 * temperature.
 */
enum { EXCESS_PRICE = 4, SAMPLES = 256, BOX_SAMPLES = 32, ROUND = 4096, BOX_ROUND = 64, WALK_MAX = 8 };
static const double limit_shares[] = {0.97, 0.9, 0.8, 0.7, 0.6, 0.5, 0.95, 0.85};
static const double temperatures[] = {1, 0.1, 0.3, 0.03};      /* of the mean increase by a random exchange */
static const double last_temperature = 1e-3, cool_last = 0.03; /* relative to the first */
static const double cool_temperatures[] = {0.1, 0.05, 0.2, 0.02, 0.5, 0.1, 1, 0.3};
enum { SHARES = sizeof(limit_shares) / sizeof(limit_shares[0]) };
enum { COOL_TEMPERATURES = sizeof(cool_temperatures) / sizeof(cool_temperatures[0]) };
enum { TEMPERATURES = sizeof(temperatures) / sizeof(temperatures[0]) };

struct anneal {
	const struct topology *t;
	const struct task_graph *g;
	const struct anneal_options *o;
	const uint32_t *start;
	struct mapping_cost first;
	pthread_mutex_t lock; /* guards all members below */
	uint32_t *best;
	double best_value;
	struct anneal_result *result;
};

struct chain {
	struct anneal *a;
	struct exchange x;
	unsigned index;
	uint64_t energy, least; /* of the present placement, and of `kept` */
	uint32_t *kept;
	uint64_t tried, done;
	double temperature;
	struct box_move box;
};

static uint64_t energy_of(const struct exchange *x)
{
	return x->cost + EXCESS_PRICE * x->excess;
}

/* Returns a random node near `centre`: at a neighbour of its router, or at a neighbour of that. */
static uint32_t node_near(const struct topology *t, uint32_t centre, uint32_t random)
{
	uint32_t at = t->link[t->inject[centre * t->nics]].to;

	for (unsigned i = 0; i < WALK_MAX; i++) {
		uint32_t first = t->out_first[at], count = t->out_first[at + 1] - first;

		at = t->link[t->out_link[first + random % count]].to;
		random = random / count ^ random << 16 ^ random << 7;
		if (at < t->nodes)
			return at;
	}
	return centre;
}

struct proposal {
	uint32_t task, to;
	bool near;     /* to a node that the task communicates with */
	double chance; /* 0 … 1 */
};

/*
 * Proposes a task and a node: near a node that the task communicates with half of the time, or, to
 * improve a good start, seven times of eight; else anywhere.
 */
static bool propose(const struct chain *c, uint64_t step, struct proposal *p)
{
	const struct anneal *a = c->a;
	const struct rng_words r = rng_philox((struct rng_words){{(uint32_t)step, (uint32_t)(step >> 32), c->index, 0}},
					      (uint32_t)a->o->seed, (uint32_t)(a->o->seed >> 32));
	size_t first, links;

	p->task = (uint32_t)((uint64_t)r.word[0] * a->g->tasks >> 32);
	first = a->g->first[p->task];
	links = a->g->first[p->task + 1] - first;
	p->chance = (r.word[3] + 0.5) / 4294967296.0;
	p->near = r.word[2] & (a->o->cool ? 7 : 1) && links;
	if (p->near)
		p->to = node_near(a->t, c->x.node[a->g->link[first + r.word[1] % links].other],
				  r.word[2] >> (a->o->cool ? 3 : 1));
	else
		p->to = (uint32_t)((uint64_t)r.word[1] * a->t->nodes >> 32);
	if (a->o->excluded && (a->o->excluded[p->to] || a->o->excluded[c->x.node[p->task]]))
		return false;
	return p->to != c->x.node[p->task];
}

/* Accepts an exchange that lowers the energy, others with Metropolis' probability. */
static void anneal_try(struct chain *c, const struct proposal *p)
{
	struct exchange *x = &c->x;
	uint32_t from = x->node[p->task];
	double most = -c->temperature * log(p->chance);
	int64_t change = exchange_cost_change(x, p->task, p->to);
	uint64_t before = c->energy;

	c->tried++;
	/* an exchange removes at most the present excess */
	if ((double)change - (double)(EXCESS_PRICE * x->excess) > most)
		return;
	exchange_do(x, p->task, p->to);
	c->energy = energy_of(x);
	if ((double)(int64_t)(c->energy - before) > most) {
		exchange_do(x, p->task, from);
		c->energy = before;
		return;
	}
	c->done++;
}

/* Returns the mean increase of energy over exchanges that raise it; from a good start, over those near partners. */
static double mean_growth(struct chain *c)
{
	double sum = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < SAMPLES; i++) {
		struct proposal p;
		int64_t change;

		if (!propose(c, UINT64_MAX - i, &p) || (c->a->o->cool && !p.near))
			continue;
		change = exchange_cost_change(&c->x, p.task, p.to);
		sum += change > 0 ? (double)change : 0;
		count += change > 0;
	}
	return count ? sum / count : 0;
}

static void keep_if_better(struct chain *c)
{
	if (c->energy < c->least) {
		c->least = c->energy;
		memcpy(c->kept, c->x.node, c->a->g->tasks * sizeof(*c->kept));
	}
}

/* ---- moves of boxes ---- */

static bool propose_box(struct chain *c, uint64_t step, double *chance)
{
	const struct anneal *a = c->a;
	const struct rng_words r = rng_philox((struct rng_words){{(uint32_t)step, (uint32_t)(step >> 32), c->index, 1}},
					      (uint32_t)a->o->seed, (uint32_t)(a->o->seed >> 32));

	/* the second word is used twice: for the shape, and its remaining bits for the probability */
	*chance = (double)(r.word[1] * 2654435769u >> 8) / (1 << 24) + 1e-9;
	return box_move_choose(&c->box, &c->x, a->o->excluded, r.word);
}

/* Moves the box; returns the increase of energy. */
static double move_box(struct chain *c)
{
	uint64_t before = c->energy;

	exchange_move(&c->x, c->box.task, c->box.to, c->box.count);
	c->energy = energy_of(&c->x);
	return (double)(int64_t)(c->energy - before);
}

static void move_back(struct chain *c)
{
	exchange_move(&c->x, c->box.task, c->box.back, c->box.count);
	c->energy = energy_of(&c->x);
}

/* Moves the box if the energy increases by at most `most`. */
static bool try_box(struct chain *c, double most)
{
	const struct box_move *b = &c->box;
	int64_t change = exchange_move_change(&c->x, b->task, b->back, b->to, b->count);

	/* a move removes at most the present excess */
	if ((double)change - (double)(EXCESS_PRICE * c->x.excess) > most)
		return false;
	if (move_box(c) <= most)
		return true;
	move_back(c);
	return false;
}

/* Returns the least increase over some moves that raise the energy; it sets the first temperature. */
static double least_growth(struct chain *c)
{
	double least = 0, chance;

	for (unsigned i = 0; i < BOX_SAMPLES; i++) {
		double growth;

		if (!propose_box(c, UINT64_MAX - i, &chance))
			continue;
		growth = move_box(c);
		move_back(c);
		if (growth > 0 && (least <= 0 || growth < least))
			least = growth;
	}
	return least;
}

static void run_boxes(struct chain *c)
{
	const struct anneal *a = c->a;
	uint64_t steps = c->x.routes.grid ? a->o->boxes : 0;
	double start = steps ? temperatures[c->index % TEMPERATURES] * least_growth(c) : 0;

	for (uint64_t step = 0; step < steps; step++) {
		double chance;

		if (step % BOX_ROUND == 0) {
			c->temperature = start * pow(last_temperature, (double)step / (double)steps);
			keep_if_better(c);
			if (!jobs_step(a->o->watch, step ? BOX_ROUND : 0))
				break;
		}
		if (!propose_box(c, step, &chance))
			continue;
		c->tried++;
		if (try_box(c, -c->temperature * log(chance)))
			c->done++;
	}
	keep_if_better(c);
}

/* ---- chains ---- */

/* Returns the first temperature of a chain, relative to the mean increase. */
static double temperature_of(const struct chain *c)
{
	return c->a->o->cool ? cool_temperatures[c->index % COOL_TEMPERATURES] : temperatures[c->index % TEMPERATURES];
}

static void run_chain(struct chain *c)
{
	const struct anneal *a = c->a;
	const double last = a->o->cool ? cool_last : last_temperature;
	uint64_t steps = a->g->tasks ? a->o->steps : 0;
	double start;

	c->energy = c->least = energy_of(&c->x);
	memcpy(c->kept, c->x.node, a->g->tasks * sizeof(*c->kept));
	run_boxes(c);
	start = steps ? temperature_of(c) * mean_growth(c) : 0;
	for (uint64_t step = 0; step < steps; step++) {
		struct proposal p;

		if (step % ROUND == 0) {
			c->temperature = start * pow(last, (double)step / (double)steps);
			keep_if_better(c);
			if (!jobs_step(a->o->watch, step ? ROUND : 0))
				break;
		}
		if (propose(c, step, &p))
			anneal_try(c, &p);
	}
	keep_if_better(c);
}

static double anneal_value_of(const struct anneal *a, const struct mapping_cost *c)
{
	const struct mapping_cost *f = &a->first;
	double cost = (double)(a->o->open ? c->mesh_hop_bytes : c->hop_bytes),
	       first = (double)(a->o->open ? f->mesh_hop_bytes : f->hop_bytes);

	return (first > 0 ? (1 - a->o->weight) * cost / first : 0) +
	       (f->max_link_bytes ? a->o->weight * (double)c->max_link_bytes / (double)f->max_link_bytes : 0);
}

static uint64_t limit_of(const struct anneal *a, unsigned chain)
{
	if (a->o->limit)
		return a->o->limit;
	return a->o->weight > 0 ? (uint64_t)(limit_shares[chain % SHARES] * (double)a->first.max_link_bytes)
				: EXCHANGE_NO_LIMIT;
}

/* Keeps the best placement of all chains; among equals that of the lowest chain. */
static int anneal_hand_in(struct chain *c, struct err *e)
{
	struct anneal *a = c->a;
	struct mapping_cost cost;
	double value;

	if (mapping_cost(a->t, a->g, c->kept, &cost, NULL, e))
		return -1;
	value = a->o->limit ? (double)c->least : anneal_value_of(a, &cost);
	pthread_mutex_lock(&a->lock);
	a->result->tried += c->tried;
	a->result->done += c->done;
	if (value < a->best_value ||
	    (value <= a->best_value && a->result->best_chain != a->o->chains && c->index < a->result->best_chain)) {
		a->best_value = value;
		a->result->best_chain = c->index;
		memcpy(a->best, c->kept, a->g->tasks * sizeof(*a->best));
	}
	pthread_mutex_unlock(&a->lock);
	return 0;
}

static int chain_job(void *user, unsigned index, struct err *e)
{
	struct anneal *a = user;
	struct chain c = {.a = a, .index = index};
	int result = -1;

	c.kept = mem_alloc((size_t)a->g->tasks + 1, sizeof(*c.kept), e);
	if (c.kept && !box_move_init(&c.box, a->g->tasks, e) &&
	    !exchange_init(&c.x, a->t, a->g, a->start, a->o->open, limit_of(a, index), e)) {
		run_chain(&c);
		result = anneal_hand_in(&c, e);
	}
	exchange_finish(&c.x);
	box_move_finish(&c.box);
	free(c.kept);
	return result;
}

int anneal_placement(const struct topology *t, const struct task_graph *g, uint32_t *node,
		     const struct anneal_options *o, struct anneal_result *result, struct err *e)
{
	struct anneal a = {.t = t, .g = g, .o = o, .start = node, .result = result};
	int failed;

	*result = (struct anneal_result){.best_chain = o->chains};
	a.best = mem_alloc((size_t)g->tasks + 1, sizeof(*a.best), e);
	if (!a.best || mapping_cost(t, g, node, &a.first, NULL, e)) {
		free(a.best);
		return -1;
	}
	a.best_value = o->limit ? HUGE_VAL : anneal_value_of(&a, &a.first); /* chains keep the start */
	memcpy(a.best, node, g->tasks * sizeof(*node));
	pthread_mutex_init(&a.lock, NULL);
	failed = jobs_run(o->chains, o->threads, chain_job, &a, o->watch, e);
	if (!failed)
		memcpy(node, a.best, g->tasks * sizeof(*node));
	pthread_mutex_destroy(&a.lock);
	free(a.best);
	return failed;
}
