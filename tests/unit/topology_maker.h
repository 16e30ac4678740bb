/* Networks for tests, from a line of parameters. */
#ifndef PSIM_TESTS_TOPOLOGY_MAKER_H
#define PSIM_TESTS_TOPOLOGY_MAKER_H

#include "netlink/topology/topology.h"

/*
 * The network of `parameters`: assignments with blanks between them, "kind=torus dims=4x4",
 * of section [topology], or with section: "link.cable=10ns"; a value has no blank in it. The rest
 * has its defaults. NULL and `e`, as if the parameters were given with -p.
 */
struct topology *topology_made(const char *parameters, struct err *e);

/* The same; the test ends if that fails. */
struct topology *topology_must(const char *parameters);

/* Returns the error text of making the network, in a static buffer, or NULL if that succeeds. */
const char *topology_complaint(const char *parameters);

/*
 * Follows the way of the key from src to dst with the first choice everywhere. Checks that each
 * link begins where the last one ended, that the first leaves src and the last one reaches dst, and
 * that `hops` counts down by one to 1 at the ejection. Returns links between routers.
 */
unsigned topology_follow(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key);

/*
 * Checks that distances are those of the graph, and that minimal ways are as long, others not shorter. Returns the mean
 * distance. Of large networks, whose nodes are all alike, from every 64th node.
 */
double topology_check_ways(const char *parameters);

#endif
