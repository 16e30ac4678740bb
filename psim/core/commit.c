/* Commit (U, W): in order, up to `commit_width` instructions a cycle. */
#include "array_state.h"
#include "cycle_stack.h"
#include "usual_commit.h"

bool commit_may_leave(struct core *c, unsigned slot, const struct rob_entry *r)
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

/* Commits up to `most` instructions one by one; returns how many. */
__attribute__((noinline)) static unsigned commit_each(struct core *c, unsigned most)
{
	unsigned n = 0;

	cycle_stack_note_stalls(c); /* marks read the counts */
	for (unsigned slot = c->win.rob_head; n < most; n++, slot = (slot + 1) & c->win.rob_mask) {
		const struct rob_entry *r = &c->win.rob[slot];
		const struct uop *u = r->uop;

		if (r->done > c->now || !commit_may_leave(c, slot, r))
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
		u->profile->committed++;
		if (c->counters.detail)
			counters_detail(c, slot);
		c->counters.stats.mispredicts += r->flags & FETCHED_MISPREDICT;
	}
	if (n && c->wrong)
		wrong_path_committed(c, n);
	return n;
}

void stage_commit(struct core *c)
{
	const unsigned width = c->cfg->core.commit_width, most = width < c->win.rob_count ? width : c->win.rob_count;
	unsigned n;

	if (__builtin_expect(!c->regions.mark_count && !c->counters.each, 1)) {
		commit_usual(c, most);
		return;
	}
	n = commit_each(c, most);
	if (n)
		leave_window(c, n, &c->win.rob[(c->win.rob_head + n) & c->win.rob_mask]);
}
