/*
 * What bounds a run: its critical path, whose length is the run's time, divided into parts. A change that shortens only
 * one part saves at most that part. docs/programs/pages.md has the rules.
 */
#ifndef PSIM_ANALYSIS_BOUNDS_H
#define PSIM_ANALYSIS_BOUNDS_H

#include <stdint.h>

enum bound {
#define B(ID, name, meaning) BOUND_##ID,
#include "bounds.def"
	BOUNDS
};

/* Use of links over the run. */
struct bound_links {
	const char *busiest;      /* name of the link that is used most; borrowed. NULL: the engine does not know */
	int64_t most_ps, mean_ps; /* time in which it carries data at its bandwidth; the same of a link in use, mean */
	uint32_t used, links;     /* links that carried anything; all */
};

/* Times in ps: parts of the path, and the computation of ranks. */
struct bound_figures {
	int64_t work, overhead;                                  /* of the path */
	int64_t latency, transfer, copies, contention, together; /* of its messages; `copies` is part of `transfer` */
	int64_t mean, most; /* computation of a rank: mean, and of the busiest one */
	struct bound_links links;
};

/*
 * Returns whether one link explains the contention: it carries data for at least half the time of the path's messages,
 * and for at least twice as long as a link in use does on average.
 */
int bounds_one_link(const struct bound_figures *f);

/* Divides the path's time into ps[BOUNDS], which add up to it. */
void bounds_divide(const struct bound_figures *f, int64_t ps[BOUNDS]);

/* Returns the name of a part, and its meaning. */
const char *bound_name(enum bound b);
const char *bound_meaning(enum bound b);

#endif
