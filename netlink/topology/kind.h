/*
 * A kind of network: a row that names the functions of its file.
 *
 * To add one: a file with a `struct topology_kind`, a row of
 * TOPOLOGY_KINDS in topology_config.h, its sources in meson.build, a picture and its
 * parameters in docs/models/topologies.md, its closed forms and its deadlock proof in
 * the tests.
 */
#ifndef PSIM_NETLINK_KIND_H
#define PSIM_NETLINK_KIND_H

#include "topology.h"

struct plan;
struct graph;

/*
 * Where a packet is on a route by way of a node, router or group between its ends. LEG_OPEN: whether it goes there is
 * not chosen yet. Direct routes are LEG_LAST from the start. On grids the leg behind the node is LEG_SECOND.
 */
enum leg { LEG_LAST, LEG_FIRST, LEG_OPEN, LEG_SECOND };

/* A routing of a kind. topology.h documents the three functions. */
struct topology_routing {
	const char *name, *doc;
	void (*start)(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);
	unsigned (*next)(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			 const struct route *r, struct route_step *steps);
	void (*take)(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);
	/* topology_fixed_route of this routing: the links behind the injection; NULL: from the three functions. */
	unsigned (*fixed_route)(const struct topology *t, uint32_t src, uint32_t dst, unsigned vc_bits, uint32_t *words,
				unsigned max);
	/*
	 * Random routings: how many paths the keys choose from, all equally likely, and the links of one of them as of
	 * topology_path. NULL, or 0 paths: only keys give them.
	 */
	uint32_t (*choices)(const struct topology *t);
	unsigned (*choose)(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
			   unsigned max);
	bool random;             /* the path may depend on the key */
	bool minimal;            /* every path is a shortest one */
	bool choice;             /* next() may offer several steps */
	bool by_vc;              /* dragonfly: queues of virtual channels decide */
	bool sees_group;         /* dragonfly: queues of the whole group decide */
	bool by_dims;            /* hyperx: two VCs for each dimension */
	bool layered;            /* any graph: a path is on one virtual channel, the layer of its ends */
	unsigned legs, adaptive; /* legs with VCs of their own, and adaptive VCs: some kinds compute VCs from these */
};

/* Rows of routings that several kinds have: start, next and take are the kind's functions. */
#define ROUTED_BY(START, NEXT, TAKE) .start = START, .next = NEXT, .take = TAKE
#define ROUTING_DIMENSION_ORDER(START, NEXT, TAKE) \
	{ \
		.name = "dimension_order", .doc = "first x, then y, …", ROUTED_BY(START, NEXT, TAKE), .minimal = true, \
		.legs = 1 \
	}
#define ROUTING_ADAPTIVE(text, START, NEXT, TAKE) \
	{ \
		.name = "adaptive", .doc = text, ROUTED_BY(START, NEXT, TAKE), .choice = true, .minimal = true, \
		.legs = 1, .adaptive = 1 \
	}
#define ROUTING_VALIANT(START, NEXT, TAKE, CHOICES, CHOOSE) \
	{ \
		.name = "valiant", .doc = "via a random node", ROUTED_BY(START, NEXT, TAKE), .choices = CHOICES, \
		.choose = CHOOSE, .random = true, .legs = 2 \
	}
#define ROUTING_UGAL(text, START, NEXT, TAKE) \
	{ \
		.name = "ugal", .doc = text, ROUTED_BY(START, NEXT, TAKE), .choice = true, .random = true, .legs = 2 \
	}

/* Returns the step to node r->dst from its router: that of NIC 0, which stands for all of them. */
static inline struct route_step route_eject(const struct topology *t, const struct route *r)
{
	return (struct route_step){.link = t->eject[r->dst * t->nics], .hops = 1, .escape = true};
}

/*
 * Writes the links of the path of `r`, which starts at node `src`, with the first choice everywhere. Returns their
 * number, or 0 if there are more than `max`.
 */
unsigned route_walk(const struct topology *t, uint32_t src, struct route *r, uint32_t *links, unsigned max);

enum { KIND_ROUTINGS_MAX = 10 };

struct topology_kind {
	const char *name, *doc; /* the name is that of the row of TOPOLOGY_KINDS */
	enum topology_shape shape;
	bool lines;        /* routers are a grid, of all dimensions but the first: drawn so */
	unsigned diameter; /* of each network of the kind, in links between routers; 0: routes_make searches it */
	struct topology_routing routing[KIND_ROUTINGS_MAX]; /* the first is the default; then a name of NULL */
	/* Returns how many values the lists of bandwidth and cable may have. Called after check(). */
	unsigned (*levels)(const struct plan *p);
	/* Checks the kind's own rules: 0, or plan_fail(). */
	int (*check)(struct plan *p);
	/*
	 * Sets the numbers of vertices, adds classes and links, fills private_data, dims and vcs.
	 * 0, or -1 with `e` when memory is short; destroy() frees a partial result.
	 */
	int (*build)(const struct plan *p, struct topology *t, struct graph *g, struct err *e);
	/* Called when all links are numbered, may fill private_data; NULL: nothing to do. 0, or -1 with `e`. */
	int (*ready)(struct topology *t, struct err *e);
	void (*destroy)(void *private_data); /* NULL if private_data needs none */
	unsigned (*distance)(const struct topology *t, uint32_t src, uint32_t dst);
	/*
	 * Returns the bandwidth across the narrowest bisection of those that the kind computes, bytes a second one way:
	 * of grids, HyperX and express cubes staircases. NULL, or 0: unknown.
	 */
	double (*bisection)(const struct topology *t);
};

/* The kinds, and their names from the rows: topology_mesh_name is "mesh". */
#define TOPOLOGY_KIND_DECLARED(kind, name) \
	extern const struct topology_kind kind; \
	extern const char kind##_name[];
TOPOLOGY_KINDS(TOPOLOGY_KIND_DECLARED)
#undef TOPOLOGY_KIND_DECLARED

/*
 * Returns the maximum flow from the lower half of the nodes to the upper half, bytes a second, over links that are
 * not down (NULL: all). 0: memory is short, or there is none. At least TOPOLOGY_NO_LIMIT: fat pipes join the halves.
 */
#define TOPOLOGY_NO_LIMIT 1e18
double topology_flow_between_halves(const struct topology *t, const struct topology_down *down);

/*
 * Networks of lines: `dims` dimensions of `size` vertices. `cut` returns what the links of a line of dimension `d`
 * carry from one half of it to the other, one way.
 */
struct staircase {
	unsigned dims; /* at most 32 */
	const uint32_t *size;
	double (*cut)(const struct topology *t, unsigned d);
};

/*
 * Returns the bandwidth across the least staircase that halves the `routers` of `t`, bytes a second one way. A cut
 * across an even dimension halves them. One across an odd dimension leaves the middle layer, which a cut across another
 * dimension halves in turn. The least over the orders of dimensions is the bisection of meshes and tori (J. Aroca, A.
 * Fernandez Anta, IEEE TPDS 25(1), 2014); of others an upper bound.
 */
double topology_staircase(const struct topology *t, const struct staircase *s, double routers);

/* Routings over any graph in place of those of a kind: no kind of networks. */
extern const struct topology_kind topology_over_graph;

/* Returns the `*count` kinds, in the order of the parameter's choices. */
const struct topology_kind *const *topology_kinds(unsigned *count);

#endif
