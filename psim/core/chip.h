/*
 * Several equal cores on one chip, each with a trace of its own.
 *
 * A core has its own L1, TLBs, predictor, stream prefetcher and SIMD array;
 * L2 (capacity, miss buffers, the channel to the L1s) and the memory channel are
 * shared (memsys.h). The programs share no data: equal addresses of two
 * cores are different lines, and nothing of one program waits for another but
 * for bandwidth and room.
 *
 * Cores go in lock step: in each cycle all that have something to do, in the
 * order of their numbers. A core skips cycles in which nothing can happen to it on
 * its own, which is exact, since the others change nothing that it waits for: the
 * time of an access is fixed when it is made. A chip of one core is a core.
 */
#ifndef PSIM_CORE_CHIP_H
#define PSIM_CORE_CHIP_H

#include "core.h"

struct chip;

struct chip_options {
	bool check, no_skip;
	const char *region; /* as in core_options, and: */
	bool (*on_warm)(void *user, uint64_t instructions);
	void *warm_user;
	struct pipeview *view; /* NULL, or where the stages of `view_core` are noted; borrowed */
	unsigned view_core;
};

/*
 * cfg->chip.cores cores, with a reader each in `traces` (all of them different readers, even
 * of one file); configuration and readers are borrowed. NULL and `e` as core_create.
 */
struct chip *chip_create(const struct core_config *cfg, struct trace_reader *const *traces,
			 const struct chip_options *options, struct err *e);
void chip_destroy(struct chip *c); /* NULL is allowed */

/* As core_run, for all cores; done when the last is. With several cores messages name the core. */
int chip_run(struct chip *c, uint64_t limit, struct err *e);

unsigned chip_cores(const struct chip *c);
const struct core *chip_core(const struct chip *c, unsigned core);
/* Cycles so far: those of the core that has come farthest. */
uint64_t chip_cycles(const struct chip *c);
/* Program instructions committed so far, all cores. */
uint64_t chip_instructions(const struct chip *c);
/* Instructions so far that only warmed up, all cores. */
uint64_t chip_warmed(const struct chip *c);
/* Counts of all cores together over chip_cycles. */
void chip_activity(const struct chip *c, struct activity *out);

#endif
