/* Commit (U, W): in order, up to `commit_width` instructions a cycle. */
#include <assert.h>

#include "array_state.h"

/*
 * Returns whether the completed instruction at `slot` may commit. If so, releases the resources that only special
 * instructions have.
 */
__attribute__((noinline)) static bool may_leave(struct core *c, unsigned slot, const struct rob_entry *r)
{
	const struct uop *u = r->uop;

	if (u->flags & (UOP_STORE | UOP_TRANSFER) && !lsu_store_commit(c, slot))
		return false;
	if (u->flags & UOP_SIMD)
		array_commit_simd(c, u);
	else if (u->flags & UOP_SYNC || r->flags & FETCHED_TRAP_TAKEN)
		c->win.sync_running = false;
	if (u->flags & UOP_WINDOW_TRAP)
		c->counters.stats.trap_instructions++;
	return true;
}

/* Commits up to `most` instructions one by one, for the pipe trace, pending region marks or details. */
__attribute__((noinline)) static unsigned commit_watched(struct core *c, unsigned most)
{
	unsigned n = 0;

	for (unsigned slot = c->win.rob_head; n < most; n++, slot = (slot + 1) & c->win.rob_mask) {
		const struct rob_entry *r = &c->win.rob[slot];
		const struct uop *u = r->uop;

		if (r->done > c->now || !may_leave(c, slot, r))
			break;
		if (c->opt.pipe_trace)
			pipe_trace_note(c, slot, PIPE_TRACE_COMMIT);
		c->win.free += u->need;
		c->counters.commit_lanes += u->commit_lanes;
		if (u->flags & UOP_WINDOW_TRAP)
			continue;
		if (c->regions.mark_count)
			regions_commit(c, c->counters.stats.instructions);
		c->counters.stats.instructions++;
		c->counters.stats.committed[u->class]++;
		c->counters.profile[u->sid].committed++;
		if (c->counters.detail)
			counters_detail(c, slot);
		c->counters.stats.mispredicts += r->flags & FETCHED_MISPREDICT;
	}
	return n;
}

/* Commits up to `most` instructions without either, and adds their counts at the end. */
static inline unsigned commit_usual(struct core *c, unsigned most)
{
	enum { /* instructions with fetch flags are unusual too */
	       UNUSUAL = UOP_STORE | UOP_TRANSFER | UOP_SIMD | UOP_SYNC | UOP_WINDOW_TRAP
	};
	const struct rob_entry *rob = c->win.rob;
	const uint64_t now = c->now;
	const unsigned mask = c->win.rob_mask;
	struct core_profile *profile = c->counters.profile;
	uint64_t lanes = 0, need = 0;
	unsigned n = 0, handlers = 0;

	for (unsigned slot = c->win.rob_head; n < most; n++, slot = (slot + 1) & mask) {
		const struct rob_entry *r = &rob[slot];
		const struct uop *u = r->uop;

		if (r->done > now)
			break;
		if (__builtin_expect((u->flags & UNUSUAL) | r->flags, 0)) {
			if (!may_leave(c, slot, r))
				break;
			c->counters.stats.mispredicts += r->flags & FETCHED_MISPREDICT;
		}
		lanes += u->commit_lanes;
		need += u->need;
		if (__builtin_expect(u->flags & UOP_WINDOW_TRAP, 0)) {
			handlers++;
			continue;
		}
		c->counters.stats.committed[u->class]++;
		profile[u->sid].committed++;
	}
	c->counters.commit_lanes += lanes;
	c->win.free += need;
	c->counters.stats.instructions += n - handlers;
	return n;
}

void stage_commit(struct core *c)
{
	unsigned width = c->cfg->core.commit_width, most = width < c->win.rob_count ? width : c->win.rob_count;
	unsigned n = c->regions.mark_count || c->pipe_trace.record || c->counters.detail ? commit_watched(c, most)
											 : commit_usual(c, most);

	c->stack.committed = n;
	if (n) {
		if (c->wrong)
			wrong_path_committed(c, n);
		c->win.rob_head = (c->win.rob_head + n) & c->win.rob_mask;
		c->win.rob_count -= n;
		c->win.first_seq += n;
		assert(c->win.rob_count || c->win.free == c->win.capacity); /* W gives back what D has taken */
		c->stack.last_commit = c->now;
		c->progress = c->win.may_dispatch = true;
	}
}
