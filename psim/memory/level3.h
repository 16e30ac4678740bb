/* The state of an L3, for its files: memsys_l3.c, memsys_l3_warm.c, and the digest and the invariants. */
#ifndef PSIM_MEMORY_LEVEL3_H
#define PSIM_MEMORY_LEVEL3_H

#include "memsys_state.h"

struct level3 {
	struct cache cache; /* of all slices */
	struct mshr mshr;
	struct cache directory; /* the lines of all L2s, if it is `sparse` */
	bool sparse;
	struct channel *channel; /* between each slice and the L2s */
	unsigned slices, hop_cycles;
	enum inclusion inclusion;
	uint64_t latency; /* without steps of the network */
	uint8_t *steps;   /* from each core to each slice: [core * slices + slice] */
	uint64_t time;    /* of a line on a channel, in parts of a cycle */
};

/* The slice of a line. */
static inline unsigned l3_slice(const struct level3 *l3, uint64_t line)
{
	return (unsigned)(cache_set_number(&l3->cache, line) % l3->slices);
}

#endif
