/*
 * Slices of a rank's time for timelines: each call from its begin to its end, and computation. Slices of a rank follow
 * each other. A call without duration is one only if a message begins or ends in it.
 *
 * All functions need v->seen.slices. They ignore tasks: a timeline is that of the rank's main thread.
 */
#ifndef PSIM_VMPI_SLICES_H
#define PSIM_VMPI_SLICES_H

#include "world.h"

/* The current slice of a rank. */
struct slice {
	int64_t since; /* ps */
	const void *where;
	const char *computes; /* the name of computation; NULL: a call */
	uint16_t call;
	bool begun; /* the observer knows it */
	bool joins; /* the same call at the same place continues it: computation, polling */
};

/* Makes v->seen.slices if the observer gets states. 0, or -1 with `e`. */
int slices_create(struct vmpi *v, struct err *e);

/* The rank begins its program. */
void slice_start(const struct vmpi *v, const struct rank *r);
/* The rank enters the call r->call. */
void slice_enter(const struct vmpi *v, const struct rank *r);
/* The rank has computed from `from` to now. `measured`: before its call, not in it. */
void slice_computed(const struct vmpi *v, const struct rank *r, int64_t from, const char *name, bool measured);
/* The rank's wait in its call begins or ends. */
void slice_waits(const struct vmpi *v, const struct rank *r, bool waits);
/* A message begins or ends in the rank's call. */
void slice_message(const struct vmpi *v, const struct rank *r);
/* The rank lets others run; `polls`: it tests what is there by now. */
void slice_pause(const struct vmpi *v, const struct rank *r, bool polls);
/* A rank whose operations are those of a schedule computes on one of its CPUs from now on, or on none. */
void slice_schedule(const struct vmpi *v, const struct rank *r, bool computes);
/* The rank ends at the clock of `r`, which may be a thread of it. */
void slice_end(const struct vmpi *v, const struct rank *r);

#endif
