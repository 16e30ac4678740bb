/* The flow engine: netlink/engine/flow/flow.h, times worked out by hand. */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "net_maker.h"

/*
 * Links of 1 GB/s: 1000 ps a byte; cables of 10 ns, NICs without; a router 4 + 4 + 4 + 4 + 78 = 94 ns.
 * Nodes 0 … 3 of a ring: 0 -> 1 passes two routers and one cable.
 */
#define RING "kind=torus dims=4 link.bandwidth=1GB/s link.cable=10ns"

static void a_message_takes_latency_and_size_over_bandwidth(void)
{
	struct net_made m = net_must("flow", RING, "");

	net_send(&m, 500, 7, 0, 1, 1000);
	CHECK_STR(net_next(&m), "SENT 7 at 1000500");
	CHECK_STR(net_next(&m), "DELIVERED 7 at 1198500"); /* + 2 x 94 + 10 ns */
	CHECK_STR(net_next(&m), "nothing");
	net_unmake(&m);
}

static void latency_may_pass_before_or_be_left_out(void)
{
	struct net_made m = net_must("flow", RING, "flow.latency=before flow.overhead=1us");

	net_send(&m, 0, 1, 0, 2, 1000); /* two hops: 3 x 94 + 2 x 10 = 302 ns */
	CHECK_STR(net_next(&m), "SENT 1 at 2302000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 2302000");
	net_unmake(&m);
	m = net_must("flow", RING, "flow.latency=none");
	net_send(&m, 0, 1, 0, 2, 1000);
	CHECK_STR(net_next(&m), "SENT 1 at 1000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 1000000");
	net_unmake(&m);
}

/*
 * 0 -> 1 and 0 -> 2 share node 0's NIC and the link 0 -> 1: 1000 bytes each at half
 * the bandwidth: 2 us. A third from 1 µs on: 500 left of the first two, at a third:
 * both end at 2.5 us; the third then has 500 left, alone: 3 us.
 */
static void messages_share_links(void)
{
	struct net_made m = net_must("flow", RING, "flow.latency=none");

	net_send(&m, 0, 1, 0, 1, 1000);
	net_send(&m, 0, 2, 0, 2, 1000);
	net_send(&m, 1000000, 3, 0, 1, 1000);
	CHECK_STR(net_next(&m), "SENT 1 at 2500000");
	CHECK_STR(net_next(&m), "SENT 2 at 2500000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 2500000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 2500000");
	CHECK_STR(net_next(&m), "SENT 3 at 3000000");
	net_unmake(&m);
}

static void a_message_without_bytes_takes_latency_alone(void)
{
	struct net_made m = net_must("flow", RING, "");

	net_send(&m, 100, 1, 0, 1, 0);
	CHECK_STR(net_next(&m), "SENT 1 at 100");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 198100");
	CHECK_STR(net_next(&m), "nothing");
	net_unmake(&m);
}

/*
 * Two copies within node 2, and what its NIC reads, share its memory: 2/3 GB/s each. After 750 ns the NIC's 500 bytes
 * are read, and the copies have 500 bytes left, 1 GB/s each.
 */
static void messages_within_a_node_share_its_memory(void)
{
	struct net_made m = net_must("flow", RING, "nic.memory=2GB/s");

	net_send(&m, 0, 1, 2, 2, 1000);
	net_send(&m, 0, 2, 2, 2, 1000);
	net_send(&m, 0, 3, 2, 1, 500);
	CHECK_STR(net_next(&m), "SENT 3 at 750000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 948000");
	CHECK_STR(net_next(&m), "SENT 1 at 1250000");
	net_unmake(&m);
}

/*
 * The NIC's message is on its way, at 1 GB/s, when the copies begin: 1500 bytes are left of it. All are at 2/3 GB/s
 * until the copies end, 1.5 us later; then 500 bytes of it are left, at 1 GB/s.
 */
static void those_in_progress_share_it_too(void)
{
	struct net_made m = net_must("flow", RING, "nic.memory=2GB/s flow.latency=none");

	net_send(&m, 0, 3, 2, 1, 2000);
	net_send(&m, 500000, 1, 2, 2, 1000);
	net_send(&m, 500000, 2, 2, 2, 1000);
	CHECK_STR(net_next(&m), "SENT 1 at 2000000");
	CHECK_STR(net_next(&m), "SENT 2 at 2000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 2000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 2000000");
	CHECK_STR(net_next(&m), "SENT 3 at 2500000");
	net_unmake(&m);
}

/*
 * From a corner of a square to the other packets may go first along x or first along y. Each way can fill 92 % of its
 * links of 1 GB/s (USABLE in flow_begin.c), and the NIC carries 2 GB/s: 1 MB takes 1 ms / 1.84.
 */
static void packets_that_choose_use_both_ways(void)
{
	struct net_made m =
		net_must("flow", "kind=mesh dims=2x2 routing=adaptive link.bandwidth=1GB/s link.nic_bandwidth=2GB/s",
			 "flow.latency=none");

	net_send(&m, 0, 1, 0, 3, 1000000);
	CHECK_STR(net_next(&m), "SENT 1 at 543478261");
	net_unmake(&m);
}

/*
 * On a 4 x 4 mesh 0 -> 5 may go by node 1 or by node 4; 1 -> 9 has one way, over the link that the former shares. In
 * dimension order both take 2 ms. Where packets choose, they avoid the link: 1 ms, or 1 / 0.92 of it as above.
 */
static void they_avoid_what_others_need(void)
{
	static const char *const routing[] = {"dimension_order", "adaptive"};

	for (unsigned i = 0; i < 2; i++) {
		char network[96];
		struct net_made m;
		int64_t last;

		snprintf(network, sizeof(network), "kind=mesh dims=4x4 link.bandwidth=1GB/s routing=%s", routing[i]);
		m = net_must("flow", network, "flow.latency=none");
		net_send(&m, 0, 1, 0, 5, 1000000);
		net_send(&m, 0, 2, 1, 9, 1000000);
		last = net_finish(&m);
		CHECK(i ? last >= 1000000000 && last < 1150000000 : last == 2000000000);
		net_unmake(&m);
	}
}

/*
 * 0 -> 2 with 100 kB and 1 -> 2 with 200 kB share a link of 1 GB/s, and the former ends after 0.2 ms. Alone the latter
 * then takes 0.1 ms more. Among 16 messages its rate follows a sixteenth of the time later, 12.5 us, half of which are
 * lost.
 */
static void rates_of_many_follow_ends_after_a_sixteenth_of_the_time(void)
{
	for (uint32_t others = 0; others <= 14; others += 14) {
		struct net_made m = net_must("flow", "kind=mesh dims=32 link.bandwidth=1GB/s routing=adaptive",
					     "flow.latency=none");

		net_send(&m, 0, 1, 0, 2, 100000);
		net_send(&m, 0, 2, 1, 2, 200000);
		for (uint32_t i = 0; i < others; i++)
			net_send(&m, 0, 3 + i, 3 + 2 * i, 4 + 2 * i, 10000000);
		CHECK_STR(net_next(&m), "SENT 1 at 200000000");
		CHECK_STR(net_next(&m), "DELIVERED 1 at 200000000");
		CHECK_STR(net_next(&m), others ? "SENT 2 at 306250000" : "SENT 2 at 300000000");
		net_finish(&m);
		net_unmake(&m);
	}
}

/*
 * Three groups of two nodes. 0 -> 2 may go by a global link and the local link of 3 -> 2, or via the third group.
 * 3 -> 2 fills that local link. Packets of 0 -> 2 that choose by the global link's queue avoid the local link less than
 * those that choose by their whole way.
 */
static void packets_that_see_one_queue_choose_by_it(void)
{
	static const char *const routing[] = {"ugal", "ugal_global"};
	int64_t last[2];

	for (unsigned i = 0; i < 2; i++) {
		char network[128];
		struct net_made m;

		snprintf(network, sizeof(network),
			 "kind=dragonfly dims=1x2x1 link.bandwidth=1GB/s link.nic_bandwidth=4GB/s routing=%s",
			 routing[i]);
		m = net_must("flow", network, "flow.latency=none");
		net_send(&m, 0, 1, 0, 2, 1000000);
		net_send(&m, 0, 2, 3, 2, 1000000);
		last[i] = net_finish(&m);
		net_unmake(&m);
	}
	CHECK(last[1] > last[0]);
}

/*
 * Two parents, drawn for each packet: the link to the one that gets more limits the message, which has 2 GB/s for
 * links of 1 GB/s. Equal shares take 0.5 ms. 489 packets are within four standard deviations, 1/2 + 2 / sqrt(489), up
 * to 0.591 ms. A million times as many bytes have a thousandth of the deviation.
 */
static void random_ways_have_fixed_shares(void)
{
	static const struct {
		uint64_t bytes;
		int64_t least, most;
	} cases[] = {
		{1000000, 500000000, 591000000},
		{1000000000000, 500000000000000, 500091000000000},
	};

	for (unsigned i = 0; i < 2; i++) {
		struct net_made m = net_must(
			"flow", "kind=fat_tree dims=2x2 routing=random link.bandwidth=1GB/s link.nic_bandwidth=2GB/s",
			"flow.latency=none");
		int64_t last;

		net_send(&m, 0, 1, 0, 2, cases[i].bytes);
		last = net_finish(&m);
		CHECK(last > cases[i].least && last <= cases[i].most);
		net_unmake(&m);
	}
}

/* 128 ways across 128 x 128 nodes have more links than a flow may have: fewer are taken. The NIC is the limit. */
static void random_ways_of_large_networks_fit(void)
{
	static const char *const networks[] = {
		"kind=mesh dims=128x128 link.bandwidth=1GB/s routing=valiant",
		"kind=torus dims=128x128 link.bandwidth=1GB/s routing=valiant ties=random",
	};

	for (unsigned i = 0; i < 2; i++) {
		struct net_made m = net_must("flow", networks[i], "flow.latency=none");

		net_send(&m, 0, 1, 0, 16383, 1000000);
		CHECK_STR(net_next(&m), "SENT 1 at 1000000000");
		net_unmake(&m);
	}
}

/* Alone after 1 us 1000 bytes are through, but the step of 3 us goes on: both are reported at its end. */
static void resolution_holds_ends_back(void)
{
	struct net_made m = net_must("flow", RING, "flow.latency=none flow.resolution=3us");

	net_send(&m, 0, 1, 0, 1, 1000);
	net_send(&m, 0, 2, 2, 3, 2000);
	CHECK_STR(net_next(&m), "SENT 1 at 3000000");
	CHECK_STR(net_next(&m), "SENT 2 at 3000000");
	net_unmake(&m);
}

/* Packets of 80 + 20 bytes in flits of 16: 100 -> 112; 200 bytes: 112 + 112 + (40 + 20 -> 64) = 288. */
static void headers_may_be_carried(void)
{
	struct net_made m =
		net_must("flow", RING, "flow.headers=yes flow.latency=none nic.mtu=100 nic.header=20 router.flit=16");

	net_send(&m, 0, 1, 0, 1, 200);
	CHECK_STR(net_next(&m), "SENT 1 at 288000");
	net_unmake(&m);
}

/* Pauses of 3 us after packets of 1000 bytes, 1 us each: a quarter of the bandwidth; the rest is for others. */
static void a_gap_limits_its_message(void)
{
	struct net_made m = net_must("flow", RING, "flow.latency=none nic.mtu=1000 nic.header=0");
	struct net_message x = {.id = 1, .src = 0, .dst = 1, .nic = 0, .bytes = 1000, .gap_ps = 3000000};
	struct err e = {0};

	net_send(&m, 0, 2, 0, 1, 3000);
	CHECK_I64(m.kind->send(m.engine, 0, &x, &e), 0);
	CHECK_STR(net_next(&m), "SENT 2 at 4000000"); /* at 3/4 */
	CHECK_STR(net_next(&m), "SENT 1 at 4000000"); /* at 1/4 */
	net_unmake(&m);
}

/* Two NICs, in turn: messages 1 and 2 of node 0 do not share; on the way to node 1 they do (1 GB/s). */
static void several_nics_are_used_in_turn(void)
{
	struct net_made m = net_must("flow", RING " nics=2", "flow.latency=none");

	net_send(&m, 0, 1, 0, 1, 1000);
	net_send(&m, 0, 2, 0, 3, 1000); /* the other way round */
	CHECK_STR(net_next(&m), "SENT 1 at 1000000");
	CHECK_STR(net_next(&m), "SENT 2 at 1000000");
	net_unmake(&m);
	m = net_must("flow", RING " nics=2", "flow.latency=none nic.select=first");
	net_send(&m, 0, 1, 0, 1, 1000);
	net_send(&m, 0, 2, 0, 3, 1000);
	CHECK_STR(net_next(&m), "SENT 1 at 2000000");
	net_unmake(&m);
}

/* Every pair of 16 nodes at once, every rule and kind of ways: nothing is lost, the certificate holds. */
static void nothing_is_lost(void)
{
	static const char *const modes[] = {"flow.mode=maxmin", "flow.mode=n", "flow.mode=f", "flow.mode=n-literal",
					    "flow.share=latency flow.latency=before"};
	static const char *const networks[] = {
		"kind=torus dims=4x4 routing=adaptive", "kind=torus dims=4x4 routing=valiant",
		"kind=torus dims=4x4 routing=ugal", "kind=fat_tree dims=4x4 routing=random"};

	for (unsigned i = 0; i < 9; i++) {
		struct net_made m = i < 5 ? net_must("flow", "kind=torus dims=4x4", modes[i])
					  : net_must("flow", networks[i - 5], "");

		for (uint32_t k = 0; k < 256; k++)
			net_send(&m, k % 7 * 1000, k, k / 16, k % 16, 1000 + 13 * k);
		CHECK(net_finish(&m) > 0);
		net_unmake(&m);
	}
}

/* Repeats messages_share_links with `setup`; returns its report as JSON, or NULL if there is none. */
static json_t *logged(struct net_log_setup setup)
{
	struct net_made m = net_must("flow", RING, "flow.latency=none");
	struct report *r = report_create();
	FILE *file = tmpfile();
	struct err e = {0};
	json_t *root;

	REQUIRE(r != NULL && file != NULL);
	setup.topology = m.topology;
	m.log = net_log_create(&setup, &e);
	REQUIRE(m.log != NULL);
	net_send(&m, 0, 1, 0, 1, 1000);
	net_send(&m, 0, 2, 0, 2, 1000);
	net_send(&m, 1000000, 3, 0, 1, 1000);
	CHECK_I64(net_finish(&m), 3000000); /* as without a log */
	CHECK_I64(net_log_finish(m.log, &e), 0);
	net_log_report(m.log, r);
	CHECK_I64(report_write(r, REPORT_JSON, file, &e), 0);
	rewind(file);
	root = json_loadf(file, 0, NULL);
	fclose(file);
	report_destroy(r);
	net_log_destroy(m.log);
	m.log = NULL;
	net_unmake(&m);
	return root;
}

static double cell(const json_t *root, const char *table, size_t row, const char *column)
{
	const json_t *rows = json_object_get(root, table);

	return json_number_value(json_object_get(json_array_get(rows, row), column));
}

/*
 * Points at 1 and 2 us. Until 1 us link 0 -> 1 carries 1000 bytes and 1 -> 2, of message 2 alone, 500: together
 * 1500 of 4 links "+x": 375 MB/s a link; both busy, of four: 50 %. Then three at a third: 1000 and 333 1/3 bytes.
 * Of the ejections those of 1 and 2 carry: 500 and 500, then 666 2/3 and 333 1/3.
 */
static void series_tell_what_links_carry(void)
{
	json_t *root = logged((struct net_log_setup){.series = true, .interval_ps = 1000000});

	REQUIRE(root != NULL);
	CHECK_U64(json_array_size(json_object_get(root, "series_throughput")), 2);
	CHECK_U64(json_array_size(json_object_get(root, "series_buffers")), 0); /* there are none */
	CHECK_F64(cell(root, "series_throughput", 0, "+x"), 375e6, 1);
	CHECK_F64(cell(root, "series_throughput", 1, "+x"), 1000e6 / 3, 1);
	CHECK_F64(cell(root, "series_throughput", 1, "-x"), 0, 0);
	CHECK_F64(cell(root, "series_throughput", 0, "inject"), 250e6, 1);
	CHECK_F64(cell(root, "series_throughput", 1, "eject"), 250e6, 1);
	CHECK_F64(cell(root, "series_busy", 0, "+x"), 50, 1e-9);
	CHECK_F64(cell(root, "series_busy", 1, "inject"), 25, 1e-9);
	CHECK_F64(cell(root, "series_busy", 1, "eject"), 50, 1e-9);
	json_decref(root);
}

/* Three messages, each a pair of events. */
static void messages_are_in_the_log(void)
{
	FILE *file = tmpfile();
	json_t *root, *events, *event;
	unsigned begins = 0, ends = 0;
	size_t i;

	REQUIRE(file != NULL);
	json_decref(logged((struct net_log_setup){.chrome = file}));
	rewind(file);
	root = json_loadf(file, 0, NULL);
	REQUIRE(root != NULL);
	events = json_object_get(root, "traceEvents");
	json_array_foreach(events, i, event)
	{
		begins += !strcmp(json_string_value(json_object_get(event, "ph")), "b");
		ends += !strcmp(json_string_value(json_object_get(event, "ph")), "e");
	}
	CHECK_U64(begins, 3);
	CHECK_U64(ends, 3);
	json_decref(root);
	fclose(file);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a message takes latency and size over bandwidth", a_message_takes_latency_and_size_over_bandwidth},
		{"latency may pass before or be left out", latency_may_pass_before_or_be_left_out},
		{"messages share links", messages_share_links},
		{"a message without bytes takes latency alone", a_message_without_bytes_takes_latency_alone},
		{"messages within a node share its memory", messages_within_a_node_share_its_memory},
		{"those in progress share it too", those_in_progress_share_it_too},
		{"packets that choose use both ways", packets_that_choose_use_both_ways},
		{"they avoid what others need", they_avoid_what_others_need},
		{"packets that see one queue choose by it", packets_that_see_one_queue_choose_by_it},
		{"random ways have fixed shares", random_ways_have_fixed_shares},
		{"rates of many follow ends after a sixteenth of the time",
		 rates_of_many_follow_ends_after_a_sixteenth_of_the_time},
		{"random ways of large networks fit", random_ways_of_large_networks_fit},
		{"resolution holds ends back", resolution_holds_ends_back},
		{"headers may be carried", headers_may_be_carried},
		{"a gap limits its message", a_gap_limits_its_message},
		{"several NICs are used in turn", several_nics_are_used_in_turn},
		{"nothing is lost", nothing_is_lost},
		{"series tell what links carry", series_tell_what_links_carry},
		{"messages are in the log", messages_are_in_the_log},
	};

	return tap_main("flow", tests, TAP_COUNT(tests));
}
