#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "sim_use.h"

#include <sys/mman.h>

#include "../../../psim/base/mem.h"

struct sim_use *sim_use_create(const struct network *n, struct err *e)
{
	size_t bytes = sizeof(struct sim_use) + (size_t)n->output_count * (1 + n->vcs) * sizeof(uint64_t);
	struct sim_use *u = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (u == MAP_FAILED) {
		mem_short(e);
		return NULL;
	}
	u->bytes = bytes;
	u->vcs = n->vcs;
	return u;
}

void sim_use_destroy(struct sim_use *u)
{
	if (u)
		munmap(u, u->bytes);
}

void sim_use_take(struct sim_use *u, const struct network *n, const struct kernel *k, uint64_t clocks)
{
	u->clocks = clocks;
	for (uint32_t o = 0; o < n->output_count; o++) {
		uint64_t *to = &u->count[(size_t)o * (1 + u->vcs)];

		*to++ = kernel_link_busy(k, o);
		for (unsigned v = 0; v < n->resources[n->outputs[o].resource].vcs; v++)
			*to++ = kernel_vc_held(k, o, v);
	}
}
