/* The regions of a trace: number of entries and instructions. */
#ifndef PSIM_TRACES_VIEW_REGION_TABLE_H
#define PSIM_TRACES_VIEW_REGION_TABLE_H

#include "../../psim/base/report/report.h"
#include "../../psim/base/vec.h"
#include "../trace.h"

struct region_row {
	char name[TRACE_NAME_MAX];
	unsigned depth; /* nesting depth */
	uint64_t entered, insns, since;
};

struct region_table {
	struct vec_of(struct region_row) rows; /* in order of first appearance */
};

/*
 * Notes the begin or end of a region after `insns` instructions. Ignores the end of a region
 * that is not open.
 */
int region_table_event(struct region_table *t, const char *name, bool begin, uint64_t insns, struct err *e);

/* Returns whether `name` is open. */
bool region_table_inside(const struct region_table *t, const char *name);

/* Ends all open regions after `insns` instructions. */
void region_table_end(struct region_table *t, uint64_t insns);

void region_table_report(const struct region_table *t, struct report *r);
void region_table_finish(struct region_table *t);

#endif
