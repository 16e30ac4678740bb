/*
 * The 6-D mesh/torus of Tofu (Y. Ajima, S. Sumimoto, T. Shimizu, IEEE Computer 42(11), 2009): a
 * torus in X, Y and Z of groups of 2 x 3 x 2 nodes, in which b, of 3, is a torus, and a and c, of
 * 2, are meshes.
 */
#include "grid.h"

static struct grid_shape shape_of(const struct plan *p)
{
	return (struct grid_shape){
		.dims = 6,
		.dim = {p->dim[0], p->dim[1], p->dim[2], 2, 3, 2},
		.wrap = {true, true, true, false, true, false},
		.letters = "xyzabc",
	};
}

static unsigned levels(const struct plan *p)
{
	(void)p;
	return 6;
}

static int check(struct plan *p)
{
	struct grid_shape s;

	if (p->dims != 3)
		return plan_fail(p, "topology", "dims",
		                 "%s: %u sizes, expected the 3 of X, Y and Z; each is of 12 nodes",
		                 p->cfg->topology.dims, p->dims);
	s = shape_of(p);
	return grid_check(p, &s);
}

static int build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct grid_shape s = shape_of(p);

	return grid_build(p, &s, t, g, e);
}

const struct topology_kind topology_tofu = {
	.name = "tofu",
	.doc = "6-D mesh/torus: X, Y, Z and groups of 2 x 3 x 2",
	.routing = GRID_ROUTINGS,
	.levels = levels,
	.check = check,
	.build = build,
	.destroy = grid_destroy,
	.distance = grid_distance,
	.bisection = grid_bisection,
};
