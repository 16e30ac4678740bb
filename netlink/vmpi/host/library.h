/*
 * State of the C library that ranks would share: the locale, and the standard streams if a program reopens them.
 * Standard input belongs to rank 0, as with real MPI launchers; the other ranks read end of file. State in variables of
 * the library is in libc/.
 */
#ifndef PSIM_VMPI_LIBRARY_H
#define PSIM_VMPI_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/err.h"
#include "process_state.h"

struct vmpi;
struct rank;
struct rank_library; /* a rank's own state; NULL: unchanged */

struct library {
	FILE *empty;              /* standard input of all ranks but rank 0 */
	FILE *in, *err;           /* the simulator's, while ranks run */
	struct rank_library **of; /* by rank; NULL: no rank has any */
	struct process_state process;
};

int library_create(struct library *l, struct err *e);
void library_finish(struct library *l, uint32_t ranks);

/* Takes effect only while ranks run. */
void library_begin(struct library *l);
void library_end(struct library *l);

/* Called when a rank is resumed, and when it yields. */
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

/* Closes the streams of a rank that has ended. */
void library_rank_ended(struct library *l, uint32_t rank);

#endif
