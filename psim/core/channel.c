#include "channel.h"

#include <stdlib.h>
#include <string.h>

/* Removes gap `i`. */
static void gap_drop(struct channel *c, unsigned i)
{
	c->gaps--;
	memmove(&c->gap[i], &c->gap[i + 1], (c->gaps - i) * sizeof(c->gap[0]));
}

/* Puts [from, to) before gap `i`, if a transfer fits into it. */
static void gap_add(struct channel *c, unsigned i, uint64_t from, uint64_t to)
{
	if (to < from + c->interval)
		return;
	if (c->gaps == CHANNEL_GAPS) {
		gap_drop(c, 0);
		i -= i > 0;
	}
	memmove(&c->gap[i + 1], &c->gap[i], (c->gaps - i) * sizeof(c->gap[0]));
	c->gap[i].from = from;
	c->gap[i].to = to;
	c->gaps++;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t channel_reserve(struct channel *c, uint64_t now, uint64_t earliest)
{
	uint64_t start, from, to;

	while (c->gaps && c->gap[0].to < now + c->interval)
		gap_drop(c, 0);
	if (earliest >= c->next_free) {
		gap_add(c, c->gaps, max_u64(c->next_free, now), earliest);
		c->next_free = earliest + c->interval;
		return earliest;
	}
	for (unsigned i = 0; i < c->gaps; i++) {
		from = c->gap[i].from;
		to = c->gap[i].to;
		start = max_u64(earliest, from);
		if (start + c->interval > to)
			continue;
		gap_drop(c, i);
		gap_add(c, i, start + c->interval, to);
		gap_add(c, i, from, start);
		return start;
	}
	start = c->next_free;
	c->next_free += c->interval;
	return start;
}

int mshr_init(struct mshr *m, unsigned count)
{
	m->count = count;
	m->free_at = calloc(count, sizeof(*m->free_at));
	return m->free_at ? 0 : -1;
}

void mshr_finish(struct mshr *m)
{
	free(m->free_at);
	m->free_at = NULL;
}

unsigned mshr_choose(const struct mshr *m, uint64_t t)
{
	unsigned best = 0;

	for (unsigned i = 0; i < m->count; i++) {
		if (m->free_at[i] <= t)
			return i;
		if (m->free_at[i] < m->free_at[best])
			best = i;
	}
	return best;
}
