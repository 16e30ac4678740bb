/*
 * Perturbed runs: the same traces on the same machine, disturbed a little, to see what a result owes to chance.
 *
 * A loop may settle into one steady state or another, and a deterministic simulator shows one of them. So a run is
 * repeated with small random delays, and the spread of the results is reported: A. Alameldeen, D. Wood, "Variability in
 * architectural simulations of multi-threaded workloads", HPCA 2003, where each miss to memory takes a random 0 to 4 ns
 * longer. Loops with perfect caches have more than one steady state, too. So fetch is delayed here: it pauses as for an
 * interrupt, so that the window drains partly and fills again. For the same time the memory channel is occupied, as by
 * a refresh.
 *
 * The first pause begins in the first PERTURB_FIRST cycles: another start. The others are PERTURB_MEAN cycles apart on
 * average, so that a run does not keep the state in which it has started. Each takes 1 to PERTURB_MOST cycles, whatever
 * the machine, so that machines can be compared. All depend on the number of the run alone.
 */
#ifndef PSIM_CORE_PERTURB_H
#define PSIM_CORE_PERTURB_H

#include <stdint.h>

enum {
	PERTURB_FIRST = 1000, /* cycles */
	PERTURB_MEAN = 100000,
	PERTURB_MOST = 64, /* of four instructions each: they empty most windows */
};

/* Where in its pauses a run is. */
struct perturbation {
	uint64_t run;  /* 0: unperturbed */
	uint64_t at;   /* cycle of the next pause; UINT64_MAX: none */
	uint64_t made; /* pauses so far */
	uint64_t held; /* cycles of these, summed over the cores */
};

/* Begins run number `run`. */
struct perturbation perturbation_begin(uint64_t run);
/* The length of the present pause on a core, in cycles. */
uint64_t perturbation_pause(const struct perturbation *p, unsigned core);
/* Goes on to the next pause. */
void perturbation_next(struct perturbation *p);

#endif
