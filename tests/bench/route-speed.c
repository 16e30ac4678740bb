/*
 * Sends N packets of random pairs through a network's routing and nothing else; prints hops, and
 * host nanoseconds a hop and a packet.
 *
 *     route-speed N section.key=value…
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netlink/topology/topology.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Links of the way, ejection included. */
static uint64_t send(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t link = t->inject[src * t->nics], at;
	unsigned vc = 0;
	uint64_t hops = 0;
	struct route r;

	topology_route_start(t, src, dst, key, &r);
	while ((at = t->link[link].to) >= t->nodes) {
		topology_route_next(t, at, link, vc, &r, steps);
		topology_route_take(t, at, &steps[0], &r);
		link = steps[0].link;
		vc = steps[0].vc;
		hops++;
	}
	return hops;
}

static struct topology *network(int count, char **assignments, struct err *e)
{
	struct config *c = config_create();
	struct topology *t = NULL;
	struct topology_config v;
	int failed = 0;

	topology_config_add(c, &v);
	for (int i = 0; i < count && !failed; i++)
		failed = config_override(c, assignments[i], "argument", e);
	if (!failed && !topology_config_check(c, &v, e))
		t = topology_create(&v, e);
	config_destroy(c);
	return t;
}

int main(int argc, char **argv)
{
	uint64_t packets = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, hops = 0, state = 1;
	double begin, seconds;
	struct topology *t;
	struct err e;

	t = packets ? network(argc - 2, argv + 2, &e) : NULL;
	if (!t) {
		fprintf(stderr, "route-speed: %s\n", packets ? e.text : "usage: route-speed N section.key=value…");
		return STATUS_USAGE;
	}
	begin = now();
	for (uint64_t i = 0; i < packets; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		hops += send(t, (uint32_t)((state >> 32) * t->nodes >> 32),
			     (uint32_t)((state & 0xffffffff) * t->nodes >> 32), i);
	}
	seconds = now() - begin;
	printf("%llu packets, %llu hops: %.2f ns a hop, %.1f ns a packet\n", (unsigned long long)packets,
	       (unsigned long long)hops, 1e9 * seconds / (double)hops, 1e9 * seconds / (double)packets);
	topology_destroy(t);
	return 0;
}
