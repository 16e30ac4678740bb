/*
 * Running the points of a plan that are not known yet, several at a time.
 *
 * Each point is simulated in a process of its own (fork), which sends its figures through a pipe
 * and ends. So a point starts from the same state whatever ran before it, a crash costs one point,
 * its memory is given back, and only the parent touches the results. A fork costs about a
 * millisecond, a point seldom less than a tenth of a second.
 */
#ifndef PSIM_ENERGY_EXPLORE_RUN_H
#define PSIM_ENERGY_EXPLORE_RUN_H

#include "plan.h"
#include "store.h"

struct run_options {
	unsigned jobs; /* points at a time, 1 or more */
	bool check;    /* the core's invariants, each cycle */
	/*
	 * Called at least five times a second with instructions simulated and a note
	 * ("12 of 40 points"); false ends the run in good order. NULL is allowed.
	 */
	bool (*step)(void *user, uint64_t instructions, const char *note);
	void *user;
};

struct run_outcome {
	size_t done, failed; /* points simulated and kept, and points that could not be */
	bool stopped;        /* `step` asked for the end */
	struct err first;    /* of the failed ones the first in the plan's order */
};

/*
 * Simulates every point that is not known, in order of the plan, and keeps each in `store` as soon
 * as it is done. A point that fails (a damaged trace, a core that is stuck) is counted, and the
 * others go on. 0, or -1 with `e` if the host fails (results cannot be written, no processes):
 * what was kept stays. Children are gone on return.
 */
int run_points(struct plan *p, struct store *store, const struct run_options *o, struct run_outcome *out,
	       struct err *e);

#endif
