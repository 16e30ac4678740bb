/*
 * The usual predictions, inline, for bpred.c and for replay: those of the first way of a set, most of which change no
 * state. The state that they read is in bpred_state.h.
 */
#ifndef PSIM_BPRED_BPRED_QUICK_H
#define PSIM_BPRED_BPRED_QUICK_H

#include "bpred_state.h"

/* Returns whether the branch history predicts the transfer, without return stack and tables of targets. */
static inline bool bpred_is_plain(const struct bpred *b, unsigned flags)
{
	return b->by_entry && !(flags & b->special);
}

/*
 * A plain transfer in the first way of its set, predicted right, with a saturated counter, so that no state changes. An
 * unconditional one is predicted as taken.
 */
static inline bool bpred_entry_settles(const struct bpred_entry *first, uint64_t pc, unsigned flags, bool taken,
				       uint64_t target)
{
	if (taken)
		return first->tag == (pc | COUNTER_MAX) && first->target == target;
	return first->tag == pc && flags & INSN_COND;
}
static inline bool bpred_is_settled(const struct bpred *b, uint64_t pc, unsigned flags, bool taken, uint64_t target)
{
	return bpred_entry_settles(bpred_set(b, pc), pc, flags, taken, target);
}

/* Counts a transfer that is settled, so many times. */
static inline void bpred_count_settled(struct bpred *b, unsigned flags, bool taken, uint64_t times)
{
	b->count[(flags & KIND_FLAGS) | taken] += times;
	b->table_hits += times;
}

/*
 * As bpred_branch for a plain transfer, not a call, that the first way of its set predicts right: true. If not, nothing
 * has changed.
 */
static inline bool bpred_first_way(struct bpred *b, struct bpred_entry *first, uint64_t pc, unsigned flags, bool taken,
				   uint64_t target)
{
	uint64_t counter = first->tag - pc;

	if (counter > COUNTER_MAX || (counter >= COUNTER_TAKEN || !(flags & INSN_COND)) != taken ||
	    (taken && first->target != target))
		return false;
	first->tag = pc | bpred_count((unsigned)counter, taken);
	bpred_count_settled(b, flags, taken, 1);
	return true;
}

#endif
