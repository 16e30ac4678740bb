/*
 * Checks a description without running it: routing that leaves the network, ends without a
 * decision, loops for ever or never decides; nodes that cannot be reached; cyclic dependences among
 * virtual channels.
 *
 * Follows the path to every node from every other and calls the routing functions at every place
 * that a head can reach. Where a routing tests free channels, it tries all answers (up to 2^20 for
 * one place). Destinations that a routing does not distinguish are followed together, with the same result.
 *
 * Where all virtual channels have a cycle, those that a routing chooses by `escape` must not: the
 * extended dependency graph of the escape channels, direct or through other channels to the same
 * destination, has no cycle, and every place leaves one of them to a head that waits. Source: J. Duato,
 * "A new theory of deadlock-free adaptive routing in wormhole networks", IEEE TPDS 4(12), 1993. The theory
 * assumes that a buffer holds flits of one message, or whole messages.
 */
#ifndef PSIM_NETLINK_WORMHOLE_CHECK_H
#define PSIM_NETLINK_WORMHOLE_CHECK_H

#include "network.h"

enum { CHECK_QUESTIONS_MAX = 20 }; /* of a routing in one call, about what is free: all answers are tried */

struct check_result {
	double mean_links; /* links on the path, mean over all ordered pairs of different nodes */
	uint32_t most_links;
	bool adaptive;     /* some place leaves a choice */
	bool chooses;      /* the same, but for the virtual channel of a link from or to a node */
	bool cyclic;       /* a cycle of dependences: a deadlock is possible */
	const char *waits; /* what waits: "virtual channels wait for each other"; NULL: nothing */
	char cycle[800];   /* in the description's names: "sw(0).o(1)#v(0) -> … -> the first" */
	bool escapes;      /* all channels have a cycle: `cyclic` is about the escape channels */
	bool deep;         /* the caller's: buffers can hold several messages */
	uint64_t calls;    /* of routing functions */
	bool partial;      /* too many tests in a routing for all answers: some were taken as yes */
};

struct check_options {
	bool each;     /* destinations are followed one by one */
	uint32_t step; /* every step-th destination only (0 or 1: all) */
	/* Called after each destination, if not NULL; `all` doubles for escape channels. False ends the check. */
	bool (*tick)(void *user, uint64_t done, uint64_t all);
	void *user;
};

/*
 * 0 and `out` (a cycle is no failure of the check), or -1 with `e` (STATUS_BAD_INPUT, or memory).
 * `o` may be NULL. Means are over the destinations that were followed.
 */
int network_check(const struct network *n, const struct check_options *o, struct check_result *out, struct err *e);

#endif
