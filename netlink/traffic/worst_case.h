/*
 * The worst case of a routing: the permutation that loads one link most, found exactly by a maximum-weight matching for
 * each link (B. Towles, W. Dally, "Worst-case traffic for oblivious routing functions", SPAA 2002).
 */
#ifndef PSIM_NETLINK_WORST_CASE_H
#define PSIM_NETLINK_WORST_CASE_H

#include "../topology/topology.h"

enum { WORST_CASE_NODES_MAX = 128, WORST_CASE_CHOICES_MAX = 4096 };

/*
 * Writes the destination of each node to to[nodes]; a node that does not load that link may send to itself. *load is
 * the messages that cross that link if each node sends one. Random routings count by their choices. 0, or -1 with `e`:
 * STATUS_USAGE for an adaptive routing, or a network that is too large.
 */
int worst_case_find(const struct topology *t, uint32_t *to, double *load, struct err *e);

#endif
