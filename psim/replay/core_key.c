#include "core_key.h"

#include <stdlib.h>

#include "../base/hash.h"
#include "key_format.h"
#include "key_words.h"
#include "../core/array_state.h"
#include "../core/core_requests.h"

/* Writes a cycle if it is `there`; else it may be any, or CYCLE_NEVER. */
static inline void put_time_if(struct out *k, const struct core *c, bool there, uint64_t cycle)
{
	int64_t ahead = (int64_t)(cycle - c->now);
	uint64_t word = (uint64_t)(ahead > 0 ? ahead : 0) + KEY_PAST;

	k->high |= there ? word >> 32 : 0;
	*k->at = (uint32_t)word;
	k->at += there;
}

/* ---- the window ---- */
/* Sorts the few items of a list. */
static void sort_16(uint16_t *list, unsigned count)
{
	for (unsigned n = 1; n < count; n++) {
		uint16_t item = list[n];
		unsigned k = n;

		for (; k && list[k - 1] > item; k--)
			list[k] = list[k - 1];
		list[k] = item;
	}
}

/* Writes a count of at most 65535, and the list, two items a word. */
static void put_16(struct out *k, const uint16_t *list, unsigned count)
{
	put_key(k, count | (count ? (uint32_t)list[0] << 16 : 0));
	for (unsigned n = 1; n < count; n += 2)
		put_key(k, list[n] | (n + 1 < count ? (uint32_t)list[n + 1] << 16 : 0));
}

/* A result has a waiter for each operand of an instruction in the window, at most. */
enum { LIST_MAX = ROB_WORDS_MAX * 64 * 4 };

/* Writes the waiters of a result: nodes relative to the oldest slot, in order. */
__attribute__((noinline)) static void put_longer_list(struct out *k, const struct core *c, unsigned node)
{
	uint16_t list[LIST_MAX];
	unsigned count = 0;

	for (; node != NODE_NONE && count < LIST_MAX; node = c->win.node_next[node])
		list[count++] =
			(uint16_t)(slot_age(&c->win, node / NODES_PER_SLOT) * NODES_PER_SLOT + node % NODES_PER_SLOT);
	sort_16(list, count);
	put_16(k, list, count);
}

static inline void put_list(struct out *k, const struct core *c, unsigned node)
{
	if (node == NODE_NONE)
		put_key(k, 0);
	else if (c->win.node_next[node] != NODE_NONE)
		put_longer_list(k, c, node);
	else
		put_key(k, 1 | (slot_age(&c->win, node / NODES_PER_SLOT) * NODES_PER_SLOT + node % NODES_PER_SLOT)
					   << 16);
}

static void put_retry(struct out *k, const struct core *c, const struct retry *a)
{
	put_key(k, time_of(k, c, a->at));
	put_key(k, time_of(k, c, a->known_at));
	put_key(k, a->known | (unsigned)a->why << 8);
}

/*
 * Returns whether the instruction has nothing left to do but to commit, and is no store: when it was selected, and on
 * which pipe, has no effect. A selection that depends on a load that may still miss is poisoned until it is cancelled.
 */
static inline bool is_over(const struct core *c, const struct rob_entry *r)
{
	return r->state >= SLOT_SELECTED && r->done <= c->now && !(r->uop->flags & UOP_STORE) &&
	       (r->state == SLOT_DONE || !(r->poison | r->false_woken));
}

/* The station of an open slot; of one that was selected for good, it matters if that has a divider. */
static inline uint32_t station_of(const struct rob_entry *r)
{
	return r->state >= SLOT_SELECTED && !r->poison && !(r->uop->flags & UOP_UNPIPELINED) ? 0 : r->rs & 15;
}

static inline uint32_t fetched_flags(const struct rob_entry *r)
{
	return r->flags & ENTRY_FETCHED;
}

/* Writes a slot that is done, but whose result is awaited, or whose prediction was wrong. */
static void put_over(struct out *k, const struct core *c, const struct rob_entry *r, uint64_t wake)
{
	put_key(k, fetched_flags(r) << SLOT_FLAGS | (uint32_t)(r->waiters != NODE_NONE) << SLOT_WAITERS);
	put_key(k, time_of(k, c, wake));
	if (r->waiters != NODE_NONE)
		put_list(k, c, r->waiters);
}

/* note, false_woken, pending, data_pending: four fields of 16 bits, whose values are below 256. */
static inline uint32_t four_bytes(const struct rob_entry *r)
{
	uint64_t word;

	_Static_assert(offsetof(struct rob_entry, data_pending) == offsetof(struct rob_entry, note) + 6, "in a row");
	memcpy(&word, &r->note, sizeof(word));
	word = (word | word >> 8) & 0x0000ffff0000ffffu;
	return (uint32_t)(word | word >> 16);
}

static inline void put_open(struct out *k, const struct core *c, unsigned slot, uint64_t wake)
{
	const struct rob_entry *r = &c->win.rob[slot];
	uint32_t flags = r->uop->flags;
	bool store = flags & UOP_STORE, written = store && r->state == SLOT_DONE;
	bool selected = r->state == SLOT_SELECTED || written;
	/* a store of the PEs requests no line */
	bool retry = (written && !(flags & UOP_SIMD)) || (uop_accesses(r->uop) && slot_has(c->ls.retrying, slot));

	put_key(k, four_bytes(r));
	put_key(k, (uint32_t)r->state << SLOT_STATE | fetched_flags(r) << SLOT_FLAGS | station_of(r) << SLOT_RS |
			   (uint32_t)r->poison << SLOT_POISON | (uint32_t)(wake != CYCLE_NEVER) << SLOT_WAKE |
			   (uint32_t)(r->done != CYCLE_NEVER) << SLOT_DONE_AT | (uint32_t)selected << SLOT_SELECTED_AT |
			   (uint32_t)store << SLOT_DATA_AT | (uint32_t)retry << SLOT_RETRY |
			   (uint32_t)(r->waiters != NODE_NONE) << SLOT_WAITERS);
	if (r->state >= SLOT_SELECTED) { /* before, it has none of these */
		put_time_if(k, c, wake != CYCLE_NEVER, wake);
		put_time_if(k, c, r->done != CYCLE_NEVER, r->done);
		put_time_if(k, c, selected, r->selected + SELECTED_BACK);
	}
	if (store)
		put_key(k, time_since(k, c, r->data_at, DATA_BACK));
	if (retry)
		put_retry(k, c, &c->ls.retry[slot]);
	if (r->waiters != NODE_NONE)
		put_list(k, c, r->waiters);
	if (r->false_woken)
		put_list(k, c, r->false_head);
}

static inline void put_slot(struct out *k, const struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	uint64_t number = (uint64_t)r->uop->number << KEY_NUMBER_AT | access_window(c, r->uop, r->ea) << KEY_KIND_BITS;
	uint64_t wake = c->win.wake[slot];

	if (!is_over(c, r)) {
		put_key(k, number | KEY_OPEN);
		put_open(k, c, slot, wake);
	} else if (wake <= c->now && r->waiters == NODE_NONE && !fetched_flags(r)) {
		put_key(k, number | KEY_SIMPLE);
	} else {
		put_key(k, number | KEY_OVER);
		put_over(k, c, r, wake);
	}
}

void put_slot_sets(struct out *k, const struct core *c, const uint64_t *const *set, unsigned count)
{
	uint32_t *map = k->at++;

	*map = 0;
	for (unsigned n = 0; n < count; n++) {
		uint64_t any = 0;

		for (unsigned w = 0; w < c->win.rob_words; w++)
			any |= set[n][w];
		if (!any)
			continue;
		*map |= 1u << n;
		for (unsigned w = 0; w < c->win.rob_words; w++)
			put_64(k, by_age(&c->win, set[n], w));
	}
}

static void put_sets(struct out *k, const struct core *c)
{
	const struct load_store *l = &c->ls;
	const uint64_t *const set[SET_COUNT] = {
		[SET_WANT_PORT] = l->want_port, [SET_BLOCKED] = l->load_blocked, [SET_UNKNOWN] = l->store_unknown,
		[SET_STORES] = l->stores,       [SET_RETRYING] = l->retrying,    [SET_EARLY] = l->early,
	};

	put_slot_sets(k, c, set, SET_COUNT);
}

/* With a predictor of dependences: the stores of the loads that have read too early; what is fetched again. */
static void put_memory_order(struct out *k, const struct core *c)
{
	for (unsigned age = 0; age < c->win.rob_count; age++) {
		unsigned slot = (c->win.rob_head + age) & c->win.rob_mask;

		if (slot_has(c->ls.early, slot))
			put_key(k, slot_age(&c->win, c->ls.early_store[slot]));
	}
	put_key(k, c->front.refetch);
	if (c->front.refetch)
		put_key(k, time_of(k, c, c->front.refetch_next));
}

/* ---- stations ---- */
static uint32_t released(const uint64_t row[RS_WORDS])
{
	uint32_t word = 0;

	for (unsigned n = 0; n < RS_COUNT; n++)
		word |= lane_count(row[n / LANE_COUNT], n % LANE_COUNT) << (RELEASE_BITS * n);
	return word;
}

static void put_stations(struct out *k, const struct core *c)
{
	const struct window *w = &c->win;
	unsigned start = (unsigned)c->now % RELEASE_SIZE;
	uint32_t busy = 0, turns = 0;
	uint32_t rows = (w->rs_releasing >> start | w->rs_releasing << (RELEASE_SIZE - start)) & 0xffff;

	_Static_assert(RELEASE_SIZE == 16, "rows");

	for (unsigned n = 0; n < RS_COUNT; n++)
		busy |= (uint32_t)(w->unit_busy[n] > c->now) << n;
	for (unsigned n = 0; n < EXEC_COUNT; n++)
		turns |= w->rs_turn[n] << (3 * n);
	put_key(k, busy | rows << 16);
	put_key(k, turns | (uint32_t)w->sync_running << 18 | (uint32_t)w->may_dispatch << 19 |
			   (uint32_t)w->sync_cause << 20);
	for (unsigned n = 0; n < RS_WORDS; n++)
		put_64(k, w->rs_used[n]);
	for (uint32_t left = rows; left; left &= left - 1)
		put_key(k, released(w->rs_release[(unsigned)(c->now + (unsigned)__builtin_ctz(left)) % RELEASE_SIZE]));
	for (uint32_t left = busy; left; left &= left - 1)
		put_key(k, time_of(k, c, w->unit_busy[__builtin_ctz(left)]));
}

/* ---- events ---- */
void put_near(struct out *k, const struct core *c, const uint64_t *wheel, uint64_t rows)
{
	const struct window *w = &c->win;
	unsigned start = (unsigned)c->now % NEAR_SIZE;
	uint64_t ahead = start ? rows >> start | rows << (NEAR_SIZE - start) : rows;
	uint32_t *map = k->at;

	k->at += 2;
	for (uint64_t left = ahead; left; left &= left - 1) {
		const uint64_t *row = &wheel[(start + (unsigned)__builtin_ctzll(left)) % NEAR_SIZE * w->rob_words];
		uint64_t any = 0;

		for (unsigned n = 0; n < w->rob_words; n++)
			any |= row[n];
		if (!any) { /* all were cancelled */
			ahead ^= left & -left;
			continue;
		}
		for (unsigned n = 0; n < w->rob_words; n++)
			put_64(k, by_age(w, row, n));
	}
	memcpy(map, &ahead, sizeof(ahead));
}

/* Returns whether the event has an effect. Events of cancelled selections have none. */
static bool event_counts(const struct core *c, const struct event *v)
{
	return v->type == EVENT_CANCEL || v->generation == c->win.generation[v->slot];
}

/* Far events, and the near ones of loads that miss, in the order of time, age and type. */
enum { FAR_MAX = 2048 };
struct far_list {
	uint64_t item[FAR_MAX];
	unsigned count;
};

static void add_far(struct far_list *l, struct out *k, const struct core *c, uint64_t cycle, unsigned slot,
		    unsigned type)
{
	uint64_t item = (uint64_t)time_of(k, c, cycle) << 32 | slot_age(&c->win, slot) << FAR_AGE | type << FAR_TYPE;
	unsigned at = l->count;

	if (l->count == FAR_MAX) {
		k->high = 1; /* no key has a part of the events */
		return;
	}
	for (; at && l->item[at - 1] > item; at--)
		l->item[at] = l->item[at - 1];
	l->item[at] = item;
	l->count++;
}

/* Adds the events of loads that miss in a row, `ahead` cycles from the present one. */
static void add_misses(struct far_list *l, struct out *k, const struct core *c, unsigned ahead)
{
	unsigned row = (unsigned)(c->now + ahead) % NEAR_SIZE;

	for (unsigned w = 0; w < c->win.rob_words; w++) {
		unsigned at = row * c->win.rob_words + w;

		for (uint64_t m = c->wheel.near_false[at]; m; m &= m - 1)
			add_far(l, k, c, c->now + ahead, (w << 6) + (unsigned)__builtin_ctzll(m), EVENT_FALSE_WAKE);
		for (uint64_t m = c->wheel.near_cancel[at]; m; m &= m - 1)
			add_far(l, k, c, c->now + ahead, (w << 6) + (unsigned)__builtin_ctzll(m), EVENT_CANCEL);
	}
}

static void put_far(struct out *k, const struct core *c)
{
	struct far_list l;

	l.count = 0;
	for (unsigned w = 0; w < WHEEL_SIZE / 64; w++) {
		for (uint64_t m = c->wheel.bucket_map[w]; m; m &= m - 1) {
			uint32_t n = c->wheel.bucket[(w << 6) + (unsigned)__builtin_ctzll(m)];

			for (; n; n = c->wheel.events[n].next) {
				const struct event *v = &c->wheel.events[n];

				if (event_counts(c, v))
					add_far(&l, k, c, v->cycle, v->slot, v->type);
			}
		}
	}
	for (uint64_t m = c->wheel.miss_rows; m; m &= m - 1)
		add_misses(&l, k, c, ((unsigned)__builtin_ctzll(m) - (unsigned)c->now) % NEAR_SIZE);
	put_key(k, l.count);
	for (unsigned n = 0; n < l.count; n++)
		put_64(k, l.item[n]);
}

/* ---- loads and stores ---- */
static void put_store(struct out *k, const struct core *c, const struct store_entry *s)
{
	uint32_t ready = time_of(k, c, s->ready), retry = time_of(k, c, s->retry.at);

	put_key(k, (uint32_t)s->size << STORE_SIZE | (uint32_t)s->want << STORE_WANT |
			   (ready == KEY_NEVER ? 0 : (uint32_t)s->level << STORE_LEVEL) |
			   (uint32_t)s->retry.known << STORE_KNOWN | (uint32_t)s->retry.why << STORE_WHY |
			   (uint32_t)(ready != KEY_NEVER) << STORE_READY |
			   (uint32_t)(retry != KEY_PAST) << STORE_RETRY);
	if (ready != KEY_NEVER)
		put_key(k, ready);
	if (retry != KEY_PAST)
		put_key(k, retry);
}

static void put_load_store(struct out *k, const struct core *c)
{
	const struct load_store *l = &c->ls;

	put_key(k, l->sb_count | l->prefetch_count << 16);
	for (unsigned n = 0; n < l->sb_count; n++)
		put_store(k, c, &l->sb[(l->sb_head + n) & l->sb_mask]);
	for (unsigned n = 0; n < l->prefetch_count; n++) {
		put_retry(k, c, &l->prefetch[n].retry);
		put_key(k, l->prefetch[n].strong);
	}
	put_key(k, time_of(k, c, l->retry_next));
	put_held_ports(k, c, &l->held);
}

/* ---- the front end ---- */
static void put_fetch(struct out *k, const struct core *c)
{
	const struct fetch_state *f = &c->front.fetch;
	uint64_t since = c->now - f->blocked_since, most = c->cfg->fetch.buffer_entries + (uint64_t)2;

	put_key(k, time_of(k, c, f->next));
	put_key(k, (unsigned)f->blocked | (unsigned)c->front.feed.at_end << 1 | (unsigned)f->after_slot << 2 |
			   (unsigned)f->cause << 4 | (f->after_slot == SLOT_BLOCK ? c->front.block_flags : 0) << 12 |
			   (f->blocked ? since < most ? since : most : 0) << 16);
	put_key(k, f->after_slot == SLOT_TAKEN ? time_of(k, c, f->target_cycle) : KEY_PAST);
	put_key(k, next_uop_number(c));
}

/* The number of a counter in the statistics, plus one; 0: none. */
static uint32_t counter_number(const struct core *c, const uint64_t *counter)
{
	return counter ? (uint32_t)(counter - (const uint64_t *)(const void *)&c->counters.stats) + 1 : 0;
}

static void put_front(struct out *k, const struct core *c)
{
	const struct front_end *f = &c->front;

	put_fetch(k, c);
	put_key(k, (f->fq_tail - f->fq_head) | f->group_count << 16);
	for (unsigned n = f->fq_head; n != f->fq_tail; n++) {
		const struct fetched *q = &f->fq[n & f->fq_mask];

		put_key(k, q->uop->number << FETCHED_NUMBER_AT | access_window(c, q->uop, q->ea) << FETCHED_WINDOW_AT |
				   q->flags);
	}
	for (unsigned n = 0; n < f->group_count; n++) {
		const struct fetch_group *g = &f->groups[(f->group_head + n) & f->group_mask];

		put_key(k, g->count | (unsigned)g->cause << 8);
		put_key(k, time_of(k, c, g->available));
	}
	for (unsigned n = 0; n < c->cfg->decode.stages; n += 4)
		put_key(k, f->latch[n] | f->latch[n + 1] << 8 | f->latch[n + 2] << 16 | f->latch[n + 3] << 24);
	put_key(k, counter_number(c, f->dispatch_stall) | (unsigned)f->decode_cause << 16);
	put_64(k, f->blocked_guard);
	if (f->blocked_guard)
		put_64(k, f->blocked_need);
}

/* Bound of a key's words. */
static size_t most_words(const struct core *c)
{
	const struct front_end *f = &c->front;
	size_t nodes = (size_t)(c->win.rob_mask + 1) * 16; /* as far as the lists of waiters go, in words */
	size_t sets = (size_t)c->win.rob_words * 2 * (SET_COUNT + SBM_SET_COUNT + 3 * NEAR_SIZE);

	return 4096 + sets + (size_t)c->win.rob_count * 16 + nodes + c->ls.sb_count * (size_t)4 +
	       c->ls.prefetch_count * (size_t)4 + (f->fq_tail - f->fq_head) + f->group_count * (size_t)2;
}

int core_key_make(const struct core *c, struct core_key *k)
{
	const struct window *w = &c->win;
	size_t most = most_words(c);
	struct out out;

	if (most > k->size) {
		uint32_t *words = realloc(k->words, most * sizeof(*words));

		if (!words)
			return -1;
		k->words = words;
		k->size = most;
	}
	out = (struct out){.at = k->words};
	put_key(&out, w->rob_count | (c->array ? array_active(c->array) << KEY_ACTIVE_AT : 0));
	for (unsigned age = 0; age < w->rob_count; age++)
		put_slot(&out, c, (w->rob_head + age) & w->rob_mask);
	put_sets(&out, c);
	put_stations(&out, c);
	put_near(&out, c, c->wheel.near_wake, c->wheel.near_rows);
	put_near(&out, c, c->wheel.near_address, c->wheel.near_rows);
	put_far(&out, c);
	put_load_store(&out, c);
	put_front(&out, c);
	if (c->memdep)
		put_memory_order(&out, c);
	put_key(&out, time_of(&out, c, c->stack.refill_until));
	put_key(&out, c->stack.refill_until > c->now ? c->stack.refill_cause : 0);
	if (c->array)
		array_key_put(&out, c);
	k->count = (size_t)(out.at - k->words);
	if (k->count & 1)
		k->words[k->count++] = 0;
	return out.high ? -1 : 0;
}

/* ---- the signature ---- */
static inline uint64_t sign(uint64_t hash, uint64_t word)
{
	return hash_spread(hash ^ word) ^ hash >> 29;
}

static uint64_t sign_set(const struct core *c, const uint64_t *set, uint64_t hash)
{
	for (unsigned n = 0; n < c->win.rob_words; n++)
		hash = sign(hash, by_age(&c->win, set, n));
	return hash;
}

/* Signs which instructions wake up in the next cycles. */
static uint64_t sign_near(const struct core *c, uint64_t hash)
{
	enum { ROWS = 4 };
	const struct wheel *v = &c->wheel;
	unsigned start = (unsigned)c->now % NEAR_SIZE, words = c->win.rob_words, rows = 0;
	uint64_t ahead = start ? v->near_rows >> start | v->near_rows << (NEAR_SIZE - start) : v->near_rows;

	for (; ahead && rows < ROWS; ahead &= ahead - 1) {
		unsigned at = (unsigned)__builtin_ctzll(ahead);
		const uint64_t *row = &v->near_wake[(start + at) % NEAR_SIZE * words];
		uint64_t any = 0;

		for (unsigned n = 0; n < words; n++)
			any |= row[n];
		if (!any) /* all were cancelled */
			continue;
		hash = sign_set(c, row, hash + at);
		rows++;
	}
	return hash;
}

/* Signs the instructions in the window; of those whose result is to come, also how far they are. */
static uint64_t sign_window(const struct core *c, uint64_t hash)
{
	const struct window *w = &c->win;

	for (unsigned age = 0; age < w->rob_count; age++) {
		const struct rob_entry *r = &w->rob[(w->rob_head + age) & w->rob_mask];
		uint64_t word = (uint64_t)r->uop->number << 32, ahead = r->done - c->now;

		if (r->done > c->now) /* `ahead` is large for CYCLE_NEVER */
			word |= (ahead < 1 << 15 ? ahead : 0) | (unsigned)r->state << 16 |
				(r->state < SLOT_SELECTED ? r->rs & 15u : 0) << 18 | (unsigned)r->pending << 24;
		hash = sign(hash, word);
	}
	return hash;
}

uint32_t core_signature(const struct core *c)
{
	const struct front_end *f = &c->front;
	const struct load_store *l = &c->ls;
	struct out none = {0};
	uint64_t turns = 0, hash = sign(next_uop_number(c) << 32 | time_of(&none, c, f->fetch.next), c->win.rob_count);

	hash = sign(hash, (uint64_t)(f->fq_tail - f->fq_head) << 32 | f->group_count << 16 | l->sb_count);
	hash = sign(hash, (uint64_t)l->want_count << 32 | l->blocked_count << 16 | l->retrying_count);
	for (unsigned n = 0; n < EXEC_COUNT; n++)
		turns = turns << 8 | c->win.rs_turn[n];
	hash = sign(hash, turns);
	for (unsigned n = 0; n < RS_WORDS; n++)
		hash = sign(hash, c->win.rs_used[n]);
	hash = sign_set(c, l->store_unknown, hash);
	hash = sign_window(c, sign_near(c, hash));
	return (uint32_t)(hash ^ hash >> 32);
}

void core_key_finish(struct core_key *k)
{
	free(k->words);
	*k = (struct core_key){0};
}
