/* The predictor's state: for the files of this folder; bpred_quick.h has what replay reads of it inline. */
#ifndef PSIM_BPRED_BPRED_STATE_H
#define PSIM_BPRED_BPRED_STATE_H

#include "bpred.h"
#include "../machine/core_config.h"

/*
 * An entry of the branch history: `tag` is the branch's address with the
 * two-bit counter in the bits that are always zero in it.
 */
struct bpred_entry {
	uint64_t tag, target;
};
enum { COUNTER_MASK = 3, COUNTER_MAX = 3, COUNTER_TAKEN = 2 };
#define NO_TAG (~(uint64_t)COUNTER_MASK) /* the last word of the address space: not a branch */

/* The kinds by which branches are counted: a combination of flags, and whether it was taken. */
enum {
	KIND_FLAGS = INSN_COND | INSN_CALL | INSN_RETURN | INSN_INDIRECT,
	KIND_TAKEN = 1,
	KIND_COUNT = 2 * INSN_INDIRECT
};
_Static_assert(!(KIND_FLAGS & KIND_TAKEN) && KIND_FLAGS < KIND_COUNT, "kinds index an array");

struct bpred {
	struct bpred_entry *table; /* sets of ways, each from the most to the least recently used */
	uint64_t set_mask;
	unsigned set_bits, ways;
	bool by_entry; /* directions are those of the entries in the branch history */
	const struct bpred_kind *kind;
	void *direction; /* the kind's tables of directions */
	const struct target_kind *targets;
	void *target;               /* its tables */
	unsigned special;           /* flags of transfers that the branch history alone does not predict */
	uint64_t count[KIND_COUNT]; /* branches of each kind */
	uint64_t table_hits;
	uint64_t *ras; /* a ring */
	unsigned ras_entries, ras_top, ras_live;
	struct bpred_stats before;  /* of bpred_set_stats: those of kinds, to which `count` is added */
	struct bpred_stats *stats;  /* bpred_stats adds those of `count` */
	struct bpred_stats ignored; /* counts of warming */
	struct bpred_path *path;    /* bpred_path.c; NULL without bpred_path_prepare */
};

/* bpred_path.c */
void bpred_path_destroy(struct bpred *b);
/* Exchanges the histories of a wrong path for those that its end restores; false: there is no path. */
bool bpred_path_swap(struct bpred *b);

/*
 * The set of a branch: the next higher bits of the address are folded into the index, so that
 * branches at equal distances, such as one in each fetch group or page, use all sets.
 */
static inline struct bpred_entry *bpred_set(const struct bpred *b, uint64_t pc)
{
	uint64_t word = pc >> 2;

	return &b->table[((word ^ word >> b->set_bits) & b->set_mask) * b->ways];
}

/* The next state of a saturating two-bit counter. */
static inline unsigned bpred_count(unsigned counter, bool taken)
{
	if (taken)
		return counter + (counter < COUNTER_MAX);
	return counter - (counter > 0);
}

#endif
