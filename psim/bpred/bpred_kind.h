/*
 * A kind of branch predictor as a row of functions: bpred.c calls them, and has what all kinds share, the branch
 * history with targets and the return stack. The choice BPRED_X of core_config.h has the row BPRED_X_kind.
 */
#ifndef PSIM_BPRED_BPRED_ROW_H
#define PSIM_BPRED_BPRED_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpred.h"
#include "../base/digest.h"
#include "../base/state_walk.h"
#include "../machine/core_config.h"

struct bpred_kind {
	bool built; /* has the branch history and the return stack */
	bool right; /* knows each outcome: a bound, which cannot be built */
	/*
	 * Directions of conditional branches from tables of its own; all NULL: by the counter of the branch's entry in
	 * the branch history. `create` makes the tables as one state_block; NULL where memory is short.
	 */
	void *(*create)(const struct bpred_params *p);
	/* The block has the bytes of another one: makes its pointers its own. NULL: it has none. */
	void (*moved)(void *tables);
	/* Predicts the direction of the branch at `pc`, and trains the tables with its outcome. */
	bool (*direction)(void *tables, uint64_t pc, bool taken);
	/* On a wrong path: predicts, trains nothing, and lets the history go on as predicted. */
	bool (*guess)(void *tables, uint64_t pc);
	/* The history, which `guess` changes, as one piece of *ret_bytes, for it to be restored. */
	void *(*history)(void *tables, size_t *ret_bytes);
	/* Adds to `d` what later predictions depend on. */
	void (*digest)(const void *tables, struct digest *d);
	void (*storage)(const struct bpred_params *p, struct bpred_storage *out);
};

#define BPRED_ROW(id, name) extern const struct bpred_kind id##_kind;
BPRED_KINDS(BPRED_ROW)
#undef BPRED_ROW

/* TAGE: branches of the history that the tagged table `n` sees, the first from 0 on. */
unsigned tage_length(const struct bpred_params *p, unsigned n);

#endif
