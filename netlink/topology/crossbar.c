/* A full crossbar, or star: all nodes are at one router. */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "topology_plan.h"

static unsigned crossbar_levels(const struct plan *p)
{
	(void)p;
	return 1;
}

static int crossbar_check(struct plan *p)
{
	unsigned nics = p->cfg->topology.nics;

	if (p->dims != 1)
		return plan_fail(p, "topology", "dims", "%s: %u sizes, expected one: the number of nodes",
				 p->cfg->topology.dims, p->dims);
	if ((uint64_t)p->dim[0] * nics > UINT16_MAX)
		return plan_fail(p, "topology", "dims",
				 "%s: %u nodes of %u NICs, expected at most %d links at the router",
				 p->cfg->topology.dims, p->dim[0], nics, UINT16_MAX);
	return plan_no_cabinets(p);
}

static int crossbar_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct graph_nics nics = plan_nics(p, p->dim[0]);

	t->nodes = p->dim[0];
	t->routers = 1;
	t->vcs = 1;
	return graph_add_nics(g, t, &nics, e);
}

static void crossbar_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r)
{
	(void)t;
	(void)src;
	(void)dst;
	(void)key;
	*r = (struct route){.dst = dst};
}

static unsigned crossbar_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			      const struct route *r, struct route_step *steps)
{
	(void)router;
	(void)in_link;
	(void)in_vc;
	steps[0] = route_eject(t, r);
	return 1;
}

static void crossbar_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r)
{
	(void)t;
	(void)router;
	(void)step;
	(void)r;
}

static unsigned crossbar_distance(const struct topology *t, uint32_t src, uint32_t dst)
{
	(void)t;
	(void)src;
	(void)dst;
	return 0;
}

/* Half of the nodes send to the other half. */
static double crossbar_bisection(const struct topology *t)
{
	return t->nodes / 2 * (double)t->nics * t->class[0].bytes_per_s;
}

const struct topology_kind topology_crossbar = {
	.name = topology_crossbar_name,
	.doc = "one router with all nodes (full crossbar, star)",
	.routing = {{.name = "direct",
		     .doc = "the only path",
		     .start = crossbar_start,
		     .next = crossbar_next,
		     .take = crossbar_take,
		     .minimal = true}},
	.levels = crossbar_levels,
	.check = crossbar_check,
	.build = crossbar_build,
	.distance = crossbar_distance,
	.bisection = crossbar_bisection,
};
