/*
 * Memory that a rank's code holds while it waits for messages. A run can end in the middle of a call (MPI_Abort, a
 * mistake, a time limit): the rank's stack is then left as it is, and the run frees what was held there.
 */
#ifndef NETLINK_VMPI_SCRATCH_H
#define NETLINK_VMPI_SCRATCH_H

#include <stddef.h>

struct vmpi;

/* Returns `count` zeroed elements of `size` bytes, for scratch_give; ends the run if memory is short. */
void *scratch_take(struct vmpi *v, size_t count, size_t size);

/* Frees what scratch_take returned; NULL is nothing. */
void scratch_give(struct vmpi *v, void *memory);

/* Frees what no rank has given back, at the end of the run. */
void scratch_finish(struct vmpi *v);

#endif
