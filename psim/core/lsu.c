/*
 * Loads and stores from Ps on: L1D ports and banks, order of memory accesses,
 * store-to-load forwarding, the store buffer.
 *
 * A store's address and data arrive separately; the address is known from its Ps.
 * Committed stores are written from the store buffer to L1D, in order, over a port
 * that no load uses in that cycle.
 */
#include <assert.h>

#include "usual_lsu.h"

/* ---- stores in flight: a counting filter over 8-byte granules ---- */
void lsu_filter_more(struct core *c, uint64_t ea, unsigned size, int by)
{
	uint64_t g = ea >> 3, last = (ea + size - 1) >> 3;

	while (g++ != last) {
		c->ls.store_filter[g & 255] += (uint8_t)by;
		c->ls.store_mark[lsu_mark(g)] += (uint16_t)by;
	}
}

void lsu_store_dispatched(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];

	slot_set(c->ls.stores, slot);
	slot_set(c->ls.store_unknown, slot);
	lsu_filter_change(c, r->ea, r->uop->size, 1);
	if (!r->data_pending)
		r->data_at = c->now + 1;
}

void lsu_unblock(struct core *c)
{
	if (c->array)
		array_unblock(c);
	if (!c->ls.blocked_count)
		return;
	for (unsigned w = 0; w < c->win.rob_words; w++) {
		c->ls.want_port[w] |= c->ls.load_blocked[w];
		c->ls.load_blocked[w] = 0;
	}
	c->ls.want_count += c->ls.blocked_count;
	c->ls.blocked_count = 0;
}

/* A store is done when its address and its data have arrived. */
static void store_done(struct core *c, struct rob_entry *r)
{
	uint64_t address_at = r->selected + 1 + c->cfg->core.operand_stages;

	if (r->state != SLOT_DONE || r->data_at == CYCLE_NEVER)
		return;
	r->done = (address_at > r->data_at ? address_at : r->data_at) + c->cfg->core.commit_stages;
}

void lsu_store_data(struct core *c, unsigned slot, uint64_t cycle)
{
	struct rob_entry *r = &c->win.rob[slot];

	if (r->uop->flags & UOP_SIMD) {
		array_data(c, slot);
		return;
	}
	r->data_at = cycle;
	store_done(c, r);
	lsu_unblock(c);
}

static inline void lsu_take_address(struct core *c, unsigned slot, bool array)
{
	struct rob_entry *r = &c->win.rob[slot];
	uint32_t flags = r->uop->flags;

	if (r->poison)
		return; /* the producer of its base register will be cancelled, and this address with it */
	if (flags & UOP_STORE) {
		c->ls.retry[slot] = (struct retry){.at = c->now};
		slot_clear(c->ls.store_unknown, slot);
		if (c->memdep)
			lsu_find_early(c, slot);
		lsu_unblock(c);
	}
	if (array && array_handles(c, slot))
		return;
	if (flags & (UOP_LOAD | UOP_PREFETCH)) {
		slot_set(c->ls.want_port, slot);
		c->ls.want_count++;
		return;
	}
	r->state = SLOT_DONE;
	store_done(c, r);
	/* Requests the store's line before the store commits; that look-up has its own tag port. */
	if (c->cfg->lsu.store_prefetch && !(array && simd_in_window(r->ea))) {
		slot_set(c->ls.new_stores, slot);
		c->ls.new_store_count++;
	}
}

__attribute__((noinline)) static void take_address_with_array(struct core *c, unsigned slot)
{
	lsu_take_address(c, slot, true);
}

void lsu_address(struct core *c, unsigned slot)
{
	if (c->array)
		take_address_with_array(c, slot);
	else
		lsu_take_address(c, slot, false);
}

/* ---- ordering and forwarding ---- */

bool lsu_overlap(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	if (simd_in_window(a) != simd_in_window(b))
		return false; /* memory is not SBM, even if one access reached beyond its end */
	a = sbm_same_window(a, b);
	return a < b + b_size && b < a + a_size;
}

bool lsu_covers(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	/* a store to all PEs covers a load from one of them; the converse does not hold */
	if (a - SIMD_ALL_BASE < SIMD_PE_STRIDE)
		a = sbm_same_window(a, b);
	return a <= b && b + b_size <= a + a_size;
}

struct store_match lsu_match_window(const struct core *c, unsigned slot)
{
	const struct rob_entry *load = &c->win.rob[slot];

	for (unsigned age = slot_age(&c->win, slot); age-- > 0;) {
		unsigned s = (c->win.rob_head + age) & c->win.rob_mask;
		const struct rob_entry *store = &c->win.rob[s];
		unsigned size = store->uop->size;

		if (!slot_has(c->ls.stores, s) || !lsu_overlap(store->ea, size, load->ea, load->uop->size))
			continue;
		return (struct store_match){MATCH_WINDOW, lsu_covers(store->ea, size, load->ea, load->uop->size), s};
	}
	return (struct store_match){.place = MATCH_NONE};
}

static struct store_match match_buffer(const struct core *c, const struct rob_entry *load)
{
	for (unsigned n = c->ls.sb_count; n-- > 0;) {
		const struct store_entry *s = &c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask];

		if (lsu_overlap(s->ea, s->size, load->ea, load->uop->size))
			return (struct store_match){MATCH_BUFFER, lsu_covers(s->ea, s->size, load->ea, load->uop->size),
						    0};
	}
	return (struct store_match){.place = MATCH_NONE};
}

/* The filter may find a store that the load does not touch: then the search finds none. */
struct store_match lsu_match(const struct core *c, unsigned slot)
{
	const struct rob_entry *load = &c->win.rob[slot];
	struct store_match m;

	if (!lsu_filter_hit(c, load->ea, load->uop->size))
		return (struct store_match){.place = MATCH_FILTERED};
	if (!lsu_is_marked(c, load->ea, load->uop->size))
		return (struct store_match){.place = MATCH_NONE};
	m = lsu_match_window(c, slot);
	return m.place == MATCH_NONE ? match_buffer(c, load) : m;
}

enum order lsu_order_of(const struct core *c, const struct store_match *m, bool forwarding, uint64_t *data_at)
{
	if (m->place != MATCH_WINDOW && m->place != MATCH_BUFFER)
		return ORDER_FREE;
	if (!forwarding || !m->covers)
		return ORDER_WAIT;
	if (m->place == MATCH_BUFFER)
		return ORDER_FORWARD;
	if (slot_has(c->ls.store_unknown, m->slot) || c->win.rob[m->slot].data_at == CYCLE_NEVER)
		return ORDER_WAIT;
	*data_at = c->win.rob[m->slot].data_at;
	return ORDER_FORWARD;
}

enum order lsu_search_stores(struct core *c, unsigned slot, uint64_t *data_at)
{
	struct store_match m = c->transcript ? recorded_match(c, slot) : lsu_match(c, slot);

	c->counters.stats.store_searches += m.place != MATCH_FILTERED;
	return lsu_order_of(c, &m, c->cfg->lsu.forwarding, data_at);
}

void lsu_load_result(struct core *c, unsigned slot, uint64_t wake)
{
	struct rob_entry *r = &c->win.rob[slot];

	load_result(c, slot, r, r->uop, wake, c->win.rob_words, false);
}

void lsu_load_forwarded(struct core *c, unsigned slot, uint64_t data_at)
{
	/*
	 * Data that is not yet in the store queue delays the load, as if its Ps were in the
	 * cycle after the data's X.
	 */
	uint64_t from = data_at >= c->now ? data_at + 1 : c->now;

	from += beats_of(c->win.rob[slot].uop->size, c->ls.beat_bytes) - 1;
	c->counters.stats.forwarded++;
	lsu_load_result(c, slot, from + after_ps(c, c->cfg->lsu.forward_latency));
}

/*
 * Cancels the consumers of a load that does not hit, as they are selected on the
 * assumption of a hit. None is cancelled if the miss is known before their selection.
 */
static void cancel_consumers(struct core *c, unsigned slot, uint64_t known)
{
	uint64_t ahead = after_ps(c, c->win.rob[slot].uop->latency);

	if (!c->win.rob[slot].uop->ndst || c->now + ahead >= known)
		return;
	if (ahead)
		miss_at(c, c->now + ahead, EVENT_FALSE_WAKE, slot);
	else
		false_wake(c, slot);
	miss_at(c, known, EVENT_CANCEL, slot);
}

/* Sets the note and the completion of the load in `slot`, which missed or had been refused. */
static void load_waits(struct core *c, unsigned slot, const struct mem_answer *a, uint64_t known)
{
	static const uint8_t notes[MEM_LEVEL_COUNT] = {
		[MEM_L1] = LOAD_L1, [MEM_L2] = LOAD_L2, [MEM_L3] = LOAD_L3, [MEM_MEMORY] = LOAD_MEMORY};
	struct rob_entry *r = &c->win.rob[slot];
	uint64_t wake = a->ready + after_ps(c, r->uop->latency);

	if (a->level != MEM_L1 || r->note != LOAD_TLB)
		r->note = notes[a->level];
	load_result(c, slot, r, r->uop, wake < known ? known : wake, c->win.rob_words, false);
}

void lsu_load_missed(struct core *c, unsigned slot, const struct mem_answer *a, bool speculative)
{
	uint64_t known = c->now + c->cfg->lsu.hit_known + 1;

	if (speculative)
		cancel_consumers(c, slot, known);
	c->win.rob[slot].note = LOAD_L1;
	if (a->refused) {
		c->ls.retry[slot] = (struct retry){.known_at = known, .since = c->now};
		lsu_load_refused(c, slot, a);
	} else {
		load_waits(c, slot, a, known);
	}
}

void lsu_load_accepted(struct core *c, unsigned slot, const struct mem_answer *a)
{
	load_waits(c, slot, a, c->ls.retry[slot].known_at);
}

/* ---- the store buffer ---- */
void lsu_store_written(struct core *c, uint64_t ea, unsigned size)
{
	lsu_filter_change(c, ea, size, -1);
	lsu_unblock(c);
}

bool lsu_store_commit(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];
	struct store_entry *s;

	if (c->array) {
		if (r->uop->flags & UOP_TRANSFER)
			return array_transfer_commit(c, slot);
		if (simd_in_window(r->ea))
			return array_store_commit(c, slot);
	}
	if (c->ls.sb_count >= c->cfg->lsu.store_buffer) {
		if (c->opt.pipe_trace)
			pipe_trace_store_held(c, slot);
		return false;
	}
	s = &c->ls.sb[(c->ls.sb_head + c->ls.sb_count++) & c->ls.sb_mask];
	assert(c->ls.sb_count <= c->ls.sb_mask + 1 && slot_has(c->ls.stores, slot));
	s->ea = r->ea;
	s->size = r->uop->size;
	s->ready = CYCLE_NEVER;
	lsu_move_request(c, slot, s);
	slot_clear(c->ls.stores, slot);
	return true;
}

bool lsu_all_written(const struct core *c)
{
	return !c->ls.sb_count;
}

void lsu_request_new_lines(struct core *c)
{
	unsigned slot;

	while ((slot = slot_oldest(&c->win, c->ls.new_stores, c->ls.new_stores)) != SLOT_NONE) {
		slot_clear(c->ls.new_stores, slot);
		lsu_request_line(c, slot);
	}
	c->ls.new_store_count = 0;
}

__attribute__((noinline)) static void lsu_large(struct core *c)
{
	lsu_any(c, c->win.rob_words, false);
}

void stage_lsu(struct core *c)
{
	if (c->win.rob_words == 1)
		lsu_any(c, 1, false);
	else
		lsu_large(c);
}
