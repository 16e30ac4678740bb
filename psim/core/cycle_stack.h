/* The cycle stack of one cycle, which core.c has inline: cycle_stack.c. */
#ifndef PSIM_CORE_CYCLE_STACK_H
#define PSIM_CORE_CYCLE_STACK_H

#include "core_state.h"
#include "occupancy.h"

/* The causes of empty slots behind a load, by its note. */
extern const uint8_t load_causes[LOAD_NOTE_COUNT];

/* cycle_stack_charge for all states. */
void cycle_stack_charge_any(struct core *c, uint64_t lost);

/* cycle_stack_charge while the window is empty: mostly, D is so too, and instructions are on their way to it. */
static inline void cycle_stack_charge_front(struct core *c, uint64_t lost)
{
	const struct front_end *f = &c->front;
	const struct uop *u = f->fq[f->fq_head & f->fq_mask].uop;
	unsigned cause;

	if (f->latch[f->last] || !(f->latch_sum | f->group_count) || u->flags & UOP_WINDOW_TRAP) {
		cycle_stack_charge_any(c, lost);
		return;
	}
	cause = f->latch_sum ? f->decode_cause : f->groups[f->group_head & f->group_mask].cause; /* as front_cause */
	c->counters.stats.lost[cause] += lost;
	u->profile->lost += lost;
}

/* Charges empty slots to a cause and to the oldest instruction. `simple`: as core_cycle's in core.c. */
static inline void cycle_stack_charge(struct core *c, uint64_t lost, bool simple)
{
	enum { RARE = UOP_STORE | UOP_PREFETCH | UOP_WINDOW_TRAP };
	const struct rob_entry *r = c->win.oldest;
	const struct uop *u;
	unsigned cause;

	if (simple && !c->win.rob_count) {
		cycle_stack_charge_front(c, lost);
		return;
	}
	if (!simple || c->win.sync_running || (u = r->uop)->flags & RARE) {
		cycle_stack_charge_any(c, lost);
		return;
	}
	if (c->now < c->stack.refill_until)
		cause = c->stack.refill_cause;
	else if (r->state == SLOT_WAITING || r->state == SLOT_READY)
		cause = STALL_select;
	else
		cause = u->flags & UOP_LOAD ? load_causes[r->note] : u->cause;
	c->counters.stats.lost[cause] += lost;
	u->profile->lost += lost;
}

/*
 * Counts the cycles up to this one, which is not yet counted, in which dispatch stalled. It is called before the
 * decode stages change, and before counters are read.
 */
static inline void cycle_stack_note_stalls(struct core *c)
{
	if (c->front.dispatch_stall) {
		unsigned held = c->front.latch[c->front.last];
		uint64_t cycles = c->now - c->stack.stalls_until;

		*c->front.dispatch_stall += cycles;
		c->counters.stats.stalled_d += held * cycles;
		c->counters.stats.stalled_e += (c->front.latch_sum - held) * cycles;
	}
	c->stack.stalls_until = c->now;
}

/* cycle_stack_add for one cycle. */
static inline void cycle_stack_add_one(struct core *c, bool simple)
{
	unsigned lost = c->cfg->core.commit_width - c->stack.committed;

	c->counters.stats.cycles++;
	occupancy_add_one(c);
	if (lost)
		cycle_stack_charge(c, lost, simple);
}

/* cycle_stack_add, inline. */
static inline void cycle_stack_add_many(struct core *c, uint64_t cycles, bool simple)
{
	unsigned lost = c->cfg->core.commit_width - c->stack.committed;

	c->counters.stats.cycles += cycles;
	occupancy_add(c, cycles);
	if (lost)
		cycle_stack_charge(c, lost * cycles, simple);
}

/* In an idle core: the next cycle in which the cause of empty slots may change, or CYCLE_NEVER. */
static inline uint64_t cycle_stack_next(const struct core *c)
{
	const struct rob_entry *r = c->win.oldest;

	if (!c->win.rob_count)
		return CYCLE_NEVER;
	return earlier(if_later(c, r->data_at), if_later(c, c->stack.refill_until));
}

#endif
