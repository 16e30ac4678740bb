/* Counts of transitions: differences of the statistics and of the profile, added by the number of visits. */
#include <stdlib.h>

#include "memo_graph.h"

/* Stores to L1D. */
static uint32_t stores_in_window(const struct core *c)
{
	unsigned count = 0;

	for (unsigned w = 0; w < c->win.rob_words; w++)
		count += (unsigned)__builtin_popcountll(c->ls.stores[w]);
	return c->array ? count - sbm_stores_in_window(c) : count;
}

/* Clears counters that are not the transition's: fetch_group and started transfers count, and flush_lanes derives. */
static void leave_out(struct core_stats *s)
{
	s->fetch_groups = s->spills = s->fills = s->selected = 0;
	s->simd_get_bytes = s->simd_put_bytes = s->simd_spread_bytes = 0;
}

void place_stores(const struct core *c, struct store_place *p)
{
	*p = (struct store_place){
		.now = c->now,
		.stores = stores_in_window(c),
		.buffered = c->ls.sb_count,
		.sb_head = c->ls.sb_head,
	};
	if (c->array)
		array_place(c, &p->array);
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

/* Adds a counter to the words of `d`. */
static inline void put_count(struct ending *d, struct count c)
{
	if (c.by >> COUNT_BITS || c.at >= COUNT_WIDE >> COUNT_BITS) {
		d->word[d->count++] = COUNT_WIDE;
		d->word[d->count++] = c.at;
		d->word[d->count++] = c.by;
	} else {
		d->word[d->count++] = c.at << COUNT_BITS | c.by;
	}
}

/* The counter at word `*k`, which goes on to the next. */
static inline struct count next_count(const struct ending *d, uint32_t *k)
{
	uint32_t word = d->word[(*k)++];
	struct count c = {word >> COUNT_BITS, word & ((1u << COUNT_BITS) - 1)};

	if (__builtin_expect(word == COUNT_WIDE, 0)) {
		c = (struct count){d->word[*k], d->word[*k + 1]};
		*k += 2;
	}
	return c;
}

/* Puts the words of struct core_stats that have changed into `item`; returns their number, or -1: one by too much. */
static int changed_words(const struct memo *m, struct count *item)
{
	enum { CHUNK = 16 };
	const uint64_t *from = (const uint64_t *)(const void *)&m->since.stats;
	const uint64_t *to = (const uint64_t *)(const void *)&m->here.stats;
	int count = 0;

	for (uint32_t first = 0; first < STAT_WORDS; first += CHUNK) {
		uint32_t end = first + CHUNK < STAT_WORDS ? first + CHUNK : STAT_WORDS;

		if (!memcmp(to + first, from + first, (end - first) * sizeof(*to)))
			continue;
		for (uint32_t n = first; n < end; n++) {
			if (to[n] == from[n])
				continue;
			if (to[n] - from[n] > UINT32_MAX)
				return -1;
			item[count++] = (struct count){n, (uint32_t)(to[n] - from[n])};
		}
	}
	return count;
}

struct ending *ending_at(struct memo *m, struct state *to)
{
	enum { WORDS = 3 }; /* of a wide counter */
	struct count item[STAT_WORDS];
	int count = changed_words(m, item);
	uint32_t profile = m->here.counted - m->since.counted, most;
	bool quiet = m->here.last_commit < m->since.at.now;
	struct ending *out;

	if (count < 0)
		return NULL;
	most = WORDS * ((uint32_t)count + profile);
	out = arena_take(m, &m->cold, sizeof(*out) + most * sizeof(out->word[0]));
	if (!out)
		return NULL;
	*out = (struct ending){.to = to};
	out->quiet = quiet ? QUIET_ALL : (uint32_t)(m->here.at.now - m->here.last_commit);
	for (int n = 0; n < count; n++)
		put_count(out, item[n]);
	for (uint32_t n = 0; n < profile; n++)
		put_count(out, m->profile[m->since.counted + n]);
	arena_return(m, &m->cold, (most - out->count) * sizeof(out->word[0]));
	return out;
}

static int by_counter(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Sorts the counters of `d` into `item`, and adds up those of one counter; returns how many there are. */
static uint32_t counts_in_order(const struct ending *d, struct count *item)
{
	uint32_t all = 0, count = 0;

	for (uint32_t k = 0; k < d->count;)
		item[all++] = next_count(d, &k);
	qsort(item, all, sizeof(*item), by_counter);
	for (uint32_t n = 0; n < all; n++) {
		if (count && item[count - 1].at == item[n].at)
			item[count - 1].by += item[n].by;
		else
			item[count++] = item[n];
	}
	return count;
}

bool counts_equal(const struct ending *a, const struct ending *b)
{
	struct count *items = malloc(((size_t)a->count + b->count + 1) * sizeof(*items));
	bool equal = false;

	if (items) {
		struct count *other = items + a->count;
		uint32_t count = counts_in_order(a, items);

		equal = counts_in_order(b, other) == count && !memcmp(items, other, count * sizeof(*items));
	}
	free(items);
	return equal;
}

/* Adds the counters of transitions, times their visits. */
static void add_visits(struct core *c, uint64_t *stats, const struct ending *d)
{
	for (uint32_t k = 0; k < d->count;) {
		struct count one = next_count(d, &k);
		uint64_t by = (uint64_t)one.by * d->visits;

		if (one.at < STAT_WORDS)
			stats[one.at] += by;
		else if ((one.at - STAT_WORDS) % 2)
			c->acct.profile[(one.at - STAT_WORDS) / 2].lost += by;
		else
			c->acct.profile[(one.at - STAT_WORDS) / 2].committed += by;
	}
}

void memo_sum(struct core *c)
{
	enum { AHEAD = 8 }; /* they are anywhere in memory */
	struct memo *m = c->memo;
	uint64_t *stats = (uint64_t *)(void *)&c->acct.stats;

	m->pending = NULL;
	replay_count(c);
	if (c->array) /* operations of detailed cycles; the transitions count theirs */
		c->acct.stats.flops += array_new_flops(c);
	for (size_t n = 0; n < m->touched_count; n++) {
		struct ending *a = m->touched[n];

		if (n + AHEAD < m->touched_count) {
			const char *next = (const char *)m->touched[n + AHEAD];

			__builtin_prefetch(next);
			__builtin_prefetch(next + 64);
		}
		add_visits(c, stats, a);
		a->visits = 0;
	}
	m->touched_count = 0;
	if (c->array)
		array_new_flops(c);
}
