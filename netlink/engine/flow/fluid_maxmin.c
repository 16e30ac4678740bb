/*
 * Max-min fair rates, updated incrementally.
 *
 * A full link has a level: that of its fastest flows, whose bottleneck it is. Flows are constant until a change
 * affects them. Only `open` flows, at first the new ones, are filled again level by level, as in progressive filling
 * (D. Bertsekas, R. Gallager, "Data Networks", 2nd ed. 1992, section 6.5.2). A link that an open flow crosses, or on
 * which one ended, has two kinds of events, which are processed in order of level:
 *
 * - The open flows fill what the constant flows leave. If a constant flow is faster than the open ones it exceeds its
 *   share: it opens, and the link fills later. Otherwise the link is full for good and its open flows stop.
 * - The link's old level is reached, and the link is not full: the flows whose bottleneck it was may be faster, so
 *   they open.
 *
 * A flow opens at or below its old level, so no decision at a lower level is revised. A constant flow has a full link
 * on which it is among the fastest. At the end all flows have one, so the rates are max-min fair, and these are unique.
 */
#include "fluid.h"

#include <math.h>

static const double same = 1e-11; /* levels that differ by less are one level: rounding of sums */

/* The level at which the open flows fill the link. */
static double fills(const struct fluid_share *share)
{
	return share->open ? (share->left > 0 ? share->left : 0) / share->open_weight : (double)HUGE_VAL;
}

/* The level of the link's next event; infinite: none. */
static double next_level(const struct fluid_share *share)
{
	double level = fills(share);

	return level < share->old_level ? level : share->old_level;
}

/* Schedules the link no later than its next event; early visits are harmless. */
static void fluid_maxmin_watch(struct fluid *f, uint32_t link)
{
	lowest_lower(&f->watched, link, next_level(&f->share[link]));
}

/* ---- opening ---- */

/* The link is touched for the first time in this pass. */
static void fluid_maxmin_touch(struct fluid *f, uint32_t index)
{
	struct fluid_link *link = &f->link[index];

	f->share[index] = (struct fluid_share){
		.left = link->capacity - link->load,
		.old_level = link->level,
		.mark = f->batch,
	};
	f->pending += !isinf(link->level);
	link->level = HUGE_VAL;
	f->touched.at[f->touched.count++] = index;
}

/* The first flow on the link is opened in this batch. `first`: first batch of the pass. */
static void fluid_maxmin_change(struct fluid *f, uint32_t index, uint32_t first)
{
	if (f->share[index].mark < first)
		fluid_maxmin_touch(f, index);
	f->share[index].mark = f->batch;
	f->changed.at[f->changed.count++] = index;
}

/*
 * Thousands of flows exceed the near caches, and they are visited in the order of a link's list: upcoming flows are
 * prefetched.
 */
enum { AHEAD = 8 };

static inline void fetch_flow(const struct fluid *f, uint32_t slot)
{
	__builtin_prefetch(&f->flow.at[slot]);
}

static inline void fetch_path(const struct fluid *f, uint32_t slot)
{
	const uint32_t *path = &f->path.at[f->flow.at[slot].path];

	__builtin_prefetch(path);
	__builtin_prefetch(path + 10);
}

static inline void fetch_amount(const struct fluid *f, uint32_t slot)
{
	__builtin_prefetch(&f->flow.at[slot]);
	__builtin_prefetch(&f->amount.at[slot]);
	__builtin_prefetch(&f->ends.time[f->ends.room + slot]);
}

/* Opens a flow, which was constant. */
static inline void open_flow(struct fluid *f, uint32_t slot)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	struct fluid_share *share = f->share;
	double weight = f->weighted ? f->given.at[slot].weight : 1, rate = flow->level * weight;
	uint32_t hops, batch = f->batch;
	const uint32_t *path = fluid_path(f, flow, &hops);
	const double *part = f->shared ? &f->part.at[flow->path + 1] : NULL;

	flow->mark = f->pass;
	f->pending++;
	f->affected.at[f->affected.count++] = slot;
	for (uint32_t i = 0; i < hops; i++) {
		struct fluid_share *on = &share[path[i]];

		if (on->mark != batch)
			fluid_maxmin_change(f, path[i], f->first_batch);
		on->left += part ? rate * part[i] : rate;
		on->open_weight += part ? weight * part[i] : weight;
		on->open++;
	}
	f->counts.visited += hops;
}

/* Schedules the links of the opened flows, once each. */
static void watch_changed(struct fluid *f)
{
	for (size_t i = 0; i < f->changed.count; i++)
		fluid_maxmin_watch(f, f->changed.at[i]);
	f->changed.count = 0;
	f->batch++;
}

/* Opens a link's constant flows at `level` or above. */
static void open_above(struct fluid *f, const struct fluid_link *link, double level)
{
	const struct fluid_member *member = link->member;
	uint32_t *list = f->list.at, count = 0, pass = f->pass;

	for (uint32_t k = 0; k < link->count; k++) { /* hard to predict: no branches */
		uint32_t slot = member[k].flow;
		const struct fluid_flow *flow = &f->flow.at[slot];

		if (k + 2 * AHEAD < link->count)
			fetch_flow(f, member[k + 2 * AHEAD].flow);
		list[count] = slot;
		count += (flow->mark < pass) & (flow->level >= level);
	}
	for (uint32_t k = 0; k < count; k++) {
		if (k + AHEAD < count)
			fetch_path(f, list[k + AHEAD]);
		open_flow(f, list[k]);
	}
	f->counts.visited += link->count;
	watch_changed(f);
}

/* ---- filling ---- */

/* Fixes the flow's rate at this level and subtracts it from its links. */
static inline void stop_flow(struct fluid *f, uint32_t slot, double level)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	struct fluid_share *share = f->share;
	double weight = f->weighted ? f->given.at[slot].weight : 1, rate;
	uint32_t hops;
	const uint32_t *path = fluid_path(f, flow, &hops);
	const double *part = f->shared ? &f->part.at[flow->path + 1] : NULL;

	/* sums in another order differ in the last digits: the level is unchanged */
	if (fabs(level - flow->level) > 1e-13 * level)
		flow->level = level;
	rate = flow->level * weight;
	flow->mark = f->pass + 1;
	for (uint32_t i = 0; i < hops; i++) {
		struct fluid_share *on = &share[path[i]];

		on->left -= part ? rate * part[i] : rate;
		on->open_weight -= part ? weight * part[i] : weight;
		on->open--;
	}
	f->counts.visited += hops;
}

/*
 * Recomputes what constant and stopped flows leave of a link, because `left` accumulates rounding errors. Negative:
 * a constant is above `level`. Open flows are listed in `list`.
 */
static double what_is_left(struct fluid *f, const struct fluid_link *link, double level)
{
	const struct fluid_member *member = link->member;
	uint32_t *list = f->list.at, pass = f->pass;
	double left = link->capacity, rate;
	size_t open = 0;

	for (uint32_t k = 0; k < link->count; k++) {
		uint32_t slot = member[k].flow;
		const struct fluid_flow *flow = &f->flow.at[slot];
		bool is_open = flow->mark == pass;

		if (k + 2 * AHEAD < link->count)
			fetch_flow(f, member[k + 2 * AHEAD].flow);
		list[open] = slot;
		open += is_open;
		if (!is_open && flow->level > level)
			return -1;
		rate = fluid_rate(f, slot);
		if (f->shared)
			rate *= f->part.at[member[k].crossing];
		left -= is_open ? 0 : rate;
	}
	f->list.count = open;
	return left > 0 ? left : 0;
}

/* The open flows have filled the link, unless recomputing shows otherwise. */
static void full(struct fluid *f, uint32_t index, double level)
{
	const struct fluid_link *link = &f->link[index];
	struct fluid_share *share = &f->share[index];
	double left = what_is_left(f, link, level * (1 + same));

	f->counts.visited += link->count;
	if (left < 0) {
		open_above(f, link, level * (1 + same));
		fluid_maxmin_watch(f, index);
		return;
	}
	share->left = left;
	if (fills(share) > level * (1 + same)) {
		fluid_maxmin_watch(f, index);
		return;
	}
	for (size_t k = 0; k < f->list.count; k++) {
		if (k + AHEAD < f->list.count)
			fetch_path(f, f->list.at[k + AHEAD]);
		stop_flow(f, f->list.at[k], level);
	}
	f->pending -= (uint32_t)f->list.count + !isinf(share->old_level);
	f->link[index].level = level;
	share->old_level = HUGE_VAL;
}

/* The link's old level is reached, and open flows have not filled it. */
static void old_level_reached(struct fluid *f, uint32_t index)
{
	struct fluid_link *link = &f->link[index];
	struct fluid_share *share = &f->share[index];
	double level = share->old_level;

	f->pending--;
	share->old_level = HUGE_VAL;
	if (!share->open && share->left <= 1e-10 * link->capacity) {
		link->level = level; /* still full, of constant and stopped flows */
		return;
	}
	open_above(f, link, level * (1 - same));
	fluid_maxmin_watch(f, index);
}

static void fluid_maxmin_fill(struct fluid *f)
{
	double level = 0;

	while (f->pending) {
		uint32_t link = lowest_link(&f->watched);
		const struct fluid_share *share = &f->share[link];
		double next = next_level(share);

		if (next > f->watched.row[0][link]) { /* flows have stopped on other links meanwhile */
			lowest_raise(&f->watched, link, next);
			continue;
		}
		lowest_raise(&f->watched, link, HUGE_VAL);
		if (next > level)
			level = next;
		if (fills(share) <= share->old_level * (1 + same))
			full(f, link, level);
		else
			old_level_reached(f, link);
	}
}

/* Begins a pass: every mark of a flow is below `pass`, every mark of a link below `first_batch`. */
static void fluid_maxmin_begin_pass(struct fluid *f)
{
	f->pass += 2;                    /* pass: open; pass + 1: stopped; below: constant */
	if (f->batch > UINT32_MAX / 2) { /* a pass has far fewer batches than that */
		for (uint32_t i = 0; i < f->links; i++)
			f->share[i].mark = 0;
		f->batch = 0;
	}
	f->first_batch = ++f->batch;
	f->touched.count = f->affected.count = 0;
	f->pending = 0;
}

int fluid_maxmin(struct fluid *f, int64_t now_ps, struct err *e)
{
	(void)e;
	fluid_maxmin_begin_pass(f);
	for (size_t i = 0; i < f->dirty.count; i++) {
		fluid_maxmin_touch(f, f->dirty.at[i]);
		fluid_maxmin_watch(f, f->dirty.at[i]);
	}
	f->batch++;
	for (size_t i = 0; i < f->started.count; i++) {
		uint32_t slot = f->started.at[i]; /* may be listed twice, if the first flow in it ended at once */

		if (f->amount.at[slot].started && f->flow.at[slot].mark != f->pass)
			open_flow(f, slot);
	}
	watch_changed(f);
	fluid_maxmin_fill(f);
	for (size_t i = 0; i < f->affected.count; i++) {
		uint32_t slot = f->affected.at[i];

		if (i + 2 * AHEAD < f->affected.count)
			fetch_amount(f, f->affected.at[i + 2 * AHEAD]);
		fluid_set_rate(f, now_ps, slot, fluid_rate(f, slot));
	}
	for (size_t i = 0; i < f->touched.count; i++) {
		uint32_t index = f->touched.at[i];
		struct fluid_link *link = &f->link[index];

		link->load = link->count ? link->capacity - f->share[index].left : 0;
		lowest_clear(&f->watched, index);
	}
	return 0;
}
