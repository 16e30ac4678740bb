/* The linear engine: netlink/engine/analytic. */
#include "tap.h"

#include <stdlib.h>

#include "alloc_fail.h"
#include "net_maker.h"

/* 10 us and 100 MB/s, which is 10 ns a byte; a message of its own, and one after the other. */
#define TURN "linear.latency=10us linear.bandwidth=100MB/s"
#define LINE TURN " linear.sends=at_once"

static void a_message_takes_latency_and_transfer(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	net_send(&m, 0, 1, 0, 5, 1000);
	net_send(&m, 0, 2, 3, 3, 0);
	CHECK_STR(net_next(&m), "SENT 1 at 0");
	CHECK_STR(net_next(&m), "SENT 2 at 0");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 10000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 20000000"); /* 10 us + 1000 x 10 ns */
	CHECK_STR(net_next(&m), "nothing");
	net_unmake(&m);
}

static void messages_do_not_share_anything(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	for (uint32_t i = 0; i < 8; i++)
		net_send(&m, 0, i, i, 8, 1000);
	CHECK_I64(net_finish(&m), 20000000);
	net_unmake(&m);
}

/* The second is shorter, and would be there first. */
static void a_pair_keeps_its_order(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	net_send(&m, 0, 7, 0, 5, 5000);      /* 10 + 50 us */
	net_send(&m, 1000000, 3, 0, 5, 100); /* 1 + 10 + 1 us */
	net_send(&m, 1000000, 4, 0, 6, 100); /* another pair */
	net_send(&m, 1000000, 5, 5, 0, 100); /* and back */
	CHECK_STR(net_next(&m), "SENT 7 at 0");
	CHECK_STR(net_next(&m), "SENT 3 at 1000000");
	CHECK_STR(net_next(&m), "SENT 4 at 1000000");
	CHECK_STR(net_next(&m), "SENT 5 at 1000000");
	CHECK_STR(net_next(&m), "DELIVERED 4 at 12000000");
	CHECK_STR(net_next(&m), "DELIVERED 5 at 12000000");
	CHECK_STR(net_next(&m), "DELIVERED 7 at 60000000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 60000000");
	net_unmake(&m);
}

/* Ranks 1 and 2 on node 0, 7 and 8 on node 5: short messages wait for the long one only from 1 to 7. */
static void ranks_of_a_node_do_not_wait_for_each_other(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	net_send_between(&m, 0, 1, 0, 5, 5000, 1, 7); /* 10 + 50 us */
	net_send_between(&m, 0, 2, 0, 5, 100, 2, 7);  /* 10 + 1 us */
	net_send_between(&m, 0, 3, 0, 5, 100, 1, 8);
	net_send_between(&m, 0, 4, 0, 5, 100, 1, 7);
	for (int i = 0; i < 4; i++)
		net_next(&m);
	CHECK_STR(net_next(&m), "DELIVERED 3 at 11000000"); /* of rank 1, then that of rank 2 */
	CHECK_STR(net_next(&m), "DELIVERED 2 at 11000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 60000000");
	CHECK_STR(net_next(&m), "DELIVERED 4 at 60000000");
	net_unmake(&m);
}

/* Ranks of a node may post their sends in any order: the time of sending decides. */
static void sends_take_effect_in_order_of_time(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	net_send(&m, 100000000, 1, 0, 5, 0); /* at 100 us */
	net_send(&m, 0, 2, 0, 5, 100);       /* posted later, but sent at 0: not behind it */
	CHECK_STR(net_next(&m), "SENT 2 at 0");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 11000000");
	CHECK_STR(net_next(&m), "SENT 1 at 100000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 110000000");
	net_unmake(&m);
}

/* 10 us + 1000 x 10 ns a message; the node's way out takes 1000 x 4 ns, so does the way in. */
static void ranks_of_a_node_share_its_injection(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE " node.injection=250MB/s");

	net_send(&m, 0, 1, 0, 5, 1000); /* out at 4 us, there at 20 us */
	net_send(&m, 0, 2, 0, 6, 1000); /* begins at 4 us, out at 8 us, there at 24 us */
	net_send(&m, 0, 3, 0, 0, 1000); /* within the node: nothing of it */
	CHECK_STR(net_next(&m), "SENT 3 at 0");
	CHECK_STR(net_next(&m), "SENT 1 at 4000000");
	CHECK_STR(net_next(&m), "SENT 2 at 8000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 24000000");
	net_unmake(&m);
}

/* One after the other leaves the node (10 us each) and enters the other one; the first does not wait for the second. */
static void a_pair_keeps_its_order_at_the_receiver(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE " node.injection=100MB/s");

	net_send(&m, 0, 1, 0, 5, 1000);
	net_send(&m, 0, 2, 0, 5, 1000);
	CHECK_STR(net_next(&m), "SENT 1 at 10000000");
	CHECK_STR(net_next(&m), "SENT 2 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 30000000");
	net_unmake(&m);
}

static void and_what_comes_in(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE " node.injection=250MB/s");

	for (uint32_t i = 1; i <= 3; i++)
		net_send(&m, 0, i, i, 0, 1000); /* all are at node 0 at 20 us: in at 20, 24, 28 us */
	CHECK_I64(net_finish(&m), 28000000);
	net_send(&m, 100000000, 4, 4, 0, 1000); /* nothing in its way: 100 + 20 us */
	CHECK_I64(net_finish(&m), 120000000);
	net_unmake(&m);
}

/* 1 us + 1000 x 1 ns each, memory 2 ns a byte: the second begins at 2 us. */
static void messages_within_a_node_share_its_memory(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4",
				     LINE " linear.local_latency=1us linear.local_bandwidth=1GB/s "
					  "node.memory=500MB/s");

	net_send(&m, 0, 1, 3, 3, 1000);
	net_send(&m, 0, 2, 3, 3, 1000);
	net_send(&m, 0, 3, 4, 4, 1000); /* another node */
	CHECK_STR(net_next(&m), "SENT 1 at 2000000");
	CHECK_STR(net_next(&m), "SENT 3 at 2000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 2000000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 2000000");
	CHECK_STR(net_next(&m), "SENT 2 at 4000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 4000000");
	net_unmake(&m);
}

static void without_a_network_nothing_takes_time(void)
{
	struct net_made m = net_must("none", "kind=torus dims=4x4", "node.injection=250MB/s");

	net_send(&m, 5, 1, 0, 5, 1000000);
	net_send(&m, 3, 2, 0, 5, 1000000);
	CHECK_STR(net_next(&m), "SENT 2 at 3");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 3");
	CHECK_STR(net_next(&m), "SENT 1 at 5");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 5");
	net_unmake(&m);
}

static void links_may_cost_time(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=8", LINE " linear.hop=100ns");

	net_send(&m, 0, 1, 0, 3, 0); /* 3 links */
	CHECK_I64(net_finish(&m), 10000000 + 300000);
	net_unmake(&m);
}

static void a_node_may_have_its_own_line(void)
{
	struct net_made m =
		net_must("linear", "kind=torus dims=8", LINE " linear.local_latency=1us linear.local_bandwidth=1GB/s");

	net_send(&m, 0, 1, 2, 2, 1000); /* 1 us + 1000 x 1 ns */
	CHECK_I64(net_finish(&m), 2000000);
	net_unmake(&m);
}

/* Waves over the pairs of 64 nodes: the table of pairs forgets those that are done, and stays in
 * order. */
static void many_pairs_are_remembered_and_forgotten(void)
{
	struct net_made m = net_must("linear", "kind=crossbar dims=64", LINE);

	for (int64_t wave = 0; wave < 3; wave++) {
		for (uint32_t i = 0; i < 4096; i++) {
			net_send(&m, wave * 100000000, 2 * i, i / 64, i % 64, 1000);
			net_send(&m, wave * 100000000, 2 * i + 1, i / 64, i % 64, 0);
		}
		/* the second of each pair waits for the first */
		CHECK_I64(net_finish(&m), wave * 100000000 + 20000000);
	}
	net_unmake(&m);
}

static void time_goes_on_to_where_it_should(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=8", LINE);
	struct net_notice x[2];

	net_send(&m, 5000, 1, 0, 1, 0);
	CHECK(m.kind->next_time(m.engine) > 0 && m.kind->next_time(m.engine) <= 5000); /* no notice before it */
	CHECK_I64(m.kind->advance(m.engine, 4999, x, 2, NULL), 0);
	CHECK_I64(m.kind->advance(m.engine, 20000000, x, 2, NULL), 1);
	CHECK(x[0].time_ps == 5000 && x[0].kind == NET_SENT);
	CHECK(m.kind->next_time(m.engine) > 5000 && m.kind->next_time(m.engine) <= 10005000);
	CHECK_I64(m.kind->verify(m.engine, NULL), -1); /* one is under way */
	CHECK_I64(m.kind->advance(m.engine, 20000000, x, 2, NULL), 1);
	CHECK_I64(m.kind->verify(m.engine, NULL), 0);
	net_unmake(&m);
}

static void short_memory_is_an_error(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);
	struct net_setup s = {.topology = m.topology, .config = &m.config};
	struct net_message x = {.dst = 1, .nic = NET_NIC_ANY};

	for (unsigned k = 1; k <= 5; k++) { /* the engine, its model, the events, the messages, the pairs */
		struct net_engine *n;
		struct err e;
		struct net_notice notice;
		int sent = -1;

		alloc_fail_at(k);
		n = m.kind->create(&s, &e);
		if (n)
			sent = m.kind->send(n, 0, &x, &e);
		if (n && sent == 0)
			sent = m.kind->advance(n, 0, &notice, 1, &e);
		CHECK(alloc_fail_end());
		CHECK(!n || sent < 0);
		CHECK_U64(e.status, STATUS_FAILED);
		m.kind->destroy(n);
	}
	net_unmake(&m);
}

/* ---- linear.sends = in_turn ---- */

/*
 * Three of 1000 bytes from node 0, 10 us each on its NIC: out at 10, 20, 30 us, there 10 us later; 3 to 4 meets
 * none.
 */
static void a_sender_never_exceeds_its_bandwidth(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", TURN);

	net_send_between(&m, 0, 1, 0, 5, 1000, 1, 9);
	net_send_between(&m, 0, 2, 0, 6, 1000, 1, 10);
	net_send_between(&m, 0, 3, 0, 7, 1000, 2, 11);
	net_send_between(&m, 0, 4, 3, 4, 1000, 3, 12);
	CHECK_STR(net_next(&m), "SENT 1 at 10000000");
	CHECK_STR(net_next(&m), "SENT 4 at 10000000");
	CHECK_STR(net_next(&m), "SENT 2 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 20000000");
	CHECK_STR(net_next(&m), "DELIVERED 4 at 20000000");
	CHECK_STR(net_next(&m), "SENT 3 at 30000000");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 30000000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 40000000");
	net_unmake(&m);
}

/*
 * Many to one come in one after the other: the first after 10 + 10 us, each of the others 10 us
 * later. With two NICs two at a time: four pairs, the last after three more turns.
 */
static void nor_does_a_receiver(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", TURN);
	struct net_made two = net_must("linear", "kind=torus dims=4x4 nics=2", TURN);

	for (uint32_t i = 1; i <= 8; i++) {
		net_send(&m, 0, i, i, 0, 1000);
		net_send(&two, 0, i, i, 0, 1000);
	}
	CHECK_I64(net_finish(&m), 20000000 + 7 * 10000000);
	CHECK_I64(net_finish(&two), 20000000 + 3 * 10000000);
	net_unmake(&m);
	net_unmake(&two);
}

/* A handshake behind 1 MB waits for none of it, at its source, in its pair or at the receiver: 10 us. */
static void handshakes_do_not_wait_for_data(void)
{
	static const char *const parameters[] = {TURN, LINE, LINE " node.injection=100MB/s"};

	for (unsigned i = 0; i < 3; i++) {
		struct net_made m = net_must("linear", "kind=torus dims=4x4", parameters[i]);

		net_send(&m, 0, 1, 0, 5, 1000000);
		net_send_control(&m, 1000000, 2, 0, 5, 0);
		net_send_control(&m, 1000000, 3, 0, 6, 0);
		net_send_control(&m, 1000000, 4, 7, 5, 0);
		for (int k = 0; k < (i == 1 ? 4 : 3); k++) /* where data leave at once, so is their notice */
			CHECK(net_next(&m)[0] == 'S');
		CHECK_STR(net_next(&m), "DELIVERED 2 at 11000000");
		CHECK_STR(net_next(&m), "DELIVERED 3 at 11000000");
		CHECK_STR(net_next(&m), "DELIVERED 4 at 11000000");
		net_unmake(&m);
	}
}

/*
 * But their bytes take bandwidth: 1000 of them, and 1000 of data behind others, are on the NIC of 100 MB/s 30 us
 * in all.
 */
static void handshakes_with_bytes_are_not_free(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", TURN);

	net_send(&m, 0, 1, 0, 5, 1000);
	net_send_control(&m, 1, 2, 0, 6, 1000);
	net_send(&m, 2, 3, 0, 7, 1000);
	CHECK_I64(net_finish(&m), 40000000);
	net_unmake(&m);
}

/*
 * What is not given: 4 GB/s links, stages of 4 x 4 + 78 = 94 ns, cables of 10 ns, none to the NICs. Over three
 * links of a ring of 8 there are 4 routers: 4 x 94 + 3 x 10 = 406 ns, and 4000 bytes take 1 us. Within the node 16
 * GB/s: 250 ns.
 */
static void what_is_not_given_follows_from_the_network(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=8", "");
	struct net_made slow =
		net_must("linear", "kind=torus dims=8 link.bandwidth=1GB/s link.cable=30ns link.nic_cable=5ns",
			 "router.switch_delay=0 nic.dma=500MB/s");

	net_send(&m, 0, 1, 0, 3, 4000);
	CHECK_I64(net_finish(&m), 1406000);
	net_send(&m, 10000000, 1, 2, 2, 4000);
	CHECK_I64(net_finish(&m), 10250000);
	net_unmake(&m);
	net_send(&slow, 0, 1, 0, 3, 1000); /* 4 x 16 + 3 x 30 + 2 x 5 ns, 1000 x 2 ns */
	CHECK_I64(net_finish(&slow), 164000 + 2000000);
	net_unmake(&slow);
}

/* A message alone takes what the flow engine says, on each kind of network, to each node. */
static void alone_it_is_as_flows_are(void)
{
	static const char *const networks[] = {
		"kind=torus dims=4x3",
		"kind=mesh dims=4x2x2 link.bandwidth=2GB/s",
		"kind=crossbar dims=9 link.nic_cable=20ns",
		"kind=fat_tree dims=3x3x2",
		"kind=dragonfly dims=2x3x1",
		"kind=hypercube dims=2^3",
	};

	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct net_made line = net_must("linear", networks[i], ""), flow = net_must("flow", networks[i], "");

		for (uint32_t to = 0; to < line.topology->nodes; to++) {
			net_send(&line, to * INT64_C(1000000000), to, 0, to, 100000);
			net_send(&flow, to * INT64_C(1000000000), to, 0, to, 100000);
			CHECK_I64(net_finish(&line), net_finish(&flow));
		}
		net_unmake(&line);
		net_unmake(&flow);
	}
}

static const struct tap_test tests[] = {
	{"a message takes latency and transfer", a_message_takes_latency_and_transfer},
	{"messages do not share anything", messages_do_not_share_anything},
	{"a pair of nodes keeps the order of its messages", a_pair_keeps_its_order},
	{"ranks of a node do not wait for each other", ranks_of_a_node_do_not_wait_for_each_other},
	{"sends take effect in order of time", sends_take_effect_in_order_of_time},
	{"ranks of a node share its injection", ranks_of_a_node_share_its_injection},
	{"a pair keeps its order at the receiver", a_pair_keeps_its_order_at_the_receiver},
	{"and what comes in", and_what_comes_in},
	{"messages within a node share its memory", messages_within_a_node_share_its_memory},
	{"without a network nothing takes time", without_a_network_nothing_takes_time},
	{"links may cost time", links_may_cost_time},
	{"messages within a node may have their own line", a_node_may_have_its_own_line},
	{"many pairs are remembered and forgotten", many_pairs_are_remembered_and_forgotten},
	{"time goes on to where it should", time_goes_on_to_where_it_should},
	{"a sender never exceeds its bandwidth", a_sender_never_exceeds_its_bandwidth},
	{"nor does a receiver", nor_does_a_receiver},
	{"handshakes do not wait for data", handshakes_do_not_wait_for_data},
	{"handshakes with bytes are not free", handshakes_with_bytes_are_not_free},
	{"what is not given follows from the network", what_is_not_given_follows_from_the_network},
	{"alone it is as flows are", alone_it_is_as_flows_are},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("linear engine", tests, TAP_COUNT(tests));
}
