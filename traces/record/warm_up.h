/*
 * The last instructions before recording begins, kept for the part of a trace that warms up.
 *
 * A queue of executed blocks with their addresses; the oldest go as soon as the younger ones
 * hold so many instructions as are wanted. Inside of recorder.c.
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

/* Keeps at least the last `insns` instructions, if so many were put. NULL and `e`: no memory. */
struct warm_up *warm_up_create(uint64_t insns, struct err *e);
void warm_up_destroy(struct warm_up *w); /* NULL is allowed */

/* `block`, of so many instructions, was executed with `ea_count` addresses. 0, or -1 with `e`: no memory. */
int warm_up_put(struct warm_up *w, struct known_block *block, unsigned insns, unsigned ea_count, const uint64_t *ea,
		struct err *e);

/* The oldest that is kept; false if nothing is. */
bool warm_up_first(struct warm_up *w, struct warm_up_run *out);
/* Drops the oldest. */
void warm_up_drop(struct warm_up *w);

#endif
