/*
 * Dimension-order routing on grids: all of x, then all of y, … It is free of deadlock on a mesh
 * (Dally & Towles, 14.2.3); where dimensions wrap, datelines make it so (grid_state.h).
 */
#include <stdlib.h>

#include "../../psim/base/rng.h"
#include "grid_state.h"

bool grid_forth_by_parity(const struct grid *g, unsigned d, const uint16_t *from, const uint16_t *to)
{
	int sum = from[d];

	for (unsigned i = 0; g->dim[d] == 2 && i < g->dims; i++)
		sum += i != d ? from[i] + to[i] : 0;
	return !(sum & 1);
}

/* Returns the shorter way round; the rule decides between equals. */
static int wrapped(const struct grid *g, unsigned d, const uint16_t *from, const uint16_t *to, uint64_t coin)
{
	int n = (int)g->dim[d], difference = to[d] - from[d], forth = difference < 0 ? difference + n : difference;
	bool positive = true;

	if (2 * forth != n)
		return 2 * forth < n ? forth : forth - n;
	switch (g->ties) {
	case TIES_POSITIVE: break;
	case TIES_NEGATIVE: positive = false; break;
	case TIES_PARITY: positive = grid_forth_by_parity(g, d, from, to); break;
	case TIES_DIRECT: positive = difference > 0; break;
	default: positive = !(coin >> d & 1);
	}
	return positive ? forth : forth - n;
}

unsigned grid_set_distances(const struct grid *g, uint32_t at, uint32_t to, uint64_t coin, struct grid_state *s)
{
	const uint16_t *a = &g->coordinate[at * g->dims], *b = &g->coordinate[to * g->dims];
	unsigned sum = 0;

	for (unsigned d = 0; d < g->dims; d++) {
		int left = b[d] - a[d];

		if (left && g->wrap[d])
			left = wrapped(g, d, a, b, coin);
		s->left[d] = (int16_t)left;
		sum += (unsigned)abs(left);
	}
	return sum;
}

uint64_t grid_coin(const struct grid *g, uint64_t key)
{
	return g->ties == TIES_RANDOM ? rng_u64(key, 0, 0) : 0;
}

bool grid_high(const struct grid *g, uint32_t src, uint32_t dst)
{
	return g->balanced && rng_u64(src, dst, 0) >> 63;
}

void grid_order_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	const struct grid *g = t->private_data;
	struct grid_state *s = grid_state_of(r);
	uint64_t coin = grid_coin(g, key);

	*s = (struct grid_state){0};
	s->hops = (uint16_t)(grid_set_distances(g, src, dst, coin, s) + 1);
	s->high = grid_high(g, src, dst);
	s->dim = grid_next_dim(g, s, 0) & 7;
}

unsigned grid_order_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			 const struct route *r, struct route_step *steps)
{
	const struct grid *g = t->private_data;
	const struct grid_state *s = grid_state_read(r);
	uint32_t at = router - g->nodes;
	unsigned d = s->dim, port;

	(void)in_link;
	(void)in_vc;
	if (d == g->dims) {
		steps[0] = route_eject(t, r);
		return 1;
	}
	port = 2 * d + (s->left[d] < 0);
	steps[0] = (struct route_step){
		grid_link(g, at, port), (uint16_t)grid_vc(g, s, at, d, port), s->hops, true, 0, COUNTS_LINK};
	return 1;
}

void grid_order_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct grid *g = t->private_data;
	struct grid_state *s = grid_state_of(r);
	unsigned d = s->dim;

	(void)step;
	if (d == g->dims)
		return;
	grid_advance(g, s, router - g->nodes, d, 2 * d + (s->left[d] < 0));
	if (!s->left[d])
		s->dim = grid_next_dim(g, s, d + 1) & 7;
}

/*
 * Writes the links of dimension `d` from router `*at` on, which becomes the last one's end; returns their number.
 * Without vc_bits the words are links alone.
 */
static unsigned route_along(const struct grid *g, const struct grid_state *s, unsigned d, uint32_t stride, uint32_t *at,
			    unsigned vc_bits, uint32_t *words)
{
	int left = s->left[d], n = (int)g->dim[d], c = g->coordinate[*at * g->dims + d], step = left < 0 ? -1 : 1;
	unsigned port = 2 * d + (left < 0), crossed = 0, count = 0;
	bool will_cross = c + left < 0 || c + left >= n;
	uint32_t mask = (1u << vc_bits) - 1;

	for (; left; left -= step) {
		unsigned wraps = g->wraps[*at] >> port & 1;
		unsigned vc = (crossed & g->behind) | (wraps & g->crossing);

		if (g->balanced && !vc)
			vc = s->high && !(will_cross && !crossed);
		words[count++] = grid_link(g, *at, port) << vc_bits | (vc & mask);
		crossed |= wraps;
		c += step;
		if (c < 0 || c == n) {
			*at -= (uint32_t)(step * (n - 1)) * stride;
			c -= step * n;
		} else {
			*at += (uint32_t)step * stride;
		}
	}
	return count;
}

/* Writes the links of a leg that starts at router `at`, in dimension order. */
static unsigned direction_of_leg(const struct grid *g, const struct grid_state *s, uint32_t at, unsigned vc_bits,
				 uint32_t *words)
{
	uint32_t stride = 1;
	unsigned count = 0;

	for (unsigned d = 0; d < g->dims; d++) {
		if (s->left[d])
			count += route_along(g, s, d, stride, &at, vc_bits, words + count);
		stride *= g->dim[d];
	}
	return count;
}

unsigned grid_leg(const struct grid *g, uint32_t from, uint32_t to, uint32_t *links, unsigned max)
{
	struct grid_state s = {0};

	if (grid_set_distances(g, from, to, 0, &s) > max)
		return max + 1;
	return direction_of_leg(g, &s, from, 0, links);
}

unsigned grid_order_route(const struct topology *t, uint32_t src, uint32_t dst, unsigned vc_bits, uint32_t *words,
			  unsigned max)
{
	const struct grid *g = t->private_data;
	const struct grid_state *s;
	unsigned count;
	struct route r;

	topology_route_start(t, src, dst, 0, &r);
	s = grid_state_read(&r);
	if (s->hops > max)
		return 0;
	count = direction_of_leg(g, s, src, vc_bits, words);
	words[count++] = t->eject[dst * t->nics] << vc_bits;
	return count;
}
