/* A trace as text: one line per instruction. */
#ifndef PSIM_TRACES_VIEW_LIST_H
#define PSIM_TRACES_VIEW_LIST_H

#include <stdio.h>

#include "../trace.h"

struct list {
	FILE *out;
	const struct trace_info *info;
	uint64_t first, end;           /* the instructions to print: [first, end) */
	const struct trace_line *line; /* source of the last instruction printed; NULL: unknown */
	/* a run is printed when the next one has determined the outcome of its branch */
	const struct trace_block *block; /* pending, or NULL */
	uint64_t position;               /* of its first instruction */
	uint64_t ea[TRACE_ADDRESSES_MAX];
};

/* Lists a run that begins at instruction `position`. `out` records output errors. */
void list_run(struct list *l, const struct trace_step *step, uint64_t position);

/* Lists the begin or end of a region before the next run. */
void list_region(struct list *l, const char *name, bool begin);

/* Lists the begin or end of a warm-up part before the next run. */
void list_warm_up(struct list *l, bool begin);

/* Prints the pending run, at the end or before a gap. */
void list_flush(struct list *l);

#endif
