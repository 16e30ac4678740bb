/*
 * stage_lsu inline: loads at their Ps. What is rare is in lsu.c. `plain`, a constant: the core is plain (core_state.h), and
 * there is no transcript.
 */
#ifndef PSIM_CORE_USUAL_LSU_H
#define PSIM_CORE_USUAL_LSU_H

#include "../memory/quick_access.h"
#include "lsu_ports.h"

/* ---- lsu.c ---- */
/* Searches the stores in flight for a load. */
enum order lsu_search_stores(struct core *c, unsigned slot, uint64_t *data_at);
/* The load takes its data from a store, which has it in cycle `data_at`. */
void lsu_load_forwarded(struct core *c, unsigned slot, uint64_t data_at);
/* The load does not hit, or its consumers have not been woken ahead of it. */
void lsu_load_missed(struct core *c, unsigned slot, const struct mem_answer *a, bool speculative);
/* Requests the lines of new stores, the oldest first, after this cycle's loads, which are more urgent. */
void lsu_request_new_lines(struct core *c);
/* The oldest store of the store buffer writes, if it can. */
void lsu_drain_store(struct core *c);

INLINE enum order lsu_load_order(struct core *c, unsigned slot, const struct rob_entry *r, const struct uop *u,
				 uint64_t *data_at, unsigned words, bool plain)
{
	*data_at = 0;
	if ((words > 1 || c->ls.store_unknown[0]) && c->cfg->lsu.disambiguation != DISAMBIGUATION_ORACLE &&
	    slot_any_older_in(&c->win, c->ls.store_unknown, slot, words))
		return c->memdep ? lsu_order_past(c, slot, data_at) : ORDER_WAIT;
	if ((plain || !c->transcript) && !lsu_filter_hit(c, r->ea, u->size))
		return ORDER_FREE;
	return lsu_search_stores(c, slot, data_at);
}

/* The value of the load in `slot` can be used from cycle `wake` on. */
INLINE void load_result(struct core *c, unsigned slot, struct rob_entry *r, const struct uop *u, uint64_t wake,
			unsigned words, bool plain)
{
	if (!plain && u->flags & UOP_SIMD) {
		array_broadcast(c, slot, wake);
		return;
	}
	r->state = SLOT_DONE;
	c->win.wake[slot] = wake;
	r->done = wake + c->win.done_after;
	if (u->ndst) {
		if (wake > c->now)
			wake_at(c, wake, slot, words);
		else
			wake_consumers(c, slot, words);
	}
	if (!plain && c->opt.pipe_trace)
		pipe_trace_note(c, slot, PIPE_TRACE_PS);
}

/* Cycles from Ps to the selection of a consumer, for a load-use latency. */
static inline uint64_t after_ps(const struct core *c, unsigned load_use)
{
	return load_use - 2 - c->cfg->core.operand_stages;
}

INLINE struct mem_answer load_answer(struct core *c, unsigned slot, const struct rob_entry *r, const struct uop *u,
				     bool plain)
{
	if (!plain)
		return c->transcript ? recorded_access(c, REQUEST_LOAD, r->ea, access_of_slot(c, slot, 0))
				     : memsys_load(c->mem, c->now, r->ea, u->size);
	if (load_hits(c->mem, c->now, r->ea, u->size))
		return (struct mem_answer){.ready = c->now, .level = MEM_L1, .hit = true};
	return memsys_load_slower(c->mem, c->now, r->ea, u->size);
}

/* The load takes its data from L1D. */
INLINE void load_cache(struct core *c, unsigned slot, struct rob_entry *r, const struct uop *u, unsigned words,
		       bool plain)
{
	struct mem_answer a = load_answer(c, slot, r, u, plain);
	bool speculative = c->cfg->core.speculative_wakeup && (plain || !(u->flags & UOP_SIMD));

	if (a.hit && speculative) {
		r->note = LOAD_L1;
		load_result(c, slot, r, u, a.ready + after_ps(c, u->latency), words, plain);
	} else {
		lsu_load_missed(c, slot, &a, speculative);
	}
}

/* Tries the load, atomic or prefetch in `slot` at its Ps; false: it is postponed to the next cycle. */
INLINE bool try_port(struct core *c, unsigned slot, unsigned words, bool plain)
{
	struct rob_entry *r = &c->win.rob[slot];
	const struct uop *u = r->uop;
	uint64_t data_at = 0;
	enum order order = ORDER_FREE;

	if (u->flags & UOP_LOAD)
		order = lsu_load_order(c, slot, r, u, &data_at, words, plain);
	if (order == ORDER_WAIT || order == ORDER_HELD) {
		slot_set_in(c->ls.load_blocked, slot, words);
		c->ls.blocked_count++;
		c->counters.stats.load_blocks++;
		r->note = order == ORDER_WAIT ? LOAD_STORE_WAIT : LOAD_HELD;
		return true;
	}
	if (!plain && c->transcript ? recorded_port(c, r->ea, access_of_slot(c, slot, 0))
				    : lsu_bank_taken(c, r->ea, u->size)) {
		c->counters.stats.bank_conflicts++;
		r->note = LOAD_PORT;
		return false;
	}
	lsu_take_port(c, r->ea, u->size);
	if (__builtin_expect(order & ORDER_PAST, 0))
		lsu_passes(c, slot);
	if (u->flags & UOP_PREFETCH)
		lsu_issue_prefetch(c, slot);
	else if (order & ORDER_FORWARD)
		lsu_load_forwarded(c, slot, data_at);
	else
		load_cache(c, slot, r, u, words, plain);
	return true;
}

/* Serves the loads, atomics and prefetches that want a port, the oldest first. */
INLINE void lsu_serve_loads(struct core *c, unsigned words, bool plain)
{
	uint64_t pending[ROB_WORDS_MAX];
	unsigned slot;

	for (unsigned w = 0; w < words; w++)
		pending[w] = c->ls.want_port[w];
	while ((slot = slot_oldest_in(&c->win, pending, pending, words)) != SLOT_NONE) {
		slot_clear_in(pending, slot, words);
		if (c->ls.ports_busy >= c->cfg->core.address_pipes) {
			c->counters.stats.port_conflicts++;
			c->win.rob[slot].note = LOAD_PORT;
			continue;
		}
		if (!lsu_row_fits(c, c->win.rob[slot].uop->size)) {
			c->counters.stats.bank_conflicts++;
			c->win.rob[slot].note = LOAD_PORT;
			continue;
		}
		if (try_port(c, slot, words, plain)) {
			slot_clear_in(c->ls.want_port, slot, words);
			c->ls.want_count--;
		}
	}
	c->progress = true;
}

INLINE void lsu_any(struct core *c, unsigned words, bool plain)
{
	if (__builtin_expect(c->ls.squash, 0))
		squash(c);
	c->ls.ports_checked = 0;
	if (c->ls.held.count)
		release_ports(&c->ls.held, c->now);
	c->ls.ports_busy = c->ls.held_before = c->ls.held.count;
	if (c->ls.retry_next <= c->now)
		lsu_retry(c);
	if (c->ls.want_count)
		lsu_serve_loads(c, words, plain);
	if (c->ls.new_store_count)
		lsu_request_new_lines(c);
	if (c->ls.sb_count)
		lsu_drain_store(c);
}

INLINE void usual_lsu(struct core *c)
{
	lsu_any(c, 1, true);
}

#endif
