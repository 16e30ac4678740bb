/*
 * Max-min fair rates, repaired where they change.
 *
 * A full link has a level: that of its fastest flows, whose bottleneck it is. All flows are
 * right until a change shows the contrary: they are constants, and only flows that are
 * `open` are filled anew, level by level, as progressive filling does (D. Bertsekas,
 * R. Gallager, "Data Networks", 2nd ed. 1992, section 6.5.2): new ones at first. At each
 * link that an open flow crosses, or from which one ended, two things can happen, and they
 * are looked at in the order of the levels at which they do:
 *
 * - the open flows fill what the constants leave. If a constant is faster than they are, it
 *   has more than its share: it opens, and the link fills later. If not, the link is full
 *   for good and its open flows stop.
 * - the level that the link had is reached, and it is not full: the flows whose bottleneck it
 *   was may be faster: they open.
 *
 * A flow opens at a level at or below its old one, so nothing that was decided at lower
 * levels has to be taken back. What stays a constant has a full link on which it is among
 * the fastest: at the end all have, which makes the rates max-min fair, and these are unique.
 */
#include "fluid.h"

#include <math.h>

static const double same = 1e-11; /* levels that differ by less are one level: rounding of sums */

/* ---- the heap: links by the level at which they are to be looked at; each knows its place ---- */

static void put(struct fluid *f, size_t i, struct fluid_level x)
{
	f->heap.at[i] = x;
	f->link[x.link].place = (uint32_t)i + 1;
}

static void sift_up(struct fluid *f, size_t i, struct fluid_level x)
{
	const struct fluid_level *heap = f->heap.at;

	for (; i && x.level < heap[(i - 1) / 2].level; i = (i - 1) / 2)
		put(f, i, heap[(i - 1) / 2]);
	put(f, i, x);
}

/* `x` from the root down. */
static void sift_down(struct fluid *f, struct fluid_level x)
{
	const struct fluid_level *heap = f->heap.at;
	size_t i = 0, count = f->heap.count;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= count)
			break;
		if (child + 1 < count && heap[child + 1].level < heap[child].level)
			child++;
		if (heap[child].level >= x.level)
			break;
		put(f, i, heap[child]);
		i = child;
	}
	put(f, i, x);
}

static void remove_first(struct fluid *f)
{
	struct fluid_level last = f->heap.at[--f->heap.count];

	f->link[f->heap.at[0].link].place = 0;
	if (f->heap.count)
		sift_down(f, last);
}

/* The level at which the open flows fill the link. */
static double share(const struct fluid_link *link)
{
	return link->open ? (link->left > 0 ? link->left : 0) / link->open_weight : (double)HUGE_VAL;
}

/* When the link is to be looked at next; infinite: never. */
static double next_level(const struct fluid_link *link)
{
	double fills = share(link);

	return fills < link->old_level ? fills : link->old_level;
}

/*
 * Sees to it that the link is looked at in time: it may be later in the heap than it
 * should never, but earlier (fill() will see).
 */
static void watch(struct fluid *f, uint32_t index)
{
	struct fluid_link *link = &f->link[index];
	struct fluid_level x = {next_level(link), index};

	if (!link->place && !isinf(x.level))
		sift_up(f, f->heap.count++, x); /* has room for all */
	else if (link->place && x.level < f->heap.at[link->place - 1].level)
		sift_up(f, link->place - 1, x);
}

/* ---- opening ---- */

static void touch(struct fluid *f, uint32_t index)
{
	struct fluid_link *link = &f->link[index];

	if (link->mark == f->pass)
		return;
	link->mark = f->pass;
	link->left = link->capacity - link->load;
	link->open_weight = 0;
	link->open = 0;
	link->old_level = link->level;
	link->level = HUGE_VAL;
	f->pending += !isinf(link->old_level);
	link->place = 0;
	f->touched.at[f->touched.count++] = index;
}

/* A flow is no longer a constant. */
static void open_flow(struct fluid *f, uint32_t slot)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	const struct fluid_crossing *c = &f->crossing.at[flow->path];

	flow->mark = f->pass;
	f->pending++;
	f->affected.at[f->affected.count++] = slot;
	for (uint32_t i = 0; i < flow->hops; i++) {
		struct fluid_link *link = &f->link[c[i].link];

		touch(f, c[i].link);
		link->left += flow->rate;
		link->open_weight += flow->weight;
		link->open++;
		if (!link->listed) {
			link->listed = true;
			f->changed.at[f->changed.count++] = c[i].link;
		}
	}
	f->counts.visited += flow->hops;
}

/* Watches the links of the flows that were opened: once each, however many flows that were. */
static void watch_changed(struct fluid *f)
{
	for (size_t i = 0; i < f->changed.count; i++) {
		f->link[f->changed.at[i]].listed = false;
		watch(f, f->changed.at[i]);
	}
	f->changed.count = 0;
}

/* Opens the constants on a link that are at `level` or above it. */
static void open_above(struct fluid *f, const struct fluid_link *link, double level)
{
	for (uint32_t k = 0; k < link->count; k++) {
		const struct fluid_flow *flow = &f->flow.at[link->member[k].flow];

		if (flow->mark >= f->pass || flow->level < level)
			continue;
		open_flow(f, link->member[k].flow);
	}
	f->counts.visited += link->count;
	watch_changed(f);
}

/* ---- filling ---- */

/* The flow stops at this level: its links have that much less to give. */
static void stop_flow(struct fluid *f, uint32_t slot, double level)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	const struct fluid_crossing *c = &f->crossing.at[flow->path];
	double rate = level * flow->weight;

	/* sums in another order differ in the last digits: that is the same rate */
	if (fabs(rate - flow->rate) <= 1e-13 * rate)
		rate = flow->rate;
	flow->mark = f->pass + 1;
	f->pending--;
	f->scratch.at[slot] = rate;
	for (uint32_t i = 0; i < flow->hops; i++) {
		struct fluid_link *link = &f->link[c[i].link];

		link->left -= rate;
		link->open_weight -= flow->weight;
		link->open--;
	}
	f->counts.visited += flow->hops;
}

/*
 * What the constants and the flows that stopped leave of a link, anew: `left` gathers rounding
 * errors. Negative: a constant is above `level`.
 */
static double what_is_left(const struct fluid *f, const struct fluid_link *link, double level)
{
	double left = link->capacity;

	for (uint32_t k = 0; k < link->count; k++) {
		uint32_t slot = link->member[k].flow;
		const struct fluid_flow *flow = &f->flow.at[slot];

		if (flow->mark < f->pass) {
			if (flow->level > level)
				return -1;
			left -= flow->rate;
		} else if (flow->mark > f->pass)
			left -= f->scratch.at[slot];
	}
	return left > 0 ? left : 0;
}

/* The open flows have reached what is left of the link: it is full, unless that shows to be wrong. */
static void full(struct fluid *f, uint32_t index, double level)
{
	struct fluid_link *link = &f->link[index];
	double left = what_is_left(f, link, level * (1 + same));

	if (left < 0) {
		open_above(f, link, level * (1 + same));
		watch(f, index);
		return;
	}
	link->left = left;
	if (share(link) > level * (1 + same)) {
		watch(f, index);
		return;
	}
	for (uint32_t k = 0; link->open; k++)
		if (f->flow.at[link->member[k].flow].mark == f->pass)
			stop_flow(f, link->member[k].flow, level);
	f->counts.visited += 2 * link->count;
	link->level = level;
	f->pending -= !isinf(link->old_level);
	link->old_level = HUGE_VAL;
}

/* The link's old level is reached, and open flows have not filled it by then. */
static void old_level_reached(struct fluid *f, uint32_t index)
{
	struct fluid_link *link = &f->link[index];
	double level = link->old_level;

	f->pending--;
	link->old_level = HUGE_VAL;
	if (!link->open && link->left <= 1e-10 * link->capacity) {
		link->level = level; /* still full, by constants and by flows that stopped */
		return;
	}
	open_above(f, link, level * (1 - same));
	watch(f, index);
}

static void fill(struct fluid *f)
{
	double level = 0;

	while (f->pending) {
		struct fluid_level x = f->heap.at[0];
		struct fluid_link *link = &f->link[x.link];
		double next = next_level(link);

		if (next > x.level) { /* flows stopped elsewhere meanwhile */
			if (isinf(next))
				remove_first(f);
			else
				sift_down(f, (struct fluid_level){next, x.link});
			continue;
		}
		remove_first(f);
		if (next > level)
			level = next;
		if (share(link) <= link->old_level * (1 + same))
			full(f, x.link, level);
		else
			old_level_reached(f, x.link);
	}
}

int fluid_maxmin(struct fluid *f, int64_t now_ps, struct err *e)
{
	(void)e;
	f->pass += 2; /* pass: open; pass + 1: stopped; below: constant */
	f->touched.count = f->affected.count = f->heap.count = 0;
	f->pending = 0;
	for (size_t i = 0; i < f->dirty.count; i++) {
		touch(f, f->dirty.at[i]);
		watch(f, f->dirty.at[i]);
	}
	for (size_t i = 0; i < f->started.count; i++) {
		uint32_t slot = f->started.at[i]; /* may be listed twice, if the first flow in it ended at once */

		if (f->amount.at[slot].started && f->flow.at[slot].mark != f->pass)
			open_flow(f, slot);
	}
	watch_changed(f);
	fill(f);
	for (size_t i = 0; i < f->affected.count; i++)
		fluid_set_rate(f, now_ps, f->affected.at[i], f->scratch.at[f->affected.at[i]]);
	for (size_t i = 0; i < f->touched.count; i++) {
		struct fluid_link *link = &f->link[f->touched.at[i]];

		link->load = link->count ? link->capacity - link->left : 0;
	}
	return 0;
}
