/*
 * A network from a file (docs/formats/graph-format.md): a list of edges, "VERTEX VERTEX [CLASS [CLASS-BACK]]" a line,
 * or GraphML.
 */
#ifndef PSIM_NETLINK_GRAPH_FILE_H
#define PSIM_NETLINK_GRAPH_FILE_H

#include "topology.h"

enum { GRAPH_ROUTERS_MAX = 1 << 17 };

struct graph_edge {
	uint32_t from, to; /* vertices; links lead both ways */
	uint32_t line;
	uint16_t class, back; /* of the link from `from` to `to`; of that back */
};

struct graph_file {
	uint32_t vertices, edges, nodes;
	unsigned classes;
	struct graph_edge *edge; /* in the order of the file */
	uint32_t *hosts;         /* [vertex]: its nodes */
	char (*class)[TOPOLOGY_NAME_MAX];
	char *names;     /* of vertices, one behind the other */
	size_t *name_at; /* [vertex]: the place of its name */
};

/*
 * Reads a graph whose vertices have `hosts` nodes each unless the file says otherwise. Vertices with numbers for names
 * are in the order of these, others in that of the file. 0, or -1 with `e`: STATUS_BAD_INPUT with file and line, or
 * STATUS_FAILED. Free with graph_file_finish.
 */
int graph_file_read(struct graph_file *f, const char *path, uint32_t hosts, struct err *e);
void graph_file_finish(struct graph_file *f);

/* Returns the kind of network that reads a file: "platform" if it is one of SimGrid, otherwise "graph". */
const char *graph_file_kind(const char *path);

#endif
