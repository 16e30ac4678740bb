/*
 * The best-offset prefetcher: Michaud, "Best-offset hardware prefetching", HPCA 2016.
 *
 * An access to line X that L2 lacked, or the first use of a prefetched line, makes it want line X + D. A table of
 * recent requests has the lines X of prefetches that have arrived. Each such access tests one offset O of a list, in
 * turn: if X - O is in the table and in the page of X, a prefetch with the offset O would have been in time, and the
 * score of O rises (the page, as in the author's program for the Second Data Prefetching Championship, 2015). When
 * a round of tests ends with a score of score_max, or is the round_max-th, the offset with the highest score becomes D,
 * and all scores are 0. If that score is at most bad_score, prefetching is off, and the table gets all fetched lines,
 * until a phase ends with a higher one.
 *
 * The first offset is 1.
 */
#include "prefetch_queue.h"

enum {
	FILLS = 64, /* lines under way, a power of two; one more makes the oldest count as arrived */
	TAG_BITS = 12,
};

/* Numbers up to 256 without a prime factor above 5. */
const uint16_t best_offsets[BEST_OFFSETS] = {
	1,   2,   3,   4,   5,   6,   8,   9,   10,  12,  15,  16,  18,  20,  24,  25,  27,  30,
	32,  36,  40,  45,  48,  50,  54,  60,  64,  72,  75,  80,  81,  90,  96,  100, 108, 120,
	125, 128, 135, 144, 150, 160, 162, 180, 192, 200, 216, 225, 240, 243, 250, 256,
};

struct fill {
	uint64_t at, line;
	bool prefetched;
};

struct best_offset {
	unsigned offset; /* D; 0: off */
	unsigned tested, round;
	unsigned score_max, round_max, bad_score;
	uint16_t score[BEST_OFFSETS];
	struct prefetch_queue queue;
	struct fill under_way[FILLS];
	unsigned first, fills; /* of the ring */
	unsigned recent_bits;
	uint16_t recent[]; /* a tag, and the bit above it; 0: empty */
};

static void *best_offset_create(const struct prefetch_params *cfg)
{
	struct best_offset *b = state_block(sizeof(*b) + (sizeof(*b->recent) << cfg->recent_bits));

	if (!b)
		return NULL;
	b->offset = 1;
	b->score_max = cfg->score_max;
	b->round_max = cfg->round_max;
	b->bad_score = cfg->bad_score;
	b->recent_bits = cfg->recent_bits;
	return b;
}

/* The entry of a line in the table of recent requests, and what it has then. */
static uint16_t *recent_entry(struct best_offset *b, uint64_t line, uint16_t *ret_tag)
{
	*ret_tag = (uint16_t)((line >> b->recent_bits & ((1u << TAG_BITS) - 1)) | 1u << TAG_BITS);
	return &b->recent[(line ^ line >> b->recent_bits) & ((UINT64_C(1) << b->recent_bits) - 1)];
}

static bool recent_has(struct best_offset *b, uint64_t line)
{
	uint16_t tag, *entry = recent_entry(b, line, &tag);

	return *entry == tag;
}

static bool in_page(const struct prefetcher *p, uint64_t a, uint64_t b)
{
	return !((a ^ b) & p->page_mask);
}

/* The line under way for the longest has arrived. */
static void fill_arrives(struct prefetcher *p)
{
	struct best_offset *b = p->state;
	const struct fill *f = &b->under_way[b->first];
	uint64_t from = f->line - b->offset;
	uint16_t tag, *entry = recent_entry(b, from, &tag);

	b->first = (b->first + 1) % FILLS;
	b->fills--;
	/* without prefetching, all lines; else those of prefetches, by the line whose access wanted them */
	if ((f->prefetched || !b->offset) && in_page(p, from, f->line))
		*entry = tag;
}

static void fills_until(struct prefetcher *p, uint64_t now)
{
	struct best_offset *b = p->state;

	while (b->fills && b->under_way[b->first].at <= now)
		fill_arrives(p);
}

static void best_offset_fill(struct prefetcher *p, uint64_t at, uint64_t line, bool prefetched)
{
	struct best_offset *b = p->state;

	if (b->fills == FILLS)
		fill_arrives(p);
	b->under_way[(b->first + b->fills++) % FILLS] = (struct fill){at, line, prefetched};
}

/* The end of a round; a phase ends with it if the scores say so, and the best offset is chosen. */
static void end_round(struct best_offset *b)
{
	unsigned best = 0;

	b->tested = 0;
	b->round++;
	for (unsigned n = 1; n < BEST_OFFSETS; n++)
		if (b->score[n] > b->score[best])
			best = n;
	if (b->score[best] < b->score_max && b->round < b->round_max)
		return;
	b->offset = b->score[best] > b->bad_score ? best_offsets[best] : 0;
	b->round = 0;
	for (unsigned n = 0; n < BEST_OFFSETS; n++)
		b->score[n] = 0;
}

static void best_offset_access(struct prefetcher *p, uint64_t now, uint64_t line, bool trigger)
{
	struct best_offset *b = p->state;
	uint64_t from;

	fills_until(p, now);
	if (!trigger)
		return;
	from = line - best_offsets[b->tested];
	if (in_page(p, from, line) && recent_has(b, from) && b->score[b->tested] < b->score_max)
		b->score[b->tested]++;
	if (++b->tested == BEST_OFFSETS)
		end_round(b);
	if (b->offset && in_page(p, line, line + b->offset))
		prefetch_queue_want(p, &b->queue, line + b->offset);
}

static bool best_offset_take(struct prefetcher *p, uint64_t *ret_line)
{
	struct best_offset *b = p->state;

	*ret_line = prefetch_queue_take(p, &b->queue);
	return true;
}

static void best_offset_digest(struct prefetcher *p, uint64_t now, struct digest *d)
{
	struct best_offset *b = p->state;

	fills_until(p, now);
	digest_add(d, (uint64_t)b->offset << 32 | b->tested << 16 | b->round);
	for (unsigned n = 0; n < BEST_OFFSETS; n++)
		digest_add(d, b->score[n]);
	for (uint64_t n = 0; n < UINT64_C(1) << b->recent_bits; n++)
		digest_add(d, b->recent[n]);
	prefetch_queue_digest(p, &b->queue, d);
	digest_add(d, b->fills);
	for (unsigned n = 0; n < b->fills; n++) {
		const struct fill *f = &b->under_way[(b->first + n) % FILLS];

		digest_add_time(d, f->at, now);
		digest_add(d, f->line << 1 | f->prefetched);
	}
}

/* The table of recent requests, and in entries of its width the scores, the queue, and numbers of offset and round. */
static void best_offset_storage(const struct prefetch_params *cfg, struct prefetch_storage *out)
{
	unsigned score_bits = 1, rest;

	while (cfg->score_max >> score_bits)
		score_bits++;
	rest = BEST_OFFSETS * score_bits + PREFETCH_QUEUE * PREFETCH_LINE_BITS + 9 + 6 + 10;
	*out = (struct prefetch_storage){
		.entries = (UINT64_C(1) << cfg->recent_bits) + (rest + TAG_BITS) / (TAG_BITS + 1),
		.bits = TAG_BITS + 1,
	};
}

unsigned best_offset(const struct prefetcher *p)
{
	return ((const struct best_offset *)p->state)->offset;
}

unsigned best_offset_score(const struct prefetcher *p, unsigned n)
{
	return ((const struct best_offset *)p->state)->score[n];
}

const struct prefetch_kind PREFETCHER_BEST_OFFSET_kind = {
	.create = best_offset_create,
	.access = best_offset_access,
	.take = best_offset_take,
	.fill = best_offset_fill,
	.digest = best_offset_digest,
	.storage = best_offset_storage,
};
