/* Splits of a communicator: each rank deposits its colour and key, and picks up its new handle. */
#ifndef PSIM_VMPI_COMM_SPLIT_H
#define PSIM_VMPI_COMM_SPLIT_H

#include "comm.h"

struct split_sync {
	struct split_sync *next;
	uint32_t number, left;
	uint32_t come; /* deposits, where several processes have the ranks */
	bool made;
	int *color, *key, *handle; /* by local rank */
};

/* The split that local rank `local` has reached; the first rank creates it. NULL with `e`. */
struct split_sync *comm_split_sync(struct comm *c, uint32_t local, struct err *e);
/* Split `number`, which the first call makes. NULL with `e`. */
struct split_sync *comm_split_at(struct comm *c, uint32_t number, struct err *e);
/*
 * The same for split `number`, where several processes have the ranks: each gets all deposits, and the last one
 * makes the communicators. 0, or -1 with `e`.
 */
int comm_split_deposit(struct comms *c, struct comm *of, uint32_t number, uint32_t local, int color, int key,
		       struct err *e);
/* A rank leaves a split; the last one frees it. */
void comm_split_leave(struct comm *c, struct split_sync *m);
/* Makes the communicators that the colours and keys of a split define; color < 0: none. */
int comm_split_create(struct comms *c, struct comm *of, struct split_sync *m, struct err *e);
/* Frees all splits of the communicator, which ends. */
void comm_forget_splits(struct comm *c);

#endif
