/* The collective operations of a communicator that a table times, or the tree: collectives/collective_table.c. */
#ifndef PSIM_VMPI_COMM_TABLE_H
#define PSIM_VMPI_COMM_TABLE_H

#include "comm.h"

/* A rank's data for others in such an operation. */
struct table_data {
	char *packed; /* NULL: nothing */
	uint64_t length;
	uint64_t *part_at; /* of the part for each local rank, and the end; NULL: one for all */
};

/*
 * A collective operation timed by a table (collectives/collective_table.c), from the first rank's arrival to the
 * last one's departure. Blocking operations are distinguished by their sequence number, nonblocking ones by their
 * tag.
 */
struct table_collective {
	struct table_collective *next;
	uint32_t number;
	int tag, op, root;
	bool tree;                 /* the tree has it */
	uint32_t come, left;       /* ranks; left: those of this process */
	uint32_t waiting;          /* 1 + index of the first waiting rank, 0: none */
	uint32_t last_rank;        /* world rank that arrived at `latest`, the first of them */
	int64_t latest, root_came; /* ps; root_came < 0: root has not arrived */
	uint64_t bytes;            /* of the largest part; where root begins, of root's */
	struct table_data *data;   /* by local rank; NULL: none */
	char *result;              /* of Allreduce, Scan (of `result_of` and those before), packed; NULL: none yet */
	uint64_t result_bytes;
	int result_of;
};

/*
 * The operation by a table that local rank `local` has reached; `tag` is that of a nonblocking operation, or 0. NULL
 * with `e`.
 */
struct table_collective *comm_table_collective(struct comm *c, uint32_t local, int tag, struct err *e);
/* That of this number and tag. NULL with `e`. */
struct table_collective *comm_table_collective_at(struct comm *c, uint32_t number, int tag, struct err *e);
/* Frees it if all ranks have come, and those of this process have left. */
void comm_table_collective_done(struct comm *c, struct table_collective *t);
/* Frees all of them: the communicator ends. */
void comm_forget_tables(struct comm *c);

#endif
