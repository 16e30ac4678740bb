/* Kinds whose routers are in lines, with links side by side or detours: closed forms and paths by hand. */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "netlink/topology/kind.h"
#include "topology_maker.h"

/*
 * Trunks of 3 and 2 links: 3 (4 - 1) + 2 (2 - 1) to other routers; across the middle of dimension 0, 2 lines of 2 x 2
 * pairs, of dimension 1, 4 pairs. Node 5, the last of its router, takes lane 2 of 3 and lane 1 of 2.
 */
static void hyperx_has_trunks(void)
{
	struct topology *t = topology_must("kind=hyperx dims=4x2 trunk=3x2 concentration=6 link.bandwidth=1GB/s");
	uint32_t links[4];

	CHECK_F64(topology_check_ways("kind=hyperx dims=4x2 trunk=3x2"), 3 / 4.0 + 1 / 2.0, 1e-5);
	CHECK_U64(t->nodes, 48);
	CHECK_U64(t->out_first[t->nodes + 1] - t->out_first[t->nodes], 3 * 3 + 2 * 1 + 6);
	CHECK_U64(t->class[0].links, 8 * 9);
	CHECK_F64(t->kind->bisection(t), 8e9, 1);
	/* router 0 to router 7, (3, 1): by (3, 0) */
	CHECK_U64(topology_path(t, 5, 47, 0, links, 4), 4);
	CHECK_U64(t->link[links[1]].out_port, 2 * 3 + 5 % 3);
	CHECK_U64(t->link[links[1]].to, t->nodes + 3);
	CHECK_U64(t->link[links[2]].out_port, 9 + 5 % 2);
	CHECK_U64(t->link[links[2]].to, t->nodes + 7);
	topology_destroy(t);
	CHECK_STR(topology_complaint("kind=hyperx dims=4x4 trunk=2x2x2"),
		  "-p: topology.trunk: 2x2x2: 3 sizes, expected one, or one for each of the 2 dimensions");
	CHECK_STR(topology_complaint("kind=hyperx dims=4x4 trunk=2x"),
		  "-p: topology.trunk: \"2x\" is not a list of sizes, expected for example 16 or 8x8x16 or 2^10, each "
		  "from 1 to 16777216");
}

/* Checks what the routing offers at the source, in any order: coordinates of the next router, VC, hops. */
static void check_offers(const char *network, uint32_t dst, const unsigned (*wanted)[4], unsigned count)
{
	struct topology *t = topology_must(network);
	struct route_step steps[ROUTE_STEPS_MAX];
	struct route r;
	unsigned seen = 0;

	topology_route_start(t, 0, dst, 1, &r);
	CHECK_U64(topology_route_next(t, t->nodes, t->inject[0], 0, &r, steps), count);
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < count; k++)
			seen += t->link[steps[i].link].to == t->nodes + wanted[k][0] + wanted[k][1] * 4 &&
				steps[i].vc == wanted[k][2] && steps[i].hops == wanted[k][3];
	CHECK_U64(seen, count);
	topology_destroy(t);
}

/*
 * From (0, 0) to (3, 2) of 4 x 3, two links and the ejection: omni_war may correct either dimension, or go to two other
 * routers of the first line and one of the second; dim_war has the first line alone. To (3, 0) the second is left.
 */
static void hyperx_detours_are_those_of_the_paper(void)
{
	static const unsigned omni[][4] = {{3, 0, 0, 3}, {0, 2, 0, 3}, {1, 0, 0, 4}, {2, 0, 0, 4}, {0, 1, 0, 4}};
	static const unsigned dim[][4] = {{3, 0, 1, 3}, {1, 0, 0, 4}, {2, 0, 0, 4}};
	static const unsigned line[][4] = {{3, 0, 0, 2}, {1, 0, 0, 3}, {2, 0, 0, 3}};

	check_offers("kind=hyperx dims=4x3 routing=omni_war", 11, omni, 5);
	check_offers("kind=hyperx dims=4x3 routing=dim_war", 11, dim, 3);
	check_offers("kind=hyperx dims=4x3 routing=omni_war", 3, line, 3);
}

/*
 * Follows packets that take a random step everywhere, and checks that they arrive: by at most twice as many links as
 * the network has dimensions, and as there are VCs.
 */
static void hyperx_detours_end(void)
{
	static const char *const networks[] = {
		"kind=hyperx dims=20x5 routing=omni_war", "kind=hyperx dims=4x3x3 trunk=2 routing=omni_war",
		"kind=hyperx dims=4x3x3 trunk=2x1x3 routing=dim_war", "kind=hyperx dims=40x3 routing=dim_war"};

	for (unsigned i = 0; i < TAP_COUNT(networks); i++) {
		struct topology *t = topology_must(networks[i]);
		unsigned most = 0;

		for (uint32_t n = 0; n < 20000; n++) {
			struct route_step steps[ROUTE_STEPS_MAX];
			uint32_t src = n * 7 % t->nodes, dst = n * 31 / 7 % t->nodes, link = t->inject[src], vc = 0;
			struct route r;
			unsigned hops = 0;

			topology_route_start(t, src, dst, n, &r);
			for (uint32_t at = t->link[link].to; at >= t->nodes; at = t->link[link].to, hops++) {
				unsigned count = topology_route_next(t, at, link, vc, &r, steps);
				const struct route_step *s = &steps[(n * 13 + hops * 5) % count];

				CHECK(t->link[s->link].from == at && s->vc < t->vcs && count <= ROUTE_STEPS_MAX);
				topology_route_take(t, at, s, &r);
				link = s->link;
				vc = s->vc;
			}
			CHECK_U64(t->link[link].to, dst);
			most = hops - 1 > most ? hops - 1 : most;
		}
		CHECK_U64(most, 2 * (t->dimensions - 1));
		topology_destroy(t);
	}
}

/*
 * A line of 9, interchanges 0, 4 and 8. From 0: 0 1 2 2 1 2 3 3 2 links, as 3 is 4 - 1 and 7 is 8 - 1; from 1: 1 0 1 2
 * 2 3 4 4 3; from 2: 2 1 0 1 2 3 4 4 3; from 3: 2 2 1 0 1 2 3 3 2; from 4: 1 2 2 1 0 1 2 2 1; 5 to 8 mirror 3 to 0.
 * Sums: 16, 20, 20, 16, 12: twice 72 and 12. A second dimension of 2 has no express link: 1/2.
 */
static void express_cubes_have_closed_forms(void)
{
	struct topology *t = topology_must("kind=express_cube dims=16x8 link.bandwidth=1GB/s,2GB/s");
	uint32_t links[20];

	CHECK_F64(topology_check_ways("kind=express_cube dims=9"), 156 / 81.0, 1e-5);
	CHECK_F64(topology_check_ways("kind=express_cube dims=9x2"), 156 / 81.0 + 1 / 2.0, 1e-5);
	topology_check_ways("kind=express_cube dims=23x7 express=5");
	topology_check_ways("kind=express_cube dims=17 express=2 concentration=3");
	topology_check_ways("kind=express_cube dims=5x3x4 express=3");
	/* local: 2 (15 x 8 + 7 x 16); express: interchanges 0, 4, 8, 12 of 16, and 0, 4 of 8 */
	CHECK_U64(t->class[0].links, 464);
	CHECK_U64(t->class[1].links, 2 * (3 * 8 + 1 * 16));
	/* across 16: 8 lines of 1 + 2; across 8: 16 of 1 + 2 */
	CHECK_F64(t->kind->bisection(t), 24e9, 1);
	/* 1 to 15 of a line: back to 0, three express links to 12, three on */
	CHECK_U64(topology_path(t, 1, 15, 0, links, 20), 2 + 7);
	CHECK_U64(t->link[links[1]].class, 0);
	CHECK_U64(t->link[links[1]].to, t->nodes);
	CHECK_U64(t->link[links[4]].class, 1);
	CHECK_U64(t->link[links[4]].to, t->nodes + 12);
	topology_destroy(t);
	/* a line of 8 has interchanges 0 and 7 */
	topology_destroy(topology_must("kind=express_cube dims=8x4 express=7"));
	CHECK_STR(topology_complaint("kind=express_cube dims=8x4 express=8"),
		  "-p: topology.express: 8: no line of 8x4 has a second interchange, expected less than 8");
}

/*
 * Four islands of 8 GPUs, planes of one switch: 2 links within an island, 2 between GPUs of one rail, 4 between others.
 * Of 32 destinations 1 + 7 x 2 + 3 x 2 + 21 x 4 = 104. Halves of the islands: 16 links of planes each way have 50 GB/s;
 * of the rails, as many fast links.
 */
static void rails_have_closed_forms(void)
{
	struct topology *t = topology_must("kind=rails plane=torus dims=4x4 rails=4 link.bandwidth=50GB/s "
					   "link.island_bandwidth=450GB/s");

	CHECK_F64(topology_check_ways("kind=rails dims=4"), 104 / 32.0, 1e-5);
	/* torus of 4 x 4: 2 on average; 3/4 of a crossing in the island; 15/16 of two links to and from a plane */
	CHECK_F64(topology_check_ways("kind=rails plane=torus dims=4x4 rails=4 routing=late"),
		  2 + 2 * 3 / 4.0 + 2 * 15 / 16.0, 1e-5);
	topology_check_ways("kind=rails plane=hyperx dims=3x2 rails=3 concentration=2 plane_routing=adaptive");
	topology_check_ways("kind=rails plane=dragonfly dims=1x2x1 rails=2 routing=late");
	CHECK_U64(t->nodes, 64);
	CHECK_U64(t->routers, 64 + 16 + 4 * 16);
	CHECK_U64(t->vcs, 2);
	CHECK_STR(t->class[0].name, "island");
	CHECK_U64(t->class[0].links, 128);
	CHECK_U64(t->class[1].links, 128);
	CHECK_STR(t->class[2].name, "+x");
	CHECK_U64(t->class[2].links, 64);
	/* four planes, each of 8 links of 50 GB/s; across islands 16 x 2 fast links would be 14400 GB/s */
	CHECK_F64(t->kind->bisection(t), 4 * 8 * 50e9, 1);
	topology_destroy(t);
}

/* A section of a class stands for the key of [link], of NICs too, which are as wide as the wider link of a GPU. */
static void rails_have_one_bandwidth_of_islands(void)
{
	struct topology *t = topology_must("kind=rails dims=4 link.bandwidth=50GB/s link.island.bandwidth=450GB/s");

	CHECK_F64(t->class[0].bytes_per_s, 450e9, 0);
	CHECK_F64(t->class[t->link[t->inject[0]].class].bytes_per_s, 450e9, 0);
	topology_destroy(t);
	CHECK_STR(topology_complaint("kind=rails dims=4 link.island_bandwidth=450GB/s link.island.bandwidth=300GB/s"),
		  "-p: link.island_bandwidth: 4.5e+11, and [link.island] has a bandwidth, expected one of both");
	CHECK_STR(topology_complaint("kind=rails dims=4 link.island_cable=5ns link.island.cable=7ns"),
		  "-p: link.island_cable: 5000 ps, and [link.island] has a cable, expected one of both");
}

/* From GPU 0 (island 0, rail 0) to GPU 7 (island 1, rail 3): which links, and over which plane. */
static void rails_change_in_either_island(void)
{
	struct topology *t = topology_must("kind=rails plane=crossbar dims=2 rails=4");
	uint32_t links[8];

	CHECK_U64(topology_path(t, 0, 7, 0, links, 8), 6);
	CHECK_U64(t->link[links[1]].to, 8 + 8 + 0);     /* the switch of island 0 */
	CHECK_U64(t->link[links[2]].to, 8 + 3);         /* the router of GPU 3 */
	CHECK_U64(t->link[links[3]].to, 8 + 8 + 2 + 3); /* plane 3 */
	CHECK_U64(t->link[links[4]].to, 8 + 7);
	CHECK_U64(t->link[links[5]].to, 7);
	topology_destroy(t);
	t = topology_must("kind=rails plane=crossbar dims=2 rails=4 routing=late");
	CHECK_U64(topology_path(t, 0, 7, 0, links, 8), 6);
	CHECK_U64(t->link[links[1]].to, 8 + 8 + 2 + 0); /* plane 0 */
	CHECK_U64(t->link[links[2]].to, 8 + 4);
	CHECK_U64(t->link[links[3]].to, 8 + 8 + 1); /* the switch of island 1 */
	CHECK_U64(t->link[links[4]].to, 8 + 7);
	topology_destroy(t);
	CHECK_STR(topology_complaint("kind=rails plane=rails"),
		  "-p: topology.plane: a plane of kind rails, expected another kind");
	CHECK_STR(topology_complaint("kind=rails nics=2"),
		  "-p: topology.nics: 2 NICs of a node, expected 1: a node is a GPU with its NIC");
	CHECK(strstr(topology_complaint("kind=rails plane=torus plane_routing=minim"),
		     "-p: topology.plane_routing: ") != NULL);
}

/* Returns the least bandwidth from a half of the routers to the others, by trial of all halves; `count` is small. */
static double least_of_all_halves(const struct topology *t)
{
	unsigned count = t->routers;
	double least = 1e30;

	for (uint32_t half = 0; half < 1U << count; half++) {
		double cut = 0;

		if ((unsigned)__builtin_popcount(half) != count / 2)
			continue;
		for (uint32_t l = 0; l < t->links; l++) {
			const struct topology_link *x = &t->link[l];

			if (x->from >= t->nodes && x->to >= t->nodes && half >> (x->from - t->nodes) & 1 &&
			    !(half >> (x->to - t->nodes) & 1))
				cut += t->class[x->class].bytes_per_s;
		}
		least = cut < least ? cut : least;
	}
	return least;
}

static void staircases_are_bisections(void)
{
	static const char *const networks[] = {
		"kind=hyperx dims=3x4",
		"kind=hyperx dims=3x3",
		"kind=hyperx dims=3x5", /* 5 lines cut once and one of 5: 5 x 2 + 6 */
		"kind=hyperx dims=2x2x3",
		"kind=hyperx dims=3x4 trunk=3x1",
		"kind=mesh dims=3x5",
		"kind=torus dims=3x5",
		"kind=express_cube dims=9",
		"kind=express_cube dims=6x2 express=2",
		"kind=express_cube dims=5x3 express=2",
	};

	for (unsigned i = 0; i < TAP_COUNT(networks); i++) {
		char text[120];
		struct topology *t;

		snprintf(text, sizeof(text), "%s link.bandwidth=1GB/s", networks[i]);
		t = topology_must(text);
		CHECK_F64(t->kind->bisection(t), least_of_all_halves(t), 1);
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"HyperX has trunks", hyperx_has_trunks},
	{"detours of HyperX are those of the paper", hyperx_detours_are_those_of_the_paper},
	{"staircases are bisections", staircases_are_bisections},
	{"express cubes have closed forms", express_cubes_have_closed_forms},
	{"rails have closed forms", rails_have_closed_forms},
	{"rails have one bandwidth of islands", rails_have_one_bandwidth_of_islands},
	{"rails change in either island", rails_change_in_either_island},
	{"detours of HyperX end", hyperx_detours_end},
};

int main(void)
{
	return tap_main("lines", tests, TAP_COUNT(tests));
}
