/*
 * Checks of the program's calls against each other (ranks.check): collective operations that differ between ranks,
 * other types received than sent, buffers that overlap, and what is left at the end. v->checks is NULL where they are
 * off.
 */
#ifndef PSIM_VMPI_RUN_CHECKS_H
#define PSIM_VMPI_RUN_CHECKS_H

#include "message.h"

/* Sets v->checks; 0, or -1 with `e`. */
int checks_create(struct vmpi *v, struct err *e);
void checks_destroy(struct vmpi *v);

/*
 * The running rank begins a collective operation, of its present call: fails the run if the operation of the same
 * number on the communicator has another call, root, operation, length or type on another rank. bytes < 0: lengths may
 * differ.
 */
void check_collective(struct vmpi *v, VMPI_Comm comm, int root, VMPI_Op op, int64_t bytes, const struct type *type);

/*
 * The running rank begins a send or a receive: fails the run if its buffer shares bytes with that of another operation
 * of the rank that is not complete, and one of the two receives. `request` 0: the operation is complete at its return.
 */
void check_buffer(struct vmpi *v, const struct request *q, uint32_t request);

/* Notes the present call as that which made the communicators that are new. */
void check_made(struct vmpi *v);
/* The running rank frees a communicator, its own or that of a window. */
void check_freed(struct vmpi *v, VMPI_Comm comm);

/* The running rank's call has made a datatype, or freed it. */
void check_type_made(struct vmpi *v, VMPI_Datatype type);
void check_type_freed(struct vmpi *v, VMPI_Datatype type);

/* Notes where a message is sent, and of which type. */
void check_sent(struct vmpi *v, uint32_t message, const struct request *q);
/* Notes a message from another process, of elements of this basic type. 0, or -1 with `e`. */
int check_came(struct vmpi *v, uint32_t message, int basic, struct err *e);
/* Fails the run if a message has other elements than the receive that it matches; false then. */
bool check_matched(struct vmpi *v, uint32_t message, const struct request *q);

/* Returns the sum of a process; if those of all add up to 0, the collective operations of all ranks agree. */
uint64_t checks_sum(const struct vmpi *v);

/* Returns 0 if nothing is left after the ranks have ended, else -1 with v->err: the first, and their number. */
int check_end(struct vmpi *v);

#endif
