/* Messages on an idle network take the same time whatever was measured before: ranks choose algorithms by it. */
#include "tap.h"

#include <stdio.h>

#include "net_maker.h"
#include "netlink/engine/alone.h"

enum { NODES_MOST = 128 };

/* All nodes send to the node `by` further. */
static int64_t shift(struct alone *a, const struct topology *t, uint32_t by, uint64_t bytes)
{
	struct alone_pair pairs[NODES_MOST];
	struct err e = {0};
	int64_t ps;

	REQUIRE(t->nodes <= NODES_MOST);
	for (uint32_t i = 0; i < t->nodes; i++)
		pairs[i] = (struct alone_pair){i, (i + by) % t->nodes, i, (i + by) % t->nodes};
	ps = alone_measure_together(a, pairs, t->nodes, bytes, &e);
	CHECK_STR(e.text, "");
	return ps;
}

static void times_do_not_depend_on_earlier_messages(void)
{
	static const char *const cases[][3] = {
		{"packet", "dims=4x4", ""},
		{"packet", "dims=4x4 ties=random", ""},
		{"packet", "dims=4x4 routing=valiant", ""},
		{"packet", "dims=4x4 routing=adaptive", ""},
		{"packet", "dims=4x4", "router.arbitration=round_robin"},
		{"packet", "dims=4x4 nics=3", ""},
		{"packet", "dims=4x4", "router.input_port=one_packet"},
		{"packet", "kind=dragonfly dims=2x4x2 routing=valiant", ""},
		{"packet", "kind=dragonfly dims=2x4x2 routing=ugal", ""},
		{"packet", "kind=fat_tree dims=4x4 routing=random", ""},
		{"packet", "kind=fat_tree dims=4x4 routing=adaptive", ""},
		{"packet", "kind=hyper_crossbar dims=4x4 routing=either_vc", ""},
		{"flow", "dims=4x4 routing=valiant", ""},
		{"flow", "dims=4x4 ties=random", ""},
		{"flow", "dims=4x4 nics=3", ""},
		{"linear", "dims=4x4", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net_made m = net_must(cases[i][0], cases[i][1], cases[i][2]);
		struct net_setup s = {.topology = m.topology, .config = &m.config, .seed = 1};
		struct err e = {0};
		struct alone *a = alone_create(m.kind, &s, &e);
		int64_t first;

		REQUIRE(a != NULL);
		first = shift(a, m.topology, 5, 3000);
		for (uint32_t by = 1; by < 8; by++) {
			shift(a, m.topology, by, 700 * by);
			if (shift(a, m.topology, 5, 3000) != first)
				CHECK_STR(cases[i][1], "the time of the first time");
		}
		alone_destroy(a);
		net_unmake(&m);
	}
}

/* The time of a message to a node of a ring, alone on it. */
static int64_t on_ring(const char *routing, uint32_t to, bool together)
{
	char network[64];
	struct alone_pair pair = {0, to, 0, to};
	struct alone_time time;
	struct err e = {0};
	struct net_made m;
	struct net_setup s;
	struct alone *a;

	snprintf(network, sizeof(network), "dims=8 routing=%s", routing);
	m = net_must("packet", network, "");
	s = (struct net_setup){.topology = m.topology, .config = &m.config, .seed = 1};
	a = alone_create(m.kind, &s, &e);
	REQUIRE(a != NULL && alone_measure(a, 0, to, 8, &time, &e) == 0);
	if (together)
		time.delivered = alone_measure_together(a, &pair, 1, 8, &e);
	alone_destroy(a);
	net_unmake(&m);
	return time.delivered;
}

/*
 * Valiant's way from node 0 to 1 of a ring of 8 goes by a random node i, from 0 to 7: it has 0 + 1, 1 + 0, 2 + 1,
 * 3 + 2, 4 + 3, 3 + 4, 2 + 3 or 1 + 2 links, 4 in the mean, with a deviation of 2.2. The mean of 16 draws has one of
 * 0.56: 2 and 6 links are 3.6 of these away.
 */
static void random_ways_take_their_mean(void)
{
	int64_t one = on_ring("dimension_order", 1, false), four = on_ring("dimension_order", 4, false);
	int64_t link = (four - one) / 3, mean = on_ring("valiant", 1, false);

	CHECK(mean > one + link);
	CHECK(mean < one + 5 * link);
	CHECK_I64(on_ring("valiant", 1, true), mean);
	CHECK_I64(on_ring("dimension_order", 4, true), four);
}

static const struct tap_test tests[] = {
	{"random ways take their mean", random_ways_take_their_mean},
	{"times do not depend on earlier messages", times_do_not_depend_on_earlier_messages},
};

int main(void)
{
	return tap_main("messages on an idle network", tests, TAP_COUNT(tests));
}
