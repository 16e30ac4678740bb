/* The regions that a trace passes through: how often, and for how many instructions. */
#ifndef PSIM_TRACES_VIEW_REGION_TABLE_H
#define PSIM_TRACES_VIEW_REGION_TABLE_H

#include "../../psim/base/report/report.h"
#include "../../psim/base/vec.h"
#include "../trace.h"

struct region_row {
	char name[TRACE_NAME_MAX];
	unsigned depth; /* times open now */
	uint64_t entered, insns, since;
};

struct region_table {
	struct vec_of(struct region_row) rows; /* in order of first appearance */
};

/* A region begins or ends after `insns` instructions. The end of one not begun is ignored. */
int region_table_event(struct region_table *t, const char *name, bool begin, uint64_t insns, struct err *e);

/* Whether `name` is open. */
bool region_table_inside(const struct region_table *t, const char *name);

/* Ends what is open, after `insns` instructions. */
void region_table_end(struct region_table *t, uint64_t insns);

void region_table_report(const struct region_table *t, struct report *r);
void region_table_finish(struct region_table *t);

#endif
