/*
 * Internal to recorder.c: the last instructions before recording begins, for the warm-up part
 * of a trace.
 *
 * A queue of executed blocks with their addresses. The oldest are dropped as soon as the
 * younger ones have the requested number of instructions.
 */
#ifndef PSIM_RECORD_WARM_UP_H
#define PSIM_RECORD_WARM_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "../../psim/base/err.h"

struct known_block;
struct warm_up;

struct warm_up_run {
	struct known_block *block;
	const uint64_t *ea; /* valid until the next call */
};

/* Keeps at least the last `insns` instructions. Returns NULL with `e` if memory is exhausted. */
struct warm_up *warm_up_create(uint64_t insns, struct err *e);
void warm_up_destroy(struct warm_up *w); /* NULL is allowed */

/*
 * Adds a run of `block` of `insns` instructions with `ea_count` addresses. Returns 0, or -1
 * with `e` if memory is exhausted.
 */
int warm_up_put(struct warm_up *w, struct known_block *block, unsigned insns, unsigned ea_count, const uint64_t *ea,
		struct err *e);

/* The oldest run; false if the queue is empty. */
bool warm_up_first(struct warm_up *w, struct warm_up_run *out);
/* Drops the oldest run. */
void warm_up_drop(struct warm_up *w);

#endif
