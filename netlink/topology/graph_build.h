/*
 * A network from a file, under construction: vertices and classes by their names, edges, each once. The readers of
 * the formats fill it; messages have the line of `lines`.
 */
#ifndef PSIM_NETLINK_GRAPH_BUILD_H
#define PSIM_NETLINK_GRAPH_BUILD_H

#include "../../psim/base/lines.h"
#include "../../psim/base/vec.h"
#include "graph_file.h"
#include "name_table.h"

enum { GRAPH_HOSTS_MAX = 60000 };

struct graph_vertex {
	uint32_t name; /* in the table */
	uint32_t hosts;
	uint32_t hosts_line; /* 0: not given */
	bool declared;       /* GraphML: by a <node> */
};
struct graph_class_name {
	char text[TOPOLOGY_NAME_MAX];
};

struct graph_reader {
	struct lines lines;
	uint32_t hosts; /* of a vertex of which the file says nothing */
	struct vec_of(struct graph_vertex) vertices;
	struct vec_of(struct graph_edge) edges;
	struct vec_of(struct graph_class_name) classes;
	struct name_table names;
	uint32_t *pair; /* hash table of edges by their ends: number + 1 */
	size_t pairs;   /* a power of two */
};

/* Returns the vertex of that name, or NAME_NONE if there is none. */
uint32_t graph_find_vertex(const struct graph_reader *r, const char *name);

/* Returns the vertex of that name, new or known; NAME_NONE with the error. */
uint32_t graph_vertex_of(struct graph_reader *r, const char *name);

/* Adds an edge with links of these classes there and back; vertices and classes may be new. 0, or -1 with the error. */
int graph_add_edge(struct graph_reader *r, const char *from, const char *to, const char *class, const char *back);

/* Gives a vertex its number of nodes, a text. 0, or -1 with the error. */
int graph_set_hosts(struct graph_reader *r, const char *name, const char *count);

/* Checks the whole and moves it to `f`. 0, or -1 with `e`. */
int graph_build_finish(struct graph_reader *r, struct graph_file *f, struct err *e);
void graph_build_drop(struct graph_reader *r);

/* Reads GraphML, from the beginning of r->lines.in on. 0, or -1 with the error. */
int graph_ml_read(struct graph_reader *r);

#endif
