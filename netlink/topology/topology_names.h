/*
 * Names of nodes, routers and links, as a network's file has them; numbers where it has none. Reports, logs and
 * messages take them from here, so that a named network is never shown by numbers alone. topology.down reads the same.
 */
#ifndef PSIM_NETLINK_TOPOLOGY_NAMES_H
#define PSIM_NETLINK_TOPOLOGY_NAMES_H

#include "topology.h"

struct report;

enum { VERTEX_NAME_MAX = ROUTER_NAME_MAX + 5, LINK_NAME_MAX = 2 * VERTEX_NAME_MAX };

/* Returns whether nodes have names. */
bool topology_has_node_names(const struct topology *t);
/* Finds the node of that name; false: there is none. */
bool topology_node_named(const struct topology *t, const char *name, uint32_t *ret_node);

/* Writes the name of a node, or its number, to `text`; returns `text`, as all of these do. */
const char *topology_node_name(const struct topology *t, uint32_t node, char text[ROUTER_NAME_MAX]);
/* Writes "node:NAME", or a router's name. */
const char *topology_vertex_name(const struct topology *t, uint32_t vertex, char text[VERTEX_NAME_MAX]);
/* Writes the name of a link: its own, or "A-B" of its ends. */
const char *topology_link_name(const struct topology *t, uint32_t link, char text[LINK_NAME_MAX]);
/* The same, of a link of a backbone, which all links of its class are, the class. */
const char *topology_medium_name(const struct topology *t, uint32_t link, char text[LINK_NAME_MAX]);

/* Cells of tables. Without names a node is its number, and a vertex its own: nodes, then routers. */
void report_cell_node(struct report *r, const struct topology *t, uint32_t node);
void report_cell_vertex(struct report *r, const struct topology *t, uint32_t vertex);
void report_cell_link(struct report *r, const struct topology *t, uint32_t link);

/* Makes `names` of `count` texts, which `name` gives for their numbers. 0, or -1 with `e`: memory is short. */
int topology_names_make(struct topology_names *names, uint32_t count,
			const char *(*name)(const void *from, uint32_t number, char text[ROUTER_NAME_MAX]),
			const void *from, struct err *e);
void topology_names_finish(struct topology_names *names);

#endif
