/* One pattern on one network by one engine, from lines of parameters: for figures, comparisons and benchmarks. */
#ifndef PSIM_TESTS_NET_CASE_H
#define PSIM_TESTS_NET_CASE_H

#include "netlink/engine/flow/flow.h"
#include "netlink/traffic/traffic.h"

struct net_case {
	const char *network;    /* "topology.kind=torus topology.dims=8x8 link.bandwidth=1GB/s": no blanks in values */
	const char *parameters; /* parameters of engines: "flow.mode=f router.route=0" */
	const char *engine;     /* "flow" */
	const char *pattern;    /* "all_to_all:size=20000", or a file if it begins with @ */
	uint64_t placement;     /* 0: rank = node; otherwise the seed of a random placement */
	bool check;
};

struct net_case_result {
	int64_t total_ps;
	uint64_t messages;
	double latency_mean_ps;
	double end_sum_ps;        /* sum of all ranks' ends */
	double host_s;            /* CPU time of the run, without making network and pattern */
	struct fluid_counts flow; /* counters of engine flow */
};

/* Runs the case; on failure prints the reason on stderr and exits with status 1. */
struct net_case_result net_case_run(const struct net_case *c);

#endif
