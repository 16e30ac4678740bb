/*
 * Functional warming of the memory system: accesses update caches, TLBs and the prefetcher,
 * without time and counts. Lines arrive at once; nothing waits, and nothing is refused.
 */
#include "../../isa/simd.h"
#include "quick_access.h"

/* Removes a line that L2 evicts from every L1, for inclusion. Was it dirty? */
bool memsys_warm_forget(struct chip_memory *chip, uint64_t tag)
{
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS;
	bool dirty = tag & LINE_DIRTY;

	for (unsigned k = 0; k < chip->cores; k++) {
		struct memsys *m = chip->core[k];
		uint64_t end = line + m->cfg->l2.line_bytes;

		for (uint64_t a = line; a != end; a += m->cfg->l1i.line_bytes)
			cache_remove(&m->l1i.cache, a);
		for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes)
			dirty |= l1d_remove(m, a) & LINE_DIRTY;
	}
	return dirty;
}

/*
 * A prefetched line is FILL_PENDING, as it is in simulation until its first use, which counts the prefetch as useful;
 * it has arrived long ago.
 */
static uint64_t warm_insert(struct cache *c, uint64_t address, unsigned flags, bool prefetch)
{
	return cache_insert(c, address, flags | (prefetch ? LINE_FILL_PENDING : 0), fill_word(0, MEM_L2, prefetch));
}

/* The first use of a prefetched line. Lines under way when warming began stay so. */
static void use_prefetched(struct cache *c, size_t i)
{
	uint64_t fill = c->fill[i];

	if (!(c->tag[i] & LINE_FILL_PENDING))
		return;
	if (fill_cycle(fill) == 0)
		c->tag[i] &= ~(uint64_t)LINE_FILL_PENDING;
	else
		c->fill[i] = fill_word(fill_cycle(fill), fill_level(fill), false);
}

static void insert_l2(struct memsys *m, uint64_t address, bool prefetch)
{
	bool from_l3 = m->chip->l3, dirty = from_l3 && l3_warm_read(m, address);
	uint64_t victim =
		tagged_insert(&m->chip->l2, address, (prefetch ? LINE_FILL_PENDING : 0) | (dirty ? LINE_DIRTY : 0),
			      fill_word(0, MEM_L2, prefetch));

	m->warmed.reads += !from_l3;
	if (!victim)
		return;
	dirty = memsys_warm_forget(m->chip, victim);
	if (from_l3)
		l3_warm_victim(m, victim & ~(uint64_t)LINE_FLAGS, dirty);
}

/* The state of a line in L2 before its use: used before; prefetched and not used yet; absent. */
enum l2_had { L2_USED, L2_FIRST_USE, L2_ABSENT };

/* Uses or inserts a line of L2. */
static inline enum l2_had touch_l2(struct memsys *m, uint64_t address)
{
	const struct cache *l2 = &m->chip->l2;
	bool first;
	size_t i;

	if (m->cfg->l2.perfect)
		return L2_USED;
	i = tagged_use(&m->chip->l2, address);
	if (i == CACHE_ABSENT) {
		insert_l2(m, address, false); /* there, only the hardware prefetcher's are */
		return L2_ABSENT;
	}
	first = l2->tag[i] & LINE_FILL_PENDING && fill_prefetched(l2->fill[i]);
	use_prefetched(&m->chip->l2, i);
	return first ? L2_FIRST_USE : L2_USED;
}

/* Writes L1D's dirty line back to L2. */
static void write_back(struct memsys *m, uint64_t address)
{
	size_t i = m->cfg->l2.perfect ? CACHE_ABSENT : tagged_find(&m->chip->l2, address);

	if (i != CACHE_ABSENT)
		m->chip->l2.tag[i] |= LINE_DIRTY;
}

/*
 * Trains the prefetcher with a miss of L1D, and inserts the lines that it wants into L2. What was under way has
 * arrived.
 */
static void follow_prefetcher(struct memsys *m, uint64_t address, enum l2_had had)
{
	uint64_t line = address >> m->chip->l2.shift;

	prefetcher_access(&m->prefetcher, UINT64_MAX, line, had != L2_USED);
	if (had == L2_ABSENT)
		prefetcher_fill(&m->prefetcher, 0, line, false);
	while (prefetcher_take(&m->prefetcher, &line))
		if (tagged_find(&m->chip->l2, line << m->chip->l2.shift) == CACHE_ABSENT) {
			insert_l2(m, line << m->chip->l2.shift, true);
			prefetcher_fill(&m->prefetcher, 0, line, true);
		}
}

/* Changes copies of other cores as an access of `m` does that misses L1D, or writes a clean line. */
static void warm_others(struct memsys *m, uint64_t address, bool write)
{
	if (m->chip->l3)
		l3_warm_take(m, address, write);
	else
		coherence_warm(m, address, write);
}

static inline void warm_line(struct memsys *m, struct level1 *l1, uint64_t address, unsigned flags, bool prefetch)
{
	enum l2_had had;
	uint64_t victim;

	m->warmed.lines++;
	had = touch_l2(m, address);
	if (l1->data && m->shares)
		warm_others(m, address, flags & LINE_DIRTY);
	victim = l1->data && has_victims(m) ? victims_insert(m, address, flags | (prefetch ? LINE_FILL_PENDING : 0),
							     fill_word(0, MEM_L2, prefetch))
					    : warm_insert(&l1->cache, address, flags, prefetch);
	if (victim & LINE_DIRTY)
		write_back(m, victim & ~(uint64_t)LINE_FLAGS);
	if (m->cfg->prefetch.enabled && l1->data && !m->cfg->l2.perfect)
		follow_prefetcher(m, address, had);
}

__attribute__((noinline)) static void warm_prefetched_line(struct memsys *m, struct level1 *l1, uint64_t address)
{
	warm_line(m, l1, address, 0, true);
}

/* Uses a line of L1, filling it if it is absent; true if it was absent. */
__attribute__((noinline)) static bool touch_any(struct memsys *m, struct level1 *l1, uint64_t address, unsigned flags)
{
	size_t i;

	if (l1->perfect)
		return false;
	i = cache_use(&l1->cache, address);
	if (i == CACHE_ABSENT && l1->data && has_victims(m) && victims_warm(m, address, flags))
		return false;
	if (i == CACHE_ABSENT) {
		warm_line(m, l1, address, flags, false);
		return true;
	}
	use_prefetched(&l1->cache, i);
	if (flags && !may_write(m, l1->cache.tag[i]))
		warm_others(m, address, true);
	l1->cache.tag[i] |= flags;
	return false;
}

/* The fast path of warming a line: it is the first of its set, whose order stays. */
static inline bool memsys_warm_touch(struct memsys *m, struct level1 *l1, uint64_t address, unsigned flags)
{
	uint64_t *first = cache_quick(&l1->cache, address);

	if (__builtin_expect((*first & ~(uint64_t)LINE_DIRTY) != cache_tag(&l1->cache, address), 0))
		return touch_any(m, l1, address, flags);
	if (flags && !may_write(m, *first))
		warm_others(m, address, true);
	if (flags)
		*first |= flags;
	return false;
}

/* Fills the line after `address` into L1I, if it is in the same page. */
static void fill_next(struct memsys *m, uint64_t address)
{
	uint64_t next = (address & m->l1i.cache.address_mask) + m->cfg->l1i.line_bytes;

	if (!((next ^ address) & ~(m->cfg->tlb.page_size - 1)) && cache_find(&m->l1i.cache, next) == CACHE_ABSENT)
		warm_prefetched_line(m, &m->l1i, next);
}

void memsys_warm_fetch(struct memsys *m, uint64_t from, uint64_t end)
{
	uint64_t mask = m->l1i.cache.address_mask, line = ~mask + 1, last = (end - 1) & mask;

	for (uint64_t at = from;; at = (at & mask) + line) {
		uint64_t address = at ^ m->space;

		tlb_warm(&m->itlb, address);
		if (memsys_warm_touch(m, &m->l1i, address, 0) && m->cfg->l1i.next_line_prefetch)
			fill_next(m, address);
		if ((at & mask) == last)
			return;
	}
}

void memsys_warm_data(struct memsys *m, const uint64_t *address, const bool *write, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		uint64_t a = address[n] ^ m->space;

		if (simd_in_window(address[n]))
			continue;
		tlb_warm(&m->dtlb, a);
		memsys_warm_touch(m, &m->l1d, a, write[n] ? LINE_DIRTY : 0);
	}
}

void memsys_warm_prefetch(struct memsys *m, uint64_t address)
{
	address ^= m->space;
	if (m->l1d.perfect || !tlb_holds(&m->dtlb, address))
		return;
	tlb_warm(&m->dtlb, address);
	if (!l1d_has(m, address))
		warm_prefetched_line(m, &m->l1d, address);
}

/* Writes back the dirty lines of every L1D within the L2 line at `line`. */
static void clean(struct chip_memory *chip, uint64_t line)
{
	for (unsigned k = 0; k < chip->cores; k++) {
		struct memsys *m = chip->core[k];
		uint64_t end = line + m->cfg->l2.line_bytes;

		for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes)
			if (l1d_clean(m, a))
				write_back(m, a);
	}
}

void memsys_warm_transfer(struct memsys *m, uint64_t address, bool write)
{
	uint64_t removed;

	address ^= m->space;
	if (m->chip->l3 && !m->cfg->l2.perfect) {
		l3_warm_transfer(m, address & m->chip->l2.address_mask, write);
		return;
	}
	if (m->cfg->l2.perfect || tagged_find(&m->chip->l2, address) == CACHE_ABSENT)
		return;
	if (!write) {
		clean(m->chip, address);
		return;
	}
	removed = tagged_remove(&m->chip->l2, address);
	memsys_warm_forget(m->chip, removed);
}

void memsys_warmed(const struct memsys *m, struct memsys_warmed *out)
{
	*out = m->warmed;
	out->walks = m->dtlb.warm_walks;
}
