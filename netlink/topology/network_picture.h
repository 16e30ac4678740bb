/* A network as a picture: its routers and the links between them. */
#ifndef PSIM_NETLINK_NETWORK_PICTURE_H
#define PSIM_NETLINK_NETWORK_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "topology.h"

enum { NETWORK_PICTURE_MAX = 1000 }; /* routers */

/* The places of routers, in a square from 0 to NETWORK_MAP_SIDE, and the lines between neighbours. */
enum { NETWORK_MAP_SIDE = 1000 };
struct network_map {
	uint32_t routers, lines;
	double *x, *y;       /* [router] */
	uint32_t (*ends)[2]; /* [line]: routers, the lower one first */
	double *bend;        /* [line]: 0, or the share of its length by which it is bent beside routers */
	uint32_t *line;      /* [link]: its line; UINT32_MAX: a NIC's */
};

/* Returns whether the network can be drawn. */
bool network_map_fits(const struct topology *t);
/* NULL with `e` if memory is short. */
struct network_map *network_map_create(const struct topology *t, struct err *e);
void network_map_destroy(struct network_map *m); /* NULL is allowed */

/* Checks that a picture has room for the routers. 0, or -1 with `e` (STATUS_USAGE). */
int network_picture_check(const struct topology *t, struct err *e);

/*
 * Draws `t` as SVG: meshes and tori as grids, fat trees by levels, other networks by forces between routers
 * (T. Fruchterman, E. Reingold, "Graph drawing by force-directed placement", 1991). `bytes[link]`, carried in a run,
 * colours the links by the time that they take at a link's bandwidth; NULL: classes colour them. Several links between
 * two routers are one line, of the one most used. 0, or -1 with `e`: too many routers, or memory is short.
 */
int network_picture(const struct topology *t, const double *bytes, FILE *out, struct err *e);

#endif
