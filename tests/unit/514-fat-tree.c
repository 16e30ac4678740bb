/* Fat trees: netlink/topology/fat_tree.c. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "topology_maker.h"

/* 2p-port switches in three levels, p = 3: N = 2 p^3 = 54, 2 p^2 = 18 leaves, 18 above, p^2 = 9
 * roots. */
static void the_papers_tree_has_its_switches(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=3x3x6");
	static const char *const names[] = {"up1", "down1", "up2", "down2"};

	CHECK_U64(t->nodes, 54);
	CHECK_U64(t->routers, 18 + 18 + 9);
	CHECK_U64(t->vcs, 1);
	for (unsigned c = 0; c < 4; c++) {
		CHECK_STR(t->class[c].name, names[c]);
		CHECK_U64(t->class[c].links, 54);
	}
	/* every switch has 6 ports */
	for (uint32_t v = 54; v < 54 + 45; v++) {
		CHECK_U64(t->out_first[v + 1] - t->out_first[v], 6);
		CHECK_U64(t->in_first[v + 1] - t->in_first[v], 6);
	}
	topology_destroy(t);
}

static void distances_depend_on_the_common_ancestor(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=3x3x6");

	CHECK_U64(topology_distance(t, 0, 2), 0); /* one leaf */
	CHECK_U64(topology_distance(t, 0, 3), 2); /* one pod of 9 */
	CHECK_U64(topology_distance(t, 0, 8), 2);
	CHECK_U64(topology_distance(t, 0, 9), 4);
	CHECK_U64(topology_distance(t, 53, 0), 4);
	topology_destroy(t);
}

/* The most ways over one link when all nodes send at once: node i to (i + shift) mod N. */
static unsigned most_on_a_link(const struct topology *t, unsigned shift)
{
	unsigned *ways = calloc(t->links, sizeof(*ways)), most = 0;

	REQUIRE(ways != NULL);
	for (uint32_t src = 0; src < t->nodes; src++) {
		uint32_t links[32];
		unsigned n = topology_path(t, src, (src + shift) % t->nodes, src + 1000 * shift, links, 32);

		REQUIRE(n > 0);
		for (unsigned i = 0; i < n; i++)
			most = ++ways[links[i]] > most ? ways[links[i]] : most;
	}
	free(ways);
	return most;
}

/*
 * Up by the destination's digits: the nodes below a switch are as many as its parents, and a shift
 * sends them to as many nodes in a row, whose digits are all different.
 */
static void shifts_do_not_meet(void)
{
	static const char *const networks[] = {"kind=fat_tree dims=3x3x6", "kind=fat_tree dims=4x4x8",
					       "kind=fat_tree dims=2^5", "kind=fat_tree dims=6x6",
					       "kind=fat_tree dims=3x3x6 routing=source_digits"};

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);

		for (unsigned shift = 0; shift < t->nodes; shift++)
			CHECK_U64(most_on_a_link(t, shift), 1);
		topology_destroy(t);
	}
}

/* With random parents 54 ways cannot all miss each other for long; with half the parents two must
 * meet. */
static void others_meet(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=3x3x6 routing=random");
	unsigned met = 0;

	for (unsigned shift = 1; shift < 54; shift++)
		met += most_on_a_link(t, shift) > 1;
	CHECK(met > 40);
	topology_destroy(t);
	t = topology_must("kind=fat_tree dims=4x4 up=2");
	CHECK_U64(most_on_a_link(t, 4), 2);
	topology_destroy(t);
}

/* The parents that 6000 packets of random keys take from a leaf, of 3: 2000 each, deviation 36.5;
 * five of them. */
static void random_parents_are_even(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=3x3x6 routing=random");
	unsigned taken[2][3] = {{0}};

	for (uint64_t key = 0; key < 6000; key++) {
		uint32_t links[8];

		REQUIRE(topology_path(t, 0, 53, key, links, 8) == 6);
		taken[0][t->link[links[1]].out_port]++;
		taken[1][t->link[links[2]].out_port - 3]++; /* 3 ports down before those up */
	}
	for (unsigned i = 0; i < 6; i++)
		CHECK(taken[i / 3][i % 3] > 1817 && taken[i / 3][i % 3] < 2183);
	topology_destroy(t);
}

/* u1 = d mod p, u2 = floor(d / p) mod p. */
static void parents_are_digits_of_the_destination(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=3x3x6");
	uint32_t links[8];

	REQUIRE(topology_path(t, 0, 50, 0, links, 8) == 6);
	CHECK_U64(t->link[links[1]].out_port, 50 % 3);
	CHECK_U64(t->link[links[2]].out_port, 3 + 50 / 3 % 3);
	CHECK_U64(t->link[links[3]].out_port, 50 / 9);
	CHECK_U64(t->link[links[4]].out_port, 50 / 3 % 3);
	topology_destroy(t);
}

static void adaptive_routing_offers_all_parents(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=20x20 routing=adaptive");
	struct route_step steps[ROUTE_STEPS_MAX];
	struct route r;

	topology_route_start(t, 0, 218, 0, &r); /* 218 = 18 + 20 * 10: from parent 18 on, round to 13 */
	REQUIRE(topology_route_next(t, 400, t->inject[0], 0, &r, steps) == ROUTE_STEPS_MAX);
	for (unsigned i = 0; i < ROUTE_STEPS_MAX; i++) {
		CHECK_U64(t->link[steps[i].link].out_port, (18 + i) % 20);
		CHECK_U64(steps[i].hops, 3);
		CHECK(steps[i].escape);
	}
	topology_route_take(t, 400, &steps[5], &r);
	CHECK_U64(topology_route_next(t, t->link[steps[5].link].to, steps[5].link, 0, &r, steps), 1);
	CHECK_U64(t->link[steps[0].link].to, 400 + 10);
	topology_destroy(t);
}

static void levels_have_their_own_links(void)
{
	struct topology *t = topology_must("kind=fat_tree dims=4x4x2 up=2x1 link.bandwidth=1GB/s,2GB/s "
					   "link.cable=5ns,50ns");

	/* 8 leaves of 2 parents; 2 x 2 switches of one parent */
	CHECK_U64(t->routers, 8 + 4 + 2);
	CHECK_U64(t->class[0].links, 16);
	CHECK_U64(t->class[2].links, 4);
	CHECK_F64(t->class[1].bytes_per_s, 1e9, 0);
	CHECK_F64(t->class[3].bytes_per_s, 2e9, 0);
	CHECK_I64(t->class[0].cable_ps, 5000);
	CHECK_I64(t->class[2].cable_ps, 50000);
	topology_destroy(t);
}

static const struct tap_test tests[] = {
	{"the paper's tree has its switches", the_papers_tree_has_its_switches},
	{"distances depend on the common ancestor", distances_depend_on_the_common_ancestor},
	{"shifts do not meet with parents by digits", shifts_do_not_meet},
	{"with random parents, or few, they do", others_meet},
	{"random parents are even", random_parents_are_even},
	{"parents are digits of the destination", parents_are_digits_of_the_destination},
	{"adaptive routing offers all parents", adaptive_routing_offers_all_parents},
	{"levels have their own links", levels_have_their_own_links},
};

int main(void)
{
	return tap_main("fat tree", tests, TAP_COUNT(tests));
}
