/*
 * Functional warming of the memory system: accesses update caches, TLBs and the stream prefetcher,
 * without time and counts. Lines arrive at once; nothing waits, and nothing is refused.
 */
#include "memsys_state.h"

/* Removes a line that L2 evicts from every L1, for inclusion. */
static void forget(struct chip_memory *chip, uint64_t tag)
{
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS;

	for (unsigned k = 0; k < chip->cores; k++) {
		struct memsys *m = chip->core[k];
		uint64_t end = line + m->cfg->l2.line_bytes;

		for (uint64_t a = line; a != end; a += m->cfg->l1i.line_bytes)
			cache_remove(&m->l1i.cache, a);
		for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes)
			cache_remove(&m->l1d.cache, a);
	}
}

static void insert_l2(struct memsys *m, uint64_t address)
{
	uint64_t victim = cache_insert(&m->chip->l2, address, 0, 0);

	if (victim)
		forget(m->chip, victim);
}

static void touch_l2(struct memsys *m, uint64_t address)
{
	if (!m->cfg->l2.perfect && cache_use(&m->chip->l2, address) == CACHE_ABSENT)
		insert_l2(m, address);
}

/* Writes L1D's dirty line back to L2. */
static void write_back(struct memsys *m, uint64_t address)
{
	size_t i = m->cfg->l2.perfect ? CACHE_ABSENT : cache_find(&m->chip->l2, address);

	if (i != CACHE_ABSENT)
		m->chip->l2.tag[i] |= LINE_DIRTY;
}

/* Trains the stream prefetcher with a miss of L1D, and inserts the lines that it wants into L2. */
static void follow_streams(struct memsys *m, uint64_t address)
{
	uint64_t line;

	if (!m->cfg->prefetch.enabled || m->cfg->l2.perfect)
		return;
	prefetcher_access(&m->prefetcher, address >> m->chip->l2.shift);
	while (prefetcher_take(&m->prefetcher, &line))
		if (cache_find(&m->chip->l2, line << m->chip->l2.shift) == CACHE_ABSENT)
			insert_l2(m, line << m->chip->l2.shift);
}

static void fill(struct memsys *m, struct level1 *l1, uint64_t address, unsigned flags)
{
	uint64_t victim;

	touch_l2(m, address);
	victim = cache_insert(&l1->cache, address, flags, 0);
	if (victim & LINE_DIRTY)
		write_back(m, victim & ~(uint64_t)LINE_FLAGS);
	if (l1->data)
		follow_streams(m, address);
}

/* Uses a line of L1, filling it if it is absent; true if it was absent. */
static bool touch(struct memsys *m, struct level1 *l1, uint64_t address, unsigned flags)
{
	size_t i;

	if (l1->perfect)
		return false;
	i = cache_use(&l1->cache, address);
	if (i == CACHE_ABSENT) {
		fill(m, l1, address, flags);
		return true;
	}
	l1->cache.tag[i] |= flags;
	return false;
}

void memsys_warm_fetch(struct memsys *m, uint64_t address)
{
	uint64_t next;

	address ^= m->space;
	tlb_warm(&m->itlb, address);
	if (!touch(m, &m->l1i, address, 0) || !m->cfg->l1i.next_line_prefetch)
		return;
	next = (address & m->l1i.cache.address_mask) + m->cfg->l1i.line_bytes;
	if (!((next ^ address) & ~(m->cfg->tlb.page_size - 1)) && cache_find(&m->l1i.cache, next) == CACHE_ABSENT)
		fill(m, &m->l1i, next, 0);
}

void memsys_warm_data(struct memsys *m, uint64_t address, bool write)
{
	address ^= m->space;
	tlb_warm(&m->dtlb, address);
	touch(m, &m->l1d, address, write ? LINE_DIRTY : 0);
}

void memsys_warm_prefetch(struct memsys *m, uint64_t address)
{
	address ^= m->space;
	if (m->l1d.perfect || !tlb_holds(&m->dtlb, address))
		return;
	tlb_warm(&m->dtlb, address);
	if (cache_find(&m->l1d.cache, address) == CACHE_ABSENT)
		fill(m, &m->l1d, address, 0);
}

/* Writes back the dirty lines of every L1D within the L2 line at `line`. */
static void clean(struct chip_memory *chip, uint64_t line)
{
	for (unsigned k = 0; k < chip->cores; k++) {
		struct memsys *m = chip->core[k];
		uint64_t end = line + m->cfg->l2.line_bytes;

		for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes) {
			size_t i = cache_find(&m->l1d.cache, a);

			if (i == CACHE_ABSENT || !(m->l1d.cache.tag[i] & LINE_DIRTY))
				continue;
			m->l1d.cache.tag[i] &= ~(uint64_t)LINE_DIRTY;
			write_back(m, a);
		}
	}
}

void memsys_warm_transfer(struct memsys *m, uint64_t address, bool write)
{
	uint64_t removed;

	address ^= m->space;
	if (m->cfg->l2.perfect || cache_find(&m->chip->l2, address) == CACHE_ABSENT)
		return;
	if (!write) {
		clean(m->chip, address);
		return;
	}
	removed = cache_remove(&m->chip->l2, address);
	forget(m->chip, removed);
}
