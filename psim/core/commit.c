/* Commit: U W. In order, up to `commit_width` a cycle. */
#include "core_state.h"

static inline void count_commit(struct core *c, const struct rob_entry *r, const struct uop *u)
{
	c->commit_lanes += u->commit_lanes;
	if (u->flags & UOP_HANDLER) {
		c->stats.trap_instructions++;
		return;
	}
	if (c->mark_count)
		regions_commit(c, c->stats.instructions);
	c->stats.instructions++;
	c->stats.committed[u->class]++;
	c->profile[u->sid].committed++;
	if (r->flags & FETCHED_MISPREDICT)
		c->stats.mispredicts++;
}

static inline void retire(struct core *c, unsigned slot, const struct rob_entry *r)
{
	const struct uop *u = r->uop;

	if (c->opt.view)
		view_note(c, slot, VIEW_COMMIT);
	if (u->flags & UOP_COMMIT_SPECIAL || r->flags & FETCHED_TRAP_TAKEN) {
		if (u->flags & UOP_SIMD)
			array_retired(c, u);
		else
			c->sync_running = false;
	}
	c->free += u->need;
	count_commit(c, r, u);
}

/* The oldest instruction is done: it commits, and those after it that are. */
unsigned stage_commit(struct core *c)
{
	unsigned most = c->cfg->core.commit_width, n = 0, slot = c->rob_head;

	if (most > c->rob_count)
		most = c->rob_count;
	for (; n < most; n++, slot = (slot + 1) & c->rob_mask) {
		const struct rob_entry *r = &c->rob[slot];

		if (r->done > c->now)
			break;
		if (r->uop->flags & (UOP_STORE | UOP_TRANSFER) && !lsu_store_commit(c, slot))
			break;
		retire(c, slot, r);
	}
	if (n) {
		c->rob_head = slot;
		c->rob_count -= n;
		c->first_seq += n;
		c->last_commit = c->now;
		c->progress = c->may_dispatch = true;
	}
	return n;
}
