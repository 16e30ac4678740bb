/*
 * A core from its key: the inverse of core_key.c. What the key omits follows from the rest: sets of slots, counts of
 * them, free resources, and the rename map, which repeats the renaming of the instructions in the window.
 */
#include "core_key.h"

#include "key_format.h"
#include "key_words.h"
#include "../core/array_state.h"
#include "../core/core_requests.h"

/* ---- the window ---- */
struct list {
	unsigned count;
	uint32_t first;           /* item 0, in the high half of the count's word */
	const uint32_t *at_pairs; /* the others */
};

static struct list get_list(struct in *k)
{
	uint32_t word = core_restore_get(k);
	struct list l = {.count = word & 0xffff, .first = word >> 16, .at_pairs = k->at};

	k->at += l.count / 2;
	return l;
}

static unsigned item(const struct list *l, unsigned n)
{
	return !n ? l->first : l->at_pairs[(n - 1) / 2] >> ((n - 1) % 2 ? 16 : 0) & 0xffff;
}

static bool contains(const struct list *l, unsigned value)
{
	for (unsigned n = 0; n < l->count; n++)
		if (item(l, n) == value)
			return true;
	return false;
}

/* Chains the nodes of a list, but those of `without`, before `head`. Slot numbers are ages, as the oldest is slot 0. */
static unsigned core_restore_chain(struct core *c, const struct list *l, const struct list *without, unsigned head)
{
	for (unsigned n = 0; n < l->count; n++) {
		unsigned node = item(l, n);

		if (without && contains(without, node))
			continue;
		c->win.node_next[node] = (uint16_t)head;
		head = node;
	}
	return head;
}

static void get_retry(const struct core *c, struct in *k, struct retry *a)
{
	uint32_t word;

	*a = (struct retry){.since = c->now};
	a->at = get_cycle(c, k);
	a->known_at = get_cycle(c, k);
	word = core_restore_get(k);
	a->known = (uint8_t)word;
	a->why = (uint8_t)(word >> 8);
}

/* The waiters of a result without a false wake-up. */
static inline void get_waiters(struct core *c, struct in *k, struct rob_entry *r)
{
	uint32_t word = core_restore_get(k);
	unsigned count = word & 0xffff, head = word >> 16;

	c->win.node_next[head] = NODE_NONE;
	for (unsigned n = 1; n < count; n++) {
		unsigned node = k->at[(n - 1) / 2] >> ((n - 1) % 2 ? 16 : 0) & 0xffff;

		c->win.node_next[node] = (uint16_t)head;
		head = node;
	}
	k->at += count / 2;
	r->waiters = (uint16_t)head;
}

static void get_lists(struct core *c, struct in *k, struct rob_entry *r, uint32_t word)
{
	struct list waiters = {0}, woken = {0};

	if (word >> SLOT_WAITERS & 1)
		waiters = get_list(k);
	if (r->false_woken)
		woken = get_list(k);
	/* the waiters at the false wake-up are the tail of the list */
	r->false_head = (uint16_t)core_restore_chain(c, &woken, NULL, NODE_NONE);
	r->waiters = (uint16_t)core_restore_chain(c, &waiters, &woken, waiters.count ? r->false_head : NODE_NONE);
}

/* The times of an open slot, as its word says; `at`: the words behind that. Returns those behind the times. */
static inline const uint32_t *get_times(struct core *c, struct rob_entry *r, const uint32_t *at, uint32_t word,
					unsigned slot)
{
	const uint64_t now = c->now;

	c->win.wake[slot] = r->done = r->data_at = CYCLE_NEVER;
	if (word >> SLOT_WAKE & 1)
		c->win.wake[slot] = now + *at++ - KEY_PAST;
	if (word >> SLOT_DONE_AT & 1)
		r->done = now + *at++ - KEY_PAST;
	if (word >> SLOT_SELECTED_AT & 1)
		r->selected = now + *at++ - KEY_PAST - SELECTED_BACK;
	if (word >> SLOT_DATA_AT & 1)
		r->data_at = cycle_since(c, *at++, DATA_BACK);
	return at;
}

static void get_open(struct core *c, struct in *k, struct rob_entry *r, unsigned slot)
{
	uint32_t bytes = k->at[0], word = k->at[1];
	unsigned rs = word >> SLOT_RS & 15;

	/* note, false_woken, pending, data_pending: bytes become fields of 16 bits */
	r->counts = (bytes & 255) | (uint64_t)(bytes >> 8 & 255) << 16 | (uint64_t)(bytes >> 16 & 255) << 32 |
		    (uint64_t)(bytes >> 24) << 48;
	r->flags |= word >> SLOT_FLAGS & 7;
	r->poison = word >> SLOT_POISON & 31;
	entry_place(r, rs, rs == RS_SIMD ? array_ready_row(r->uop) : rs + r->uop->row_offset);
	r->state = word >> SLOT_STATE & 3;
	k->at = get_times(c, r, k->at + 2, word, slot);
	c->ls.retry[slot] = (struct retry){.at = c->now};
	if (word >> SLOT_RETRY & 1)
		get_retry(c, k, &c->ls.retry[slot]);
	if (r->false_woken)
		get_lists(c, k, r, word);
	else if (word >> SLOT_WAITERS & 1) /* else it has none, as it was made */
		get_waiters(c, k, r);
	if (r->state == SLOT_READY) {
		slot_set(ready_of(&c->win, r->ready_row), slot);
		c->win.ready_rs |= r->rs_bit;
	}
}

/* The number of the next transfer of the window, which is dispatched. */
static uint64_t get_transfer(struct core *c, struct in *k, unsigned slot)
{
	array_transfer_of(c->array, k->from.transfer)->seq = c->win.first_seq + slot;
	c->array->transfer_dispatched++;
	return k->from.transfer++;
}

static void get_slot(struct core *c, struct in *k, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];
	uint32_t first = *k->at++, kind = first & ((1u << KEY_KIND_BITS) - 1), word;
	const struct uop *u = uop_of(c, first >> KEY_NUMBER_AT);
	const uint64_t now = c->now;

	*r = (struct rob_entry){.uop = u, .done = now, .data_at = CYCLE_NEVER, .begin = u->entry};
	r->state = SLOT_DONE;
	if (uop_accesses(u))
		r->ea = next_address(&k->from.window);
	else if (u->flags & UOP_TRANSFER)
		r->ea = get_transfer(c, k, slot);
	c->win.free -= u->need;
	rename_again(c, c->win.first_seq + slot, u);
	if (kind == KEY_OPEN) {
		get_open(c, k, r, slot);
		return;
	}
	c->win.wake[slot] = now;
	if (kind == KEY_SIMPLE)
		return;
	word = *k->at++;
	r->flags |= word >> SLOT_FLAGS & 7;
	c->win.wake[slot] = get_cycle(c, k);
	if (word >> SLOT_WAITERS & 1)
		get_waiters(c, k, r);
}

/* Reads a set of slots, in which slot numbers are ages; returns its size. */
static unsigned get_set(const struct core *c, struct in *k, uint64_t *set)
{
	unsigned count = 0;

	for (unsigned w = 0; w < c->win.rob_words; w++) {
		set[w] = get_64(k);
		count += (unsigned)__builtin_popcountll(set[w]);
	}
	return count;
}

void get_slot_sets(const struct core *c, struct in *k, uint64_t *const *set, unsigned *ret_size, unsigned count)
{
	uint32_t map = core_restore_get(k);

	for (unsigned n = 0; n < count; n++)
		ret_size[n] = map >> n & 1 ? get_set(c, k, set[n]) : 0;
}

static void get_sets(struct core *c, struct in *k)
{
	struct load_store *l = &c->ls;
	uint64_t *const set[SET_COUNT] = {
		[SET_WANT_PORT] = l->want_port, [SET_BLOCKED] = l->load_blocked, [SET_UNKNOWN] = l->store_unknown,
		[SET_STORES] = l->stores,       [SET_RETRYING] = l->retrying,    [SET_EARLY] = l->early,
	};
	unsigned count[SET_COUNT];

	get_slot_sets(c, k, set, count, SET_COUNT);
	l->want_count = count[SET_WANT_PORT];
	l->blocked_count = count[SET_BLOCKED];
	l->retrying_count = count[SET_RETRYING];
	for (unsigned n = 0; count[SET_RETRYING] && n < c->win.rob_count; n++)
		l->prefetch_waiting += slot_has(l->retrying, n) && c->win.rob[n].uop->flags & UOP_PREFETCH;
}

static void clear_sets(struct core *c)
{
	size_t bytes = c->win.rob_words * sizeof(uint64_t);

	memset(c->ls.want_port, 0, bytes);
	memset(c->ls.load_blocked, 0, bytes);
	memset(c->ls.store_unknown, 0, bytes);
	memset(c->ls.stores, 0, bytes);
	memset(c->ls.new_stores, 0, bytes);
	memset(c->ls.retrying, 0, bytes);
	memset(c->ls.early, 0, bytes);
	memset(c->win.ready, 0, READY_ROWS * bytes);
	memset(c->win.unwoken, 0, bytes);
	c->win.ready_rs = 0;
	c->ls.want_count = c->ls.blocked_count = c->ls.new_store_count = 0;
	c->ls.retrying_count = c->ls.prefetch_waiting = 0;
}

/* From the oldest transfer on, `active` have started. */
static void start_transfers(struct array *a, struct in *k, unsigned active)
{
	a->transfer_head = k->from.transfer;
	k->from.transfer += active;
	a->transfer_tail = a->transfer_dispatched = k->from.transfer;
}

/* No register has a writer. The three parts of the map are in a row, and so is `mixed`. */
static void clear_map(struct window *w)
{
	size_t at = offsetof(struct window, map);

	_Static_assert(offsetof(struct window, map) < offsetof(struct window, outside) &&
			       offsetof(struct window, outside) < offsetof(struct window, half),
		       "in a row");
	memset((char *)w + at, 0, offsetof(struct window, half) + sizeof(w->half) - at);
}

static void get_window(struct core *c, struct in *k)
{
	struct window *w = &c->win;
	uint32_t counts;

	clear_sets(c);
	clear_map(w);
	w->cwp = 0; /* any of the register windows: those in use are relative to it */
	w->first_seq = w->rob_mask + 1;
	w->rob_head = 0;
	w->oldest = w->rob;
	w->free = w->capacity;
	counts = core_restore_get(k);
	w->rob_count = counts & ((1u << KEY_ACTIVE_AT) - 1);
	if (c->array)
		start_transfers(c->array, k, counts >> KEY_ACTIVE_AT);
	for (unsigned n = 0; n < w->rob_count; n++) {
		get_slot(c, k, n);
		if (w->wake[n] > c->now) /* those of this cycle are woken before the next dispatch */
			slot_set(w->unwoken, n);
	}
	get_sets(c, k);
}

static void get_stations(struct core *c, struct in *k)
{
	struct window *w = &c->win;
	uint32_t busy = core_restore_get(k), rows = busy >> 16, turns = core_restore_get(k);

	for (unsigned n = 0; n < EXEC_COUNT; n++)
		w->rs_turn[n] = turns >> (3 * n) & 7;
	w->sync_running = turns >> 18 & 1;
	w->may_dispatch = turns >> 19 & 1;
	w->sync_cause = (enum stall)(turns >> 20);
	for (unsigned n = 0; n < RS_WORDS; n++)
		w->rs_used[n] = get_64(k);
	memset(w->rs_release, 0, sizeof(w->rs_release));
	w->rs_releasing = 0;
	for (; rows; rows &= rows - 1) {
		unsigned row = (unsigned)(c->now + (unsigned)__builtin_ctz(rows)) % RELEASE_SIZE;
		uint32_t word = core_restore_get(k);

		w->rs_releasing |= 1u << row;
		for (unsigned n = 0; n < RS_COUNT; n++)
			w->rs_release[row][n / LANE_COUNT] +=
				LANE(n % LANE_COUNT, word >> (RELEASE_BITS * n) & ((1u << RELEASE_BITS) - 1));
	}
	for (unsigned n = 0; n < RS_COUNT; n++)
		w->unit_busy[n] = busy >> n & 1 ? get_cycle(c, k) : 0;
}

/* ---- events ---- */
void get_near(struct core *c, struct in *k, uint64_t *wheel, uint64_t *rows)
{
	uint64_t ahead = get_64(k);

	memset(wheel, 0, NEAR_SIZE * c->win.rob_words * sizeof(*wheel));
	*rows = 0;
	for (; ahead; ahead &= ahead - 1) {
		unsigned row = (unsigned)(c->now + (unsigned)__builtin_ctzll(ahead)) % NEAR_SIZE;

		*rows |= UINT64_C(1) << row;
		for (unsigned w = 0; w < c->win.rob_words; w++)
			wheel[row * c->win.rob_words + w] = get_64(k);
	}
}

static void get_far(struct core *c, struct in *k)
{
	unsigned count = core_restore_get(k);

	events_clear(c);
	for (unsigned n = 0; n < count; n++) {
		uint64_t event = get_64(k);

		event_at(c, cycle_since(c, (uint32_t)(event >> 32), 0), (enum event_type)(event & 255),
			 (unsigned)((uint32_t)event >> FAR_AGE));
	}
}

/* ---- loads and stores ---- */
static void get_store(struct core *c, struct in *k, struct store_entry *s)
{
	uint32_t word = core_restore_get(k);

	*s = (struct store_entry){
		.ea = next_address(&k->from.stores),
		.size = (uint8_t)(word >> STORE_SIZE),
		.want = word >> STORE_WANT & 3,
		.level = word >> STORE_LEVEL & 3,
		.ready = CYCLE_NEVER,
	};
	s->retry = (struct retry){.at = c->now, .known = word >> STORE_KNOWN & 3, .why = word >> STORE_WHY & 3};
	if (word >> STORE_READY & 1)
		s->ready = get_cycle(c, k);
	if (word >> STORE_RETRY & 1)
		s->retry.at = get_cycle(c, k);
	c->ls.sb_wants += s->want != WANT_NOTHING;
}

static void get_load_store(struct core *c, struct in *k)
{
	struct load_store *l = &c->ls;
	uint32_t counts = core_restore_get(k);

	l->sb_head = l->sb_wants = 0;
	l->sb_count = counts & 0xffff;
	l->prefetch_count = counts >> 16;
	for (unsigned n = 0; n < l->sb_count; n++)
		get_store(c, k, &l->sb[n]);
	for (unsigned n = 0; n < l->prefetch_count; n++) {
		l->prefetch[n].ea = next_address(&k->from.prefetches);
		get_retry(c, k, &l->prefetch[n].retry);
		l->prefetch[n].strong = core_restore_get(k);
	}
	l->retry_next = get_cycle(c, k);
	get_held_ports(c, k, &l->held);
}

/* ---- the front end ---- */
static void get_fetch(struct core *c, struct in *k)
{
	struct fetch_state *f = &c->front.fetch;
	uint32_t word;

	f->next = get_cycle(c, k);
	word = core_restore_get(k);
	f->blocked = word & 1;
	f->after_slot = (enum after_slot)(word >> 2 & 3);
	f->cause = (enum stall)(word >> 4 & 255);
	c->front.block_flags = word >> 12 & 15;
	f->blocked_since = c->now - (word >> 16);
	f->target_cycle = get_cycle(c, k);
	core_restore_get(k); /* the next instruction is the feed's */
}

static void get_front(struct core *c, struct in *k)
{
	struct front_end *f = &c->front;
	uint32_t counts, word;

	get_fetch(c, k);
	counts = core_restore_get(k);
	f->fq_head = 0;
	f->fq_tail = counts & 0xffff;
	for (unsigned n = 0; n < f->fq_tail; n++) {
		struct fetched *q = &f->fq[n];

		word = core_restore_get(k);
		*q = (struct fetched){.uop = uop_of(c, word >> FETCHED_NUMBER_AT), .flags = word & 7};
		if (uop_accesses(q->uop))
			q->ea = next_address(&k->from.window);
		else if (q->uop->flags & UOP_TRANSFER)
			q->ea = k->from.transfer++;
	}
	f->group_head = 0;
	f->group_count = counts >> 16;
	for (unsigned n = 0; n < f->group_count; n++) {
		word = core_restore_get(k);
		f->groups[n] = (struct fetch_group){.count = word & 255, .cause = (enum stall)(word >> 8)};
		f->groups[n].available = get_cycle(c, k);
	}
	f->latch_sum = 0;
	for (unsigned n = 0; n < c->cfg->decode.stages; n++) {
		f->latch[n] = k->at[n / 4] >> (n % 4 * 8) & 255;
		f->latch_sum += f->latch[n];
	}
	k->at += (c->cfg->decode.stages + 3) / 4;
	word = core_restore_get(k);
	f->dispatch_stall = word & 0xffff ? (uint64_t *)(void *)&c->counters.stats + (word & 0xffff) - 1 : NULL;
	f->decode_cause = (enum stall)(word >> 16);
	f->blocked_guard = get_64(k);
	f->blocked_need = f->blocked_guard ? get_64(k) : 0;
	f->blocked_uop = NULL;
	f->quiet_until = 0;
}

static void get_memory_order(struct core *c, struct in *k)
{
	for (unsigned n = 0; n < c->win.rob_count; n++)
		if (slot_has(c->ls.early, n))
			c->ls.early_store[n] = (uint16_t)core_restore_get(k);
	c->front.refetch = core_restore_get(k);
	c->front.refetch_next = c->front.refetch ? get_cycle(c, k) : 0;
}

void core_restore(struct core *c, const uint32_t *key, const struct addresses *a)
{
	struct in k = {key, *a};
	uint64_t wakes, addresses;

	get_window(c, &k);
	get_stations(c, &k);
	get_near(c, &k, c->wheel.near_wake, &wakes);
	get_near(c, &k, c->wheel.near_address, &addresses);
	c->wheel.near_rows = wakes | addresses;
	get_far(c, &k);
	get_load_store(c, &k);
	get_front(c, &k);
	if (c->memdep)
		get_memory_order(c, &k);
	c->stack.refill_until = get_cycle(c, &k);
	c->stack.refill_cause = (enum stall)core_restore_get(&k);
	if (c->array)
		array_key_get(c, &k);
}
