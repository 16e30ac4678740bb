/* Counts of transitions: differences of the statistics and of the profile, added by the number of visits. */
#include <stdlib.h>

#include "memo_graph.h"

/* Stores to L1D and SBM. */
static uint32_t stores_in_window(const struct core *c)
{
	unsigned count = 0;

	for (unsigned w = 0; w < c->win.rob_words; w++)
		count += (unsigned)__builtin_popcountll(c->ls.stores[w]);
	return count;
}

/* Clears counters that are not the transition's: fetch_group and started transfers count, and flush_counters sums. */
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
		.squashed = c->ls.squashed_stores,
	};
	if (!c->array)
		return;
	array_place(c, &p->array);
	p->stores -= p->array.stores;
}

void place_here(struct core *c, struct place *p)
{
	flush_lanes(c);
	p->stats = c->counters.stats;
	leave_out(&p->stats);
	p->last_commit = c->stack.last_commit;
	place_stores(c, &p->at);
	p->counted = c->memo->profile_count;
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

/* Adds an item to the profile. */
static inline void add_item(struct memo *m, uint32_t counter, uint64_t by)
{
	if (m->profile_count == m->profile_size && !grow_items(m)) {
		m->failed = true;
		return;
	}
	m->profile[m->profile_count++] = (struct count){STAT_WORDS + counter, (uint32_t)by};
}

/* The profile's item number `n`, if it is of the present transition; else NULL. */
static inline struct count *open_item(const struct memo *m, uint32_t n)
{
	return n >= m->here->counted && n < m->profile_count ? &m->profile[n] : NULL;
}

/* Notes that an instruction commits. */
static inline void add_commit(struct memo *m, uint32_t sid)
{
	struct count *last = open_item(m, m->commits);

	if (last && last->at + 2 * last->by == STAT_WORDS + 2 * sid) {
		last->by++;
		return;
	}
	m->commits = m->profile_count;
	add_item(m, 2 * sid, 1);
}

static inline void add_lost(struct memo *m, uint32_t sid, uint64_t by)
{
	struct count *last = open_item(m, m->losses);

	if (last && last->at == STAT_WORDS + 2 * sid + 1) {
		last->by += (uint32_t)by;
		return;
	}
	m->losses = m->profile_count;
	add_item(m, 2 * sid + 1, by);
}

void counts_profile(struct core *c, unsigned head, uint64_t now)
{
	uint64_t lost = (c->cfg->core.commit_width - c->stack.committed) * (c->now - now);
	const struct uop *oldest = cycle_stack_oldest(c);

	for (unsigned n = 0; n < c->stack.committed; n++) {
		const struct uop *u = c->win.rob[(head + n) & c->win.rob_mask].uop;

		if (!(u->flags & UOP_WINDOW_TRAP))
			add_commit(c->memo, u->sid);
	}
	if (lost && oldest && !(oldest->flags & UOP_WINDOW_TRAP))
		add_lost(c->memo, oldest->sid, lost);
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

/* Adds the words of struct core_stats that change for the first time to memo.changing. */
__attribute__((noinline)) static void note_changing(struct memo *m)
{
	const uint64_t *from = (const uint64_t *)(const void *)&m->since->stats;
	const uint64_t *to = (const uint64_t *)(const void *)&m->here->stats;

	for (uint32_t n = 0; n < STAT_WORDS; n++)
		if (to[n] != from[n])
			m->changing[m->changing_count++] = (uint16_t)n;
}

/*
 * Puts the words of struct core_stats that have changed, of memo.changing from number `first` on, into `item`, and
 * makes those of memo.since equal; returns their number, or -1: one by too much.
 */
static int changed_words(struct memo *m, uint32_t first, struct count *item)
{
	uint64_t *from = (uint64_t *)(void *)&m->since->stats;
	const uint64_t *to = (const uint64_t *)(const void *)&m->here->stats;
	int count = 0;

	for (uint32_t n = first; n < m->changing_count; n++) {
		uint32_t at = m->changing[n];
		uint64_t by = to[at] - from[at];

		if (!by)
			continue;
		if (by > UINT32_MAX)
			return -1;
		from[at] = to[at];
		item[count++] = (struct count){at, (uint32_t)by};
	}
	return count;
}

/* As changed_words, and adds words that have not changed before to `changing`. */
static int all_changed_words(struct memo *m, struct count *item)
{
	uint32_t known = m->changing_count;
	int count = changed_words(m, 0, item), more;

	if (count < 0 || !memcmp(&m->since->stats, &m->here->stats, sizeof(m->here->stats)))
		return count;
	note_changing(m);
	more = changed_words(m, known, item + count);
	return more < 0 ? -1 : count + more;
}

/* Puts counters of struct core_stats and the profile since memo.since into `out`. */
static void put_counts(const struct memo *m, struct ending *out, const struct count *item, int count)
{
	uint16_t half[STAT_WORDS];

	for (int n = 0; n < count; n++) {
		if (item[n].by >> HALF_BITS)
			put_count(out, item[n]);
		else
			half[out->halves++] = (uint16_t)(item[n].at << HALF_BITS | item[n].by);
	}
	for (uint32_t n = m->since->counted; n < m->here->counted; n++)
		put_count(out, m->profile[n]);
	memcpy(&out->word[out->count], half, out->halves * sizeof(*half));
}

struct ending *ending_at(struct memo *m, struct state *to)
{
	enum { WORDS = 3 }; /* of a wide counter */
	struct count item[STAT_WORDS];
	int count = all_changed_words(m, item);
	bool quiet = m->here->last_commit < m->since->at.now;
	struct ending *out;
	size_t most, used;

	if (count < 0)
		return NULL;
	most = sizeof(*out) + WORDS * ((uint32_t)count + m->here->counted - m->since->counted) * sizeof(out->word[0]);
	out = graph_touchable(m) ? arena_take(m, &m->cold, most) : NULL;
	if (!out) {
		m->failed = true;
		return NULL;
	}
	*out = (struct ending){.to = to};
	out->quiet = quiet ? QUIET_ALL : (uint32_t)(m->here->at.now - m->here->last_commit);
	put_counts(m, out, item, count);
	used = sizeof(*out) + out->count * sizeof(out->word[0]) + out->halves * sizeof(uint16_t);
	arena_return(m, &m->cold, most - used);
	m->endings++;
	return out;
}

/* The half words of `d`. */
static inline const uint16_t *halves_of(const struct ending *d)
{
	return (const uint16_t *)(const void *)&d->word[d->count];
}

static int by_counter(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Returns whether it is instructions in a row. */
static inline bool is_commits(struct count one)
{
	return one.at >= STAT_WORDS && !((one.at - STAT_WORDS) & 1);
}

/* A bound of the counters of `d`. */
static size_t most_counters(const struct ending *d)
{
	size_t most = d->halves;

	for (uint32_t k = 0; k < d->count;) {
		struct count one = next_count(d, &k);

		most += is_commits(one) ? one.by : 1;
	}
	return most;
}

/* Sorts the counters of `d` into `item`, and adds up those of one counter; returns how many there are. */
static size_t counts_in_order(const struct ending *d, struct count *item)
{
	size_t all = 0, count = 0;

	for (uint32_t k = 0; k < d->halves; k++)
		item[all++] = (struct count){halves_of(d)[k] >> HALF_BITS, halves_of(d)[k] & ((1u << HALF_BITS) - 1)};
	for (uint32_t k = 0; k < d->count;) {
		struct count one = next_count(d, &k);

		for (uint32_t n = 0; is_commits(one) && n < one.by; n++)
			item[all++] = (struct count){one.at + 2 * n, 1};
		if (!is_commits(one))
			item[all++] = one;
	}
	qsort(item, all, sizeof(*item), by_counter);
	for (size_t n = 0; n < all; n++) {
		if (count && item[count - 1].at == item[n].at)
			item[count - 1].by += item[n].by;
		else
			item[count++] = item[n];
	}
	return count;
}

bool counts_equal(const struct ending *a, const struct ending *b)
{
	size_t most = most_counters(a);
	struct count *items = malloc((most + most_counters(b) + 1) * sizeof(*items));
	bool equal = false;

	if (items) {
		struct count *other = items + most;
		size_t count = counts_in_order(a, items);

		equal = counts_in_order(b, other) == count && !memcmp(items, other, count * sizeof(*items));
	}
	free(items);
	return equal;
}

/* Adds the words of a transition, times its visits. */
static void add_word_counts(struct core *c, uint64_t *stats, const struct ending *d)
{
	const uint64_t visits = d->visits;

	for (uint32_t k = 0; k < d->count;) {
		struct count one = next_count(d, &k);
		struct core_profile *p;

		if (one.at < STAT_WORDS) {
			stats[one.at] += one.by * visits;
			continue;
		}
		p = &c->counters.profile[(one.at - STAT_WORDS) / 2];
		if (is_commits(one))
			for (uint32_t n = 0; n < one.by; n++)
				p[n].committed += visits;
		else
			p->lost += one.by * visits;
	}
}

/* Adds the counts of a transition, times its visits. */
static void add_visits(struct core *c, uint64_t *stats, const struct ending *d)
{
	const uint16_t *half = halves_of(d), *end = half + d->halves;

	for (; half != end; half++)
		stats[*half >> HALF_BITS] += (uint64_t)(*half & ((1u << HALF_BITS) - 1)) * d->visits;
	add_word_counts(c, stats, d);
}

void memo_sum(struct core *c)
{
	enum { AHEAD = 8 }; /* they are anywhere in memory */
	struct memo *m = c->memo;
	uint64_t *stats = (uint64_t *)(void *)&c->counters.stats;

	m->pending = NULL;
	replay_count(c);
	if (c->array) /* operations of detailed cycles; the transitions count theirs */
		c->counters.stats.flops += array_new_flops(c);
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
