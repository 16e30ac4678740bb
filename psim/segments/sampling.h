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
 *
 * A loop may have several steady states, and keep the one in which it has started for longer than a warm-up. So a
 * further run simulates long parts, in which the same units have a long warm-up (sample_plan_long).
 */
#ifndef PSIM_SEGMENTS_SAMPLING_H
#define PSIM_SEGMENTS_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/sample_plan.h"

/*
 * A long part: the units of its first and of its second half, with the cycles that each took in its own part and in the
 * long one.
 */
struct sample_long_part {
	uint64_t length; /* instructions, with those between the units */
	uint64_t instructions[2], own_cycles[2], long_cycles[2];
};
/* The long parts of a sample. */
struct sample_long {
	struct sample_plan plan;                         /* long_parts 0: there are none */
	struct sample_long_part part[SAMPLE_LONG_PARTS]; /* those of which all units have a pair */
	unsigned parts;
	uint64_t simulated; /* instructions */
};
/*
 * Pairs the units of the long parts of l->plan, `longer[longer_count]`, with those of the periods' own parts,
 * `unit[count]`, of which the first is of period 1, into l->part.
 */
void sample_pair(struct sample_long *l, const struct sample_counts *unit, uint64_t count,
		 const struct sample_counts *longer, uint64_t longer_count);

/*
 * The estimate of a whole, in cycles. The interval is `cycles` plus and minus the sum of half the width of the 95 %
 * confidence interval of the sampling, and an allowance: for what the units themselves are off, as warming takes no
 * time and knows no queues; for events of which the units have too few or too many for chance; and for what still
 * changes within the long parts. `correction`: the part of `cycles` that is from the long parts.
 */
struct sample_estimate {
	double cycles, sampling, allowance, correction;
	bool drifts;       /* the second halves of the long parts differ from the first ones by more than chance */
	double drift;      /* cycles by which they do; 0 if they do not */
	unsigned left_out; /* bits of the events that are no part of the fit */
};
/*
 * Part of the cycles, with units of SAMPLE_UNIT instructions or more. The kernels of sampling.py --chosen
 * (tests/figures) are off by 0.4 % beyond their sampling error. What happens at the ends of a unit takes a larger
 * part of shorter ones, in inverse proportion to their instructions.
 */
#define SAMPLE_ALLOWANCE 0.01

/* How far an estimate is to be trusted. */
enum sample_trust {
	SAMPLE_HOLDS,
	SAMPLE_WIDE, /* half the interval is more than SAMPLE_WIDE_PART of the cycles */
	/* the interval reaches 0, or the long parts change by more than SAMPLE_WIDE_PART of the cycles */
	SAMPLE_NOTHING,
};
/* Two machines that differ by a half have intervals that touch: above it, few comparisons are decided. */
#define SAMPLE_WIDE_PART 0.25

/*
 * Returns what an estimate says. One whose interval has no cycles at its begin bounds the time by nothing from below.
 * Where the units still change that much within the long parts, the run has no state of which these are a sample.
 */
enum sample_trust sample_trust(const struct sample_estimate *x);

/*
 * Estimates the cycles of `whole`, of which head and `count` units were measured. The units' cycles are fitted by
 * least squares to their instructions and events; the fit is taken at the counts of the rest (a regression estimator:
 * W. Cochran, Sampling techniques, 1977, chapter 7). Columns that are zero in all units, or follow from others, are
 * left out; so are events of which warming counts more or fewer per instruction than the units around which it warms,
 * by more than SAMPLE_SAME standard errors of these differences: out-of-order accesses that hit may miss in order. No
 * event costs less than 0 cycles: those that would are left out, too, one by one (after C. Lawson, R. Hanson, Solving
 * least squares problems, 1974, chapter 23), since columns that are almost alike have large costs of both signs. The
 * error is from each unit's residual, enlarged by its influence on the fit, since the spread is not the same everywhere
 * (HC3 of J. MacKinnon, H. White, Journal of Econometrics 29, 1985). `cost`: cycles of an event, for kinds that no unit
 * has. `count`: more than SAMPLE_EVENTS + 1.
 *
 * With two long parts or more, the estimate is one of double sampling (Cochran, chapter 12): to it is added the mean
 * difference that a long warm-up makes, in their second halves, which are the sample of it. The whole run
 * is one more draw. It keeps for ever the part of the variance that both halves of a long part have in common, their
 * covariance, as a loop may keep the state in which it has started (the variance component between the parts: S. Searle
 * and others, Variance components, 1992, chapter 3). Of the rest it has as many draws as it has halves.
 */
enum { SAMPLE_SAME = 4 };
struct sample_estimate sample_estimate(const struct sample_counts *whole, const struct sample_counts *head,
				       const struct sample_counts *unit, uint64_t count,
				       const double cost[SAMPLE_EVENTS], const struct sample_long *longer);

#endif
