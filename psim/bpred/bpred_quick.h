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

/* Counts a misprediction, of the direction or of the target. */
static inline void bpred_count_wrong(struct bpred_stats *s, unsigned flags, bool direction)
{
	s->mispredicted++;
	if (direction)
		s->mispredicted_direction++;
	else
		s->mispredicted_target++;
	s->mispredicted_conditional += (flags & INSN_COND) != 0;
	if (flags & INSN_RETURN)
		s->mispredicted_returns++;
	else if (flags & INSN_INDIRECT)
		s->mispredicted_indirect++;
}

/* Returns whether a way of the set is the branch's. */
static inline bool bpred_holds(const struct bpred *b, const struct bpred_entry *set, uint64_t pc)
{
	for (unsigned i = 0; i < b->ways; i++)
		if (set[i].tag - pc <= COUNTER_MAX)
			return true;
	return false;
}

/*
 * As bpred_branch for a plain transfer, not a call, that the first way of its set has, or that no way has and that is
 * not taken. BPRED_UNKNOWN: it is another one, and nothing has changed.
 */
enum bpred_quick { BPRED_UNKNOWN, BPRED_RIGHT, BPRED_WRONG };
static inline enum bpred_quick bpred_predict_quick(struct bpred *b, struct bpred_entry *first, uint64_t pc,
						   unsigned flags, bool taken, uint64_t target)
{
	uint64_t counter = first->tag - pc, known = first->target;
	bool predicted = counter >= COUNTER_TAKEN || !(flags & INSN_COND);

	if (counter > COUNTER_MAX) {
		if (taken || bpred_holds(b, first, pc))
			return BPRED_UNKNOWN;
		b->count[flags & KIND_FLAGS]++;
		return BPRED_RIGHT;
	}
	first->tag = pc | bpred_count((unsigned)counter, taken);
	if (taken)
		first->target = target;
	bpred_count_settled(b, flags, taken, 1);
	if (predicted == taken && (!taken || known == target))
		return BPRED_RIGHT;
	bpred_count_wrong(b->stats, flags, predicted != taken);
	return BPRED_WRONG;
}

#endif
