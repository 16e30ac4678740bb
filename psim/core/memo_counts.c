/* Counts of transitions: differences of the statistics and of the profile, added by the number of visits. */
#include <stdlib.h>

#include "memo_graph.h"

static uint32_t stores_in_window(const struct core *c)
{
	unsigned count = 0;

	for (unsigned w = 0; w < c->win.rob_words; w++)
		count += (unsigned)__builtin_popcountll(c->ls.stores[w]);
	return count;
}

/* Clears counters that are not the transition's: fetch_group counts, and flush_lanes derives. */
static void leave_out(struct core_stats *s)
{
	s->fetch_groups = s->spills = s->fills = s->selected = 0;
}

void place_stores(const struct core *c, struct store_place *p)
{
	*p = (struct store_place){c->now, stores_in_window(c), c->ls.sb_count, c->ls.sb_head};
}

void place_here(struct core *c, struct place *p)
{
	flush_lanes(c);
	p->stats = c->acct.stats;
	leave_out(&p->stats);
	p->last_commit = c->acct.last_commit;
	place_stores(c, &p->at);
	p->counted = c->memo->profile_count;
}

/* Makes room for `count` counters of the profile in memo.where. */
static bool grow_where(struct memo *m, uint32_t count)
{
	uint32_t size = m->where_size ? m->where_size : 2048;
	uint32_t *where;

	while (size < count)
		size *= 2;
	where = realloc(m->where, size * sizeof(*where));
	if (!where)
		return false;
	memset(where + m->where_size, 0, (size - m->where_size) * sizeof(*where));
	m->where = where;
	m->where_size = size;
	return true;
}

static bool grow_items(struct memo *m)
{
	uint32_t size = m->profile_size ? 2 * m->profile_size : 256;
	struct count *profile = realloc(m->profile, size * sizeof(*profile));

	if (!profile)
		return false;
	m->profile = profile;
	m->profile_size = size;
	return true;
}

/* Adds to a counter of the profile; its item since here.counted, if there is one, is where memo.where says. */
static void add_item(struct memo *m, uint32_t counter, uint64_t by)
{
	uint32_t at = STAT_WORDS + counter, n;

	if ((counter >= m->where_size && !grow_where(m, counter + 1)) ||
	    (m->profile_count == m->profile_size && !grow_items(m))) {
		m->failed = true;
		return;
	}
	n = m->where[counter];
	if (n >= m->here.counted && n < m->profile_count && m->profile[n].at == at) {
		m->profile[n].by += (uint32_t)by;
		return;
	}
	m->where[counter] = m->profile_count;
	m->profile[m->profile_count++] = (struct count){at, (uint32_t)by};
}

void counts_profile(struct core *c, unsigned head, uint64_t now)
{
	uint64_t lost = (c->cfg->core.commit_width - c->acct.committed) * (c->now - now);
	const struct uop *oldest = account_oldest(c);

	for (unsigned n = 0; n < c->acct.committed; n++) {
		const struct uop *u = c->win.rob[(head + n) & c->win.rob_mask].uop;

		if (!(u->flags & UOP_HANDLER))
			add_item(c->memo, 2 * u->sid, 1);
	}
	if (lost && oldest && !(oldest->flags & UOP_HANDLER))
		add_item(c->memo, 2 * oldest->sid + 1, lost);
}

struct counts *counts_between(struct memo *m)
{
	enum { CHUNK = 16 };
	const uint64_t *from = (const uint64_t *)(const void *)&m->since.stats;
	const uint64_t *to = (const uint64_t *)(const void *)&m->here.stats;
	struct count item[STAT_WORDS];
	uint32_t count = 0, profile = m->here.counted - m->since.counted;
	struct counts *out;

	for (uint32_t first = 0; first < STAT_WORDS; first += CHUNK) {
		uint32_t end = first + CHUNK < STAT_WORDS ? first + CHUNK : STAT_WORDS;

		if (!memcmp(to + first, from + first, (end - first) * sizeof(*to)))
			continue;
		for (uint32_t n = first; n < end; n++) {
			if (to[n] == from[n])
				continue;
			if (to[n] - from[n] > UINT32_MAX)
				return NULL;
			item[count++] = (struct count){n, (uint32_t)(to[n] - from[n])};
		}
	}
	out = arena_take(m, &m->cold, sizeof(*out) + (count + profile) * sizeof(*item));
	if (!out)
		return NULL;
	out->count = count + profile;
	memcpy(out->item, item, count * sizeof(*item));
	if (profile)
		memcpy(out->item + count, m->profile + m->since.counted, profile * sizeof(*item));
	return out;
}

static int by_counter(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Sorts items by counter, and adds up those of one counter. */
static void counts_in_order(struct counts *c)
{
	uint32_t count = 0;

	qsort(c->item, c->count, sizeof(*c->item), by_counter);
	for (uint32_t n = 0; n < c->count; n++) {
		if (count && c->item[count - 1].at == c->item[n].at)
			c->item[count - 1].by += c->item[n].by;
		else
			c->item[count++] = c->item[n];
	}
	c->count = count;
}

bool counts_equal(struct counts *a, struct counts *b)
{
	counts_in_order(a);
	counts_in_order(b);
	return a->count == b->count && !memcmp(a->item, b->item, a->count * sizeof(*a->item));
}

void memo_sum(struct core *c)
{
	struct memo *m = c->memo;
	uint64_t *stats = (uint64_t *)(void *)&c->acct.stats;

	m->pending = NULL;
	for (size_t n = 0; n < m->touched_count; n++) {
		struct edge *e = m->touched[n];
		const struct counts *d = e->counts;

		for (uint32_t k = 0; k < d->count; k++) {
			uint64_t by = (uint64_t)d->item[k].by * e->visits;
			uint32_t at = d->item[k].at;

			if (at < STAT_WORDS)
				stats[at] += by;
			else if ((at - STAT_WORDS) % 2)
				c->acct.profile[(at - STAT_WORDS) / 2].lost += by;
			else
				c->acct.profile[(at - STAT_WORDS) / 2].committed += by;
		}
		e->visits = 0;
	}
	m->touched_count = 0;
}
