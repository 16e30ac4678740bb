/*
 * Coherence of the L1Ds of cores that run threads of one program: MESI, by a directory at L2 that has a copy of the
 * tags of all L1Ds. With an L3 the directory is there (memsys_l3.c).
 *
 * A line is in no L1D, clean in one or several, or dirty in exactly one. The states are not stored: dirty is modified;
 * clean is exclusive if no other L1D has the line, else shared. MOESI's owned state is not needed within a chip: a
 * dirty line that another core reads goes to L2, which all share.
 */
#include "memsys_state.h"

static bool shares_with(const struct memsys *m, const struct memsys *other)
{
	return other != m && other->space == m->space;
}

/* The cycle, not before `t`, from which line `i` may leave its L1D, or be invalidated: it has arrived there. */
static uint64_t line_leaves(const struct cache *c, size_t i, uint64_t t)
{
	uint64_t at = c->tag[i] & LINE_FILL_PENDING ? fill_cycle(c->fill[i]) : 0;

	return at > t ? at : t;
}

bool coherence_shared(const struct memsys *m, uint64_t address)
{
	if (m->chip->l3)
		return l3_shared(m, address);
	for (unsigned k = 0; k < m->chip->cores; k++)
		if (shares_with(m, m->chip->core[k]) &&
		    cache_find(&m->chip->core[k]->l1d.cache, address) != CACHE_ABSENT)
			return true;
	return false;
}

/* Takes line `i` of another core for a read or write of `m`; returns the cycle in which L2 knows that it is done. */
static uint64_t take_from(struct memsys *m, struct memsys *other, size_t i, const struct request *r, uint64_t t)
{
	struct cache *c = &other->l1d.cache;
	uint64_t line = r->address & c->address_mask;

	t = line_leaves(c, i, t);
	if (c->tag[i] & LINE_DIRTY) {
		t = l2_write_back(other, r->now, t, line);
		c->tag[i] &= ~(uint64_t)LINE_DIRTY;
		m->stats.coherence_transfers++;
	}
	if (r->own) {
		cache_remove(c, line);
		m->stats.coherence_invalidations++;
		other->stats.coherence_lost++;
	}
	return t + m->cfg->coherence.latency;
}

uint64_t coherence_take(struct memsys *m, const struct request *r, uint64_t t)
{
	uint64_t done = t;

	if (m->chip->l3)
		return l3_own(m, r, t);
	for (unsigned k = 0; k < m->chip->cores; k++) {
		struct memsys *other = m->chip->core[k];
		uint64_t taken;
		size_t i;

		if (!shares_with(m, other))
			continue;
		i = cache_find(&other->l1d.cache, r->address);
		if (i == CACHE_ABSENT || !(r->own || other->l1d.cache.tag[i] & LINE_DIRTY))
			continue;
		taken = take_from(m, other, i, r, t);
		if (taken > done)
			done = taken;
	}
	m->stats.coherence_wait_cycles += done - t;
	return done;
}

uint64_t coherence_upgrade(struct memsys *m, const struct request *r, size_t i)
{
	struct cache *c = &m->l1d.cache;
	bool prefetched = c->tag[i] & LINE_FILL_PENDING && fill_prefetched(c->fill[i]);
	uint64_t at = coherence_take(m, r, line_leaves(c, i, r->t)) + m->cfg->l2.latency;

	mshr_take(&m->l1d.mshr, r->now, at);
	c->tag[i] |= LINE_FILL_PENDING;
	c->fill[i] = fill_word(at, MEM_L2, prefetched);
	m->stats.coherence_upgrades++;
	return at;
}

void coherence_warm(struct memsys *m, uint64_t address, bool write)
{
	for (unsigned k = 0; k < m->chip->cores; k++) {
		struct memsys *other = m->chip->core[k];
		bool dirty;
		size_t i;

		if (!shares_with(m, other))
			continue;
		dirty = write ? cache_remove(&other->l1d.cache, address) & LINE_DIRTY
			      : cache_clean(&other->l1d.cache, address);
		i = dirty && !m->cfg->l2.perfect ? tagged_find(&m->chip->l2, address) : CACHE_ABSENT;
		if (i != CACHE_ABSENT)
			m->chip->l2.tag[i] |= LINE_DIRTY;
	}
}

void memsys_share(struct memsys *m, struct memsys *first)
{
	m->space = first->space;
	m->shares = first->shares = true;
}
