/*
 * Branch prediction for fetch.
 *
 * SPARC64 V's branch history (BRHIS) is a tagged, set-associative table that
 * holds, for branches seen taken, direction counter and target; a branch not
 * found in it is predicted not taken. A return address stack serves returns.
 * The trace holds no wrong path, so predict and update are called in program
 * order when the branch is fetched; the table is updated at once (the core
 * charges the misprediction), which is the usual approximation of
 * trace-driven models.
 *
 * brhis: the table as described, two-bit counters, an entry allocated when a
 *   branch without one is taken (strongly taken), LRU within a set. The set is
 *   selected by a hash of the address.
 * gshare: direction of conditional branches from 2^history_bits counters; the
 *   same table for targets, without which fetch cannot follow a taken branch.
 * tage: the same from a base and tagged tables (bpred_tage.c).
 * targets of indirect transfers are those of the table, or of tables of their own (target_kind.h).
 * not_taken: fetch always continues at the next address. perfect: always right.
 * With all but the last, returns pop the return stack (if ras_entries > 0) and
 * do not use the table; an empty stack returns the old contents of its ring, as
 * hardware without a fill count does.
 */
#ifndef PSIM_BPRED_BPRED_H
#define PSIM_BPRED_BPRED_H

#include <stdint.h>

#include "../../isa/insn.h"
#include "../base/err.h"
#include "bpred_stats.h"

struct bpred;
struct bpred_params;
struct digest;
struct state_walk;

struct bpred_answer {
	bool taken;      /* predicted direction */
	bool hit;        /* the table (or the return stack) knew the branch */
	bool correct;    /* direction, and target if taken, match the trace */
	uint64_t target; /* predicted, if taken */
};

/* `cfg` is not kept. NULL and `e` where memory is short; destroy accepts NULL. */
struct bpred *bpred_create(const struct bpred_params *cfg, struct err *e);
void bpred_destroy(struct bpred *b);

/*
 * Returns whether a transfer with these flags that goes on at `next` counts as taken, `behind` being the address behind
 * its delay slot. One whose target is in a register is always taken: fetch needs the target, whatever it is.
 */
static inline bool bpred_taken(unsigned flags, uint64_t next, uint64_t behind)
{
	return next != behind || flags & INSN_INDIRECT;
}

/*
 * Predicts the control transfer `i` at `pc`, compares with the outcome in the trace
 * (`taken`, `target`; the latter ignored if not taken), and trains the tables.
 * A call pushes pc + 8.
 */
struct bpred_answer bpred_branch(struct bpred *b, uint64_t pc, const struct insn *i, bool taken, uint64_t target);

/* Functional warming (warm.h): trains the tables as bpred_branch does, but counts nothing in bpred_stats. */
void bpred_train(struct bpred *b, uint64_t pc, const struct insn *i, bool taken, uint64_t target);

/* Mispredictions of bpred_train so far. */
uint64_t bpred_train_mispredicted(const struct bpred *b);

/*
 * Wrong paths: predictions behind a mispredicted transfer. bpred_path_prepare makes room for them: 0, or -1 with `e`.
 * From bpred_path_begin to bpred_path_end, bpred_path_next predicts by the tables, trains nothing and counts nothing;
 * histories and return stack go on as predicted, and are restored by bpred_path_end. Returns the predicted target of
 * the transfer `i` at `pc`, or 0: not taken. A perfect predictor has no wrong paths.
 */
int bpred_path_prepare(struct bpred *b, struct err *e);
void bpred_path_begin(struct bpred *b);
uint64_t bpred_path_next(struct bpred *b, uint64_t pc, const struct insn *i);
void bpred_path_end(struct bpred *b);

/* Adds to `d` what later predictions depend on. */
void bpred_digest(struct bpred *b, struct digest *d);

/* Walks over the tables, histories and the return stack. */
void bpred_walk(struct bpred *b, const struct state_walk *w);

/* Counters so far; owned by `b`, valid until the next call. */
const struct bpred_stats *bpred_stats(const struct bpred *b);
/* Replaces them. */
void bpred_set_stats(struct bpred *b, const struct bpred_stats *s);

/*
 * Storage of the predictor of `p`, for energy and area. Tables of directions are in words of BPRED_WORD_BITS; 0 bits:
 * it has none beside the branch history.
 */
enum { BPRED_WORD_BITS = 64 };
struct bpred_storage {
	bool built;         /* has the branch history and the return stack */
	uint64_t bits;      /* of the tables of directions, with their registers */
	unsigned read_bits; /* by one look-up, at least a word */
	/* the same of the tables of targets */
	uint64_t target_bits;
	unsigned target_read_bits;
};
void bpred_storage(const struct bpred_params *p, struct bpred_storage *out);

#endif
