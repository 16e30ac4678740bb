/* Simulates one point: a trace on a processor. */
#ifndef PSIM_ENERGY_EXPLORE_SIMULATE_H
#define PSIM_ENERGY_EXPLORE_SIMULATE_H

#include "figures.h"
#include "plan.h"

struct simulate_options {
	bool check;    /* check invariants in each cycle */
	bool no_memo;  /* simulate known transitions again */
	uint64_t runs; /* the first unperturbed, the others perturbed (perturb.h); 1 to STUDY_RUNS_MAX */
	/*
	 * Called periodically with the instructions committed; false cancels the run. NULL is
	 * allowed.
	 */
	bool (*step)(void *user, uint64_t instructions);
	void *user;
};

/*
 * Runs `file` to its end on each core of the processor `core`, o->runs times, and takes the figures from
 * psim's report, so that both agree: of several runs the means. Returns 0, or -1 with `e` (not NULL), which begins with
 * the file's path. A thermal runaway (energy.package) is a result: figures_runaway.
 */
int simulate(const struct core_config *core, const struct plan_file *file, const struct simulate_options *o,
	     struct figures *out, struct err *e);

/*
 * What points by units of a trace share whose machines warm up alike (warm_states_key): the trace's runs, and the state
 * before each unit. A point has the same figures without.
 */
struct shared_units {
	struct core_config core;
	struct trace_reader *trace;
	struct warm_states *states; /* NULL: each point makes its own */
};

/* Makes them for a machine, unless they need too much memory. 0, or -1 with `e`, as simulate. */
int shared_units_create(const struct core_config *core, const struct plan_file *file, struct shared_units *out,
			struct err *e);
void shared_units_finish(struct shared_units *u); /* may be all zero */

/*
 * Simulates the units of file->units on a processor with one core, and sets `out`, which the caller finishes. Of a
 * thermal runaway the expanded figures are that. `shared`: of these machines, or all zero. Returns 0, or -1 with `e`,
 * as simulate.
 */
int simulate_units(const struct core_config *core, const struct plan_file *file, const struct shared_units *shared,
		   const struct simulate_options *o, struct point_units *out, struct err *e);

/* Sets the means of all figures of run[runs], and the errors of those that have one. */
void figures_mean(const struct figures *run, uint64_t runs, struct figures *out);

/* Returns whether no junction's temperature carries off the power of a run: its system_j is infinite. */
bool figures_runaway(const struct figures *f);

#endif
