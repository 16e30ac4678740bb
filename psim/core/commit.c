/* Commit: U W. In order, up to `commit_width` a cycle. */
#include "core_state.h"

static inline void free_results(struct core *c, const struct rob_entry *r, unsigned slot)
{
	const struct uop *u = r->uop;
	unsigned ndst = r->ndst;

	for (unsigned n = 0; n < ndst; n++) {
		uint16_t *map = &c->map[r->dst[n]];

		if (u->dst[n].width == 2 && map_pair(map) == ((uint32_t)slot << 16 | slot)) {
			map_pair_set(map, SLOT_NONE);
			continue;
		}
		for (unsigned k = 0; k < u->dst[n].width; k++)
			if (map[k] == slot)
				map[k] = SLOT_NONE;
	}
	c->free += u->need;
}

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
	free_results(c, r, slot);
	if (r->uop->flags & UOP_SYNC || r->flags & FETCHED_TRAP_TAKEN)
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
