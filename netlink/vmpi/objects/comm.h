/*
 * Groups and communicators. They are shared by all ranks: a handle is a place in a table, and a communicator
 * is freed when all of its ranks have given it up. Ranks of COMM_WORLD are called world ranks here.
 */
#ifndef PSIM_VMPI_COMM_H
#define PSIM_VMPI_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

enum { HANDLE_WORLD = 1, HANDLE_SELF = 2, HANDLE_GROUP_EMPTY = 1, COMM_NAME_MAX = 64 };

struct group_place {
	uint32_t world, local;
};
struct group {
	unsigned users;
	uint32_t size;
	uint32_t *world;            /* by local rank; NULL: the same number */
	struct group_place *sorted; /* by world rank; made when it is asked for */
};

struct cart {
	int dimensions;
	int *size, *periodic;
};

/* The ranks of a communicator meet to make new ones: each leaves what it wants and finds what it got. */
struct meeting {
	struct meeting *next;
	uint32_t number, left;
	bool made;
	int *color, *key, *handle; /* by local rank */
};

/*
 * A collective operation by a table of times (collectives/table.c), while ranks come to it and leave it. Blocking
 * ones are told apart by the number of those before, nonblocking ones by their tag.
 */
struct together {
	struct together *next;
	uint32_t number;
	int tag, op, root;
	uint32_t come, left;       /* ranks */
	uint32_t waiting;          /* 1 + index of the first of those that wait, 0: none */
	uint32_t last_rank;        /* of COMM_WORLD: who came at `latest` */
	int64_t latest, root_came; /* ps; root_came < 0: not yet */
	uint64_t bytes;
	bool has_data; /* a rank gave a buffer */
	char **data;   /* by local rank, packed; NULL: none */
	uint64_t *length;
};

struct comm {
	struct group *group;
	uint32_t ctx;   /* messages of programs; + 1: of collectives */
	uint32_t users; /* ranks that have not freed it */
	bool self;      /* COMM_SELF: each rank for itself */
	bool errors_return;
	struct cart *cart;     /* NULL: none */
	uint32_t *meetings_of; /* by local rank: how many it came to; NULL: none */
	struct meeting *meetings;
	uint32_t *together_of; /* the same of operations by a table */
	struct together *togethers;
	uint32_t *tasks_of; /* by local rank: nonblocking collectives that it began; NULL: none */
	char name[COMM_NAME_MAX];
};

struct comms {
	struct comm **comm; /* by handle; NULL where freed */
	struct group **group;
	int comm_count, comm_room, group_count, group_room;
	uint32_t next_ctx;
};

/* COMM_WORLD of `size` ranks, COMM_SELF, GROUP_EMPTY. */
int comms_create(struct comms *c, uint32_t size, struct err *e);
void comms_finish(struct comms *c);

/* NULL if there is none. */
static inline struct comm *comm_find(const struct comms *c, int handle)
{
	return handle > 0 && handle < c->comm_count ? c->comm[handle] : NULL;
}
struct group *group_find(const struct comms *c, int handle);

/* A group with one user; takes `world` (allocated, of `size`), also on failure. NULL with `e`. */
struct group *group_create(uint32_t size, uint32_t *world, struct err *e);
void group_drop(struct group *g);
/* A handle for one more use of `g`; 0 with `e`. */
int group_handle(struct comms *c, struct group *g, struct err *e);
void group_release(struct comms *c, int handle);

static inline uint32_t group_world(const struct group *g, uint32_t local)
{
	return g->world ? g->world[local] : local;
}
/* The local rank, or -1 if it is not in the group or memory is short. */
int64_t group_local(struct group *g, uint32_t world);

/* A communicator of `g` (which it then also uses), with a context of its own. Its handle, 0 with `e`. */
int comm_create(struct comms *c, struct group *g, struct err *e);
/* One rank gives it up. */
void comm_release(struct comms *c, int handle);

/* A grid for a communicator; arrays are copied. */
int comm_set_cart(struct comm *c, int dimensions, const int *size, const int *periodic, struct err *e);

/* The meeting to which local rank `local` comes now; made if it is the first. NULL with `e`. */
struct meeting *comm_meeting(struct comm *c, uint32_t local, struct err *e);
/*
 * The operation by a table to which local rank `local` comes now; `tag`: of a nonblocking one, or 0. NULL with `e`.
 * The last of the ranks that leave ends it.
 */
struct together *comm_together(struct comm *c, uint32_t local, int tag, struct err *e);
void comm_together_leave(struct comm *c, struct together *t);
/* A rank leaves: the last one ends it. */
void comm_meeting_leave(struct comm *c, struct meeting *m);
/* Makes the communicators that the colours and keys of a meeting ask for; color < 0: none. */
int comm_meeting_split(struct comms *c, struct comm *of, struct meeting *m, struct err *e);

#endif
