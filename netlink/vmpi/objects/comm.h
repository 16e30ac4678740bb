/*
 * Groups and communicators. All ranks share them: a handle is an index into a table, and a communicator is freed
 * when all of its ranks have freed it. "World rank" is a rank of COMM_WORLD.
 */
#ifndef PSIM_VMPI_COMM_H
#define PSIM_VMPI_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "comm_nodes.h"
#include "../../../psim/base/err.h"
#include "../../../psim/base/vec.h"

enum { HANDLE_WORLD = 1, HANDLE_SELF = 2, HANDLE_GROUP_EMPTY = 1, COMM_NAME_MAX = 64 };

struct group_place {
	uint32_t world, local;
};
struct group {
	unsigned users;
	uint32_t size;
	uint32_t *world;            /* by local rank; NULL: the same number */
	struct group_place *sorted; /* by world rank; made on first use */
};

struct cart {
	int dimensions;
	int *size, *periodic;
};

/* The edges of a graph, by local rank: those of rank r are at in_at[r] … in_at[r + 1] - 1, likewise out. */
struct graph {
	bool distributed, weighted; /* made by Dist_graph_…; edges have weights */
	uint32_t nodes;
	int *in_at, *in, *in_weight;
	int *out_at, *out, *out_weight;
};

/* An edge that a rank gave for a distributed graph; `rank` gave it as its `place`-th one. */
struct graph_edge {
	int from, to, weight;
	uint32_t rank, place;
	bool in, out; /* it counts as an edge into `to`, out of `from` */
};
struct graph_edges {
	struct vec_of(struct graph_edge) list;
	bool weighted;
};

/* comm_split.h; comm_table.h */
struct split_sync;
struct table_collective;

struct comm {
	struct group *group;
	struct group *remote; /* of an intercommunicator; NULL: it is none */
	int local_comm;       /* of an intercommunicator: handle of a communicator of `group` alone; else 0 */
	int pair;             /* of such a communicator: handle of its intercommunicator; else 0 */
	uint64_t key;        /* the same in all processes: from the parent's, the number of the split, and the colour */
	uint32_t here;       /* its ranks in this process */
	uint32_t ctx;        /* context of the program's messages; + 1: of collectives */
	uint32_t users;      /* ranks here that have not freed it */
	bool self;           /* COMM_SELF: a communicator of each rank alone */
	struct cart *cart;   /* NULL: none */
	struct graph *graph; /* NULL: none */
	struct graph_edges *edges;    /* that ranks have given so far; NULL: none */
	struct group_comms *by_group; /* what groups of its ranks have made by themselves: comm_group.c */
	uint32_t *splits_of;          /* by local rank: number of splits that it called; NULL: none */
	struct split_sync *splits;
	uint32_t *table_collectives_of; /* by local rank: number of operations by a table */
	struct table_collective *table_collectives;
	struct comm_nodes *nodes; /* its ranks by node; NULL: not needed yet */
	uint32_t *tasks_of;       /* by local rank: number of nonblocking collectives; NULL: none */
	/* what each rank sets for itself, by local rank, of COMM_SELF by world rank; NULL: nobody has */
	uint32_t settings;            /* rows of these */
	int *errhandlers;             /* 0: that of errors that are fatal */
	char (*names)[COMM_NAME_MAX]; /* an empty name: the standard's */
};

struct comms {
	struct comm **comm; /* by handle; NULL where freed */
	struct group **group;
	int comm_count, comm_room, group_count, group_room;
	uint32_t next_ctx;
	const bool *is_here;      /* by world rank; NULL: all ranks are in this process */
	struct half_kept *halves; /* of groups whose other group has not come yet: comm_halves.c */
};

/* Makes COMM_WORLD of `size` ranks, COMM_SELF and GROUP_EMPTY. */
int comms_create(struct comms *c, uint32_t size, struct err *e);
void comms_finish(struct comms *c);

/* NULL: unknown handle. */
static inline struct comm *comm_find(const struct comms *c, int handle)
{
	return (unsigned)handle < (unsigned)c->comm_count ? c->comm[handle] : NULL; /* 0 is none */
}
struct group *group_find(const struct comms *c, int handle);

/* Makes a group with one user; owns `world` (allocated, of `size`), also on failure. NULL with `e`. */
struct group *group_create(uint32_t size, uint32_t *world, struct err *e);
void group_drop(struct group *g);
/* Returns a handle for one more use of `g`; 0 with `e`. */
int group_handle(struct comms *c, struct group *g, struct err *e);
void group_release(struct comms *c, int handle);

static inline uint32_t group_world(const struct group *g, uint32_t local)
{
	return g->world ? g->world[local] : local;
}
/* Returns the local rank; -1 if `world` is not in the group or memory is short. */
int64_t group_local(struct group *g, uint32_t world);

/* Makes a communicator of `g`, which it then also uses, with a context of its own. Returns its handle, 0 with `e`. */
int comm_create(struct comms *c, struct group *g, struct err *e);
/* One rank frees the communicator. */
void comm_release(struct comms *c, int handle);

/* ---- comm_settings.c: error handlers and names, of each rank its own ---- */

/* The rank's error handler on this communicator (errhandler.h); the fatal one if the rank is not in it. */
int comm_errhandler(const struct comm *c, uint32_t world);
int comm_set_errhandler(struct comm *c, uint32_t world, int handler, struct err *e);
/* The ranks of a new communicator inherit the error handlers that they have on `of`. */
int comm_inherit_errors(struct comm *c, const struct comm *of, struct err *e);

/* The name that the rank has given the communicator, else the standard's: empty but for predefined ones. */
const char *comm_name(const struct comms *c, int handle, uint32_t world);
/* Sets the rank's name of the communicator; a longer one is cut off. */
int comm_set_name(struct comm *c, uint32_t world, const char *name, struct err *e);

/* ---- comm.c ---- */

void graph_destroy(struct graph *g);
/* Gives `to` a copy of the graph of `from`, unless it has one: 0, or -1 with `e`. */
int graph_copy(const struct comm *from, struct comm *to, struct err *e);

/* The group with which the communicator's ranks communicate: its own, or an intercommunicator's remote one. */
static inline struct group *comm_peers(const struct comm *c)
{
	return c->remote ? c->remote : c->group;
}

/* Gives a communicator a Cartesian grid; arrays are copied. */
int comm_set_cart(struct comm *c, int dimensions, const int *size, const int *periodic, struct err *e);

/* The communicator of this key, and its handle; NULL and 0: none is here. */
struct comm *comm_by_key(const struct comms *c, uint64_t key);
int comm_handle_by_key(const struct comms *c, uint64_t key);
/* The key of the communicator that split `number` of that of key `of` makes for a colour: a hash. */
uint64_t comm_split_key(uint64_t of, uint32_t number, int color);
/* Returns the number of the group's ranks in this process. */
uint32_t comm_ranks_here(const struct comms *c, const struct group *g);
/* Adds edges of a distributed graph that a rank gives. 0, or -1 with `e`. */
int comm_add_edges(struct comm *c, const struct graph_edge *edges, size_t count, bool weighted, struct err *e);
void comm_drop_edges(struct comm *c);

/* ---- comm_group.c ---- */
/*
 * The communicator that rank `local` of group `g` is making with the others by itself, of ranks of `of`; the first rank
 * here makes it. Returns its handle, 0 with `e`.
 */
int comm_of_group(struct comms *c, struct comm *of, struct group *g, int tag, uint32_t local, struct err *e);
void comm_forget_groups(struct comm *c);

/* ---- comm_halves.c: communicators that two groups make together (MPI 3.1, 6.6) ---- */
enum half_kind { HALF_CREATE, HALF_SPLIT, HALF_MERGE };
/* A group's part of communicators of two groups. All processes get it, and make those of their ranks. */
struct group_half {
	uint64_t peer;          /* key of the communicator over which the leaders meet */
	uint64_t local;         /* key of the group's hidden communicator */
	uint32_t leader, other; /* world ranks: its own and the other group's */
	uint32_t number;        /* of the group's split */
	int32_t tag, kind;      /* enum half_kind */
	int32_t high;           /* HALF_MERGE: the group wants to be the last one */
	uint32_t size;          /* ranks of the group */
	uint32_t list[];        /* world ranks; HALF_SPLIT: then their colours, then their keys */
};
size_t comm_half_bytes(const struct group_half *h);
/* Makes the half of the group of the hidden communicator `local`, with lists if they are given. NULL with `e`. */
struct group_half *comm_half(const struct comm *local, enum half_kind kind, const struct split_sync *split,
			     struct err *e);
/* Keeps the half, or makes the communicators if it is the second one. 0, or -1 with `e`. */
int comm_put_half(struct comms *c, const struct group_half *h, struct err *e);
void comm_forget_halves(struct comms *c);

#endif
