/* Statistics: lanes and replayed transitions added to them, and the details of static instructions. */
#include "core_state.h"
#include "occupancy.h"

void flush_lanes(struct core *c)
{
	struct core_stats *s = &c->counters.stats;
	uint64_t d = c->counters.dispatch_lanes, m = c->counters.commit_lanes;

	c->counters.dispatch_lanes = c->counters.commit_lanes = 0;
	c->counters.lane_insns = 0;
	s->int_sources += d & 0xffff;
	s->fp_sources += d >> 16 & 0xffff;
	s->int_results += d >> 32 & 0xffff;
	s->fp_results += d >> 48;
	s->flops += m & 0xffff;
	s->loads += m >> 16 & 0xffff;
	s->stores += m >> 32 & 0xffff;
	s->branches += m >> 48;
	if (c->array)
		s->flops += array_new_flops(c);
	occupancy_flush(c);
	if (c->array)
		array_levels(c);
}

void flush_counters(struct core *c)
{
	struct core_stats *s = &c->counters.stats;

	if (c->memo)
		c->replay->sum(c);
	flush_lanes(c);
	s->selected = 0;
	for (unsigned n = 0; n < CORE_CLASSES; n++)
		s->selected += s->selected_class[n];
}

void counters_detail(struct core *c, unsigned slot)
{
	const struct rob_entry *r = &c->win.rob[slot];
	struct core_detail *d = &c->counters.detail[r->uop->sid];
	/* completion is that many cycles behind the selection of a consumer; of the PEs' instructions not always */
	uint64_t wake = r->uop->flags & UOP_SIMD ? c->win.wake[slot]
						 : r->done - c->cfg->core.operand_stages - c->cfg->core.commit_stages;

	/* others that are done have not been selected */
	bool timed = r->state == SLOT_SELECTED || (r->uop->flags & UOP_LOAD && r->uop->unit == EXEC_ADDR);

	if (r->uop->ndst && timed && wake != CYCLE_NEVER && wake > r->selected) {
		d->latency += wake - r->selected;
		d->timed++;
	}
	d->mispredicted += r->flags & FETCHED_MISPREDICT;
	if (!(r->uop->flags & UOP_LOAD))
		return;
	switch (r->note) {
	case LOAD_L1: d->level[0]++; break;
	case LOAD_L2: d->level[1]++; break;
	case LOAD_MEMORY: d->level[2]++; break;
	case LOAD_L3: d->level[3]++; break;
	default: break;
	}
}
