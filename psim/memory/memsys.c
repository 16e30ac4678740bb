/* The core's interface to memory: TLBs and L1 caches. */
#include "quick_access.h"

#include <stdlib.h>
#include <string.h>

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The outcome of a demand access to L1. From NO_BUFFER on: refused until the cycle in the answer. */
enum outcome { HIT, MERGED, MISS, NO_BUFFER, QUEUED };

/* L1D lacks the line of `r`: MEM_ACCEPTED if it may be filled now; or why not, until when. */
static inline enum mem_refusal fill_refused(struct memsys *m, struct request *r, uint64_t *ret_until)
{
	if (__builtin_expect(m->chip->dram != NULL, 0))
		return memsys_dram_request(m, r, ret_until);
	*ret_until = mshr_free_at(&m->l1d.mshr);
	return *ret_until > r->t ? MEM_NO_BUFFER : MEM_ACCEPTED;
}

/*
 * Accesses one line of L1 on demand at r->t, which is postponed if a fetch has to wait for a
 * miss buffer. Returns the cycle in which the data is ready.
 */
static inline struct arrival l1_access(struct memsys *m, struct level1 *l1, struct request *r, unsigned flags,
				       enum outcome *ret_outcome)
{
	struct memsys_stats *s = &m->stats;
	struct arrival a = {.at = r->t, .level = MEM_L1};
	bool prefetched;
	size_t i;

	*ret_outcome = HIT;
	if (l1->perfect)
		return a;
	i = cache_use(&l1->cache, r->address);
	if (i == CACHE_ABSENT) {
		enum mem_refusal why;

		if (l1->data && has_victims(m) && victims_take(m, r, flags, &a)) {
			*ret_outcome = MERGED;
			return a;
		}
		why = l1->data ? fill_refused(m, r, &a.at) : MEM_ACCEPTED;
		if (why != MEM_ACCEPTED) {
			*ret_outcome = why == MEM_QUEUED ? QUEUED : NO_BUFFER;
			return a;
		}
		*ret_outcome = MISS;
		if (l1->data)
			return l1d_fill(m, r, flags); /* it has its buffer */
		r->t = wait_for_buffer(&l1->mshr, r->t, &s->l1i_buffer_waits, &s->l1i_buffer_wait_cycles);
		return l1i_fill(m, r);
	}
	if (r->own && !may_write(m, l1->cache.tag[i]) && coherence_shared(m, r->address)) {
		if (mshr_free_at(&l1->mshr) > r->t) {
			*ret_outcome = NO_BUFFER;
			return (struct arrival){.at = memsys_dram_buffer_at(m, r->now), .level = MEM_L1};
		}
		*ret_outcome = MERGED;
		a = (struct arrival){.at = coherence_upgrade(m, r, i), .level = MEM_L2};
		l1->cache.tag[i] |= flags;
		return a;
	}
	l1->cache.tag[i] |= flags;
	if (!(l1->cache.tag[i] & LINE_FILL_PENDING))
		return a;
	a.at = use_pending_fill(&l1->cache, i, r, &prefetched);
	if (a.at > r->t) {
		*(l1->data ? &s->prefetches_late : &s->l1i_prefetches_late) += prefetched;
		a.level = fill_level(l1->cache.fill[i]);
		*ret_outcome = MERGED;
	} else {
		*(l1->data ? &s->prefetches_useful : &s->l1i_prefetches_useful) += prefetched;
	}
	return a;
}

static uint64_t data_translate(struct memsys *m, uint64_t now, uint64_t address)
{
	enum tlb_outcome outcome;
	uint64_t t;

	t = tlb_translate(&m->dtlb, now, address, &outcome);
	m->stats.dtlb_waits += outcome == TLB_WAIT;
	m->stats.dtlb_misses += outcome >= TLB_MAIN;
	m->stats.dtlb_walks += outcome == TLB_WALK;
	return t;
}

/* An accepted access's answer, made as whole words. */
static inline struct mem_answer served(uint64_t ready, enum mem_level level, bool hit)
{
	struct mem_answer a;
	uint64_t how = (uint64_t)level | (uint64_t)hit << MEM_HIT_AT;

	_Static_assert(sizeof(a) == sizeof(a.ready) + sizeof(how) && MEM_ACCEPTED == 0, "two words");
	a.ready = ready;
	memcpy((char *)&a + sizeof(a.ready), &how, sizeof(how));
	return a;
}

static struct mem_answer refuse(enum mem_refusal why, uint64_t until)
{
	return (struct mem_answer){.ready = until, .refused = why};
}

static struct mem_answer refuse_fill(enum outcome outcome, uint64_t until)
{
	return refuse(outcome == QUEUED ? MEM_QUEUED : MEM_NO_BUFFER, until);
}

static void count_data(struct memsys_stats *s, bool store, enum outcome outcome)
{
	switch (outcome) {
	case HIT: ++*(store ? &s->l1d_store_hits : &s->l1d_load_hits); break;
	case MERGED: ++*(store ? &s->l1d_store_merged : &s->l1d_load_merged); break;
	case MISS: ++*(store ? &s->l1d_store_misses : &s->l1d_load_misses); break;
	case NO_BUFFER:
	case QUEUED: return;
	}
	++*(store ? &s->l1d_stores : &s->l1d_loads);
}

/* Counts whether the line that a store requested ahead of its write arrived in time. */
static void count_ahead(struct memsys_stats *s, enum outcome outcome)
{
	s->l1d_stores_ahead_in_time += outcome == HIT;
	s->l1d_stores_ahead_late += outcome == MERGED;
	s->l1d_stores_ahead_lost += outcome == MISS;
}

/* Counts a data access. */
static inline void count_access(struct memsys *m, bool store, unsigned known, enum outcome outcome)
{
	count_data(&m->stats, store, outcome);
	if (known & MEM_REQUESTED)
		count_ahead(&m->stats, outcome);
}

/*
 * Is a load or fetch in another way than the one read first, that of the set's last use? Its data takes longer; a line
 * on its way does not, as the tags of all ways are read at once.
 */
static inline bool other_way(const struct level1 *l1, uint64_t address)
{
	const struct cache *c = &l1->cache;

	return __builtin_expect(l1->way_latency != 0, 0) &&
	       !cache_has(c, c->tag[cache_set(c, address)], address & ~UINT64_C(3));
}

/* Accesses one line of L1D. */
static inline struct arrival l1d_access(struct memsys *m, struct request *r, bool store, enum outcome *ret_outcome)
{
	bool wrong = !store && other_way(&m->l1d, r->address);
	struct arrival a = l1_access(m, &m->l1d, r, store ? LINE_DIRTY : 0, ret_outcome);

	if (wrong && *ret_outcome == HIT) {
		m->stats.way_wrong++;
		a.at += m->l1d.way_latency;
	}
	return a;
}

/* The general data access to several lines, behind the translation. */
__attribute__((noinline)) static struct mem_answer data_access_lines(struct memsys *m, struct request *r, uint64_t last,
								     bool store, unsigned known)
{
	struct arrival all = {.at = r->now, .level = MEM_L1}, one;
	uint64_t mask = m->l1d.cache.address_mask;
	enum outcome outcome;

	for (;;) {
		one = l1d_access(m, r, store, &outcome);
		if (outcome >= NO_BUFFER)
			return refuse_fill(outcome, one.at); /* the request of an earlier line remains */
		count_access(m, store, known, outcome);
		known &= ~(unsigned)MEM_REQUESTED; /* of the first line alone */
		all.at = max_u64(all.at, one.at);
		if (one.level > all.level)
			all.level = one.level;
		if (!((r->address ^ last) & mask))
			break;
		r->address = (r->address & mask) + m->cfg->l1d.line_bytes;
	}
	return served(all.at, all.level, all.at == r->now);
}

/* The general data access: translation, then each line that it touches. */
__attribute__((noinline)) static struct mem_answer data_access(struct memsys *m, uint64_t now, uint64_t address,
							       unsigned size, bool store, unsigned known)
{
	struct request r = {.now = now, .t = now, .address = address, .own = store};
	uint64_t last = address + (size ? size - 1 : 0);
	struct arrival one;
	enum outcome outcome;

	if (!(known & MEM_TRANSLATED)) {
		uint64_t t = tlb_hit_fast(&m->dtlb, now, address) ? now : data_translate(m, now, address);

		if (t > now)
			return refuse(MEM_NO_PAGE, t);
	}
	if ((address ^ last) & m->l1d.cache.address_mask)
		return data_access_lines(m, &r, last, store, known);
	one = l1d_access(m, &r, store, &outcome);
	if (outcome >= NO_BUFFER)
		return refuse_fill(outcome, one.at);
	count_access(m, store, known, outcome);
	/* a merged or missed line is never ready at once, as latencies are at least one cycle */
	return served(one.at, one.level, one.at == now);
}

/* Uses the FILL_PENDING line in the first way of its set, at `first`, by a load. */
static inline struct mem_answer load_pending_fill(struct memsys *m, uint64_t now, size_t first)
{
	struct request r = {.now = now, .t = now};
	bool prefetched;
	uint64_t at = use_pending_fill(&m->l1d.cache, first, &r, &prefetched);

	if (at > now) {
		m->stats.prefetches_late += prefetched;
		m->stats.l1d_load_merged++;
		return served(at, fill_level(m->l1d.cache.fill[first]), false);
	}
	m->stats.prefetches_useful += prefetched;
	m->stats.l1d_load_hits++;
	return served(now, MEM_L1, true);
}

/* Loads a line that is in no way of its set; its page is translated. */
__attribute__((noinline)) static struct mem_answer load_absent(struct memsys *m, uint64_t now, uint64_t address)
{
	struct request r = {.now = now, .t = now, .address = address};
	uint64_t until;
	enum mem_refusal why;
	struct arrival a;

	if (has_victims(m) && victims_take(m, &r, 0, &a)) {
		m->stats.l1d_loads++;
		m->stats.l1d_load_merged++;
		return served(a.at, a.level, false);
	}
	why = fill_refused(m, &r, &until);
	if (why != MEM_ACCEPTED)
		return refuse(why, until);
	a = l1d_fill(m, &r, 0);
	m->stats.l1d_loads++;
	m->stats.l1d_load_misses++;
	return served(a.at, a.level, false);
}

/*
 * A load whose page is translated; quick for a line in the first two ways of its set, FILL_PENDING or not. The address
 * is in the core's space.
 */
static inline struct mem_answer load_translated(struct memsys *m, uint64_t now, uint64_t address, unsigned size)
{
	struct cache *c = &m->l1d.cache;
	uint64_t tag = cache_tag(c, address);
	size_t first = (size_t)(cache_quick(c, address) - c->tag);

	if (m->l1d.perfect || c->ways == 1 || ((address + size - 1) ^ address) & c->address_mask)
		return data_access(m, now, address, size, false, MEM_TRANSLATED);
	if ((c->tag[first] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) != tag) {
		bool second = (c->tag[first + 1] & ~(uint64_t)(LINE_DIRTY | LINE_FILL_PENDING)) == tag;

		if (!second || m->l1d.way_latency)
			return c->pair && !second ? load_absent(m, now, address)
						  : data_access(m, now, address, size, false, MEM_TRANSLATED);
		cache_swap(c, first);
	}
	m->stats.l1d_loads++;
	if (c->tag[first] & LINE_FILL_PENDING)
		return load_pending_fill(m, now, first);
	m->stats.l1d_load_hits++;
	return served(now, MEM_L1, true);
}

/* Translates the page of a load, and loads. */
static inline struct mem_answer load_quick(struct memsys *m, uint64_t now, uint64_t address, unsigned size,
					   unsigned known)
{
	if (!(known & MEM_TRANSLATED) && !tlb_hit_fast(&m->dtlb, now, address)) {
		uint64_t t = data_translate(m, now, address);

		if (t > now)
			return refuse(MEM_NO_PAGE, t);
	}
	return load_translated(m, now, address, size);
}

void memsys_note_pc(struct memsys *m, uint64_t pc)
{
	m->prefetcher.pc = pc;
}

struct mem_answer memsys_load_slower(struct memsys *m, uint64_t now, uint64_t address, unsigned size)
{
	return load_quick(m, now, address ^ m->space, size, 0);
}

/* As memsys_load_again in a machine with wrong paths. */
static struct mem_answer load_watched(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	const struct memsys_stats before = m->stats;
	struct mem_answer a = load_quick(m, now, address ^ m->space, size, known);

	wrong_lines_loaded(m, address, size, &a, &before);
	return a;
}

struct mem_answer memsys_load(struct memsys *m, uint64_t now, uint64_t address, unsigned size)
{
	if (__builtin_expect(m->wrong != NULL, 0))
		return load_watched(m, now, address, size, 0);
	if (!load_hits(m, now, address, size))
		return memsys_load_slower(m, now, address, size);
	return served(now, MEM_L1, true);
}

struct mem_answer memsys_load_again(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	if (__builtin_expect(m->wrong != NULL, 0))
		return load_watched(m, now, address, size, known);
	return load_quick(m, now, address ^ m->space, size, known);
}

struct mem_answer memsys_store_slower(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	return data_access(m, now, address ^ m->space, size, true, known);
}

struct mem_answer memsys_store(struct memsys *m, uint64_t now, uint64_t address, unsigned size, unsigned known)
{
	struct mem_answer a;

	if (store_hits(m, now, address, size, known))
		a = served(now, MEM_L1, true);
	else
		a = memsys_store_slower(m, now, address, size, known);
	if (__builtin_expect(m->wrong != NULL, 0))
		wrong_lines_written(m, address, size, &a);
	return a;
}

/* Counts a prefetch that ends, in `how`. */
static struct mem_answer prefetch_ends(struct memsys *m, uint64_t now, uint64_t *how)
{
	m->stats.prefetches++;
	++*how;
	return served(now, MEM_L1, true);
}

struct mem_answer memsys_prefetch(struct memsys *m, uint64_t now, uint64_t address, bool strong, unsigned known)
{
	struct request r = {.now = now, .t = now, .address = address ^= m->space, .prefetch = true};
	enum mem_refusal why;
	uint64_t until;

	if (m->l1d.perfect)
		return prefetch_ends(m, now, &m->stats.prefetches_present);
	if (!(known & MEM_TRANSLATED)) {
		uint64_t t;

		if (!strong && !tlb_holds(&m->dtlb, address))
			return prefetch_ends(m, now, &m->stats.prefetches_dropped_tlb);
		t = data_translate(m, now, address);
		if (t > now)
			return refuse(MEM_NO_PAGE, t);
	}
	if (l1d_has(m, address))
		return prefetch_ends(m, now, &m->stats.prefetches_present);
	why = fill_refused(m, &r, &until);
	if (why != MEM_ACCEPTED)
		return refuse(why, until);
	l1d_fill(m, &r, 0);
	return prefetch_ends(m, now, &m->stats.prefetches_issued);
}

struct mem_answer memsys_store_prefetch_slower(struct memsys *m, uint64_t now, uint64_t address, unsigned known)
{
	struct request r = {.now = now, .t = now, .address = address ^= m->space, .own = true};
	enum mem_refusal why;
	uint64_t until;
	size_t i;
	struct mem_answer there = {now, MEM_L1, MEM_ACCEPTED, true, false};

	if (!(known & MEM_TRANSLATED) && !tlb_hit_fast(&m->dtlb, now, address)) {
		uint64_t t = data_translate(m, now, address);

		if (t > now)
			return refuse(MEM_NO_PAGE, t);
	}
	i = m->l1d.perfect ? CACHE_ABSENT : cache_find(&m->l1d.cache, address);
	if (m->l1d.perfect ||
	    (i != CACHE_ABSENT && (may_write(m, m->l1d.cache.tag[i]) || !coherence_shared(m, address))))
		return there;
	if (i != CACHE_ABSENT) {
		if (mshr_free_at(&m->l1d.mshr) > now)
			return refuse(MEM_NO_BUFFER, memsys_dram_buffer_at(m, now));
		coherence_upgrade(m, &r, i);
		return there;
	}
	if (has_victims(m) && cache_find(&m->victims, address) != CACHE_ABSENT)
		return there;
	why = fill_refused(m, &r, &until);
	if (why != MEM_ACCEPTED)
		return refuse(why, until);
	m->stats.l1d_stores_ahead++;
	there.ready = l1d_fill(m, &r, 0).at;
	there.hit = false;
	return there;
}

struct mem_answer memsys_store_prefetch(struct memsys *m, uint64_t now, uint64_t address, unsigned known)
{
	if (!store_prefetch_hits(m, now, address, known))
		return memsys_store_prefetch_slower(m, now, address, known);
	return served(now, MEM_L1, true);
}

/* Prefetches the line after a miss of L1I at r->t, if it is in the same page. */
static void next_line_prefetch(struct memsys *m, const struct request *r)
{
	struct request next = *r;

	next.address = (r->address & m->l1i.cache.address_mask) + m->cfg->l1i.line_bytes;
	next.prefetch = true;
	if ((next.address ^ r->address) & ~(m->cfg->tlb.page_size - 1) ||
	    cache_find(&m->l1i.cache, next.address) != CACHE_ABSENT)
		return;
	if (mshr_free_at(&m->l1i.mshr) > next.t) {
		m->stats.l1i_prefetches_dropped++;
		return;
	}
	m->stats.l1i_prefetches++;
	l1i_fill(m, &next);
}

__attribute__((noinline)) static struct mem_answer fetch_access(struct memsys *m, uint64_t now, uint64_t address)
{
	struct memsys_stats *s = &m->stats;
	struct request r = {.now = now, .address = address};
	enum tlb_outcome translation;
	enum outcome outcome;
	struct arrival a;
	bool wrong;

	r.t = tlb_translate(&m->itlb, now, address, &translation);
	s->itlb_waits += translation == TLB_WAIT;
	s->itlb_misses += translation >= TLB_MAIN;
	s->itlb_walks += translation == TLB_WALK;
	wrong = other_way(&m->l1i, address);
	a = l1_access(m, &m->l1i, &r, 0, &outcome);
	if (wrong && outcome == HIT) {
		s->way_fetch_wrong++;
		a.at += m->l1i.way_latency;
	}
	s->l1i_hits += outcome == HIT;
	s->l1i_merged += outcome == MERGED;
	s->l1i_misses += outcome == MISS;
	if (outcome == MISS && m->cfg->l1i.next_line_prefetch)
		next_line_prefetch(m, &r);
	return (struct mem_answer){
		a.at, a.level, MEM_ACCEPTED, a.at == now, translation != TLB_HIT && r.t - now >= a.at - r.t,
	};
}

static inline struct mem_answer fetch_any(struct memsys *m, uint64_t now, uint64_t address)
{
	if (fetch_hits(m, now, address))
		return served(now, MEM_L1, true);
	m->stats.l1i_accesses++;
	return fetch_access(m, now, address ^ m->space);
}

/* In a machine with wrong paths. */
static struct mem_answer fetch_watched(struct memsys *m, uint64_t now, uint64_t address)
{
	const struct memsys_stats before = m->stats;
	struct mem_answer a = fetch_any(m, now, address);

	wrong_lines_fetched(m, address, &before);
	return a;
}

struct mem_answer memsys_fetch(struct memsys *m, uint64_t now, uint64_t address)
{
	return __builtin_expect(m->wrong != NULL, 0) ? fetch_watched(m, now, address) : fetch_any(m, now, address);
}

/* floor(n / 2^shift) for a negative n too. */
static int64_t floor_shift(int64_t n, unsigned shift)
{
	return n < 0 ? ~(~n >> shift) : n >> shift;
}

bool memsys_bank_conflict(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	unsigned word = m->bank_word_shift, banks = m->banks_shift;
	/* the distances between a word of one access and a word of the other are low..high */
	int64_t low = (int64_t)((b >> word) - ((a + a_size - 1) >> word));
	int64_t high = (int64_t)(((b + b_size - 1) >> word) - (a >> word));
	/* two words share a bank if their distance is a multiple of the number of banks */
	int64_t multiples = floor_shift(high, banks) - floor_shift(low - 1, banks);

	return multiples > (low <= 0 && high >= 0);
}

const struct memsys_stats *memsys_stats(const struct memsys *m)
{
	return &m->stats;
}

void memsys_set_stats(struct memsys *m, const struct memsys_stats *s)
{
	m->stats = *s;
}

void memsys_buffers(const struct memsys *m, uint64_t now, struct mem_buffers *out)
{
	*out = (struct mem_buffers){
		.l1i = mshr_use(&m->l1i.mshr, now),
		.l1d = mshr_use(&m->l1d.mshr, now),
		.l2 = mshr_use(&m->chip->l2_mshr, now),
	};
}

static unsigned log2_of(unsigned power_of_two)
{
	unsigned n = 0;

	while (power_of_two >> n > 1)
		n++;
	return n;
}

static int level1_init(struct level1 *l1, uint64_t size, unsigned ways, unsigned line, unsigned buffers)
{
	return cache_init(&l1->cache, size, ways, line) < 0 || mshr_init(&l1->mshr, buffers) < 0 ? -1 : 0;
}

static void level1_finish(struct level1 *l1)
{
	cache_finish(&l1->cache);
	mshr_finish(&l1->mshr);
}

struct memsys *memsys_create(const struct core_config *cfg, struct chip_memory *chip, struct err *e)
{
	struct memsys *m = calloc(1, sizeof(*m));

	if (!m)
		goto no_memory;
	m->cfg = cfg;
	m->l1i.perfect = cfg->l1i.perfect;
	m->l1d.perfect = cfg->l1d.perfect;
	m->l1d.data = true;
	m->l1d.fill_latency = cfg->l1d.fill_latency;
	m->l1i.way_latency = cfg->l1i.way_prediction == WAYS_MRU && !cfg->l1i.perfect ? cfg->l1i.way_latency : 0;
	m->l1d.way_latency = cfg->l1d.way_prediction == WAYS_MRU && !cfg->l1d.perfect ? cfg->l1d.way_latency : 0;
	m->bank_word_shift = log2_of(cfg->l1d.bank_bytes);
	m->banks_shift = log2_of(cfg->l1d.banks);
	if (level1_init(&m->l1i, cfg->l1i.size, cfg->l1i.ways, cfg->l1i.line_bytes, cfg->l1i.miss_buffers) < 0 ||
	    level1_init(&m->l1d, cfg->l1d.size, cfg->l1d.ways, cfg->l1d.line_bytes, cfg->l1d.miss_buffers) < 0 ||
	    prefetcher_init(&m->prefetcher, &cfg->prefetch, cfg->tlb.page_size, cfg->l2.line_bytes) < 0 ||
	    tlb_init(&m->itlb, &cfg->tlb, cfg->tlb.uitlb_entries) < 0 ||
	    tlb_init(&m->dtlb, &cfg->tlb, cfg->tlb.udtlb_entries) < 0)
		goto no_memory;
	m->l1_pairs = m->l1i.cache.pair && m->l1d.cache.pair && cfg->l1i.line_bytes == cfg->l2.line_bytes &&
		      cfg->l1d.line_bytes == cfg->l2.line_bytes && !cfg->l1d.victim_lines;
	if (cfg->l1d.victim_lines && cache_init(&m->victims, (uint64_t)cfg->l1d.victim_lines * cfg->l1d.line_bytes,
						cfg->l1d.victim_lines, cfg->l1d.line_bytes) < 0)
		goto no_memory;
	m->held = calloc(cfg->l1d.miss_buffers, sizeof(*m->held));
	if (!m->held || (core_has_wrong_paths(cfg) && wrong_lines_create(m) < 0))
		goto no_memory;
	m->owned = chip ? NULL : chip_memory_create(cfg, e);
	m->chip = chip ? chip : m->owned;
	if (!m->chip)
		goto fail;
	m->space = chip_memory_join(m->chip, m);
	if (!m->chip->l3)
		return m;
	m->chip = chip_memory_create_l2(cfg, m->chip);
	if (!m->chip)
		goto no_memory;
	m->chip->core[m->chip->cores++] = m;
	return m;
no_memory:
	err_set(e, STATUS_FAILED, "memory system: out of memory for its tables");
fail:
	memsys_destroy(m);
	return NULL;
}

void memsys_destroy(struct memsys *m)
{
	if (!m)
		return;
	level1_finish(&m->l1i);
	level1_finish(&m->l1d);
	cache_finish(&m->victims);
	free(m->held);
	wrong_lines_destroy(m);
	if (m->chip && m->chip->shared)
		chip_memory_destroy(m->chip);
	chip_memory_destroy(m->owned);
	prefetcher_finish(&m->prefetcher);
	tlb_finish(&m->itlb);
	tlb_finish(&m->dtlb);
	free(m);
}
