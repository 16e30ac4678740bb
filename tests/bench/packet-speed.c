/*
 * How fast the packet engine is: packet-hops for a CPU second, and what a network takes of memory.
 *
 *     packet-speed [CASE [BYTES]]     BYTES: of a message, to count host instructions by difference
 *
 * The traffic is the first phases of the pacing paper's all-to-all, without pacing (full buffers: most
 * candidates) and with. A packet-hop is a packet's way over a link between routers; those of NICs come on top.
 * The floor is a tenth of what was measured on one core of a server of 2023: it catches what went badly wrong.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../figures/a2at.h"
#include "psim/base/mem.h"

static const struct speed_case {
	const char *name;
	unsigned n, phases;
	uint64_t bytes;
	double bias;
	double floor; /* million packet-hops a second */
	bool simple;  /* routers that serve packets as they come, and send one of an input at a time */
} cases[] = {
	{"8x8", 8, 64, 64 << 10, (double)NAN, 0.4, false},       {"8x8-paced", 8, 64, 64 << 10, 1.25, 0.4, false},
	{"8x8-simple", 8, 64, 64 << 10, (double)NAN, 0.4, true}, {"64x64", 64, 12, 8 << 10, (double)NAN, 0.2, false},
	{"64x64-paced", 64, 12, 8 << 10, 1.25, 0.2, false},
};

static int prepare(struct config *c, struct topology_config *topology, struct net_config *net,
		   const struct speed_case *k, struct err *e)
{
	char dims[40];

	topology_config_add(c, topology);
	net_config_add(c, net);
	snprintf(dims, sizeof(dims), "topology.dims=%ux%u", k->n, k->n);
	if (config_override(c, "topology.nics=4", "bench", e) < 0 || config_override(c, dims, "bench", e) < 0)
		return -1;
	if (k->simple && (config_override(c, "router.input_port=one_packet", "bench", e) < 0 ||
			  config_override(c, "router.arbitration=fcfs", "bench", e) < 0))
		return -1;
	return topology_config_check(c, topology, e);
}

static int run(const struct speed_case *k, uint64_t bytes, struct err *e)
{
	struct config *c = config_create();
	struct a2at_program *p = a2at_program(k->n, k->bias);
	struct topology_config topology;
	struct net_config net;
	struct a2at_run r = {.topology = &topology, .config = &net, .bytes = bytes, .call_ps = 200000};
	struct a2at_result result = {0};
	double nodes = (double)k->n * k->n, seconds, rate;
	int status = -1;

	if (!c || !p)
		return mem_short(e);
	if (p->count > k->phases)
		p->count = k->phases;
	if (prepare(c, &topology, &net, k, e) == 0 && a2at_run(p, &r, &result, e) == 0) {
		seconds = result.host_seconds;
		rate = (double)result.counts.router_hops / seconds / 1e6;
		printf("%-12s %8.2f M packet-hops, %8.2f M with NICs, in %6.2f s: %5.2f and %5.2f M a second; %.2f "
		       "events a hop; %.1f kB a node and %.1f kB for packets, at most %.1f packets a node%s\n",
		       k->name, (double)result.counts.router_hops / 1e6, (double)result.counts.hops / 1e6, seconds,
		       rate, (double)result.counts.hops / seconds / 1e6,
		       (double)result.counts.events / (double)result.counts.hops,
		       (double)result.counts.bytes_fixed / nodes / 1e3,
		       (double)result.counts.bytes_packets / nodes / 1e3, (double)result.counts.packets_most / nodes,
		       rate < k->floor ? ": below the floor" : "");
		fflush(stdout);
		status = rate < k->floor ? 1 : 0;
	}
	config_destroy(c);
	a2at_free(p);
	return status;
}

int main(int argc, char **argv)
{
	struct err e = {0};
	int failed = 0, result;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc > 1 && strcmp(argv[1], cases[i].name) != 0)
			continue;
		result = run(&cases[i], argc > 2 ? strtoull(argv[2], NULL, 10) : cases[i].bytes, &e);
		if (result < 0) {
			fprintf(stderr, "packet-speed: %s\n", e.text);
			return (int)e.status;
		}
		failed |= result;
	}
	return failed;
}
