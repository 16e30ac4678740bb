/*
 * Sampling: which instructions of a trace are simulated, and what the units that are measured say of the whole.
 *
 * Systematic sampling with functional warming: R. Wunderlich, T. Wenisch, B. Falsafi, J. Hoe, "SMARTS: accelerating
 * microarchitecture simulation via rigorous statistical sampling", ISCA 2003. In each period of `every` instructions,
 * one part is simulated: `warm_up` instructions that bring pipeline and buffers into their usual state, the unit that
 * is measured, and `tail` instructions so that the pipeline does not run empty at its end. The rest warms up caches,
 * TLBs and branch prediction (warm.h). Three things differ. The first period is measured whole, since a cold start is
 * like nothing after it. In the others, the part is at a random place, so that units do not meet the same place of a
 * loop time and again; the places depend on the plan alone. And the estimate knows how many mispredictions and misses
 * the whole trace has, as warming finds them too (sample_estimate).
 */
#ifndef PSIM_CORE_SAMPLING_H
#define PSIM_CORE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/err.h"

struct sample_plan {
	uint64_t unit, every, warm_up, tail; /* instructions */
};

enum {
	SAMPLE_UNIT = 1000,
	SAMPLE_WARM_UP = 4000,
	SAMPLE_TAIL = 256,
	SAMPLE_UNITS_LEAST = 10, /* with fewer, a fit says nothing */
	SAMPLE_UNITS_MIN = 50,   /* of the default plan */
	SAMPLE_UNITS_MAX = 500,
	SAMPLE_SAVING = 4, /* the default plan simulates at most this part of the trace */
};

/*
 * Makes a plan from `text`, U/W: a unit of U instructions each W; "": the default for a trace of `length`
 * instructions, which has SAMPLE_UNITS_MIN to SAMPLE_UNITS_MAX units. `length` 0: unknown. 0, or -1 with `e` if the
 * text is wrong or the trace is too short.
 */
int sample_plan_parse(struct sample_plan *p, const char *text, uint64_t length, struct err *e);

/* Where in its plan a run is. Begins as {.plan = ...}. */
enum sample_state { SAMPLE_BEGIN, SAMPLE_OUTSIDE, SAMPLE_WARMING, SAMPLE_MEASURING, SAMPLE_ENDING };
struct sample_place {
	struct sample_plan plan;
	enum sample_state state;
	uint64_t period; /* number of the present part's */
	uint64_t change; /* instruction before which the state changes */
};

/*
 * Goes on to the block that begins with instruction `at` of the trace. States change between blocks. True if a measured
 * unit, or the head, begins or ends before the block: state is then MEASURING or ENDING.
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

/* Counts of a unit, or of the whole trace, whose cycles are unknown. */
struct sample_counts {
	uint64_t instructions, cycles;
	uint64_t events[SAMPLE_EVENTS];
};

/*
 * The estimate of a whole, in cycles. The interval is `cycles` plus and minus the sum of half the width of the 95 %
 * confidence interval of the sampling, and an allowance: for what the units themselves are off, as warming takes no
 * time and knows no queues, and some loops need more than the warm-up to settle; and for events of which the units
 * have too few or too many for chance.
 */
struct sample_estimate {
	double cycles, sampling, allowance;
};
/*
 * Part of the cycles. The kernels of sampling.py --chosen (tests/figures) are off by 0.4 % beyond their sampling
 * error.
 */
#define SAMPLE_ALLOWANCE 0.01

/*
 * Estimates the cycles of `whole`, of which head and `count` units were measured. The units' cycles are fitted by
 * least squares to their instructions and events; the fit is taken at the counts of the rest (a regression estimator:
 * W. Cochran, Sampling techniques, 1977, chapter 7). Columns that are zero in all units, or follow from others, are
 * left out. The error is from each unit's residual, enlarged by its influence on the fit, since the spread is not the
 * same everywhere (HC3 of J. MacKinnon, H. White, Journal of Econometrics 29, 1985). `cost`: cycles of an event, for
 * kinds that no unit has. `count`: more than SAMPLE_EVENTS + 1.
 */
struct sample_estimate sample_estimate(const struct sample_counts *whole, const struct sample_counts *head,
				       const struct sample_counts *unit, uint64_t count,
				       const double cost[SAMPLE_EVENTS]);

#endif
