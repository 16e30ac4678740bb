/*
 * Links of a network under construction, and the arrays of struct topology made from them. Links
 * are numbered in the order in which they are added.
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
 * Adds a class of links; returns its number, or -1 with `e`. `format` makes the name, which is cut
 * at TOPOLOGY_NAME_MAX - 1 letters.
 */
__attribute__((format(printf, 5, 6))) int graph_class(struct graph *g, double bytes_per_s, int64_t cable_ps,
						      struct err *e, const char *format, ...);

/*
 * Adds a link. out_port and in_port decide the order of the ports at its two ends (the link's
 * number decides among equals); graph_finish numbers the ports from 0 without gaps. from, to,
 * class, out_port and in_port have the meaning of the result. 0, or -1 with `e`.
 */
int graph_link(struct graph *g, struct topology_link link, struct err *e);

/*
 * The links between NICs and routers: node n is at router n / per_router. Classes "inject" and
 * "eject"; their ports follow all others.
 */
struct graph_nics {
	uint32_t per_router;
	const uint32_t *home; /* [node]: its router, from 0, if not NULL */
	double bytes_per_s;
	int64_t cable_ps;
};
int graph_add_nics(struct graph *g, const struct topology *t, const struct graph_nics *n, struct err *e);

/*
 * Limits links that leave a router to the bandwidth of its output port; 0: no limit. Call after all
 * links are added; t->nodes must be set.
 */
void graph_limit_ports(struct graph *g, const struct topology *t, double bytes_per_s);

/*
 * Makes t's link, class, out_*, in_*, inject and eject; t->nodes, routers and nics must be set. 0,
 * or -1 with `e`. Empties the graph.
 */
int graph_finish(struct graph *g, struct topology *t, struct err *e);

void graph_drop(struct graph *g); /* frees the graph of a failed build */

#endif
