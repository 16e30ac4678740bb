/* Commit (U, W): in order, up to `commit_width` instructions a cycle. */
#include <assert.h>

#include "array_state.h"
#include "cycle_stack.h"

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

/* Commits up to `most` instructions one by one; returns how many. */
__attribute__((noinline)) static unsigned commit_each(struct core *c, unsigned most)
{
	unsigned n = 0;

	cycle_stack_note_stalls(c); /* marks read the counts */
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
		u->profile->committed++;
		if (c->counters.detail)
			counters_detail(c, slot);
		c->counters.stats.mispredicts += r->flags & FETCHED_MISPREDICT;
	}
	if (n && c->wrong)
		wrong_path_committed(c, n);
	return n;
}

/* Updates the window after `n` commits. */
static inline void leave_window(struct core *c, unsigned n)
{
	c->win.rob_head = (c->win.rob_head + n) & c->win.rob_mask;
	c->win.oldest = &c->win.rob[c->win.rob_head];
	c->win.rob_count -= n;
	c->win.first_seq += n;
	assert(c->win.rob_count || c->win.free == c->win.capacity); /* W gives back what D has taken */
	c->stack.committed = n;
	c->stack.last_commit = c->now;
	c->progress = c->win.may_dispatch = true;
}

/* Commits up to `most` instructions, and adds their counts at the end. */
static inline unsigned commit_usual(struct core *c, unsigned most)
{
	struct rob_entry *rob = c->win.rob, *r = c->win.oldest, *last = rob + c->win.rob_mask;
	uint64_t lanes = 0, need = 0;
	unsigned left = most, handlers = 0;

	for (; left && r->done <= c->now; left--, r = r == last ? rob : r + 1) {
		const struct uop *u = r->uop;

		if (__builtin_expect(r->flags & ~ENTRY_SELECT_MORE, 0)) {
			if (!may_leave(c, (unsigned)(r - rob), r))
				break;
			c->counters.stats.mispredicts += r->flags & FETCHED_MISPREDICT;
			if (u->flags & UOP_WINDOW_TRAP) {
				handlers++;
				lanes += u->commit_lanes;
				need += u->need;
				continue;
			}
		}
		lanes += u->commit_lanes;
		need += u->need;
		c->counters.stats.committed[u->class]++;
		u->profile->committed++;
	}
	c->counters.commit_lanes += lanes;
	c->win.free += need;
	c->counters.stats.instructions += most - left - handlers;
	return most - left;
}

void stage_commit(struct core *c)
{
	const unsigned width = c->cfg->core.commit_width, most = width < c->win.rob_count ? width : c->win.rob_count;
	unsigned n;

	if (__builtin_expect(c->regions.mark_count || c->counters.each, 0))
		n = commit_each(c, most);
	else
		n = commit_usual(c, most);
	if (n)
		leave_window(c, n);
}
