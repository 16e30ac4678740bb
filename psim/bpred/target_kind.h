/*
 * A kind of predictor of targets of register-indirect transfers, but for returns, as a row of functions. The choice
 * TARGETS_X of core_config.h has the row TARGETS_X_kind. Histories are of these transfers' targets alone, so that all
 * other branches keep their short ways.
 */
#ifndef PSIM_BPRED_TARGET_KIND_H
#define PSIM_BPRED_TARGET_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "bpred.h"
#include "../base/digest.h"
#include "../base/state_walk.h"
#include "../machine/core_config.h"

struct target_kind {
	/*
	 * Makes the tables as one state_block, without pointers; NULL where memory is short. NULL: the kind has none.
	 */
	void *(*create)(const struct bpred_params *p);
	/*
	 * Predicts the target of the transfer at `pc`, of which the branch history has `last`, and trains the tables
	 * with its target.
	 */
	uint64_t (*predict)(void *tables, uint64_t pc, uint64_t last, uint64_t target);
	/* On a wrong path: predicts, trains nothing, and lets the history go on as predicted. */
	uint64_t (*guess)(void *tables, uint64_t pc, uint64_t last);
	/* The history, which `guess` changes, as one piece of *ret_bytes, for it to be restored. */
	void *(*history)(void *tables, size_t *ret_bytes);
	/* Adds to `d` what later predictions depend on. */
	void (*digest)(const void *tables, struct digest *d);
	/* Bits of the tables, and of a look-up. */
	void (*storage)(const struct bpred_params *p, uint64_t *bits, unsigned *read_bits);
};
enum { TARGET_BITS = 64 }; /* as in an entry of the branch history */

#define TARGET_ROW(id, name) extern const struct target_kind id##_kind;
TARGET_KINDS(TARGET_ROW)
#undef TARGET_ROW

#endif
