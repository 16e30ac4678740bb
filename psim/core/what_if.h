/* psim --what-if: the same traces on machines with one resource twice, or without limit. Internal to the program. */
#ifndef PSIM_CORE_WHAT_IF_H
#define PSIM_CORE_WHAT_IF_H

#include "../base/report/report.h"
#include "chip.h"

enum what_if {
#define W(name, change, doc) WHAT_IF_##name,
#include "what_if.def"
#undef W
	WHAT_IF_COUNT
};

struct what_if_run {
	const struct config *config;
	const struct core_config *cfg; /* the machine as it is */
	const struct chip_options *options;
	const char *const *paths; /* a trace for each core */
	uint64_t skip;            /* instructions at the begin of each trace */
	bool (*step)(void *user, unsigned done);
	void *user;
};

/*
 * Simulates each change in a process of its own, as many at a time as the host has processors. `cycles` are those of
 * the run with the change; 0: the machine has nothing of that, or the change breaks a rule of the configuration.
 * `step` is called after each run; false ends all. 0, or -1 with `e`.
 */
int what_if_simulate(const struct what_if_run *run, uint64_t cycles[WHAT_IF_COUNT], struct err *e);

/* Adds the table what_if: the changes with cycles, the fewest first, beside `plain`, those of the machine as it is. */
void what_if_report(const uint64_t cycles[WHAT_IF_COUNT], uint64_t plain, struct report *r);

#endif
