/* Invariants that hold after every cycle; --check verifies them. */
#include "core_state.h"

enum { MEM_CHECK_CYCLES = 50000 }; /* memsys_check visits every line */

static bool core_check_broken(struct core *c, const char *what, uint64_t have, uint64_t want)
{
	err_set(c->error, STATUS_FAILED, "core: cycle %llu: check failed: %s is %llu, expected %llu",
		(unsigned long long)c->now, what, (unsigned long long)have, (unsigned long long)want);
	return false;
}

/* The resources that the window holds, recomputed from its instructions. */
struct held {
	uint64_t need, store_queue, stores, ready, wanting, blocked, retrying;
	uint64_t rs[RS_COUNT];
};

static void count_held(const struct core *c, struct held *h)
{
	memset(h, 0, sizeof(*h));
	for (unsigned n = 0; n < c->win.rob_count; n++) {
		unsigned slot = (c->win.rob_head + n) & c->win.rob_mask;
		const struct rob_entry *r = &c->win.rob[slot];

		h->need += r->uop->need;
		h->store_queue += r->uop->flags & UOP_STORE ? 1 : 0;
		h->stores += slot_has(c->ls.stores, slot);
		h->wanting += slot_has(c->ls.want_port, slot);
		h->blocked += slot_has(c->ls.load_blocked, slot);
		h->retrying += slot_has(c->ls.retrying, slot);
		h->ready += r->state == SLOT_READY;
		if (r->rs < RS_COUNT && (r->state == SLOT_WAITING || r->state == SLOT_READY))
			h->rs[r->rs]++;
	}
}

static uint64_t count_ready(const struct core *c)
{
	uint64_t n = 0;

	for (unsigned row = 0; row < READY_ROWS; row++)
		for (unsigned w = 0; w < c->win.rob_words; w++)
			if (c->win.ready_rs >> (row >= READY_SIMD ? RS_SIMD : row % RS_COUNT) & 1)
				n += (unsigned)__builtin_popcountll(c->win.ready[row * c->win.rob_words + w]);
	return n;
}

/* The instructions whose consumers are, or are not, still to be woken, against the cycle of their results. */
static uint64_t count_unwoken_wrong(const struct core *c)
{
	uint64_t n = 0;

	for (unsigned age = 0; age < c->win.rob_count; age++) {
		unsigned slot = (c->win.rob_head + age) & c->win.rob_mask;
		bool unwoken = slot_has(c->win.unwoken, slot);

		if (c->win.rob[slot].uop->ndst)
			n += unwoken ? c->win.wake[slot] < c->now : c->win.wake[slot] > c->now;
	}
	return n;
}

static unsigned count_mixed(const struct core *c)
{
	unsigned n = 0;

	for (unsigned operand = 0; operand < OPERAND_COUNT; operand++)
		n += c->win.map[operand] == SEQ_MIXED;
	return n;
}

static unsigned station_limit(const struct core *c, unsigned rs)
{
	const struct core_params *p = &c->cfg->core;

	return rs < RS_INT + p->int_pipes                ? p->rse_entries
	       : rs >= RS_FP && rs < RS_FP + p->fp_pipes ? p->rsf_entries
	       : rs == RS_ADDR                           ? p->rsa_entries
	       : rs == RS_BR                             ? p->rsbr_entries
							 : 0;
}

static bool core_check_window(struct core *c)
{
	struct held h;
	uint64_t ready;

	count_held(c, &h);
	if (c->win.capacity - c->win.free != h.need)
		return core_check_broken(c, "window resources in use (lanes of lanes.h)", c->win.capacity - c->win.free,
					 h.need);
	if (h.stores != h.store_queue)
		return core_check_broken(c, "stores in the window", h.stores, h.store_queue);
	ready = count_ready(c);
	if (count_unwoken_wrong(c))
		return core_check_broken(c, "wrong marks of results in flight", count_unwoken_wrong(c), 0);
	if (count_mixed(c) != c->win.mixed)
		return core_check_broken(c, "pairs with two writers", c->win.mixed, count_mixed(c));
	if (h.ready != ready)
		return core_check_broken(c, "number of ready instructions", ready, h.ready);
	if (h.wanting != c->ls.want_count || h.blocked != c->ls.blocked_count)
		return core_check_broken(c, "loads waiting", c->ls.want_count + c->ls.blocked_count,
					 h.wanting + h.blocked);
	if (h.retrying != c->ls.retrying_count)
		return core_check_broken(c, "accesses to be retried", c->ls.retrying_count, h.retrying);
	for (unsigned n = 0; n < RS_COUNT; n++) {
		/* Selected instructions hold their entries until X, so more entries are in use than wait. */
		unsigned used = lane_count(c->win.rs_used[n / LANE_COUNT], n % LANE_COUNT);

		if (used > station_limit(c, n) || used < h.rs[n])
			return core_check_broken(c, "reservation station in use", used, h.rs[n]);
	}
	return true;
}

/* Checks that refused accesses are counted, and that each will be repeated. */
static bool check_retries(struct core *c)
{
	unsigned wants = 0;

	for (unsigned n = 0; n < c->ls.sb_count; n++)
		wants += c->ls.sb[(c->ls.sb_head + n) & c->ls.sb_mask].want != WANT_NOTHING;
	if (wants != c->ls.sb_wants)
		return core_check_broken(c, "stores of the store buffer to be retried", c->ls.sb_wants, wants);
	if ((c->ls.retrying_count || (wants && c->cfg->lsu.store_buffer_ahead >= c->ls.sb_count)) &&
	    c->ls.retry_next == CYCLE_NEVER)
		return core_check_broken(c, "the cycle of the next retry", c->ls.retry_next, c->now);
	return true;
}

/* Checks that there was no progress before the deadlines of the stages. The last cycle is the one before c->now. */
static bool check_idle(struct core *c)
{
	uint64_t until = c->idle_until;

	if (!c->progress)
		return true;
	c->idle_until = 0;
	return c->now > until || core_check_broken(c, "the cycle that ended an idle time", c->now - 1, until);
}

bool core_check(struct core *c)
{
	const struct core_stats *s = &c->counters.stats;
	uint64_t slots = s->instructions + s->trap_instructions;

	for (unsigned n = 0; n < STALL_COUNT; n++)
		slots += s->lost[n];
	if (slots != s->cycles * c->cfg->core.commit_width)
		return core_check_broken(c, "commit slots used and lost", slots, s->cycles * c->cfg->core.commit_width);
	if (s->cycles != c->now)
		return core_check_broken(c, "cycles counted", s->cycles, c->now);
	if (c->win.rob_count > c->cfg->core.rob_entries)
		return core_check_broken(c, "reorder buffer in use", c->win.rob_count, c->cfg->core.rob_entries);
	if (c->now >= c->mem_check_at) {
		c->mem_check_at = c->now + MEM_CHECK_CYCLES;
		if (memsys_check(c->mem, c->error) < 0)
			return false;
	}
	if (c->array) {
		const char *what;
		uint64_t have, want;

		if (!array_check(c, &what, &have, &want))
			return core_check_broken(c, what, have, want);
	}
	return check_idle(c) && core_check_window(c) && check_retries(c);
}
