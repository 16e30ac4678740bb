/* stage_commit inline: where nothing wants each instruction on its own. */
#ifndef PSIM_CORE_USUAL_COMMIT_H
#define PSIM_CORE_USUAL_COMMIT_H

#include <assert.h>

#include "core_state.h"

/*
 * commit.c: returns whether the completed instruction at `slot` may commit. If so, releases the resources that only
 * special instructions have.
 */
bool commit_may_leave(struct core *c, unsigned slot, const struct rob_entry *r);

/* Updates the window after `n` commits; `oldest` is the entry behind the last. */
INLINE void leave_window(struct core *c, unsigned n, const struct rob_entry *oldest)
{
	c->win.rob_head = (c->win.rob_head + n) & c->win.rob_mask;
	c->win.oldest = oldest;
	c->win.rob_count -= n;
	c->win.first_seq += n;
	assert(c->win.rob_count || c->win.free == c->win.capacity); /* W gives back what D has taken */
	c->stack.committed = n;
	c->stack.last_commit = c->now;
	c->progress = c->win.may_dispatch = true;
}

/* Commits up to `most` instructions, one or more, and adds their counts at the end. */
INLINE void commit_usual(struct core *c, unsigned most)
{
	const struct rob_entry *rob = c->win.rob, *behind = rob + c->win.rob_mask + 1, *r = c->win.oldest;
	const uint64_t now = c->now;
	uint64_t lanes = 0, need = 0;
	unsigned left = most, handlers = 0;

	for (; left && r->done <= now; left--, r = r + 1 == behind ? rob : r + 1) {
		const struct uop *u = r->uop;

		if (__builtin_expect(r->flags & ~ENTRY_SELECT_MORE, 0)) {
			if (!commit_may_leave(c, (unsigned)(r - rob), r))
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
	if (left == most)
		return;
	c->counters.commit_lanes += lanes;
	c->win.free += need;
	c->counters.stats.instructions += most - left - handlers;
	leave_window(c, most - left, r);
}

/* stage_commit in a plain core (core_state.h). */
INLINE void usual_commit(struct core *c)
{
	const unsigned width = c->cfg->core.commit_width;

	commit_usual(c, width < c->win.rob_count ? width : c->win.rob_count);
}

#endif
