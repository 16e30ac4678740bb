/*
 * Adaptive routings of HyperX that leave the shortest paths (N. McDonald, M. Isaev, A. Flores, A. Davis, J. Kim,
 * "Practical and Efficient Incremental Adaptive Routing for HyperX Networks", SC 2019). Every router decides, by the
 * queue of a link times the links to go. A detour goes to a third router of a line in which the packet has a link to
 * go.
 *
 *   omni_war  any differing dimension; as many detours as dimensions. The i-th link is on VC i, so channels are held
 *             in the order of their numbers.
 *   dim_war   dimension order; at most one detour in each, on VC 0. Links that correct are on VC 1, so channels are
 *             held in the order of their dimensions, within one of VC 0, then VC 1.
 *
 * A router has more detours than steps to offer if lines are long: then some, evenly apart, from a drawn one on.
 */
#include "../../psim/base/rng.h"
#include "hyperx.h"

/* A packet's choices at a router. */
struct war {
	const struct hyperx *x;
	const struct hyperx_state *s;
	uint32_t at;
	unsigned first, end; /* the dimensions that it may use, from first on below end */
	unsigned vc, vc_detour, hops;
	struct route_step *steps;
	unsigned count;
};

void hyperx_start_war(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	hyperx_start(t, src, dst, key, r);
	hyperx_state_of(r)->between = (uint32_t)rng_below(key, 1, 0, UINT32_MAX);
}

static unsigned war_dimension(const struct war *w, unsigned from)
{
	unsigned d = hyperx_differing(w->x, w->at, w->s->dst, from);

	return d < w->end ? d : w->x->dims;
}

/* Offers the links that correct a dimension, the packet's own lane first. */
static void war_correct(struct war *w)
{
	bool more = true;

	for (uint32_t i = 0; more; i++) {
		more = false;
		for (unsigned d = war_dimension(w, w->first); d < w->x->dims; d = war_dimension(w, d + 1)) {
			if (i >= w->x->trunk[d] || w->count == ROUTE_STEPS_MAX)
				continue;
			w->steps[w->count++] = hyperx_step_to(w->x, w->at, d, hyperx_coordinate(w->x, w->s->dst, d),
							      w->s->lane + i, w->vc, w->hops);
			more = true;
		}
	}
}

static uint32_t war_detours(const struct war *w)
{
	uint32_t all = 0;

	for (unsigned d = war_dimension(w, w->first); d < w->x->dims; d = war_dimension(w, d + 1))
		all += (w->x->size[d] - 2) * w->x->trunk[d];
	return all;
}

/* Offers detour number `i` of all. */
static void war_detour(struct war *w, uint32_t i)
{
	unsigned d = war_dimension(w, w->first);
	uint32_t here, end, low, to;

	for (; i >= (w->x->size[d] - 2) * w->x->trunk[d]; d = war_dimension(w, d + 1))
		i -= (w->x->size[d] - 2) * w->x->trunk[d];
	here = hyperx_coordinate(w->x, w->at, d);
	end = hyperx_coordinate(w->x, w->s->dst, d);
	low = here < end ? here : end;
	to = i / w->x->trunk[d];
	to += to >= low;
	to += to >= here + end - low;
	w->steps[w->count++] = hyperx_step_to(w->x, w->at, d, to, i % w->x->trunk[d], w->vc_detour, w->hops + 1);
}

static void war_make_detours(struct war *w)
{
	uint32_t all = war_detours(w), room = ROUTE_STEPS_MAX - w->count, first;

	if (!all)
		return;
	room = room < all ? room : all;
	first = (uint32_t)rng_below(w->s->between, 2, w->at, all);
	for (uint32_t i = 0; i < room; i++)
		war_detour(w, (uint32_t)((first + (uint64_t)i * all / room) % all));
}

unsigned hyperx_next_omni_war(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			      const struct route *r, struct route_step *steps)
{
	const struct hyperx *x = t->private_data;
	const struct hyperx_state *s = hyperx_state_read(r);
	uint32_t at = router - t->nodes, far = hyperx_between(x, at, s->dst);
	struct war w = {x, s, at, 0, x->dims, s->turns, s->turns, far + 1, steps, 0};

	(void)in_link;
	(void)in_vc;
	if (!far) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	war_correct(&w);
	if (s->turns + far < t->vcs) /* VCs are left for the links to go after a detour */
		war_make_detours(&w);
	return w.count;
}

void hyperx_take_omni_war(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	(void)router;
	if (t->link[step->link].to >= t->nodes)
		hyperx_state_of(r)->turns++;
}

unsigned hyperx_next_dim_war(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step *steps)
{
	const struct hyperx *x = t->private_data;
	const struct hyperx_state *s = hyperx_state_read(r);
	uint32_t at = router - t->nodes;
	unsigned d = hyperx_differing(x, at, s->dst, 0);
	struct war w = {x, s, at, d, d + 1, 1, 0, hyperx_between(x, at, s->dst) + 1, steps, 0};

	(void)in_link;
	(void)in_vc;
	if (d == x->dims) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	war_correct(&w);
	if (!s->turns)
		war_make_detours(&w);
	return w.count;
}

void hyperx_take_dim_war(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	(void)router;
	if (t->link[step->link].to >= t->nodes)
		hyperx_state_of(r)->turns = step->vc == 0;
}
