/*
 * A wormhole network as its description defines it: nodes and switches with input and output
 * channels, one link from each output to its input, and for each kind of resource a routing
 * function.
 *
 * The C code that `inspire` writes from an NDL file fills it (the functions below, with the line of
 * each statement for messages). network_finish checks it as a whole; from then on it is constant.
 *
 * Source: Harada et al., "INSPIRE: a network performance evaluation simulator generation system",
 * section 3 (NDL).
 */
#ifndef PSIM_NETLINK_WORMHOLE_NETWORK_H
#define PSIM_NETLINK_WORMHOLE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../psim/base/err.h"

enum {
	NETWORK_DIMS_MAX = 8,
	NETWORK_VCS_MAX = 64,
	NETWORK_MESSAGE_ERRORS = 20,
	NETWORK_CLOCKS_MAX = 200, /* of a link */
};
#define NETWORK_NONE UINT32_MAX

struct routing_view; /* routing.h: the arguments of a routing function */

/* Results of a routing function other than output and virtual channel. */
enum { ROUTE_RETRY = -1, ROUTE_END = -2 };
struct routing_choice {
	int32_t port; /* output, or ROUTE_RETRY, or ROUTE_END: it ended without a decision */
	int32_t vc;
	bool escape; /* `escape` of NDL: a channel that a head may wait for (wormhole_check.h) */
};
typedef struct routing_choice routing_fn(struct routing_view *view, const int32_t *index);

/* One name of the resource part, `node pu(X,Y)`. */
struct network_kind {
	const char *name;
	bool node;
	unsigned dims;
	int64_t size[NETWORK_DIMS_MAX];
	uint32_t first, count; /* resources */
	int line;              /* of the declaration */
	routing_fn *route;     /* NULL: not given */
	int route_line;
};

struct network_resource {
	uint32_t kind;
	uint32_t inputs, outputs;
	uint32_t first_input, first_output; /* in the arrays of channels */
	uint16_t vcs;
	int size_line; /* 0: not given */
};

struct network_channel { /* an input or an output */
	uint32_t resource;
	uint32_t peer;  /* channel at the other end, NETWORK_NONE if not connected */
	int line;       /* of the connection */
	uint32_t class; /* of the link: 0, or 1 + its place in `classes` */
};

/* A class of links, `link far(100)`. */
struct network_class {
	const char *name;
	uint32_t clocks;      /* from leaving one buffer to being in the next; 0: as of other links */
	uint32_t flit_clocks; /* that a flit takes on the link */
	int line;             /* of the declaration */
};

struct network {
	const char *file; /* of the description, for messages */
	struct network_kind *kinds;
	struct network_resource *resources;
	struct network_channel *inputs, *outputs;
	struct network_class *classes;
	uint32_t class_count;
	uint32_t kind_count, resource_count, input_count, output_count;
	uint32_t node_count; /* number of nodes, of all node kinds */
	uint32_t *nodes;     /* node number to resource */
	uint32_t *node_of;   /* resource to node number, NETWORK_NONE for a switch */
	int32_t *index;      /* [resource * NETWORK_DIMS_MAX + dimension]; set by network_finish */
	uint16_t vcs;        /* the largest number of any link */
	char *errors;        /* lines of mistakes found so far, NULL if none */
	unsigned error_count;
	bool sized;        /* the channels have been laid out */
	int statement;     /* line of the present statement */
	uint64_t progress; /* sizes and connections so far */
};

/* Makes an empty network; NULL and `e` if memory is short. `file` is borrowed. */
struct network *network_create(const char *file, struct err *e);
void network_destroy(struct network *n); /* NULL is allowed */

/*
 * The statements of a description. A mistake does not stop it: it is recorded with its line and
 * instance, and network_finish reports all of them. They return -1 with `e` only where memory is
 * short.
 */
void network_at(struct network *n, int line); /* begins a statement, for messages about its expressions */
int network_kind(struct network *n, int line, const char *name, bool node, unsigned dims, const int64_t *size,
		 struct err *e);
int network_size(struct network *n, int line, const char *name, unsigned dims, const int64_t *index, int64_t inputs,
		 int64_t outputs, int64_t vcs, struct err *e);
/* Declares the next class of links. `clocks` and `flit_clocks` as of struct network_class. */
int network_class(struct network *n, int line, const char *name, int64_t clocks, int64_t flit_clocks, struct err *e);
/* Call once, between the sizes and the first connection. */
int network_layout(struct network *n, struct err *e);
struct network_end {
	const char *name;
	unsigned dims;
	const int64_t *index;
	int64_t port;
};
/* `class`: 0, or 1 + the number of a declared class. */
int network_connect(struct network *n, int line, const struct network_end *output, const struct network_end *input,
		    uint32_t class, struct err *e);
int network_route(struct network *n, int line, const char *name, unsigned dims, routing_fn *route, struct err *e);

/*
 * Checks the whole network: unconnected channels, different numbers of virtual channels at the ends
 * of a link, resources without a size or a routing. 0, or -1 and `e` (STATUS_BAD_INPUT) with the
 * first mistake; n->errors has all of them (up to NETWORK_MESSAGE_ERRORS), one a line.
 */
int network_finish(struct network *n, struct err *e);

/* Write "pu(3,4)", "pu(3,4).o(1)" to `buffer`; return it. */
char *network_resource_name(const struct network *n, uint32_t resource, char *buffer, unsigned size);
char *network_channel_name(const struct network *n, bool output, uint32_t channel, char *buffer, unsigned size);

/*
 * Returns the index of a resource in its kind's dimensions; network_place: the same for a finished
 * network.
 */
void network_index(const struct network *n, uint32_t resource, int32_t index[NETWORK_DIMS_MAX]);
static inline const int32_t *network_place(const struct network *n, uint32_t resource)
{
	return n->index + (size_t)resource * NETWORK_DIMS_MAX;
}

#endif
