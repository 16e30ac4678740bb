/*
 * Links while a network is being built, and the arrays of struct topology made
 * from them. Links are numbered in the order in which they are added.
 */
#ifndef PSIM_NETLINK_GRAPH_H
#define PSIM_NETLINK_GRAPH_H

#include "../../psim/base/vec.h"
#include "topology.h"

struct graph {
	struct vec_of(struct topology_link) link;
	struct vec_of(struct topology_class) class;
};

/*
 * A class of links; returns its number, or -1 with `e`. `format` makes the name,
 * which is cut at TOPOLOGY_NAME_MAX - 1 letters.
 */
__attribute__((format(printf, 5, 6))) int graph_class(struct graph *g, double bytes_per_s, int64_t cable_ps,
						      struct err *e, const char *format, ...);

/*
 * A link. out_port and in_port decide the order of the ports at its two ends (of
 * equal ones the number of the link does); ports are numbered from 0 without gaps
 * once all links are there. from, to, class, out_port and in_port as in the result.
 * 0, or -1 with `e`.
 */
int graph_link(struct graph *g, struct topology_link link, struct err *e);

/*
 * The links between NICs and routers: node n is at router n / per_router. Classes
 * "inject" and "eject"; ports come behind all others.
 */
struct graph_nics {
	uint32_t per_router;
	double bytes_per_s;
	int64_t cable_ps;
};
int graph_add_nics(struct graph *g, const struct topology *t, const struct graph_nics *n, struct err *e);

/*
 * Links that leave a router take no more than an output port of it gives: bytes/s, 0: whatever they are made for. After
 * all links are there; t->nodes must be set.
 */
void graph_limit_ports(struct graph *g, const struct topology *t, double bytes_per_s);

/*
 * Makes t's link, class, out_*, in_*, inject and eject; t->nodes, routers and
 * nics must be set. 0, or -1 with `e`. The graph is empty afterwards.
 */
int graph_finish(struct graph *g, struct topology *t, struct err *e);

void graph_drop(struct graph *g); /* what a failed build leaves */

#endif
