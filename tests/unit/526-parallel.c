/*
 * Traffic on several processes gives the reports of one, whatever the network, its division and the traffic; and a
 * window that is too wide does not.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net_maker.h"
#include "netlink/engine/packet/packet.h"
#include "netlink/parallel/domain.h"
#include "netlink/parallel/record_exchange.h"
#include "netlink/traffic/traffic.h"
#include "psim/base/rng.h"
#include "topology_maker.h"

struct one_case {
	const char *network, *engine, *pattern;
	uint32_t ranks_per_node;
};

/* A random part for each router with nodes, and so for these; for others too. Each part has a node. */
static uint16_t *random_owner(const struct topology *t, unsigned parts, uint64_t seed)
{
	uint16_t *owner = calloc(t->nodes + t->routers, sizeof(*owner));

	REQUIRE(owner != NULL);
	for (uint32_t v = t->nodes; v < t->nodes + t->routers; v++)
		owner[v] = (uint16_t)rng_below(seed, 1, v, parts);
	for (unsigned p = 0; p < parts; p++)
		owner[t->link[t->inject[p * (t->nodes / parts)]].to] = (uint16_t)p;
	for (uint32_t node = 0; node < t->nodes; node++)
		owner[node] = owner[t->link[t->inject[(size_t)node * t->nics]].to];
	return owner;
}

/* The report of engine and traffic; of a run that fails its error. `owner` NULL: one process. */
static char *outcome(const struct one_case *c, unsigned processes, const uint16_t *owner, int64_t widen)
{
	struct net_made m = net_must("packet", c->network, c->engine);
	uint32_t ranks = m.topology->nodes * c->ranks_per_node, *node_of = calloc(ranks, sizeof(*node_of));
	struct net_setup net = {.topology = m.topology, .config = &m.config, .seed = 3, .check = true};
	struct traffic_setup s = {.topology = m.topology, .kind = &net_packet, .node_of = node_of, .owner = owner};
	struct traffic_result *result;
	struct report *report = report_create();
	struct err e = {0};
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	REQUIRE(node_of != NULL && file != NULL && report != NULL);
	for (uint32_t i = 0; i < ranks; i++)
		node_of[i] = i / c->ranks_per_node;
	s.traffic = traffic_from_pattern(c->pattern, m.topology, ranks, &e);
	CHECK_STR(e.text, "");
	REQUIRE(s.traffic != NULL);
	s.engine = net_packet.create(&net, &e);
	s.exchange = owner ? exchange_create(processes, &e) : NULL;
	s.widen_ps = widen;
	result = traffic_run(&s, &e);
	if (result) {
		traffic_report(result, true, report);
		net_packet.report(s.engine, report);
		CHECK_I64(report_write(report, REPORT_JSON, file, &e), 0);
		CHECK_U64(result->parallel.processes, owner ? processes : 0);
	} else {
		fprintf(file, "%s\n", e.text);
	}
	fclose(file);
	report_destroy(report);
	traffic_result_destroy(result);
	exchange_destroy(s.exchange);
	net_packet.destroy(s.engine);
	traffic_destroy((struct traffic *)(uintptr_t)s.traffic);
	free(node_of);
	net_unmake(&m);
	return text;
}

static const struct one_case cases[] = {
	{"dims=4x4", "", "all_to_all:size=4", 1},
	{"dims=8", "", "ring:size=20000", 1},
	{"dims=4x4x2", "", "random_ring:size=9000,wait=yes,repeat=3", 1},
	{"kind=mesh dims=4x4", "", "uniform:size=3000,messages=20,outstanding=4", 2},
	{"dims=6x3", "router.vc_buffer=4KiB", "uniform:size=5000,messages=20", 1},
	{"dims=4x4", "router.arbitration=round_robin", "uniform:size=700,messages=30", 1},
	{"dims=4x4", "router.arbitration=fcfs router.input_port=one_packet", "uniform:size=5000,messages=20", 1},
	{"dims=4x4", "router.queues=per_vc nic.service=fcfs", "uniform:size=5000,messages=20", 1},
	{"dims=4x4 nics=2", "nic.receive=same", "uniform:size=5000,messages=20", 2},
	{"dims=4x4 ties=random", "router.credits=any", "transpose:size=30000,gap=100ns", 1},
	{"dims=4x4 routing=adaptive", "", "uniform:size=5000,messages=20,load=0.6", 1},
	{"kind=hypercube dims=2x2x2x2 routing=valiant", "", "bit_complement:size=20000", 1},
	{"kind=dragonfly dims=2x4x2 routing=ugal", "", "uniform:size=2000,messages=20", 1},
	{"kind=fat_tree dims=4x4", "", "uniform:size=5000,messages=20", 1},
	{"kind=fat_tree dims=4x4 routing=random", "", "nearest:size=900,dims=4x4,wait=yes", 1},
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* Compares the reports of several processes, of a random division, with those of one. */
static void compare(const struct one_case *c, unsigned processes, const char *alone)
{
	struct topology *t = topology_must(c->network);
	uint16_t *owner = random_owner(t, processes, (uint64_t)(c - cases) * 10 + processes);
	char *together = outcome(c, processes, owner, 0);

	if (strcmp(together, alone))
		fprintf(stderr, "%s, %s, %s on %u\n", c->network, c->engine, c->pattern, processes);
	CHECK_STR(together, alone);
	free(together);
	free(owner);
	topology_destroy(t);
}

static void reports_are_those_of_one_process(void)
{
	for (unsigned i = 0; i < CASES; i++) {
		char *alone = outcome(&cases[i], 1, NULL, 0);

		CHECK(strlen(alone) > 1000);
		for (unsigned processes = 1; processes <= 4; processes++)
			if (!i || processes == 2 + i % 3)
				compare(&cases[i], processes, alone);
		free(alone);
	}
}

/* All but the second: where packets never meet behind a boundary they may be late. */
static void a_window_that_is_100_ns_too_wide_changes_results(void)
{
	for (unsigned i = 0; i < 5; i += 1 + (i == 0)) {
		struct topology *t = topology_must(cases[i].network);
		struct err e = {0};
		uint16_t *owner = domain_divide(t, 2, &e);
		char *right = outcome(&cases[i], 2, owner, 0), *wrong = outcome(&cases[i], 2, owner, 100000);

		CHECK(strcmp(right, wrong) != 0);
		free(right);
		free(wrong);
		free(owner);
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"reports of 1 to 4 processes are those of one, for random divisions", reports_are_those_of_one_process},
	{"a window that is 100 ns too wide changes results", a_window_that_is_100_ns_too_wide_changes_results},
};

int main(void)
{
	return tap_main("one run on several processes", tests, TAP_COUNT(tests));
}
