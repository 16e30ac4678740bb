/*
 * Where the cycles went: every empty commit slot is charged to one cause, and
 * to the static instruction that was oldest.
 */
#include "core_state.h"

/* The front end delivered nothing: the pipeline is empty. */
static enum stall empty_cause(const struct core *c)
{
	const struct fetched *q = &c->fq[c->fq_head & c->fq_mask];

	if (c->latch[c->cfg->decode.stages - 1] &&
	    (c->sync_running || q->uop->flags & UOP_SYNC || q->flags & FETCHED_TRAP_TAKEN))
		return c->sync_cause;
	return front_cause(c);
}

static enum stall load_cause(const struct rob_entry *r)
{
	switch ((enum load_note)r->note) {
	case LOAD_L2: return STALL_load_l2;
	case LOAD_MEMORY: return STALL_load_memory;
	case LOAD_TLB: return STALL_dtlb;
	case LOAD_PORT: return STALL_load_port;
	case LOAD_STORE_WAIT: return STALL_load_store;
	default: return STALL_load_l1;
	}
}

static enum stall class_cause(unsigned class)
{
	switch ((enum insn_class)class) {
	case CLASS_INT_MUL: case CLASS_INT_DIV:
		return STALL_int_muldiv;
	case CLASS_BRANCH:
		return STALL_branch_latency;
	case CLASS_FP_MOVE: case CLASS_FP_ADD: case CLASS_FP_CMP: case CLASS_FP_MUL:
	case CLASS_FP_FMA: case CLASS_VIS:
		return STALL_fp_latency;
	case CLASS_FP_DIV_S: case CLASS_FP_DIV_D: case CLASS_FP_SQRT_S: case CLASS_FP_SQRT_D:
	case CLASS_FP_QUAD:
		return STALL_fp_div;
	default:
		return STALL_int_latency;
	}
}

enum stall stall_cause(const struct core *c)
{
	const struct rob_entry *r = &c->rob[c->rob_head];
	uint32_t flags;

	if (!c->rob_count)
		return empty_cause(c);
	if (c->sync_running)
		return c->sync_cause;
	flags = r->uop->flags;
	if (flags & UOP_STORE && r->done <= c->now)
		return STALL_store_buffer;
	if (c->now < c->refill_until)
		return c->refill_cause;
	if (r->state == SLOT_WAITING || r->state == SLOT_READY)
		return STALL_select;
	if (flags & UOP_LOAD)
		return load_cause(r);
	if (flags & UOP_STORE)
		return r->data_at == CYCLE_NEVER || r->data_at > c->now ? STALL_store_data : STALL_store_address;
	return class_cause(r->uop->class);
}

/* The instruction that the empty slots are charged to in the profile; NULL at the end of the trace. */
static const struct uop *oldest_uop(const struct core *c)
{
	if (c->rob_count)
		return c->rob[c->rob_head].uop;
	if (c->fq_head != c->fq_tail)
		return c->fq[c->fq_head & c->fq_mask].uop;
	if (c->feed.at_end)
		return NULL;
	return &c->feed.now->uops[c->feed.index];
}

void flush_counters(struct core *c)
{
	struct core_stats *s = &c->stats;
	uint64_t d = c->dispatch_lanes, m = c->commit_lanes;

	c->dispatch_lanes = c->commit_lanes = 0;
	s->int_sources += d & 0xffff;
	s->fp_sources += d >> 16 & 0xffff;
	s->int_results += d >> 32 & 0xffff;
	s->fp_results += d >> 48;
	s->flops += m & 0xffff;
	s->loads += m >> 16 & 0xffff;
	s->stores += m >> 32 & 0xffff;
	s->branches += m >> 48;
	s->selected = 0;
	for (unsigned n = 0; n < CLASS_COUNT; n++)
		s->selected += s->selected_class[n];
}

void account(struct core *c, unsigned committed, uint64_t cycles)
{
	unsigned lost = c->cfg->core.commit_width - committed;
	unsigned held = c->latch[c->cfg->decode.stages - 1];
	uint64_t used = c->capacity - c->free;

	if (lost) {
		const struct uop *u = oldest_uop(c);

		c->stats.lost[stall_cause(c)] += lost * cycles;
		if (u && !(u->flags & UOP_HANDLER))
			c->profile[u->sid].lost += lost * cycles;
	}
	if (c->dispatch_stall) {
		*c->dispatch_stall += cycles;
		c->stats.stalled_d += held * cycles;
		c->stats.stalled_e += (c->latch_sum - held) * cycles;
	}
	c->level[LEVEL_rob] = c->rob_count;
	c->level[LEVEL_gub] = lane_count(used, LANE_GUB);
	c->level[LEVEL_fub] = lane_count(used, LANE_FUB);
	c->level[LEVEL_fetch_ports] = lane_count(used, LANE_FETCH_PORT);
	c->level[LEVEL_store_ports] = lane_count(used, LANE_STORE_PORT);
	if (cycles == 1) {
		for (unsigned n = 0; n < LEVEL_COUNT; n++)
			c->stats.occupancy[n] += c->level[n];
	} else {
		for (unsigned n = 0; n < LEVEL_COUNT; n++)
			c->stats.occupancy[n] += c->level[n] * cycles;
	}
	c->stats.cycles += cycles;
}
