/*
 * Topologies: the links of a network, and the paths of packets.
 *
 * Vertices are numbered: 0 … nodes-1 are the nodes (which inject and eject), followed by the
 * routers. Links are directed. Every node has `nics` links to its router and as many back, so a NIC
 * is a link like others. A link belongs to a class ("+x", "up1", "inject" …), over which reports
 * sum.
 *
 * A routing is a function of the router, the packet's destination and a few bytes of state that the
 * packet carries; it is independent of the engine. Where it leaves a choice (adaptive, UGAL) it
 * returns several steps, and the engine selects one by its queues and credits.
 *
 * A topology says the same after its creation and may be shared by threads: tables that routings
 * of graphs fill at their first use (routes.c) have a lock. Source of the routings:
 * W. Dally, B. Towles, "Principles and Practices of Interconnection Networks" (2004); each kind's
 * file names its own.
 */
#ifndef PSIM_NETLINK_TOPOLOGY_H
#define PSIM_NETLINK_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"
#include "topology_config.h"

enum {
	ROUTE_STEPS_MAX = 16, /* steps that a routing may offer at a router */
	ROUTE_STATE_BYTES = 16,
	LINK_NONE = 0x7fffffff,
};

#define TOPOLOGY_NIC_UNLIMITED 1e15 /* bytes/s of NICs that a platform does not describe */

struct topology_class {
	char name[TOPOLOGY_NAME_MAX];
	double bytes_per_s;
	int64_t cable_ps; /* time of flight */
	double pj_per_bit;
	uint32_t links;             /* number of links */
	bool fat;                   /* messages do not share a link: each has its bandwidth (flow engine) */
	bool half_duplex, backbone; /* a link and that back, or all links, share one bandwidth (flow engine) */
};

struct topology_link {
	uint32_t from, to; /* vertices */
	uint16_t class;
	uint16_t out_port, in_port; /* at `from` and at `to`; they order the links of a vertex */
};

/* Names by number. */
struct topology_names {
	const char *text; /* one behind the other; NULL: there are none */
	const size_t *at; /* [number]: the place of its name */
};

/* Regular networks that placement libraries know by their sizes alone: struct topology's `dims`. */
enum topology_shape { SHAPE_OTHER, SHAPE_MESH, SHAPE_TORUS, SHAPE_HYPERCUBE, SHAPE_TREE };

struct topology_kind;    /* kind.h: one row a kind of network */
struct topology_routing; /* kind.h: one row a routing of a kind */
struct topology_down;    /* down.h: what is down */
struct report;

struct topology {
	const struct topology_kind *kind; /* whose routing it is */
	const struct topology_kind *made; /* the configured one if that is another; else NULL */
	const struct topology_routing *routing;
	uint32_t nodes, routers, links, nics;
	unsigned classes;
	unsigned vcs;      /* virtual channels that this routing uses: 0 … vcs-1 */
	bool random;       /* paths depend on the key */
	bool fixed_routes; /* one path between any two nodes, whatever the key: next() offers one step */
	bool proven;       /* whoever made it has proven that it is free of deadlock */
	const struct topology_link *link;
	const struct topology_class *class;
	/* links[out_first[v] … out_first[v+1]-1] of `out_link` leave vertex v; in_* enter it */
	const uint32_t *out_first, *out_link, *in_first, *in_link;
	const uint32_t *inject, *eject; /* [node * nics + nic]: link to and from the router */
	unsigned dimensions;            /* of node coordinates, for mapping and pictures */
	const uint32_t *dims;
	const struct topology_down *down;                           /* NULL: nothing is */
	double closed_bisection;                                    /* of `made`, with all links, bytes/s; 0: unknown */
	struct topology_names router_names, node_names, link_names; /* topology_names.h */
	uint32_t named_links;                                       /* the first links of all have names of their own */
	bool borrows;                                               /* arrays are those of another topology (down.h) */
	void *private_data;                                         /* the kind's */
};

/* Routing state of a packet. May be copied; holds no pointers. */
struct route {
	uint32_t dst;                     /* node */
	uint8_t state[ROUTE_STATE_BYTES]; /* the routing's own */
};

/* The packets that count as the queue of a step: among those that wait for the link; among those beyond it. */
enum route_counts {
	COUNTS_LINK,    /* all; those of the step's VC */
	COUNTS_ALL_VCS, /* all; all */
	COUNTS_VC,      /* those of the step's VC; the same */
};

/* One step from a router. */
struct route_step {
	uint32_t link;
	uint16_t vc;
	uint16_t hops;  /* links to go on this path, this one included */
	bool escape;    /* false: a packet must not wait for this step alone (adaptive VCs, J. Duato) */
	uint32_t sees;  /* 0, or 1 + the link whose queue decides, if not that of `link` */
	uint8_t counts; /* enum route_counts */
};

/*
 * Makes the network that `cfg` describes. NULL and `e`: STATUS_USAGE, with the legal values, if the
 * kind or routing is unknown or the sizes are illegal; STATUS_BAD_INPUT for a mistake in its file, with
 * the line; STATUS_FAILED if memory is short. Free with topology_destroy.
 */
struct topology *topology_create(const struct topology_config *cfg, struct err *e);
void topology_destroy(struct topology *t); /* NULL is allowed */

/*
 * Starts the path of a packet from node `src` to `dst`. `key` seeds random decisions (up-links of a
 * fat tree, Valiant's intermediate node): the same key gives the same path.
 */
void topology_route_start(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r);

/*
 * Offers steps for a packet in `router` (a vertex) that arrived over `in_link` on virtual channel
 * `in_vc`: at least one, at most ROUTE_STEPS_MAX. The first is the default choice. An ejection link
 * leads to the node; the step names the link of NIC 0 for all NICs of the destination, and the
 * engine selects one of them.
 */
unsigned topology_route_next(const struct topology *t, uint32_t router, uint32_t in_link, unsigned in_vc,
			     const struct route *r, struct route_step steps[ROUTE_STEPS_MAX]);

/* Updates `r` for a packet that takes `step`, one of those that next offered, from `router`. */
void topology_route_take(const struct topology *t, uint32_t router, const struct route_step *step, struct route *r);

/*
 * Writes the links of the path that takes the first choice everywhere, injection (NIC 0) and
 * ejection included. Returns their number, or 0 if there are more than `max`.
 */
unsigned topology_path(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, uint32_t *links,
		       unsigned max);

/*
 * Returns how many paths a random routing draws from between two nodes, equally likely (some may be the same): the
 * numbers for topology_choose. 0: unknown.
 */
uint32_t topology_choices(const struct topology *t);

/* topology_path by the number of the random choice, below topology_choices. */
unsigned topology_choose(const struct topology *t, uint32_t src, uint32_t dst, uint32_t choice, uint32_t *links,
			 unsigned max);

/*
 * Writes the only path between two nodes, of a topology with fixed_routes: a word link << vc_bits | virtual channel for
 * each link behind `inject`, one of the source's, up to the ejection link of NIC 0. Returns their number, or 0 if there
 * are more than `max`.
 */
unsigned topology_fixed_route(const struct topology *t, uint32_t inject, uint32_t src, uint32_t dst, unsigned vc_bits,
			      uint32_t *words, unsigned max);

/*
 * Returns the number of links between routers on the shortest path between two nodes; 0 within a
 * router. (Dragonfly: the shortest with at most one global link.) It is the same both ways.
 */
unsigned topology_distance(const struct topology *t, uint32_t src, uint32_t dst);

/*
 * Returns whether a way leads from vertex `from` to vertex `to`: none does to or from what is down, or round so many
 * links that are down that the network has several parts. A path may be started only where this is true.
 */
bool topology_reaches(const struct topology *t, uint32_t from, uint32_t to);

/* Returns whether the routing goes round links that are down. */
bool topology_goes_round(const struct topology *t);

/*
 * For networks that change: a packet in `router`, on its way from node `src` to `dst`, starts again there. `key`: as of
 * topology_route_start.
 */
void topology_route_restart(const struct topology *t, uint32_t router, uint32_t src, uint32_t dst, uint64_t key,
			    struct route *r);

/*
 * Returns whether a packet in `router` that has begun its path before `t` changed can go on as if nothing had:
 * channels of old and new paths then form no cycle. It must not hold a link that is down.
 */
bool topology_route_continues(const struct topology *t, uint32_t router, const struct route *r);

/* topology_fixed_route behind a restart in `router`. */
unsigned topology_fixed_route_from(const struct topology *t, uint32_t router, uint32_t src, uint32_t dst,
				   unsigned vc_bits, uint32_t *words, unsigned max);

/* Writes the name of a router (a vertex), its number if it has none, to `text`; returns `text`. */
enum { ROUTER_NAME_MAX = 64 };
const char *topology_router_name(const struct topology *t, uint32_t router, char text[ROUTER_NAME_MAX]);

/* Returns the name of the kind, as in topology.kind ("described" for a network description). */
const char *topology_name(const struct topology *t);

enum topology_shape topology_shape(const struct topology *t);

/* Convert a node to its coordinates, first dimension fastest, and back. */
void topology_coordinates(const struct topology *t, uint32_t node, uint32_t *coordinates);
uint32_t topology_node_at(const struct topology *t, const uint32_t *coordinates);

/*
 * Checks that the routing is free of deadlock with `vcs` virtual channels. Follows every path of
 * every pair of nodes (for a set of keys, where paths are random) and searches the (link, vc)
 * dependences for a cycle; for an adaptive routing those of its escape channels (J. Duato, IEEE
 * TPDS 4(12), 1993). 0, or -1 and `e` with the cycle. For small networks: time grows with the
 * square of the nodes.
 */
int topology_check_deadlock(const struct topology *t, struct err *e);

/*
 * Adds the group "topology": kind, routing, nodes, routers, a table of classes, diameter and mean
 * distance over all pairs (a node and itself included) in links between routers, bisection where it
 * is known, and for small networks the result of topology_check_deadlock. Above 4096 nodes the
 * distances are those from 64 sources spread over the network.
 */
void topology_report(const struct topology *t, struct report *r);

#endif
