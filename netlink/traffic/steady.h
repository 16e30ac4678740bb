/*
 * What an open loop accepts once it is steady: warm-up, window and confidence from batches of equal time
 * (psim/base/open_loop.h).
 */
#ifndef PSIM_NETLINK_STEADY_H
#define PSIM_NETLINK_STEADY_H

#include "../../psim/base/open_loop.h"
#include "traffic.h"

enum traffic_state {
	TRAFFIC_STEADY = OPEN_LOOP_STEADY,
	TRAFFIC_FALLS_BEHIND = OPEN_LOOP_FALLS_BEHIND,
	TRAFFIC_LATENCY_CHANGES = OPEN_LOOP_LATENCY_CHANGES,
	TRAFFIC_ACCEPTED_CHANGES = OPEN_LOOP_ACCEPTED_CHANGES,
	TRAFFIC_STARVES = OPEN_LOOP_STARVES,
	TRAFFIC_CEASES = OPEN_LOOP_STATES, /* a rank has no more messages before the window ends */
};

struct traffic_measured {
	int64_t begin_ps, end_ps; /* the window */
	uint64_t messages;        /* sent in it */
	struct open_loop_figure offered,
		accepted;                      /* shares of the injection bandwidth; never more accepted than offered */
	struct open_loop_figure throughput;    /* bytes/s of all ranks */
	struct open_loop_figure latency_ps;    /* of messages sent in the window, mean */
	double latency_p50_ps, latency_p99_ps; /* half, and 99 % of them take at most as long */
	int64_t latency_max_ps;
	double accepted_min; /* of a rank that sends, as a share of its injection bandwidth */
	double fairness;     /* of what these ranks' messages are accepted: Jain's index, 1 / ranks to 1 (equal) */
	enum traffic_state state;
	double from, to;   /* what changes: mean of the window's first half, and of the second. STARVES: rank, share */
	int64_t ceased_ps; /* when the first rank sent its last message */
};

/* Measures an open loop; false: the traffic was none. */
bool traffic_measure(const struct traffic_result *x, struct traffic_measured *m);

/* Says in words whether the window is steady: "yes", or what is not, in `text` of `size` bytes, which it returns. */
const char *traffic_say_state(const struct traffic_measured *m, char *text, size_t size);

#endif
