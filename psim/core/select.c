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
	r->generation++;
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

static inline void release_stations(struct core *c)
{
	unsigned row = (unsigned)c->now % RELEASE_SIZE;

	if (!(c->win.rs_releasing >> row & 1))
		return;
	c->progress = c->win.may_dispatch = true;
	c->win.rs_releasing &= ~(1u << row);
	for (unsigned n = 0; n < RS_WORDS; n++) {
		c->win.rs_used[n] -= c->win.rs_release[row][n];
		c->win.rs_release[row][n] = 0;
	}
}

/* The same for all selections of a cycle. */
struct select_pass {
	uint64_t now, x;   /* this cycle, and that of X */
	uint64_t *release; /* the row of window.rs_release of X */
};

/* Returns whether select_plain may select the instruction. */
static inline bool is_plain(const struct rob_entry *r)
{
	return !r->unusual && r->uop->flags & UOP_SELECT_PLAIN;
}

/* select_slot for a plain instruction, of the address station or of another one. */
INLINE void select_plain(struct core *c, const struct select_pass *p, unsigned slot, struct rob_entry *r, unsigned rs,
			 bool address, unsigned words)
{
	const struct uop *u = r->uop;
	uint64_t wake;

	slot_clear_in(ready_in(&c->win, rs, words), slot, words);
	r->state = SLOT_SELECTED;
	r->selected = p->now;
	p->release[u->rs_word] += station_entry[rs];
	c->counters.stats.selected_class[u->class]++;
	if (address) {
		address_at(c, p->x + 1, slot, words);
		return;
	}
	wake = p->now + u->latency;
	c->win.wake[slot] = wake;
	r->done = wake + c->win.done_after;
	if (u->ndst)
		wake_near(c, wake, slot, words);
}

/* Selects the oldest ready instruction of a station; false: none can be. */
INLINE bool select_oldest(struct core *c, const struct select_pass *p, unsigned rs, bool address, unsigned words)
{
	const uint64_t *ready = ready_in(&c->win, rs, words), *alone = ready_in(&c->win, RS_COUNT + rs, words);
	/* While the divider is busy, only pipelined instructions can be selected. */
	unsigned slot = slot_oldest_in(&c->win, ready, address || c->win.unit_busy[rs] > p->now ? ready : alone, words);
	struct rob_entry *r = &c->win.rob[slot];

	if (slot == SLOT_NONE)
		return false;
	if (__builtin_expect(is_plain(r), 1)) {
		select_plain(c, p, slot, r, rs, address, words);
		return true;
	}
	select_slot(c, slot, rs);
	return true;
}

/* Notes that no instruction of the station is ready, if so. */
INLINE void select_end(struct core *c, unsigned rs, unsigned words)
{
	uint64_t any = 0;

	for (unsigned w = 0; w < words; w++)
		any |= ready_in(&c->win, rs, words)[w] | ready_in(&c->win, RS_COUNT + rs, words)[w];
	if (!any)
		c->win.ready_rs &= ~(1u << rs);
}

INLINE void select_all(struct core *c, unsigned words)
{
	const uint64_t x = c->now + 1 + c->cfg->core.operand_stages;
	const struct select_pass p = {c->now, x, c->win.rs_release[x % RELEASE_SIZE]};
	bool any = false;

	for (unsigned left = c->win.ready_rs & RS_SCALAR & ~(1u << RS_ADDR); left; left &= left - 1) {
		unsigned rs = (unsigned)__builtin_ctz(left);

		any |= select_oldest(c, &p, rs, false, words);
		select_end(c, rs, words);
	}
	if (c->win.ready_rs >> RS_ADDR & 1) {
		for (unsigned n = 0; n < c->cfg->core.address_pipes && select_oldest(c, &p, RS_ADDR, true, words); n++)
			any = true;
		select_end(c, RS_ADDR, words);
	}
	if (any) { /* one that will be cancelled releases nothing */
		c->progress = true;
		if (p.release[0] | p.release[1])
			c->win.rs_releasing |= 1u << x % RELEASE_SIZE;
	}
}

/* The two shapes of the window; see slot_set_in. */
__attribute__((noinline)) static void select_small(struct core *c)
{
	select_all(c, 1);
}

__attribute__((noinline)) static void select_large(struct core *c)
{
	select_all(c, c->win.rob_words);
}

/* The same with a pipe trace, which records each. */
__attribute__((noinline)) static void select_watched(struct core *c)
{
	for (unsigned left = c->win.ready_rs & RS_SCALAR; left; left &= left - 1) {
		unsigned rs = (unsigned)__builtin_ctz(left), most = rs == RS_ADDR ? c->cfg->core.address_pipes : 1;
		const uint64_t *ready = ready_of(&c->win, rs), *alone = ready_of(&c->win, RS_COUNT + rs);

		for (; most; most--) {
			unsigned slot = slot_oldest(&c->win, ready, c->win.unit_busy[rs] > c->now ? ready : alone);

			if (slot == SLOT_NONE)
				break;
			select_slot(c, slot, rs);
			c->progress = true;
		}
		select_end(c, rs, c->win.rob_words);
	}
}

void stage_select(struct core *c)
{
	if (c->win.rs_releasing)
		release_stations(c);
	if (!c->win.ready_rs)
		return;
	if (__builtin_expect(c->opt.pipe_trace != NULL, 0))
		select_watched(c);
	else if (c->win.rob_words == 1)
		select_small(c);
	else
		select_large(c);
}
