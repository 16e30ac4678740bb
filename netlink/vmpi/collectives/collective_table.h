/* Operations by a table or by the tree: collective_table.c, and collective_table_parts.c for several processes. */
#ifndef PSIM_VMPI_COLLECTIVE_TABLE_H
#define PSIM_VMPI_COLLECTIVE_TABLE_H

#include "../message/message.h"

/* A rank has come. */
struct table_arrival {
	int32_t op, root;
	uint32_t rank; /* of the world */
	bool tree, is_root, has_data;
	int64_t time;
	uint64_t bytes;
};

/* Registers an arrival. False: other ranks have called another operation. */
bool collective_table_note(struct table_collective *t, const struct table_arrival *a);

/* Wakes the ranks that wait here, if the end of the operation is known. */
void collective_table_wake(struct vmpi *v, const struct comm *comm, struct table_collective *t);

/* Room for data of `bytes` that local rank `to` will unpack. NULL with `e`. */
char *collective_table_room(const struct comm *comm, struct table_collective *t, uint32_t to, uint64_t bytes,
			    struct err *e);

/* ---- several processes; with one process these do nothing ---- */

/* Repeats the run on one process if other processes have ranks of the communicator: `what` needs that. */
void collective_table_needs_all(struct vmpi *v, const struct comm *comm, const char *what);

/* Sends data that local rank `to` will unpack to the process of local rank `reader`, or to all (-1). */
void collective_table_send_data(struct vmpi *v, const struct comm *comm, const struct table_collective *t, uint32_t to,
				int reader);

/* Sends the arrival of the running rank to all processes. */
void collective_table_send(struct vmpi *v, const struct comm *comm, const struct table_collective *t,
			   const struct table_arrival *a);

#endif
