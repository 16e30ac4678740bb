/*
 * Reservation stations: wake-up, oldest-ready select (P), cancelled selections.
 *
 * Timing: an instruction selected in cycle t reads its operands in the
 * `operand_stages` after it (B), starts X in t + 1 + operand_stages, and a
 * dependent one may be selected in t + latency, so that its X follows directly.
 *
 * Loads: consumers are woken as if the load hits. If it misses, the consumers
 * selected meanwhile, and their consumers, are cancelled: they wait again, and
 * their selection slots are lost.
 */
#include "core_state.h"

void false_wake(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];

	r->false_woken = true;
	r->false_head = r->waiters;
	for (unsigned node = r->waiters; node != NODE_NONE; node = c->win.node_next[node]) {
		struct rob_entry *k = &c->win.rob[node / NODES_PER_SLOT];

		if (node & NODE_DATA)
			continue;
		k->poison++;
		if (--k->pending == 0)
			slot_ready(c, k, node / NODES_PER_SLOT, c->win.rob_words);
	}
}

/* Undoes a selection that depends on a load that missed. */
static void undo(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];

	near_forget(c, slot);
	c->win.generation[slot]++;
	r->state = SLOT_WAITING;
	c->win.wake[slot] = r->done = CYCLE_NEVER;
	if (r->uop->flags & UOP_UNPIPELINED)
		c->win.unit_busy[r->rs] = c->now;
	c->counters.stats.replayed++;
	if (c->opt.pipe_trace)
		pipe_trace_note(c, slot, PIPE_TRACE_UNDO);
	if (r->false_woken)
		cancel(c, slot);
}

void cancel(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];

	if (!r->false_woken)
		return;
	r->false_woken = false;
	for (unsigned node = r->false_head; node != NODE_NONE; node = c->win.node_next[node]) {
		unsigned consumer = node / NODES_PER_SLOT;
		struct rob_entry *k = &c->win.rob[consumer];

		if (node & NODE_DATA)
			continue;
		k->poison--;
		if (k->pending++ == 0) {
			if (k->state == SLOT_READY) {
				k->state = SLOT_WAITING;
				slot_clear(ready_of(&c->win, k->ready_row), consumer);
			} else if (k->state == SLOT_SELECTED) {
				undo(c, consumer);
			}
		}
	}
}

/* Schedules the result, resolution or address of an instruction selected in this cycle. */
static void select_start(struct core *c, unsigned slot, struct rob_entry *r, const struct uop *u, unsigned words)
{
	unsigned operand = c->cfg->core.operand_stages;
	uint64_t wake = c->now + u->latency;

	if (u->unit == EXEC_ADDR) {
		address_at(c, c->now + 2 + operand, slot, words);
		return;
	}
	/* An instruction that will be cancelled must not wake consumers dispatched meanwhile. */
	c->win.wake[slot] = r->poison ? CYCLE_NEVER : wake;
	r->done = wake + operand + c->cfg->core.commit_stages;
	if (u->ndst)
		wake_at(c, wake, slot, words);
	if (u->flags & UOP_UNPIPELINED)
		c->win.unit_busy[r->rs] = wake;
	if (r->flags & FETCHED_MISPREDICT)
		event_at(c, wake + operand + 1, EVENT_RESOLVE, slot);
}

/* One entry of each station, in its word of window.rs_used. */
static const uint64_t station_entry[RS_COUNT] = {
	LANE(0, 1), LANE(1, 1), LANE(2, 1), LANE(3, 1), LANE(4, 1),
	LANE(0, 1), LANE(1, 1), LANE(2, 1), LANE(3, 1), LANE(4, 1),
};

/* Selects the instruction in `slot`, of station `rs`. */
__attribute__((noinline)) static void select_slot(struct core *c, unsigned slot, unsigned rs)
{
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop *u = r->uop;

	c->progress = true;
	slot_clear(ready_of(&c->win, rs + u->row_offset), slot);
	r->state = SLOT_SELECTED;
	r->selected = c->now;
	/* The station entry is released at X, unless the instruction will be cancelled. */
	if (!r->poison) {
		unsigned leave = (unsigned)(c->now + 1 + c->cfg->core.operand_stages) % RELEASE_SIZE;

		c->win.rs_release[leave][rs >= RS_FP] += station_entry[rs];
		c->win.rs_releasing |= 1u << leave;
	}
	c->counters.stats.selected_class[u->class]++;
	select_start(c, slot, r, u, c->win.rob_words);
	if (c->opt.pipe_trace)
		pipe_trace_note(c, slot, PIPE_TRACE_SELECT);
}

/* Returns whether D may go on when stations have released these entries. */
static inline bool may_unblock(const struct core *c, const uint64_t released[RS_WORDS])
{
	const struct uop *u = c->front.blocked_uop;

	if (u)
		return u->choice != CHOOSE_LAST || released[u->rs_word] >> LANE_BITS * (LANE_COUNT - 1);
	return !c->front.blocked_guard; /* else it lacks something that only commit frees */
}

static inline void release_stations(struct core *c)
{
	unsigned row = (unsigned)c->now % RELEASE_SIZE;

	if (!(c->win.rs_releasing >> row & 1))
		return;
	c->progress = true;
	if (may_unblock(c, c->win.rs_release[row]))
		c->win.may_dispatch = true;
	c->win.rs_releasing &= ~(1u << row);
	for (unsigned n = 0; n < RS_WORDS; n++) {
		c->win.rs_used[n] -= c->win.rs_release[row][n];
		c->win.rs_release[row][n] = 0;
	}
}

/* Selects while an unpipelined instruction is ready, or with a pipe trace, which records each. */
__attribute__((noinline)) static void select_others(struct core *c)
{
	uint64_t alone_left = 0;

	for (unsigned left = c->win.ready_rs & RS_SCALAR; left; left &= left - 1) {
		unsigned rs = (unsigned)__builtin_ctz(left), most = rs == RS_ADDR ? c->cfg->core.address_pipes : 1;
		const uint64_t *ready = ready_of(&c->win, rs), *alone = ready_of(&c->win, RS_COUNT + rs);
		uint64_t any = 0;

		for (; most; most--) {
			/* While the divider is busy, only pipelined instructions can be selected. */
			unsigned slot = slot_oldest(&c->win, ready, c->win.unit_busy[rs] > c->now ? ready : alone);

			if (slot == SLOT_NONE)
				break;
			select_slot(c, slot, rs);
		}
		for (unsigned w = 0; w < c->win.rob_words; w++)
			any |= ready[w] | alone[w];
		if (!any)
			c->win.ready_rs &= ~(1u << rs);
	}
	for (unsigned n = RS_COUNT * c->win.rob_words; n < 2 * RS_COUNT * c->win.rob_words; n++)
		alone_left |= c->win.ready[n];
	if (!alone_left)
		c->win.ready_rs &= ~(unsigned)RS_ALONE;
}

/* ---- while no unpipelined instruction is ready ---- */
struct select_pass {
	uint64_t now, x;   /* this cycle, and that of X */
	uint64_t *release; /* the row of window.rs_release of X */
	uint64_t behind;   /* a window of one word: the slots from the oldest on, without those behind the ring's end */
};

/* slot_oldest_in of one set. */
INLINE unsigned oldest_ready(const struct window *w, const struct select_pass *p, const uint64_t *ready, unsigned words)
{
	uint64_t first;

	if (words > 1)
		return slot_oldest_in(w, ready, ready, words);
	if (!ready[0])
		return SLOT_NONE;
	first = ready[0] & p->behind;
	return (unsigned)__builtin_ctzll(first ? first : ready[0]);
}

/* Selects the oldest ready instruction of station `rs`; false: it has none. */
INLINE bool select_oldest(struct core *c, const struct select_pass *p, unsigned rs, unsigned words)
{
	uint64_t *ready = ready_in(&c->win, rs, words);
	unsigned slot = oldest_ready(&c->win, p, ready, words);
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop *u;
	uint64_t wake;

	if (slot == SLOT_NONE)
		return false;
	if (__builtin_expect(r->unusual & ~((uint32_t)ENTRY_COMMIT_MORE << 16), 0)) {
		select_slot(c, slot, rs);
		return true;
	}
	u = r->uop;
	ready[words == 1 ? 0 : slot >> 6] ^= 1ull << (slot & 63);
	r->state = SLOT_SELECTED;
	r->selected = p->now;
	p->release[rs >= RS_FP] += LANE(rs % LANE_COUNT, 1);
	c->counters.stats.selected_class[u->class]++;
	if (rs == RS_ADDR) {
		address_at(c, p->x + 1, slot, words);
		return true;
	}
	wake = p->now + u->latency;
	c->win.wake[slot] = wake;
	r->done = wake + c->win.done_after;
	if (u->ndst)
		wake_near(c, wake, slot, words);
	return true;
}

/* Selects up to `most` instructions of station `rs`, if it is in `left`. */
INLINE void select_station(struct core *c, const struct select_pass *p, unsigned left, unsigned rs, unsigned most,
			   unsigned words)
{
	uint64_t any = 0;

	if (!(left >> rs & 1))
		return;
	while (most-- && select_oldest(c, p, rs, words))
		;
	for (unsigned w = 0; w < words; w++)
		any |= ready_in(&c->win, rs, words)[w];
	if (!any)
		c->win.ready_rs &= ~(1u << rs);
}

INLINE void select_all(struct core *c, unsigned words)
{
	const uint64_t x = c->now + 1 + c->cfg->core.operand_stages;
	const struct select_pass p = {.now = c->now,
				      .x = x,
				      .release = c->win.rs_release[x % RELEASE_SIZE],
				      .behind = ~0ull << (c->win.rob_head & 63)};
	const unsigned left = c->win.ready_rs & RS_SCALAR;

	_Static_assert(RS_INT == 0 && RS_ADDR == 4 && RS_FP == 5 && RS_BR == 9, "the stations below");
	if (left & 15) {
		select_station(c, &p, left, 0, 1, words);
		select_station(c, &p, left, 1, 1, words);
		if (left & 12) {
			select_station(c, &p, left, 2, 1, words);
			select_station(c, &p, left, 3, 1, words);
		}
	}
	if (left & 15 << RS_FP) {
		select_station(c, &p, left, 5, 1, words);
		select_station(c, &p, left, 6, 1, words);
		if (left & 12 << RS_FP) {
			select_station(c, &p, left, 7, 1, words);
			select_station(c, &p, left, 8, 1, words);
		}
	}
	select_station(c, &p, left, RS_BR, 1, words);
	select_station(c, &p, left, RS_ADDR, c->cfg->core.address_pipes, words);
	if (p.release[0] | p.release[1]) { /* nothing before this cycle has the same X */
		c->progress = true;
		c->win.rs_releasing |= 1u << x % RELEASE_SIZE;
	}
}

__attribute__((noinline)) static void select_large(struct core *c)
{
	select_all(c, c->win.rob_words);
}

void stage_select(struct core *c)
{
	if (c->win.rs_releasing)
		release_stations(c);
	if (!c->win.ready_rs)
		return;
	if (__builtin_expect(c->win.ready_rs & RS_ALONE || c->opt.pipe_trace, 0))
		select_others(c);
	else if (c->win.rob_words == 1)
		select_all(c, 1);
	else
		select_large(c);
}
