/* Modes F and N: S. Yazaki, H. Ishihata, "Development of a Message Flow Simulator …", fig. 1. */
#include "fluid.h"

#include <math.h>

/* fmin is a call. */
static inline double lesser(double a, double b)
{
	return a < b ? a : b;
}

static double fair_share(const struct fluid *f, const struct fluid_flow *flow)
{
	uint32_t hops;
	const uint32_t *path = fluid_path(f, flow, &hops);
	double share = f->share[path[0]].left;

	for (uint32_t i = 1; i < hops; i++)
		share = lesser(share, f->share[path[i]].left);
	return share;
}

/* A new pass; the links whose flows changed. */
static void begin_pass(struct fluid *f)
{
	f->pass += 2;
	f->touched.count = f->affected.count = 0;
	for (size_t i = 0; i < f->dirty.count; i++) {
		uint32_t link = f->dirty.at[i];

		f->share[link].mark = f->pass;
		f->touched.at[f->touched.count++] = link;
	}
}

static void affect(struct fluid *f, uint32_t slot)
{
	struct fluid_flow *flow = &f->flow.at[slot];
	uint32_t hops;
	const uint32_t *path = fluid_path(f, flow, &hops);

	flow->mark = f->pass;
	f->affected.at[f->affected.count++] = slot;
	for (uint32_t i = 0; i < hops; i++) {
		if (f->share[path[i]].mark == f->pass)
			continue;
		f->share[path[i]].mark = f->pass;
		f->touched.at[f->touched.count++] = path[i];
	}
}

/* All that is connected with those links by flows and links. */
static void collect(struct fluid *f)
{
	for (size_t i = 0; i < f->touched.count; i++) { /* grows meanwhile */
		const struct fluid_link *link = &f->link[f->touched.at[i]];

		for (uint32_t k = 0; k < link->count; k++)
			if (f->flow.at[link->member[k].flow].mark != f->pass)
				affect(f, link->member[k].flow);
		f->counts.visited += link->count;
	}
}

/* Steps 2 to 4: only links whose number of flows changed have another share. */
int fluid_fair(struct fluid *f, int64_t now_ps, struct err *e)
{
	(void)e;
	begin_pass(f);
	for (size_t i = 0; i < f->dirty.count; i++) {
		const struct fluid_link *link = &f->link[f->dirty.at[i]];

		f->share[f->dirty.at[i]].left = link->capacity / link->count; /* of a link without flows nobody asks */
	}
	for (size_t i = 0; i < f->dirty.count; i++) {
		const struct fluid_link *link = &f->link[f->dirty.at[i]];

		for (uint32_t k = 0; k < link->count; k++) {
			struct fluid_flow *flow = &f->flow.at[link->member[k].flow];

			if (flow->mark == f->pass)
				continue;
			flow->mark = f->pass;
			fluid_set_rate(f, now_ps, link->member[k].flow, fair_share(f, flow));
		}
		f->counts.visited += link->count;
	}
	return 0;
}

/* What the rates in `scratch` leave of each link; the largest change as a part of the capacity. */
static double unused(struct fluid *f)
{
	double most = 0;

	for (size_t i = 0; i < f->touched.count; i++) {
		struct fluid_share *share = &f->share[f->touched.at[i]];

		share->before = share->left;
		share->left = f->link[f->touched.at[i]].capacity;
	}
	for (size_t i = 0; i < f->affected.count; i++) {
		uint32_t hops;
		const uint32_t *path = fluid_path(f, &f->flow.at[f->affected.at[i]], &hops);

		for (uint32_t k = 0; k < hops; k++)
			f->share[path[k]].left -= f->scratch.at[i];
		f->counts.visited += hops;
	}
	for (size_t i = 0; i < f->touched.count; i++) {
		const struct fluid_link *link = &f->link[f->touched.at[i]];
		struct fluid_share *share = &f->share[f->touched.at[i]];

		most = fmax(most, fabs(share->left - share->before) / link->capacity);
		share->part = share->left / link->count;
	}
	return most;
}

/* Step 5.4 once: every flow gets the smallest unused part / number of flows. False if there is none to get. */
static bool redistribute(struct fluid *f)
{
	bool any = false;

	for (size_t i = 0; i < f->affected.count; i++) {
		uint32_t hops;
		const uint32_t *path = fluid_path(f, &f->flow.at[f->affected.at[i]], &hops);
		double more = f->share[path[0]].part;

		for (uint32_t k = 1; k < hops; k++)
			more = lesser(more, f->share[path[k]].part);
		if (more <= 1e-12 * f->scratch.at[i]) /* a full link, but for rounding */
			continue;
		f->scratch.at[i] += more;
		any = true;
	}
	return any;
}

/* Steps 2 to 5 for everything that is connected with the change. */
int fluid_iterate(struct fluid *f, int64_t now_ps, struct err *e)
{
	uint64_t rounds = 0;

	(void)e;
	begin_pass(f);
	collect(f);
	for (size_t i = 0; i < f->touched.count; i++) {
		const struct fluid_link *link = &f->link[f->touched.at[i]];

		f->share[f->touched.at[i]].left = link->capacity / link->count;
	}
	for (size_t i = 0; i < f->affected.count; i++)
		f->scratch.at[i] = fair_share(f, &f->flow.at[f->affected.at[i]]);
	unused(f);
	while (redistribute(f)) {
		rounds++;
		if (unused(f) <= f->th)
			break;
	}
	for (size_t i = 0; i < f->affected.count; i++)
		fluid_set_rate(f, now_ps, f->affected.at[i], f->scratch.at[i]);
	f->counts.iterations += rounds;
	f->counts.iterated += rounds > 0;
	if (rounds > f->counts.most_iterations)
		f->counts.most_iterations = rounds;
	return 0;
}
