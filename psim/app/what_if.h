/* psim --what-if: the same traces on machines with one resource twice, or without limit. Internal to the program. */
#ifndef PSIM_APP_WHAT_IF_H
#define PSIM_APP_WHAT_IF_H

#include "../base/report/report.h"
#include "side_runs.h"

enum what_if_change {
#define W(name, change, doc) WHAT_IF_##name,
#include "what_if.def"
#undef W
	WHAT_IF_COUNT
};

enum { WHAT_IF_TEXT_MAX = 48 };

/* The changes of a machine, and the runs of each. */
struct what_if {
	unsigned changes, runs;                     /* runs of each change, the first of them unperturbed */
	enum what_if_change change[WHAT_IF_COUNT];  /* those that this machine can have */
	char what[WHAT_IF_COUNT][WHAT_IF_TEXT_MAX]; /* of each, for messages */
	struct core_config *cfg;                    /* of each */
	struct side_run *run;                       /* `runs` of each */
	struct side_result *result;                 /* of these; cycles 0: not done */
};

/*
 * Makes the changes of `cfg`, without those of what the machine does not have and those that break a rule of the
 * configuration. 0, or -1 with `e`. Call what_if_destroy in any case.
 */
int what_if_create(struct what_if *w, const struct config *config, const struct core_config *cfg, unsigned runs,
		   struct err *e);
void what_if_destroy(struct what_if *w);

/* Simulates all runs, as side_runs_simulate. After an error `w` has the results so far. */
int what_if_simulate(struct what_if *w, const struct side_runs *s, struct err *e);

/*
 * Adds the table what_if: the changes with cycles, the fewest first, beside plain[w->runs], those of the machine as it
 * is. With several runs, cycles are their means, and the table has the intervals.
 */
void what_if_report(const struct what_if *w, const struct side_result *plain, struct report *r);

#endif
