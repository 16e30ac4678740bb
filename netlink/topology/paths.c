/* The paths of a routing, link by link. */
#include "kind.h"

void topology_route_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	r->dst = dst;
	t->routing->start(t, src, dst, key, r);
}

unsigned topology_route_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step steps[ROUTE_STEPS_MAX])
{
	return t->routing->next(t, router, in_link, in_vc, r, steps);
}

void topology_route_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	t->routing->take(t, router, step, r);
}

unsigned route_walk(const struct topology *t, uint32_t src, struct route *r, uint32_t *links, unsigned max)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t at = src, link = t->inject[src * t->nics];
	unsigned count = 0, vc = 0;

	for (;;) {
		if (count == max)
			return 0;
		links[count++] = link;
		at = t->link[link].to;
		if (at < t->nodes)
			return count;
		topology_route_next(t, at, link, vc, r, steps);
		topology_route_take(t, at, &steps[0], r);
		link = steps[0].link;
		vc = steps[0].vc;
	}
}
