/*
 * Address translation: when the physical address of an access is known.
 *
 * A micro-TLB, fully associative with exact LRU, in front of a main TLB,
 * set-associative with LRU. A miss of the main TLB is reloaded from the
 * translation storage buffer, one reload at a time. The trace has virtual
 * addresses only, so a TLB computes the time of a translation, not its result.
 *
 * Used by memsys.c alone. The TLB owns its arrays.
 */
#ifndef PSIM_MEMORY_TLB_H
#define PSIM_MEMORY_TLB_H

#include "cache.h"
#include "../base/hash.h"
#include "../machine/core_config.h"

enum tlb_outcome {
	TLB_HIT,  /* hit in the micro-TLB */
	TLB_WAIT, /* merged with an earlier access's reload of the micro-TLB */
	TLB_MAIN, /* reloaded from the main TLB */
	TLB_WALK, /* missed in both */
};

enum { TLB_HASH_BITS = 10 };

/* An entry of the micro-TLB. Entry 0 means none: it holds no page, and ends the lists. */
struct tlb_entry {
	uint64_t page;                   /* number; TLB_NO_PAGE where empty */
	uint64_t ready;                  /* cycle from which it translates */
	uint64_t next;                   /* next entry of its hash bucket */
	uint64_t used;                   /* number of its last use */
	uint64_t placed;                 /* number of the use by which it has its place in the order: */
	struct tlb_entry *newer, *older; /* a ring, in which entry 0 follows the newest */
};
#define TLB_NO_PAGE UINT64_MAX /* never a page's number, as a page has 4096 bytes or more */

struct tlb {
	struct tlb_entry *entry; /* 1 … entries */
	uint64_t uses;           /* number of the last use, of those that change the order */
	uint64_t last;           /* the page of the last use, if it translates without delay; else TLB_NO_PAGE */
	unsigned shift, entries;
	uint16_t bucket[1 << TLB_HASH_BITS]; /* first entry of each hash bucket */
	struct cache main;                   /* one line a page */
	uint64_t main_latency, walk_latency;
	uint64_t walker_free; /* cycle in which the last reload ends */
	uint64_t warm_walks;  /* misses of both TLBs in warming */
};

/* `entries`: size of the micro-TLB. 0, or -1 where memory is short. */
int tlb_init(struct tlb *t, const struct tlb_params *cfg, unsigned entries);
void tlb_finish(struct tlb *t);

static inline unsigned tlb_hash(uint64_t page)
{
	return (unsigned)hash_place(page, TLB_HASH_BITS);
}

/* Makes `e` the last used entry. Its place in the order of use changes when the order is needed: tlb_order. */
static inline void tlb_use(struct tlb *t, struct tlb_entry *e)
{
	e->used = ++t->uses;
}

/* Puts all entries in the order of their last use. */
void tlb_order(struct tlb *t);

/*
 * Return whether the micro-TLB translates a page, or an address, in cycle `now`; if so, record the use. They test one
 * entry only, so false does not mean a miss.
 */
static inline bool tlb_hit_page(struct tlb *t, uint64_t now, uint64_t page)
{
	struct tlb_entry *e;

	if (page == t->last) /* the order of use stays */
		return true;
	e = &t->entry[t->bucket[tlb_hash(page)]];
	if (e->page != page || e->ready > now)
		return false;
	tlb_use(t, e);
	t->last = page;
	return true;
}
static inline bool tlb_hit_fast(struct tlb *t, uint64_t now, uint64_t address)
{
	return tlb_hit_page(t, now, address >> t->shift);
}

/* Returns whether it does, and records nothing. */
static inline bool tlb_translates(const struct tlb *t, uint64_t now, uint64_t address)
{
	uint64_t page = address >> t->shift;
	const struct tlb_entry *e = &t->entry[t->bucket[tlb_hash(page)]];

	return page == t->last || (e->page == page && e->ready <= now);
}

/* The cycle >= now in which the translation of `address` is known, loading it where needed. */
uint64_t tlb_translate(struct tlb *t, uint64_t now, uint64_t address, enum tlb_outcome *ret_outcome);

/* Functional warming, in the general case: the entry of the page of `address`, which it loads where it is absent. */
struct tlb_entry *tlb_warm_any(struct tlb *t, uint64_t address);

/* Functional warming: the same, for most pages in a few instructions of the host. */
static inline void tlb_warm(struct tlb *t, uint64_t address)
{
	uint64_t page = address >> t->shift;
	struct tlb_entry *e;

	if (page == t->last)
		return;
	e = &t->entry[t->bucket[tlb_hash(page)]];
	if (__builtin_expect(e->page != page, 0))
		e = tlb_warm_any(t, address);
	tlb_use(t, e);
	t->last = e->ready ? TLB_NO_PAGE : page;
}

/* Returns whether the page of `address` is in a TLB, or is being reloaded, so that no walk is needed. */
bool tlb_holds(const struct tlb *t, uint64_t address);

#endif
