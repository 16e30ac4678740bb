/*
 * What the C library keeps for a program, and ranks would share: its locale, the standard streams where a program
 * opens them anew, the functions that it calls at its end. Standard input is rank 0's, as real starters of MPI programs
 * have it; the others find it at its end. What lies in variables is in libc/.
 */
#ifndef PSIM_VMPI_LIBRARY_H
#define PSIM_VMPI_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"

struct vmpi;
struct rank;
struct rank_library; /* a rank's own; NULL: as it began */

struct library {
	FILE *empty;              /* standard input of all ranks but the first */
	FILE *in, *err;           /* the simulator's, while ranks run */
	struct rank_library **of; /* by rank; NULL: no rank has any */
};

int library_create(struct library *l, struct err *e);
void library_finish(struct library *l, uint32_t ranks);

/* While ranks run, and no more. */
void library_begin(struct library *l);
void library_end(struct library *l);

/* A rank goes on; it gives the processor back. */
void library_enter_own(struct vmpi *v, uint32_t rank);
void library_leave_own(struct vmpi *v);

static inline void library_enter(struct vmpi *v, struct library *l, uint32_t rank)
{
	stdin = rank ? l->empty : l->in;
	if (__builtin_expect(l->of != NULL, 0))
		library_enter_own(v, rank);
}

static inline void library_leave(struct vmpi *v, const struct library *l)
{
	if (__builtin_expect(l->of != NULL, 0))
		library_leave_own(v);
}

/* The running rank ends in good order: calls what it gave to atexit, the last first. */
void library_run_at_exit(struct vmpi *v, uint32_t rank);
/* It has ended: its streams are closed. */
void library_rank_ended(struct library *l, uint32_t rank);

#endif
