/*
 * The usual accesses, inline, for the memory system itself and for replay; memsys.h's functions do what these do not
 * handle. The state that they read is in memsys_state.h.
 *
 * Each returns whether it was a hit that is translated without delay, or the usual transfer. If not, nothing has
 * changed. load_hits, store_hits and fetch_hits count the hit; quick_load, quick_store and quick_fetch leave it to
 * memsys_count_quick.
 */
#ifndef PSIM_MEMORY_QUICK_ACCESS_H
#define PSIM_MEMORY_QUICK_ACCESS_H

#include "memsys_state.h"

/*
 * A line that is not FILL_PENDING, in the first way of its set, translated without delay: returns its tag; else NULL.
 * The address is in the core's space. hit_fast: of any access; hit_word_fast: of an aligned one of 4 or 8 bytes.
 */
static inline uint64_t *hit_word_fast(struct memsys *m, uint64_t now, uint64_t address, unsigned known)
{
	struct cache *c = &m->l1d.cache;
	uint64_t *tag = cache_quick(c, address);

	if (!cache_is(c, *tag, address) || (!(known & MEM_TRANSLATED) && !tlb_hit_fast(&m->dtlb, now, address)))
		return NULL;
	return tag;
}
static inline uint64_t *hit_fast(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	if (((address + size - 1) ^ address) & m->l1d.cache.address_mask)
		return NULL;
	return hit_word_fast(m, now, address & ~UINT64_C(3), known);
}

/* Returns whether L1D may write the line of this tag whatever other L1Ds have. */
static inline bool may_write(const struct memsys *m, uint64_t tag)
{
	return !m->shares || tag & LINE_DIRTY;
}

static inline bool quick_load(struct memsys *m, uint64_t now, uint64_t address, unsigned size)
{
	address ^= m->space;
	return hit_fast(m, now, address, size, 0) || (m->l1d.perfect && tlb_hit_fast(&m->dtlb, now, address));
}

/* As quick_load, for an aligned access of 4 or 8 bytes. */
static inline bool quick_load_word(struct memsys *m, uint64_t now, uint64_t address)
{
	address ^= m->space;
	return hit_word_fast(m, now, address, 0) || (m->l1d.perfect && tlb_hit_fast(&m->dtlb, now, address));
}

/* A store of which hit_fast or hit_word_fast has found `tag`. */
static inline bool quick_write(struct memsys *m, uint64_t now, uint64_t address, uint64_t *tag, unsigned known)
{
	if (tag && !may_write(m, *tag))
		return false;
	if (tag)
		*tag |= LINE_DIRTY;
	else if (!(m->l1d.perfect && tlb_hit_fast(&m->dtlb, now, address)))
		return false;
	if (known & MEM_REQUESTED)
		m->stats.l1d_stores_ahead_in_time++;
	return true;
}

static inline bool quick_store(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	address ^= m->space;
	return quick_write(m, now, address, hit_fast(m, now, address, size, known), known);
}

static inline bool quick_store_word(struct memsys *m, uint64_t now, uint64_t address, unsigned known)
{
	address ^= m->space;
	return quick_write(m, now, address, hit_word_fast(m, now, address, known), known);
}

static inline bool quick_fetch(struct memsys *m, uint64_t now, uint64_t address)
{
	const struct cache *c = &m->l1i.cache;

	address ^= m->space;
	return (cache_is(c, *cache_quick(c, address), address) || m->l1i.perfect) &&
	       tlb_hit_fast(&m->itlb, now, address);
}

/* Where quick_fetch of an address finds it, worked out once; valid as long as `m` is. */
struct fetch_place {
	const uint64_t *tag; /* the first way of its set */
	uint64_t hit;        /* what it has */
	uint64_t page;
};
static inline struct fetch_place fetch_place_of(const struct memsys *m, uint64_t address)
{
	static const uint64_t always = LINE_VALID;
	const struct cache *c = &m->l1i.cache;

	address ^= m->space;
	return (struct fetch_place){
		m->l1i.perfect ? &always : cache_quick(c, address),
		m->l1i.perfect ? always : cache_tag(c, address),
		address >> m->itlb.shift,
	};
}
static inline bool quick_fetch_at(struct memsys *m, uint64_t now, const struct fetch_place *p)
{
	return *p->tag == p->hit && tlb_hit_page(&m->itlb, now, p->page);
}

/* Hits that quick_load, quick_store and quick_fetch have found. */
struct quick_hits {
	uint64_t loads, stores, fetches;
};
static inline void memsys_count_quick(struct memsys *m, struct quick_hits hits)
{
	m->stats.l1d_loads += hits.loads;
	m->stats.l1d_load_hits += hits.loads;
	m->stats.l1d_stores += hits.stores;
	m->stats.l1d_store_hits += hits.stores;
	m->stats.l1i_accesses += hits.fetches;
	m->stats.l1i_hits += hits.fetches;
}

static inline bool load_hits(struct memsys *m, uint64_t now, uint64_t address, unsigned size)
{
	if (!quick_load(m, now, address, size))
		return false;
	m->stats.l1d_loads++;
	m->stats.l1d_load_hits++;
	return true;
}

static inline bool store_hits(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	if (!quick_store(m, now, address, size, known))
		return false;
	m->stats.l1d_stores++;
	m->stats.l1d_store_hits++;
	return true;
}

static inline bool fetch_hits(struct memsys *m, uint64_t now, uint64_t address)
{
	if (!quick_fetch(m, now, address))
		return false;
	m->stats.l1i_accesses++;
	m->stats.l1i_hits++;
	return true;
}

static inline bool store_prefetch_hits(struct memsys *m, uint64_t now, uint64_t address, unsigned known)
{
	const uint64_t *tag = hit_fast(m, now, address ^ m->space, 1, known);

	return tag && may_write(m, *tag);
}

/* memsys_load for an access that load_hits does not handle. */
struct mem_answer memsys_load_slower(struct memsys *m, uint64_t now, uint64_t address, unsigned size);
/* memsys_store for one that store_hits does not handle, and memsys_store_prefetch likewise. */
struct mem_answer memsys_store_slower(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known);
struct mem_answer memsys_store_prefetch_slower(struct memsys *m, uint64_t now, uint64_t address, unsigned known);

/*
 * The bits of an address that do not select the banks that an access uses: those within a bank, or within the aligned
 * group of banks that has the access. BANKS_ODD: it is not aligned, or larger than a row of banks.
 */
#define BANKS_ODD (1u << 31)
static inline uint32_t banks_inside(const struct memsys *m, uint64_t address, unsigned size)
{
	uint32_t word = (1u << m->bank_word_shift) - 1, inside = size - 1;

	if (size & inside || address & inside || inside >> (m->bank_word_shift + m->banks_shift))
		return BANKS_ODD;
	return word | inside;
}
/*
 * As memsys_bank_conflict, of accesses none of which is odd: they use banks of two groups as large as the larger one's,
 * and conflict where these are at one place of a row, whose bits are `row`.
 */
static inline bool banks_conflict(uint64_t row, uint64_t a, uint32_t a_inside, uint64_t b, uint32_t b_inside)
{
	uint64_t apart = (a ^ b) & ~(uint64_t)(a_inside | b_inside);

	return apart && !(apart & row);
}

/* As memsys_bank_conflict; quick if none of the accesses is odd. */
static inline bool quick_bank_conflict(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	uint64_t row = ((UINT64_C(1) << m->banks_shift) - 1) << m->bank_word_shift;
	uint32_t a_inside = banks_inside(m, a, a_size), b_inside = banks_inside(m, b, b_size);

	if ((a_inside | b_inside) & BANKS_ODD)
		return memsys_bank_conflict(m, a, a_size, b, b_size);
	return banks_conflict(row, a, a_inside, b, b_inside);
}

/* Returns whether a prefetcher of the chip wants a line. */
static inline bool prefetchers_want(const struct chip_memory *chip)
{
	for (unsigned n = 0; n < chip->cores; n++)
		if (chip->core[n]->prefetcher.wanting)
			return true;
	return false;
}

/*
 * Transfers of lines that L2 lacks, one after the other (memsys_transfer), where neither write-backs nor free times
 * before others nor prefetches are in the way of the memory channel: what they use is apart from begin to end.
 */
struct quick_transfers {
	struct cache l2;
	bool perfect;
	uint64_t space, lead;              /* cycles from a request to the earliest cycle of its transfer */
	uint64_t time, interval, latency;  /* of a line */
	uint64_t next_free, count, waited; /* of the channel; counted */
};

static inline bool quick_transfers_may_be(const struct memsys *m)
{
	const struct chip_memory *chip = m->chip;

	return !chip->far && !chip->write_backs.count && !chip->memory_channel.gaps &&
	       !(m->cfg->prefetch.enabled && prefetchers_want(chip));
}

/* False: no transfer is quick in the present state. */
static inline bool quick_transfers_begin(const struct memsys *m, uint64_t lead, struct quick_transfers *t)
{
	const struct chip_memory *chip = m->chip;

	if (!quick_transfers_may_be(m))
		return false;
	*t = (struct quick_transfers){
		.l2 = chip->l2,
		.perfect = m->cfg->l2.perfect,
		.space = m->space,
		.lead = lead,
		.time = chip->memory_time,
		.interval = channel_whole_cycles(chip->memory_time),
		.latency = chip->memory_latency,
		.next_free = chip->memory_channel.next_free,
	};
	return true;
}

/* Transfers the line at `address`, requested in cycle `now`. False: it is not quick, and nothing has changed. */
static inline bool quick_transfer(struct quick_transfers *t, uint64_t now, uint64_t address, struct mem_line *ret)
{
	uint64_t from = (now + t->lead) << CHANNEL_SHIFT, start;

	if ((t->next_free < from && t->lead) ||
	    (!t->perfect && tagged_find_rare(&t->l2, address ^ t->space) != CACHE_ABSENT))
		return false;
	start = t->next_free < from ? from : t->next_free;
	t->next_free = start + t->time;
	start = (start + (1 << CHANNEL_SHIFT) - 1) >> CHANNEL_SHIFT;
	t->count++;
	t->waited += start - now - t->lead;
	*ret = (struct mem_line){start + t->latency, start + t->interval};
	return true;
}

/* memsys_transfer of a line that is quick, `lead` cycles after its request. False: nothing has changed. */
static inline bool memsys_transfer_quick(struct memsys *m, uint64_t now, uint64_t lead, uint64_t address, bool write,
					 struct mem_line *ret)
{
	struct chip_memory *chip = m->chip;
	uint64_t from = (now + lead) << CHANNEL_SHIFT, start = chip->memory_channel.next_free;

	if (!quick_transfers_may_be(m) || (start < from && lead) ||
	    (!m->cfg->l2.perfect && tagged_find_rare(&chip->l2, address ^ m->space) != CACHE_ABSENT))
		return false;
	start = start < from ? from : start;
	chip->memory_channel.next_free = start + chip->memory_time;
	start = (start + (1 << CHANNEL_SHIFT) - 1) >> CHANNEL_SHIFT;
	++*(write ? &m->stats.transfer_writes : &m->stats.transfer_reads);
	m->stats.transfer_wait_cycles += start - now - lead;
	*ret = (struct mem_line){start + chip->memory_latency, start + channel_whole_cycles(chip->memory_time)};
	return true;
}

/* Counts lines from `address` on, at a distance of `step`, up to one that is not quick in L2; at most `most`. */
static inline uint64_t quick_transfers_absent(const struct quick_transfers *t, uint64_t address, uint64_t step,
					      uint64_t most)
{
	uint64_t n = t->perfect ? most : 0;

	while (n < most && tagged_find_rare(&t->l2, address ^ t->space) == CACHE_ABSENT) {
		address += step;
		n++;
	}
	return n;
}

static inline void quick_transfers_end(struct memsys *m, const struct quick_transfers *t, bool write)
{
	m->chip->memory_channel.next_free = t->next_free;
	*(write ? &m->stats.transfer_writes : &m->stats.transfer_reads) += t->count;
	m->stats.transfer_wait_cycles += t->waited;
}

#endif
