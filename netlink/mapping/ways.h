/* The links of the path between two nodes, fast on grids: for searches that need millions of them. */
#ifndef PSIM_NETLINK_MAPPING_WAYS_H
#define PSIM_NETLINK_MAPPING_WAYS_H

#include <stdint.h>

#include "../topology/topology.h"

struct grid;

struct ways {
	const struct topology *t;
	const struct grid *grid; /* mesh or torus in dimension order; NULL: use the topology's routing */
	uint32_t *links;         /* of the last path */
	unsigned max;
};

/* Initialises the state of one thread. 0, or -1 with `e` when memory is short. */
int ways_init(struct ways *w, const struct topology *t, struct err *e);
void ways_finish(struct ways *w);

/*
 * Writes w->links, the links between routers of the path of key 0 with the first choice; returns
 * their number.
 */
unsigned ways_find(struct ways *w, uint32_t src, uint32_t dst);

/* Returns the distance between two nodes in links: |dx| + |dy| + … where `open`, else the network's distance. */
unsigned ways_distance(const struct ways *w, uint32_t src, uint32_t dst, bool open);

#endif
