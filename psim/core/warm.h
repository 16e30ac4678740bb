/*
 * Functional warming: instructions that are not simulated update caches, TLBs and branch
 * prediction, in program order. They take no time, and nothing is counted.
 */
#ifndef PSIM_CORE_WARM_H
#define PSIM_CORE_WARM_H

#include "../../traces/trace.h"
#include "../memory/memsys.h"

struct bpred;

/* The accesses and the control transfer of a static block. */
struct warm_block;

/* NULL: no memory. Free with free(). */
struct warm_block *warm_block_create(const struct trace_block *b, const struct core_config *cfg);

/* Warms TLBs and caches with one execution of `b` at the addresses `ea`. */
void warm_memory(struct memsys *m, const struct trace_block *b, const struct warm_block *w, const uint64_t *ea);

/* Trains branch prediction with the block's control transfer; the next block is at `next` (NULL: end of the trace). */
void warm_branch(struct bpred *p, const struct warm_block *w, const uint64_t *next);

#endif
