/*
 * Strides of single loads and stores: the reference prediction table of T. Chen and J. Baer, "Effective hardware-based
 * data prefetching for high-performance processors", IEEE Transactions on Computers 44(5), 1995.
 *
 * An instruction's entry has the line of its last access, the stride between the last two, and how the stride has done:
 *
 *   state      the stride was right   it was wrong
 *   initial    steady                 transient, with the new stride
 *   transient  steady                 none, with the new stride
 *   steady     steady                 initial
 *   none       transient              none, with the new stride
 *
 * In any state but none it wants the prefetch.degree lines that are multiples of the stride ahead, within the page; if
 * the stride was right, those that it did not want at the access before. The table is indexed by the instruction's
 * address, without search. The paper's prefetcher sees all accesses and counts bytes; this one sees misses of L1D, as
 * the other kinds do, and counts lines; an access to the line of the last one is no step.
 */
#include "prefetch_queue.h"

enum reference_state { REFERENCE_INITIAL, REFERENCE_TRANSIENT, REFERENCE_STEADY, REFERENCE_NONE };
/* Bits of an entry; those of the state with `wanted`. A stride that does not fit is 0, as it leaves the page anyway. */
enum { TAG_BITS = 32, STRIDE_BITS = 16, STATE_BITS = 3 };

struct reference {
	uint64_t line;
	int64_t stride;
	uint32_t tag;
	bool used;
	bool wanted;   /* lines, at the last access */
	uint8_t state; /* enum reference_state */
};

struct stride {
	struct prefetch_queue queue;
	unsigned degree, entries;
	struct reference reference[];
};

static void *stride_create(const struct prefetch_params *cfg)
{
	struct stride *s = state_block(sizeof(*s) + cfg->references * sizeof(struct reference));

	if (!s)
		return NULL;
	s->degree = cfg->degree;
	s->entries = cfg->references;
	return s;
}

static int64_t stride_between(uint64_t from, uint64_t to)
{
	const int64_t stride = (int64_t)(to - from), most = (INT64_C(1) << (STRIDE_BITS - 1)) - 1;

	return stride > most || stride < -most ? 0 : stride;
}

/* Updates an entry's stride and state by an access to `line`. */
static void learn(struct reference *r, uint64_t line)
{
	static const uint8_t right[] = {REFERENCE_STEADY, REFERENCE_STEADY, REFERENCE_STEADY, REFERENCE_TRANSIENT};
	static const uint8_t wrong[] = {REFERENCE_TRANSIENT, REFERENCE_NONE, REFERENCE_INITIAL, REFERENCE_NONE};
	const bool was_right = line == r->line + (uint64_t)r->stride;

	if (!was_right && r->state != REFERENCE_STEADY)
		r->stride = stride_between(r->line, line);
	r->wanted &= was_right;
	r->state = (was_right ? right : wrong)[r->state];
	r->line = line;
}

/* Wants the lines ahead of `line`, the access of an entry that has learnt from it. */
static void want_ahead(struct prefetcher *p, struct reference *r, uint64_t line)
{
	struct stride *s = p->state;
	const uint64_t before = line - (uint64_t)r->stride;
	const bool wanted = r->wanted;

	r->wanted = r->stride && r->state != REFERENCE_NONE;
	for (unsigned n = 1; r->wanted && n <= s->degree; n++) {
		uint64_t target = line + (uint64_t)(r->stride * (int64_t)n);

		if ((target ^ line) & p->page_mask)
			return;
		if (!wanted || n == s->degree || (target ^ before) & p->page_mask)
			prefetch_queue_want(p, &s->queue, target);
	}
}

static void stride_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	struct stride *s = p->state;
	const uint64_t word = p->pc / 4;
	struct reference *r = &s->reference[word % s->entries];
	const uint32_t tag = (uint32_t)(word / s->entries);

	(void)now;
	(void)trigger;
	if (!p->pc)
		return; /* of no instruction of the program */
	if (!r->used || r->tag != tag) {
		*r = (struct reference){.line = line, .tag = tag, .used = true};
		return;
	}
	if (line == r->line)
		return;
	learn(r, line);
	want_ahead(p, r, line);
}

static bool stride_take(struct prefetcher *p, uint64_t *ret_line)
{
	struct stride *s = p->state;

	*ret_line = prefetch_queue_take(p, &s->queue);
	return true;
}

static void stride_digest(struct prefetcher *p, uint64_t now, struct digest *d)
{
	const struct stride *s = p->state;

	(void)now;
	for (unsigned n = 0; n < s->entries; n++) {
		const struct reference *r = &s->reference[n];

		digest_add(d, r->used ? 2 + 2 * (uint64_t)r->state + r->wanted : 0);
		digest_add(d, r->line);
		digest_add(d, (uint64_t)r->stride);
		digest_add(d, r->tag);
	}
	prefetch_queue_digest(p, &s->queue, d);
}

/* Entries, and the queue in their width. */
static void stride_storage(const struct prefetch_params *cfg, struct prefetch_storage *out)
{
	const unsigned bits = TAG_BITS + PREFETCH_LINE_BITS + STRIDE_BITS + STATE_BITS;

	*out = (struct prefetch_storage){
		.entries = cfg->references + (PREFETCH_QUEUE * PREFETCH_LINE_BITS + bits - 1) / bits,
		.bits = bits,
	};
}

const struct prefetch_kind PREFETCHER_STRIDE_kind = {
	.create = stride_create,
	.access = stride_access,
	.take = stride_take,
	.digest = stride_digest,
	.storage = stride_storage,
};
