/* stage_select inline: while no unpipelined instruction is ready. */
#ifndef PSIM_CORE_USUAL_SELECT_H
#define PSIM_CORE_USUAL_SELECT_H

#include "core_state.h"

/* select.c: selects the instruction in `slot`, of station `rs`. */
void select_slot(struct core *c, unsigned slot, unsigned rs);
/* select.c: selects while an unpipelined instruction is ready, or with a pipe trace, which records each. */
void select_others(struct core *c);

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

/* stage_select in a plain core (core_state.h). */
INLINE void usual_select(struct core *c)
{
	if (c->win.rs_releasing)
		release_stations(c);
	if (!c->win.ready_rs)
		return;
	if (__builtin_expect(c->win.ready_rs & RS_ALONE, 0))
		select_others(c);
	else
		select_all(c, 1);
}

#endif
