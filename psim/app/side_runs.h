/*
 * psim's further runs of the same traces, on changed machines (what_if.h) or perturbed (run_spread.h), each in a
 * process of its own. Internal to the program.
 */
#ifndef PSIM_APP_SIDE_RUNS_H
#define PSIM_APP_SIDE_RUNS_H

#include "../core/chip.h"

/* A run: its machine, and its number among the perturbed ones (0: unperturbed). */
struct side_run {
	const struct core_config *cfg;
	uint64_t perturbed;
	const char *what; /* for messages, as "--what-if: memory" */
};

struct side_result {
	uint64_t cycles;
	uint64_t held;   /* cycles of pauses, summed over the cores: chip_held */
	double energy_j; /* of cores and L2 */
};

/* The part that all have in common. */
struct side_runs {
	const struct chip_options *options;
	const char *const *paths; /* a trace for each core */
	uint64_t skip;            /* instructions at the begin of each trace */
	bool (*step)(void *user, unsigned done);
	void *user;
};

/*
 * Simulates run[count], as many at a time as the host has processors, into result[count]. `step` is called after each
 * run; false ends all. 0, or -1 with `e`.
 */
int side_runs_simulate(const struct side_runs *s, const struct side_run *run, unsigned count,
		       struct side_result *result, struct err *e);

#endif
