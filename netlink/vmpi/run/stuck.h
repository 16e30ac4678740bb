/* The wait of a rank, for reports of runs that end with waiting ranks. */
#ifndef PSIM_VMPI_STUCK_H
#define PSIM_VMPI_STUCK_H

#include "../host/world.h"

/* Condition for which a rank waits: its first incomplete receive or send, or a probe. */
struct want {
	bool known, send, any;
	uint32_t peer; /* world rank */
	int32_t tag;
	uint64_t bytes;
};

/* The wait of a thread besides that of main. */
struct thread_wait {
	struct want want;
	uint64_t where;        /* counted from the program's base; 0: unknown */
	uint32_t rank, number; /* number: in the order of its process */
	uint16_t call;
};

/* Returns it; `known` is false if the rank does not wait, or for something else. */
struct want stuck_want(struct vmpi *v, const struct rank *r);

/* ---- past_waits.c ---- */
/* Makes the ranks here note their waits before they change, for vmpi_waits_at. */
void past_waits_begin(struct vmpi *v);

#endif
