/* n-D torus (k-ary n-cube): a grid that wraps in every dimension. */
#include "grid.h"

static struct grid_shape shape_of(const struct plan *p)
{
	struct grid_shape s = {.dims = p->dims, .letters = "xyzuvw"};

	for (unsigned d = 0; d < s.dims; d++) {
		s.dim[d] = p->dim[d];
		s.wrap[d] = true;
	}
	return s;
}

static unsigned levels(const struct plan *p)
{
	return p->dims;
}

static int check(struct plan *p)
{
	struct grid_shape s;

	if (p->dims > GRID_DIMS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u dimensions, expected at most %d",
		                 p->cfg->topology.dims, p->dims, GRID_DIMS_MAX);
	s = shape_of(p);
	return grid_check(p, &s);
}

static int build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct grid_shape s = shape_of(p);

	return grid_build(p, &s, t, g, e);
}

const struct topology_kind topology_torus = {
	.name = "torus",
	.doc = "n-dimensional torus, a router a node",
	.routing = GRID_ROUTINGS,
	.levels = levels,
	.check = check,
	.build = build,
	.destroy = grid_destroy,
	.distance = grid_distance,
	.bisection = grid_bisection,
};
