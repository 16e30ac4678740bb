/* stage_events inline: results and addresses that come within NEAR_SIZE cycles. */
#ifndef PSIM_CORE_USUAL_EVENTS_H
#define PSIM_CORE_USUAL_EVENTS_H

#include "core_state.h"

INLINE void events_wake(struct core *c, unsigned slot, unsigned words)
{
	if (c->win.rob[slot].poison)
		false_wake(c, slot);
	else
		wake_consumers(c, slot, words);
}

/* Removes and returns word w of this cycle's set of near events. */
INLINE uint64_t take_near(const struct core *c, uint64_t *wheel, unsigned w, unsigned words)
{
	uint64_t *set = &wheel[((unsigned)c->now & (NEAR_SIZE - 1)) * words + w], m = *set;

	*set = 0;
	return m;
}

INLINE void run_wakes(struct core *c, unsigned words)
{
	for (unsigned w = 0; w < words; w++) {
		uint64_t m = take_near(c, c->wheel.near_wake, w, words);

		if (!m)
			continue;
		c->progress = true;
		c->win.unwoken[w] &= ~m;
		for (; m; m &= m - 1) {
			unsigned slot = (w << 6) + (unsigned)__builtin_ctzll(m);
			struct rob_entry *r = &c->win.rob[slot];

			if (__builtin_expect(r->poison, 0)) {
				slot_set_in(c->win.unwoken, slot, words);
				false_wake(c, slot);
				continue;
			}
			wake_waiters(c, r, words);
		}
	}
}

/* The address of the instruction in `slot` arrives; quick for a load. `plain`, a constant: the core is plain. */
INLINE void events_address(struct core *c, unsigned slot, unsigned words, bool plain)
{
	const struct rob_entry *r = &c->win.rob[slot];

	if (!plain || r->poison || (r->uop->flags & (UOP_LOAD | UOP_STORE)) != UOP_LOAD) {
		lsu_address(c, slot);
		return;
	}
	slot_set_in(c->ls.want_port, slot, words);
	c->ls.want_count++;
}

INLINE void run_addresses(struct core *c, unsigned words, bool plain)
{
	for (unsigned w = 0; w < words; w++) {
		uint64_t m = take_near(c, c->wheel.near_address, w, words);

		if (m)
			c->progress = true;
		for (; m; m &= m - 1)
			events_address(c, (w << 6) + (unsigned)__builtin_ctzll(m), words, plain);
	}
}

/* The results, then the addresses of this cycle, in the order of slots. A cancelled one is no progress. */
INLINE void run_near(struct core *c, unsigned words, bool plain)
{
	c->wheel.near_rows &= ~(1ull << (c->now & (NEAR_SIZE - 1)));
	run_wakes(c, words);
	run_addresses(c, words, plain);
}

/* Returns whether the present cycle may have far events, or those of loads that miss. */
static inline bool events_are_rare(const struct core *c)
{
	return c->wheel.miss_rows >> (c->now & (NEAR_SIZE - 1)) & 1 || c->now >= c->wheel.far_at;
}

/* events.c: runs them, in a window of one word. */
void events_run_rare(struct core *c);

/* stage_events in a window of one word. */
INLINE void events_small(struct core *c, bool plain)
{
	if (__builtin_expect(events_are_rare(c), 0))
		events_run_rare(c);
	run_near(c, 1, plain);
}

INLINE void usual_events(struct core *c)
{
	events_small(c, true);
}

#endif
