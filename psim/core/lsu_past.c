/*
 * Loads behind stores whose addresses are not known yet, with a predictor of memory dependences (memdep.h): which ones
 * wait, and which ones turn out to have read too early.
 *
 * The trace has all addresses, so it is known at once whether a load that goes past such a store reads too early. The
 * load acts as if it did not: it reads L1D, and its consumers go on. The store finds it when its address arrives.
 */
#include "core_requests.h"

/* Returns whether the predictor makes the load in `slot` wait for one of the older stores with unknown addresses. */
static bool is_held(struct core *c, unsigned slot)
{
	unsigned set = (unsigned)request_order(c, REQUEST_SET, c->win.rob[slot].uop->number);

	if (set == MEMDEP_NONE || set == MEMDEP_ALL)
		return set;
	for (unsigned age = slot_age(&c->win, slot); age-- > 0;) {
		unsigned s = (c->win.rob_head + age) & c->win.rob_mask;

		if (slot_has(c->ls.store_unknown, s) && request_order(c, REQUEST_SET, c->win.rob[s].uop->number) == set)
			return true;
	}
	return false;
}

enum order lsu_order_past(struct core *c, unsigned slot, uint64_t *data_at)
{
	struct store_match m;

	c->ls.early_store[slot] = SLOT_NONE;
	if (is_held(c, slot)) {
		c->counters.stats.loads_held += c->win.rob[slot].note != LOAD_HELD;
		return ORDER_HELD;
	}
	m = c->transcript ? recorded_match(c, slot) : lsu_match(c, slot);
	c->counters.stats.store_searches += m.place != MATCH_FILTERED;
	if (m.place == MATCH_WINDOW && slot_has(c->ls.store_unknown, m.slot)) {
		c->ls.early_store[slot] = (uint16_t)m.slot;
		return ORDER_FREE | ORDER_PAST;
	}
	return lsu_order_of(c, &m, c->cfg->lsu.forwarding, data_at) | ORDER_PAST;
}

void lsu_passes(struct core *c, unsigned slot)
{
	c->counters.stats.loads_early++;
	if (c->ls.early_store[slot] != SLOT_NONE)
		slot_set(c->ls.early, slot);
}

void lsu_find_early(struct core *c, unsigned slot)
{
	for (unsigned age = slot_age(&c->win, slot) + 1; age < c->win.rob_count; age++) {
		unsigned s = (c->win.rob_head + age) & c->win.rob_mask;

		if (!slot_has(c->ls.early, s) || c->ls.early_store[s] != slot)
			continue;
		if (!c->ls.squash || age < slot_age(&c->win, c->ls.squash - 1))
			c->ls.squash = (uint16_t)(s + 1);
		return;
	}
}
