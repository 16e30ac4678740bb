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
	struct net_case c = {.network = "",
			     .parameters = parameters,
			     .engine = argc > 1 ? argv[1] : "flow",
			     .pattern = argc > 2 ? argv[2] : "all_to_all",
			     .placement = argc > 3 ? strtoull(argv[3], NULL, 10) : 0,
			     .check = getenv("CHECK") != NULL};
	struct net_case_result r;

	for (int i = 4; i < argc; i++)
		snprintf(parameters + strlen(parameters), sizeof(parameters) - strlen(parameters), "%s ", argv[i]);
	r = net_case_run(&c);
	printf("time_s %.12f\nend_sum_s %.12f\nmessages %llu\nlatency_mean_s %.12f\nhost_s %.3f\n",
	       (double)r.total_ps * 1e-12, r.end_sum_ps * 1e-12, (unsigned long long)r.messages,
	       r.latency_mean_ps * 1e-12, r.host_s);
	printf("solutions %llu\nrate_changes %llu\nvisited %llu\n", (unsigned long long)r.flow.solutions,
	       (unsigned long long)r.flow.rate_changes, (unsigned long long)r.flow.visited);
	return 0;
}
