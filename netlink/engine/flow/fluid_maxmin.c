/*
 * Max-min fair rates by progressive filling, of no more than what a change can reach.
 *
 * Filling goes up level by level. What happens below a level does not depend on
 * what happens above. So take away the flows that ended and add those that
 * started: below the lowest level at which either is felt, filling goes as it
 * went, and flows that stopped there keep their rates. An end is felt at the level
 * that the flow had; a start where the first link of its path is full, the old
 * flows of that link having the rates they had, or the level reached if that is less.
 */
#include "fluid.h"

#include <math.h>

enum { NEWTON_STEPS = 4 };

/*
 * A level at which `link` is not full yet, or just: sum of min(rate, x w) of its old
 * flows + x w of its new ones is concave in x, so Newton's steps from the left come
 * near from below; a few are enough.
 */
static double full_at(const struct fluid *f, const struct fluid_link *link)
{
	double x = 0;

	for (int step = 0; step < NEWTON_STEPS; step++) {
		double below = 0, weight = 0, next;
		bool starts = false;

		for (uint32_t k = 0; k < link->count; k++) {
			const struct fluid_flow *flow = &f->flow.at[link->member[k].flow];

			starts |= isinf(flow->level);
			if (flow->level < x)
				below += flow->rate;
			else
				weight += flow->weight;
		}
		if (!starts)
			return INFINITY;
		next = (link->capacity - below) / weight;
		if (next <= x * (1 + 1e-12))
			break;
		x = next;
	}
	return x;
}

/* The level at which the changes since the last pass are first felt. */
static double first_level(const struct fluid *f)
{
	double level = f->changed_level;

	for (size_t i = 0; i < f->dirty.count; i++) {
		double full = full_at(f, &f->link[f->dirty.at[i]]);

		if (full < level)
			level = full;
	}
	return level * (1 - 1e-9); /* for rounding */
}

static void sift_down(struct fluid_level *heap, size_t count, size_t i)
{
	struct fluid_level x = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= count)
			break;
		if (child + 1 < count && heap[child + 1].level < heap[child].level)
			child++;
		if (heap[child].level >= x.level)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = x;
}

static void make_heap(struct fluid *f)
{
	f->heap.count = 0;
	for (size_t i = 0; i < f->touched.count; i++) {
		const struct fluid_link *link = &f->link[f->touched.at[i]];

		if (link->open)
			f->heap.at[f->heap.count++] =
				(struct fluid_level){link->left / link->open_weight, f->touched.at[i]};
	}
	for (size_t i = f->heap.count / 2; i-- > 0;)
		sift_down(f->heap.at, f->heap.count, i);
}

/* The flow stops at `level`: its links have that much less to give. */
static void fix(struct fluid *f, int64_t now_ps, uint32_t slot, double level)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	const struct fluid_crossing *c = &f->crossing.at[flow->path];
	double weight = flow->weight, rate = level * weight;

	flow->mark = f->pass + 1;
	for (uint32_t i = 0; i < flow->hops; i++) {
		struct fluid_link *link = &f->link[c[i].link];

		link->left -= rate;
		link->open_weight -= weight;
		link->open--;
	}
	fluid_set_rate(f, now_ps, slot, rate);
}

static void fix_all_on(struct fluid *f, int64_t now_ps, const struct fluid_link *link, double level)
{
	for (uint32_t k = 0; link->open; k++)
		if (f->flow.at[link->member[k].flow].mark == f->pass)
			fix(f, now_ps, link->member[k].flow, level);
	f->counts.visited += link->count;
}

/*
 * A link's level only grows as flows stop elsewhere, so a key in the heap may be too
 * low, never too high: what comes out with an old key goes back with the present one.
 */
static void fill(struct fluid *f, int64_t now_ps, double level)
{
	struct fluid_level *heap = f->heap.at;

	while (f->heap.count) {
		const struct fluid_link *link = &f->link[heap[0].link];

		if (link->open) {
			double now = link->left / link->open_weight;

			if (now > heap[0].level) {
				heap[0].level = now;
				sift_down(heap, f->heap.count, 0);
				continue;
			}
			level = fmax(level, now);
			fix_all_on(f, now_ps, link, level);
		}
		heap[0] = heap[--f->heap.count];
		sift_down(heap, f->heap.count, 0);
	}
}

int fluid_maxmin(struct fluid *f, int64_t now_ps, struct err *e)
{
	double level = first_level(f);

	(void)e;
	fluid_begin_pass(f);
	fluid_collect(f, level);
	make_heap(f);
	fill(f, now_ps, level);
	return 0;
}
