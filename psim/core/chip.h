/*
 * Several equal cores on one chip, each with a trace of its own.
 *
 * A core has its own L1, TLBs, predictor, stream prefetcher and SIMD array;
 * L2 (capacity, miss buffers, the channel to the L1s) and the memory channel are
 * shared (memsys.h). Traces of one program's threads (trace_info.thread) share its memory, their
 * L1Ds are coherent, and their cores wait for each other where the traces have it (thread_order.h). Programs share no
 * data: equal addresses of two programs are different lines, and they compete only for bandwidth and capacity. The
 * same trace twice is two programs. chip.sharing has other rules.
 *
 * Cores run in lock step: the core at the earliest cycle goes on, and of several the
 * one with the lowest number. Each core skips its own idle cycles. That is exact, since the time
 * of an access is fixed at its request, so that other cores change nothing that it
 * waits for. A core that waits for another thread has no turn. A chip of one core behaves as a core alone.
 */
#ifndef PSIM_CORE_CHIP_H
#define PSIM_CORE_CHIP_H

#include "core.h"

struct chip;

/* Megabytes for known transitions that programs give a chip, whose cores have equal parts: core_options.memo_bytes. */
enum { MEMO_MB_DEFAULT = 256 };

struct chip_options {
	const struct core_hooks *hooks; /* as in core_options */
	bool check, no_skip, details;   /* as in core_options */
	uint64_t memo_bytes, memo_check;
	const char *region; /* these nine as in core_options */
	const struct sample_plan *sample;
	int (*enter)(void *user, struct memsys *m, struct bpred *b, uint64_t *counted, struct err *e);
	void *enter_user;
	const struct segment_plan *segments; /* with one core */
	bool (*on_warm)(void *user, uint64_t instructions);
	void *warm_user;
	struct pipe_trace *pipe_trace; /* records the stages of core `pipe_trace_core`; may be NULL. Borrowed */
	unsigned pipe_trace_core;
	uint64_t perturbed_run; /* number of a perturbed run (perturb.h); 0: unperturbed */
};

/*
 * Makes cfg->chip.cores cores, each with its own reader in `traces`, even if the readers have the same
 * file. Configuration and readers are borrowed. NULL and `e` as core_create.
 */
struct chip *chip_create(const struct core_config *cfg, struct trace_reader *const *traces,
			 const struct chip_options *options, struct err *e);
void chip_destroy(struct chip *c); /* NULL is allowed */

/* As core_run, for all cores, until the last one is done. With several cores, messages name the core. */
int chip_run(struct chip *c, uint64_t limit, struct err *e);

unsigned chip_cores(const struct chip *c);
const struct core *chip_core(const struct chip *c, unsigned core);
/* The core of a chip of one, for segments.h. */
struct core *chip_only_core(struct chip *c);
/* Cycles so far: the maximum over the cores. */
uint64_t chip_cycles(const struct chip *c);
/* Program instructions committed so far, all cores. */
uint64_t chip_instructions(const struct chip *c);
/* Instructions so far that were used for functional warming only, all cores. */
uint64_t chip_warmed(const struct chip *c);
/* Cycles that a perturbed run has delayed fetch, summed over the cores. */
uint64_t chip_held(const struct chip *c);
/* Counts of all cores together over chip_cycles; a gated array sleeps on where its core ends before the others. */
void chip_activity(const struct chip *c, struct activity *out);

#endif
