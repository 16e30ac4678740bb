/*
 * What a page shows of a run over time: the state of all ranks as shares of cells at several levels, from many columns
 * for groups of ranks to few columns for each rank; every state and message of runs that have few, or of a window; who
 * waits for whom, and who sends to whom, between blocks of ranks; phases; the critical path.
 *
 * Memory is bounded: 44 MB for any number of ranks, and 3 MB of states and messages.
 */
#ifndef PSIM_ANALYSIS_TIMELINE_H
#define PSIM_ANALYSIS_TIMELINE_H

#include "../vmpi/vmpi.h"
#include "critical_path.h"

struct timeline;

/* The times and ranks of which single states and messages are kept. */
struct timeline_window {
	int64_t from_ps, to_ps;
	uint32_t first_rank, last_rank;
};

struct timeline *timeline_create(uint32_t ranks, const struct timeline_window *window, struct err *e);
void timeline_destroy(struct timeline *t); /* NULL is allowed */

/* Events of vmpi_observer; those of a rank in the order of its clock. */
void timeline_computed(struct timeline *t, uint32_t rank, int64_t from, int64_t to);
void timeline_waited(struct timeline *t, const struct vmpi_waited *w);
void timeline_phase(struct timeline *t, uint32_t rank, int64_t time, const char *name);
void timeline_message(struct timeline *t, const struct vmpi_passing *m);

/* Adds the group "timeline" of a page; `path`: of the run. 0, or -1 with `e`: memory was short. Call once. */
int timeline_report(struct timeline *t, const struct vmpi *v, const struct path *path, struct report *r, struct err *e);

#endif
