/* Commit: U W. In order, up to `commit_width` a cycle. */
#include "core_state.h"

static inline void count_commit(struct core *c, const struct rob_entry *r)
{
	const struct uop *u = r->uop;

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

static inline void retire(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];

	if (c->opt.view)
		view_note(c, slot, VIEW_COMMIT);
	c->free += r->uop->need;
	if (r->uop->flags & UOP_SYNC || r->flags & FETCHED_TRAP_TAKEN)
		c->sync_running = false;
	count_commit(c, r);
	c->rob_head = (unsigned)++c->first_seq & c->rob_mask;
	c->rob_count--;
}

unsigned stage_commit(struct core *c)
{
	unsigned width = c->cfg->core.commit_width, n = 0;

	while (n < width && c->rob_count) {
		unsigned slot = c->rob_head;
		const struct rob_entry *r = &c->rob[slot];

		if (r->done > c->now)
			break;
		if (r->uop->flags & UOP_STORE && !lsu_store_commit(c, slot))
			break;
		retire(c, slot);
		n++;
	}
	if (n) {
		c->last_commit = c->now;
		c->progress = true;
	}
	return n;
}
