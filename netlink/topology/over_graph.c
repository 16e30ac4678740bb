/* Routings over any graph, for networks of any kind: those of which links are down, or whose user chooses so. */
#include "routes.h"

const struct topology_kind topology_over_graph = {
	.name = "any graph",
	.doc = "routers and links of any network",
	.routing = {ROUTES_OVER_ANY_GRAPH},
	.ready = routes_make,
	.destroy = routes_destroy,
	.distance = routes_distance,
};

bool topology_goes_round(const struct topology *t)
{
	return t->kind == &topology_over_graph;
}

void topology_route_restart(const struct topology *t, uint32_t router, uint32_t src, uint32_t dst, uint64_t key,
			    struct route *r)
{
	*r = (struct route){.dst = dst};
	routes_restart(t, router, src, dst, key, r);
}

bool topology_route_continues(const struct topology *t, uint32_t router, const struct route *r)
{
	return !topology_goes_round(t) || routes_continues(t, router, r);
}
