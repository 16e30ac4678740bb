/*
 * Domains: which of several processes simulates which vertex of a network.
 *
 * A node and all its routers are in one partition, so that what a node receives is decided where it is. Partitions have
 * about the same number of nodes, which are neighbours in the order of their numbers: slabs of a grid, pods of a fat
 * tree, groups of a dragonfly. Routers without nodes are divided in the order of theirs.
 */
#ifndef PSIM_NETLINK_DOMAIN_H
#define PSIM_NETLINK_DOMAIN_H

#include <stdint.h>

#include "../topology/topology.h"

/*
 * Returns the partition, 0 … partitions - 1, of each vertex: nodes, then routers. NULL with `e`: STATUS_USAGE if there
 * are fewer routers with nodes than partitions, or if nodes share routers in a way that joins them all. Free with
 * free().
 */
uint16_t *domain_divide(const struct topology *t, unsigned partitions, struct err *e);

#endif
