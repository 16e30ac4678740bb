/*
 * The victim cache of L1D (Jouppi, ISCA 1990): the lines that L1D displaced last, in any set.
 *
 * A line is in L1D or here, never in both. A load or a store that misses L1D takes its line from here, and L1D's victim
 * comes here instead: a swap. So the order of use here is that of arrival. A prefetch that finds its line here leaves
 * it. L2 includes these lines as it does L1D's.
 */
#include "memsys_state.h"

uint64_t victims_insert(struct memsys *m, uint64_t address, unsigned flags, uint64_t fill)
{
	struct cache *c = &m->l1d.cache;
	uint64_t last_fill = c->fill[cache_set(c, address) + c->ways - 1];
	uint64_t tag = cache_insert(c, address, flags, fill);

	if (!tag)
		return 0;
	m->stats.victim_inserted++;
	return cache_insert(&m->victims, tag, tag & (LINE_DIRTY | LINE_FILL_PENDING), last_fill);
}

bool victims_take(struct memsys *m, const struct request *r, unsigned flags, struct arrival *ret)
{
	size_t i = cache_find(&m->victims, r->address);
	struct arrival a = {.at = r->t + m->cfg->l1d.victim_latency, .level = MEM_L1};
	uint64_t tag;

	if (i == CACHE_ABSENT)
		return false;
	if (m->victims.tag[i] & LINE_FILL_PENDING) {
		uint64_t fill = m->victims.fill[i];
		bool prefetched, late;

		late = use_pending_fill(&m->victims, i, r, &prefetched) > r->t;
		m->stats.prefetches_late += prefetched && late;
		m->stats.prefetches_useful += prefetched && !late;
		if (fill_cycle(fill) > a.at) {
			a.at = fill_cycle(fill);
			a.level = fill_level(fill);
		}
	}
	tag = cache_remove_at(&m->victims, i);
	m->stats.victim_hits++;
	if (victims_insert(m, r->address, (tag & LINE_DIRTY) | LINE_FILL_PENDING | flags,
			   fill_word(a.at, a.level, false)))
		bug("a swap displaced a line of the victim cache");
	*ret = a;
	return true;
}

bool victims_warm(struct memsys *m, uint64_t address, unsigned flags)
{
	size_t i = cache_find(&m->victims, address);
	uint64_t fill, tag;

	if (i == CACHE_ABSENT)
		return false;
	fill = m->victims.fill[i];
	tag = cache_remove_at(&m->victims, i);
	if (fill_cycle(fill) == 0) /* of warming, or it has arrived long ago */
		tag &= ~(uint64_t)LINE_FILL_PENDING;
	victims_insert(m, address, (tag & (LINE_DIRTY | LINE_FILL_PENDING)) | flags,
		       fill_word(fill_cycle(fill), fill_level(fill), false));
	return true;
}
