/* Operations by a table or by the tree: collective_table.c, and collective_table_parts.c for several processes. */
#ifndef PSIM_VMPI_COLLECTIVE_TABLE_H
#define PSIM_VMPI_COLLECTIVE_TABLE_H

#include "../objects/comm_table.h"
#include "collective.h"

/* A rank has come. */
struct table_arrival {
	int32_t op, root;
	uint32_t rank; /* of the world */
	bool tree, is_root;
	int64_t time;
	uint64_t bytes;
};

/* Registers an arrival. False: other ranks have called another operation. */
bool collective_table_note(struct table_collective *t, const struct table_arrival *a);

/* Wakes the ranks that wait here, if the end of the operation is known. */
void collective_table_wake(struct vmpi *v, const struct comm *comm, struct table_collective *t);

/* ---- collective_table_data.c ---- */

/*
 * Room for data of local rank `of`, or, of a scatter, for it; `parts`: parts of all ranks, whose ends are to be set.
 * NULL with `e`.
 */
struct table_data *collective_table_data(const struct comm *comm, struct table_collective *t, uint32_t of, bool parts,
					 uint64_t bytes, struct err *e);
/* The running rank leaves what others need, at its arrival; it takes what it needs, at its end. */
void collective_table_deposit(enum collective_op op, struct collective *c, struct table_collective *t);
void collective_table_collect(enum collective_op op, struct collective *c, struct table_collective *t);

/* ---- several processes; with one process these do nothing ---- */

/* Sends data to the process of local rank `reader`, or to all (-1). */
void collective_table_send_data(struct vmpi *v, const struct comm *comm, const struct table_collective *t, uint32_t of,
				int reader);
/* Sends local rank `of`'s parts to the processes of the ranks that they are for. */
void collective_table_send_parts(struct vmpi *v, const struct comm *comm, const struct table_collective *t,
				 uint32_t of);

/* Sends the arrival of the running rank to all processes. */
void collective_table_send(struct vmpi *v, const struct comm *comm, const struct table_collective *t,
			   const struct table_arrival *a);

#endif
