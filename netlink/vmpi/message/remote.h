/* Records between the processes of one run: remote.c, and remote_window.c for windows. */
#ifndef PSIM_VMPI_REMOTE_H
#define PSIM_VMPI_REMOTE_H

#include "message.h"

enum record_kind {
	RECORD_MESSAGE,
	RECORD_ANSWER,
	RECORD_SPLIT,
	RECORD_HALF,
	RECORD_EDGES,
	RECORD_OUTPUT,
	RECORD_TURN,
	/* of collective operations by a table */
	RECORD_TABLE,
	RECORD_TABLE_DATA,
	/* of windows */
	RECORD_WINDOW_PART,
	RECORD_WINDOW_REGION,
	RECORD_WINDOW_OP,
	RECORD_WINDOW_RESULT,
	/* of files */
	RECORD_FILE,
	RECORD_FILE_ORDERED,
	RECORD_FILE_SERVERS,
};

struct record {
	uint32_t kind;
	uint32_t size; /* bytes, with what follows */
};

/* A rank is held for its turn, or has failed in it: ../run/in_order.c. */
struct step_record {
	struct record record;
	struct step_order turn;
	bool failed;
};

/* The process of a rank. */
static inline unsigned remote_process(const struct vmpi *v, uint32_t rank)
{
	return v->divided->partition.owner[v->ranks[rank].node];
}

/* Room for a record of `size` bytes to process `to`. NULL: memory is short, and the run has failed. */
void *remote_put(struct vmpi *v, unsigned to, enum record_kind kind, size_t size);

/* Takes a record of a window. 0, or -1 with `e`. */
int window_take(struct vmpi *v, unsigned from, const struct record *r, struct err *e);

/* Sends the other processes what has changed here about files. */
void files_send(struct vmpi *v);

/* Takes a record of files. 0, or -1 with `e`. */
int files_take(struct vmpi *v, const struct record *r, struct err *e);

#endif
