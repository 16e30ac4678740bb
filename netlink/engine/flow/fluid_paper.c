/* Modes F and N: S. Yazaki, H. Ishihata, "Development of a Message Flow Simulator …", fig. 1. */
#include "fluid.h"

#include <math.h>

/* inline, because fmin is a call */
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

/* Begins a pass with the links whose flows changed. */
static void fluid_paper_begin_pass(struct fluid *f)
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

/* Collects everything connected with these links by flows and links. */
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
	fluid_paper_begin_pass(f);
	for (size_t i = 0; i < f->dirty.count; i++) {
		const struct fluid_link *link = &f->link[f->dirty.at[i]];

		f->share[f->dirty.at[i]].left = link->capacity / link->count; /* never read for a link without flows */
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

/* Computes what the rates in `scratch` leave of each link; returns the largest change relative to the capacity. */
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

/* Step 5.4 once: every flow gets the smallest unused part / number of flows. False if nothing is left. */
static bool redistribute(struct fluid *f)
{
	bool any = false;

	for (size_t i = 0; i < f->affected.count; i++) {
		uint32_t hops;
		const uint32_t *path = fluid_path(f, &f->flow.at[f->affected.at[i]], &hops);
		double more = f->share[path[0]].part;

		for (uint32_t k = 1; k < hops; k++)
			more = lesser(more, f->share[path[k]].part);
		if (more <= 1e-12 * f->scratch.at[i]) /* a full link, within rounding */
			continue;
		f->scratch.at[i] += more;
		any = true;
	}
	return any;
}

/* Steps 2 to 4, and 5.1 once, for everything connected with the change. */
static void begin_rounds(struct fluid *f)
{
	fluid_paper_begin_pass(f);
	collect(f);
	for (size_t i = 0; i < f->touched.count; i++) {
		const struct fluid_link *link = &f->link[f->touched.at[i]];

		f->share[f->touched.at[i]].left = link->capacity / link->count;
	}
	for (size_t i = 0; i < f->affected.count; i++)
		f->scratch.at[i] = fair_share(f, &f->flow.at[f->affected.at[i]]);
	unused(f);
}

static void end_rounds(struct fluid *f, int64_t now_ps, uint64_t rounds)
{
	for (size_t i = 0; i < f->affected.count; i++)
		fluid_set_rate(f, now_ps, f->affected.at[i], f->scratch.at[i]);
	f->counts.iterations += rounds;
	f->counts.iterated += rounds > 0;
	if (rounds > f->counts.most_iterations)
		f->counts.most_iterations = rounds;
}

int fluid_iterate(struct fluid *f, int64_t now_ps, struct err *e)
{
	uint64_t rounds = 0;

	(void)e;
	begin_rounds(f);
	while (redistribute(f)) {
		rounds++;
		if (unused(f) <= f->th)
			break;
	}
	end_rounds(f, now_ps, rounds);
	return 0;
}

/* ---- step 5 by the letter ---- */

/*
 * The paper numbers flows by their senders. A path begins with the sender's own link, which gives that order; flows
 * with the same first link follow by slot.
 */
static bool precedes(const struct fluid *f, uint32_t a, uint32_t b)
{
	uint32_t hops;
	uint32_t first_a = fluid_path(f, &f->flow.at[a], &hops)[0], first_b = fluid_path(f, &f->flow.at[b], &hops)[0];

	return first_a != first_b ? first_a < first_b : a < b;
}

/* Finds the last flow of each touched link. */
static void find_last(struct fluid *f)
{
	for (size_t i = 0; i < f->touched.count; i++)
		f->share[f->touched.at[i]].last = UINT32_MAX;
	for (uint32_t i = 0; i < f->affected.count; i++) {
		uint32_t hops;
		const uint32_t *path = fluid_path(f, &f->flow.at[f->affected.at[i]], &hops);

		for (uint32_t k = 0; k < hops; k++) {
			uint32_t *last = &f->share[path[k]].last;

			if (*last == UINT32_MAX || precedes(f, f->affected.at[*last], f->affected.at[i]))
				*last = i;
		}
	}
}

/*
 * Steps 5.2, 5.4, 5.1: a link offers the rate of its last flow and its unused part / number of flows; a flow takes the
 * least of its links' offers. Where flows exceed a link by more than all that its last flow has, no rate is left to
 * offer, which the paper does not foresee: a flow that would have none keeps its rate.
 */
static void redistribute_literally(struct fluid *f)
{
	for (size_t i = 0; i < f->touched.count; i++) {
		struct fluid_share *share = &f->share[f->touched.at[i]];

		if (share->last != UINT32_MAX)
			share->part += f->scratch.at[share->last];
	}
	for (size_t i = 0; i < f->affected.count; i++) {
		uint32_t hops;
		const uint32_t *path = fluid_path(f, &f->flow.at[f->affected.at[i]], &hops);
		double least = f->share[path[0]].part;

		for (uint32_t k = 1; k < hops; k++)
			least = lesser(least, f->share[path[k]].part);
		if (least > 0)
			f->scratch.at[i] = least;
	}
}

/* Records the largest excess of rates over a link's capacity. */
static void note_excess(struct fluid *f)
{
	for (size_t i = 0; i < f->touched.count; i++) {
		double over = -f->share[f->touched.at[i]].left / f->link[f->touched.at[i]].capacity;

		if (over > f->counts.most_over)
			f->counts.most_over = over;
	}
}

/* The paper does not bound the rounds, which need not converge. */
int fluid_literal(struct fluid *f, int64_t now_ps, struct err *e)
{
	enum { ROUNDS_MOST = 100 };
	uint64_t rounds = 0;

	(void)e;
	begin_rounds(f);
	find_last(f);
	do {
		redistribute_literally(f);
		rounds++;
	} while (unused(f) > f->th && rounds < ROUNDS_MOST);
	note_excess(f);
	end_rounds(f, now_ps, rounds);
	return 0;
}
