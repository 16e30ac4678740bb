/* Use of links and virtual channels over the measured part of a run, in memory that forked processes share. */
#ifndef PSIM_NETLINK_NDL_SIM_USE_H
#define PSIM_NETLINK_NDL_SIM_USE_H

#include <stddef.h>

#include "../../wormhole/kernel.h"

struct sim_use {
	size_t bytes; /* of this */
	unsigned vcs; /* most of any link */
	uint64_t clocks;
	uint64_t count
		[]; /* [output * (1 + vcs)]: clocks with a flit; then, by virtual channel, those in which it was held */
};

/* Makes it for the links of `n`, all 0. NULL with `e` if memory is short. */
struct sim_use *sim_use_create(const struct network *n, struct err *e);
void sim_use_destroy(struct sim_use *u); /* NULL is allowed */

/* Takes the counts of a kernel that has measured `clocks`. */
void sim_use_take(struct sim_use *u, const struct network *n, const struct kernel *k, uint64_t clocks);

static inline uint64_t sim_use_busy(const struct sim_use *u, uint32_t output)
{
	return u->count[(size_t)output * (1 + u->vcs)];
}

static inline uint64_t sim_use_held(const struct sim_use *u, uint32_t output, uint32_t vc)
{
	return u->count[(size_t)output * (1 + u->vcs) + 1 + vc];
}

#endif
