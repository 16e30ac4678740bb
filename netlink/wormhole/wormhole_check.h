/*
 * Checks a description without running it: routing that leaves the network, ends without a
 * decision, loops for ever or never decides; nodes that cannot be reached; cyclic dependences among
 * virtual channels.
 *
 * Follows the path to every node from every other and calls the routing functions at every place
 * that a head can reach. Where a routing tests free channels, it tries all answers (up to 2^10 for
 * one place).
 */
#ifndef PSIM_NETLINK_WORMHOLE_CHECK_H
#define PSIM_NETLINK_WORMHOLE_CHECK_H

#include "network.h"

struct check_result {
	double mean_links; /* links on the path, mean over all ordered pairs of different nodes */
	uint32_t most_links;
	bool adaptive;   /* some place leaves a choice */
	bool cyclic;     /* a cycle of dependences: a deadlock is possible */
	char cycle[800]; /* in the description's names: "sw(0).o(1)#v(0) -> … -> the first" */
};

struct check_options {
	/*
	 * A path that depends on free channels is a mistake, except for the virtual channel of a
	 * link from or to a node.
	 */
	bool fixed;
	uint32_t step; /* every step-th destination only (0 or 1: all) */
};

/*
 * 0 and `out` (a cycle is no failure of the check), or -1 with `e` (STATUS_BAD_INPUT, or memory).
 * `o` may be NULL. Means are over the destinations that were followed.
 */
int network_check(const struct network *n, const struct check_options *o, struct check_result *out, struct err *e);

#endif
