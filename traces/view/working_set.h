/* The lines and pages that a trace accesses, and the cache size that holds them. */
#ifndef PSIM_TRACES_VIEW_WORKING_SET_H
#define PSIM_TRACES_VIEW_WORKING_SET_H

#include "../../psim/base/report/report.h"
#include "../trace.h"
#include "stack.h"

enum { LINE_BITS = 6, PAGE_BITS = 13 }; /* 64 bytes, 8 KiB */

struct working_set {
	struct stack code, data;
	uint64_t insns;
};

int working_set_init(struct working_set *w, struct err *e);
void working_set_finish(struct working_set *w);
int working_set_add(struct working_set *w, const struct trace_step *step, struct err *e);

/* Adds the group "working_set" to a report. */
void working_set_report(const struct working_set *w, struct report *r);

#endif
