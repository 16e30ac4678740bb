/* Commit: U W. In order, up to `commit_width` a cycle. */
#include "core_state.h"

static void free_results(struct core *c, const struct rob_entry *r, unsigned slot)
{
	for (unsigned n = 0; n < r->ndst; n++)
		for (unsigned k = 0; k < r->dst[n][1]; k++)
			if (c->map[r->dst[n][0] + k] == slot)
				c->map[r->dst[n][0] + k] = SLOT_NONE;
	c->gub_used -= r->uop->gub;
	c->fub_used -= r->uop->fub;
}

static void count_commit(struct core *c, const struct rob_entry *r)
{
	const struct uop *u = r->uop;

	if (u->flags & UOP_HANDLER) {
		c->stats.trap_instructions++;
		return;
	}
	if (c->mark_count)
		regions_commit(c, c->stats.instructions);
	c->stats.instructions++;
	c->stats.committed[u->class]++;
	c->stats.flops += u->flops;
	c->profile[u->sid].committed++;
	if (u->flags & UOP_LOAD)
		c->stats.loads++;
	if (u->flags & UOP_STORE)
		c->stats.stores++;
	if (u->flags & UOP_CTI) {
		c->stats.branches++;
		if (r->flags & FETCHED_MISPREDICT)
			c->stats.mispredicts++;
	}
}

static void retire(struct core *c, unsigned slot)
{
	struct rob_entry *r = &c->rob[slot];
	const struct uop *u = r->uop;

	if (c->opt.view)
		view_note(c, slot, VIEW_COMMIT);
	free_results(c, r, slot);
	if (u->flags & UOP_LOAD)
		c->fetch_ports_used--;
	if (u->flags & UOP_STORE)
		c->store_ports_used--;
	if (u->flags & UOP_SYNC || r->flags & FETCHED_TRAP_TAKEN)
		c->sync_running = false;
	count_commit(c, r);
	c->rob_head = (c->rob_head + 1) & c->rob_mask;
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
