/*
 * The memory system with a memory of banks and rows (dram.h).
 *
 * A line's time is known only when memory has issued its read command. Until then its accesses are refused, and
 * repeated in the first cycle in which the line may be at L2. Then the command has been issued, as it precedes the
 * arrival, and the access continues as one that finds its line on its way to L2; or the line comes later than that,
 * and the access is refused again. So each access learns its exact time before its line arrives. Meanwhile it holds a
 * miss buffer of L1D, and its line one of L2.
 *
 * Instructions and the lines of SBM are served at once, before requests that wait, and need no miss buffer of L2. With
 * an L3 all lines are served at once, in the order of their requests: the scheduler has no choice between them.
 */
#include <stdlib.h>

#include "memsys_state.h"

_Static_assert((int)DRAM_OWNERS >= (int)CHIP_CORES_MAX, "counts of each core");

int memsys_dram_create(struct chip_memory *chip, const struct core_config *cfg)
{
	/* a dirty victim of each line that is on its way, and those that wait */
	unsigned writes = cfg->dram.write_queue + cfg->l2.miss_buffers + cfg->l2.writeback_buffers;

	chip->dram = dram_create(&cfg->dram, cfg->l2.line_bytes, cfg->chip.frequency, cfg->l2.miss_buffers, writes);
	return chip->dram ? 0 : -1;
}

void memsys_dram_read_begins(struct chip_memory *chip, uint64_t t)
{
	if (!chip->l2_mshr.held && chip->dram_busy_until < t)
		chip->dram_busy_until = t; /* none was under way before */
}

void memsys_dram_read_known(struct memsys *m, uint64_t t, uint64_t arrival)
{
	struct chip_memory *chip = memsys_shared(m);

	m->stats.memory_read_cycles += arrival - t;
	if (arrival <= chip->dram_busy_until)
		return;
	m->stats.memory_busy_cycles += arrival - chip->dram_busy_until;
	chip->dram_busy_until = arrival;
}

/* A line whose time is known goes to L2. */
static void line_arrives(struct chip_memory *chip, uint64_t now, const struct dram_arrival *a)
{
	struct memsys *m = chip->core[a->owner];
	bool ahead = a->source & DRAM_AHEAD;
	/* the line is that of the path which requested it, whichever accesses memory in this cycle */
	bool accessing = wrong_lines_switch(m, a->source & DRAM_WRONG_PATH);

	m->stats.memory_wait_cycles += a->command - a->request;
	memsys_dram_read_known(m, a->request, a->at);
	mshr_release(&chip->l2_mshr, a->request, a->at);
	if (tagged_find(&chip->l2, a->line) == CACHE_ABSENT)
		l2_insert(m, now, a->at, a->line, ahead);
	wrong_lines_switch(m, accessing);
	prefetcher_fill(&m->prefetcher, a->at, a->line >> chip->l2.shift, ahead);
}

/* Requests a line that L2 lacks from memory in cycle `t`; false: it waits to be written, and is at L2 soon. */
static bool request_line_of(struct memsys *m, uint64_t now, uint64_t t, uint64_t line, bool ahead)
{
	unsigned source = (ahead ? DRAM_AHEAD : 0) | (wrong_lines_active(m) ? DRAM_WRONG_PATH : 0);
	uint64_t at = dram_read(m->chip->dram, t, line, source, m->number);

	memsys_dram_read_begins(m->chip, t);
	if (!at) {
		mshr_hold(&m->chip->l2_mshr, t);
		return true;
	}
	memsys_dram_read_known(m, t, at);
	l2_insert(m, now, at, line, ahead);
	prefetcher_fill(&m->prefetcher, at, line >> m->chip->l2.shift, ahead);
	return false;
}

static void request_prefetch(struct memsys *m, uint64_t now, uint64_t t)
{
	uint64_t line = l2_take_prefetch(m);

	if (tagged_find(&m->chip->l2, line) != CACHE_ABSENT || dram_waits(m->chip->dram, line))
		return;
	m->stats.hw_prefetches++;
	m->stats.memory_reads++;
	request_line_of(m, now, t, line, true);
}

/* Brings the cores' counters up to date. */
static void take_counts(struct chip_memory *chip)
{
	for (unsigned n = 0; n < chip->cores; n++) {
		struct memsys *m = chip->core[n];
		const struct dram_counts *to = dram_counts(chip->dram, n), *from = &m->dram_before;

		m->stats.dram_row_hits += to->row_hits - from->row_hits;
		m->stats.dram_row_closed += to->row_closed - from->row_closed;
		m->stats.dram_row_conflicts += to->row_conflicts - from->row_conflicts;
		m->stats.dram_forwarded += to->forwarded - from->forwarded;
		m->stats.dram_activates += to->activates - from->activates;
		m->stats.dram_read_bursts += to->read_bursts - from->read_bursts;
		m->stats.dram_write_bursts += to->write_bursts - from->write_bursts;
		m->stats.dram_active_clocks += to->active_clocks - from->active_clocks;
		m->dram_before = *to;
	}
}

void memsys_dram_settle(struct chip_memory *chip, uint64_t now)
{
	struct dram_arrival a;

	for (;;) {
		uint64_t t = now;
		struct memsys *m = chip->l3 ? NULL : l2_next_prefetch(chip, now, &t);

		if (dram_advance(chip->dram, t, &a))
			line_arrives(chip, now, &a);
		else if (m)
			request_prefetch(m, now, t);
		else
			break;
	}
	take_counts(chip);
}

static struct held_line *held_find(const struct memsys *m, uint64_t line)
{
	for (unsigned n = 0; n < m->held_count; n++)
		if (m->held[n].line == line)
			return &m->held[n];
	return NULL;
}

uint64_t memsys_dram_buffer_at(const struct memsys *m, uint64_t now)
{
	uint64_t at = mshr_free_at(&m->l1d.mshr);

	for (unsigned n = 0; n < m->held_count; n++)
		at = m->held[n].until < at ? m->held[n].until : at;
	return at > now ? at : now + 1;
}

/*
 * Takes the miss buffer of a line whose access has not been repeated in its cycle: false if there is none. It has been
 * squashed, and may depend on the one that needs a buffer now.
 */
static bool take_overdue(struct memsys *m, uint64_t now)
{
	for (unsigned n = 0; n < m->held_count; n++) {
		if (m->held[n].until >= now)
			continue;
		mshr_release(&m->l1d.mshr, m->held[n].since, now);
		m->held[n] = m->held[--m->held_count];
		return true;
	}
	return false;
}

/*
 * Other cores have a claim to a miss buffer of L2 before `h` of core `m` if they have wanted one for longer. Else the
 * core of the lowest number would be the first in each cycle. Returns how many of their accesses have one and will be
 * repeated, and the cycle behind the first repetition, *ret_after.
 */
static unsigned claims_before(const struct memsys *m, uint64_t now, const struct held_line *h, uint64_t *ret_after)
{
	const struct chip_memory *chip = m->chip;
	unsigned claims = 0;

	*ret_after = UINT64_MAX;
	for (unsigned n = 0; n < chip->cores; n++) {
		const struct memsys *other = chip->core[n];

		for (unsigned k = 0; other != m && k < other->held_count; k++) {
			const struct held_line *o = &other->held[k];

			if (!o->wants || o->until < now || o->since > h->since ||
			    (o->since == h->since && n > m->number))
				continue;
			claims++;
			*ret_after = o->until < *ret_after ? o->until + 1 : *ret_after;
		}
	}
	return claims;
}

/* The next attempt of an access whose line L2 lacks; requests the line if it has not been. */
static uint64_t wait_for_line(struct memsys *m, const struct request *r, uint64_t line, struct held_line *h)
{
	struct chip_memory *chip = m->chip;
	uint64_t free_at = mshr_free_at(&chip->l2_mshr), after;

	h->wants = false;
	if (dram_waits(chip->dram, line))
		return dram_bound(chip->dram, r->now, line);
	h->wants = true;
	if (free_at > r->now)
		return free_at == MSHR_HELD ? dram_bound_any(chip->dram, r->now) : free_at;
	if (mshr_free(&chip->l2_mshr, r->now) <= claims_before(m, r->now, h, &after))
		return after;
	h->wants = false;
	h->missed = true;
	return request_line_of(m, r->now, r->now, line, false) ? dram_bound(chip->dram, r->now, line) : 0;
}

enum mem_refusal memsys_dram_request(struct memsys *m, struct request *r, uint64_t *ret_until)
{
	uint64_t own = r->address & m->l1d.cache.address_mask, line = r->address & m->chip->l2.address_mask;
	struct held_line *h;

	memsys_dram_settle(m->chip, r->now);
	h = held_find(m, own);
	if (!h && mshr_free_at(&m->l1d.mshr) > r->now && !take_overdue(m, r->now)) {
		*ret_until = memsys_dram_buffer_at(m, r->now);
		return MEM_NO_BUFFER;
	}
	if (!h) {
		h = &m->held[m->held_count++];
		*h = (struct held_line){.line = own, .since = r->now, .wrong = wrong_lines_active(m)};
		mshr_hold(&m->l1d.mshr, r->now);
	}
	if (tagged_find(&m->chip->l2, line) == CACHE_ABSENT) {
		*ret_until = h->until = wait_for_line(m, r, line, h);
		if (h->until)
			return MEM_QUEUED;
	}
	r->missed = h->missed;
	r->waited = h->until > 0;
	return MEM_ACCEPTED;
}

bool memsys_dram_filled(struct memsys *m, const struct request *r, uint64_t until)
{
	struct held_line *h = held_find(m, r->address & m->l1d.cache.address_mask);
	bool wrong = h->wrong;

	mshr_release(&m->l1d.mshr, h->since, until);
	*h = m->held[--m->held_count];
	return wrong;
}

struct dram_served memsys_dram_serve(struct memsys *m, uint64_t now, uint64_t t, uint64_t address, bool write)
{
	struct dram_served served;

	memsys_dram_settle(memsys_shared(m), now);
	served = dram_serve(memsys_shared(m)->dram, t, address & m->chip->l2.address_mask, write, m->number);
	take_counts(memsys_shared(m));
	return served;
}

const char *memsys_dram_check(const struct memsys *m)
{
	if (m->held_count != m->l1d.mshr.held)
		return "lines held differ from miss buffers held";
	if (dram_waiting(m->chip->dram) != m->chip->l2_mshr.held)
		return "reads that wait differ from miss buffers held";
	return NULL;
}
