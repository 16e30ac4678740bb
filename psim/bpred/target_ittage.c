/*
 * Targets from tagged tables of geometric histories: ITTAGE (A. Seznec and P. Michaud, "A case for (partially) TAgged
 * GEometric history length branch prediction", JILP 8, 2006). The branch history is the base. The history is of the
 * last targets alone, not of directions.
 */
#include <math.h>

#include "target_kind.h"

enum { CONFIDENT = 3, HISTORY = 64, TABLES = 15 }; /* the most of a counter, targets, tables */

struct ittage_entry {
	uint64_t target;
	uint16_t tag;
	uint8_t confidence, useful;
	bool valid;
};

struct ittage {
	unsigned tables, tag_bits;
	uint64_t mask;
	unsigned length[TABLES];
	unsigned newest;           /* place of the last target */
	uint64_t history[HISTORY]; /* a ring */
	struct ittage_entry entry[];
};

/* Targets that table `n` sees: a geometric series from 1 to target_history. */
static unsigned history_of(const struct bpred_params *p, unsigned n)
{
	if (p->target_tables == 1)
		return p->target_history;
	return (unsigned)(pow(p->target_history, (double)n / (p->target_tables - 1)) + 0.5);
}

static void *ittage_create(const struct bpred_params *p)
{
	const uint64_t entries = UINT64_C(1) << p->target_bits;
	struct ittage *t = state_block(sizeof(*t) + p->target_tables * entries * sizeof(*t->entry));

	if (!t)
		return NULL;
	t->tables = p->target_tables;
	t->tag_bits = p->target_tag_bits;
	t->mask = entries - 1;
	for (unsigned n = 0; n < t->tables; n++)
		t->length[n] = history_of(p, n);
	return t;
}

/* Mixes all bits (the finalizer of MurmurHash3, A. Appleby). */
static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

/* The transfer's entry in each table, and the tag that it would have. Returns the longest match from 1 on, 0: none. */
static unsigned look_up(struct ittage *t, uint64_t pc, struct ittage_entry *here[TABLES], uint16_t tag[TABLES],
			unsigned *ret_next)
{
	uint64_t path = pc >> 2;
	unsigned longest = 0, seen = 0;

	*ret_next = 0;
	for (unsigned n = 0; n < t->tables; n++) {
		uint64_t hash;

		for (; seen < t->length[n]; seen++)
			path = mix(path ^ t->history[(t->newest - seen) % HISTORY]);
		hash = mix(path + n);
		tag[n] = (uint16_t)(hash >> 40 & ((UINT64_C(1) << t->tag_bits) - 1));
		here[n] = &t->entry[n * (t->mask + 1) + (hash & t->mask)];
		if (!here[n]->valid || here[n]->tag != tag[n])
			continue;
		*ret_next = longest;
		longest = n + 1;
	}
	return longest;
}

/* Takes an entry of a table with a longer history that is of no use; if there is none, they lose their use. */
static void allocate(struct ittage *t, struct ittage_entry *here[TABLES], const uint16_t tag[TABLES], unsigned from,
		     uint64_t target)
{
	for (unsigned n = from; n < t->tables; n++)
		if (!here[n]->useful) {
			*here[n] = (struct ittage_entry){.target = target, .tag = tag[n], .valid = true};
			return;
		}
	for (unsigned n = from; n < t->tables; n++)
		here[n]->useful = 0;
}

static void train(struct ittage_entry *e, bool next_right, uint64_t target)
{
	const bool right = e->target == target;

	if (right && !next_right)
		e->useful = 1;
	if (right)
		e->confidence += e->confidence < CONFIDENT;
	else if (e->confidence)
		e->confidence--;
	else
		e->target = target;
}

/* An entry without confidence is new, or has been wrong. */
static uint64_t ittage_known(struct ittage_entry *const here[TABLES], unsigned longest, uint64_t other)
{
	return longest && here[longest - 1]->confidence ? here[longest - 1]->target : other;
}

static void ittage_advance(struct ittage *t, uint64_t target)
{
	t->newest = (t->newest + 1) % HISTORY;
	t->history[t->newest] = target >> 2;
}

static uint64_t ittage_predict(void *tables, uint64_t pc, uint64_t last, uint64_t target)
{
	struct ittage *t = tables;
	struct ittage_entry *here[TABLES];
	uint16_t tag[TABLES];
	unsigned next, longest = look_up(t, pc, here, tag, &next);
	const uint64_t other = next ? here[next - 1]->target : last;
	const uint64_t known = ittage_known(here, longest, other);

	if (longest)
		train(here[longest - 1], other == target, target);
	if (known != target)
		allocate(t, here, tag, longest, target);
	ittage_advance(t, target);
	return known;
}

static uint64_t ittage_guess(void *tables, uint64_t pc, uint64_t last)
{
	struct ittage *t = tables;
	struct ittage_entry *here[TABLES];
	uint16_t tag[TABLES];
	unsigned next, longest = look_up(t, pc, here, tag, &next);
	const uint64_t known = ittage_known(here, longest, next ? here[next - 1]->target : last);

	ittage_advance(t, known);
	return known;
}

static void *ittage_history(void *tables, size_t *ret_bytes)
{
	struct ittage *t = tables;

	*ret_bytes = sizeof(*t) - offsetof(struct ittage, newest);
	return &t->newest;
}

static void ittage_digest(const void *tables, struct digest *d)
{
	const struct ittage *t = tables;

	for (uint64_t n = 0; n < t->tables * (t->mask + 1); n++) {
		const struct ittage_entry *e = &t->entry[n];

		digest_add(d, e->target);
		digest_add(d, (uint64_t)e->tag << 32 | e->confidence << 16 | e->useful << 8 | e->valid);
	}
	for (unsigned n = 0; n < HISTORY; n++)
		digest_add(d, t->history[(t->newest - n) % HISTORY]);
}

/* Entries of target, tag, two bits of confidence and one of use; a look-up reads one of each table. */
static void ittage_storage(const struct bpred_params *p, uint64_t *bits, unsigned *read_bits)
{
	const unsigned entry = TARGET_BITS + p->target_tag_bits + 3;

	*bits = (UINT64_C(1) << p->target_bits) * p->target_tables * entry + (uint64_t)p->target_history * TARGET_BITS;
	*read_bits = p->target_tables * entry;
}

const struct target_kind TARGETS_ITTAGE_kind = {
	.create = ittage_create,
	.predict = ittage_predict,
	.guess = ittage_guess,
	.history = ittage_history,
	.digest = ittage_digest,
	.storage = ittage_storage,
};
