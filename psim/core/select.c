/*
 * Reservation stations: wake-up and oldest-ready select (P), undone selections.
 *
 * Timing: an instruction selected in cycle t reads its operands in the
 * `operand_stages` after it (B), starts X in t + 1 + operand_stages, and a
 * dependent one may be selected in t + latency, so that its X follows directly.
 *
 * Loads: consumers are woken as if the load hits. If it misses, those woken
 * meanwhile, and those that these woke, are called back (`cancel`): they were
 * selected in vain, which costs slots, and wait again.
 */
#include "core_state.h"

void slot_ready(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];
	bool alone = r->uop->flags & UOP_UNPIPELINED;

	r->state = SLOT_READY;
	slot_set(alone ? c->ready_unpipelined[r->rs] : c->ready[r->rs], slot);
	c->ready_count++;
}

static void slot_unready(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];
	bool alone = r->uop->flags & UOP_UNPIPELINED;

	r->state = SLOT_WAITING;
	slot_clear(alone ? c->ready_unpipelined[r->rs] : c->ready[r->rs], slot);
	c->ready_count--;
}

void rs_insert(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];

	c->rs_used[r->rs]++;
	if (!r->pending)
		slot_ready(c, slot);
}

void wake_consumers(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];
	unsigned node = r->waiters;

	r->waiters = NODE_NONE;
	while (node != NODE_NONE) {
		unsigned consumer = node / NODES_PER_SLOT;
		struct rob_entry *k = &c->rob[consumer];

		if (node & NODE_DATA) {
			if (--k->data_pending == 0)
				lsu_store_data(c, consumer, c->now + 1 + c->cfg->core.operand_stages);
		} else if (--k->pending == 0) {
			slot_ready(c, consumer);
		}
		node = c->node_next[node];
	}
}

void false_wake(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];

	r->false_woken = true;
	r->false_head = r->waiters;
	for (unsigned node = r->waiters; node != NODE_NONE; node = c->node_next[node]) {
		struct rob_entry *k = &c->rob[node / NODES_PER_SLOT];

		if (node & NODE_DATA)
			continue;
		k->poison++;
		if (--k->pending == 0)
			slot_ready(c, node / NODES_PER_SLOT);
	}
}

/* A selection on the strength of a load that missed did not happen. */
static void undo(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];

	r->generation++;
	r->state = SLOT_WAITING;
	r->wake = r->done = CYCLE_NEVER;
	if (r->uop->flags & UOP_UNPIPELINED)
		c->unit_busy[r->rs] = c->now;
	c->stats.replayed++;
	if (c->opt.view)
		view_note(c, slot, VIEW_UNDO);
	if (r->false_woken)
		cancel(c, slot);
}

void cancel(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];

	if (!r->false_woken)
		return;
	r->false_woken = false;
	for (unsigned node = r->false_head; node != NODE_NONE; node = c->node_next[node]) {
		unsigned consumer = node / NODES_PER_SLOT;
		struct rob_entry *k = &c->rob[consumer];

		if (node & NODE_DATA)
			continue;
		k->poison--;
		if (k->pending++ == 0) {
			if (k->state == SLOT_READY)
				slot_unready(c, consumer);
			else if (k->state == SLOT_SELECTED)
				undo(c, consumer);
		}
	}
}

/* Schedules results, resolution or address of a selection in this cycle. */
static void start(struct core *c, unsigned slot, struct rob_entry *r, const struct uop *u)
{
	unsigned latency = uop_latency(u), operand = c->cfg->core.operand_stages;

	if (u->unit == EXEC_ADDR) {
		event_at(c, c->now + 2 + operand, EVENT_ADDRESS, slot);
		return;
	}
	r->wake = c->now + latency;
	r->done = r->wake + operand + c->cfg->core.commit_stages;
	if (u->ndst)
		event_at(c, r->wake, EVENT_WAKE, slot);
	if (u->flags & UOP_UNPIPELINED)
		c->unit_busy[r->rs] = c->now + latency;
	if (u->unit == EXEC_INT)
		c->x_slots_int += latency;
	else if (u->unit == EXEC_FP)
		c->x_slots_fp += latency;
	if (r->flags & FETCHED_MISPREDICT)
		event_at(c, r->wake + operand + 1, EVENT_RESOLVE, slot);
}

static void select_slot(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];
	const struct uop *u = r->uop;
	unsigned leave = (unsigned)(c->now + 1 + c->cfg->core.operand_stages) & 15;

	slot_unready(c, slot);
	r->state = SLOT_SELECTED;
	r->selected = c->now;
	/* The entry leaves the station at X; one that will be called back stays. */
	if (!r->poison) {
		c->rs_release[leave][r->rs]++;
		c->rs_releases[leave]++;
		c->rs_releasing++;
	}
	c->stats.selected++;
	c->stats.selected_class[u->class]++;
	c->selected_unit[u->unit]++;
	start(c, slot, r, u);
	if (c->opt.view)
		view_note(c, slot, VIEW_SELECT);
}

static void release_stations(struct core *c)
{
	unsigned row = (unsigned)c->now & 15;

	if (!c->rs_releasing)
		return;
	c->progress = true;
	if (!c->rs_releases[row])
		return;
	for (unsigned n = 0; n < RS_COUNT; n++) {
		c->rs_used[n] -= c->rs_release[row][n];
		c->rs_release[row][n] = 0;
	}
	c->rs_releasing -= c->rs_releases[row];
	c->rs_releases[row] = 0;
}

/* Selects up to `most` of one station, oldest first. */
static void select_from(struct core *c, unsigned rs, unsigned most)
{
	static const uint64_t none[ROB_WORDS_MAX];

	while (most--) {
		bool busy = c->unit_busy[rs] > c->now;
		unsigned slot = slot_oldest(c, c->ready[rs], busy ? none : c->ready_unpipelined[rs]);

		if (slot == SLOT_NONE)
			return;
		select_slot(c, slot);
		c->progress = true;
	}
}

void stage_select(struct core *c)
{
	const struct core_config *cfg = c->cfg;

	release_stations(c);
	if (!c->ready_count)
		return;
	for (unsigned n = 0; n < cfg->core.int_pipes; n++)
		select_from(c, RS_INT + n, 1);
	for (unsigned n = 0; n < cfg->core.fp_pipes; n++)
		select_from(c, RS_FP + n, 1);
	select_from(c, RS_ADDR, cfg->core.address_pipes);
	select_from(c, RS_BR, 1);
}
