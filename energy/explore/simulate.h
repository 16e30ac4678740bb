/* One point: a trace through a processor. */
#ifndef PSIM_ENERGY_EXPLORE_SIMULATE_H
#define PSIM_ENERGY_EXPLORE_SIMULATE_H

#include "figures.h"
#include "plan.h"

struct simulate_options {
	bool check; /* invariants in each cycle */
	/* Called now and then with the instructions committed; NULL, or returns false to give up. */
	bool (*step)(void *user, uint64_t instructions);
	void *user;
};

/*
 * Runs `file` to its end through the processor `core`, on each of its cores, and takes the figures from the report that
 * psim prints, so that both say the same. 0, or -1 with `e` (not NULL), which begins
 * with the file's path.
 */
int simulate(const struct core_config *core, const struct plan_file *file, const struct simulate_options *o,
	     struct figures *out, struct err *e);

#endif
