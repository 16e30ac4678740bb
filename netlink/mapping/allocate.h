/*
 * Allocation: the nodes of a job on a machine that other jobs use too, by a word as batch systems take them.
 *
 *     linear[:NODE]            free nodes in their order, from NODE on
 *     random[:SEED]            free nodes in random order
 *     group[:GROUP]            whole groups whose nodes are free, from GROUP on
 *     subtorus:4x4x4[@X,Y,Z]   the first free box of the grid of nodes, or the box at these coordinates
 *     list:FILE                nodes of a file: numbers and ranges, "0 4-7", `#` begins a comment
 *
 * A group is the nodes that agree in the last coordinate: a dragonfly's group, a plane of a torus.
 */
#ifndef PSIM_NETLINK_MAPPING_ALLOCATE_H
#define PSIM_NETLINK_MAPPING_ALLOCATE_H

#include "../topology/topology.h"

enum { ALLOCATE_DIMENSIONS = 8 };
enum { ALLOCATE_DOWN = UINT16_MAX }; /* in taken[]: no job gets the node */

struct allocation {
	uint32_t count, *node; /* in the order of the job's ranks */
	/* the grid that the nodes are, first dimension fastest; 0 dimensions: none */
	unsigned dimensions;
	uint32_t dims[ALLOCATE_DIMENSIONS];
};

/*
 * Allocates `count` nodes (0: as many as `place` has) to job number `job`, from 1 on, and marks them in taken[nodes],
 * which has the job of each node, 0 or ALLOCATE_DOWN. 0, or -1 with `e`: STATUS_USAGE for a wrong word, nodes that are
 * taken or too few; STATUS_BAD_INPUT for the file.
 */
int allocate(struct allocation *a, const char *place, uint32_t count, unsigned job, const struct topology *t,
	     uint16_t *taken, struct err *e);
void allocation_finish(struct allocation *a);

#endif
