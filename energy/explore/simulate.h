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
 * Simulates the units of `plan` on a processor with one core, and sets `out`, which the caller finishes. Of a thermal
 * runaway the expanded figures are that. Returns 0, or -1 with `e`, as simulate.
 */
int simulate_units(const struct core_config *core, const struct plan_file *file, const struct sample_plan *plan,
		   const struct simulate_options *o, struct point_units *out, struct err *e);

/* Sets the means of all figures of run[runs], and the errors of those that have one. */
void figures_mean(const struct figures *run, uint64_t runs, struct figures *out);

/* Returns whether no junction's temperature carries off the power of a run: its system_j is infinite. */
bool figures_runaway(const struct figures *f);

#endif
