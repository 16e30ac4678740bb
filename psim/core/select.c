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
#include "usual_select.h"

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

void select_slot(struct core *c, unsigned slot, unsigned rs)
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

void select_others(struct core *c)
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
