/* The cycle stack of one cycle, which core.c has inline: cycle_stack.c. */
#ifndef PSIM_CORE_CYCLE_STACK_H
#define PSIM_CORE_CYCLE_STACK_H

#include "core_state.h"
#include "occupancy.h"

/* Charges empty slots to a cause and to the oldest instruction. */
void cycle_stack_charge(struct core *c, uint64_t lost);

/* Counts `cycles` cycles in which dispatch stalls. */
static inline void cycle_stack_stalled(struct core *c, uint64_t cycles)
{
	unsigned held = c->front.latch[c->front.last];

	*c->front.dispatch_stall += cycles;
	c->counters.stats.stalled_d += held * cycles;
	c->counters.stats.stalled_e += (c->front.latch_sum - held) * cycles;
}

/* cycle_stack_add for one cycle. */
static inline void cycle_stack_add_one(struct core *c)
{
	unsigned lost = c->cfg->core.commit_width - c->stack.committed;

	c->counters.stats.cycles++;
	if (c->front.dispatch_stall)
		cycle_stack_stalled(c, 1);
	occupancy_add_one(c);
	if (lost)
		cycle_stack_charge(c, lost);
}

/* In an idle core: the next cycle in which the cause of empty slots may change, or CYCLE_NEVER. */
static inline uint64_t cycle_stack_next(const struct core *c)
{
	const struct rob_entry *r = &c->win.rob[c->win.rob_head];

	if (!c->win.rob_count)
		return CYCLE_NEVER;
	return earlier(if_later(c, r->data_at), if_later(c, c->stack.refill_until));
}

#endif
