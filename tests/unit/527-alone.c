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

static const struct tap_test tests[] = {
	{"times do not depend on earlier messages", times_do_not_depend_on_earlier_messages},
};

int main(void)
{
	return tap_main("messages on an idle network", tests, TAP_COUNT(tests));
}
