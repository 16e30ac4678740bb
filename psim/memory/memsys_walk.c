/*
 * The pieces that functional warming changes: contents of caches and TLBs in their order of use, and what the
 * prefetcher has learned. Times are no part of them: miss buffers, channels and memory go on.
 */
#include "level3.h"

static size_t pending_lines(const struct cache *c)
{
	size_t count = 0;

	for (size_t n = 0; n < (size_t)c->sets * c->ways; n++)
		count += (c->tag[n] & LINE_FILL_PENDING) != 0;
	return count;
}

/* A line that warming leaves FILL_PENDING was prefetched, and has arrived long ago (memsys_warm.c). */
static void mend_fills(struct cache *c)
{
	for (size_t n = 0; n < (size_t)c->sets * c->ways; n++)
		if (c->tag[n] & LINE_FILL_PENDING)
			c->fill[n] = fill_word(0, MEM_L2, true);
}

static void walk_cache(const struct state_walk *w, struct cache *c)
{
	const size_t lines = (size_t)c->sets * c->ways;
	size_t pending;

	if (!lines)
		return;
	pending = w->loads ? 0 : pending_lines(c);
	state_piece(w, &pending, sizeof(pending));
	state_piece(w, c->tag, lines * sizeof(*c->tag));
	if (c->set)
		state_piece(w, c->set, (size_t)c->sets * sizeof(*c->set));
	if (c->policy) {
		state_piece(w, c->states->state, lines * sizeof(*c->states->state));
		state_piece(w, c->shared, sizeof(*c->shared));
	}
	if (w->loads && pending)
		mend_fills(c);
}

static void walk_tlb(const struct state_walk *w, struct tlb *t)
{
	struct tlb_entry *from = t->entry;

	state_piece(w, t->entry, (t->entries + 1) * sizeof(*t->entry));
	state_piece(w, &from, sizeof(from));
	/* the links are those of the state that the entries come from */
	for (unsigned n = 0; from != t->entry && n <= t->entries; n++) {
		t->entry[n].newer = &t->entry[t->entry[n].newer - from];
		t->entry[n].older = &t->entry[t->entry[n].older - from];
	}
	state_piece(w, &t->uses, sizeof(t->uses));
	state_piece(w, &t->last, sizeof(t->last));
	state_piece(w, t->bucket, sizeof(t->bucket));
	walk_cache(w, &t->main);
}

void memsys_walk(struct memsys *m, const struct state_walk *w)
{
	struct chip_memory *chip = m->chip;

	walk_tlb(w, &m->itlb);
	walk_tlb(w, &m->dtlb);
	walk_cache(w, &m->l1i.cache);
	walk_cache(w, &m->l1d.cache);
	walk_cache(w, &m->victims);
	walk_cache(w, &chip->l2);
	if (chip->l3) {
		walk_cache(w, &chip->l3->cache);
		walk_cache(w, &chip->l3->directory);
	}
	prefetcher_walk(&m->prefetcher, w);
}
