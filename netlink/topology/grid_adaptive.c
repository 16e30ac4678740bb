/*
 * Minimal adaptive routing on grids (J. Duato, IEEE TPDS 4(12), 1993): any link that brings the
 * packet nearer, on a virtual channel of its own, with dimension order on separate channels as the
 * escape.
 */
#include "grid_state.h"

unsigned grid_adaptive_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			    const struct route *r, struct route_step *steps)
{
	const struct grid *g = t->private_data;
	const struct grid_state *s = grid_state_read(r);
	uint32_t at = router - g->nodes;
	unsigned count = 0;

	if (s->dim < g->dims)
		for (unsigned d = s->dim; d < g->dims; d++)
			if (s->left[d])
				steps[count++] = (struct route_step){grid_link(g, at, 2 * d + (s->left[d] < 0)),
								     (uint16_t)g->leg_vcs,
								     s->hops,
								     false,
								     0,
								     COUNTS_LINK};
	/* the escape, or the ejection */
	return count + grid_order_next(t, router, in_link, in_vc, r, steps + count);
}

void grid_adaptive_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	const struct grid *g = t->private_data;
	struct grid_state *s = grid_state_of(r);
	unsigned port;

	if (s->dim == g->dims)
		return;
	port = g->class_port[t->link[step->link].class];
	grid_advance(g, s, router - g->nodes, port / 2, port);
	s->dim = grid_next_dim(g, s, s->dim) & 7;
}
