/* Ports and banks of L1D in one cycle: for loads and stores, and for wrong paths. */
#ifndef PSIM_CORE_LSU_PORTS_H
#define PSIM_CORE_LSU_PORTS_H

#include "core_requests.h"

/*
 * Returns whether the row of banks has room for one more access of `size` in this cycle, if that or another is wider
 * than a port. Those under way count by their bytes alone: which banks they use in a later cycle would depend on
 * addresses that no state has.
 */
bool lsu_wide_fits(const struct core *c, unsigned size);

static inline bool lsu_row_fits(const struct core *c, unsigned size)
{
	return (!c->ls.held_before && size <= c->ls.beat_bytes) || lsu_wide_fits(c, size);
}

/* An access holds its port for as many cycles as it has widths of it. */
static inline void lsu_take_port(struct core *c, uint64_t ea, unsigned size)
{
	c->ls.port_ea[c->ls.ports_checked] = ea;
	c->ls.port_size[c->ls.ports_checked++] = (uint8_t)lsu_first_bytes(c, size);
	c->ls.ports_busy++;
	c->counters.stats.address_accesses++;
	if (size > c->ls.beat_bytes)
		hold_port(&c->ls.held, c->now, beats_of(size, c->ls.beat_bytes));
}

/* After stage_lsu: takes a port that nobody else needs in this cycle; false: there is none. */
bool lsu_take_spare_port(struct core *c, uint64_t ea, unsigned size);
/* Forgets the ports taken in this cycle: stage_lsu does so only in cycles with accesses of its own. */
void lsu_forget_ports(struct core *c);

#endif
