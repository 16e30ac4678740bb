/*
 * Functional warming: runs of blocks that are not simulated leave in caches, TLBs and branch
 * prediction what they would, in program order and without time. Nothing is counted.
 */
#ifndef PSIM_CORE_WARM_H
#define PSIM_CORE_WARM_H

#include "../../traces/trace.h"
#include "bpred.h"
#include "memsys.h"

/* What warming needs to know of a static block. */
struct warm_block;

/* NULL: no memory. Free with free(). */
struct warm_block *warm_block_create(const struct trace_block *b, const struct core_config *cfg);

/* The block was executed with the addresses `ea`, and the one at `next` after it (NULL: the trace ends). */
void warm_run(struct memsys *m, struct bpred *p, const struct trace_block *b, const struct warm_block *w,
	      const uint64_t *ea, const uint64_t *next);

#endif
