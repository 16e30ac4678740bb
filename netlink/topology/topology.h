/*
 * Topologies: which links there are and which way a packet takes.
 *
 * Vertices are numbered: 0 … nodes-1 are the nodes (what injects and ejects),
 * then come the routers. Links are directed; every node has `nics` links to
 * its router and as many back, so a NIC is a link like others. A link belongs
 * to a class ("+x", "up1", "inject" …): what reports sum over.
 *
 * A routing is a function of the router, the packet's destination and a few
 * bytes of state that the packet carries; it never looks at the engine. Where
 * it leaves a choice (adaptive, UGAL) it returns several steps and the engine
 * takes one by what it sees of queues and credits.
 *
 * A topology is constant after its creation and may be shared by threads.
 * Sources: W. Dally, B. Towles, "Principles and Practices of Interconnection
 * Networks" (2004) for the routings; each kind's file names its own.
 */
#ifndef PSIM_NETLINK_TOPOLOGY_H
#define PSIM_NETLINK_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "topology_config.h"

enum {
	TOPOLOGY_NAME_MAX = 16,
	ROUTE_STEPS_MAX = 16, /* ways that a routing may leave open at a router */
	ROUTE_STATE_BYTES = 16,
	LINK_NONE = 0x7fffffff,
};

struct topology_class {
	char name[TOPOLOGY_NAME_MAX];
	double bytes_per_s;
	int64_t cable_ps; /* time of flight */
	uint32_t links;   /* how many there are */
};

struct topology_link {
	uint32_t from, to; /* vertices */
	uint16_t class;
	uint16_t out_port, in_port; /* at `from` and at `to`: their order is the fixed port order */
};

struct topology_kind;    /* kind.h: one row a kind of network */
struct topology_routing; /* kind.h too: one row a routing of a kind */
struct report;

struct topology {
	const struct topology_kind *kind;
	const struct topology_routing *routing;
	uint32_t nodes, routers, links, nics;
	unsigned classes;
	unsigned vcs;    /* virtual channels that this routing uses: 0 … vcs-1 */
	bool random;     /* ways depend on the key */
	bool fixed_ways; /* one way between any two nodes, whatever the key: next() offers one step */
	const struct topology_link *link;
	const struct topology_class *class;
	/* links[out_first[v] … out_first[v+1]-1] of `out_link` leave vertex v; in_* end there */
	const uint32_t *out_first, *out_link, *in_first, *in_link;
	const uint32_t *inject, *eject; /* [node * nics + nic]: link to and from the router */
	unsigned dimensions;            /* of node coordinates, for mapping and pictures */
	const uint32_t *dims;
	void *private_data; /* the kind's */
};

/* What a packet carries of its way. Copied freely; no pointers. */
struct route {
	uint32_t dst;                     /* node */
	uint8_t state[ROUTE_STATE_BYTES]; /* the routing's own */
};

/* Which packets make the queue by which a way is chosen: of those that wait for the link, and of those beyond it. */
enum route_counts {
	COUNTS_LINK,    /* all; those of the step's VC */
	COUNTS_ALL_VCS, /* all; all */
	COUNTS_VC,      /* those of the step's VC; the same */
};

/* One way on from a router. */
struct route_step {
	uint32_t link;
	uint16_t vc;
	uint16_t hops;  /* links still to go by this way, this one included */
	bool escape;    /* false: a way that may be taken, but not waited for alone (adaptive VCs, J. Duato) */
	uint32_t sees;  /* 0, or 1 + the link whose queue the choice is by, if not that of `link` */
	uint8_t counts; /* enum route_counts */
};

/*
 * Makes the network that `cfg` describes. NULL and `e` (STATUS_USAGE, with the
 * legal values) if there is no such kind or routing or the sizes do not fit;
 * STATUS_FAILED if memory is short. Free with topology_destroy.
 */
struct topology *topology_create(const struct topology_config *cfg, struct err *e);
void topology_destroy(struct topology *t); /* NULL is allowed */

/*
 * Begins the way of a packet from node `src` to `dst`. `key` decides what is
 * random (up-links of a fat tree, Valiant's intermediate node): the same key,
 * the same way.
 */
void topology_route_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);

/*
 * Ways on for a packet that stands in `router` (a vertex), having come over
 * `in_link` on virtual channel `in_vc`: at least one, at most ROUTE_STEPS_MAX; the
 * first is the one to take if there is nothing to choose by. An ejection link
 * leads to the node; all NICs of the destination are offered as one: the step
 * names the link of NIC 0 and the engine takes the one it wants.
 */
unsigned topology_route_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step steps[ROUTE_STEPS_MAX]);

/* Notes in `r` that the packet takes `step`, one of those that next gave, from `router`. */
void topology_route_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);

/*
 * The links of the way that has the first choice everywhere, injection (NIC 0)
 * and ejection included. Returns their number, or 0 if there are more than `max`.
 */
unsigned topology_path(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, uint32_t *links,
		       unsigned max);

/*
 * Links between routers on the shortest way between two nodes; 0 within a router. (Of a
 * dragonfly: on the shortest with at most one global link.)
 */
unsigned topology_distance(const struct topology *t, uint32_t src, uint32_t dst);

/* Coordinates of a node, first dimension fastest, and back. */
void topology_coordinates(const struct topology *t, uint32_t node, uint32_t *coordinates);
uint32_t topology_node_at(const struct topology *t, const uint32_t *coordinates);

/*
 * Is the routing free of deadlock with `vcs` virtual channels? Follows every
 * way of every pair of nodes (and of a set of keys, where ways are random) and
 * looks for a cycle among (link, vc) dependences; of an adaptive routing among
 * those of its escape ways (J. Duato, IEEE TPDS 4(12), 1993). 0, or -1 and `e` with
 * the cycle. Meant for small networks: time grows with the square of the nodes.
 */
int topology_check_deadlock(const struct topology *t, struct err *e);

/*
 * Adds the group "topology": kind, routing, nodes, routers, a table of classes,
 * diameter and mean distance over all pairs (itself included) in links between
 * routers, bisection where it is known, and of small networks what
 * topology_check_deadlock says. Of more than 4096 nodes the distances are those from
 * 64 sources spread over the network.
 */
void topology_report(const struct topology *t, struct report *r);

#endif
