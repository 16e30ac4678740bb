/*
 * A point simulated by units: short parts of the trace at random places, the same for all machines, between which the
 * rest warms up caches, TLBs and branch prediction (sampling.h of psim/segments). estimates.h makes figures of them.
 */
#ifndef PSIM_ENERGY_EXPLORE_POINT_UNITS_H
#define PSIM_ENERGY_EXPLORE_POINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "../../psim/core/sample_plan.h"
#include "figures.h"

/* Figures with an interval. */
enum unit_figure { UNIT_TIME, UNIT_ENERGY, UNIT_FIGURES };

enum {
	POINT_UNITS_MIN = 40,      /* of fewer the spread is not known */
	POINT_UNITS_MAX = 200,     /* of the default plan */
	POINT_UNITS_WARM = 2000,   /* instructions before a unit: all machines have the same, and differences count */
	POINT_UNITS_SAVING = 12,   /* the default plan simulates at most this part of a trace */
	POINT_UNITS_TEXT_MAX = 64, /* of a plan's text */
};

struct point_units {
	size_t count;                /* 0: none */
	double *value[UNIT_FIGURES]; /* of each unit: cycles; joules of core, L2 and memory */
	struct figures expanded;     /* of all units together, as if the whole trace were like them */
};

void point_units_finish(struct point_units *u);

/* Makes room for `count` units. 0, or -1 with `e`. */
int point_units_create(struct point_units *u, size_t count, struct err *e);

/*
 * Plans the units of a trace of `length` instructions by the text of a study: "auto", or "U/W", a unit of U
 * instructions in each W. Sets *out, whose `chosen` the caller frees, and `text`, which names the plan in the results.
 * Returns 1; 0 if the trace is too short; or -1 with `e`: the text is wrong (STATUS_USAGE), or memory is short.
 */
int point_units_plan(const char *sample, uint64_t length, struct sample_plan *out, char text[POINT_UNITS_TEXT_MAX],
		     struct err *e);

#endif
