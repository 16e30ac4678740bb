#include "tlb.h"

#include <assert.h>
#include <stdlib.h>

static struct tlb_entry *tlb_load_any(struct tlb *t, uint64_t page, uint64_t ready);

int tlb_init(struct tlb *t, const struct tlb_params *cfg, unsigned entries)
{
	unsigned page = cfg->page_size;

	if (cfg->perfect)
		entries = 2;
	*t = (struct tlb){.entries = entries,
			  .last = TLB_NO_PAGE,
			  .main_latency = cfg->main_latency,
			  .walk_latency = cfg->walk_latency};
	while (1u << t->shift < page)
		t->shift++;
	t->entry = malloc((entries + 1) * sizeof(*t->entry));
	if (!t->entry)
		return -1;
	for (unsigned i = 0; i <= entries; i++)
		t->entry[i] = (struct tlb_entry){
			.page = TLB_NO_PAGE,
			.newer = &t->entry[i == entries ? 0 : i + 1],
			.older = &t->entry[i ? i - 1 : entries],
		};
	if (cfg->perfect) {
		/* two pages, which cover the address space, are always present */
		t->shift = 63;
		tlb_load_any(t, 0, 0);
		tlb_load_any(t, 1, 0);
	}
	return cache_init(&t->main, (uint64_t)cfg->main_entries * page, cfg->main_ways, page);
}

void tlb_finish(struct tlb *t)
{
	free(t->entry);
	t->entry = NULL;
	cache_finish(&t->main);
}

/* The entry of `page`, or entry 0. */
static struct tlb_entry *tlb_find(const struct tlb *t, uint64_t page)
{
	unsigned i = t->bucket[tlb_hash(page)];

	while (i && t->entry[i].page != page)
		i = t->entry[i].next;
	return &t->entry[i];
}

/* Takes entry `i` out of the list of its page. */
static void unlink_entry(struct tlb *t, unsigned i)
{
	unsigned hash = tlb_hash(t->entry[i].page), k = t->bucket[hash];

	if (k == i) {
		t->bucket[hash] = t->entry[i].next;
		return;
	}
	while (t->entry[k].next != i)
		k = t->entry[k].next;
	t->entry[k].next = t->entry[i].next;
}

/* Gives `e` its place in the order of use, among the others with theirs. */
static void tlb_place(struct tlb *t, struct tlb_entry *e)
{
	struct tlb_entry *at = t->entry->older;

	e->placed = e->used;
	if (e->newer != t->entry && e->newer->placed > e->placed)
		return;
	while (at->placed > e->placed)
		at = at->older;
	if (at == e)
		return;
	e->newer->older = e->older;
	e->older->newer = e->newer;
	e->newer = at->newer;
	e->older = at;
	at->newer->older = e;
	at->newer = e;
}

/* The least recently used entry: each place is that of the last use, or of one before it. */
static struct tlb_entry *tlb_oldest(struct tlb *t)
{
	struct tlb_entry *e;

	while (e = t->entry->newer, e->used != e->placed)
		tlb_place(t, e);
	return e;
}

void tlb_order(struct tlb *t)
{
	for (unsigned i = 1; i <= t->entries; i++)
		if (t->entry[i].used != t->entry[i].placed)
			tlb_place(t, &t->entry[i]);
}

/* Replaces the least recently used entry by `page`; returns it. It is the last used now. */
__attribute__((always_inline)) static inline struct tlb_entry *tlb_load(struct tlb *t, uint64_t page, uint64_t ready)
{
	struct tlb_entry *e = tlb_oldest(t);
	unsigned hash = tlb_hash(page), i = (unsigned)(e - t->entry);

	assert(i && i <= t->entries); /* entry 0 ends the lists and holds no page */
	if (e->page != TLB_NO_PAGE)
		unlink_entry(t, i);
	tlb_use(t, e);
	e->page = page;
	e->ready = ready;
	e->next = t->bucket[hash];
	t->bucket[hash] = (uint16_t)i;
	t->last = TLB_NO_PAGE;
	return e;
}

static struct tlb_entry *tlb_load_any(struct tlb *t, uint64_t page, uint64_t ready)
{
	return tlb_load(t, page, ready);
}

/* The cycle in which the main TLB, accessed in cycle `now`, has the translation. */
static inline uint64_t main_translate(struct tlb *t, uint64_t now, uint64_t address, enum tlb_outcome *ret_outcome)
{
	uint64_t known = now + t->main_latency;
	size_t i = cache_use(&t->main, address);

	if (i != CACHE_ABSENT) {
		*ret_outcome = TLB_MAIN;
		/* the page was evicted from the micro-TLB before its reload ended */
		if (t->main.tag[i] & LINE_FILL_PENDING && fill_cycle(t->main.fill[i]) > known)
			return fill_cycle(t->main.fill[i]);
		return known;
	}
	*ret_outcome = TLB_WALK;
	if (known < t->walker_free)
		known = t->walker_free;
	known += t->walk_latency;
	t->walker_free = known;
	cache_insert(&t->main, address, LINE_FILL_PENDING, fill_word(known, 0, false));
	return known;
}

uint64_t tlb_translate(struct tlb *t, uint64_t now, uint64_t address, enum tlb_outcome *ret_outcome)
{
	uint64_t page = address >> t->shift, known;
	struct tlb_entry *e = tlb_find(t, page);

	if (e != t->entry) {
		tlb_use(t, e);
		t->last = e->ready > now ? TLB_NO_PAGE : page;
		*ret_outcome = e->ready > now ? TLB_WAIT : TLB_HIT;
		return e->ready > now ? e->ready : now;
	}
	known = main_translate(t, now, address, ret_outcome);
	tlb_load(t, page, known);
	return known;
}

struct tlb_entry *tlb_warm_any(struct tlb *t, uint64_t address)
{
	uint64_t page = address >> t->shift;
	struct tlb_entry *e = tlb_find(t, page);

	if (e != t->entry)
		return e;
	if (cache_use(&t->main, address) == CACHE_ABSENT) {
		t->warm_walks++;
		cache_insert(&t->main, address, 0, 0);
	}
	return tlb_load_any(t, page, 0);
}

bool tlb_holds(const struct tlb *t, uint64_t address)
{
	return tlb_find(t, address >> t->shift) != t->entry || cache_find(&t->main, address) != CACHE_ABSENT;
}
