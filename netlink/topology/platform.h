/*
 * A platform of SimGrid (docs/formats/simgrid-platform.md): zones of hosts, links as resources, and routes, lists of
 * links. A route is found as SimGrid finds it: within the innermost zone that has both ends, and on both sides from the
 * ends to that zone's gateways (H. Casanova et al., "Versatile, scalable, and accurate simulation of distributed
 * applications and platforms", JPDC 74(10), 2014).
 */
#ifndef PSIM_NETLINK_PLATFORM_H
#define PSIM_NETLINK_PLATFORM_H

#include <stdbool.h>

#include "../../psim/base/lines.h"
#include "../../psim/base/vec.h"
#include "name_table.h"

enum {
	PLATFORM_HOSTS_MAX = 4096, /* all pairs are checked */
	PLATFORM_LINKS_MAX = 1 << 20,
	PLATFORM_DEPTH_MAX = 32,
	PLATFORM_LEVELS_MAX = 8, /* of a cluster's shape */
	PLATFORM_MEMBERS_MAX = 4096,
	PLATFORM_SHORTEST_MAX = 1024, /* members of a zone that routes by searches */
	PLATFORM_ROUTE_MAX = 4096,    /* links of a route */
};

/* How a zone routes between its members. */
enum platform_routing {
	PLATFORM_FULL,     /* a route for each pair */
	PLATFORM_SHORTEST, /* routes of neighbours: the way of the fewest links. Floyd, Dijkstra */
	PLATFORM_STAR,     /* hosts at a router, over an optional backbone. Cluster */
	PLATFORM_TORUS,
	PLATFORM_FAT_TREE,
	PLATFORM_DRAGONFLY,
	PLATFORM_NOTHING, /* None, or one member */
};

/* How messages share a link. */
enum platform_policy { POLICY_SHARED, POLICY_FATPIPE, POLICY_SPLITDUPLEX };

struct platform_link {
	double bytes_per_s;
	int64_t latency_ps;
	bool fat;
};

/* A host, a router or a zone; its number is that of its name. */
struct platform_point {
	uint32_t zone;                   /* that it is a member of; NAME_NONE: the outermost */
	uint32_t inner;                  /* the zone that it is; NAME_NONE: it is a host or a router */
	uint32_t rank;                   /* among its zone's members */
	uint32_t node;                   /* hosts: from 0; else NAME_NONE */
	uint32_t up, down, limiter, out; /* STAR: links; NAME_NONE: none. `out`: the backbone behind `up` */
};

struct platform_zone {
	enum platform_routing routing;
	uint32_t point;                      /* its own */
	uint32_t depth;                      /* 0: the outermost */
	uint32_t backbone;                   /* STAR; NAME_NONE: none */
	struct vec_of(uint32_t) members;     /* points, by rank */
	unsigned levels;                     /* clusters: dimensions; levels of a tree; 4 of a dragonfly */
	uint32_t size[PLATFORM_LEVELS_MAX];  /* nodes; children; groups, chassis, blades, nodes of a blade */
	uint32_t up[PLATFORM_LEVELS_MAX];    /* tree: parents */
	uint32_t count[PLATFORM_LEVELS_MAX]; /* tree, dragonfly: parallel links */
	uint32_t first[PLATFORM_LEVELS_MAX]; /* links of each level */
	uint32_t each;                       /* links of an edge: 2 if they are split */
	uint32_t *before;                    /* SHORTEST: [from][to], ranks: the member before `to` on its way */
	uint32_t tree_nodes;                 /* nodes of the trees before this one, which count for its routes */
};

struct platform_route {
	uint32_t from, to;       /* members of a zone */
	uint32_t gw_from, gw_to; /* points in them: themselves, unless they are zones */
	uint32_t first, count;   /* in `listed` */
};

struct platform {
	struct name_table points_by_name, links_by_name;
	struct vec_of(struct platform_point) points;
	struct vec_of(struct platform_zone) zones;
	struct vec_of(struct platform_link) links;
	struct vec_of(struct platform_route) routes;
	struct vec_of(uint32_t) listed; /* links of routes */
	uint32_t *pair;                 /* hash table of routes by their ends: number + 1 */
	size_t pairs;                   /* a power of two */
	uint32_t nodes, tree_nodes;
};

/* A list of links under construction. */
struct platform_path {
	uint32_t link[PLATFORM_ROUTE_MAX];
	uint32_t count;
};

/* Reads a platform. 0, or -1 with `e`: STATUS_BAD_INPUT with file and line. Free with platform_finish. */
int platform_read(struct platform *p, const char *path, struct err *e);
void platform_finish(struct platform *p);

/* Searches ways in zones that need it. 0, or -1 with `e`. Called by platform_read. */
int platform_prepare(struct platform *p, const char *file, struct err *e);

/* Adds a link of that name: one, or two, NAME_UP and NAME_DOWN, numbered in a row. NAME_NONE with the error. */
uint32_t platform_add_link(struct platform *p, const struct lines *lines, const char *name, struct platform_link link,
			   enum platform_policy policy);

/* Returns the route between two members of a zone, or NULL. */
const struct platform_route *platform_find_route(const struct platform *p, uint32_t from, uint32_t to);

/* Adds a route that is not there. 0, or -1 with `e`. */
int platform_add_route(struct platform *p, const struct platform_route *route, struct err *e);

/*
 * Makes the links of a cluster, whose members are there, of the shape that `parameters` gives. 0, or -1 with the
 * error.
 */
int platform_shape_cluster(struct platform *p, const struct lines *lines, struct platform_zone *zone,
			   const char *parameters, struct platform_link link, enum platform_policy policy);

/* Adds the links between two hosts of a cluster. 0, or -1 with `e`: it becomes too long. */
int platform_cluster_route(const struct platform *p, const struct platform_zone *zone, uint32_t from, uint32_t to,
			   struct platform_path *path, struct err *e);

/* Adds a link to a path. 0, or -1 with `e`: it becomes too long. */
int platform_step(struct platform_path *path, uint32_t link, struct err *e);

/* Writes the links between two points. 0, or -1 with `e`: there is no route, or it is too long. */
int platform_find_path(const struct platform *p, uint32_t from, uint32_t to, struct platform_path *path, struct err *e);

/* Values with SimGrid's units. 0, or -1 with the error. */
int platform_rate(const struct lines *lines, const char *name, const char *text, double *bytes_per_s);
int platform_time(const struct lines *lines, const char *name, const char *text, int64_t *ps);

#endif
