/*
 * The estimate of a whole trace from one interval of each of its phases (traces/phases.h), and from others of the
 * phases how far it may be off.
 */
#ifndef PSIM_SEGMENTS_PHASE_ESTIMATE_H
#define PSIM_SEGMENTS_PHASE_ESTIMATE_H

#include "../../traces/phases.h"
#include "sampling.h"

/* The intervals of all phases that are simulated, in the order of the trace. */
struct phase_units {
	uint64_t count;
	uint64_t *number; /* of each interval */
	uint64_t *begin;  /* its first instruction */
};
/* 0, or -1 with `e` without memory. Free with phase_units_finish. */
int phase_units_create(struct phase_units *u, const struct phases *p, struct err *e);
void phase_units_finish(struct phase_units *u);
/* The place of an interval in `u`, which has it. */
uint64_t phase_unit_of(const struct phase_units *u, uint64_t interval);

/*
 * The estimate. Each instruction of a phase takes as long as those of the chosen interval. The error of a phase is the
 * root of the mean square of what its checks take more or less, of all its instructions but for the chosen interval's
 * part. Errors of phases are independent, so their squares add up; `sampling` is their root times Student's t for the
 * freedom that the numbers of checks give (F. Satterthwaite, "An approximate distribution of estimates of variance
 * components", Biometrics Bulletin 2, 1946). `allowance`: as that of other units. `unit`: counts of each of `u`.
 */
struct sample_estimate phase_estimate(const struct phases *p, const struct phase_units *u,
				      const struct sample_counts *unit);

/* The cycles if the mean of all measured intervals of a phase stood for it. */
double phase_mean_cycles(const struct phases *p, const struct phase_units *u, const struct sample_counts *unit);

/* Cycles per instruction of an interval of `u`. */
double phase_unit_cpi(const struct phase_units *u, const struct sample_counts *unit, uint64_t interval);
/* The error of a phase: cycles per instruction; 0 without checks. */
double phase_error(const struct phase *phase, const struct phase_units *u, const struct sample_counts *unit);

#endif
