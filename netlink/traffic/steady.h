/*
 * What an open loop accepts once it is steady: warm-up, window and confidence from batches of equal time. Batch means
 * and their intervals: A. Law, "Simulation Modeling and Analysis" (5th ed. 2015), 9.5.3; the end of the warm-up: K.
 * White, "An effective truncation heuristic for bias reduction in simulation output" (Simulation 69, 1997), MSER. The
 * change that counts, 5 %, is that of BookSim 2 (warmup_thres, stopping_thres).
 */
#ifndef PSIM_NETLINK_STEADY_H
#define PSIM_NETLINK_STEADY_H

#include "traffic.h"

enum traffic_state {
	TRAFFIC_STEADY,
	TRAFFIC_FALLS_BEHIND, /* the network accepts less than is offered: queues and latency grow */
	TRAFFIC_LATENCY_CHANGES,
	TRAFFIC_ACCEPTED_CHANGES,
	TRAFFIC_CEASES, /* a rank has no more messages before the window ends */
};

/* A mean, and half the width of its confidence interval of 95 %. */
struct traffic_figure {
	double mean, error;
};

struct traffic_measured {
	int64_t begin_ps, end_ps; /* the window */
	uint64_t messages;        /* sent in it */
	struct traffic_figure offered,
		accepted;                 /* shares of the injection bandwidth; never more accepted than offered */
	struct traffic_figure throughput; /* bytes/s of all ranks */
	struct traffic_figure latency_ps; /* of messages sent in the window */
	enum traffic_state state;
	double from, to;   /* what changes: mean of the window's first half, and of the second */
	int64_t ceased_ps; /* when the first rank sent its last message */
};

/* Measures an open loop; false: the traffic was none. */
bool traffic_measure(const struct traffic_result *x, struct traffic_measured *m);

/* Says in words whether the window is steady: "yes", or what is not, in `text` of `size` bytes, which it returns. */
const char *traffic_say_state(const struct traffic_measured *m, char *text, size_t size);

#endif
