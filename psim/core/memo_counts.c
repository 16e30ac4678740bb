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

static void add_item(struct memo *m, uint32_t at, uint64_t by)
{
	for (uint32_t n = m->here.counted; n < m->profile_count; n++) {
		if (m->profile[n].at == at) {
			m->profile[n].by += (uint32_t)by;
			return;
		}
	}
	if (m->profile_count == m->profile_size) {
		uint32_t size = m->profile_size ? 2 * m->profile_size : 256;
		struct count *profile = realloc(m->profile, size * sizeof(*profile));

		if (!profile) {
			m->failed = true;
			return;
		}
		m->profile = profile;
		m->profile_size = size;
	}
	m->profile[m->profile_count++] = (struct count){at, (uint32_t)by};
}

void counts_profile(struct core *c, unsigned head, uint64_t now)
{
	uint64_t lost = (c->cfg->core.commit_width - c->acct.committed) * (c->now - now);
	const struct uop *oldest = account_oldest(c);

	for (unsigned n = 0; n < c->acct.committed; n++) {
		const struct uop *u = c->win.rob[(head + n) & c->win.rob_mask].uop;

		if (!(u->flags & UOP_HANDLER))
			add_item(c->memo, STAT_WORDS + 2 * u->sid, 1);
	}
	if (lost && oldest && !(oldest->flags & UOP_HANDLER))
		add_item(c->memo, STAT_WORDS + 2 * oldest->sid + 1, lost);
}

/* Adds `item` to the counts from number `first` on, each of which has its own counter, in their order. */
static void add_to(struct counts *c, uint32_t first, struct count item)
{
	uint32_t n = c->count;

	for (uint32_t k = first; k < c->count; k++) {
		if (c->item[k].at == item.at) {
			c->item[k].by += item.by;
			return;
		}
	}
	for (; n > first && c->item[n - 1].at > item.at; n--)
		c->item[n] = c->item[n - 1];
	c->item[n] = item;
	c->count++;
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
	out->count = count;
	memcpy(out->item, item, count * sizeof(*item));
	for (uint32_t n = 0; n < profile; n++)
		add_to(out, count, m->profile[m->since.counted + n]);
	return out;
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
