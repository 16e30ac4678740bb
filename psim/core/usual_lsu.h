/*
 * stage_lsu inline: loads at their Ps, the write of the oldest store. What is rare is in lsu.c. `plain`, constant: the
 * core is plain (core_state.h), and there is no transcript.
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

/* Returns whether a bank of the access is in use in this cycle. */
INLINE bool bank_taken(struct core *c, uint64_t ea, struct access a, bool plain)
{
	unsigned size = lsu_first_bytes(c, a.size);

	if (!plain)
		return request_port(c, ea, a);
	for (unsigned n = 0; n < c->ls.ports_checked; n++)
		if (quick_bank_conflict(c->mem, ea, size, c->ls.port_ea[n], c->ls.port_size[n]))
			return true;
	return false;
}

/* ---- loads ---- */
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
	if (bank_taken(c, r->ea, access_of_slot(c, slot, 0), plain)) {
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

/* ---- the store buffer ---- */
/* The memory system accepts the write of the oldest store. */
static inline void lsu_write_accepted(struct core *c, struct store_entry *s, const struct mem_answer *a)
{
	s->ready = a->ready + beats_of(s->size, c->ls.beat_bytes) - 1; /* the write of its last bytes */
	s->level = (uint8_t)a->level;
	c->ls.sb_wants -= s->want != WANT_NOTHING;
	s->want = WANT_NOTHING;
}

INLINE struct mem_answer write_answer(struct core *c, const struct store_entry *s, bool plain)
{
	if (!plain)
		return request_access(c, REQUEST_STORE, s->ea, access_of_store(c, 0));
	if (store_hits(c->mem, c->now, s->ea, s->size, s->retry.known))
		return (struct mem_answer){.ready = c->now, .level = MEM_L1, .hit = true};
	return memsys_store_slower(c->mem, c->now, s->ea, s->size, s->retry.known);
}

/* The oldest store writes, if a port is free; false: it has not been accepted. */
INLINE bool write_oldest(struct core *c, struct store_entry *s, bool plain)
{
	struct mem_answer a;

	if (s->retry.at > c->now || c->ls.ports_busy >= c->cfg->core.address_pipes)
		return false;
	c->progress = true; /* an attempt counts in each cycle, so none is skipped */
	if (!lsu_row_fits(c, s->size) || bank_taken(c, s->ea, access_of_store(c, 0), plain)) {
		c->counters.stats.bank_conflicts++;
		return false;
	}
	lsu_take_port(c, s->ea, s->size);
	a = write_answer(c, s, plain);
	if (a.refused) {
		lsu_write_refused(c, s, &a);
		return false;
	}
	lsu_write_accepted(c, s, &a);
	return true;
}

INLINE void drain_store(struct core *c, bool plain)
{
	struct store_entry *s = &c->ls.sb[c->ls.sb_head & c->ls.sb_mask];

	if ((s->ready == CYCLE_NEVER && !write_oldest(c, s, plain)) || s->ready > c->now)
		return;
	c->ls.sb_head++;
	if (!--c->ls.sb_count)
		c->win.may_dispatch = true; /* D may hold a barrier */
	c->ls.written_at = c->now;
	if (c->ls.sb_wants)
		lsu_buffer_shifted(c);
	c->progress = true;
	lsu_filter_change(c, s->ea, s->size, -1);
	if (!plain || c->ls.blocked_count)
		lsu_unblock(c);
}

/* ---- the stage ---- */
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
		drain_store(c, plain);
}

INLINE void usual_lsu(struct core *c)
{
	lsu_any(c, 1, true);
}

#endif
