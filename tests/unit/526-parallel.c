/*
 * Traffic on several processes gives the reports of one, whatever the network, its division and the traffic. A window
 * that is too wide is an error.
 */
#include "tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "net_maker.h"
#include "netlink/engine/analytic/analytic.h"
#include "netlink/engine/packet/packet.h"
#include "netlink/engines/engine_kinds.h"
#include "netlink/parallel/domain.h"
#include "netlink/parallel/record_exchange.h"
#include "netlink/parallel/window.h"
#include "netlink/protocol/protocol.h"
#include "netlink/traffic/traffic.h"
#include "psim/base/rng.h"
#include "seeds.h"
#include "topology_maker.h"

struct one_case {
	const char *network, *engine, *pattern;
	uint32_t ranks_per_node;
	const struct net_engine_kind *other; /* NULL: packet */
	bool hosts;                          /* in front of the engine, with the protocol of `protocol_text` */
};

static const char protocol_text[] = "message-protocol 1\n"
				    "between\n0 eager 0 0 1us+1GB/s 300ns\n2000 eager 0 0 0 1us+2GB/s\n"
				    "within\n0 eager 0 0 200ns 2us\n";

static struct protocol *protocol_of_text(void)
{
	struct protocol *p;
	struct err e = {0};
	FILE *f;

	folder_make();
	f = fopen(in_folder("p"), "w");
	REQUIRE(f != NULL);
	fputs(protocol_text, f);
	fclose(f);
	p = protocol_read(in_folder("p"), &e);
	CHECK_STR(e.text, "");
	REQUIRE(p != NULL);
	remove(in_folder("p"));
	rmdir(folder);
	return p;
}

/* A random partition for each router with nodes, and so for these; for others too. Each partition has a node. */
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
	const struct net_engine_kind *kind = c->other ? c->other : &net_packet;
	struct net_made m = net_must(kind->name, c->network, c->engine);
	struct protocol *hosts = c->hosts ? protocol_of_text() : NULL;
	uint32_t ranks = m.topology->nodes * c->ranks_per_node, *node_of = calloc(ranks, sizeof(*node_of));
	struct net_setup net = {
		.topology = m.topology, .config = &m.config, .seed = 3, .check = true, .protocol = hosts};
	struct traffic_setup s = {.topology = m.topology, .kind = kind, .node_of = node_of, .owner = owner};
	struct traffic_result *result;
	struct report *report = report_create();
	struct err e = {0};
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	s.kind = kind = hosts ? net_engine_with_hosts(kind) : kind;
	REQUIRE(node_of != NULL && file != NULL && report != NULL);
	for (uint32_t i = 0; i < ranks; i++)
		node_of[i] = i / c->ranks_per_node;
	s.traffic = traffic_of_load(c->pattern, NULL, m.topology, ranks, &e);
	CHECK_STR(e.text, "");
	REQUIRE(s.traffic != NULL);
	s.engine = kind->create(&net, &e);
	s.exchange = owner ? exchange_create(processes, &e) : NULL;
	s.widen_ps = widen;
	result = traffic_run(&s, &e);
	if (result) {
		traffic_report(result, true, report);
		kind->report(s.engine, report);
		CHECK_I64(report_write(report, REPORT_JSON, file, &e), 0);
		CHECK_U64(result->parallel.processes, owner ? processes : 0);
	} else {
		fprintf(file, "%s\n", e.text);
	}
	fclose(file);
	report_destroy(report);
	traffic_result_destroy(result);
	exchange_destroy(s.exchange);
	kind->destroy(s.engine);
	traffic_destroy((struct traffic *)(uintptr_t)s.traffic);
	free(node_of);
	net_unmake(&m);
	protocol_destroy(hosts);
	return text;
}

static const struct one_case cases[] = {
	{"dims=4x4", "", "all_to_all:size=4", 1, NULL, false},
	{"dims=8", "", "ring:size=20000", 1, NULL, false},
	{"dims=4x4x2", "", "random_ring:size=9000,wait=yes,repeat=3", 1, NULL, false},
	{"kind=mesh dims=4x4", "", "uniform:size=3000,messages=20,outstanding=4", 2, NULL, false},
	{"dims=6x3", "router.vc_buffer=4KiB", "uniform:size=5000,messages=20", 1, NULL, false},
	{"dims=4x4", "router.arbitration=round_robin", "uniform:size=700,messages=30", 1, NULL, false},
	{"dims=4x4", "router.arbitration=fcfs router.input_port=one_packet", "uniform:size=5000,messages=20", 1, NULL,
	 false},
	{"dims=4x4", "router.queues=per_vc nic.service=fcfs", "uniform:size=5000,messages=20", 1, NULL, false},
	{"dims=4x4 nics=2", "nic.receive=same", "uniform:size=5000,messages=20", 2, NULL, false},
	{"dims=4x4 nics=3", "", "uniform:size=5000,messages=20", 2, NULL, false},
	{"dims=4x4 nics=3", "nic.receive=any", "uniform:size=5000,messages=20", 2, NULL, false},
	{"dims=4x4 nics=2", "router.arbitration=fcfs router.input_port=one_packet", "random_ring:size=9000,repeat=5", 2,
	 NULL, false},
	{"dims=4x4 nics=2", "router.queues=per_vc", "uniform:size=700,messages=20", 1, NULL, false},
	{"dims=4x4 nics=2 routing=adaptive", "", "uniform:size=5000,messages=20,load=0.6", 1, NULL, false},
	{"kind=hypercube dims=2x2x2x2 nics=2 routing=valiant", "nic.receive=any", "bit_complement:size=20000", 1, NULL,
	 false},
	{"dims=4x4 ties=random", "router.credits=any", "transpose:size=30000,gap=100ns", 1, NULL, false},
	{"dims=4x4 routing=adaptive", "", "uniform:size=5000,messages=20,load=0.6", 1, NULL, false},
	{"kind=hypercube dims=2x2x2x2 routing=valiant", "", "bit_complement:size=20000", 1, NULL, false},
	{"kind=dragonfly dims=2x4x2 routing=ugal", "", "uniform:size=2000,messages=20", 1, NULL, false},
	{"kind=fat_tree dims=4x4", "", "uniform:size=5000,messages=20", 1, NULL, false},
	{"kind=fat_tree dims=4x4 routing=random", "", "nearest:size=900,dims=4x4,wait=yes", 1, NULL, false},
	{"dims=4x4", "", "uniform:size=3000,messages=20", 2, &net_linear, false},
	{"dims=4x4", "linear.sends=at_once linear.bandwidth=1GB/s node.injection=2GB/s", "all_to_all:size=700", 2,
	 &net_linear, false},
	{"kind=fat_tree dims=4x4", "", "random_ring:size=9000,wait=yes,repeat=3", 3, &net_linear, false},
	{"dims=4x4", "", "uniform:size=0,messages=20", 1, &net_linear, false},
	{"dims=4x4", "", "uniform:size=3000,messages=20", 2, &net_linear, true},
	{"dims=4x4", "", "all_to_all:size=300", 3, &net_linear, true},
	{"dims=4x4", "", "uniform:size=3000,messages=20", 2, NULL, true},
	{"dims=4x4 nics=2", "", "random_ring:size=1500,wait=yes,repeat=3", 2, NULL, true},
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* Compares the reports of several processes, of a random division, with those of one. */
static void compare(const struct one_case *c, unsigned processes, uint64_t seed, const char *alone)
{
	struct topology *t = topology_must(c->network);
	uint16_t *owner = random_owner(t, processes, seed);
	char *together = outcome(c, processes, owner, 0);

	if (strcmp(together, alone))
		fprintf(stderr, "%s, %s, %s on %u, seed %llu\n", c->network, c->engine, c->pattern, processes,
			(unsigned long long)seed);
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
				compare(&cases[i], processes, (uint64_t)i * 10 + processes, alone);
		free(alone);
	}
}

/* Random networks of at most 20 nodes, settings, traffic, divisions; PARALLEL_SEEDS=FIRST:COUNT: others (seeds.h). */
static const struct {
	const char *network, *routings[4];
} draws[] = {
	{"kind=torus dims=4x4 ties=random", {"dimension_order", "adaptive", "valiant", "ugal"}},
	{"kind=torus dims=3x3x2", {"dimension_order", "adaptive", "valiant", "ugal"}},
	{"kind=torus dims=9", {"dimension_order", "adaptive", "valiant", "ugal"}},
	{"kind=mesh dims=5x3", {"dimension_order", "adaptive", "valiant", "ugal"}},
	{"kind=hypercube dims=2x2x2x2", {"e_cube", "adaptive", "valiant", "ugal"}},
	{"kind=hyper_crossbar dims=4x4", {"dimension_order", "either_vc", "adaptive", "valiant"}},
	{"kind=fat_tree dims=2x2x4", {"destination_digits", "source_digits", "random", "adaptive"}},
	{"kind=fat_tree dims=1x3x4 up=1x2", {"destination_digits", "source_digits", "random", "adaptive"}},
	{"kind=dragonfly dims=1x4x1", {"minimal", "valiant", "ugal", "ugal_vc"}},
	{"kind=dragonfly dims=2x3x2 groups=3", {"minimal", "valiant", "ugal", "ugal_vc"}},
};
static const char *const settings[] = {
	"",
	"router.vc_buffer=4KiB",
	"router.arbitration=fcfs",
	"router.arbitration=round_robin",
	"router.queues=per_vc",
	"nic.service=fcfs",
	"router.credits=any",
	"router.input_port=one_packet",
	"router.credit_delay=7ns",
	"nic.receive=any",
};
/* pattern, its keys beside the size: pacing is a gap after each packet */
static const char *const traffics[][2] = {
	{"all_to_all", ""},           {"all_to_all", ",gap=120ns,wait=yes"},
	{"uniform", ",messages=8"},   {"uniform", ",messages=8,load=0.4"},
	{"random_ring", ",wait=yes"}, {"ring", ",repeat=2"},
	{"hot_spot", ",messages=5"},  {"next_group", ",messages=5"},
};
#define DRAW(list, seed, what) list[rng_below(seed, 2, what, sizeof(list) / sizeof(*(list)))]

static void so_are_those_of_random_cases(void)
{
	static const unsigned processes[] = {1, 2, 3, 5, 8};
	const struct seeds seeds = seeds_of("PARALLEL_SEEDS", 12);

	for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
		unsigned which = (unsigned)rng_below(seed, 2, 0, sizeof(draws) / sizeof(*draws));
		const char *const *traffic = DRAW(traffics, seed, 4);
		char pattern[64], network[100], *alone;
		struct one_case c = {network,
				     DRAW(settings, seed, 1),
				     pattern,
				     1 + (uint32_t)rng_below(seed, 2, 2, 2),
				     rng_below(seed, 2, 3, 4) == 0 ? &net_linear : NULL,
				     rng_below(seed, 2, 10, 3) == 0};

		snprintf(network, sizeof(network), "%s routing=%s nics=%u", draws[which].network,
			 DRAW(draws[which].routings, seed, 9), 1 + (unsigned)rng_below(seed, 2, 8, 3));
		snprintf(pattern, sizeof(pattern), "%s:size=%u%s", traffic[0],
			 (unsigned)(rng_below(seed, 2, 5, 3) * rng_below(seed, 2, 6, 4000)), traffic[1]);
		alone = outcome(&c, 1, NULL, 0);
		CHECK(strlen(alone) > 300);
		compare(&c, DRAW(processes, seed, 7), seed, alone);
		free(alone);
	}
}

/*
 * Packets, credits and messages of another process must have their effect after the window. That of a linear message is
 * the end of its data: with 9000 bytes at 4 GB/s 2.25 us after that of the shortest message, which windows are for.
 */
static void a_window_that_is_100_ns_too_wide_is_an_error(void)
{
	for (unsigned i = 0; i < CASES; i++) {
		struct topology *t = topology_must(cases[i].network);
		struct err e = {0};
		uint16_t *owner = domain_divide(t, 2, &e);
		bool has_data = cases[i].other && !strstr(cases[i].pattern, "size=0");
		char *wrong = outcome(&cases[i], 2, owner, has_data ? 2350000 : 100000);

		if (!strstr(wrong, " of process ") || !strstr(wrong, "expected after the window, which ended at "))
			CHECK_STR(wrong, cases[i].network);
		free(wrong);
		free(owner);
		topology_destroy(t);
	}
}

/* Bytes that this process has in memory. */
static uint64_t resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	uint64_t pages = 0;

	REQUIRE(file != NULL && fscanf(file, "%*u %" SCNu64, &pages) == 1);
	fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/*
 * A torus of 37x31x27 has 30969 nodes and 185814 links between routers. A row of a link has 64 bytes, and those of its
 * two VCs 64: 11.9 MB each, of which the last of four processes lacks the first three quarters, 8.9 MB. Without the
 * parts of pages of 2 MiB at both ends these are at least two pages each, 8.4 MB. Lists of the links here take less
 * than 2 MB. The rows of VCs do not begin at a page.
 */
static void memory_of_rows_elsewhere_is_given_back(void)
{
	struct net_made m = net_must("packet", "dims=37x31x27", "");
	struct net_setup net = {.topology = m.topology, .config = &m.config, .seed = 3};
	struct err e = {0};
	struct window_setup s = {.kind = &net_packet, .owner = domain_divide(m.topology, 4, &e)};
	const struct net_partition partition = {.owner = s.owner, .me = 3, .partitions = 4, .user = &s};
	uint64_t before;

	s.engine = net_packet.create(&net, &e);
	REQUIRE(s.engine != NULL && s.owner != NULL);
	before = resident();
	CHECK_I64(net_packet.partitions->divide(s.engine, &partition, &e), 0);
	CHECK(resident() + 6000000 < before);
	net_packet.destroy(s.engine);
	free((uint16_t *)(uintptr_t)s.owner);
	net_unmake(&m);
}

/* Variables of launchers, and of what does not start several processes. */
static void launchers_say_number_and_kind(void)
{
	static const struct {
		const char *me, *processes, *count;
		enum mpi_kind kind;
	} rows[] = {
		{"PMI_RANK", "PMI_SIZE", "4", MPI_KIND_MPICH},
		{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "4", MPI_KIND_OPENMPI},
		{"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "4", MPI_KIND_OPENMPI},
		{"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "1", MPI_KIND_NONE},
		{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "4", MPI_KIND_NONE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned me, processes;

		setenv(rows[i].me, "3", 1);
		setenv(rows[i].processes, rows[i].count, 1);
		CHECK(mpi_launched(&me, &processes) == rows[i].kind);
		CHECK_I64(me, rows[i].kind ? 3 : 0);
		CHECK_I64(processes, rows[i].kind ? 4 : 1);
		unsetenv(rows[i].me);
		unsetenv(rows[i].processes);
	}
}

static const struct tap_test tests[] = {
	{"launchers say number and kind of MPI", launchers_say_number_and_kind},
	{"reports of 1 to 4 processes are those of one, for random divisions", reports_are_those_of_one_process},
	{"so are those of random networks, settings and traffic", so_are_those_of_random_cases},
	{"a window that is 100 ns too wide is an error", a_window_that_is_100_ns_too_wide_is_an_error},
	{"memory of rows elsewhere is given back", memory_of_rows_elsewhere_is_given_back},
};

int main(void)
{
	return tap_main("one run on several processes", tests, TAP_COUNT(tests));
}
