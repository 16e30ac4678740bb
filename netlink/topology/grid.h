/*
 * Grids: common parts of mesh, torus and Tofu. Every node has a router. Along each dimension
 * neighbours are connected both ways, and where the dimension wraps, the ends too. A wrapped
 * dimension of 2 has two links each way between the two routers; a dimension of 1 has none.
 *
 * A packet carries its signed distance in each dimension, so that a hop needs no division and reads
 * only two bytes of the router: which of its links cross the dateline (the wrap of a dimension).
 */
#ifndef PSIM_NETLINK_GRID_H
#define PSIM_NETLINK_GRID_H

#include "link_graph.h"
#include "topology_plan.h"

enum { GRID_DIMS_MAX = 6 };

struct grid {
	unsigned dims;
	uint32_t nodes;
	uint32_t dim[GRID_DIMS_MAX];
	bool wrap[GRID_DIMS_MAX];
	unsigned ties;             /* the configuration's `ties` */
	unsigned crossing, behind; /* VC on the link that crosses the dateline, and on those after it: 1 or 0 */
	bool balanced;             /* packets that do not cross a dateline take either VC */
	unsigned leg_vcs;          /* virtual channels of one leg of the path: 2 with datelines */
	uint32_t ports;            /* 2 * dims: +x, -x, +y, … */
	uint32_t *port_link;       /* [router * ports + port]; NULL: the index is the link's number */
	uint16_t *wraps;           /* [router]: bit `port` is set where that link crosses the dateline */
	uint16_t *coordinate;      /* [router * dims + dimension] */
	uint8_t class_port[4 * GRID_DIMS_MAX];
};

/* The dimensions of a grid of some kind, and their names. */
struct grid_shape {
	unsigned dims;
	uint32_t dim[GRID_DIMS_MAX];
	bool wrap[GRID_DIMS_MAX];
	const char *letters; /* "xyzuvw" */
};

/* Checks the configuration, for the kinds. */
int grid_check(struct plan *p, const struct grid_shape *shape);

/* Builds t and its links; t->private_data is the grid, freed by grid_destroy. */
int grid_build(const struct plan *p, const struct grid_shape *shape, struct topology *t, struct graph *g,
	       struct err *e);
void grid_destroy(void *private_data);

/* The grid of a mesh, torus or Tofu; NULL: `t` is another kind. */
const struct grid *topology_grid(const struct topology *t);

/* The same if packets go in dimension order by paths that depend on source and destination only; else NULL. */
const struct grid *topology_grid_in_order(const struct topology *t);

/*
 * ties = parity: returns whether a packet goes forth along dimension d, by the parity of its source's coordinate. In a
 * ring of two that alone would use one of a node's two links: the ends' other coordinates are added.
 */
bool grid_forth_by_parity(const struct grid *g, unsigned d, const uint16_t *from, const uint16_t *to);

unsigned grid_distance(const struct topology *t, uint32_t src, uint32_t dst);
double grid_bisection(const struct topology *t);

/* Routings: grid_order.c, grid_adaptive.c, grid_valiant.c. */
void grid_order_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
unsigned grid_order_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			 const struct route *r, struct route_step *steps);
void grid_order_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);
unsigned grid_order_route(const struct topology *t, uint32_t src, uint32_t dst, unsigned vc_bits, uint32_t *words,
			  unsigned max);
unsigned grid_adaptive_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			    const struct route *r, struct route_step *steps);
void grid_adaptive_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);
void grid_valiant_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
uint32_t grid_valiant_choices(const struct topology *t);
unsigned grid_valiant_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
			     unsigned max);
void grid_ugal_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
unsigned grid_legs_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			const struct route *r, struct route_step *steps);
void grid_legs_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);

#define GRID_ROUTINGS \
	{ \
		{.name = "dimension_order", \
		 .doc = "first x, then y, …", \
		 ROUTED_BY(grid_order_start, grid_order_next, grid_order_take), \
		 .fixed_route = grid_order_route, \
		 .minimal = true, \
		 .legs = 1}, \
			ROUTING_ADAPTIVE("any minimal link; dimension order as escape", grid_order_start, \
					 grid_adaptive_next, grid_adaptive_take), \
			ROUTING_VALIANT(grid_valiant_start, grid_legs_next, grid_legs_take, grid_valiant_choices, \
					grid_valiant_choose), \
			ROUTING_UGAL("dimension order or valiant, by the queue lengths at the source", \
				     grid_ugal_start, grid_legs_next, grid_legs_take), \
	}

#endif
