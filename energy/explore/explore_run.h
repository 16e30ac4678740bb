/*
 * Runs the points of a plan that are not known, several in parallel.
 *
 * Points are simulated in processes (fork), which send their figures through a pipe: so a crash costs one point, memory
 * is released, and only the parent touches the results. A point that is simulated whole has a process of its own. Up to
 * 32 points by units whose machines warm up alike have one, in which the trace is read and warmed up by once
 * (shared_units); a point has the same figures in whatever company.
 */
#ifndef PSIM_ENERGY_EXPLORE_RUN_H
#define PSIM_ENERGY_EXPLORE_RUN_H

#include "plan.h"
#include "store.h"

struct run_options {
	unsigned jobs; /* points in parallel, 1 or more */
	bool check;    /* check the core's invariants in each cycle */
	bool no_memo;  /* simulate known transitions again (psim/replay/memo.h) */
	/*
	 * Called at least five times a second with the instructions simulated and a note ("12
	 * of 40 points"); false ends the run. NULL is allowed.
	 */
	bool (*step)(void *user, uint64_t instructions, const char *note);
	void *user;
};

struct run_outcome {
	size_t done, failed; /* points simulated and kept, and points that failed */
	bool stopped;        /* `step` ended the run */
	struct err first;    /* of the failed points, the first in the plan's order */
};

/*
 * Simulates every unknown point, in the plan's order, and keeps each in `store` as soon as it
 * is done. A point that fails (a damaged trace, a stuck core) is counted, and the others
 * continue. Returns 0, or -1 with `e` if the host fails (results cannot be written, no
 * processes); kept points stay. No children are left on return.
 */
int run_points(struct plan *p, struct store *store, const struct run_options *o, struct run_outcome *out,
	       struct err *e);

#endif
