/*
 * One case from the command line, for looking into things:
 *   net-case ENGINE PATTERN [PLACEMENT-SEED [SECTION.KEY=VALUE…]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net_case.h"

int main(int argc, char *argv[])
{
	static char parameters[512];
	struct net_case c = {.network = "", .parameters = parameters, .engine = argc > 1 ? argv[1] : "flow",
	                     .pattern = argc > 2 ? argv[2] : "all_to_all",
	                     .placement = argc > 3 ? strtoull(argv[3], NULL, 10) : 0, .check = getenv("CHECK") != NULL};
	struct net_case_result r;

	for (int i = 4; i < argc; i++)
		snprintf(parameters + strlen(parameters), sizeof parameters - strlen(parameters), "%s ", argv[i]);
	r = net_case_run(&c);
	printf("%.9f ms, %llu messages, latency %.3f us, host %.3f s; solutions %llu, rate changes %llu, visited %llu, "
	       "iterations %.1f\n", (double)r.total_ps * 1e-9, (unsigned long long)r.messages, r.latency_mean_ps * 1e-6,
	       r.host_s, (unsigned long long)r.flow.solutions, (unsigned long long)r.flow.rate_changes,
	       (unsigned long long)r.flow.visited,
	       (double)r.flow.iterations / (double)(r.flow.iterated ? r.flow.iterated : 1));
	return 0;
}
