#include "memo.h"

#include <stdlib.h>

#include "memo_graph.h"

static int memo_create(struct core *c, uint64_t bytes, uint64_t check, struct err *e)
{
	c->memo = calloc(1, sizeof(*c->memo));
	if (!c->memo || in_flight_init(&c->memo->in_flight, c) < 0)
		return err_set(e, STATUS_FAILED, "core: out of memory");
	c->memo->since = &c->memo->place[0];
	c->memo->here = &c->memo->place[1];
	c->memo->wide = c->array;
	graph_init(c->memo);
	c->memo->most_bytes = bytes;
	c->memo->check = check;
	if (!check && !c->array /* whose programs repeat themselves */ &&
	    !(c->memo->seen = calloc(1u << SEEN_BITS, sizeof(*c->memo->seen))))
		return err_set(e, STATUS_FAILED, "core: out of memory");
	c->memo->tireless = check;
	worth_init(c);
	return 0;
}

static void memo_destroy(struct memo *m)
{
	memo_graph_finish(m);
	in_flight_finish(&m->in_flight);
	transcript_finish(&m->transcript);
	core_key_finish(&m->key);
	free(m->profile);
	free(m->part);
	free(m->begin);
	free(m->seen);
	free(m);
}

static void memo_squashed(struct memo *m)
{
	m->numbering.seq = 0;
}

void memo_statistics(const struct core *c, struct memo_stats *out)
{
	*out = c->memo->stats;
	out->bytes = graph_bytes(c->memo);
}

/* Returns whether D can dispatch in the present cycle. */
static bool may_dispatch(const struct core *c)
{
	const struct front_end *f = &c->front;
	unsigned releasing = c->win.rs_releasing | (c->array ? c->array->rs_releasing : 0);
	bool released = releasing >> (c->now % RELEASE_SIZE) & 1;

	return (c->win.may_dispatch || released) &&
	       !(f->blocked_guard && !((c->win.free - f->blocked_need) & f->blocked_guard));
}

/*
 * Returns whether the present cycle can unblock loads, as an older store gets its data. Addresses of stores do so too,
 * but they are requests anyway.
 */
static bool may_unblock(const struct core *c)
{
	return c->array ? events_act(c) : events_bring_data(c);
}

/* Returns whether the present cycle can fetch: the buffer gets room if D or an earlier stage is or may become empty. */
static bool may_fetch(const struct core *c)
{
	const struct fetch_state *f = &c->front.fetch;
	unsigned last = c->cfg->decode.stages - 1;

	if (f->blocked ? !events_resolve(c) : f->next > c->now)
		return false;
	return c->front.group_count < c->cfg->fetch.buffer_entries || last != 1 || !c->front.latch[0] ||
	       !c->front.latch[1] || may_dispatch(c);
}

/* Returns whether the present cycle can make a request of the array. */
static bool array_may_request(const struct core *c)
{
	const struct array *a = c->array;

	return a->load_count || a->sb_count || a->blocked_count || a->arrive_rows >> (c->now & (NEAR_SIZE - 1)) & 1 ||
	       transfers_next(c) <= c->now;
}

/* It depends on the key alone, as a restored core has to end its transitions where the first one has. */
bool memo_may_request(const struct core *c)
{
	const struct load_store *l = &c->ls;
	const struct store_entry *s = &l->sb[l->sb_head & l->sb_mask];

	return l->want_count || l->retry_next <= c->now || events_address_acts(c) ||
	       (l->blocked_count && may_unblock(c)) ||
	       (l->sb_count && s->ready == CYCLE_NEVER && s->retry.at <= c->now) || may_fetch(c) ||
	       (c->array && array_may_request(c));
}

bool memo_is_special(const struct core *c)
{
	return c->regions.mark_count || c->front.feed.at_end || c->ls.prefetch_count || c->ls.prefetch_waiting;
}

bool memo_waits(const struct core *c)
{
	return c->front.fetch.blocked;
}

/* Simulates one cycle in detail, without recording. */
static int plain_cycle(struct core *c, uint64_t end)
{
	uint64_t now = c->now;
	int ret;

	if (c->memo->touched_count)
		memo_sum(c); /* marks of regions depend on the number of instructions */
	c->memo->pending = NULL;
	ret = core_advance(c, end);
	c->memo->stats.detailed += c->now - now;
	return ret;
}

/* Returns whether the run repeats itself so much that a state behind a stored one is worth its place at once. */
static bool repeats(const struct memo *m)
{
	enum { VISITS = 16 }; /* for each place where one may be looked up */

	return m->pending && (m->pending_known || m->stats.visits > VISITS * m->looks);
}

/* Returns whether a state with this signature has been seen lately, or is stored; notes that it is seen. */
static bool was_seen(struct memo *m, uint32_t signature)
{
	uint32_t *seen;

	if (!m->seen || repeats(m))
		return true;
	seen = &m->seen[signature & ((1u << SEEN_BITS) - 1)];
	if (*seen == signature)
		return true;
	*seen = signature;
	return graph_has_signature(m, signature);
}

/* Looks up the present state, whose key is made, and replays or records. As memo_advance. */
static int look_up(struct core *c, uint32_t signature, uint64_t end)
{
	struct memo *m = c->memo;
	struct state *s;

	m->hash = graph_hash(&m->key);
	if (m->seen)
		m->hash = (uint64_t)signature << 32 | (uint32_t)m->hash;
	s = graph_find(m, m->hash, &m->key);
	transcript_clear(&m->transcript);
	if (!s)
		return record_transition(c, NULL, end);
	worth_found(m);
	if (m->pending || m->wide) { /* with an array, what detailed cycles have counted is added before replay */
		place_here(c, m->here);
		record_link(c, s);
	}
	return c->failed ? -1 : replay(c, s, end);
}

static void memo_end_turn(struct memo *m, uint64_t cycle)
{
	m->turn_end = earlier(m->turn_end, cycle);
}

/*
 * Simulates a few cycles in detail, up to where the next key may be made, and stores nothing; `closed`: in a place that
 * is not worth a look, more of them. 0, or -1.
 */
static int pass(struct core *c, uint64_t end, bool closed)
{
	struct memo *m = c->memo;
	const struct feed *f = &c->front.feed;
	const bool waits = memo_waits(c);
	uint64_t groups = c->counters.stats.fetch_groups, now = c->now;
	unsigned cycles = 0;
	bool leads = false;

	m->pending = NULL;
	if (closed && memsys_cores(c->mem) == 1) {
		if (core_advance_to(c, end, now + CYCLES_MAX) < 0)
			return -1;
		groups = c->counters.stats.fetch_groups;
		if (c->now >= end || memo_is_special(c))
			cycles = CYCLES_MAX;
	}
	while (!leads && cycles++ < CYCLES_MAX && (!waits || memo_waits(c))) {
		if (core_advance(c, end) < 0)
			return -1;
		if (c->now >= end || c->now >= m->turn_end || memo_is_special(c))
			break;
		leads = c->counters.stats.fetch_groups != groups && f->uop->leads;
		groups = c->counters.stats.fetch_groups;
	}
	m->stats.detailed += c->now - now;
	return 0;
}

/* memo_advance where the turn before has not ended within a transition. */
__attribute__((noinline)) static int advance_transition(struct core *c, uint64_t end)
{
	struct memo *m = c->memo;
	struct look_worth *w;
	uint32_t signature;
	bool seen;

	worth_gains(m);
	if (m->failed || graph_bytes(m) > m->most_bytes) {
		memo_sum(c);
		graph_clear(m);
		m->failed = false;
	}
	if (c->memo_wake)
		worth_wake(c);
	if (memo_is_special(c))
		return plain_cycle(c, end);
	if (!memo_may_request(c))
		return record_quiet(c, end);
	m->looks++;
	w = worth_of(c);
	if (!worth_looks(m, w))
		return pass(c, end, true);
	signature = m->seen ? core_signature(c) : 0;
	seen = was_seen(m, signature);
	worth_costs(c, w, seen);
	if (c->memo_wake)
		return plain_cycle(c, end);
	if (!seen)
		return pass(c, end, false);
	if (core_key_make(c, &m->key) < 0)
		return plain_cycle(c, end);
	return look_up(c, signature, end);
}

static int memo_advance(struct core *c, uint64_t end, uint64_t turn_end)
{
	struct memo *m = c->memo;

	m->turn_end = turn_end;
	end = earlier(end, c->counters.next_interval); /* which is a detailed cycle's last */
	if (m->stopped == STOPPED_REPLAY)
		return replay_on(c, end);
	return m->stopped ? record_on(c, end) : advance_transition(c, end);
}

const struct replay_hooks memo_hooks = {
	.most_transfers = MEMO_TRANSFERS_MAX,
	.create = memo_create,
	.destroy = memo_destroy,
	.advance = memo_advance,
	.end_turn = memo_end_turn,
	.squashed = memo_squashed,
	.sum = memo_sum,
};
