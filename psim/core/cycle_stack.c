/*
 * The cycle stack: every empty commit slot is charged to one cause, and to the
 * oldest static instruction.
 */
#include "cycle_stack.h"
#include "core_state.h"

/* The cause of empty slots while the pipeline is empty. */
static enum stall empty_cause(const struct core *c)
{
	const struct fetched *q = &c->front.fq[c->front.fq_head & c->front.fq_mask];

	if (c->front.latch[c->cfg->decode.stages - 1] &&
	    (c->win.sync_running || q->uop->flags & UOP_SYNC || q->flags & FETCHED_TRAP_TAKEN))
		return c->win.sync_cause;
	return front_cause(c);
}

const uint8_t load_causes[LOAD_NOTE_COUNT] = {
#define N(name, cause, text) [LOAD_##name] = STALL_##cause,
#include "load_note.def"
#undef N
};

enum stall store_buffer_cause(const struct core *c)
{
	const struct store_entry *s = &c->ls.sb[c->ls.sb_head & c->ls.sb_mask];

	if (s->ready == CYCLE_NEVER && s->retry.at > c->now)
		return s->retry.why == MEM_NO_PAGE  ? STALL_store_tlb
		       : s->retry.why == MEM_QUEUED ? STALL_store_memory
						    : STALL_store_miss_buffer;
	if (s->ready == CYCLE_NEVER || s->ready <= c->now || s->level == MEM_L1)
		return STALL_store_buffer;
	return s->level == MEM_L2 ? STALL_store_l2 : s->level == MEM_L3 ? STALL_store_l3 : STALL_store_memory;
}

static inline enum stall stall_cause(const struct core *c)
{
	const struct rob_entry *r = c->win.oldest;
	uint32_t flags;

	if (!c->win.rob_count)
		return empty_cause(c);
	if (c->win.sync_running)
		return c->win.sync_cause;
	flags = r->uop->flags;
	if (c->array && waits_for_array(r))
		return array_cause(c, r);
	if (flags & UOP_STORE && r->done <= c->now)
		return store_buffer_cause(c);
	if (c->now < c->stack.refill_until)
		return c->stack.refill_cause;
	if (r->state == SLOT_WAITING || r->state == SLOT_READY)
		return STALL_select;
	if (flags & UOP_LOAD || (flags & UOP_PREFETCH && r->note == LOAD_BUFFER))
		return load_causes[r->note];
	if (flags & UOP_STORE)
		return r->data_at == CYCLE_NEVER || r->data_at > c->now ? STALL_store_data : STALL_store_address;
	return r->uop->cause;
}

const struct uop *cycle_stack_oldest(const struct core *c)
{
	if (c->win.rob_count)
		return c->win.oldest->uop;
	if (c->front.fq_head != c->front.fq_tail)
		return c->front.fq[c->front.fq_head & c->front.fq_mask].uop;
	if (c->front.feed.at_end)
		return NULL;
	return c->front.feed.uop;
}

void cycle_stack_charge_any(struct core *c, uint64_t lost)
{
	const struct uop *u = cycle_stack_oldest(c);
	enum stall cause = stall_cause(c);

	c->counters.stats.lost[cause] += lost;
	if (!u || u->flags & UOP_WINDOW_TRAP)
		return;
	c->counters.profile[u->sid].lost += lost;
	if (c->counters.detail)
		c->counters.detail[u->sid].lost[cause] += lost;
}

void cycle_stack_add(struct core *c, uint64_t cycles)
{
	cycle_stack_add_many(c, cycles, false);
}
