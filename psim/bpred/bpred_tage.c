/*
 * TAGE: Seznec and Michaud, "A case for (partially) tagged geometric history length branch prediction", Journal of
 * Instruction-Level Parallelism 8, 2006.
 *
 * A table of two-bit counters (the base) and tagged tables with more and more of the global history predict; the
 * matching table with the longest history provides the prediction. Its entry is new as long as its counter is weak and
 * it was never useful; a counter of four bits learns whether the next matching table predicts better then. An entry is
 * useful if it is right where the next one is wrong. A misprediction allocates an entry that is not useful, in a table
 * with a longer history. A column of the useful bits is cleared after each 256 K branches.
 *
 * Here, the history has directions of conditional branches alone, no path.
 */
#include <math.h>

#include "bpred_kind.h"
#include "bpred_state.h"

enum {
	TAGE_TABLES_MAX = 15,
	HISTORY_MAX = 1024, /* a power of two above the greatest bpred.tage_history_max */
	TAGE_COUNTER_MAX = 7,
	TAGE_TAKEN = 4, /* and the counter before it are weak */
	USEFUL_MAX = 3,
	ALT_MAX = 15,
	ALT_BETTER = 8,
	CLEAR_EACH = 1 << 18,
	COUNTER_BITS = 3,
	USEFUL_BITS = 2,
	REGISTER_BITS = 4 + 19 + 16, /* use of the alternate; branches between clears of both columns; random bits */
};

struct tage_entry {
	uint16_t tag;
	uint8_t counter, useful;
};

/* The last `length` directions as `width` bits, by exclusive or. */
struct tage_fold {
	uint32_t value;
	unsigned width, out; /* where the oldest direction leaves: length % width */
};

struct tage_table {
	struct tage_entry *entry;
	unsigned length;
	struct tage_fold index, tag, tag_again;
	/* of the present branch */
	struct tage_entry *here;
	uint16_t wanted;
};

struct tage {
	unsigned tables, index_bits;
	uint64_t base_mask, index_mask, tag_mask;
	uint32_t branches;          /* modulo 2 CLEAR_EACH */
	uint16_t random;            /* a shift register with linear feedback */
	uint8_t alt;                /* the alternate is better than a new entry, from ALT_BETTER on */
	struct tage_entry *entries; /* of all tables */
	/* from here to the tables' folds: what tage_history returns */
	uint8_t history[HISTORY_MAX];
	unsigned newest; /* in the ring `history` */
	struct tage_table table[TAGE_TABLES_MAX];
	uint8_t base[];
};

/* L(i) = L(1) x a^(i - 1), rounded. */
unsigned tage_length(const struct bpred_params *p, unsigned n)
{
	double ratio = (double)p->tage_history_max / p->tage_history_min;

	if (p->tage_tables == 1)
		return p->tage_history_max;
	return (unsigned)(p->tage_history_min * pow(ratio, (double)n / (p->tage_tables - 1)) + 0.5);
}

static void fold_init(struct tage_fold *f, unsigned length, unsigned width)
{
	*f = (struct tage_fold){.width = width, .out = length % width};
}

/* The newest direction comes, and the oldest one leaves. */
static void fold_update(struct tage_fold *f, unsigned newest, unsigned oldest)
{
	f->value = f->value << 1 | newest;
	f->value ^= oldest << f->out;
	f->value ^= f->value >> f->width;
	f->value &= (UINT32_C(1) << f->width) - 1;
}

/* Bytes of the block before the tagged tables, whose entries are aligned. */
static uint64_t tage_bytes_before(uint64_t base)
{
	return (sizeof(struct tage) + base + 7) & ~UINT64_C(7);
}

/* The tables follow the base, whose length is a power of two. */
static void tage_moved(void *tables)
{
	struct tage *t = tables;

	t->entries = (struct tage_entry *)((char *)t + tage_bytes_before(t->base_mask + 1));
	for (unsigned n = 0; n < t->tables; n++) {
		t->table[n].entry = t->entries + n * (t->index_mask + 1);
		t->table[n].here = NULL;
	}
}

static void *tage_create(const struct bpred_params *p)
{
	uint64_t base = UINT64_C(1) << p->tage_base_bits, entries = UINT64_C(1) << p->tage_bits;
	uint64_t before = tage_bytes_before(base);
	struct tage *t = state_block(before + p->tage_tables * entries * sizeof(struct tage_entry));

	if (!t)
		return NULL;
	t->tables = p->tage_tables;
	t->index_bits = p->tage_bits;
	t->base_mask = base - 1;
	t->index_mask = entries - 1;
	t->tag_mask = (UINT64_C(1) << p->tage_tag_bits) - 1;
	t->random = 1;
	t->alt = ALT_BETTER;
	tage_moved(t);
	/* counters start as weakly not taken */
	for (uint64_t n = 0; n < base; n++)
		t->base[n] = COUNTER_TAKEN - 1;
	for (uint64_t n = 0; n < t->tables * entries; n++)
		t->entries[n].counter = TAGE_TAKEN - 1;
	for (unsigned n = 0; n < t->tables; n++) {
		struct tage_table *i = &t->table[n];

		i->length = tage_length(p, n);
		fold_init(&i->index, i->length, p->tage_bits);
		fold_init(&i->tag, i->length, p->tage_tag_bits);
		fold_init(&i->tag_again, i->length, p->tage_tag_bits - 1);
	}
	return t;
}

/* Finds the entries of the branch at `pc`; returns the number of the longest matching table, from 1 on, 0: none. */
static unsigned tage_look_up(struct tage *t, uint64_t pc, unsigned *ret_next)
{
	uint64_t word = pc >> 2;
	unsigned longest = 0;

	*ret_next = 0;
	for (unsigned n = 0; n < t->tables; n++) {
		struct tage_table *i = &t->table[n];

		i->here = &i->entry[(word ^ word >> t->index_bits ^ i->index.value) & t->index_mask];
		i->wanted = (uint16_t)((word ^ i->tag.value ^ i->tag_again.value << 1) & t->tag_mask);
		if (i->here->tag != i->wanted)
			continue;
		*ret_next = longest;
		longest = n + 1;
	}
	return longest;
}

/* A number below `n`. */
static unsigned tage_random(struct tage *t, unsigned n)
{
	t->random = (uint16_t)(t->random >> 1 ^ (t->random & 1 ? 0xb400 : 0));
	return t->random % n;
}

/*
 * Allocates an entry in a table behind the first `provider`, each free one with twice the chance of the next; without a
 * free one, all become less useful.
 */
static void tage_allocate(struct tage *t, unsigned provider, bool taken)
{
	struct tage_table *free_one[TAGE_TABLES_MAX];
	unsigned count = 0, draw, at = 0;

	for (unsigned n = provider; n < t->tables; n++)
		if (!t->table[n].here->useful)
			free_one[count++] = &t->table[n];
	if (!count) {
		for (unsigned n = provider; n < t->tables; n++)
			t->table[n].here->useful--;
		return;
	}
	draw = tage_random(t, (1u << count) - 1);
	while (draw >= 1u << (count - 1 - at))
		draw -= 1u << (count - 1 - at++);
	*free_one[at]->here = (struct tage_entry){
		.tag = free_one[at]->wanted,
		.counter = (uint8_t)(taken ? TAGE_TAKEN : TAGE_TAKEN - 1),
	};
}

static uint8_t saturate(uint8_t counter, bool up, unsigned max)
{
	if (up)
		return (uint8_t)(counter + (counter < max));
	return (uint8_t)(counter - (counter > 0));
}

static void tage_shift(struct tage *t, bool taken)
{
	t->newest = (t->newest + 1) % HISTORY_MAX;
	t->history[t->newest] = taken;
	for (unsigned n = 0; n < t->tables; n++) {
		struct tage_table *i = &t->table[n];
		unsigned oldest = t->history[(t->newest - i->length) % HISTORY_MAX];

		fold_update(&i->index, taken, oldest);
		fold_update(&i->tag, taken, oldest);
		fold_update(&i->tag_again, taken, oldest);
	}
}

/* The history gets the outcome, and after CLEAR_EACH branches the useful bits lose a column, the higher one first. */
static void tage_advance(struct tage *t, bool taken)
{
	tage_shift(t, taken);
	t->branches = (t->branches + 1) % (2 * CLEAR_EACH);
	if (t->branches % CLEAR_EACH)
		return;
	for (uint64_t n = 0; n < t->tables * (t->index_mask + 1); n++)
		t->entries[n].useful &= t->branches ? 1 : 2;
}

/* Trains the entry that provides, whose prediction was `own`, and the choice between it and the alternate. */
static void tage_train_entry(struct tage *t, struct tage_entry *e, bool is_new, bool own, bool alt, bool taken)
{
	if (own != alt) {
		if (is_new)
			t->alt = saturate(t->alt, alt == taken, ALT_MAX);
		e->useful = saturate(e->useful, own == taken, USEFUL_MAX);
	}
	e->counter = saturate(e->counter, taken, TAGE_COUNTER_MAX);
}

/* The tables' answer of a branch. */
struct tage_word {
	unsigned provider; /* from 1 on; 0: the base */
	bool alt, own, is_new, predicted;
};

static struct tage_word tage_read(struct tage *t, uint64_t pc)
{
	unsigned next, provider = tage_look_up(t, pc, &next);
	struct tage_word w = {
		.provider = provider,
		.alt = next ? t->table[next - 1].here->counter >= TAGE_TAKEN
			    : t->base[pc >> 2 & t->base_mask] >= COUNTER_TAKEN,
	};
	const struct tage_entry *e;

	w.predicted = w.alt;
	if (!provider)
		return w;
	e = t->table[provider - 1].here;
	w.own = e->counter >= TAGE_TAKEN;
	w.is_new = !e->useful && (e->counter == TAGE_TAKEN || e->counter == TAGE_TAKEN - 1);
	w.predicted = w.is_new && t->alt >= ALT_BETTER ? w.alt : w.own;
	return w;
}

static bool tage_direction(void *tables, uint64_t pc, bool taken)
{
	struct tage *t = tables;
	uint8_t *base = &t->base[pc >> 2 & t->base_mask];
	struct tage_word w = tage_read(t, pc);

	if (w.provider) {
		tage_train_entry(t, t->table[w.provider - 1].here, w.is_new, w.own, w.alt, taken);
	} else {
		*base = (uint8_t)bpred_count(*base, taken);
	}
	if (w.predicted != taken)
		tage_allocate(t, w.provider, taken);
	tage_advance(t, taken);
	return w.predicted;
}

static bool tage_guess(void *tables, uint64_t pc)
{
	struct tage *t = tables;
	bool predicted = tage_read(t, pc).predicted;

	tage_shift(t, predicted);
	return predicted;
}

static void *tage_history(void *tables, size_t *ret_bytes)
{
	struct tage *t = tables;

	*ret_bytes = (size_t)((char *)&t->table[t->tables] - (char *)t->history);
	return t->history;
}

static void tage_digest(const void *tables, struct digest *d)
{
	const struct tage *t = tables;

	for (uint64_t n = 0; n <= t->base_mask; n++)
		digest_add(d, t->base[n]);
	for (uint64_t n = 0; n < t->tables * (t->index_mask + 1); n++)
		digest_add(d, (uint64_t)t->entries[n].tag << 16 | (uint64_t)t->entries[n].counter << 8 |
				      t->entries[n].useful);
	/* the folded histories follow from the history */
	for (unsigned n = 0; n < t->table[t->tables - 1].length; n++)
		digest_add(d, t->history[(t->newest - n) % HISTORY_MAX]);
	digest_add(d, (uint64_t)t->branches << 32 | (uint64_t)t->random << 8 | t->alt);
}

/* A look-up reads a word of the base and an entry of each tagged table. */
static void tage_storage(const struct bpred_params *p, struct bpred_storage *out)
{
	unsigned entry = COUNTER_BITS + USEFUL_BITS + p->tage_tag_bits;
	unsigned folds = p->tage_bits + 2 * p->tage_tag_bits - 1;

	out->bits = (UINT64_C(2) << p->tage_base_bits) + ((uint64_t)p->tage_tables * entry << p->tage_bits) +
		    p->tage_history_max + (uint64_t)p->tage_tables * folds + REGISTER_BITS;
	out->read_bits = BPRED_WORD_BITS + p->tage_tables * entry;
}

const struct bpred_kind BPRED_TAGE_kind = {
	.built = true,
	.create = tage_create,
	.moved = tage_moved,
	.direction = tage_direction,
	.guess = tage_guess,
	.history = tage_history,
	.digest = tage_digest,
	.storage = tage_storage,
};
