/*
 * Ports of a memory, and accesses wider than one. An access moves a port's width in a cycle, so one of n widths holds
 * its port for n cycles: the one in which it starts, and n - 1 later ones. Those are held here.
 */
#ifndef PSIM_CORE_HELD_PORTS_H
#define PSIM_CORE_HELD_PORTS_H

#include <stdint.h>

#include "../machine/core_config.h"
#include "cycle.h"

enum { HELD_PORTS_MAX = 8 };
struct held_ports {
	unsigned count;
	uint64_t until[HELD_PORTS_MAX]; /* the first cycle in which the port is free; ascending */
};

/* Bytes that an access moves through a port of L1D in a cycle: the port's width, or the row of banks, if narrower. */
static inline unsigned l1d_beat_bytes(const struct l1d_params *p)
{
	unsigned row = p->banks * p->bank_bytes;

	return row < p->port_bytes ? row : p->port_bytes;
}

/* The cycles in which an access moves `size` bytes, `beat` a cycle; at least 1. */
static inline unsigned beats_of(unsigned size, unsigned beat)
{
	return size <= beat ? 1 : (size + beat - 1) / beat;
}

/* Notes that an access, which starts in cycle `now`, holds its port for `beats` cycles. Wide ones only: not inlined. */
__attribute__((noinline, unused)) static void hold_port(struct held_ports *h, uint64_t now, unsigned beats)
{
	unsigned at;

	if (beats < 2)
		return;
	for (at = h->count++; at && h->until[at - 1] > now + beats; at--)
		h->until[at] = h->until[at - 1];
	h->until[at] = now + beats;
}

/* Forgets the ports that are free in cycle `now`. */
static inline void release_ports(struct held_ports *h, uint64_t now)
{
	unsigned over = 0;

	while (over < h->count && h->until[over] <= now)
		over++;
	h->count -= over;
	for (unsigned n = 0; n < h->count; n++)
		h->until[n] = h->until[n + over];
}

/* The first cycle after `now` in which a held port is free; CYCLE_NEVER: none is held. */
static inline uint64_t next_free_port(const struct held_ports *h, uint64_t now)
{
	for (unsigned n = 0; n < h->count; n++)
		if (h->until[n] > now)
			return h->until[n];
	return CYCLE_NEVER;
}

#endif
