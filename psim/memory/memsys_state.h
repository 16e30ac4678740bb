/*
 * The memory system's state, and the interface between its two halves: memsys.c (public functions,
 * TLBs, L1; private to a core) requests lines from memsys_l2.c (L2, memory, stream prefetch; shared
 * by the chip). Used by the files of this folder, and by the replay's fast paths.
 *
 * Internal addresses are those of the calls, exclusive-ored with the core's `space`.
 */
#ifndef PSIM_MEMORY_MEMSYS_STATE_H
#define PSIM_MEMORY_MEMSYS_STATE_H

#include "cache_tagged.h"
#include "channel.h"
#include "memsys.h"
#include "prefetch.h"
#include "tlb.h"

struct level1 {
	struct cache cache;
	struct mshr mshr;
	uint64_t fill_latency;
	bool perfect;
	bool data;
};

/*
 * Write-backs from L2 to memory: the cycles from which each may start, in order. A write-back is
 * ready when the line that replaces it has arrived. Up to `buffers` ready ones wait for an idle
 * channel; when one more is ready, the oldest is written before later reads.
 */
struct write_backs {
	uint64_t *ready; /* a ring */
	unsigned first, count, mask, buffers;
};

/* The memory that the cores of a chip share: L2, its channel to their L1, main memory. */
struct chip_memory {
	struct cache l2;
	struct mshr l2_mshr;
	struct channel l2_channel, memory_channel;
	struct write_backs write_backs;
	uint64_t l1i_time, l1d_time; /* of a line on the channel from L2 to L1, in parts of a cycle */
	uint64_t memory_time;        /* of a line on the memory channel */
	uint64_t memory_latency;     /* in cycles */
	/* the cores, for L2 to include the L1 of each */
	struct memsys *core[CHIP_CORES_MAX];
	unsigned cores;
	unsigned prefetch_turn; /* the core whose streams have the first claim to a miss buffer */
};

/* The private part of a core. */
struct memsys {
	struct tlb itlb, dtlb;
	struct level1 l1i, l1d;
	struct prefetcher prefetcher;
	uint64_t wanted_since;                 /* cycle of the prefetcher's last access */
	unsigned bank_word_shift, banks_shift; /* log2 of bank_bytes, banks */
	uint64_t space;                        /* exclusive-ored with each address, so that programs share no line */
	bool l1_pairs;                         /* both L1s are pairs (cache.h), with lines as long as L2's */
	bool shares;                           /* another core has the same space: memsys_share */
	struct chip_memory *chip;
	bool owns_chip;
	const struct core_config *cfg;
	struct memsys_stats stats;
	struct memsys_warmed warmed;
};

/*
 * ---- the usual accesses, inline; what they do not handle goes to memsys.h's functions ----
 *
 * Each returns whether it was a hit that is translated without delay. If not, nothing has changed. load_hits,
 * store_hits and fetch_hits count the hit; quick_load, quick_store and quick_fetch leave it to memsys_count_quick.
 */
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

/* As memsys_bank_conflict; quick for aligned accesses of one size, which use the banks of a row in whole groups. */
static inline bool banks_conflict(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	uint64_t row = UINT64_C(1) << (m->bank_word_shift + m->banks_shift), inside = a_size - 1;

	if (a_size != b_size || (a | b | a_size) & inside || a_size >> m->bank_word_shift == 0 || a_size > row)
		return memsys_bank_conflict(m, a, a_size, b, b_size);
	return a != b && !((a ^ b) & (row - 1));
}

/* An access in the hierarchy. */
struct request {
	uint64_t now; /* cycle of the call: no later call is earlier */
	uint64_t t;   /* cycle >= now in which it reaches the present level */
	uint64_t address;
	bool prefetch;
	bool own; /* to write: no other L1D may keep the line */
};

struct arrival {
	uint64_t at;
	enum mem_level level;
	bool trigger; /* of the prefetcher: L2 lacked the line, or it is the first use of a prefetched one */
};

/* The cycle in which a request of cycle `t` gets a miss buffer. */
static inline uint64_t wait_for_buffer(const struct mshr *m, uint64_t t, uint64_t *waits, uint64_t *wait_cycles)
{
	uint64_t free_at = mshr_free_at(m);

	if (free_at <= t)
		return t;
	++*waits;
	*wait_cycles += free_at - t;
	return free_at;
}

/*
 * Uses a FILL_PENDING line by a request that reaches it at r->t. Returns the cycle in which it is usable;
 * *ret_prefetched: this is the first use of a prefetched line. The line stays FILL_PENDING unless it has
 * arrived by the cycle of the call: a later request may reach it earlier than this one.
 */
static inline uint64_t use_pending_fill(struct cache *c, size_t i, const struct request *r, bool *ret_prefetched)
{
	uint64_t fill = c->fill[i], at = fill_cycle(fill);

	*ret_prefetched = fill_prefetched(fill);
	c->fill[i] = fill_word(at, fill_level(fill), false);
	if (at <= r->now)
		c->tag[i] &= ~(uint64_t)LINE_FILL_PENDING;
	return at > r->t ? at : r->t;
}

/* Fills an absent line into L1, with a miss buffer from r->t on; returns the cycle in which it is usable. */
struct arrival l1i_fill(struct memsys *m, const struct request *r);
struct arrival l1d_fill(struct memsys *m, const struct request *r, unsigned flags);

/* Requests the lines that streams want and could have requested before cycle `now`. */
void l2_request_streams(struct memsys *m, uint64_t now);

/* Adds core `m` to the chip, which has room for CHIP_CORES_MAX; returns its address space. */
uint64_t chip_memory_join(struct chip_memory *chip, struct memsys *m);

/* Writes L1D's dirty line back to L2, over the channel, not before cycle `t`; returns the cycle in which it starts. */
uint64_t l2_write_back(struct memsys *m, uint64_t now, uint64_t t, uint64_t line);

/* ---- coherence.c: cores that share lines ---- */

/* Returns whether another L1D has the line. */
bool coherence_shared(const struct memsys *m, uint64_t address);
/*
 * Takes the line of `r`, which is at L2 in cycle `t`, from other L1Ds: a dirty one goes to L2, and all are invalidated
 * if `r` owns it. Returns the cycle in which L2 may go on.
 */
uint64_t coherence_take(struct memsys *m, const struct request *r, uint64_t t);
/* Makes line `i` of L1D, which other L1Ds share and a miss buffer is free for, m's own; returns the cycle of that. */
uint64_t coherence_upgrade(struct memsys *m, const struct request *r, size_t i);
/* Functional warming: what an access of `m` that misses L1D, or writes a clean line, does to other L1Ds. */
void coherence_warm(struct memsys *m, uint64_t address, bool write);

#endif
