/* L2, the channel to L1, memory, and the stream prefetcher. */
#include "memsys_state.h"

#include <stdlib.h>

/* L1 of core `m` loses what it has of an L2 line. Was any of it dirty? */
static bool l1_invalidate(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	uint64_t end = line + m->cfg->l2.line_bytes;
	bool dirty = false;

	for (uint64_t a = line; a != end; a += m->cfg->l1i.line_bytes)
		m->stats.l1i_invalidated += cache_remove(&m->l1i.cache, a) != 0;
	for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes) {
		uint64_t removed = cache_remove(&m->l1d.cache, a);

		m->stats.l1d_invalidated += removed != 0;
		if (removed & LINE_DIRTY) {
			m->stats.l1d_writebacks++;
			channel_reserve(&m->chip->l2_channel, now, t);
			dirty = true;
		}
	}
	return dirty;
}

/*
 * A line leaves L2 at `t` for one that `m` wants: no L1 may keep what L2 does not
 * have; dirty data goes to memory.
 */
static void l2_evict(struct memsys *m, uint64_t now, uint64_t t, uint64_t tag)
{
	struct chip_memory *chip = m->chip;
	bool dirty = tag & LINE_DIRTY;

	for (unsigned k = 0; k < chip->cores; k++)
		dirty |= l1_invalidate(chip->core[k], now, t, tag & ~(uint64_t)LINE_FLAGS);
	if (dirty) {
		m->stats.l2_writebacks++;
		channel_reserve(&chip->memory_channel, now, t);
	}
}

/* Fetches a line from memory into L2, with a miss buffer from `t` on; returns its arrival there. */
static uint64_t memory_read(struct memsys *m, const struct request *r, uint64_t t)
{
	uint64_t slot = channel_reserve(&m->chip->memory_channel, r->now, t);
	uint64_t arrival = slot + m->cfg->memory.latency;
	uint64_t victim;

	m->stats.memory_reads++;
	m->stats.memory_wait_cycles += slot - t;
	mshr_take(&m->chip->l2_mshr, arrival);
	victim = cache_insert(&m->chip->l2, r->address, LINE_FRESH,
	                      fill_word(arrival, MEM_MEMORY, r->prefetch));
	if (victim)
		l2_evict(m, r->now, arrival, victim);
	return arrival;
}

/* When L2 has the line of a request of L1, and from where. */
static struct arrival l2_lookup(struct memsys *m, const struct request *r, bool data)
{
	struct memsys_stats *s = &m->stats;
	struct arrival a = { r->t, MEM_L2 };
	struct request demand = *r;
	bool prefetched = false;
	size_t i;

	if (m->cfg->l2.perfect) {
		++*(data ? &s->l2_data_hits : &s->l2_instruction_hits);
		return a;
	}
	i = cache_use(&m->chip->l2, r->address);
	if (i == CACHE_ABSENT) {
		++*(data ? &s->l2_data_misses : &s->l2_instruction_misses);
		demand.prefetch = false; /* this flag marks the stream prefetcher's lines in L2 */
		a.at = wait_for_buffer(&m->chip->l2_mshr, r->t, &s->l2_buffer_waits,
		                       &s->l2_buffer_wait_cycles);
		a.at = memory_read(m, &demand, a.at);
		a.level = MEM_MEMORY;
		return a;
	}
	if (m->chip->l2.tag[i] & LINE_FRESH)
		a.at = use_fresh(&m->chip->l2, i, r, &prefetched);
	if (a.at > r->t) {
		++*(data ? &s->l2_data_merged : &s->l2_instruction_merged);
		s->hw_prefetches_late += prefetched;
		a.level = MEM_MEMORY;
	} else {
		++*(data ? &s->l2_data_hits : &s->l2_instruction_hits);
		s->hw_prefetches_useful += prefetched;
	}
	return a;
}

void l2_stream_prefetch(struct memsys *m, const struct request *r)
{
	uint64_t page_mask = ~(m->cfg->tlb.page_size - 1);
	struct prefetch_range range;
	struct request p = { r->now, r->t, 0, true };
	uint64_t line;

	if (!m->cfg->prefetch.enabled || m->cfg->l2.perfect)
		return;
	range = prefetcher_access(&m->prefetcher, r->address >> m->chip->l2.shift);
	line = range.first;
	for (unsigned i = 0; i < range.count; i++, line += (uint64_t)range.step) {
		p.address = line << m->chip->l2.shift;
		if ((p.address ^ r->address) & page_mask)
			break;
		if (cache_find(&m->chip->l2, p.address) != CACHE_ABSENT)
			continue;
		if (mshr_free_at(&m->chip->l2_mshr) > p.t) {
			m->stats.hw_prefetches_dropped++;
			continue;
		}
		m->stats.hw_prefetches++;
		memory_read(m, &p, p.t);
	}
}

struct arrival l2_read(struct memsys *m, const struct request *r, bool data, uint64_t *ret_start)
{
	struct memsys_stats *s = &m->stats;
	struct arrival a = l2_lookup(m, r, data);
	uint64_t start = channel_reserve(&m->chip->l2_channel, r->now, a.at);

	++*(data ? &s->l2_data_accesses : &s->l2_instruction_accesses);
	s->l2_channel_wait_cycles += start - a.at;
	a.at = start + m->cfg->l2.latency;
	*ret_start = start;
	return a;
}

void l2_write_back(struct memsys *m, uint64_t now, uint64_t t, uint64_t line)
{
	size_t i;

	m->stats.l1d_writebacks++;
	channel_reserve(&m->chip->l2_channel, now, t);
	if (m->cfg->l2.perfect)
		return;
	i = cache_find(&m->chip->l2, line);
	if (i == CACHE_ABSENT)
		bug("line 0x%llx was in L1 but not in L2", (unsigned long long)line);
	m->chip->l2.tag[i] |= LINE_DIRTY;
}

struct chip_memory *chip_memory_create(const struct core_config *cfg, struct err *e)
{
	struct chip_memory *chip = calloc(1, sizeof(*chip));

	if (chip && cache_init(&chip->l2, cfg->l2.size, cfg->l2.ways, cfg->l2.line_bytes) == 0 &&
	    mshr_init(&chip->l2_mshr, cfg->l2.miss_buffers) == 0) {
		chip->l2_channel.interval = cfg->l2.interval;
		chip->memory_channel.interval = cfg->memory.interval;
		return chip;
	}
	chip_memory_destroy(chip);
	err_set(e, STATUS_FAILED, "memory system: not enough host memory for its tables");
	return NULL;
}

void chip_memory_destroy(struct chip_memory *chip)
{
	if (!chip)
		return;
	cache_finish(&chip->l2);
	mshr_finish(&chip->l2_mshr);
	free(chip);
}

static unsigned log2_floor(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

/* The low `bits` bits of n in reverse order. */
static uint64_t reverse(uint64_t n, unsigned bits)
{
	uint64_t r = 0;

	for (unsigned k = 0; k < bits; k++)
		r |= (n >> k & 1) << (bits - 1 - k);
	return r;
}

/*
 * The highest bits are the number of the address space: user addresses do not reach
 * them. Programs of one build have equal addresses, which L2 would put into the same
 * sets; a system that hands out pages would not. So number k also moves the pages
 * of its program about L2: by a half of its sets for 1, a quarter for 2, 3 for 4, …
 */
uint64_t chip_memory_join(struct chip_memory *chip, struct memsys *m)
{
	uint64_t number = chip->cores;
	unsigned page = log2_floor(m->cfg->tlb.page_size);
	unsigned way = log2_floor(chip->l2.sets * m->cfg->l2.line_bytes);
	unsigned low = way > page + CHIP_CORES_LOG2 ? way - CHIP_CORES_LOG2 : page;
	unsigned bits = way > low ? way - low : 0;

	if (number == CHIP_CORES_MAX)
		bug("more than %u cores on a chip", CHIP_CORES_MAX);
	chip->core[chip->cores++] = m;
	return number << (64 - CHIP_CORES_LOG2) ^
	       (reverse(number, CHIP_CORES_LOG2) >> (CHIP_CORES_LOG2 - bits) << low);
}

/* ---- transfers between memory and SBM ---- */

/* The L1D of core `m` writes what it has newer of the L2 line at `line`, which is there. */
static void flush_l1d(struct memsys *m, uint64_t now, uint64_t line)
{
	uint64_t end = line + m->cfg->l2.line_bytes;

	for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes) {
		size_t i = cache_find(&m->l1d.cache, a);

		if (i == CACHE_ABSENT || !(m->l1d.cache.tag[i] & LINE_DIRTY))
			continue;
		m->l1d.cache.tag[i] &= ~(uint64_t)LINE_DIRTY;
		l2_write_back(m, now, now, a);
	}
}

static void flush_all(const struct chip_memory *chip, uint64_t now, uint64_t line)
{
	for (unsigned k = 0; k < chip->cores; k++)
		flush_l1d(chip->core[k], now, line);
}

static struct mem_line read_from_l2(struct memsys *m, uint64_t now, uint64_t t, uint64_t line, size_t i)
{
	struct request r = { now, t, line, false };
	bool prefetched;
	uint64_t start;

	flush_all(m->chip, now, line);
	if (m->chip->l2.tag[i] & LINE_FRESH)
		t = use_fresh(&m->chip->l2, i, &r, &prefetched);
	start = channel_reserve(&m->chip->l2_channel, now, t);
	m->stats.transfer_l2_reads++;
	return (struct mem_line){ start + m->cfg->l2.latency, start + m->cfg->l2.interval };
}

struct mem_line memsys_transfer(struct memsys *m, uint64_t now, uint64_t earliest,
                                uint64_t address, bool write, bool whole)
{
	size_t i;
	uint64_t start, removed;

	address ^= m->space;
	i = m->cfg->l2.perfect ? CACHE_ABSENT : cache_find(&m->chip->l2, address);
	if (i != CACHE_ABSENT && !write)
		return read_from_l2(m, now, earliest, address, i);
	if (i != CACHE_ABSENT) {
		flush_all(m->chip, now, address);
		removed = cache_remove(&m->chip->l2, address);
		l2_evict(m, now, earliest, whole ? removed & ~(uint64_t)LINE_DIRTY : removed);
	}
	start = channel_reserve(&m->chip->memory_channel, now, earliest);
	++*(write ? &m->stats.transfer_writes : &m->stats.transfer_reads);
	m->stats.transfer_wait_cycles += start - earliest;
	return (struct mem_line){ start + m->cfg->memory.latency, start + m->cfg->memory.interval };
}
