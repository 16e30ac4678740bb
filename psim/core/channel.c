#include "channel.h"

#include <stdlib.h>

/* The i-th gap in order of time. */
static struct gap *gap_at(struct channel *c, unsigned i)
{
	return &c->gap[(c->first + i) % CHANNEL_GAPS];
}

/* Forgets the earliest gap. */
static void gap_forget(struct channel *c)
{
	c->first = (c->first + 1) % CHANNEL_GAPS;
	c->gaps--;
}

static void gap_remove(struct channel *c, unsigned i)
{
	for (; i > 0; i--)
		*gap_at(c, i) = *gap_at(c, i - 1);
	gap_forget(c);
}

/* Puts a gap behind the first `i`, which are all earlier. */
static void gap_insert(struct channel *c, unsigned i, struct gap g)
{
	if (c->gaps == CHANNEL_GAPS) {
		gap_forget(c);
		if (i > 0)
			i--;
	}
	for (unsigned k = c->gaps; k > i; k--)
		*gap_at(c, k) = *gap_at(c, k - 1);
	*gap_at(c, i) = g;
	c->gaps++;
}

/* Takes [start, start + interval) out of gap `i`; what is too short for a transfer is forgotten. */
static void gap_use(struct channel *c, unsigned i, uint64_t start)
{
	struct gap *g = gap_at(c, i);
	struct gap before = { g->from, start };
	bool keep_before = before.from + c->interval <= before.to;

	g->from = start + c->interval;
	if (g->from + c->interval > g->to) {
		if (keep_before)
			*g = before;
		else
			gap_remove(c, i);
	} else if (keep_before) {
		gap_insert(c, i, before);
	}
}

uint64_t channel_reserve(struct channel *c, uint64_t now, uint64_t earliest)
{
	uint64_t start;

	/* what is over for a transfer that starts now is over for good */
	while (c->gaps && c->gap[c->first].to < now + c->interval)
		gap_forget(c);
	if (earliest >= c->next_free) {
		struct gap left = { c->next_free > now ? c->next_free : now, earliest };

		if (left.from + c->interval <= left.to)
			gap_insert(c, c->gaps, left);
		c->next_free = earliest + c->interval;
		return earliest;
	}
	for (unsigned i = 0; i < c->gaps; i++) {
		const struct gap *g = gap_at(c, i);

		start = earliest > g->from ? earliest : g->from;
		if (start + c->interval <= g->to) {
			gap_use(c, i, start);
			return start;
		}
	}
	start = c->next_free;
	c->next_free += c->interval;
	return start;
}

int mshr_init(struct mshr *m, unsigned count)
{
	m->count = count;
	m->first = 0;
	m->free_at = calloc(count, sizeof(*m->free_at));
	return m->free_at ? 0 : -1;
}

void mshr_finish(struct mshr *m)
{
	free(m->free_at);
	m->free_at = NULL;
}

void mshr_take(struct mshr *m, uint64_t until)
{
	unsigned i = m->first, before;

	/* the place of the first is now behind the last; it most often is the new one's */
	m->first = i + 1 == m->count ? 0 : i + 1;
	for (unsigned n = 1; n < m->count; n++, i = before) {
		before = i ? i - 1 : m->count - 1;
		if (m->free_at[before] <= until)
			break;
		m->free_at[i] = m->free_at[before];
	}
	m->free_at[i] = until;
}
