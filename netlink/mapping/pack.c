#include "pack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

enum {
	LEVELS_MAX = 33,
	SEEDS_MAX = 8, /* greatest pieces that are tried for a block */
	PLANS_MAX = 64,
};
#define WORK_MAX ((uint64_t)1 << 28) /* sums of all plans */

struct piece {
	uint32_t first, size; /* its tasks: order[first …] */
};

struct level {
	uint32_t blocks;
	uint32_t *of, *first, *room; /* of[node]; [block]: its first node, and how many are free */
};

struct pack {
	const struct topology *t;
	const struct task_graph *g;
	uint32_t *order;     /* tasks, piece by piece */
	struct piece *piece; /* the greatest first */
	uint32_t pieces;
	uint32_t *next, *left;  /* [size]: its next piece, and how many are left */
	uint32_t *sizes, count; /* sizes of pieces that fit a block, in the order in which sums use them */
	uint32_t *plan, *best;  /* sizes, block by block; 0 ends a block. The best plan leaves the fewest tasks */
	uint32_t *last,
		*used; /* [sum]: the size that makes it, and how many of this size do; last 0: nothing makes it */
	struct level level[LEVELS_MAX]; /* blocks of the level before are parts of its blocks */
	unsigned levels;
	bool *taken; /* [node] */
	uint32_t *node;
};

/* Appends the tasks of the piece of `task` to the order. */
static struct piece collect_piece(struct pack *p, uint32_t task, uint32_t first, bool *seen)
{
	uint32_t tail = first;

	seen[task] = true;
	p->order[tail++] = task;
	for (uint32_t head = first; head < tail; head++)
		for (size_t k = p->g->first[p->order[head]]; k < p->g->first[p->order[head] + 1]; k++) {
			uint32_t other = p->g->link[k].other;

			if (seen[other])
				continue;
			seen[other] = true;
			p->order[tail++] = other;
		}
	return (struct piece){first, tail - first};
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int pack_pieces(struct pack *p, struct err *e)
{
	bool *seen = mem_alloc((size_t)p->g->tasks + 1, sizeof(*seen), e);

	if (!seen)
		return -1;
	for (uint32_t task = 0, met = 0; task < p->g->tasks; task++)
		if (!seen[task]) {
			p->piece[p->pieces] = collect_piece(p, task, met, seen);
			met += p->piece[p->pieces++].size;
		}
	free(seen);
	qsort(p->piece, p->pieces, sizeof(*p->piece), compare_pieces);
	for (uint32_t i = p->pieces; i-- > 0;) {
		p->next[p->piece[i].size] = i;
		p->left[p->piece[i].size]++;
	}
	return 0;
}

/* Adds a level of runs that end where two nodes are more than `reach` links apart. */
static int add_level(struct pack *p, const unsigned *apart, unsigned reach, struct err *e)
{
	uint32_t nodes = p->t->nodes;
	struct level *l = &p->level[p->levels];

	l->of = mem_alloc(nodes, sizeof(*l->of), e);
	l->first = mem_alloc(nodes, sizeof(*l->first), e);
	l->room = mem_alloc(nodes, sizeof(*l->room), e);
	p->levels++;
	if (!l->of || !l->first || !l->room)
		return -1;
	for (uint32_t v = 0; v < nodes; v++) {
		if (!v || apart[v] > reach)
			l->first[l->blocks++] = v;
		l->of[v] = l->blocks - 1;
		l->room[l->of[v]] += !p->taken[v];
	}
	return 0;
}

/* Returns the least distance beyond `reach`, or `reach` if there is none. */
static unsigned next_reach(const struct pack *p, const unsigned *apart, unsigned reach)
{
	unsigned next = UINT_MAX;

	for (uint32_t v = 1; v < p->t->nodes; v++)
		if (apart[v] > reach && apart[v] < next)
			next = apart[v];
	return next == UINT_MAX ? reach : next;
}

/* Makes a level of each distance between a node and the one before; the last level is one block. */
static int find_blocks(struct pack *p, struct err *e)
{
	uint32_t nodes = p->t->nodes;
	unsigned *apart = mem_alloc(nodes, sizeof(*apart), e), reach = 0, next;
	int failed = !apart;

	for (uint32_t v = 1; !failed && v < nodes; v++)
		apart[v] = topology_distance(p->t, v - 1, v) + 1; /* 1: at one router */
	while (!failed && (next = next_reach(p, apart, reach)) != reach && p->levels < LEVELS_MAX - 1) {
		reach = next;
		failed = add_level(p, apart, reach, e);
	}
	if (!failed && (!p->levels || p->level[p->levels - 1].blocks > 1))
		failed = add_level(p, apart, UINT_MAX, e);
	free(apart);
	return failed ? -1 : 0;
}

/* Places the next piece of this size on the first free nodes of the block. */
static void place_piece(struct pack *p, uint32_t size, unsigned level, uint32_t block)
{
	const struct piece *piece = &p->piece[p->next[size]++];
	uint32_t v = p->level[level].first[block];

	p->left[size]--;
	for (uint32_t i = 0; i < piece->size; v++) {
		if (p->taken[v])
			continue;
		p->taken[v] = true;
		p->node[p->order[piece->first + i++]] = v;
		for (unsigned l = 0; l < p->levels; l++)
			p->level[l].room[p->level[l].of[v]]--;
	}
}

/* Places the next piece of this size in the fullest block with room for it, of the first level that has one. */
static void place_anywhere(struct pack *p, uint32_t size)
{
	for (unsigned l = 0; l < p->levels; l++) {
		const struct level *level = &p->level[l];
		uint32_t best = level->blocks;

		for (uint32_t b = 0; b < level->blocks; b++)
			if (level->room[b] >= size && (best == level->blocks || level->room[b] < level->room[best]))
				best = b;
		if (best < level->blocks) {
			place_piece(p, size, l, best);
			return;
		}
	}
}

/* Returns the free nodes of the first level's largest block. */
static uint32_t largest_room(const struct pack *p)
{
	uint32_t most = 0;

	for (uint32_t b = 0; b < p->level[0].blocks; b++)
		if (p->level[0].room[b] > most)
			most = p->level[0].room[b];
	return most;
}

/* Finds the sums up to `high` of pieces that are left, of the first sizes where possible. Returns the greatest sum. */
static uint32_t pack_sums(struct pack *p, uint32_t high)
{
	uint32_t best = 0;

	memset(p->last, 0, ((size_t)high + 1) * sizeof(*p->last));
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t size = p->sizes[i];

		if (!p->left[size])
			continue;
		memset(p->used, 0, ((size_t)high + 1) * sizeof(*p->used));
		for (uint32_t sum = size; sum <= high; sum++)
			if (!p->last[sum] && (sum == size || p->last[sum - size]) &&
			    p->used[sum - size] < p->left[size]) {
				p->last[sum] = size;
				p->used[sum] = p->used[sum - size] + 1;
			}
	}
	for (uint32_t sum = 1; sum <= high; sum++)
		if (p->last[sum])
			best = sum;
	return best;
}

/* Returns the greatest sum with one piece of size `seed`. */
static uint32_t sum_with(struct pack *p, uint32_t room, uint32_t seed)
{
	uint32_t rest;

	p->left[seed]--;
	rest = pack_sums(p, room - seed);
	p->left[seed]++;
	return seed + rest;
}

/* Returns the size with which the best sum begins: the greatest of those that fill the block; 0 if none fits. */
static uint32_t best_seed(struct pack *p, uint32_t room)
{
	uint32_t best = 0, most = 0;

	for (uint32_t seed = room, tried = 0; seed > 0 && tried < SEEDS_MAX && most < room; seed--) {
		uint32_t sum;

		if (!p->left[seed])
			continue;
		tried++;
		sum = sum_with(p, room, seed);
		if (sum > most) {
			most = sum;
			best = seed;
		}
	}
	return best;
}

/* Writes the sizes of the pieces that fill the block, and a 0, to the plan. Returns their number with the 0. */
static uint32_t plan_block(struct pack *p, uint32_t room, uint32_t *plan)
{
	uint32_t seed = best_seed(p, room), n = 0, sum;

	if (seed) {
		sum = sum_with(p, room, seed) - seed;
		plan[n++] = seed;
		for (; sum; sum -= p->last[sum])
			plan[n++] = p->last[sum];
	}
	for (uint32_t i = 0; i < n; i++)
		p->left[plan[i]]--;
	plan[n++] = 0;
	return n;
}

/* Makes a plan for all blocks, and sets `left` to what it was. Returns the number of tasks in the plan. */
static uint32_t plan_blocks(struct pack *p)
{
	uint32_t n = 0, tasks = 0;

	for (uint32_t b = 0; b < p->level[0].blocks; b++)
		n += plan_block(p, p->level[0].room[b], p->plan + n);
	for (uint32_t i = 0; i < n; i++) {
		tasks += p->plan[i];
		p->left[p->plan[i]]++;
	}
	return tasks;
}

/* Lists the sizes that fit a block, the greatest first. Returns the number of plans that may be tried. */
static uint32_t list_sizes(struct pack *p, uint32_t room)
{
	uint64_t work;

	for (uint32_t size = room; size > 0; size--)
		if (p->left[size])
			p->sizes[p->count++] = size;
	work = (uint64_t)p->level[0].blocks * (room + 1) * (p->count < SEEDS_MAX ? p->count : SEEDS_MAX) *
	       (p->count + 1);
	return work > WORK_MAX / PLANS_MAX ? (uint32_t)(WORK_MAX / (work + 1)) + 1 : PLANS_MAX;
}

/* Tries orders of the sizes: the greatest first, then random ones, until a plan has all pieces or fills all blocks. */
static void find_plan(struct pack *p, uint32_t room)
{
	uint32_t plans = list_sizes(p, room), most = 0;

	for (uint32_t i = 0; i < plans && most < p->g->tasks; i++) {
		uint32_t tasks = plan_blocks(p);

		if (!i || tasks > most) {
			uint32_t *better = p->plan;

			p->plan = p->best;
			p->best = better;
			most = tasks;
		}
		for (uint32_t k = p->count; k > 1; k--) {
			uint32_t other = (uint32_t)rng_below(1, i, k, k), size = p->sizes[k - 1];

			p->sizes[k - 1] = p->sizes[other];
			p->sizes[other] = size;
		}
	}
}

/* Places pieces of sizes from `from` down to `to`. */
static void place_sizes(struct pack *p, uint32_t from, uint32_t to)
{
	for (uint32_t size = from; size >= to; size--)
		while (p->left[size])
			place_anywhere(p, size);
}

static void place_all(struct pack *p)
{
	uint32_t greatest = p->piece[0].size, room;
	const uint32_t *size;

	place_sizes(p, greatest, largest_room(p) + 1);
	room = largest_room(p);
	find_plan(p, room);
	size = p->best;
	for (uint32_t b = 0; b < p->level[0].blocks; b++, size++)
		for (; *size; size++)
			place_piece(p, *size, 0, b);
	place_sizes(p, greatest, 1);
}

int pack_placement(const struct topology *t, const struct task_graph *g, const bool *excluded, uint32_t *node,
		   struct err *e)
{
	size_t n = (size_t)(g->tasks > t->nodes ? g->tasks : t->nodes) + 1;
	struct pack p = {.t = t, .g = g, .node = node};
	int result = -1;

	p.order = mem_alloc(n, sizeof(*p.order), e);
	p.piece = mem_alloc(n, sizeof(*p.piece), e);
	p.next = mem_alloc(n, sizeof(*p.next), e);
	p.left = mem_alloc(n, sizeof(*p.left), e);
	p.sizes = mem_alloc(n, sizeof(*p.sizes), e);
	p.plan = mem_alloc(2 * n, sizeof(*p.plan), e);
	p.best = mem_alloc(2 * n, sizeof(*p.best), e);
	p.last = mem_alloc(n, sizeof(*p.last), e);
	p.used = mem_alloc(n, sizeof(*p.used), e);
	p.taken = mem_alloc(n, sizeof(*p.taken), e);
	if (p.order && p.piece && p.next && p.left && p.sizes && p.plan && p.best && p.last && p.used && p.taken &&
	    !pack_pieces(&p, e)) {
		for (uint32_t v = 0; v < t->nodes; v++)
			p.taken[v] = excluded && excluded[v];
		result = p.pieces < 2 ? 1 : find_blocks(&p, e);
		if (!result)
			place_all(&p);
	}
	free(p.order);
	free(p.piece);
	free(p.next);
	free(p.left);
	free(p.sizes);
	free(p.plan);
	free(p.best);
	free(p.last);
	free(p.used);
	free(p.taken);
	for (unsigned l = 0; l < p.levels; l++) {
		free(p.level[l].of);
		free(p.level[l].first);
		free(p.level[l].room);
	}
	return result;
}
