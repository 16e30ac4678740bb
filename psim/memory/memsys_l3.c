/*
 * An L3 that all cores share, behind L2s that are private to them.
 *
 * It has slices, between which the lines are interleaved, each with a channel of its own to the L2s. The tags of all
 * slices are one cache: a slice has the sets whose number is its own, modulo their count.
 *
 * A line that several L2s have is clean in all of them. The directory at L3 has the tags of all L2s, so it knows where
 * a line is, whatever the inclusion; the states are those of coherence.c.
 */
#include "level3.h"

#include <stdlib.h>

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

int l3_create(struct chip_memory *chip, const struct core_config *cfg)
{
	const struct l3_params *p = &cfg->l3;
	struct l2_params as_l2 = {
		.size = p->size,
		.ways = p->ways,
		.line_bytes = cfg->l2.line_bytes,
		.replacement = p->replacement,
		.rrpv_bits = p->rrpv_bits,
	};
	unsigned ahead = 2 * p->miss_buffers + cfg->chip.cores * (2 * cfg->l2.miss_buffers + 64);
	struct level3 *l3 = chip->l3 = calloc(1, sizeof(*l3));

	if (!l3 || l2_init(&l3->cache, &as_l2) < 0 || mshr_init(&l3->mshr, p->miss_buffers) < 0 ||
	    l3_directory_create(l3, cfg) < 0)
		return -1;
	l3->inclusion = p->inclusion;
	l3->latency = p->latency;
	l3->time = channel_time(cfg->l2.line_bytes, core_bytes_per_cycle(cfg, &p->bandwidth));
	l3->hop_cycles = p->hop_cycles;
	l3->channel = calloc(p->slices, sizeof(*l3->channel));
	l3->steps = calloc(CHIP_CORES_MAX, p->slices);
	if (!l3->channel || !l3->steps)
		return -1;
	for (; l3->slices < p->slices; l3->slices++)
		if (channel_init(&l3->channel[l3->slices], ahead) < 0)
			return -1;
	for (unsigned k = 0; k < CHIP_CORES_MAX; k++)
		for (unsigned n = 0; n < p->slices; n++)
			l3->steps[k * p->slices + n] = (uint8_t)core_l3_steps(p, k, n);
	return 0;
}

void l3_destroy(struct level3 *l3)
{
	if (!l3)
		return;
	cache_finish(&l3->cache);
	cache_finish(&l3->directory);
	mshr_finish(&l3->mshr);
	for (unsigned k = 0; k < l3->slices; k++)
		channel_finish(&l3->channel[k]);
	free(l3->channel);
	free(l3->steps);
	free(l3);
}

/* Cycles between core `m` and the line's slice, one way. */
static uint64_t way_to(const struct memsys *m, uint64_t line)
{
	const struct level3 *l3 = m->chip->l3;

	return (uint64_t)l3->steps[m->number * l3->slices + l3_slice(l3, line)] * l3->hop_cycles;
}

/*
 * Sends a line of `m` over the channel of its slice, not before cycle `t`; returns the cycle in which its transfer
 * starts.
 */
static uint64_t take_channel(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	struct level3 *l3 = m->chip->l3;
	unsigned slice = l3_slice(l3, line);

	m->stats.l3_steps += l3->steps[m->number * l3->slices + slice];
	return channel_reserve(&l3->channel[slice], now, t, l3->time);
}

/* ---- lines that leave ---- */

/* Removes a line from L2 and L1 of core `m`, a dirty one over the channels from cycle `t` on. Was it dirty? */
static bool clear_core(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	uint64_t tag = tagged_remove(&m->chip->l2, line);
	bool dirty = tag & LINE_DIRTY;

	if (!tag)
		return false;
	m->stats.l3_messages += 2;
	dirty |= l2_clear_l1(m, now, t, line);
	if (dirty)
		take_channel(m, now, t, line);
	return dirty;
}

/* Evicts a line from L3 at `t`, for one that `m` requests: from all L2s too, if they are included. */
static void l3_evict(struct memsys *m, uint64_t now, uint64_t t, uint64_t tag)
{
	const struct chip_memory *shared = m->chip->shared;
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS;
	bool dirty = tag & LINE_DIRTY;

	for (unsigned k = 0; m->chip->l3->inclusion == INCLUSION_ALL && k < shared->cores; k++) {
		struct memsys *core = shared->core[k];

		if (tagged_find(&core->chip->l2, line) == CACHE_ABSENT)
			continue;
		core->stats.l3_invalidated++;
		dirty |= clear_core(core, now, t, line);
	}
	l3_directory_leave(m, line);
	if (!dirty)
		return;
	m->stats.l3_writebacks++;
	l2_add_write_back(m->chip->shared, t, line, m->number);
}

/* Inserts a line into L3, which it reaches in cycle `at`. */
static void l3_insert(struct memsys *m, uint64_t now, uint64_t at, uint64_t line, unsigned flags, uint64_t fill)
{
	uint64_t victim = tagged_insert(&m->chip->l3->cache, line, LINE_FILL_PENDING | flags, fill);

	if (victim)
		l3_evict(m, now, later_of(at, now), victim);
}

/* Dirty data of a line goes to L3, where it is in cycle `at`; an exclusive L3 does not take it: memory does. */
static void write_to_l3(struct memsys *m, uint64_t now, uint64_t at, uint64_t line)
{
	struct level3 *l3 = m->chip->l3;
	size_t i = tagged_find(&l3->cache, line);

	if (i != CACHE_ABSENT) {
		l3->cache.tag[i] |= LINE_DIRTY;
	} else if (l3->inclusion == INCLUSION_SOME) {
		l3_insert(m, now, at, line, LINE_DIRTY, fill_word(at, MEM_L3, false));
	} else if (l3->inclusion == INCLUSION_NONE) {
		m->stats.l3_writebacks++;
		l2_add_write_back(m->chip->shared, later_of(at, now), line, m->number);
	} else {
		bug("line 0x%llx was in L2 but not in L3", (unsigned long long)line);
	}
}

/* L2 of `m` has evicted a line for one that arrives in cycle `t`. */
static void l2_victim(struct memsys *m, uint64_t now, uint64_t t, uint64_t tag)
{
	struct level3 *l3 = m->chip->l3;
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS, start;
	bool dirty = tag & LINE_DIRTY;

	dirty |= l2_clear_l1(m, now, t, line);
	m->stats.l3_messages += dirty || l3->sparse || l3->inclusion == INCLUSION_NONE;
	l3_directory_leave(m, line);
	if (!dirty && (l3->inclusion != INCLUSION_NONE || (m->shares && l3_shared(m, line))))
		return;
	m->stats.l3_victims++;
	start = take_channel(m, now, t, line);
	if (l3->inclusion != INCLUSION_NONE)
		write_to_l3(m, now, start, line);
	else
		l3_insert(m, now, start, line, dirty ? LINE_DIRTY : 0, fill_word(start, MEM_L3, false));
}

/* ---- lines that cores share ---- */

static bool shares_l3_with(const struct memsys *m, const struct memsys *other)
{
	return other != m && other->space == m->space;
}

bool l3_shared(const struct memsys *m, uint64_t address)
{
	const struct chip_memory *shared = m->chip->shared;

	for (unsigned k = 0; k < shared->cores; k++)
		if (shares_l3_with(m, shared->core[k]) &&
		    tagged_find(&shared->core[k]->chip->l2, address) != CACHE_ABSENT)
			return true;
	return false;
}

/* The cycle, not before `t`, from which the line may leave L2 of core `m`, at `i`: it has arrived there, and in L1D. */
static uint64_t leaves_l2(const struct memsys *m, size_t i, uint64_t t, uint64_t line)
{
	const struct cache *l2 = &m->chip->l2, *l1 = &m->l1d.cache;

	if (l2->tag[i] & LINE_FILL_PENDING)
		t = later_of(t, fill_cycle(l2->fill[i]));
	for (uint64_t a = line; a != line + m->cfg->l2.line_bytes; a += m->cfg->l1d.line_bytes) {
		size_t k = cache_find(l1, a);

		if (k != CACHE_ABSENT && l1->tag[k] & LINE_FILL_PENDING)
			t = later_of(t, fill_cycle(l1->fill[k]));
	}
	return t;
}

/* Marks a line of core `m` as clean; returns whether it was dirty. */
static bool clean_core(struct memsys *m, size_t i, uint64_t line)
{
	bool dirty = m->chip->l2.tag[i] & LINE_DIRTY;

	for (uint64_t a = line; a != line + m->cfg->l2.line_bytes; a += m->cfg->l1d.line_bytes)
		dirty |= cache_clean(&m->l1d.cache, a);
	m->chip->l2.tag[i] &= ~(uint64_t)LINE_DIRTY;
	return dirty;
}

/* Removes a line of core `m` for a store of another core. */
static void lose_line(struct memsys *m, uint64_t line)
{
	uint64_t end = line + m->cfg->l2.line_bytes;

	tagged_remove(&m->chip->l2, line);
	for (uint64_t a = line; a != end; a += m->cfg->l1i.line_bytes)
		cache_remove(&m->l1i.cache, a);
	for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes)
		cache_remove(&m->l1d.cache, a);
	m->stats.coherence_lost++;
}

/* Returns whether core `m`, whose L2 has the line at `i`, has it dirty. */
static bool is_dirty(const struct memsys *m, size_t i, uint64_t line)
{
	bool dirty = m->chip->l2.tag[i] & LINE_DIRTY;

	for (uint64_t a = line; a != line + m->cfg->l2.line_bytes; a += m->cfg->l1d.line_bytes) {
		size_t k = cache_find(&m->l1d.cache, a);

		dirty |= k != CACHE_ABSENT && m->l1d.cache.tag[k] & LINE_DIRTY;
	}
	return dirty;
}

/* Takes the line at `i` of another core's L2; returns the cycle in which L3 knows that it is done. */
static uint64_t take_line(struct memsys *m, struct memsys *other, size_t i, const struct request *r, uint64_t t)
{
	uint64_t line = r->address & m->chip->l2.address_mask;
	bool dirty = clean_core(other, i, line);

	t = leaves_l2(other, i, t, line);
	m->stats.l3_messages += 2;
	if (dirty) {
		t = take_channel(other, r->now, t, line);
		m->stats.coherence_transfers++;
	}
	if (r->own) {
		lose_line(other, line);
		m->stats.coherence_invalidations++;
	}
	/* a store makes the line dirty again; an exclusive L3 then has no use for the data */
	if (dirty && !(r->own && m->chip->l3->inclusion == INCLUSION_NONE))
		write_to_l3(m, r->now, t, line);
	return t + m->cfg->coherence.latency + 2 * way_to(other, line);
}

/* Where another L2 has had the line of l3_take. */
enum l3_sent { NOT_SENT, SENT_CLEAN, SENT_DIRTY };

/*
 * Takes the line of `r`, which L3 knows in cycle `t`, from the L2s of other cores: as coherence_take. *ret_sent: which
 * of them had it.
 */
static uint64_t l3_take(struct memsys *m, const struct request *r, uint64_t t, enum l3_sent *ret_sent)
{
	const struct chip_memory *shared = m->chip->shared;
	uint64_t line = r->address & m->chip->l2.address_mask, done = t;
	bool absent = tagged_find(&m->chip->l3->cache, line) == CACHE_ABSENT;

	*ret_sent = NOT_SENT;
	for (unsigned k = 0; k < shared->cores; k++) {
		struct memsys *other = shared->core[k];
		size_t i = shares_l3_with(m, other) ? tagged_find(&other->chip->l2, line) : CACHE_ABSENT;
		bool dirty;

		if (i == CACHE_ABSENT)
			continue;
		dirty = is_dirty(other, i, line);
		/* a clean copy is of use where L3 has none */
		if (r->own || dirty || (!*ret_sent && absent))
			done = later_of(done, take_line(m, other, i, r, t));
		*ret_sent = dirty ? SENT_DIRTY : SENT_CLEAN; /* a dirty one is the only one */
	}
	m->stats.coherence_wait_cycles += done - t;
	return done;
}

uint64_t l3_own(struct memsys *m, const struct request *r, uint64_t t)
{
	enum l3_sent sent;

	if (!r->own || !l3_shared(m, r->address))
		return t;
	m->stats.l3_messages += 2;
	return l3_take(m, r, t + m->chip->l3->latency + 2 * way_to(m, r->address), &sent);
}

/* ---- requests of L2 ---- */

/* Reads a line from memory, into L3 unless that is exclusive; returns the cycle in which L3 has it. */
static uint64_t read_memory(struct memsys *m, const struct request *r, uint64_t t)
{
	struct level3 *l3 = m->chip->l3;
	struct memsys_stats *s = &m->stats;
	uint64_t slot, arrival;

	t = wait_for_buffer(&l3->mshr, t, &s->l3_buffer_waits, &s->l3_buffer_wait_cycles);
	s->memory_reads++;
	if (m->chip->shared->dram) {
		struct dram_served served = memsys_dram_serve(m, r->now, t, r->address, false);

		s->memory_wait_cycles += served.start - t;
		memsys_dram_read_begins(m->chip->shared, t);
		memsys_dram_read_known(m, t, served.arrival);
		arrival = served.arrival;
	} else {
		slot = l2_take_memory(m->chip->shared, r->now, t);
		arrival = slot + m->chip->shared->memory_latency;
		s->memory_wait_cycles += slot - t;
		s->memory_read_cycles += arrival - t;
		s->memory_busy_cycles += mshr_more_busy(&l3->mshr, t, arrival);
	}
	mshr_take(&l3->mshr, r->now, arrival);
	if (l3->inclusion != INCLUSION_NONE)
		l3_insert(m, r->now, arrival, r->address, 0, fill_word(arrival, MEM_MEMORY, false));
	return arrival;
}

/*
 * Looks the line up in L3 at a->at, which becomes the cycle in which it may leave to L2, and sets its level. Returns
 * whether it leaves L3 as a dirty line, or comes from another core's L2 to be written.
 */
static bool l3_lookup(struct memsys *m, const struct request *r, struct arrival *a)
{
	struct level3 *l3 = m->chip->l3;
	struct memsys_stats *s = &m->stats;
	uint64_t t = a->at;
	enum l3_sent sent = NOT_SENT;
	bool prefetched;
	size_t i;

	if (m->shares)
		a->at = l3_take(m, r, t, &sent);
	i = l3->inclusion == INCLUSION_NONE ? tagged_find(&l3->cache, r->address) : tagged_use(&l3->cache, r->address);
	s->l3_accesses++;
	if (i == CACHE_ABSENT && !sent) {
		s->l3_misses++;
		a->at = read_memory(m, r, t);
		a->level = MEM_MEMORY;
		return false;
	}
	if (i != CACHE_ABSENT && l3->cache.tag[i] & LINE_FILL_PENDING) {
		struct request here = {.now = r->now, .t = a->at};

		a->level = (enum mem_level)fill_level(l3->cache.fill[i]);
		a->at = use_pending_fill(&l3->cache, i, &here, &prefetched);
		if (a->at == here.t)
			a->level = MEM_L3;
	}
	++*(a->level == MEM_L3 ? &s->l3_hits : &s->l3_merged);
	if (l3->inclusion != INCLUSION_NONE)
		return false;
	if (i == CACHE_ABSENT)
		return sent == SENT_DIRTY && r->own;
	return tagged_remove(&l3->cache, r->address) & LINE_DIRTY;
}

/* A line whose entry in the directory is displaced in cycle `t` leaves all L2s; an exclusive L3 gets it. */
static void displace(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	const struct chip_memory *shared = m->chip->shared;
	bool dirty = false;

	for (unsigned k = 0; k < shared->cores; k++) {
		struct memsys *core = shared->core[k];

		core->stats.l3_displaced += tagged_find(&core->chip->l2, line) != CACHE_ABSENT;
		dirty |= clear_core(core, now, t, line);
	}
	if (m->chip->l3->inclusion == INCLUSION_NONE)
		l3_insert(m, now, t, line, dirty ? LINE_DIRTY : 0, fill_word(t, MEM_L3, false));
	else if (dirty)
		write_to_l3(m, now, t, line);
}

struct arrival l3_read(struct memsys *m, const struct request *r, uint64_t t, bool ahead)
{
	uint64_t line = r->address & m->chip->l2.address_mask, way = way_to(m, line), start, victim;
	struct arrival a = {.at = t + way, .level = MEM_L3};
	bool dirty = l3_lookup(m, r, &a);
	uint64_t displaced = l3_directory_enter(m, line);

	m->stats.l3_messages += 2;
	if (displaced != L3_NO_LINE)
		displace(m, r->now, a.at, displaced);
	start = take_channel(m, r->now, a.at, line);
	m->stats.l3_channel_wait_cycles += start - a.at;
	a.at = start + m->chip->l3->latency + way;
	mshr_take(&m->chip->l2_mshr, r->now, a.at);
	victim = tagged_insert(&m->chip->l2, line, LINE_FILL_PENDING | (dirty ? LINE_DIRTY : 0),
			       fill_word(a.at, a.level, ahead));
	note_filled(m, WRONG_L2, line, victim, !ahead && !r->prefetch);
	if (victim)
		l2_victim(m, r->now, a.at, victim);
	return a;
}

/* ---- transfers between memory and SBM ---- */

static uint64_t whole_line_cycles(uint64_t time)
{
	uint64_t cycles = time >> CHANNEL_SHIFT;

	return cycles ? cycles : 1;
}

/* Removes a line from all caches; a dirty one is written to memory first, unless all of it is overwritten. */
static void discard(struct memsys *m, uint64_t now, uint64_t t, uint64_t line, bool whole)
{
	const struct chip_memory *shared = m->chip->shared;
	bool dirty = tagged_remove(&m->chip->l3->cache, line) & LINE_DIRTY;

	for (unsigned k = 0; k < shared->cores; k++)
		dirty |= clear_core(shared->core[k], now, t, line);
	l3_directory_leave(m, line);
	if (!dirty || whole)
		return;
	m->stats.l3_writebacks++;
	l2_add_write_back(m->chip->shared, t, line, m->number);
}

/* The line of a read: from L2 or L3, *ret_line, and true; or false, and memory has it. */
static bool read_cached(struct memsys *m, uint64_t now, uint64_t t, uint64_t line, struct mem_line *ret_line)
{
	struct level3 *l3 = m->chip->l3;
	struct request r = {.now = now, .t = t, .address = line};
	size_t i = tagged_find(&m->chip->l2, line), k;
	struct cache *c = i != CACHE_ABSENT ? &m->chip->l2 : &l3->cache;
	enum l3_sent sent = NOT_SENT;
	bool prefetched;
	uint64_t start, time;

	if (i == CACHE_ABSENT && m->shares)
		t = l3_take(m, &r, t, &sent);
	k = i != CACHE_ABSENT ? i : tagged_find(&l3->cache, line);
	if (k == CACHE_ABSENT && !sent)
		return false;
	if (i != CACHE_ABSENT)
		for (uint64_t a = line; a != line + m->cfg->l2.line_bytes; a += m->cfg->l1d.line_bytes)
			if (l1d_clean(m, a))
				l2_write_back(m, now, now, a);
	r.t = t;
	if (k != CACHE_ABSENT && c->tag[k] & LINE_FILL_PENDING)
		t = use_pending_fill(c, k, &r, &prefetched);
	if (i == CACHE_ABSENT) {
		m->stats.l3_transfer_reads++;
		m->stats.l3_messages += 2;
		start = take_channel(m, now, t + way_to(m, line), line);
		*ret_line =
			(struct mem_line){start + l3->latency + way_to(m, line), start + whole_line_cycles(l3->time)};
		return true;
	}
	m->stats.transfer_l2_reads++;
	time = m->cfg->l2.line_bytes / m->cfg->l1d.line_bytes * m->chip->l1d_time;
	start = channel_reserve(&m->chip->l2_channel, now, t, time);
	*ret_line = (struct mem_line){start + m->cfg->l2.latency, start + whole_line_cycles(time)};
	return true;
}

struct mem_line l3_transfer(struct memsys *m, uint64_t now, uint64_t earliest, uint64_t address, bool write, bool whole)
{
	struct chip_memory *shared = m->chip->shared;
	uint64_t line = address & m->chip->l2.address_mask, start;
	struct mem_line cached;

	if (write)
		discard(m, now, earliest, line, whole);
	else if (read_cached(m, now, earliest, line, &cached))
		return cached;
	++*(write ? &m->stats.transfer_writes : &m->stats.transfer_reads);
	if (shared->dram) {
		struct dram_served served = memsys_dram_serve(m, now, earliest, line, write);

		m->stats.transfer_wait_cycles += served.start - earliest;
		return (struct mem_line){served.arrival, served.start + dram_line_cycles(shared->dram)};
	}
	start = l2_take_memory(shared, now, earliest);
	m->stats.transfer_wait_cycles += start - earliest;
	return (struct mem_line){start + shared->memory_latency, start + whole_line_cycles(shared->memory_time)};
}
