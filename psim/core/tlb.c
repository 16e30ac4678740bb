#include "tlb.h"

#include <stdlib.h>

int tlb_init(struct tlb *t, const struct tlb_params *cfg, unsigned entries)
{
	unsigned page = cfg->page_size;

	*t = (struct tlb){ .entries = entries, .main_latency = cfg->main_latency,
	                   .walk_latency = cfg->walk_latency, .perfect = cfg->perfect };
	while (1u << t->shift < page)
		t->shift++;
	t->entry = malloc(entries * sizeof(*t->entry));
	if (!t->entry)
		return -1;
	for (unsigned i = 0; i < entries; i++)
		t->entry[i] = (struct tlb_entry){ .page = TLB_NO_PAGE };
	return cache_init(&t->main, (uint64_t)cfg->main_entries * page, cfg->main_ways, page);
}

void tlb_finish(struct tlb *t)
{
	free(t->entry);
	t->entry = NULL;
	cache_finish(&t->main);
}

static struct tlb_entry *find(struct tlb *t, uint64_t page)
{
	struct tlb_entry *e = &t->entry[t->hint[tlb_hash(page)]];

	if (e->page == page)
		return e;
	for (unsigned i = 0; i < t->entries; i++) {
		if (t->entry[i].page == page) {
			t->hint[tlb_hash(page)] = i;
			return &t->entry[i];
		}
	}
	return NULL;
}

/* Gives `page` the place of the least recently used entry. */
static void load(struct tlb *t, uint64_t page, uint64_t ready)
{
	unsigned lru = 0;

	for (unsigned i = 1; i < t->entries; i++)
		if (t->entry[i].used < t->entry[lru].used)
			lru = i;
	t->entry[lru] = (struct tlb_entry){ .page = page, .ready = ready, .used = ++t->uses };
	t->hint[tlb_hash(page)] = lru;
}

/* When the main TLB, which is asked in cycle `now`, has the translation. */
static uint64_t main_translate(struct tlb *t, uint64_t now, uint64_t address,
                               enum tlb_outcome *ret_outcome)
{
	uint64_t known = now + t->main_latency;
	size_t i = cache_use(&t->main, address);

	if (i != CACHE_ABSENT) {
		*ret_outcome = TLB_MAIN;
		/* a page that left the micro-TLB before its reload was done */
		if (t->main.tag[i] & LINE_FRESH && fill_cycle(t->main.fill[i]) > known)
			return fill_cycle(t->main.fill[i]);
		return known;
	}
	*ret_outcome = TLB_WALK;
	if (known < t->walker_free)
		known = t->walker_free;
	known += t->walk_latency;
	t->walker_free = known;
	cache_insert(&t->main, address, LINE_FRESH, fill_word(known, 0, false));
	return known;
}

uint64_t tlb_translate(struct tlb *t, uint64_t now, uint64_t address, enum tlb_outcome *ret_outcome)
{
	uint64_t page = address >> t->shift, known;
	struct tlb_entry *e;

	*ret_outcome = TLB_HIT;
	if (t->perfect)
		return now;
	e = find(t, page);
	if (e) {
		e->used = ++t->uses;
		if (e->ready <= now)
			return now;
		*ret_outcome = TLB_WAIT;
		return e->ready;
	}
	known = main_translate(t, now, address, ret_outcome);
	load(t, page, known);
	return known;
}

bool tlb_holds(struct tlb *t, uint64_t address)
{
	return t->perfect || find(t, address >> t->shift) ||
	       cache_find(&t->main, address) != CACHE_ABSENT;
}
