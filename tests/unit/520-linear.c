/* The linear engine: netlink/engine/linear/, netlink/engine/delay.c. */
#include "tap.h"

#include <stdlib.h>

#include "alloc_fail.h"
#include "net_maker.h"

/* 10 us and 100 MB/s, which is 10 ns a byte. */
#define LINE "linear.latency=10us linear.bandwidth=100MB/s"

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
	CHECK_STR(net_next(&m), "DELIVERED 2 at 11000000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 11000000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 60000000");
	CHECK_STR(net_next(&m), "DELIVERED 4 at 60000000");
	net_unmake(&m);
}

/* Ranks of a node may tell of their sends in any order: what counts is when they send. */
static void sends_take_effect_in_order_of_time(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE);

	net_send(&m, 100000000, 1, 0, 5, 0); /* at 100 us */
	net_send(&m, 0, 2, 0, 5, 100);       /* and told later, but sent at 0: not behind it */
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

static void and_what_comes_in(void)
{
	struct net_made m = net_must("linear", "kind=torus dims=4x4", LINE " node.injection=250MB/s");

	for (uint32_t i = 1; i <= 3; i++)
		net_send(&m, 0, i, i, 0, 1000); /* all stand before node 0 at 20 us: in at 20, 24, 28 us */
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
	struct net_made m = net_must("linear", "kind=torus dims=8",
	                             LINE " linear.local_latency=1us linear.local_bandwidth=1GB/s");

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

static const struct tap_test tests[] = {
	{"a message takes latency and transfer", a_message_takes_latency_and_transfer},
	{"messages do not share anything", messages_do_not_share_anything},
	{"a pair of nodes keeps the order of its messages", a_pair_keeps_its_order},
	{"ranks of a node do not wait for each other", ranks_of_a_node_do_not_wait_for_each_other},
	{"sends take effect in order of time", sends_take_effect_in_order_of_time},
	{"ranks of a node share its injection", ranks_of_a_node_share_its_injection},
	{"and what comes in", and_what_comes_in},
	{"messages within a node share its memory", messages_within_a_node_share_its_memory},
	{"without a network nothing takes time", without_a_network_nothing_takes_time},
	{"links may cost time", links_may_cost_time},
	{"messages within a node may have their own line", a_node_may_have_its_own_line},
	{"many pairs are remembered and forgotten", many_pairs_are_remembered_and_forgotten},
	{"time goes on to where it should", time_goes_on_to_where_it_should},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("linear engine", tests, TAP_COUNT(tests));
}
