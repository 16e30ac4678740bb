/*
 * Links by class, [link.NAME]: halving the bandwidth of one class, or lengthening its cable, changes what crosses it
 * and nothing else, by the closed forms of the engines.
 */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "net_maker.h"
#include "topology_maker.h"

/*
 * Four groups of three routers with a node each. From node 0 the only link to node 1 is local, that to node 5 is
 * global: port 0 of group 0 leads to group 1, where port 2 leads back. Node 4 is a local link behind it.
 */
#define DRAGONFLY "kind=dragonfly dims=1x3x1"
enum { NEAR = 1, FAR = 5, BEHIND = 4 };

/* One message of 10 packets of 2048 bytes on the wire, of 2016 bytes. */
enum { PACKETS = 10, BYTES = PACKETS * 2016, WIRE = PACKETS * 2048 };

static int64_t time_of(const char *engine, const char *classes, const char *parameters, uint32_t dst)
{
	char network[300];
	struct net_made m;
	int64_t time;

	snprintf(network, sizeof(network), "%s %s", DRAGONFLY, classes);
	m = net_must(engine, network, parameters);
	net_send(&m, 0, 1, 0, dst, BYTES);
	time = net_finish(&m);
	net_unmake(&m);
	return time;
}

/* A router takes 94 ns, a cable 10 ns; a byte 250 ps on links of 4 GB/s, and 500 ps where one of the path has half. */
static int64_t packet_time(unsigned hops, int64_t ps_per_byte, int64_t more_cable_ps)
{
	return (int64_t)(hops + 1) * 94000 + hops * 10000 + more_cable_ps + WIRE * ps_per_byte;
}

static void packets_obey_the_class_that_they_cross(void)
{
	static const struct {
		const char *classes;
		int64_t near, far, behind, near_cable, far_cable, behind_cable;
	} cases[] = {
		{"", 250, 250, 250, 0, 0, 0},
		{"link.global.bandwidth=2GB/s", 250, 500, 500, 0, 0, 0},
		{"link.local.bandwidth=2GB/s", 500, 250, 500, 0, 0, 0},
		{"link.inject.bandwidth=2GB/s", 500, 500, 500, 0, 0, 0},
		{"link.eject.bandwidth=2GB/s", 500, 500, 500, 0, 0, 0},
		{"link.global.cable=510ns", 250, 250, 250, 0, 500000, 500000},
		{"link.local.cable=510ns", 250, 250, 250, 500000, 0, 500000},
		{"link.eject.cable=1us", 250, 250, 250, 1000000, 1000000, 1000000},
		{"link.global.bandwidth=2GB/s link.local.cable=510ns", 250, 500, 500, 500000, 0, 500000},
	};

	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		CHECK_I64(time_of("packet", cases[i].classes, "", NEAR),
			  packet_time(1, cases[i].near, cases[i].near_cable));
		CHECK_I64(time_of("packet", cases[i].classes, "", FAR),
			  packet_time(1, cases[i].far, cases[i].far_cable));
		CHECK_I64(time_of("packet", cases[i].classes, "", BEHIND),
			  packet_time(2, cases[i].behind, cases[i].behind_cable));
	}
}

/* The same without headers. */
static void flows_obey_the_class_that_they_cross(void)
{
	static const struct {
		const char *classes;
		int64_t near, far, behind, near_cable, far_cable, behind_cable;
	} cases[] = {
		{"", 250, 250, 250, 0, 0, 0},
		{"link.global.bandwidth=2GB/s", 250, 500, 500, 0, 0, 0},
		{"link.local.bandwidth=2GB/s", 500, 250, 500, 0, 0, 0},
		{"link.inject.bandwidth=2GB/s", 500, 500, 500, 0, 0, 0},
		{"link.global.cable=510ns", 250, 250, 250, 0, 500000, 500000},
		{"link.local.cable=510ns", 250, 250, 250, 500000, 0, 500000},
	};
	const int64_t one = 2 * 94000 + 10000, two = 3 * 94000 + 2 * 10000;

	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		CHECK_I64(time_of("flow", cases[i].classes, "", NEAR),
			  one + cases[i].near_cable + BYTES * cases[i].near);
		CHECK_I64(time_of("flow", cases[i].classes, "", FAR), one + cases[i].far_cable + BYTES * cases[i].far);
		CHECK_I64(time_of("flow", cases[i].classes, "", BEHIND),
			  two + cases[i].behind_cable + BYTES * cases[i].behind);
	}
}

/*
 * The linear engine knows one bandwidth, the least of all links, and one time of flight between routers, the mean: of
 * 36 links 24 are local and 12 global. A faster class changes nothing.
 */
static void lines_obey_the_narrowest_class_and_the_mean_cable(void)
{
	static const struct {
		const char *classes;
		int64_t ps_per_byte, cable;
	} cases[] = {
		{"", 250, 10000},
		{"link.global.bandwidth=2GB/s", 500, 10000},
		{"link.local.bandwidth=2GB/s", 500, 10000},
		{"link.global.bandwidth=8GB/s", 250, 10000},
		{"link.global.cable=310ns", 250, (24 * 10000 + 12 * 310000) / 36},
		{"link.local.cable=310ns", 250, (24 * 310000 + 12 * 10000) / 36},
	};
	const char *line = "linear.latency=auto linear.bandwidth=auto linear.hop=auto";

	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		CHECK_I64(time_of("linear", cases[i].classes, line, FAR),
			  2 * 94000 + cases[i].cable + BYTES * cases[i].ps_per_byte);
		CHECK_I64(time_of("linear", cases[i].classes, line, BEHIND),
			  3 * 94000 + 2 * cases[i].cable + BYTES * cases[i].ps_per_byte);
	}
}

/*
 * Two messages over the global link of 1 GB/s, 0 to 5 and 1 over 0 and 5 to 3. On a fat pipe each takes as long as
 * alone; sharing it, the second ends when the link has carried both.
 */
static int64_t time_of_two(const char *classes)
{
	char network[300];
	struct net_made m;
	int64_t time;

	snprintf(network, sizeof(network), "%s link.global.bandwidth=1GB/s %s", DRAGONFLY, classes);
	m = net_must("flow", network, "");
	net_send(&m, 0, 1, 0, 5, BYTES);
	net_send(&m, 0, 2, 1, 3, BYTES);
	time = net_finish(&m);
	net_unmake(&m);
	return time;
}

static void fat_pipes_are_not_shared(void)
{
	const int64_t three = 4 * 94000 + 3 * 10000;

	CHECK_I64(time_of_two("link.global.fat=yes"), three + BYTES * 1000);
	CHECK_I64(time_of_two(""), three + 2 * BYTES * 1000);
	CHECK_STR(topology_complaint(DRAGONFLY " link.inject.fat=yes"),
		  "-p: [link.inject]: fat = yes, expected it for links between routers only");
}

static double rate_of(const struct topology *t, const char *class)
{
	for (unsigned c = 0; c < t->classes; c++)
		if (!strcmp(t->class[c].name, class))
			return t->class[c].bytes_per_s;
	return -1;
}

/* Every class with links can be named; only it changes. The maker of networks takes no name with a blank. */
static void every_class_of_every_kind_has_a_section(void)
{
	static const char *const networks[] = {"kind=mesh dims=3x3",       "kind=torus dims=3x3 cabinet=3x1",
					       "kind=tofu dims=2x1x1",     "kind=crossbar dims=4",
					       "kind=hypercube dims=2^3",  "kind=hyper_crossbar dims=2x3",
					       "kind=fat_tree dims=2x2x2", DRAGONFLY};

	for (unsigned i = 0; i < TAP_COUNT(networks); i++) {
		struct topology *plain = topology_must(networks[i]);

		for (unsigned c = 0; c < plain->classes; c++) {
			const char *name = plain->class[c].name;
			char network[300];
			struct topology *t;

			if (strchr(name, ' ') || !plain->class[c].links)
				continue;
			snprintf(network, sizeof(network), "%s link.%s.bandwidth=3GB/s", networks[i], name);
			t = topology_must(network);
			for (unsigned k = 0; k < t->classes; k++)
				CHECK_F64(rate_of(t, t->class[k].name), strcmp(t->class[k].name, name) ? 4e9 : 3e9, 0);
			topology_destroy(t);
		}
		topology_destroy(plain);
	}
}

static void a_port_limits_a_faster_class(void)
{
	struct topology *t = topology_must(DRAGONFLY " link.global.bandwidth=8GB/s link.port_bandwidth=5GB/s");

	CHECK_F64(rate_of(t, "global"), 5e9, 0);
	CHECK_F64(rate_of(t, "local"), 4e9, 0);
	topology_destroy(t);
}

/* Two messages of a mesh, from and to these nodes, at once; 250 ps a byte. Returns the time of both. */
static int64_t time_of_pair(const char *network, const uint32_t ends[4])
{
	struct net_made m = net_must("flow", network, "");
	int64_t time;

	net_send(&m, 0, 1, ends[0], ends[1], BYTES);
	net_send(&m, 0, 2, ends[2], ends[3], BYTES);
	time = net_finish(&m);
	net_unmake(&m);
	return time;
}

/* Both directions of a link, or all links of a class, have one bandwidth. A message takes a backbone once. */
static void links_share_a_bandwidth(void)
{
	static const struct {
		const char *network;
		uint32_t ends[4], hops;
		int64_t ps_per_byte;
	} cases[] = {
		{"kind=dragonfly dims=2x2x1", {0, 2, 2, 0}, 1, 250},
		{"kind=dragonfly dims=2x2x1 link.local.half_duplex=yes", {0, 2, 2, 0}, 1, 500},
		{"kind=dragonfly dims=2x2x1 link.local.half_duplex=yes", {0, 2, 4, 6}, 1, 250}, /* of two groups */
		{"kind=dragonfly dims=2x2x1 link.local.backbone=yes", {0, 2, 4, 6}, 1, 500},
		{"kind=dragonfly dims=2x2x1 link.global.backbone=yes", {0, 2, 4, 6}, 1, 250},
		{"kind=mesh dims=4x2", {0, 3, 4, 7}, 3, 250},
		{"kind=mesh dims=4x2 link.+x.backbone=yes", {0, 3, 4, 7}, 3, 500},
		{"kind=mesh dims=4x2 link.+x.backbone=yes", {0, 3, 7, 4}, 3, 250}, /* another class back */
		{"kind=mesh dims=4x2", {0, 3, 3, 0}, 3, 250},
		{"kind=mesh dims=4x2 link.+x.half_duplex=yes link.-x.half_duplex=yes", {0, 3, 3, 0}, 3, 500},
		{"kind=mesh dims=4x2 link.+x.half_duplex=yes link.-x.half_duplex=yes", {0, 3, 7, 4}, 3, 250},
	};

	for (unsigned i = 0; i < TAP_COUNT(cases); i++)
		CHECK_I64(time_of_pair(cases[i].network, cases[i].ends),
			  (int64_t)(cases[i].hops + 1) * 94000 + cases[i].hops * 10000 + BYTES * cases[i].ps_per_byte);
	CHECK_STR(topology_complaint(DRAGONFLY " link.inject.backbone=yes"),
		  "-p: [link.inject]: backbone = yes, expected it for links between routers only");
	CHECK_STR(topology_complaint(DRAGONFLY " link.global.half_duplex=yes link.global.fat=yes"),
		  "-p: [link.global]: expected only one of fat, half_duplex and backbone");
}

static void mistakes_are_lines(void)
{
	CHECK_STR(topology_complaint(DRAGONFLY " link.globl.bandwidth=1GB/s"),
		  "-p: [link.globl]: no links of class globl, expected one of local, global, inject, eject (did you "
		  "mean global?)");
	/* a class of the kind that has no links here */
	CHECK_STR(topology_complaint(DRAGONFLY " groups=1 link.global.bandwidth=1GB/s"),
		  "-p: [link.global]: no links of class global, expected one of local, inject, eject (did you mean "
		  "local?)");
	CHECK_STR(topology_complaint(DRAGONFLY " link.nic_bandwidth=2GB/s link.inject.bandwidth=1GB/s "
					       "link.eject.bandwidth=1GB/s"),
		  "link.nic_bandwidth: [link.inject] and [link.eject] have a bandwidth, expected one of both");
	CHECK_STR(topology_complaint(DRAGONFLY " link.nic_cable=2ns link.inject.cable=1ns link.eject.cable=0"),
		  "link.nic_cable: [link.inject] and [link.eject] have a cable, expected one of both");
	CHECK_STR(topology_complaint(DRAGONFLY " link.global.bandwith=1GB/s"),
		  "-p: unknown key bandwith in section [link.global], did you mean bandwidth?");
	CHECK_STR(topology_complaint(DRAGONFLY " link.global.cable=-1ns"),
		  "-p: link.global.cable: -1ns is out of range, expected auto, or 0 to 1 s");
	CHECK_STR(topology_complaint(DRAGONFLY " link.a-class-of-links.cable=1ns"),
		  "-p: [link.a-class-of-links]: expected a class of at most 15 characters");
	CHECK_STR(topology_complaint(DRAGONFLY " link.global.=1"),
		  "-p: unknown key  in section [link.global], expected one of bandwidth, energy, fat, half_duplex, "
		  "backbone, cable");
}

static const struct tap_test tests[] = {
	{"packets obey the class that they cross", packets_obey_the_class_that_they_cross},
	{"flows obey the class that they cross", flows_obey_the_class_that_they_cross},
	{"lines obey the narrowest class and the mean cable", lines_obey_the_narrowest_class_and_the_mean_cable},
	{"fat pipes are not shared", fat_pipes_are_not_shared},
	{"links share a bandwidth", links_share_a_bandwidth},
	{"every class of every kind has a section", every_class_of_every_kind_has_a_section},
	{"a port limits a faster class", a_port_limits_a_faster_class},
	{"mistakes are lines", mistakes_are_lines},
};

int main(void)
{
	return tap_main("classes of links", tests, TAP_COUNT(tests));
}
