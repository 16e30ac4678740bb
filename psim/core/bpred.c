#include "bpred.h"

#include <stdlib.h>

/*
 * An entry of the branch history: `tag` is the branch's address with the
 * two-bit counter in the bits that are always zero in it.
 */
struct entry {
	uint64_t tag, target;
};
enum { COUNTER_MASK = 3, COUNTER_MAX = 3, COUNTER_TAKEN = 2 };
#define NO_TAG (~(uint64_t)COUNTER_MASK) /* the last word of the address space: not a branch */

/* What a branch is counted under: those flags that make a kind, and whether it was taken. */
enum { KIND_FLAGS = INSN_COND | INSN_CALL | INSN_RETURN | INSN_INDIRECT, KIND_TAKEN = 1,
       KIND_COUNT = 2 * INSN_INDIRECT };
_Static_assert(!(KIND_FLAGS & KIND_TAKEN) && KIND_FLAGS < KIND_COUNT, "kinds index an array");

struct bpred {
	struct entry *table; /* sets of ways, each from the most to the least recently used */
	uint64_t set_mask;
	unsigned ways, kind;
	uint64_t count[KIND_COUNT]; /* branches of each kind */
	uint64_t table_hits;
	uint8_t *counter;    /* gshare: 1 << history_bits */
	uint64_t history, history_mask;
	uint64_t *ras;       /* a ring */
	unsigned ras_entries, ras_top, ras_live;
	struct bpred_stats *stats; /* those of `count` are added up when asked for */
};

struct bpred *bpred_create(const struct bpred_params *cfg, struct err *e)
{
	struct bpred *b = calloc(1, sizeof(*b));

	if (!b)
		goto no_memory;
	b->kind = cfg->kind;
	b->ways = cfg->ways;
	b->set_mask = cfg->entries / cfg->ways - 1;
	b->ras_entries = cfg->ras_entries;
	b->history_mask = ((uint64_t)1 << cfg->history_bits) - 1;
	b->stats = calloc(1, sizeof(*b->stats));
	b->table = malloc(cfg->entries * sizeof(*b->table));
	b->ras = calloc(cfg->ras_entries ? cfg->ras_entries : 1, sizeof(*b->ras));
	if (cfg->kind == BPRED_GSHARE)
		b->counter = calloc(b->history_mask + 1, 1);
	if (!b->stats || !b->table || !b->ras || (cfg->kind == BPRED_GSHARE && !b->counter))
		goto no_memory;
	for (unsigned i = 0; i < cfg->entries; i++)
		b->table[i] = (struct entry){ NO_TAG, 0 };
	/* weakly not taken: the state before anything is known */
	for (uint64_t i = 0; b->counter && i <= b->history_mask; i++)
		b->counter[i] = COUNTER_TAKEN - 1;
	return b;
no_memory:
	bpred_destroy(b);
	err_set(e, STATUS_FAILED, "branch prediction: not enough host memory for its tables");
	return NULL;
}

void bpred_destroy(struct bpred *b)
{
	if (!b)
		return;
	free(b->table);
	free(b->ras);
	free(b->counter);
	free(b->stats);
	free(b);
}

const struct bpred_stats *bpred_stats(const struct bpred *b)
{
	struct bpred_stats *s = b->stats;

	s->branches = s->conditional = s->taken = s->calls = s->returns = s->indirect = 0;
	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		uint64_t n = b->count[kind];

		s->branches += n;
		s->conditional += kind & INSN_COND ? n : 0;
		s->taken += kind & KIND_TAKEN ? n : 0;
		s->calls += kind & INSN_CALL ? n : 0;
		s->returns += kind & INSN_RETURN ? n : 0;
		s->indirect += (kind & INSN_INDIRECT) && !(kind & INSN_RETURN) ? n : 0;
	}
	s->table_hits = b->table_hits;
	return s;
}

static struct entry *set_of(const struct bpred *b, uint64_t pc)
{
	return &b->table[(pc >> 2 & b->set_mask) * b->ways];
}

/* The entry of the branch at `pc`, made the most recently used of its set; or NULL. */
static struct entry *table_use(struct bpred *b, uint64_t pc)
{
	struct entry *set = set_of(b, pc), found;
	unsigned i = 0;

	while ((set[i].tag ^ pc) & ~(uint64_t)COUNTER_MASK)
		if (++i == b->ways)
			return NULL;
	if (i) {
		found = set[i];
		for (; i > 0; i--)
			set[i] = set[i - 1];
		set[0] = found;
	}
	return &set[0];
}

/* A branch seen taken for the first time takes the place of the least recently used one. */
static void table_allocate(struct bpred *b, uint64_t pc, uint64_t target)
{
	struct entry *set = set_of(b, pc);

	for (unsigned i = b->ways - 1; i > 0; i--)
		set[i] = set[i - 1];
	set[0].tag = (pc & ~(uint64_t)COUNTER_MASK) | COUNTER_TAKEN;
	set[0].target = target;
}

/* The next state of a saturating two-bit counter. */
static unsigned count(unsigned counter, bool taken)
{
	if (taken)
		return counter + (counter < COUNTER_MAX);
	return counter - (counter > 0);
}

/*
 * Direction from gshare's counters, trained at once: McFarling, "Combining
 * branch predictors", WRL TN-36, 1993.
 */
static bool gshare_direction(struct bpred *b, uint64_t pc, bool taken)
{
	uint8_t *counter = &b->counter[(pc >> 2 ^ b->history) & b->history_mask];
	bool predicted = *counter >= COUNTER_TAKEN;

	*counter = count(*counter, taken);
	b->history = (b->history << 1 | taken) & b->history_mask;
	return predicted;
}

/* Prediction by the branch history, and its training. */
static struct bpred_answer table_predict(struct bpred *b, uint64_t pc, bool conditional,
                                         bool taken, uint64_t target)
{
	struct entry *e = table_use(b, pc);
	struct bpred_answer a = { .hit = e != NULL };
	bool direction = true;

	if (b->kind == BPRED_GSHARE && conditional)
		direction = gshare_direction(b, pc, taken);
	else if (e && conditional)
		direction = (e->tag & COUNTER_MASK) >= COUNTER_TAKEN;
	if (!e) {
		/* nothing to follow: fetch goes on behind the branch */
		if (taken)
			table_allocate(b, pc, target);
		return a;
	}
	a.taken = direction;
	a.target = direction ? e->target : 0;
	e->tag = (e->tag & ~(uint64_t)COUNTER_MASK) | count(e->tag & COUNTER_MASK, taken);
	if (taken)
		e->target = target;
	return a;
}

/* A ring: a push onto a full stack overwrites the oldest, a pop goes round. */
static void ras_push(struct bpred *b, uint64_t address)
{
	b->stats->ras_pushes++;
	if (b->ras_live < b->ras_entries)
		b->ras_live++;
	else
		b->stats->ras_overflows++;
	b->ras_top = b->ras_top + 1 == b->ras_entries ? 0 : b->ras_top + 1;
	b->ras[b->ras_top] = address;
}

static struct bpred_answer ras_pop(struct bpred *b, uint64_t target)
{
	struct bpred_answer a = { .taken = true, .hit = true, .target = b->ras[b->ras_top] };

	b->stats->ras_pops++;
	if (b->ras_live)
		b->ras_live--;
	else
		b->stats->ras_underflows++;
	b->ras_top = b->ras_top ? b->ras_top - 1 : b->ras_entries - 1;
	b->stats->ras_hits += a.target == target;
	return a;
}

static void count_mispredicted(struct bpred_stats *s, unsigned flags, bool direction)
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

/* Prediction and training in full. */
__attribute__((noinline))
static struct bpred_answer predict(struct bpred *b, uint64_t pc, unsigned flags,
                                   bool taken, uint64_t target)
{
	struct bpred_answer a = { .taken = false };

	if (b->kind == BPRED_PERFECT)
		return (struct bpred_answer){ taken, true, true, taken ? target : 0 };
	if (flags & INSN_RETURN && b->ras_entries) {
		a = ras_pop(b, target);
	} else if (b->kind != BPRED_NOT_TAKEN) {
		a = table_predict(b, pc, flags & INSN_COND, taken, target);
		b->table_hits += a.hit;
		b->stats->table_misses += taken && !a.hit;
	}
	if (flags & INSN_CALL && b->ras_entries)
		ras_push(b, pc + 8);
	a.correct = a.taken == taken && (!taken || a.target == target);
	if (!a.correct)
		count_mispredicted(b->stats, flags, a.taken != taken);
	return a;
}

struct bpred_answer bpred_branch(struct bpred *b, uint64_t pc, const struct insn *i,
                                 bool taken, uint64_t target)
{
	struct entry *e = set_of(b, pc);
	uint64_t counter = e->tag ^ pc; /* if not above 3, and the entry is this branch's */

	b->count[(i->flags & KIND_FLAGS) | taken]++;
	/* the usual case, without the rest: the first entry of the set is right */
	if (counter <= COUNTER_MAX && b->kind == BPRED_BRHIS &&
	    (i->flags & (INSN_COND | INSN_CALL | INSN_RETURN)) == INSN_COND &&
	    (counter >= COUNTER_TAKEN) == taken && (!taken || e->target == target)) {
		e->tag = pc | (taken ? COUNTER_MAX : 0); /* 2 or 3 to 3, 1 or 0 to 0 */
		b->table_hits++;
		return (struct bpred_answer){ taken, true, true, taken ? target : 0 };
	}
	return predict(b, pc, i->flags, taken, target);
}
