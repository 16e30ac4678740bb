#include "core_key.h"

#include <stdlib.h>

#include "core_state.h"

/* Maximum size of an item: a varint of 64 bits. */
enum { ITEM_MAX = 10 };

static void put(struct core_key *k, uint64_t v)
{
	if (k->size - k->count < ITEM_MAX)
		return; /* see core_key_make */
	for (; v >= 128; v >>= 7)
		k->bytes[k->count++] = (uint8_t)(v | 128);
	k->bytes[k->count++] = (uint8_t)v;
}

/* Writes a cycle relative to now. All cycles at least `back` cycles ago are equal. */
static void put_since(struct core_key *k, const struct core *c, uint64_t cycle, uint64_t back)
{
	if (cycle == CYCLE_NEVER)
		put(k, 0);
	else
		put(k, cycle + back > c->now ? cycle + back - c->now + 1 : 1);
}

static void put_time(struct core_key *k, const struct core *c, uint64_t cycle)
{
	put_since(k, c, cycle, 0);
}

static uint64_t uop_number(const struct core *c, const struct uop *u)
{
	return u->flags & UOP_HANDLER ? (uint64_t)(u - c->front.handler) : HANDLER_COUNT + (uint64_t)u->sid;
}

static void put_ask(struct core_key *k, const struct core *c, const struct ask *a)
{
	put_time(k, c, a->at);
	put_time(k, c, a->known_at);
	put(k, a->known);
	put(k, a->why);
}

/* ---- the window ---- */
static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Writes the waiters of a result: nodes relative to the oldest slot, in order. */
static void put_list(struct core_key *k, const struct core *c, unsigned node)
{
	enum { LIST_MAX = ROB_WORDS_MAX * 64 };
	uint64_t list[LIST_MAX];
	size_t count = 0;

	for (; node != NODE_NONE && count < LIST_MAX; node = c->win.node_next[node])
		list[count++] = slot_age(&c->win, node / NODES_PER_SLOT) * NODES_PER_SLOT + node % NODES_PER_SLOT;
	qsort(list, count, sizeof(*list), by_value);
	put(k, count);
	for (size_t n = 0; n < count; n++)
		put(k, list[n]);
}

/* The sets that a slot is in. */
static unsigned memberships(const struct core *c, unsigned slot)
{
	const struct load_store *l = &c->ls;

	return (unsigned)slot_has(l->want_port, slot) | (unsigned)slot_has(l->load_blocked, slot) << 1 |
	       (unsigned)slot_has(l->store_unknown, slot) << 2 | (unsigned)slot_has(l->stores, slot) << 3 |
	       (unsigned)slot_has(l->asking, slot) << 4;
}

/* Cycles after which the selection time of an instruction has no effect: more than from select to X. */
enum { SELECTED_BACK = 24, DATA_BACK = 2 };

static void put_slot(struct core_key *k, const struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	bool store = r->uop->flags & UOP_STORE, done = r->state == SLOT_DONE;
	unsigned sets = memberships(c, slot);

	put(k, uop_number(c, r->uop));
	put(k, (unsigned)r->flags << 1 | (done && r->done <= c->now));
	put_time(k, c, c->win.wake[slot]);
	put_list(k, c, r->waiters);
	if (done && r->done <= c->now && !store)
		return;
	put(k, r->state | (unsigned)r->note << 2 | (unsigned)r->false_woken << 8);
	put(k, r->poison);
	put(k, r->pending);
	put(k, r->data_pending);
	put(k, r->rs);
	put_time(k, c, r->done);
	if (r->state == SLOT_SELECTED || (store && done))
		put_since(k, c, r->selected, SELECTED_BACK);
	if (store)
		put_since(k, c, r->data_at, DATA_BACK);
	put(k, sets);
	if (sets >> 4 || (store && done))
		put_ask(k, c, &c->ls.ask[slot]);
	if (r->false_woken)
		put_list(k, c, r->false_head);
}

static void put_stations(struct core_key *k, const struct core *c)
{
	const struct window *w = &c->win;

	for (unsigned n = 0; n < RS_WORDS; n++)
		put(k, w->rs_used[n]);
	for (unsigned n = 0; n < RELEASE_SIZE; n++) {
		unsigned row = (unsigned)(c->now + n) % RELEASE_SIZE;

		if (!(w->rs_releasing >> row & 1))
			continue;
		put(k, n + 1);
		for (unsigned i = 0; i < RS_WORDS; i++)
			put(k, w->rs_release[row][i]);
	}
	put(k, 0);
	for (unsigned n = 0; n < RS_COUNT; n++)
		put_time(k, c, w->unit_busy[n]);
	for (unsigned n = 0; n < EXEC_COUNT; n++)
		put(k, w->rs_turn[n]);
}

static void put_window(struct core_key *k, const struct core *c)
{
	const struct window *w = &c->win;

	put(k, w->rob_count);
	for (unsigned age = 0; age < w->rob_count; age++)
		put_slot(k, c, (w->rob_head + age) & w->rob_mask);
	put_stations(k, c);
	put(k, (unsigned)w->sync_running | (unsigned)w->may_dispatch << 1 | (unsigned)w->sync_cause << 2);
}

/* ---- events ---- */
static void put_near(struct core_key *k, const struct core *c, const uint64_t *wheel)
{
	for (unsigned n = 0; n < NEAR_SIZE; n++) {
		const uint64_t *row = &wheel[((c->now + n) % NEAR_SIZE) * c->win.rob_words];

		for (unsigned age = 0; age <= c->win.rob_mask; age++)
			if (slot_has(row, (c->win.rob_head + age) & c->win.rob_mask))
				put(k, n << 10 | age | 1u << 16);
	}
	put(k, 0);
}

/* Has the event an effect? Events of cancelled selections do not. */
static bool event_counts(const struct core *c, const struct event *v)
{
	return v->type == EVENT_CANCEL || v->generation == c->win.rob[v->slot].generation;
}

static void put_far(struct core_key *k, const struct core *c)
{
	enum { FAR_MAX = 2048 };
	uint64_t list[FAR_MAX];
	size_t count = 0;

	for (unsigned b = 0; b < WHEEL_SIZE; b++) {
		for (uint32_t n = c->wheel.bucket[b]; n && count < FAR_MAX; n = c->wheel.events[n].next) {
			const struct event *v = &c->wheel.events[n];

			if (event_counts(c, v))
				list[count++] = (v->cycle - c->now) << 16 | (uint64_t)v->type << 12 |
						slot_age(&c->win, v->slot);
		}
	}
	qsort(list, count, sizeof(*list), by_value);
	put(k, count);
	for (size_t n = 0; n < count; n++)
		put(k, list[n]);
}

/* ---- loads and stores ---- */
static void put_load_store(struct core_key *k, const struct core *c)
{
	const struct load_store *l = &c->ls;

	put(k, l->sb_count);
	for (unsigned n = 0; n < l->sb_count; n++) {
		const struct store_entry *s = &l->sb[(l->sb_head + n) & l->sb_mask];

		put_time(k, c, s->ready);
		put(k, s->size);
		put(k, s->want);
		if (s->ready != CYCLE_NEVER)
			put(k, s->level);
		put_ask(k, c, &s->ask);
	}
	put(k, l->prefetch_count);
	for (unsigned n = 0; n < l->prefetch_count; n++) {
		put_ask(k, c, &l->prefetch[n].ask);
		put(k, l->prefetch[n].strong);
	}
	put_time(k, c, l->ask_next);
	put_time(k, c, l->block_until);
}

/* ---- the front end ---- */
static void put_fetch(struct core_key *k, const struct core *c)
{
	const struct fetch_state *f = &c->front.fetch;
	uint64_t since = c->now - f->blocked_since, most = c->cfg->fetch.buffer_entries + (uint64_t)2;

	put_time(k, c, f->next);
	put(k, (unsigned)f->blocked | (unsigned)c->front.feed.at_end << 1 | (unsigned)f->after_slot << 2);
	put(k, f->cause);
	if (f->blocked)
		put(k, since < most ? since : most);
	if (f->after_slot == SLOT_TAKEN)
		put_time(k, c, f->target_cycle);
	if (f->after_slot == SLOT_BLOCK)
		put(k, c->front.block_flags);
}

static void put_front(struct core_key *k, const struct core *c)
{
	const struct front_end *f = &c->front;
	const char *stall = (const char *)f->dispatch_stall, *stats = (const char *)&c->acct.stats;

	put_fetch(k, c);
	put(k, f->fq_tail - f->fq_head);
	for (unsigned n = f->fq_head; n != f->fq_tail; n++) {
		put(k, uop_number(c, f->fq[n & f->fq_mask].uop));
		put(k, f->fq[n & f->fq_mask].flags);
	}
	put(k, f->group_count);
	for (unsigned n = 0; n < f->group_count; n++) {
		const struct fetch_group *g = &f->groups[(f->group_head + n) & f->group_mask];

		put(k, g->count);
		put_time(k, c, g->available);
		put(k, g->cause);
	}
	for (unsigned n = 0; n < c->cfg->decode.stages; n++)
		put(k, f->latch[n]);
	put(k, f->decode_cause);
	put(k, stall ? (uint64_t)(stall - stats) + 1 : 0);
	put(k, f->blocked_guard);
	if (f->blocked_guard)
		put(k, f->blocked_need);
}

int core_key_make(const struct core *c, struct core_key *k)
{
	size_t most = 4096;

	for (;;) {
		k->count = 0;
		if (most > k->size) {
			uint8_t *bytes = realloc(k->bytes, most);

			if (!bytes)
				return -1;
			k->bytes = bytes;
			k->size = most;
		}
		put_window(k, c);
		put_near(k, c, c->wheel.near_wake);
		put_near(k, c, c->wheel.near_address);
		put_far(k, c);
		put_load_store(k, c);
		put_front(k, c);
		put_time(k, c, c->acct.refill_until);
		if (c->acct.refill_until > c->now)
			put(k, c->acct.refill_cause);
		if (k->size - k->count >= ITEM_MAX)
			return 0;
		most = 2 * k->size; /* the key may have been cut */
	}
}

void core_key_finish(struct core_key *k)
{
	free(k->bytes);
	*k = (struct core_key){0};
}
