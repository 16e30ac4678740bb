/* The links of the way between two nodes, fast on grids: for searches that ask for millions of them. */
#ifndef PSIM_NETLINK_MAPPING_WAYS_H
#define PSIM_NETLINK_MAPPING_WAYS_H

#include <stdint.h>

#include "../topology/topology.h"

struct grid;

struct ways {
	const struct topology *t;
	const struct grid *grid; /* mesh or torus in dimension order; NULL: the topology is asked */
	uint32_t *links;         /* of the last way */
	unsigned max;
};

/* 0, or -1 with `e` when memory is short. One for each thread. */
int ways_init(struct ways *w, const struct topology *t, struct err *e);
void ways_finish(struct ways *w);

/* Fills w->links with the links between routers, of key 0 and the first choice; their number. */
unsigned ways_find(struct ways *w, uint32_t src, uint32_t dst);

/* Links between two nodes: |dx| + |dy| + … where `open`, else the network's distance. */
unsigned ways_distance(const struct ways *w, uint32_t src, uint32_t dst, bool open);

#endif
