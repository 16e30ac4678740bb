/*
 * What flows cost: the cases at which SimGrid was measured, each to be done in under a second, and
 * rate changes a second.   flow-bench [CASE]: one case alone, for a profile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/network/net_case.h"

static const struct bench {
	const char *label, *network, *pattern;
} benches[] = {
	{"all-to-all, 20 kB, 16x16", "topology.dims=16x16 link.bandwidth=1GB/s", "all_to_all:size=20000"},
	{"the same, 64 sends at once", "topology.dims=16x16 link.bandwidth=1GB/s",
	 "all_to_all:size=20000,outstanding=64"},
	{"random ring, 1 MB, 16x16x16", "topology.dims=16x16x16 link.bandwidth=1GB/s", "random_ring:size=1000000"},
};

int main(int argc, char *argv[])
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 0, last = argc > 1 ? first : 2;

	printf("%-28s %10s %9s %12s %12s %12s %10s\n", "case", "time ms", "host s", "messages", "rate changes",
	       "a second", "most flows");
	for (unsigned i = first; i <= last && i < 3; i++) {
		struct net_case c = {.network = benches[i].network,
				     .pattern = benches[i].pattern,
				     .engine = "flow",
				     .parameters = "flow.latency=none"};
		struct net_case_result r = net_case_run(&c);

		printf("%-28s %10.3f %9.3f %12llu %12llu %12.3g %10u\n", benches[i].label, (double)r.total_ps * 1e-9,
		       r.host_s, (unsigned long long)r.messages, (unsigned long long)r.flow.rate_changes,
		       (double)r.flow.rate_changes / r.host_s, r.flow.most_flows);
	}
	return 0;
}
