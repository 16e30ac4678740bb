/*
 * The program's own variables (.data and .bss), one set for each rank.
 *
 * A small segment is copied when another rank than the last one goes on; a large one lies in a file in
 * memory, a stretch for each rank, and the rank's stretch is mapped in its place: one system call, whatever
 * the size, and pages that a rank never touches take no memory. Libraries that a program brings with it
 * (other than itself) are shared by its ranks.
 */
#ifndef PSIM_VMPI_GLOBALS_H
#define PSIM_VMPI_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

struct globals {
	char *start; /* the segment; NULL: none */
	size_t bytes;
	int way;  /* GLOBALS_COPY, GLOBALS_MAP, GLOBALS_SHARED of config.h */
	int file; /* -1: none */
	uint32_t ranks, owner;
	char **copy;           /* by rank, what it had when it was left last; NULL: it never was */
	char *begun;           /* of GLOBALS_MAP, by rank */
	char *pristine;        /* as the program was loaded */
	size_t pristine_bytes; /* without the zeroes at the end */
	bool touched;          /* of GLOBALS_COPY: a rank has changed something, so that there is something to copy */
};

enum { GLOBALS_NOBODY = 0x7fffffff }; /* no rank: there are at most 2^31 - 1 */

/*
 * The segment at `start`: of no rank as yet. `way`: GLOBALS_AUTO copies up to 32 KiB and maps what is larger
 * (docs/vmpi.md has the measurement).
 */
int globals_create(struct globals *g, char *start, size_t bytes, int way, uint32_t ranks, struct err *e);
void globals_finish(struct globals *g);

/* Makes the segment that of `rank`. 0, or -1 with `e`: memory is short. */
int globals_switch(struct globals *g, uint32_t rank, struct err *e);

static inline int globals_enter(struct globals *g, uint32_t rank, struct err *e)
{
	return g->start && g->owner != rank ? globals_switch(g, rank, e) : 0;
}

/* The rank has ended: its copy is not needed any more. */
void globals_rank_ended(struct globals *g, uint32_t rank);

#endif
