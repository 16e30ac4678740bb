/* psim --simpoints: the phases of a trace, and the plan to simulate one interval of each. Internal to the program. */
#ifndef PSIM_APP_PHASE_RUN_H
#define PSIM_APP_PHASE_RUN_H

#include "../core/core.h"
#include "../segments/phase_estimate.h"

struct phase_run {
	struct phases phases;
	struct phase_units units;
};

/*
 * Reads the trace at `path` behind its first `skip` instructions, finds its phases as `how` says, and makes the plan of
 * the intervals to simulate, which borrows from `p`. `step` is called with the instructions read; false ends the
 * reading. 0, or -1 with `e`. Free with phase_run_finish.
 */
int phase_run_plan(struct phase_run *p, struct sample_plan *plan, const char *path, uint64_t skip,
		   const struct phase_plan *how, bool (*step)(void *user, uint64_t instructions), void *user,
		   struct err *e);
/* Warns of an estimate whose interval is wide; `text`: the option's. */
void phase_run_judge(const struct phase_run *p, const struct core_sample *s, const char *text);
void phase_run_finish(struct phase_run *p);

#endif
