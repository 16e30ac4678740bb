/*
 * The program's own variables (.data and .bss), one set for each rank.
 *
 * A small segment is copied when the running rank changes. A large one is in a memory file with a region for each
 * rank, and the rank's region is mapped over the segment: one system call, whatever the size, and pages that a rank
 * never touches take no memory. Ranks share the variables of other libraries that the program loads.
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
	int way;  /* GLOBALS_COPY, GLOBALS_MAP or GLOBALS_SHARED of vmpi_config.h */
	int file; /* -1: none */
	uint32_t ranks, owner;
	char **copy;           /* by rank, its latest values while another rank runs; NULL: it has none yet */
	char *begun;           /* GLOBALS_MAP, by rank: its region has been initialized */
	char *pristine;        /* initial values of the program */
	size_t pristine_bytes; /* without trailing zeroes */
	bool touched;          /* GLOBALS_COPY: a rank has changed something, so there is something to copy */
};

enum { GLOBALS_NOBODY = 0x7fffffff }; /* no rank: there are at most 2^31 - 1 */

/*
 * Manages the segment at `start`, which belongs to no rank yet. `way`: GLOBALS_AUTO copies up to 32 KiB and maps
 * what is larger (docs/accuracy/speed-network.md has the measurement).
 */
int globals_create(struct globals *g, char *start, size_t bytes, int way, uint32_t ranks, struct err *e);
void globals_finish(struct globals *g);

/* Switches the segment to the variables of `rank`. 0, or -1 with `e` if memory is short. */
int globals_switch(struct globals *g, uint32_t rank, struct err *e);

static inline int globals_enter(struct globals *g, uint32_t rank, struct err *e)
{
	return g->start && g->owner != rank ? globals_switch(g, rank, e) : 0;
}

/* Makes room for the variables of `ranks` ranks, where there are fewer and they are copied. */
int globals_room(struct globals *g, uint32_t ranks, struct err *e);

/* Frees the copy of a rank that has ended. */
void globals_rank_ended(struct globals *g, uint32_t rank);

#endif
