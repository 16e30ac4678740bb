/*
 * GOAL schedules (Hoefler, Schneider and Lumsdaine, "LogGOPSim - simulating large-scale applications in the LogGOPS
 * model", 2010): each rank has a graph of sends, receives and computation, in which an operation begins when those that
 * it requires have ended or, by `irequires`, begun. A schedule is text, or the binary form of LogGOPSim's txt2bin.
 */
#ifndef PSIM_VMPI_REPLAY_GOAL_H
#define PSIM_VMPI_REPLAY_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../psim/base/lines.h"
#include "../../../psim/base/vec.h"
#include "goal_groups.h"

struct vmpi;

enum goal_type { GOAL_SEND = 1, GOAL_RECV = 2, GOAL_CALC = 3, GOAL_COLL = 4 }; /* to 3: numbers of the binary form */
enum { GOAL_MAGIC = 4223, GOAL_CPUS_MAX = 256 };
#define GOAL_ANY UINT32_MAX                      /* any source, any tag */
#define GOAL_SIZE_MAX UINT64_C(1000000000000000) /* bytes, ns */
#define GOAL_OPS_MAX (UINT32_MAX / 2)            /* of a rank */
#define GOAL_ON_START (UINT32_C(1) << 31)        /* in an edge: the operation waits for the begin, not for the end */

/* An operation; in a run, what it waits for. */
struct goal_op {
	uint64_t size; /* bytes; units of computation */
	union {
		uint32_t peer;    /* rank of COMM_WORLD, or GOAL_ANY; of GOAL_COLL its index in `collectives` */
		uint32_t request; /* once it has begun */
	};
	uint32_t tag;
	union {
		uint32_t left;  /* operations that it waits for */
		uint32_t place; /* once it has begun: its request among those under way */
	};
	uint32_t edges; /* index of its first one in the rank's edges, behind which are those of the next operation */
	uint32_t line;  /* of the file, or its number in the rank */
	uint8_t type, cpu, nic;
};

/* An edge from an operation to one that waits for it. */
struct goal_edge {
	uint32_t from, to; /* `to` perhaps with GOAL_ON_START */
};

struct goal_run; /* of a rank: replay_goal.c */
struct goal_rank {
	struct goal_op *ops; /* one more than there are, whose first edge is the end of all */
	uint32_t *edges;
	uint32_t count;
	unsigned cpus;
	bool read; /* the file has it */
	struct goal_run *run;
};
struct goal_size; /* of messages above 2 GiB: replay_goal.c */
/* How messages name an operation: FILE:LINE, FILE:operation NUMBER, or FILE:rank R, node NUMBER. */
enum goal_places { GOAL_LINES, GOAL_NUMBERS, GOAL_NODES };
enum { GOAL_UNIT_NS = 1000 };
struct goal {
	char *path;
	enum goal_places places;
	bool nics; /* an operation names a NIC other than 0 */
	/*
	 * Execution traces (chakra.h): of the operations that are ready, the one of the lowest number goes first, and
	 * at most at_once sends and collective operations of a rank are under way, 0: any number.
	 */
	bool by_number;
	uint32_t at_once;
	int64_t unit; /* ps of computation */
	uint32_t ranks;
	struct goal_rank *rank;
	struct vec_of(uint32_t) op_of_request; /* by request */
	struct vec_of(struct goal_size) sizes;
	bool groups_made;
	struct vec_of(struct goal_group) groups;
	struct vec_of(struct goal_collective) collectives;
};

/* Returns whether a line, of which blanks at the start are skipped, can begin a schedule as text. */
bool goal_begins(const char *text);

/*
 * Reads a schedule as text, whose first line is in `text`, a buffer of `size` characters for the others; or a binary
 * one from `file`, which is at its begin. NULL with `e`: STATUS_BAD_INPUT with file and line.
 */
struct goal *goal_read_text(struct lines *lines, char *text, int size, struct err *e);
struct goal *goal_read_binary(FILE *file, const char *path, struct err *e);
void goal_destroy(struct goal *g); /* accepts NULL */

/* ---- goal_graph.c: what both readers use ---- */
struct goal *goal_create(const char *path, uint32_t ranks, struct err *e);

/* Makes the rank's graph of operations and edges, which it copies. 0, or -1 with `e`. */
int goal_set_rank(struct goal *g, uint32_t rank, const struct goal_op *ops, uint32_t count,
		  const struct goal_edge *edges, size_t edge_count, struct err *e);

/* Operations that have ended, and all. */
void goal_taken(const struct goal *g, uint64_t *ended, uint64_t *all);

/* The body of a rank (vmpi_set_body) that carries out its operations. */
int goal_body(struct vmpi *v, uint32_t rank, struct goal *g);

#endif
