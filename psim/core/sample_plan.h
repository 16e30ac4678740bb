/*
 * Which instructions of a trace a sample simulates and measures, and where in this plan a run is. sampling.h has the
 * method, and what the units say of the whole.
 */
#ifndef PSIM_CORE_SAMPLE_PLAN_H
#define PSIM_CORE_SAMPLE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/err.h"

struct sample_plan {
	uint64_t unit, every, warm_up, tail; /* instructions */
	/*
	 * 0: a part of each period. Else these many long parts instead, each of `long_periods` whole periods, one at a
	 * random place in each of as many equal stretches of the trace. They have the same units, but a long warm-up
	 * before them.
	 */
	uint64_t long_parts, long_periods;
	uint64_t periods; /* of the trace; with long parts */
	/*
	 * Units at chosen places instead, not NULL: `chosen_count` instructions of the trace, ascending and at least a
	 * unit apart, each the first of a unit. There is no head. A unit ends where the next one begins, at the latest,
	 * and the last one with the trace.
	 */
	const uint64_t *chosen; /* borrowed */
	uint64_t chosen_count;
	bool each; /* keep all counts of each unit; those of chosen ones are kept anyway */
};

enum {
	SAMPLE_UNIT = 1000,
	SAMPLE_WARM_UP = 4000,
	SAMPLE_TAIL = 256,
	SAMPLE_UNITS_LEAST = 10, /* with fewer, a fit says nothing */
	SAMPLE_UNITS_MIN = 50,   /* of the default plan */
	SAMPLE_UNITS_MAX = 500,
	SAMPLE_SAVING = 4, /* the default plan simulates at most this part of the trace; long parts, as much again */
	SAMPLE_LONG_PARTS = 6,
	SAMPLE_LONG_MOST = 400000, /* instructions of a long part, unless two periods have more */
};

/*
 * Makes a plan from `text`, U/W: a unit of U instructions each W; "": the default for a trace of `length`
 * instructions, which has SAMPLE_UNITS_MIN to SAMPLE_UNITS_MAX units. `length` 0: unknown. 0, or -1 with `e` if the
 * text is wrong or the trace is too short.
 */
int sample_plan_parse(struct sample_plan *p, const char *text, uint64_t length, struct err *e);

/* The plan of long parts beside `p`, in a trace of `length` instructions. False: it is too short for them. */
bool sample_plan_long(const struct sample_plan *p, uint64_t length, struct sample_plan *out);

/* Where in its plan a run is. Begins as {.plan = ...}. */
enum sample_state { SAMPLE_BEGIN, SAMPLE_OUTSIDE, SAMPLE_WARMING, SAMPLE_MEASURING, SAMPLE_ENDING };
struct sample_place {
	struct sample_plan plan;
	enum sample_state state;
	uint64_t period; /* number of the present unit's, or of the present or next chosen one */
	uint64_t part;   /* number of the present long part */
	uint64_t change; /* instruction before which the state changes */
};

/*
 * Goes on to the block that begins with instruction `at` of the trace. States change between blocks. True if a measured
 * unit, or the head, begins or ends before the block: state is then MEASURING or ENDING. Then it is called again for
 * the same block, since a chosen unit may begin where another one ends.
 */
bool sample_advance(struct sample_place *s, uint64_t at);

/* Events that warming counts as simulation does. */
enum sample_event {
	SAMPLE_MISPREDICTS, /* mispredicted control transfers */
	SAMPLE_LINES,       /* lines that L1 requested from L2 */
	SAMPLE_READS,       /* lines read from memory */
	SAMPLE_WALKS,       /* misses of both data TLBs */
	SAMPLE_EVENTS,
};

/*
 * Counts of a unit, or of the whole trace, whose cycles are unknown. Of a unit also those of warming between the unit
 * before and this one; 0 instructions: there are none.
 */
struct sample_counts {
	uint64_t first; /* of a unit: instructions of the trace before it */
	uint64_t instructions, cycles;
	uint64_t events[SAMPLE_EVENTS];
	uint64_t warmed_instructions, warmed_events[SAMPLE_EVENTS];
};

/* The instruction with which the long part `part` of a plan begins, in periods. */
uint64_t sample_long_begin(const struct sample_plan *p, uint64_t part);

#endif
