/* What holds of the memory system at any time; for --check and the tests. */
#include "memsys_state.h"

static int broken(struct err *e, const char *what, const char *where, uint64_t value)
{
	return err_set(e, STATUS_FAILED, "memory system: check failed: %s in %s: 0x%llx",
	               what, where, (unsigned long long)value);
}

/* Lines stand in the right set, once, and empty ways behind them. */
static int check_cache(const struct cache *c, const char *name, struct err *e)
{
	for (size_t first = 0; first < c->sets * c->ways; first += c->ways) {
		for (size_t i = first; i < first + c->ways; i++) {
			uint64_t tag = c->tag[i];

			if (!tag)
				continue;
			if (i > first && !c->tag[i - 1])
				return broken(e, "a line behind an empty way", name, tag);
			if (!(tag & LINE_VALID) || cache_set(c, tag) != first)
				return broken(e, "a line in a foreign set", name, tag);
			if (cache_find(c, tag) != i)
				return broken(e, "a line twice", name, tag);
		}
	}
	return 0;
}

/* L2 has every line of L1. */
static int check_inclusion(const struct memsys *m, const struct cache *l1, const char *name,
                           struct err *e)
{
	for (size_t i = 0; i < l1->sets * l1->ways; i++)
		if (l1->tag[i] && cache_find(&m->chip->l2, l1->tag[i]) == CACHE_ABSENT)
			return broken(e, "a line that L2 does not have", name, l1->tag[i]);
	return 0;
}

/* The gaps of a channel are in order, apart, long enough, and before what is free anyway. */
static int check_channel(const struct channel *c, const char *name, struct err *e)
{
	uint64_t end = 0;

	for (unsigned k = 0; k < c->gaps; k++) {
		const struct gap *g = &c->gap[(c->first + k) % CHANNEL_GAPS];

		if (g->from < end || g->to < g->from + c->interval || g->to > c->next_free)
			return broken(e, "a gap out of order", name, g->from);
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
			return broken(e, "miss buffers out of order", name, at);
	}
	return 0;
}

int memsys_check(const struct memsys *m, struct err *e)
{
	if (check_cache(&m->l1i.cache, "L1I", e) < 0 || check_cache(&m->l1d.cache, "L1D", e) < 0 ||
	    check_cache(&m->chip->l2, "L2", e) < 0 || check_cache(&m->itlb.main, "main ITLB", e) < 0 ||
	    check_cache(&m->dtlb.main, "main DTLB", e) < 0)
		return -1;
	if (!m->cfg->l2.perfect && (check_inclusion(m, &m->l1i.cache, "L1I", e) < 0 ||
	                            check_inclusion(m, &m->l1d.cache, "L1D", e) < 0))
		return -1;
	if (check_channel(&m->chip->l2_channel, "the channel of L2", e) < 0 ||
	    check_channel(&m->chip->memory_channel, "the memory channel", e) < 0 ||
	    check_mshr(&m->l1i.mshr, "L1I", e) < 0 || check_mshr(&m->l1d.mshr, "L1D", e) < 0 ||
	    check_mshr(&m->chip->l2_mshr, "L2", e) < 0)
		return -1;
	return 0;
}
