/*
 * A digest of all on which later accesses depend: contents of caches and TLBs in their order of use, times from now
 * on.
 */
#include "../base/digest.h"
#include "level3.h"

/* A line that has arrived is the same as one that has been used, unless its prefetch has not been counted as useful. */
static void digest_cache(struct digest *d, const struct cache *c, uint64_t now)
{
	if (c->shared)
		digest_add(d, *c->shared);
	for (size_t n = 0; n < (size_t)c->sets * c->ways; n++) {
		size_t place = tagged_at_rank(c, n / c->ways, (unsigned)(n % c->ways));
		uint64_t tag = c->tag[place], fill = c->fill[place];

		if (tag & LINE_FILL_PENDING && fill_cycle(fill) <= now && !fill_prefetched(fill))
			tag &= ~(uint64_t)LINE_FILL_PENDING;
		digest_add(d, tag);
		if (c->policy)
			digest_add(d, c->states[place / c->ways].state[place % c->ways]);
		if (!(tag & LINE_FILL_PENDING))
			continue;
		digest_add_time(d, fill_cycle(fill), now);
		digest_add(d, fill_cycle(fill) > now ? fill & 7 : 1);
	}
}

static void digest_mshr(struct digest *d, const struct mshr *m, uint64_t now)
{
	for (unsigned n = 0; n < m->count; n++)
		digest_add_time(d, m->free_at[(m->first + n) % m->count], now);
}

static void digest_channel(struct digest *d, const struct channel *c, uint64_t now)
{
	now <<= CHANNEL_SHIFT;
	digest_add_time(d, c->next_free, now);
	for (unsigned n = 0; n < c->gaps; n++) {
		const struct gap *g = &c->gap[(c->first + n) & c->mask];

		if (g->to <= now)
			continue;
		digest_add_time(d, g->from, now);
		digest_add_time(d, g->to, now);
	}
}

static void digest_tlb(struct digest *d, struct tlb *t, uint64_t now)
{
	tlb_order(t);
	for (const struct tlb_entry *e = t->entry->older; e != t->entry; e = e->older) {
		digest_add(d, e->page);
		digest_add_time(d, e->ready, now);
	}
	digest_add_time(d, t->walker_free, now);
	digest_cache(d, &t->main, now);
}

static void digest_memory(struct digest *d, const struct chip_memory *chip, uint64_t now)
{
	digest_channel(d, &chip->memory_channel, now);
	digest_add(d, chip->write_backs.count);
	for (unsigned n = 0; n < chip->write_backs.count; n++)
		digest_add_time(d, chip->write_backs.ready[(chip->write_backs.first + n) & chip->write_backs.mask],
				now);
}

static void digest_l3(struct digest *d, const struct level3 *l3, uint64_t now)
{
	digest_cache(d, &l3->cache, now);
	digest_mshr(d, &l3->mshr, now);
	for (unsigned k = 0; k < l3->slices; k++)
		digest_channel(d, &l3->channel[k], now);
}

/*
 * Prefetches that are due before `at` are requested with the next access to L2, each at its own cycle. They may remove
 * lines from L1, so they cannot be requested here. Times count from the first of them.
 */
void memsys_digest(struct memsys *m, uint64_t at, struct digest *d)
{
	const struct chip_memory *chip = m->chip;
	uint64_t now = at;

	l2_next_prefetch(chip, at, &now);
	digest_add(d, at - now);
	digest_tlb(d, &m->itlb, now);
	digest_tlb(d, &m->dtlb, now);
	digest_cache(d, &m->l1i.cache, now);
	digest_cache(d, &m->l1d.cache, now);
	digest_cache(d, &m->victims, now);
	digest_cache(d, &chip->l2, now);
	digest_mshr(d, &m->l1i.mshr, now);
	digest_mshr(d, &m->l1d.mshr, now);
	digest_mshr(d, &chip->l2_mshr, now);
	digest_channel(d, &chip->l2_channel, now);
	digest_memory(d, memsys_shared(m), now);
	if (chip->l3)
		digest_l3(d, chip->l3, now);
	wrong_lines_digest(m, d);
	prefetcher_digest(&m->prefetcher, now, d);
	if (m->prefetcher.wanting)
		digest_add_time(d, m->wanted_since, now);
}
