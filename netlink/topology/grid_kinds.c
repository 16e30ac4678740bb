/*
 * The kinds that are grids: the n-D mesh; the n-D torus (k-ary n-cube), which wraps in every
 * dimension; the 6-D mesh/torus of Tofu (Y. Ajima, S. Sumimoto, T. Shimizu, IEEE Computer 42(11),
 * 2009), a torus in X, Y and Z of groups of 2 x 3 x 2 nodes, in which b, of 3, is a torus, and a
 * and c, of 2, are meshes.
 */
#include "grid.h"

static struct grid_shape shape_of(const struct plan *p)
{
	struct grid_shape s = {.dims = p->dims, .letters = "xyzuvw"};

	if (p->kind == &topology_tofu)
		return (struct grid_shape){
			.dims = 6,
			.dim = {p->dim[0], p->dim[1], p->dim[2], 2, 3, 2},
			.wrap = {true, true, true, false, true, false},
			.letters = "xyzabc",
		};
	for (unsigned d = 0; d < s.dims; d++) {
		s.dim[d] = p->dim[d];
		s.wrap[d] = p->kind == &topology_torus;
	}
	return s;
}

static unsigned grid_kinds_levels(const struct plan *p)
{
	return p->kind == &topology_tofu ? 6 : p->dims;
}

static int grid_kinds_check(struct plan *p)
{
	struct grid_shape s;

	if (p->kind == &topology_tofu && p->dims != 3)
		return plan_fail(p, "topology", "dims", "%s: %u sizes, expected 3: X, Y and Z of groups of 12 nodes",
				 p->cfg->topology.dims, p->dims);
	if (p->dims > GRID_DIMS_MAX)
		return plan_fail(p, "topology", "dims", "%s: %u dimensions, expected at most %d", p->cfg->topology.dims,
				 p->dims, GRID_DIMS_MAX);
	s = shape_of(p);
	return grid_check(p, &s);
}

static int grid_kinds_build(const struct plan *p, struct topology *t, struct graph *g, struct err *e)
{
	struct grid_shape s = shape_of(p);

	return grid_build(p, &s, t, g, e);
}

#define GRID(id, form, text) \
	const struct topology_kind topology_##id = { \
		.name = topology_##id##_name, \
		.doc = text, \
		.shape = form, \
		.routing = GRID_ROUTINGS, \
		.levels = grid_kinds_levels, \
		.check = grid_kinds_check, \
		.build = grid_kinds_build, \
		.destroy = grid_destroy, \
		.distance = grid_distance, \
		.bisection = grid_bisection, \
	}

GRID(mesh, SHAPE_MESH, "n-dimensional mesh, one router per node");
GRID(torus, SHAPE_TORUS, "n-dimensional torus, one router per node");
GRID(tofu, SHAPE_OTHER, "6-D mesh/torus: X, Y, Z and groups of 2 x 3 x 2");

const struct grid *topology_grid(const struct topology *t)
{
	return t->kind->build == grid_kinds_build ? t->private_data : NULL;
}

const struct grid *topology_grid_in_order(const struct topology *t)
{
	const struct grid *g = topology_grid(t);

	return g && t->routing->next == grid_order_next && g->ties != TIES_RANDOM ? g : NULL;
}
