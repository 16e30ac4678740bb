/* A trace as text: one line an instruction, with what it did. */
#ifndef PSIM_TRACES_VIEW_LIST_H
#define PSIM_TRACES_VIEW_LIST_H

#include <stdio.h>

#include "../trace.h"

struct list {
	FILE *out;
	const struct trace_info *info;
	uint64_t first, end; /* the instructions to print, [first, end) */
	/* a run is printed when the next one tells where its branch went */
	const struct trace_block *block; /* waiting, or NULL */
	uint64_t position;               /* of its first instruction */
	uint64_t ea[TRACE_ADDRESSES_MAX];
};

/* A run that begins at instruction `position`. Output errors show in `out`. */
void list_run(struct list *l, const struct trace_step *step, uint64_t position);

/* A region begins or ends before the next run. */
void list_region(struct list *l, const char *name, bool begin);

/* A warm-up part begins or ends before the next run. */
void list_warm_up(struct list *l, bool begin);

/* The end: prints what waits. Also to be called before a gap. */
void list_flush(struct list *l);

#endif
