/* L2, the channel to L1, memory, and the stream prefetcher. */
#include "memsys_state.h"

/* A line leaves L2 at `t`: L1 must not keep what L2 does not have; dirty data goes to memory. */
static void l2_evict(struct memsys *m, uint64_t now, uint64_t t, uint64_t tag)
{
	uint64_t line = tag & ~(uint64_t)LINE_FLAGS;
	bool dirty = tag & LINE_DIRTY;
	uint64_t end = line + m->cfg->l2.line_bytes;

	for (uint64_t a = line; a != end; a += m->cfg->l1i.line_bytes)
		m->stats.l1i_invalidated += cache_remove(&m->l1i.cache, a) != 0;
	for (uint64_t a = line; a != end; a += m->cfg->l1d.line_bytes) {
		uint64_t removed = cache_remove(&m->l1d.cache, a);

		m->stats.l1d_invalidated += removed != 0;
		if (removed & LINE_DIRTY) {
			m->stats.l1d_writebacks++;
			channel_reserve(&m->l2_channel, now, t);
			dirty = true;
		}
	}
	if (dirty) {
		m->stats.l2_writebacks++;
		channel_reserve(&m->memory_channel, now, t);
	}
}

/* Fetches a line from memory into L2, with a miss buffer from `t` on; returns its arrival there. */
static uint64_t memory_read(struct memsys *m, const struct request *r, uint64_t t)
{
	uint64_t slot = channel_reserve(&m->memory_channel, r->now, t);
	uint64_t arrival = slot + m->cfg->memory.latency;
	uint64_t victim;

	m->stats.memory_reads++;
	m->stats.memory_wait_cycles += slot - t;
	mshr_take(&m->l2_mshr, arrival);
	victim = cache_insert(&m->l2, r->address, LINE_FRESH,
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
	i = cache_use(&m->l2, r->address);
	if (i == CACHE_ABSENT) {
		++*(data ? &s->l2_data_misses : &s->l2_instruction_misses);
		demand.prefetch = false; /* this flag marks the stream prefetcher's lines in L2 */
		a.at = wait_for_buffer(&m->l2_mshr, r->t, &s->l2_buffer_waits,
		                       &s->l2_buffer_wait_cycles);
		a.at = memory_read(m, &demand, a.at);
		a.level = MEM_MEMORY;
		return a;
	}
	if (m->l2.tag[i] & LINE_FRESH)
		a.at = use_fresh(&m->l2, i, r, &prefetched);
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
	range = prefetcher_access(&m->prefetcher, r->address >> m->l2.shift);
	line = range.first;
	for (unsigned i = 0; i < range.count; i++, line += (uint64_t)range.step) {
		p.address = line << m->l2.shift;
		if ((p.address ^ r->address) & page_mask)
			break;
		if (cache_find(&m->l2, p.address) != CACHE_ABSENT)
			continue;
		if (mshr_free_at(&m->l2_mshr) > p.t) {
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
	uint64_t start = channel_reserve(&m->l2_channel, r->now, a.at);

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
	channel_reserve(&m->l2_channel, now, t);
	if (m->cfg->l2.perfect)
		return;
	i = cache_find(&m->l2, line);
	if (i == CACHE_ABSENT)
		bug("line 0x%llx was in L1 but not in L2", (unsigned long long)line);
	m->l2.tag[i] |= LINE_DIRTY;
}
