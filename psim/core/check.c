/* Invariants that hold after every cycle; simulated with --check. */
#include "core_state.h"

static bool broken(struct core *c, const char *what, uint64_t have, uint64_t want)
{
	err_set(c->error, STATUS_FAILED, "core: cycle %llu: check failed: %s is %llu, expected %llu",
		(unsigned long long)c->now, what, (unsigned long long)have, (unsigned long long)want);
	return false;
}

/* Resources held by the window, counted anew. */
struct held {
	uint64_t gub, fub, fetch_ports, store_ports, stores, ready, wanting, blocked;
	uint64_t rs[RS_COUNT];
};

static void count_held(const struct core *c, struct held *h)
{
	memset(h, 0, sizeof(*h));
	for (unsigned n = 0; n < c->level[LEVEL_rob]; n++) {
		unsigned slot = (c->rob_head + n) & c->rob_mask;
		const struct rob_entry *r = &c->rob[slot];

		h->gub += r->uop->gub;
		h->fub += r->uop->fub;
		h->fetch_ports += r->uop->flags & UOP_LOAD ? 1 : 0;
		h->store_ports += r->uop->flags & UOP_STORE ? 1 : 0;
		h->stores += slot_has(c->stores, slot);
		h->wanting += slot_has(c->want_port, slot);
		h->blocked += slot_has(c->load_blocked, slot);
		h->ready += r->state == SLOT_READY;
		if (r->rs != RS_NONE && (r->state == SLOT_WAITING || r->state == SLOT_READY))
			h->rs[r->rs]++;
	}
}

static bool check_window(struct core *c)
{
	struct held h;

	count_held(c, &h);
	if (h.gub != c->level[LEVEL_gub])
		return broken(c, "integer rename buffer in use", c->level[LEVEL_gub], h.gub);
	if (h.fub != c->level[LEVEL_fub])
		return broken(c, "FP rename buffer in use", c->level[LEVEL_fub], h.fub);
	if (h.fetch_ports != c->level[LEVEL_fetch_ports])
		return broken(c, "fetch ports in use", c->level[LEVEL_fetch_ports], h.fetch_ports);
	if (h.store_ports != c->level[LEVEL_store_ports] || h.stores != h.store_ports)
		return broken(c, "store ports in use", c->level[LEVEL_store_ports], h.store_ports);
	if (h.ready != c->ready_count)
		return broken(c, "number of ready instructions", c->ready_count, h.ready);
	if (h.wanting != c->want_count || h.blocked != c->blocked_count)
		return broken(c, "loads waiting", c->want_count + c->blocked_count, h.wanting + h.blocked);
	for (unsigned n = 0; n < RS_COUNT; n++) {
		/* Selected ones stay until X, so a station may hold more than wait in it. */
		if (c->level[n] > c->rs_limit[n] || c->level[n] < h.rs[n])
			return broken(c, "reservation station in use", c->level[n], h.rs[n]);
	}
	return true;
}

bool core_check(struct core *c)
{
	const struct core_stats *s = &c->stats;
	uint64_t slots = s->instructions + s->trap_instructions;

	for (unsigned n = 0; n < STALL_COUNT; n++)
		slots += s->lost[n];
	if (slots != s->cycles * c->cfg->core.commit_width)
		return broken(c, "commit slots used and lost", slots, s->cycles * c->cfg->core.commit_width);
	if (s->cycles != c->now)
		return broken(c, "cycles counted", s->cycles, c->now);
	if (c->level[LEVEL_rob] > c->cfg->core.rob_entries)
		return broken(c, "reorder buffer in use", c->level[LEVEL_rob], c->cfg->core.rob_entries);
	return check_window(c);
}
