/*
 * Recovery from a violation of the order of memory: the load that has read too early and all younger instructions leave
 * the window, and are fetched again.
 *
 * It is what a machine does after a mispredicted branch, but for instructions of the trace, which the core has to keep:
 * they return to the fetch queue, behind which fetch then goes on. The store's address is compared with younger loads
 * at its Ps, and the first IA is when a load's miss would be known: lsu.hit_known cycles later. Groups are fetched as
 * the first time, one a cycle, and predict_stage cycles after a taken transfer; they hit L1I, which had their lines a
 * few cycles before, and their transfers are predicted as they turned out. As after a misprediction, a group that is on
 * its way from L2 arrives first. Lines that squashed accesses have requested
 * arrive all the same.
 */
#include <assert.h>

#include "core_requests.h"
#include "cycle_stack.h"

/* ---- what leaves the window ---- */
/* Frees the station entry of an instruction that has not been selected for good, and the divider of one that has. */
static void leave_station(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop *u = r->uop;
	bool waits = r->state == SLOT_WAITING || r->state == SLOT_READY || (r->state == SLOT_SELECTED && r->poison);

	if (r->state == SLOT_READY)
		slot_clear(ready_of(&c->win, r->ready_row), slot);
	if (u->rs_entry && waits)
		c->win.rs_used[u->rs_word] -= u->rs_entry << (LANE_BITS * (r->rs - u->rs));
	if (u->flags & UOP_UNPIPELINED && r->state == SLOT_SELECTED && r->selected + u->latency > c->now)
		c->win.unit_busy[r->rs] = c->now;
}

/* Takes the slot out of a set; returns whether it was in. */
static bool take_out(uint64_t *set, unsigned slot)
{
	bool was = slot_has(set, slot);

	slot_clear(set, slot);
	return was;
}

/* Returns whether it was a store. */
static bool leave_queues(struct core *c, unsigned slot)
{
	struct load_store *l = &c->ls;
	const struct rob_entry *r = &c->win.rob[slot];

	l->want_count -= take_out(l->want_port, slot);
	l->blocked_count -= take_out(l->load_blocked, slot);
	l->new_store_count -= take_out(l->new_stores, slot);
	if (take_out(l->retrying, slot)) {
		l->retrying_count--;
		l->prefetch_waiting -= r->uop->flags & UOP_PREFETCH ? 1 : 0;
	}
	slot_clear(l->early, slot);
	slot_clear(l->store_unknown, slot);
	if (!take_out(l->stores, slot))
		return false;
	lsu_filter_change(c, r->ea, r->uop->size, -1);
	l->squashed_stores++;
	return true;
}

/* Takes the nodes of squashed slots out of the lists of an instruction that stays. */
static void leave_lists(struct core *c, struct rob_entry *r, const uint64_t *squashed)
{
	uint16_t waiters = NODE_NONE, woken = NODE_NONE, *end = &waiters;
	bool tail = false;

	for (unsigned node = r->waiters; node != NODE_NONE; node = c->win.node_next[node]) {
		tail |= r->false_woken && node == r->false_head;
		if (slot_has(squashed, node / NODES_PER_SLOT))
			continue;
		*end = (uint16_t)node;
		end = &c->win.node_next[node];
		if (tail && woken == NODE_NONE)
			woken = (uint16_t)node;
	}
	*end = NODE_NONE;
	r->waiters = waiters;
	r->false_head = woken;
}

/* ---- what is fetched again ---- */
/* Returns whether fetch waits, or will wait, for a mispredicted transfer, and this is in the window. */
static bool waits_for_window(const struct core *c)
{
	const struct front_end *f = &c->front;
	bool waits = f->fetch.blocked ? f->fetch.cause == STALL_mispredict
				      : f->fetch.after_slot == SLOT_BLOCK && f->block_flags & FETCHED_MISPREDICT;

	for (unsigned n = f->fq_head; waits && n != f->fq_tail; n++)
		waits = !(f->fq[n & f->fq_mask].flags & FETCHED_MISPREDICT);
	return waits;
}

/* Returns the instruction to the fetch queue. *waits: fetch waits for the youngest mispredicted transfer that comes. */
static void return_to_queue(struct core *c, unsigned slot, bool *waits)
{
	const struct rob_entry *r = &c->win.rob[slot];
	uint32_t flags = r->flags & ENTRY_FETCHED & ~(uint32_t)FETCHED_REDIRECT; /* the decoder has redirected fetch */

	if (flags & FETCHED_MISPREDICT && !*waits) {
		flags &= ~(uint32_t)FETCHED_MISPREDICT; /* it is resolved, and its commit does not count it */
		c->counters.stats.mispredicts++;
	} else if (flags & FETCHED_MISPREDICT) {
		*waits = false;
	}
	c->front.fq[--c->front.fq_head & c->front.fq_mask] = (struct fetched){r->uop, r->ea, flags};
}

/* The cycle in which the last fetch group has arrived from L1I, or a level behind it: before, nothing is fetched. */
static uint64_t last_arrival(const struct core *c)
{
	const struct front_end *f = &c->front;

	if (f->refetch)
		return f->refetch_next - 1; /* it may have been on its way at the squash before */
	if (!f->group_count)
		return 0;
	return f->groups[(f->group_head + f->group_count - 1) & f->group_mask].available - c->cfg->fetch.stages;
}

static void fetch_again(struct core *c)
{
	struct front_end *f = &c->front;
	uint64_t compared = c->now + c->cfg->lsu.hit_known, arrived = last_arrival(c) + 1;

	memset(f->latch, 0, sizeof(f->latch));
	f->latch_sum = f->group_count = 0;
	f->blocked_guard = 0;
	f->blocked_uop = NULL;
	f->refetch = f->fq_tail - f->fq_head;
	f->refetch_next = compared > arrived ? compared : arrived;
}

/* The predictor learns. `stores`: how many are squashed. */
static void teach(struct core *c, unsigned load, unsigned stores)
{
	unsigned store = c->ls.early_store[load];

	request_order(c, REQUEST_STORED, c->win.rob[store].uop->number);
	request_order(c, REQUEST_EARLY, c->win.rob[load].uop->number);
	request_order(c, REQUEST_SQUASH, stores);
}

void squash(struct core *c)
{
	struct window *w = &c->win;
	unsigned load = c->ls.squash - 1, first = slot_age(w, load), stores = 0;
	uint64_t squashed[ROB_WORDS_MAX] = {0};
	bool waits = waits_for_window(c);

	assert(load <= w->rob_mask && first < w->rob_count); /* the load is in the window */
	c->ls.squash = 0;
	cycle_stack_note_stalls(c);
	for (unsigned age = w->rob_count; age-- > first;) {
		unsigned slot = (w->rob_head + age) & w->rob_mask;

		slot_set(squashed, slot);
		return_to_queue(c, slot, &waits);
		leave_station(c, slot);
		stores += leave_queues(c, slot);
		w->free += w->rob[slot].uop->need;
		w->generation[slot]++;
	}
	for (unsigned age = 0; age < first; age++)
		leave_lists(c, &w->rob[(w->rob_head + age) & w->rob_mask], squashed);
	events_forget(c, squashed);
	rename_back(c, w->first_seq + first);
	teach(c, load, stores);
	c->counters.stats.order_violations++;
	c->counters.stats.squashed += w->rob_count - first;
	if (c->opt.pipe_trace)
		pipe_trace_squashed(c, w->rob_count - first);
	w->rob_count = first;
	assert((w->free & LANE_GUARDS) == LANE_GUARDS);
	/* the queue has room for the whole window */
	assert(c->front.fq_tail - c->front.fq_head <= c->front.fq_mask + 1);
	w->may_dispatch = true;
	c->progress = true;
	if (c->wrong)
		wrong_path_end(c); /* its transfer is younger than the load, and fetched again */
	fetch_again(c);
	if (c->memo)
		c->replay->squashed(c->memo);
}

/*
 * Returns whether a taken transfer leaves the group, which goes up to `end`, behind `u` and before `next`. NULL: the
 * queue ends here. The feed's next instruction is outside of the key; but a group that has ended before `end` shows it.
 */
static bool is_left(const struct uop *u, const struct uop *next, uint64_t end)
{
	if (!next)
		return u->pc + 4 < end;
	return !(next->flags & UOP_WINDOW_TRAP) && next->pc != u->pc + 4 && next->pc != u->pc + 8;
}

/* As fetch_group, from the queue. A window trap's handler comes with the instruction that traps, the group's last. */
unsigned refetch_group(struct core *c)
{
	struct front_end *f = &c->front;
	const unsigned first = f->fq_tail - f->refetch;
	unsigned n = first;
	uint64_t end = 0;
	bool ends = false, taken = false;

	while (!ends && n != f->fq_tail) {
		const struct uop *u = f->fq[n++ & f->fq_mask].uop, *next;

		while (n != f->fq_tail && f->fq[n & f->fq_mask].uop->flags & UOP_ANNULLED)
			n++;
		next = n != f->fq_tail ? f->fq[n & f->fq_mask].uop : NULL;
		if (u->flags & UOP_WINDOW_TRAP) {
			ends = next && !(next->flags & UOP_WINDOW_TRAP);
			n += ends;
			continue;
		}
		end = end ? end : fetch_end(c, u->pc);
		taken = is_left(u, next, end);
		ends = taken || !next || next->flags & UOP_WINDOW_TRAP || next->pc >= end;
	}
	assert(n != first && f->fq_tail - n < f->refetch); /* a group has an instruction, or fetch would never end */
	f->refetch = f->fq_tail - n;
	f->refetch_next = c->now + (taken ? c->cfg->fetch.predict_stage : 1);
	if (!f->refetch && f->fetch.next < f->refetch_next)
		f->fetch.next = f->refetch_next;
	c->counters.stats.refetch_groups++;
	return n - first;
}
