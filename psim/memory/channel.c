#include "channel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

int channel_init(struct channel *c, unsigned gaps)
{
	unsigned size = 1;

	while (size < gaps)
		size *= 2;
	*c = (struct channel){.mask = size - 1};
	c->gap = calloc(size, sizeof(*c->gap));
	return c->gap ? 0 : -1;
}

void channel_finish(struct channel *c)
{
	free(c->gap);
	c->gap = NULL;
}

uint64_t channel_time(double bytes, double bytes_per_cycle)
{
	uint64_t time = (uint64_t)llround(bytes / bytes_per_cycle * (1 << CHANNEL_SHIFT));

	return time ? time : 1;
}

/* The i-th gap in order of time. */
static struct gap *gap_at(const struct channel *c, unsigned i)
{
	return &c->gap[(c->first + i) & c->mask];
}

/* Forgets the earliest gap. */
static void gap_forget(struct channel *c)
{
	assert(c->gaps);
	c->first = (c->first + 1) & c->mask;
	c->gaps--;
}

static void gap_remove(struct channel *c, unsigned i)
{
	for (; i > 0; i--)
		*gap_at(c, i) = *gap_at(c, i - 1);
	gap_forget(c);
}

/* Inserts a gap after the first `i`, which are all earlier. */
static void gap_insert(struct channel *c, unsigned i, struct gap g)
{
	if (c->gaps > c->mask) {
		gap_forget(c);
		if (i > 0)
			i--;
	}
	for (unsigned k = c->gaps; k > i; k--)
		*gap_at(c, k) = *gap_at(c, k - 1);
	*gap_at(c, i) = g;
	c->gaps++;
}

/* Reserves up to `time` of gap `i`, from `start` on; returns the time reserved. `*ret_kept`: gaps left of it. */
static uint64_t gap_use(struct channel *c, unsigned i, uint64_t start, uint64_t time, unsigned *ret_kept)
{
	struct gap *g = gap_at(c, i);
	struct gap before = {g->from, start};
	uint64_t taken = g->to - start < time ? g->to - start : time;
	bool more = start + taken < g->to;

	assert(before.from <= start && start < g->to); /* something of the gap is used: reserve_in_gaps ends */
	*ret_kept = more + (before.from < before.to);
	if (before.from == before.to && more) {
		g->from = start + taken;
	} else if (before.from < before.to && !more) {
		g->to = start;
	} else if (more) {
		g->from = start + taken;
		gap_insert(c, i, before);
	} else {
		gap_remove(c, i);
	}
	return taken;
}

/* Reserves `time` in the gaps from `from` on, then behind all reservations; returns its end. */
static uint64_t reserve_in_gaps(struct channel *c, uint64_t from, uint64_t time)
{
	uint64_t left = time, end = 0;
	unsigned kept;

	for (unsigned i = 0; i < c->gaps && left; i += kept) {
		const struct gap *g = gap_at(c, i);
		uint64_t start = from > g->from ? from : g->from;

		kept = 1;
		if (start >= g->to)
			continue;
		end = start + (g->to - start < left ? g->to - start : left);
		left -= gap_use(c, i, start, left, &kept);
	}
	return left ? c->next_free += left : end;
}

/* The cycle in which a transfer of `time` that ends at `end` starts. */
static inline uint64_t transfer_start(uint64_t end, uint64_t time)
{
	return (end - time + (1 << CHANNEL_SHIFT) - 1) >> CHANNEL_SHIFT;
}

/* channel_reserve_later where a gap may be used. */
__attribute__((noinline)) static uint64_t reserve_early(struct channel *c, uint64_t from, uint64_t time)
{
	return transfer_start(reserve_in_gaps(c, from, time), time);
}

/* Adds the gap between all reservations and `to`. */
static inline void gap_append(struct channel *c, uint64_t to)
{
	if (c->gaps > c->mask)
		gap_forget(c);
	assert(!c->gaps || gap_at(c, c->gaps - 1)->to < to); /* gaps are in order of time, and do not overlap */
	*gap_at(c, c->gaps++) = (struct gap){c->next_free, to};
}

uint64_t channel_reserve_later(struct channel *c, uint64_t now, uint64_t earliest, uint64_t time)
{
	uint64_t from = earliest << CHANNEL_SHIFT;

	now <<= CHANNEL_SHIFT;
	/* gaps in the past cannot be used */
	while (c->gaps && c->gap[c->first].to <= now)
		gap_forget(c);
	if (from >= c->next_free) {
		if (c->next_free < from)
			gap_append(c, from);
		c->next_free = from + time;
		return earliest;
	}
	if (c->gaps && gap_at(c, c->gaps - 1)->to > from)
		return reserve_early(c, from, time);
	return transfer_start(c->next_free += time, time);
}

bool channel_idle(const struct channel *c, uint64_t from, uint64_t to)
{
	from <<= CHANNEL_SHIFT;
	to <<= CHANNEL_SHIFT;
	for (unsigned i = 0; i < c->gaps; i++)
		if (gap_at(c, i)->from < to && gap_at(c, i)->to > from)
			return true;
	return (c->next_free > from ? c->next_free : from) < to;
}

int mshr_init(struct mshr *m, unsigned count)
{
	m->count = count;
	m->first = 0;
	m->taken = 0;
	m->held = 0;
	m->held_since = 0;
	m->free_at = calloc(count, sizeof(*m->free_at));
	return m->free_at ? 0 : -1;
}

void mshr_finish(struct mshr *m)
{
	free(m->free_at);
	m->free_at = NULL;
}

void mshr_place(struct mshr *m, unsigned i, uint64_t until)
{
	assert(i < m->count && m->free_at[i] <= until);
	for (unsigned n = 1, before; n < m->count; n++, i = before) {
		before = i ? i - 1 : m->count - 1;
		if (m->free_at[before] <= until)
			break;
		m->free_at[i] = m->free_at[before];
	}
	m->free_at[i] = until;
}

unsigned mshr_free(const struct mshr *m, uint64_t now)
{
	unsigned n = 0;

	while (n < m->count && m->free_at[(m->first + n) % m->count] <= now)
		n++;
	return n;
}

void mshr_hold(struct mshr *m, uint64_t now)
{
	unsigned i = m->first;

	assert(m->free_at[i] <= now);
	m->first = i + 1 == m->count ? 0 : i + 1;
	m->free_at[i] = MSHR_HELD;
	m->held++;
	m->held_since += now;
}

void mshr_release(struct mshr *m, uint64_t since, uint64_t until)
{
	unsigned last = m->first ? m->first - 1 : m->count - 1;

	assert(m->held && m->free_at[last] == MSHR_HELD && since <= until);
	m->held--;
	m->held_since -= since;
	m->taken += until - since;
	m->free_at[last] = 0;
	mshr_place(m, last, until);
}

uint64_t mshr_use(const struct mshr *m, uint64_t now)
{
	uint64_t ahead = 0;

	for (unsigned n = 0; n < m->count; n++)
		ahead += m->free_at[n] > now && m->free_at[n] != MSHR_HELD ? m->free_at[n] - now : 0;
	return m->taken - ahead + (m->held * now - m->held_since);
}
