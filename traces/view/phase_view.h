/* The phases of a trace, as psim --simpoints finds them, as a report. */
#ifndef PSIM_TRACES_PHASE_VIEW_H
#define PSIM_TRACES_PHASE_VIEW_H

#include "../../psim/base/report/report.h"
#include "../phases.h"

struct phase_view {
	struct phase_vectors *vectors; /* NULL: there is no such view */
	struct phase_plan plan;
	bool grouped; /* phases are wanted, not vectors alone */
	struct phases phases;
};

/*
 * Begins with a plan (phase_plan_parse) for a trace of `length` instructions. `text` NULL: of vectors alone, by the
 * default plan. `sparse`: gets the vectors, unless NULL. 0, or -1 with `e`.
 */
int phase_view_begin(struct phase_view *v, const char *text, uint64_t length, FILE *sparse, struct err *e);
/* Behind the last run: groups the intervals. 0, or -1 with `e`. */
int phase_view_end(struct phase_view *v, struct err *e);
/* Adds the group grouping, and the tables phases and phase_changes. */
void phase_view_report(const struct phase_view *v, struct report *r);
void phase_view_finish(struct phase_view *v);

#endif
