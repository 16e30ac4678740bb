/* Invariants of the memory system, for --check and the tests. */
#include "level3.h"
#include "quick_access.h"

static int memsys_check_broken(struct err *e, const char *what, const char *where, uint64_t value)
{
	return err_set(e, STATUS_FAILED, "memory system: check failed: %s in %s: 0x%llx", what, where,
		       (unsigned long long)value);
}

/* Checks that each line is in its set, and only once, and that empty ways come last in an order of use. */
static int memsys_check_cache(const struct cache *c, const char *name, struct err *e)
{
	for (size_t set = 0; set < c->sets; set++) {
		for (unsigned rank = 0; rank < c->ways; rank++) {
			size_t i = tagged_at_rank(c, set, rank);
			uint64_t tag = c->tag[i];

			if (!tag)
				continue;
			if (rank > 0 && !c->policy && !c->tag[tagged_at_rank(c, set, rank - 1)])
				return memsys_check_broken(e, "a line behind an empty way", name, tag);
			if (!(tag & LINE_VALID) || cache_set_number(c, tag) != set)
				return memsys_check_broken(e, "a line in a foreign set", name, tag);
			if (tagged_find(c, tag) == CACHE_ABSENT)
				return memsys_check_broken(e, "a line that no search finds", name, tag);
			if (tagged_find(c, tag) != i)
				return memsys_check_broken(e, "a line twice", name, tag);
		}
	}
	return 0;
}

/* Checks that L2 includes every line of L1. */
static int check_inclusion(const struct memsys *m, const struct cache *l1, const char *name, struct err *e)
{
	for (size_t i = 0; i < l1->sets * l1->ways; i++)
		if (l1->tag[i] && tagged_find(&m->chip->l2, l1->tag[i]) == CACHE_ABSENT)
			return memsys_check_broken(e, "a line that L2 does not have", name, l1->tag[i]);
	return 0;
}

/* Checks that a channel's gaps are ascending, disjoint, not empty, and before its unreserved time. */
static int memsys_check_channel(const struct channel *c, const char *name, struct err *e)
{
	uint64_t end = 0;

	for (unsigned k = 0; k < c->gaps; k++) {
		const struct gap *g = &c->gap[(c->first + k) & c->mask];

		if (g->from < end || g->to <= g->from || g->to > c->next_free)
			return memsys_check_broken(e, "a gap out of order", name, g->from);
		end = g->to;
	}
	return 0;
}

static int check_mshr(const struct mshr *m, const char *name, struct err *e)
{
	for (unsigned k = 1; k < m->count; k++) {
		uint64_t before = m->free_at[(m->first + k - 1) % m->count];
		uint64_t at = m->free_at[(m->first + k) % m->count];

		if (at < before)
			return memsys_check_broken(e, "miss buffers out of order", name, at);
	}
	return 0;
}

/* Checks that a dirty line is in no other L1D. */
static int check_coherence(const struct memsys *m, struct err *e)
{
	const struct cache *c = &m->l1d.cache;

	for (size_t i = 0; i < c->sets * c->ways; i++)
		if (c->tag[i] & LINE_DIRTY && coherence_shared(m, c->tag[i] & ~(uint64_t)LINE_FLAGS))
			return memsys_check_broken(e, "a dirty line that another core has", "L1D", c->tag[i]);
	return 0;
}

/* Returns whether `m` has the line of a tag of its L2 dirty. */
static bool has_dirty(const struct memsys *m, uint64_t tag)
{
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS;

	if (tag & LINE_DIRTY)
		return true;
	for (uint64_t a = line; a != line + m->cfg->l2.line_bytes; a += m->cfg->l1d.line_bytes) {
		size_t i = cache_find(&m->l1d.cache, a);

		if (i != CACHE_ABSENT && m->l1d.cache.tag[i] & LINE_DIRTY)
			return true;
	}
	return false;
}

/* Checks that L3 has every line of L2, or none; that a dirty line is in one L2. */
static int check_l3(const struct memsys *m, struct err *e)
{
	const struct level3 *l3 = m->chip->l3;
	const struct cache *l2 = &m->chip->l2;

	const char *wrong;
	uint64_t line;

	if ((l3->sparse && memsys_check_cache(&l3->directory, "the directory", e) < 0) ||
	    memsys_check_cache(&l3->cache, "L3", e) < 0 || check_mshr(&l3->mshr, "L3", e) < 0)
		return -1;
	for (unsigned k = 0; k < l3->slices; k++)
		if (memsys_check_channel(&l3->channel[k], "a channel of L3", e) < 0)
			return -1;
	wrong = l3_directory_check(m, &line);
	if (wrong)
		return memsys_check_broken(e, wrong, "the directory", line);
	for (size_t i = 0; i < l2->sets * l2->ways; i++) {
		bool in_l3 = l2->tag[i] && tagged_find(&l3->cache, l2->tag[i]) != CACHE_ABSENT;

		if (l2->tag[i] && l3->inclusion == INCLUSION_ALL && !in_l3)
			return memsys_check_broken(e, "a line that an inclusive L3 does not have", "L2", l2->tag[i]);
		if (in_l3 && l3->inclusion == INCLUSION_NONE)
			return memsys_check_broken(e, "a line that an exclusive L3 has too", "L2", l2->tag[i]);
		if (l2->tag[i] && m->shares && has_dirty(m, l2->tag[i]) &&
		    l3_shared(m, l2->tag[i] & ~(uint64_t)LINE_FLAGS))
			return memsys_check_broken(e, "a dirty line that another core has", "L2", l2->tag[i]);
	}
	return 0;
}

/* Checks that L2 has every line of the victim cache, and L1D none. */
static int check_victims(const struct memsys *m, struct err *e)
{
	const struct cache *c = &m->victims;

	if (memsys_check_cache(c, "the victim cache", e) < 0)
		return -1;
	for (unsigned i = 0; i < c->ways; i++)
		if (c->tag[i] && cache_find(&m->l1d.cache, c->tag[i]) != CACHE_ABSENT)
			return memsys_check_broken(e, "a line that L1D has too", "the victim cache", c->tag[i]);
	return m->cfg->l2.perfect ? 0 : check_inclusion(m, c, "the victim cache", e);
}

static int unequal(struct err *e, const char *what, uint64_t have, uint64_t want)
{
	return err_set(e, STATUS_FAILED, "memory system: check failed: %s: %llu, expected %llu", what,
		       (unsigned long long)have, (unsigned long long)want);
}

/* Checks that neighbouring levels agree on the number of requests between them. */
static int check_balance(const struct memsys *m, struct err *e)
{
	const struct memsys_stats *s = &m->stats;
	const struct {
		const char *what;
		uint64_t have, want;
	} sums[] = {
		{"L1I hits, merged and misses", s->l1i_hits + s->l1i_merged + s->l1i_misses, s->l1i_accesses},
		{"L1D hits, merged and misses of loads", s->l1d_load_hits + s->l1d_load_merged + s->l1d_load_misses,
		 s->l1d_loads},
		{"L1D hits, merged and misses of stores", s->l1d_store_hits + s->l1d_store_merged + s->l1d_store_misses,
		 s->l1d_stores},
		{"lines that L1I requested", s->l1i_misses + s->l1i_prefetches, s->l2_instruction_accesses},
		{"lines that L1D requested",
		 s->l1d_load_misses + s->l1d_store_misses + s->l1d_stores_ahead + s->prefetches_issued,
		 s->l2_data_accesses},
		{"L2 hits, merged and misses of L1I",
		 s->l2_instruction_hits + s->l2_instruction_merged + s->l2_instruction_misses,
		 s->l2_instruction_accesses},
		{"L2 hits, merged and misses of L1D", s->l2_data_hits + s->l2_data_merged + s->l2_data_misses,
		 s->l2_data_accesses},
		{"lines that L2 requested", s->l2_data_misses + s->l2_instruction_misses + s->hw_prefetches,
		 m->chip->l3 ? s->l3_accesses : s->memory_reads},
		{"L3 hits, merged and misses", s->l3_hits + s->l3_merged + s->l3_misses, s->l3_accesses},
		{"lines that L3 requested", s->l3_misses, m->chip->l3 ? s->memory_reads : 0},
	};
	uint64_t used = s->l1d_stores_ahead_in_time + s->l1d_stores_ahead_late + s->l1d_stores_ahead_lost;

	for (unsigned n = 0; n < sizeof(sums) / sizeof(sums[0]); n++)
		if (sums[n].have != sums[n].want)
			return unequal(e, sums[n].what, sums[n].have, sums[n].want);
	if (used > s->l1d_stores_ahead) /* the last stores may be in flight */
		return unequal(e, "lines of stores, in time, late and lost", used, s->l1d_stores_ahead);
	return 0;
}

int memsys_check(const struct memsys *m, struct err *e)
{
	if (memsys_check_cache(&m->l1i.cache, "L1I", e) < 0 || memsys_check_cache(&m->l1d.cache, "L1D", e) < 0 ||
	    memsys_check_cache(&m->chip->l2, "L2", e) < 0 || memsys_check_cache(&m->itlb.main, "main ITLB", e) < 0 ||
	    memsys_check_cache(&m->dtlb.main, "main DTLB", e) < 0)
		return -1;
	if (!m->cfg->l2.perfect &&
	    (check_inclusion(m, &m->l1i.cache, "L1I", e) < 0 || check_inclusion(m, &m->l1d.cache, "L1D", e) < 0))
		return -1;
	if (check_victims(m, e) < 0 || (m->shares && check_coherence(m, e) < 0))
		return -1;
	if (m->chip->l3 && check_l3(m, e) < 0)
		return -1;
	if (m->chip->dram && memsys_dram_check(m))
		return memsys_check_broken(e, memsys_dram_check(m), "memory", 0);
	if (memsys_check_channel(&m->chip->l2_channel, "the channel of L2", e) < 0 ||
	    memsys_check_channel(m->chip->shared ? &m->chip->shared->memory_channel : &m->chip->memory_channel,
				 "the memory channel", e) < 0 ||
	    check_mshr(&m->l1i.mshr, "L1I", e) < 0 || check_mshr(&m->l1d.mshr, "L1D", e) < 0 ||
	    check_mshr(&m->chip->l2_mshr, "L2", e) < 0)
		return -1;
	return check_balance(m, e);
}
