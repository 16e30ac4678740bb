#include "halve.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/rng.h"

enum {
	COARSEST = 48, /* vertices of a graph that is divided directly */
	STARTS = 6,
	FEW = 12, /* vertices for which fewer starts are enough */
	FEW_STARTS = 3,
	PASSES_MAX = 8,
	PIECE_TRIES = 4,
	PATIENCE = 60, /* moves without gain that end a pass, besides 1/PATIENCE_SHARE of the vertices */
	PATIENCE_SHARE = 50,
};

/* The present halves of a level. */
struct halves {
	struct halve_level *l;
	int64_t low, high; /* bounds of the size of half 0 */
	int64_t slack;     /* by which it may be outside them on this level */
	int64_t size;      /* of half 0 */
};

/* ---- a heap of vertices a side, the highest gain first ---- */

static bool halve_ahead(const struct halve *h, uint32_t a, uint32_t b)
{
	return h->gain[a] != h->gain[b] ? h->gain[a] > h->gain[b] : a < b;
}

static void sift_up(struct halve *h, uint32_t *heap, uint32_t i)
{
	uint32_t v = heap[i];

	for (; i && halve_ahead(h, v, heap[(i - 1) / 2]); i = (i - 1) / 2) {
		heap[i] = heap[(i - 1) / 2];
		h->place[heap[i]] = i + 1;
	}
	heap[i] = v;
	h->place[v] = i + 1;
}

static void sift_down(struct halve *h, uint32_t *heap, uint32_t count, uint32_t i)
{
	uint32_t v = heap[i], child;

	for (; (child = 2 * i + 1) < count; i = child) {
		if (child + 1 < count && halve_ahead(h, heap[child + 1], heap[child]))
			child++;
		if (!halve_ahead(h, heap[child], v))
			break;
		heap[i] = heap[child];
		h->place[heap[i]] = i + 1;
	}
	heap[i] = v;
	h->place[v] = i + 1;
}

static void halve_push(struct halve *h, unsigned side, uint32_t v)
{
	h->heap[side][h->heap_count[side]] = v;
	sift_up(h, h->heap[side], h->heap_count[side]++);
}

static uint32_t halve_pop(struct halve *h, unsigned side)
{
	uint32_t *heap = h->heap[side], v = heap[0], count = --h->heap_count[side];

	h->place[v] = 0;
	if (count) {
		heap[0] = heap[count];
		sift_down(h, heap, count, 0);
	}
	return v;
}

/* Adds to the gain of a vertex, which joins its side's heap. */
static void raise_gain(struct halve *h, const struct halve_level *l, uint32_t v, int64_t more)
{
	unsigned side = l->side[v];

	h->gain[v] += more;
	if (!h->place[v])
		halve_push(h, side, v);
	else if (more > 0)
		sift_up(h, h->heap[side], h->place[v] - 1);
	else
		sift_down(h, h->heap[side], h->heap_count[side], h->place[v] - 1);
}

/* ---- moves ---- */

/* Computes gains. Vertices with an edge that crosses, or drawn to the other side, join the heaps; all if `all`. */
static void fill(struct halve *h, struct halves *x, bool all)
{
	const struct halve_level *l = x->l;

	h->heap_count[0] = h->heap_count[1] = 0;
	memset(h->place, 0, l->vertices * sizeof(*h->place));
	memset(h->locked, 0, l->vertices);
	x->size = 0;
	for (uint32_t v = 0; v < l->vertices; v++) {
		unsigned side = l->side[v];
		int64_t pull = side ? -l->pull[v] : l->pull[v], gain = pull;
		bool near = pull > 0;

		x->size += side ? 0 : l->size[v];
		for (size_t k = l->first[v]; k < l->first[v + 1]; k++) {
			bool crosses = l->side[l->other[k]] != side;

			gain += crosses ? l->weight[k] : -l->weight[k];
			near |= crosses;
		}
		h->gain[v] = gain;
		if (near || all)
			halve_push(h, side, v);
	}
}

/* Moves v, which is in no heap, to the other side, and locks it. */
static void halve_move(struct halve *h, struct halves *x, uint32_t v)
{
	struct halve_level *l = x->l;
	unsigned side = l->side[v];

	x->size += side ? (int64_t)l->size[v] : -(int64_t)l->size[v];
	l->side[v] = (uint8_t)!side;
	h->locked[v] = 1;
	h->gain[v] = -h->gain[v];
	for (size_t k = l->first[v]; k < l->first[v + 1]; k++) {
		uint32_t u = l->other[k];

		if (!h->locked[u])
			raise_gain(h, l, u, l->side[u] == side ? 2 * l->weight[k] : -2 * l->weight[k]);
	}
}

/* Returns by how much half 0 is outside its bounds. */
static int64_t outside(const struct halves *x)
{
	int64_t low = x->low - x->slack, high = x->high + x->slack;

	return x->size < low ? low - x->size : x->size > high ? x->size - high : 0;
}

/* Selects the side that the next vertex leaves; 2: there is none. */
static unsigned choose_side(const struct halve *h, const struct halves *x)
{
	bool must_shrink = x->size > x->high + x->slack, must_grow = x->size < x->low - x->slack;

	if (must_shrink || must_grow)
		return h->heap_count[must_grow] ? must_grow : 2;
	if (!h->heap_count[0] || !h->heap_count[1])
		return h->heap_count[0] ? 0 : h->heap_count[1] ? 1 : 2;
	return halve_ahead(h, h->heap[1][0], h->heap[0][0]);
}

/* The vertices of a side that have not moved join its heap. */
static void fill_side(struct halve *h, const struct halves *x, unsigned side)
{
	for (uint32_t v = 0; v < x->l->vertices; v++)
		if (x->l->side[v] == side && !h->locked[v] && !h->place[v])
			halve_push(h, side, v);
}

/*
 * One Fiduccia-Mattheyses pass: moves vertices, the best first, then returns to the best state: the
 * least far outside the bounds, then the cheapest. Returns whether that is better than the first.
 */
static bool halve_pass(struct halve *h, struct halves *x)
{
	struct halve_level *l = x->l;
	uint32_t done = 0, keep = 0, patience = PATIENCE + l->vertices / PATIENCE_SHARE;
	int64_t sum = 0, best = 0, excess;
	bool filled = false;

	fill(h, x, false);
	excess = outside(x);
	while (done - keep <= patience || outside(x)) {
		unsigned side = choose_side(h, x);
		int64_t now;
		uint32_t v;

		if (side == 2) {
			if (!outside(x) || filled)
				break;
			filled = true;
			fill_side(h, x, x->size < x->low - x->slack);
			continue;
		}
		v = halve_pop(h, side);
		sum += h->gain[v];
		halve_move(h, x, v);
		h->trail[done++] = v;
		now = outside(x);
		if (now < excess || (now == excess && sum > best)) {
			excess = now;
			best = sum;
			keep = done;
		}
	}
	while (done > keep) {
		uint32_t v = h->trail[--done];

		x->size += l->side[v] ? (int64_t)l->size[v] : -(int64_t)l->size[v];
		l->side[v] ^= 1;
	}
	return keep > 0;
}

static void halve_refine(struct halve *h, struct halves *x)
{
	for (unsigned k = 0; k < PASSES_MAX && halve_pass(h, x); k++)
		;
}

/* ---- the coarsest graph ---- */

static int64_t halve_cost(const struct halve_level *l)
{
	int64_t cost = 0;

	for (uint32_t v = 0; v < l->vertices; v++) {
		cost -= l->side[v] ? l->pull[v] : 0;
		for (size_t k = l->first[v]; k < l->first[v + 1]; k++)
			cost += l->side[v] < l->side[l->other[k]] ? l->weight[k] : 0;
	}
	return cost;
}

/* Starts with all vertices in half 1, then moves the best one each time, from `seed` on, until half 0 has its size. */
static void halve_grow(struct halve *h, struct halves *x, int64_t size, uint32_t seed)
{
	struct halve_level *l = x->l;

	memset(l->side, 1, l->vertices);
	fill(h, x, true);
	if (x->size < size) { /* the seed comes first */
		h->gain[seed] += INT64_MAX / 4;
		sift_up(h, h->heap[1], h->place[seed] - 1);
	}
	while (x->size < size && h->heap_count[1])
		halve_move(h, x, halve_pop(h, 1));
}

/* Returns the last vertex of a breadth-first walk from v. */
static uint32_t halve_farthest(struct halve *h, const struct halve_level *l, uint32_t v)
{
	uint32_t head = 0, tail = 0, next = 0;

	memset(h->locked, 0, l->vertices);
	h->locked[v] = 1;
	h->queue[tail++] = v;
	while (tail < l->vertices) {
		if (head == tail) { /* the graph is not connected */
			while (h->locked[next])
				next++;
			h->locked[next] = 1;
			h->queue[tail++] = next;
		}
		v = h->queue[head++];
		for (size_t k = l->first[v]; k < l->first[v + 1]; k++) {
			uint32_t u = l->other[k];

			if (h->locked[u])
				continue;
			h->locked[u] = 1;
			h->queue[tail++] = u;
		}
	}
	return h->queue[tail - 1];
}

/* Returns the vertex most drawn to half 0, the lowest of equals. */
static uint32_t halve_drawn(const struct halve_level *l)
{
	uint32_t best = 0;

	for (uint32_t v = 1; v < l->vertices; v++)
		if (l->pull[v] < l->pull[best])
			best = v;
	return best;
}

static uint32_t seed_of(struct halve *h, const struct halve_level *l, unsigned start, uint32_t last)
{
	if (start == 0)
		return halve_drawn(l);
	if (start < 3)
		return halve_farthest(h, l, start == 1 ? 0 : last);
	return (uint32_t)rng_below(h->seed, HALVE_LEVELS_MAX, start, l->vertices);
}

/* Divides the coarsest graph: the best of some starts; among these, all in one half where the bounds allow that. */
static void halve_first(struct halve *h, struct halves *x)
{
	struct halve_level *l = x->l;
	int64_t least_outside = 0, least = 0, all = h->level[0].vertices, size = (x->low + x->high) / 2;
	uint32_t seed = 0;

	for (unsigned start = 0; start < (l->vertices < FEW ? FEW_STARTS : STARTS); start++) {
		int64_t cost, now, wanted = size;

		seed = seed_of(h, l, start, seed);
		if (start && (x->high == all || !x->low))
			wanted = start % 2 && x->high == all ? all : start == 2 ? x->low : size;
		halve_grow(h, x, wanted, seed);
		halve_refine(h, x);
		cost = halve_cost(l);
		now = outside(x);
		if (start && (now > least_outside || (now == least_outside && cost >= least)))
			continue;
		least_outside = now;
		least = cost;
		memcpy(h->best, l->side, l->vertices);
	}
	memcpy(l->side, h->best, l->vertices);
}

/* ---- levels ---- */

int halve_level_room(struct halve_level *l, uint32_t vertices, size_t edges, struct err *e)
{
	size_t n = (size_t)vertices + 1;

	if (n > l->vertex_room) {
		n += n / 4;
		free(l->first);
		free(l->size);
		free(l->pull);
		free(l->side);
		free(l->coarse);
		l->vertex_room = 0;
		l->first = mem_alloc(n, sizeof(*l->first), e);
		l->size = mem_alloc(n, sizeof(*l->size), e);
		l->pull = mem_alloc(n, sizeof(*l->pull), e);
		l->side = mem_alloc(n, sizeof(*l->side), e);
		l->coarse = mem_alloc(n, sizeof(*l->coarse), e);
		if (!l->first || !l->size || !l->pull || !l->side || !l->coarse)
			return -1;
		l->vertex_room = n;
	}
	if (edges + 1 > l->edge_room) {
		free(l->other);
		free(l->weight);
		l->edge_room = 0;
		l->other = mem_alloc(edges + 1, sizeof(*l->other), e);
		l->weight = mem_alloc(edges + 1, sizeof(*l->weight), e);
		if (!l->other || !l->weight)
			return -1;
		l->edge_room = edges + 1;
	}
	return 0;
}

static void halve_free_state(struct halve *h)
{
	free(h->gain);
	free(h->place);
	free(h->heap[0]);
	free(h->heap[1]);
	free(h->trail);
	free(h->queue);
	free(h->locked);
	free(h->best);
	free(h->kept);
	h->gain = NULL;
	h->place = h->heap[0] = h->heap[1] = h->trail = h->queue = NULL;
	h->locked = h->best = h->kept = NULL;
	h->room = 0;
}

int halve_room(struct halve *h, uint32_t vertices, size_t edges, struct err *e)
{
	size_t n = (size_t)vertices + 1;

	if (halve_level_room(&h->level[0], vertices, edges, e))
		return -1;
	h->level[0].vertices = vertices;
	if (n <= h->room)
		return 0;
	halve_free_state(h);
	h->gain = mem_alloc(n, sizeof(*h->gain), e);
	h->place = mem_alloc(n, sizeof(*h->place), e);
	h->heap[0] = mem_alloc(n, sizeof(*h->heap[0]), e);
	h->heap[1] = mem_alloc(n, sizeof(*h->heap[1]), e);
	h->trail = mem_alloc(n, sizeof(*h->trail), e);
	h->queue = mem_alloc(n, sizeof(*h->queue), e);
	h->locked = mem_alloc(n, sizeof(*h->locked), e);
	h->best = mem_alloc(n, sizeof(*h->best), e);
	h->kept = mem_alloc(n, sizeof(*h->kept), e);
	if (!h->gain || !h->place || !h->heap[0] || !h->heap[1] || !h->trail || !h->queue || !h->locked || !h->best ||
	    !h->kept)
		return -1;
	h->room = n;
	return 0;
}

/* Coarsens, divides the coarsest graph and refines the halves on each level. 0, or -1 with `e`. */
static int halve_cycle(struct halve *h, struct halves *x, struct err *e)
{
	unsigned top = 0;
	int more = 1;

	while (h->level[top].vertices > COARSEST && top + 1 < HALVE_LEVELS_MAX && (more = halve_coarsen(h, top, e)) > 0)
		top++;
	if (more < 0)
		return -1;
	for (unsigned k = top + 1; k-- > 0;) {
		x->l = &h->level[k];
		x->slack = k ? x->l->largest : 0;
		for (uint32_t v = 0; k < top && v < x->l->vertices; v++)
			x->l->side[v] = h->level[k + 1].side[x->l->coarse[v]];
		if (k == top && !h->within)
			halve_first(h, x);
		else
			halve_refine(h, x);
	}
	return 0;
}

/* The best halves so far. */
struct kept {
	int64_t outside, cost;
	bool any;
};

static void keep_halves(struct halve *h, const struct halves *x, struct kept *kept)
{
	int64_t far = outside(x), cost = halve_cost(x->l);

	if (kept->any && (far > kept->outside || (far == kept->outside && cost >= kept->cost)))
		return;
	*kept = (struct kept){far, cost, true};
	memcpy(h->kept, x->l->side, x->l->vertices);
}

int halve_run(struct halve *h, uint32_t low, uint32_t high, struct err *e)
{
	struct halve_level *l = &h->level[0];
	struct halves x = {.l = l, .low = low, .high = high};
	unsigned cycles = l->vertices > COARSEST ? h->cycles : 1;
	struct kept kept = {0};

	l->largest = 1;
	for (unsigned k = 0; k < PIECE_TRIES && halve_pieces(h, low, high); k++) {
		h->seed++;
		x.slack = 0;
		halve_refine(h, &x);
		keep_halves(h, &x, &kept);
	}
	for (unsigned cycle = 0; cycle < cycles; cycle++) {
		h->within = cycle % 2;
		h->seed++;
		if (halve_cycle(h, &x, e))
			return -1;
		keep_halves(h, &x, &kept);
	}
	memcpy(l->side, h->kept, l->vertices);
	return 0;
}

void halve_finish(struct halve *h)
{
	for (unsigned k = 0; k < HALVE_LEVELS_MAX; k++) {
		struct halve_level *l = &h->level[k];

		free(l->first);
		free(l->other);
		free(l->weight);
		free(l->size);
		free(l->pull);
		free(l->side);
		free(l->coarse);
		*l = (struct halve_level){0};
	}
	halve_free_state(h);
}
