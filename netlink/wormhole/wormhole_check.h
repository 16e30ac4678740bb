/*
 * What is wrong with a description, found without running it: routing that
 * leaves the network, ends without a word, goes round for ever or never decides;
 * nodes that cannot be reached; cyclic dependences among virtual channels.
 *
 * Follows the way to every node from every other, asking the routing functions
 * in every place that a head can stand in. Where a routing looks at free
 * channels, all answers are tried (up to 2^10 for one place).
 */
#ifndef PSIM_NETLINK_WORMHOLE_CHECK_H
#define PSIM_NETLINK_WORMHOLE_CHECK_H

#include "network.h"

struct check_result {
	double mean_links; /* links on the way, over all ordered pairs of different nodes */
	uint32_t most_links;
	bool adaptive;   /* some place leaves a choice */
	bool cyclic;     /* a cycle of dependences: a deadlock is possible */
	char cycle[800]; /* in the description's names: "sw(0).o(1)#v(0) -> … -> the first" */
};

struct check_options {
	/* A way that depends on what is free is a mistake, but for the virtual channel of a link from or to a node. */
	bool fixed;
	uint32_t step; /* every step-th destination only (0 or 1: all) */
};

/*
 * 0 and `out` (a cycle is no failure of the check), or -1 with `e` (STATUS_BAD_INPUT, or memory).
 * `o` may be NULL. Means are over the destinations that were followed.
 */
int network_check(const struct network *n, const struct check_options *o, struct check_result *out, struct err *e);

#endif
