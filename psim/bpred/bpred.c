#include "bpred_quick.h"

#include <stdlib.h>
#include <string.h>

#include "bpred_kind.h"
#include "target_kind.h"

/* Kinds that need no tables of directions. */
const struct bpred_kind BPRED_BRHIS_kind = {.built = true};
const struct bpred_kind BPRED_NOT_TAKEN_kind = {0};
const struct bpred_kind BPRED_PERFECT_kind = {.right = true};

static const struct bpred_kind *const rows[] = {
#define BPRED_ROW(id, name) [id] = &id##_kind,
	BPRED_KINDS(BPRED_ROW)
#undef BPRED_ROW
};

const struct target_kind TARGETS_LAST_kind = {0};

static const struct target_kind *const target_rows[] = {
#define TARGET_ROW(id, name) [id] = &id##_kind,
	TARGET_KINDS(TARGET_ROW)
#undef TARGET_ROW
};

struct bpred *bpred_create(const struct bpred_params *cfg, struct err *e)
{
	struct bpred *b = calloc(1, sizeof(*b));

	if (!b)
		goto no_memory;
	b->kind = rows[cfg->kind];
	b->by_entry = b->kind->built && !b->kind->direction;
	b->targets = target_rows[b->kind->built ? cfg->targets : TARGETS_LAST];
	b->special = INSN_RETURN | (b->targets->predict ? INSN_INDIRECT : 0);
	b->ways = cfg->ways;
	b->set_mask = cfg->entries / cfg->ways - 1;
	b->set_bits = (unsigned)__builtin_popcountll(b->set_mask);
	b->ras_entries = cfg->ras_entries;
	b->stats = calloc(1, sizeof(*b->stats));
	b->table = malloc(cfg->entries * sizeof(*b->table));
	b->ras = calloc(cfg->ras_entries ? cfg->ras_entries : 1, sizeof(*b->ras));
	if (b->kind->create)
		b->direction = b->kind->create(cfg);
	if (b->targets->create)
		b->target = b->targets->create(cfg);
	if (!b->stats || !b->table || !b->ras || (b->kind->create && !b->direction) ||
	    (b->targets->create && !b->target))
		goto no_memory;
	for (unsigned i = 0; i < cfg->entries; i++)
		b->table[i] = (struct bpred_entry){NO_TAG, 0};
	return b;
no_memory:
	bpred_destroy(b);
	err_set(e, STATUS_FAILED, "branch prediction: out of memory for its tables");
	return NULL;
}

void bpred_destroy(struct bpred *b)
{
	if (!b)
		return;
	free(b->table);
	free(b->ras);
	state_block_free(b->direction);
	state_block_free(b->target);
	free(b->stats);
	bpred_path_destroy(b);
	free(b);
}

const struct bpred_stats *bpred_stats(const struct bpred *b)
{
	const struct bpred_stats *before = &b->before;
	struct bpred_stats *s = b->stats;

	s->branches = before->branches;
	s->conditional = before->conditional;
	s->taken = before->taken;
	s->calls = before->calls;
	s->returns = before->returns;
	s->indirect = before->indirect;
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

void bpred_set_stats(struct bpred *b, const struct bpred_stats *s)
{
	memset(b->count, 0, sizeof(b->count));
	b->before = *b->stats = *s;
	b->table_hits = s->table_hits;
}

static inline bool is_entry_of(const struct bpred_entry *e, uint64_t pc)
{
	return (e->tag ^ pc) <= COUNTER_MASK;
}

/* Makes the entry of the branch at `pc` the most recently used of its set, and returns it; NULL if absent. */
static inline struct bpred_entry *table_use(struct bpred *b, uint64_t pc)
{
	struct bpred_entry *set = bpred_set(b, pc), found;
	unsigned i = 0;

	while (!is_entry_of(&set[i], pc))
		if (++i == b->ways)
			return NULL;
	if (i) {
		found = set[i];
		for (; i > 1; i--)
			set[i] = set[i - 1];
		set[1] = set[0];
		set[0] = found;
	}
	return set;
}

/*
 * Allocates an entry for a branch that is taken, replacing the least recently used one.
 * Its counter starts at its end: most branches that are taken once are taken again (Yeh and
 * Patt, "Two-level adaptive training branch prediction", MICRO 1991, start theirs so), and
 * from the middle of the range a branch that is taken every second time is never right.
 */
static void table_allocate(struct bpred *b, uint64_t pc, uint64_t target)
{
	struct bpred_entry *set = bpred_set(b, pc);

	for (unsigned i = b->ways - 1; i > 0; i--)
		set[i] = set[i - 1];
	set[0].tag = (pc & ~(uint64_t)COUNTER_MASK) | COUNTER_MAX;
	set[0].target = target;
}

/* The stack is a ring: a push onto a full stack overwrites the oldest entry, a pop wraps around. */
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

/* Pops the predicted target of a return, whose actual target is `target`. */
static uint64_t ras_pop(struct bpred *b, uint64_t target)
{
	uint64_t popped = b->ras[b->ras_top];

	b->stats->ras_pops++;
	if (b->ras_live)
		b->ras_live--;
	else
		b->stats->ras_underflows++;
	b->ras_top = b->ras_top ? b->ras_top - 1 : b->ras_entries - 1;
	b->stats->ras_hits += popped == target;
	return popped;
}

/* Counts a misprediction and passes it on. */
__attribute__((noinline)) static struct bpred_answer bpred_wrong(struct bpred *b, unsigned flags, bool taken,
								 bool predicted, bool hit, uint64_t target)
{
	bpred_count_wrong(b->stats, flags, predicted != taken);
	return (struct bpred_answer){predicted, hit, false, predicted ? target : 0};
}

/* The source of the direction of a branch that the table has. */
enum direction { NOT_TAKEN, TAKEN, BY_COUNTER };

/* Prediction by the branch history, and its training. */
__attribute__((noinline)) static struct bpred_answer
table_predict(struct bpred *b, uint64_t pc, unsigned flags, bool taken, uint64_t target, enum direction direction)
{
	struct bpred_entry *e = table_use(b, pc);
	uint64_t counter, known;
	bool predicted;

	if (!e) {
		/* without an entry, fetch continues at the next address */
		if (!taken)
			return (struct bpred_answer){.correct = true};
		b->stats->table_misses++;
		table_allocate(b, pc, target);
		return bpred_wrong(b, flags, taken, false, false, 0);
	}
	b->table_hits++;
	counter = e->tag & COUNTER_MASK;
	known = e->target;
	predicted = direction == BY_COUNTER ? counter >= COUNTER_TAKEN : direction == TAKEN;
	e->tag = (e->tag & ~(uint64_t)COUNTER_MASK) | bpred_count(counter, taken);
	if ((flags & (INSN_INDIRECT | INSN_RETURN)) == INSN_INDIRECT && b->targets->predict)
		known = b->targets->predict(b->target, pc, known, target);
	if (taken)
		e->target = target;
	if (predicted != taken || (taken && known != target))
		return bpred_wrong(b, flags, taken, predicted, true, known);
	return (struct bpred_answer){taken, true, true, taken ? target : 0};
}

/* Prediction by return stack, tables of directions and the predictors without state. */
__attribute__((noinline)) static struct bpred_answer predict(struct bpred *b, uint64_t pc, unsigned flags, bool taken,
							     uint64_t target)
{
	enum direction direction = flags & INSN_COND ? BY_COUNTER : TAKEN;
	uint64_t known;

	if (b->kind->right)
		return (struct bpred_answer){taken, true, true, taken ? target : 0};
	if (flags & INSN_RETURN && b->ras_entries) {
		known = ras_pop(b, target);
		if (!taken || known != target)
			return bpred_wrong(b, flags, taken, true, true, known);
		return (struct bpred_answer){true, true, true, target};
	}
	if (!b->kind->built) {
		if (taken)
			return bpred_wrong(b, flags, taken, false, false, 0);
		return (struct bpred_answer){.correct = true};
	}
	if (b->kind->direction && flags & INSN_COND)
		direction = b->kind->direction(b->direction, pc, taken) ? TAKEN : NOT_TAKEN;
	return table_predict(b, pc, flags, taken, target, direction);
}

/* Predicts and trains; counts all but the kind of branch. */
static inline struct bpred_answer predict_branch(struct bpred *b, uint64_t pc, unsigned flags, bool taken,
						 uint64_t target)
{
	if (flags & INSN_CALL && b->ras_entries)
		ras_push(b, pc + 8);
	if (!bpred_is_plain(b, flags))
		return predict(b, pc, flags, taken, target);
	if (bpred_is_settled(b, pc, flags, taken, target)) { /* the fast path */
		b->table_hits++;
		return (struct bpred_answer){taken, true, true, taken ? target : 0};
	}
	return table_predict(b, pc, flags, taken, target, flags & INSN_COND ? BY_COUNTER : TAKEN);
}

struct bpred_answer bpred_branch(struct bpred *b, uint64_t pc, const struct insn *i, bool taken, uint64_t target)
{
	b->count[(i->flags & KIND_FLAGS) | taken]++;
	return predict_branch(b, pc, i->flags, taken, target);
}

void bpred_train(struct bpred *b, uint64_t pc, const struct insn *i, bool taken, uint64_t target)
{
	struct bpred_stats *counted = b->stats;
	uint64_t table_hits = b->table_hits;

	/* a call also changes the return stack */
	if (bpred_is_plain(b, i->flags) && !(i->flags & INSN_CALL) && bpred_is_settled(b, pc, i->flags, taken, target))
		return;
	b->stats = &b->ignored;
	predict_branch(b, pc, i->flags, taken, target);
	b->stats = counted;
	b->table_hits = table_hits;
}

uint64_t bpred_train_mispredicted(const struct bpred *b)
{
	return b->ignored.mispredicted;
}

void bpred_walk(struct bpred *b, const struct state_walk *w)
{
	state_piece(w, b->table, (size_t)(b->set_mask + 1) * b->ways * sizeof(*b->table));
	state_piece(w, b->ras, b->ras_entries * sizeof(*b->ras));
	state_piece(w, &b->ras_top, sizeof(b->ras_top));
	state_piece(w, &b->ras_live, sizeof(b->ras_live));
	state_block_walk(w, b->direction);
	state_block_walk(w, b->target);
	if (b->kind->moved)
		b->kind->moved(b->direction);
}

static void digest_tables(const struct bpred *b, struct digest *d)
{
	for (uint64_t n = 0; n < (b->set_mask + 1) * b->ways; n++) {
		digest_add(d, b->table[n].tag);
		digest_add(d, b->table[n].target);
	}
	if (b->kind->digest)
		b->kind->digest(b->direction, d);
	if (b->targets->digest)
		b->targets->digest(b->target, d);
	for (unsigned n = 0; n < b->ras_entries; n++)
		digest_add(d, b->ras[(b->ras_top + n) % b->ras_entries]);
	digest_add(d, b->ras_live);
}

void bpred_digest(struct bpred *b, struct digest *d)
{
	digest_tables(b, d);
	if (!bpred_path_swap(b))
		return;
	digest_tables(b, d);
	bpred_path_swap(b);
}

void bpred_storage(const struct bpred_params *p, struct bpred_storage *out)
{
	const struct bpred_kind *kind = rows[p->kind];

	*out = (struct bpred_storage){
		.built = kind->built, .read_bits = BPRED_WORD_BITS, .target_read_bits = BPRED_WORD_BITS};
	if (kind->storage)
		kind->storage(p, out);
	if (kind->built && target_rows[p->targets]->storage)
		target_rows[p->targets]->storage(p, &out->target_bits, &out->target_read_bits);
}
