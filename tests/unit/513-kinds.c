/* Every kind of network: distances against a search of the graph, and closed forms. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "netlink/topology/kind.h"
#include "psim/base/report/report.h"
#include "topology_maker.h"

/* A ring of 4: mean 1; of 3: 2/3; a line of 2: 1/2. */
static void tofu_is_a_6d_grid(void)
{
	struct topology *t = topology_must("kind=tofu dims=4x3x2 link.bandwidth=5GB/s");

	CHECK_F64(topology_check_ways("kind=tofu dims=4x3x2"), 1 + 2 / 3.0 + 0.5 + 0.5 + 2 / 3.0 + 0.5, 1e-5);
	CHECK_U64(t->nodes, 24 * 12);
	CHECK_U64(t->dimensions, 6);
	CHECK_STR(t->class[7].name, "-a");
	/* a: one link each way for each pair of two; b: rings */
	CHECK_U64(t->class[7].links, 24 * 6);
	CHECK_U64(t->class[8].links, 24 * 12);
	topology_destroy(t);
}

/* Mean distances of the INSPIRE paper: they count the links between node and router too, 2. */
static void mean_distances_are_the_published_ones(void)
{
	CHECK_F64(topology_check_ways("kind=hypercube dims=2^10") + 2, 7, 1e-5);
	CHECK_F64(topology_check_ways("kind=torus dims=32x32") + 2, 18, 1e-5);
	CHECK_F64(topology_check_ways("kind=torus dims=8x8x16") + 2, 10, 1e-5);
	/* 2 links in each dimension that differs: 2 (7/8 + 7/8 + 15/16) + 2 = 7.375 */
	CHECK_F64(topology_check_ways("kind=hyper_crossbar dims=8x8x16") + 2, 7.375, 1e-5);
}

/* Size, mean distance of different routers (five digits) and bisection of HyperX, by the sums over its dimensions. */
static void hyperx_has_its_closed_forms(void)
{
	static const struct {
		const char *dims;
		uint32_t routers;
		unsigned degree, diameter;
		double mean, bisection; /* links one way */
	} cases[] = {
		{"8x8", 64, 14, 2, 1.77778, 64 * 8 / 4},
		{"16x16", 256, 30, 2, 1.88235, 256 * 16 / 4},
		{"4x4x4", 64, 9, 3, 2.28571, 64 * 4 / 4},
		{"8x8x8", 512, 21, 3, 2.63014, 512 * 8 / 4},
		{"12x8", 96, 18, 2, 1.81053, 96 * 8 / 4}, /* as built at the Tokyo Institute of Technology */
		{"5x5x5x5", 625, 16, 4, 3.20513, 2 * 3 * (125 + 25 + 5 + 1)}, /* a staircase */
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char network[100];
		struct topology *t;
		double n = cases[i].routers;

		snprintf(network, sizeof(network), "kind=hyperx dims=%s link.bandwidth=1GB/s", cases[i].dims);
		CHECK_F64(topology_check_ways(network) * n / (n - 1), cases[i].mean, 1e-5);
		t = topology_must(network);
		CHECK_U64(t->routers, cases[i].routers);
		CHECK_U64(t->nodes, cases[i].routers);
		CHECK_U64(t->out_first[t->nodes + 1] - t->out_first[t->nodes], cases[i].degree + 1);
		CHECK_U64(topology_distance(t, 0, t->nodes - 1), cases[i].diameter);
		CHECK_F64(t->kind->bisection(t), cases[i].bisection * 1e9, 1);
		topology_destroy(t);
	}
}

/* Returns whether each router has `degree` links, to as many others, which have one back. */
static bool is_regular(const struct topology *t, uint32_t degree)
{
	for (uint32_t v = t->nodes; v < t->nodes + t->routers; v++) {
		const uint32_t *out = t->out_link + t->out_first[v], *in = t->in_link + t->in_first[v];

		for (uint32_t i = 0; i < degree; i++) {
			uint32_t to = t->link[out[i]].to, back = 0;

			for (uint32_t k = 0; k < degree; k++) {
				back += t->link[in[k]].from == to;
				if (k != i && t->link[out[k]].to == to)
					return false;
			}
			if (to < t->nodes || to == v || back != 1)
				return false;
		}
		if (t->link[out[degree]].to >= t->nodes)
			return false;
	}
	return true;
}

/*
 * Groups of k/2 leaves and spines, of k/2 nodes and global links each, are k^2/4 + 1: 272 and 4160 nodes of routers of
 * 8 and 16 ports. Of all pairs 1 in leaves x groups are at one leaf, others of a group 2 links apart, all others 3.
 */
static void dragonfly_plus_has_its_closed_forms(void)
{
	static const struct {
		const char *dims;
		uint32_t nodes, leaves, spines, groups, copies, links; /* links: of a spine */
	} cases[] = {
		{"4x4x4x4", 272, 4, 4, 17, 1, 8},        {"8x8x8x8", 4160, 8, 8, 65, 1, 16},
		{"2x3x2x4", 54, 3, 2, 9, 1, 7},          {"2x3x2x4 groups=3", 18, 3, 2, 3, 4, 7},
		{"1x2x3x2 groups=4", 8, 2, 3, 4, 2, 4},  {"3x5x2x1 groups=1", 15, 5, 2, 1, 0, 5},
		{"2x4x2x2 groups=4", 32, 4, 2, 4, 1, 0},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double leaves = cases[i].leaves, groups = cases[i].groups;
		uint32_t routers = cases[i].leaves + cases[i].spines;
		char network[100];
		struct topology *t;

		snprintf(network, sizeof(network), "kind=dragonfly_plus dims=%s", cases[i].dims);
		CHECK_F64(topology_check_ways(network),
			  2 * (leaves - 1) / (leaves * groups) + 3 * (groups - 1) / groups, 2e-6);
		t = topology_must(network);
		CHECK_U64(t->nodes, cases[i].nodes);
		CHECK_U64(t->routers, routers * cases[i].groups);
		CHECK_U64(t->vcs, 1);
		CHECK_U64(t->class[0].links, 2 * cases[i].leaves * cases[i].spines * cases[i].groups);
		CHECK_U64(t->class[1].links, cases[i].groups * (cases[i].groups - 1) * cases[i].copies);
		for (uint32_t v = t->nodes; cases[i].links && v < t->nodes + t->routers; v++)
			if ((v - t->nodes) % routers >= cases[i].leaves)
				CHECK_U64(t->out_first[v + 1] - t->out_first[v], cases[i].links);
		topology_destroy(t);
	}
}

/*
 * A path via another group has two global links, and between them none, or one down and one up if two spines have
 * them: up, global, (down, up,) global, down. Each of 7 other groups comes 2000/9 times of 2000, with a standard
 * deviation of 13.
 */
static void dragonfly_plus_goes_by_a_random_group(void)
{
	struct topology *t = topology_must("kind=dragonfly_plus dims=1x3x2x4 routing=valiant");
	unsigned by[9] = {0}, lengths[9] = {0};

	CHECK_U64(t->vcs, 2);
	for (uint64_t key = 0; key < 2000; key++) {
		uint32_t links[16], way[3] = {0}, globals = 0;
		unsigned n = topology_path(t, 0, 26, key, links, 16);

		for (unsigned i = 0; i < n; i++)
			if (t->link[links[i]].class == 1 && globals < 3)
				way[globals++] = (t->link[links[i]].to - t->nodes) / 5;
		REQUIRE(globals == 1 || globals == 2);
		CHECK_U64(way[globals - 1], 8);
		CHECK(globals == 1 ? n == 5 : n == 6 || n == 8);
		lengths[n]++;
		if (globals == 2)
			by[way[0]]++;
	}
	CHECK(by[0] == 0 && by[8] == 0);
	for (unsigned group = 1; group < 8; group++)
		CHECK(by[group] > 222 - 70 && by[group] < 222 + 70);
	CHECK(lengths[6] > 0 && lengths[8] > 0);
	topology_destroy(t);
}

/*
 * Routers, degree and mean distance of different routers: 2 q^2, (3 q - d) / 2 and, as all others are at 1 or 2,
 * 2 - degree / (routers - 1). That of 5 meets the bound of E. Moore, 1 + 7 + 7 x 6 routers: no other graph does. Of 19
 * are the 722 routers of the paper.
 */
static void slim_fly_has_its_closed_forms(void)
{
	static const struct {
		uint32_t q, routers, degree;
	} cases[] = {{3, 18, 5},     {4, 32, 6},     {5, 50, 7},    {7, 98, 11},   {8, 128, 12},
		     {9, 162, 13},   {13, 338, 19},  {16, 512, 24}, {17, 578, 25}, {19, 722, 29},
		     {25, 1250, 37}, {27, 1458, 41}, {47, 4418, 71}};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double n = cases[i].routers, degree = cases[i].degree;
		uint32_t q = cases[i].q;
		char network[100];
		struct topology *t;

		snprintf(network, sizeof(network), "kind=slim_fly dims=%u", q);
		CHECK_F64(topology_check_ways(network) * n / (n - 1), 2 - degree / (n - 1), 2e-6);
		t = topology_must(network);
		CHECK_U64(t->routers, cases[i].routers);
		CHECK_U64(t->nodes, cases[i].routers);
		CHECK(is_regular(t, cases[i].degree));
		CHECK_U64(t->vcs, 2);
		/* a router has one link to each group but its own */
		CHECK_U64(t->class[1].links, cases[i].routers * (q - 1));
		CHECK_U64(t->class[0].links, cases[i].routers * (cases[i].degree - (q - 1)));
		topology_destroy(t);
	}
}

/* Modulo 13, routers of side 0 are joined over differences that are squares, those of side 1 over the others. */
static void slim_fly_joins_over_squares(void)
{
	static const bool square[13] = {[1] = true, [3] = true, [4] = true, [9] = true, [10] = true, [12] = true};
	struct topology *t = topology_must("kind=slim_fly dims=13");
	unsigned seen[2] = {0};

	for (uint32_t l = 0; l < t->links; l++) {
		uint32_t from = t->link[l].from - t->nodes, to = t->link[l].to - t->nodes;

		if (t->link[l].from < t->nodes || t->link[l].to < t->nodes || from / 13 != to / 13)
			continue;
		seen[from / 13 % 2]++;
		CHECK(square[(to + 13 - from) % 13] == (from / 13 % 2 == 0));
	}
	CHECK_U64(seen[0], 13 * 13 * 6);
	CHECK_U64(seen[1], 13 * 13 * 6);
	topology_destroy(t);
}

/* Each two of 5 groups have 2 x 5 links each way, as two cabinets of the paper. */
static void slim_fly_joins_groups_alike(void)
{
	struct topology *t = topology_must("kind=slim_fly dims=5 concentration=4");
	unsigned seen[5][5] = {{0}};

	CHECK_U64(t->nodes, 200);
	for (uint32_t l = 0; l < t->links; l++)
		if (t->link[l].from >= t->nodes && t->link[l].to >= t->nodes)
			seen[(t->link[l].from - t->nodes) / 10][(t->link[l].to - t->nodes) / 10]++;
	for (unsigned a = 0; a < 5; a++)
		for (unsigned b = 0; b < 5; b++)
			CHECK_U64(seen[a][b], a == b ? 10 * 3 : 10);
	topology_destroy(t);
}

/*
 * Mean distances of different routers, over five seeds: those of random regular graphs of another program, 2.1726 with
 * a standard deviation of 0.014 over 60 seeds and 2.1341 with one of 0.006, within three deviations of a mean of five.
 * None is below the bound of V. Cerf et al. (Networks 4, 1974).
 */
static void jellyfish_is_a_random_regular_graph(void)
{
	static const struct {
		uint32_t routers, degree;
		double mean, within, bound;
	} cases[] = {{50, 7, 2.1726, 0.019, 1.8571}, {98, 11, 2.1341, 0.008, 1.8866}};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double n = cases[i].routers, sum = 0;

		for (unsigned seed = 1; seed <= 5; seed++) {
			char network[100];
			struct topology *t;
			double mean;

			snprintf(network, sizeof(network), "kind=jellyfish dims=%ux%u seed=%u", cases[i].routers,
				 cases[i].degree, seed);
			mean = topology_check_ways(network) * n / (n - 1);
			CHECK(mean > cases[i].bound);
			sum += mean / 5;
			t = topology_must(network);
			CHECK(is_regular(t, cases[i].degree));
			topology_destroy(t);
		}
		CHECK_F64(sum, cases[i].mean, cases[i].within);
	}
}

/* 5 routers of 3 links have 15 ports: one stays free. 6 of 5 are all joined to each other. */
static void jellyfish_joins_all_ports_but_one(void)
{
	struct topology *t = topology_must("kind=jellyfish dims=5x3");

	CHECK_U64(t->class[0].links, 14);
	topology_destroy(t);
	for (unsigned seed = 1; seed < 20; seed++) {
		char network[100];

		snprintf(network, sizeof(network), "kind=jellyfish dims=6x5 seed=%u", seed);
		t = topology_must(network);
		CHECK_U64(t->class[0].links, 30);
		CHECK(is_regular(t, 5));
		topology_destroy(t);
	}
}

static void routes_of_every_routing_arrive(void)
{
	static const char *const networks[] = {
		"kind=slim_fly dims=4 routing=ecmp concentration=3",
		"kind=slim_fly dims=5 routing=adaptive",
		"kind=slim_fly dims=5 routing=up_down",
		"kind=slim_fly dims=5 routing=valiant concentration=2",
		"kind=slim_fly dims=7 routing=ugal",
		"kind=jellyfish dims=30x4",
		"kind=jellyfish dims=30x4 routing=ecmp concentration=2",
		"kind=jellyfish dims=30x4 routing=valiant",
		"kind=jellyfish dims=30x4 routing=ugal",
		"kind=dragonfly_plus dims=2x3x2x2 nics=2",
		"kind=dragonfly_plus dims=2x3x2x4 groups=3 routing=random",
		"kind=dragonfly_plus dims=2x3x2x2 routing=valiant",
		"kind=dragonfly_plus dims=2x3x2x4 groups=4 routing=valiant",
		"kind=dragonfly_plus dims=1x3x3x1 routing=ugal",
		"kind=dragonfly_plus dims=1x3x3x1 groups=1 routing=ugal",
		"kind=dragonfly_plus dims=2x3x2x2 routing=progressive",
		"kind=dragonfly_plus dims=2x3x2x4 groups=4 routing=progressive",
		"kind=hyperx dims=4x3x2 routing=adaptive",
		"kind=hyperx dims=4x3x2 routing=omni_war",
		"kind=hyperx dims=4x3x2 routing=dim_war concentration=2",
		"kind=hyperx dims=4x3x2 trunk=2x3x1 routing=adaptive concentration=4",
		"kind=hyperx dims=4x3 trunk=20 routing=omni_war",
		"kind=hyperx dims=4x3x2 trunk=2 routing=ugal",
		"kind=hyperx dims=4x3x2 routing=valiant concentration=2",
		"kind=hyperx dims=4x3x2 routing=ugal nics=2",
		"kind=hypercube dims=2^5 routing=adaptive",
		"kind=hypercube dims=2^5 routing=valiant",
		"kind=hypercube dims=2^5 routing=ugal",
		"kind=hyper_crossbar dims=4x3x2 routing=either_vc",
		"kind=hyper_crossbar dims=4x3x2 routing=adaptive",
		"kind=hyper_crossbar dims=4x3 routing=valiant",
		"kind=crossbar dims=10",
		"kind=torus dims=4x4 routing=ugal",
		"kind=tofu dims=2x2x1 routing=adaptive",
		"kind=fat_tree dims=3x3x6",
		"kind=fat_tree dims=3x3x6 routing=random nics=2",
		"kind=fat_tree dims=3x4x2 up=2x3 routing=source_digits",
		"kind=fat_tree dims=7",
		"kind=fat_tree dims=4x2x3 up=1x5 routing=adaptive",
	};

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
		topology_check_ways(networks[i]);
}

enum { WAYS_MOST = 64, WAY_LINKS_MOST = 16 };

struct known_ways {
	unsigned count, links[WAYS_MOST];
	uint32_t link[WAYS_MOST][WAY_LINKS_MOST];
	unsigned seen[WAYS_MOST]; /* by how many choices */
};

/* Returns the number of the way among the known ones, to which it is added if it is new. */
static unsigned know(struct known_ways *k, const uint32_t *link, unsigned links)
{
	unsigned i = 0;

	REQUIRE(links > 0);
	while (i < k->count && (k->links[i] != links || memcmp(k->link[i], link, links * sizeof(*link)) != 0))
		i++;
	if (i == k->count) {
		REQUIRE(i < WAYS_MOST);
		memcpy(k->link[i], link, links * sizeof(*link));
		k->links[i] = links;
		k->count++;
	}
	return i;
}

/* The choices of a random routing are the paths that keys give, and each path as often as keys give it. */
static void choices_are_the_paths_of_keys(void)
{
	static const char *const networks[] = {
		"kind=mesh dims=4x3 routing=valiant",
		"kind=torus dims=4x3 routing=valiant nics=2",
		"kind=torus dims=4x2 routing=valiant ties=negative",
		"kind=hypercube dims=2^4 routing=valiant",
		"kind=hyper_crossbar dims=4x3 routing=valiant",
		"kind=fat_tree dims=2x3x2 up=2x3 routing=random nics=2",
		"kind=dragonfly dims=1x4x2 routing=valiant",
		"kind=dragonfly dims=1x2x2 groups=3 routing=valiant",
	};
	enum { KEYS = 20000 };

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);
		uint32_t choices = topology_choices(t), src = 1, dst = t->nodes - 2;
		struct known_ways k = {0};
		unsigned by_keys[WAYS_MOST] = {0}, ways;
		uint32_t link[WAY_LINKS_MOST];

		REQUIRE(choices > 1);
		for (uint32_t choice = 0; choice < choices; choice++)
			k.seen[know(&k, link, topology_choose(t, src, dst, choice, link, WAY_LINKS_MOST))]++;
		ways = k.count;
		for (uint64_t key = 0; key < KEYS; key++)
			by_keys[know(&k, link, topology_path(t, src, dst, key, link, WAY_LINKS_MOST))]++;
		CHECK_U64(k.count, ways);
		for (unsigned way = 0; way < ways; way++) { /* within five standard deviations */
			double share = (double)k.seen[way] / choices;

			CHECK(fabs(by_keys[way] - KEYS * share) <= 5 * sqrt(KEYS * share * (1 - share)));
		}
		CHECK_U64(topology_choose(t, src, dst, 0, link, 2), 0); /* no room */
		topology_destroy(t);
	}
}

/* Choices are known where they are all that a path depends on. */
static void other_routings_have_no_choices(void)
{
	static const char *const networks[] = {
		"kind=torus dims=4x4 routing=valiant ties=random",
		"kind=torus dims=4x4",
		"kind=torus dims=4x4 routing=ugal",
		"kind=dragonfly dims=1x4x2 groups=1 routing=valiant",
	};

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);

		CHECK_U64(topology_choices(t), 0);
		topology_destroy(t);
	}
}

/* The steps at the first router of a packet. */
static unsigned first_steps(const struct topology *t, uint32_t src, uint32_t dst, struct route_step *steps)
{
	struct route r;

	topology_route_start(t, src, dst, 0, &r);
	return topology_route_next(t, t->link[t->inject[src * t->nics]].to, t->inject[src * t->nics], 0, &r, steps);
}

static void adaptive_routings_offer_what_they_say(void)
{
	struct topology *t = topology_must("kind=hypercube dims=2^5 routing=adaptive");
	struct route_step steps[ROUTE_STEPS_MAX];

	CHECK_U64(t->vcs, 2);
	CHECK_U64(first_steps(t, 0, 0x15, steps), 4); /* three bits, and the escape */
	CHECK(steps[2].vc == 1 && !steps[2].escape && steps[3].vc == 0 && steps[3].escape);
	topology_destroy(t);
	t = topology_must("kind=hyper_crossbar dims=4x4x4 routing=adaptive");
	CHECK_U64(t->vcs, 3);
	CHECK_U64(first_steps(t, 0, 63, steps), 3);
	CHECK(steps[0].vc == 0 && steps[2].vc == 0);
	topology_destroy(t);
	t = topology_must("kind=hyper_crossbar dims=4x4x4 routing=either_vc");
	CHECK_U64(t->vcs, 2);
	CHECK_U64(first_steps(t, 0, 63, steps), 2);
	CHECK(steps[0].link == steps[1].link && steps[0].vc == 0 && steps[1].vc == 1);
	topology_destroy(t);
}

/* All groups reach each other over one link: 4 x 2 + 1 = 9 groups of 4 routers of 2 nodes. */
static void a_dragonfly_is_complete(void)
{
	struct topology *t = topology_must("kind=dragonfly dims=2x4x2");
	unsigned seen[9][9] = {{0}};

	CHECK_U64(t->nodes, 72);
	CHECK_U64(t->routers, 36);
	CHECK_U64(t->class[0].links, 9 * 4 * 3);
	CHECK_U64(t->class[1].links, 9 * 8);
	for (uint32_t l = 0; l < t->links; l++)
		if (t->link[l].class == 1)
			seen[(t->link[l].from - 72) / 4][(t->link[l].to - 72) / 4]++;
	for (unsigned a = 0; a < 9; a++)
		for (unsigned b = 0; b < 9; b++)
			CHECK_U64(seen[a][b], a != b);
	/* every router has 3 local and 2 global links out and in, and 2 nodes */
	for (uint32_t v = 72; v < 72 + 36; v++) {
		CHECK_U64(t->out_first[v + 1] - t->out_first[v], 7);
		CHECK_U64(t->in_first[v + 1] - t->in_first[v], 7);
	}
	topology_destroy(t);
}

/* Local, global, local: the number of links is 0 to 1 within a group and 1 to 3 between groups. */
static void dragonfly_ways_arrive(void)
{
	static const char *const networks[] = {
		"kind=dragonfly dims=2x4x2", "kind=dragonfly dims=1x4x2 groups=5", "kind=dragonfly dims=1x4x2 groups=4",
		"kind=dragonfly dims=1x1x6", "kind=dragonfly dims=3x5x1 groups=1",
	};
	char text[100];

	static const char *const routings[] = {"minimal", "valiant", "ugal", "ugal_vc", "ugal_global"};

	for (unsigned i = 0; i < 25; i++) {
		struct topology *t;

		snprintf(text, sizeof(text), "%s routing=%s", networks[i / 5], routings[i % 5]);
		t = topology_must(text);
		for (uint32_t src = 0; src < t->nodes; src++)
			for (uint32_t dst = 0; dst < t->nodes; dst++) {
				unsigned d = topology_distance(t, src, dst),
					 n = topology_follow(t, src, dst, src ^ dst * 5);

				CHECK(d <= 3);
				/* two global links in a row may be fewer than local, global, local
				 */
				CHECK(t->routing->minimal ? n == d : n <= 5 && (n >= d || (n == 2 && d == 3)));
			}
		topology_destroy(t);
	}
}

/*
 * Node 0 to another router's node in its group: 1. Of 8 other groups: the two of router 0's own
 * global links need no first local link; in each of them one of 4 routers is the end of the global
 * link. Sum over the 4 routers of a group: near: 1 + 2 + 2 + 2, far: 2 + 3 + 3 + 3.
 */
static void dragonfly_distances_add_up(void)
{
	struct topology *t = topology_must("kind=dragonfly dims=1x4x2");
	unsigned sum = 0;

	for (uint32_t dst = 0; dst < t->nodes; dst++)
		sum += topology_distance(t, 0, dst);
	CHECK_U64(sum, 3 + 2 * 7 + 6 * 11);
	topology_destroy(t);
}

/*
 * The minimal way first, on VC 3, the one by way of another group on VC 0: neither fills the other's buffers, nor, on
 * VC 1, those of a second leg. Of one link what is in these VCs counts, of two all.
 */
static void ugal_on_a_dragonfly_shows_two_ways(void)
{
	struct topology *t = topology_must("kind=dragonfly dims=2x4x2 routing=ugal");
	struct route_step steps[ROUTE_STEPS_MAX];
	unsigned both = 0, one_link = 0;

	CHECK_U64(t->vcs, 4);
	for (uint64_t key = 0; key < 200; key++) {
		struct route r;
		uint32_t at = 72;
		unsigned n, vc = 0;

		topology_route_start(t, 0, 71, key, &r);
		n = topology_route_next(t, at, t->inject[0], 0, &r, steps);
		if (n == 2) {
			CHECK_U64(steps[0].vc, 3);
			CHECK_U64(steps[1].vc, 0);
			CHECK(steps[1].hops >= steps[0].hops - 1);
			CHECK_U64(steps[0].counts, steps[0].link == steps[1].link ? COUNTS_VC : COUNTS_ALL_VCS);
			CHECK_U64(steps[1].counts, steps[0].counts);
			both++;
			one_link += steps[0].link == steps[1].link;
		}
		for (steps[0] = steps[n - 1]; at >= t->nodes; at = t->link[steps[0].link].to) {
			if (at != 72)
				CHECK_U64(topology_route_next(t, at, LINK_NONE, 0, &r, steps), 1);
			/* 3 precedes 2, and counts as 1 */
			CHECK((steps[0].vc == 3 ? 1 : steps[0].vc) >= vc || t->link[steps[0].link].to < t->nodes);
			vc = steps[0].vc == 3 ? 1 : steps[0].vc;
			topology_route_take(t, at, &steps[0], &r);
		}
		CHECK_U64(at, 71);
	}
	CHECK(both > 50);
	CHECK(one_link > 0 && one_link < both);
	topology_destroy(t);
}

/*
 * Three groups of 4 routers with 2 global links each: 8 for 2 others, so 4 copies between two groups. The copies of
 * both legs of a Valiant way are drawn apart: of 4 x 4 pairs all come, as often as each other.
 */
static void valiant_draws_both_links_between_groups_apart(void)
{
	struct topology *t = topology_must("kind=dragonfly dims=2x4x2 groups=3 routing=valiant");
	unsigned pair[4][4] = {{0}}, least = UINT32_MAX, most = 0, ways = 0;

	for (uint64_t key = 0; key < 8000; key++) {
		uint32_t links[16], at[2];
		unsigned n = topology_path(t, 0, 8, key, links, 16), globals = 0;

		for (unsigned i = 0; i < n; i++)
			if (!strcmp(t->class[t->link[links[i]].class].name, "global") && globals < 2)
				at[globals++] = links[i];
		if (globals < 2)
			continue;
		/* a copy is known by the router of its group that it leaves */
		pair[(t->link[at[0]].from - t->nodes) % 4][(t->link[at[1]].from - t->nodes) % 4]++;
		ways++;
	}
	for (unsigned i = 0; i < 16; i++) {
		least = pair[i / 4][i % 4] < least ? pair[i / 4][i % 4] : least;
		most = pair[i / 4][i % 4] > most ? pair[i / 4][i % 4] : most;
	}
	/* about 8000/3 ways by the third group, 167 a pair with a standard deviation of 12.5 */
	CHECK(ways > 2450 && ways < 2900);
	CHECK(least > 167 - 63 && most < 167 + 63);
	topology_destroy(t);
}

static void bisections_are_the_known_ones(void)
{
	static const struct {
		const char *network;
		double links;
	} cases[] = {
		{"kind=torus dims=8x8", 16},     /* 8 rings, cut twice */
		{"kind=torus dims=16x8x8", 128}, /* across the 16: 64 rings, twice */
		{"kind=mesh dims=8x8", 8},
		{"kind=torus dims=9x4", 10},   /* a staircase: 4 rings of 9 and one of 4, cut twice */
		{"kind=torus dims=9x9", 20},   /* 2 (9 + 1) */
		{"kind=torus dims=3x3x3", 26}, /* 2 (9 + 3 + 1) */
		{"kind=torus dims=4x9", 10},
		{"kind=torus dims=5", 2},
		{"kind=mesh dims=5x5", 6},
		{"kind=tofu dims=2x2x2", 48}, /* 96 nodes: across c or a, which are open; x has two links */
		{"kind=hypercube dims=2^10", 512},
		{"kind=hyper_crossbar dims=8x8", 32},
		{"kind=crossbar dims=8", 4},
		{"kind=fat_tree dims=3x3x6", 27},          /* full: as half of the nodes send */
		{"kind=fat_tree dims=4x4x4 up=2x2", 8},    /* 64 nodes, 16 leaves of 2 up, 8 switches of 2 up: 16 / 2 */
		{"kind=dragonfly dims=1x4x2 groups=4", 8}, /* 2 x 2 groups, with 8 / 3 = 2 links each */
		{"kind=dragonfly dims=1x4x2", 20},         /* 9: 4 x 4 links, and one group's 2 x 2 local ones */
		{"kind=dragonfly dims=1x4x2 groups=1", 4},
		{"kind=dragonfly_plus dims=2x2x2x2 groups=4", 4}, /* 2 x 2 groups, with 4 / 3 = 1 link each */
		{"kind=dragonfly_plus dims=2x4x1x8 groups=2", 4}, /* 4 leaves, with one link up each */
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[120];
		struct topology *t;

		snprintf(text, sizeof(text), "%s link.bandwidth=1GB/s", cases[i].network);
		t = topology_must(text);
		CHECK_F64(t->kind->bisection(t), cases[i].links * 1e9, 0);
		topology_destroy(t);
	}
}

/* Where the lower half of the nodes is a narrowest one the flow between the halves is the bisection. */
static void flow_between_halves_is_the_bisection(void)
{
	static const char *const networks[] = {
		"kind=torus dims=4x8",
		"kind=mesh dims=4x8",
		"kind=hypercube dims=2^5",
		"kind=crossbar dims=8",
		"kind=fat_tree dims=4x4x4 up=2x2",
		"kind=hyper_crossbar dims=4x4",
		"kind=dragonfly dims=4x4x2 groups=4",
		"kind=dragonfly_plus dims=2x2x2x2 groups=4",
		"kind=dragonfly_plus dims=2x4x1x8 groups=2",
	};

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);

		CHECK_F64(topology_flow_between_halves(t, NULL), t->kind->bisection(t), 1);
		topology_destroy(t);
	}
}

/*
 * Where no cut in the middle halves the nodes, the report has the flow between the halves: 7 of 15 nodes send at the
 * rate of their links, two leaves of three over three links up each; 4 of 9 send over their columns.
 */
static void odd_sizes_have_a_bisection_too(void)
{
	static const struct {
		const char *network;
		double links;
	} cases[] = {
		{"kind=fat_tree dims=3x5 link.bandwidth=1GB/s", 7},
		{"kind=hyper_crossbar dims=3x3 link.bandwidth=1GB/s", 4},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct topology *t = topology_must(cases[i].network);
		struct report *r = report_create();
		double x = 0;

		topology_report(t, r);
		CHECK(report_number(r, "topology.bisection", &x));
		CHECK_F64(x, cases[i].links * 1e9, 1);
		report_destroy(r);
		topology_destroy(t);
	}
}

static void wrong_sizes_are_refused(void)
{
	CHECK_STR(topology_complaint("kind=tofu dims=4x4"),
		  "-p: topology.dims: 4x4: 2 sizes, expected 3: X, Y and Z of groups of 12 nodes");
	CHECK_STR(topology_complaint("kind=hypercube dims=10"),
		  "-p: topology.dims: 10: expected 2x2x…, for instance 2^10 for 1024 nodes");
	CHECK_STR(topology_complaint("kind=hyper_crossbar dims=4x1"),
		  "-p: topology.dims: 4x1: a dimension of 1, expected 2 to 16384");
	CHECK_STR(topology_complaint("kind=crossbar dims=4x4"),
		  "-p: topology.dims: 4x4: 2 sizes, expected one: the number of nodes");
	CHECK_STR(topology_complaint("kind=crossbar dims=40000 nics=2"),
		  "-p: topology.dims: 40000: 40000 nodes of 2 NICs, expected at most 65535 links "
		  "at the router");
	CHECK_STR(topology_complaint("kind=fat_tree dims=4x4x4 up=4"),
		  "-p: topology.up: 4: 1 sizes, expected 2: one for each level but the last");
	CHECK_STR(topology_complaint("kind=fat_tree dims=4x4 up=none"),
		  "-p: topology.up: \"none\" is not a list of sizes, expected for example 16 or 8x8x16 "
		  "or 2^10, each "
		  "from 1 to 16777216");
	CHECK_STR(topology_complaint("kind=dragonfly dims=4x4"),
		  "-p: topology.dims: 4x4: 2 sizes, expected 3: nodes per router, routers per group, global links per "
		  "router");
	CHECK_STR(topology_complaint("kind=dragonfly dims=2x4x2 groups=10"),
		  "-p: topology.groups: 10 groups, expected at most 9: one more than a group has global links");
	CHECK_STR(topology_complaint("kind=dragonfly_plus dims=2x4x2"),
		  "-p: topology.dims: 2x4x2: 3 sizes, expected 4: nodes per leaf, leaves and spines per group, global "
		  "links per spine");
	CHECK_STR(topology_complaint("kind=dragonfly_plus dims=2x2x2x2 groups=6"),
		  "-p: topology.groups: 6 groups, expected at most 5: one more than a group has global links");
	CHECK_STR(topology_complaint("kind=dragonfly_plus dims=1x1x256x256"),
		  "-p: topology.dims: 1x1x256x256: 65536 global links per group, expected at most 65000");
	CHECK_STR(topology_complaint("kind=dragonfly_plus dims=1x16x200x200"),
		  "-p: topology.dims: 1x16x200x200: 3200 links within each group, expected at most 16777216 in all");
	CHECK_STR(topology_complaint("kind=slim_fly dims=5x5"),
		  "-p: topology.dims: 5x5: 2 sizes, expected one: elements of the field");
	CHECK_STR(topology_complaint("kind=slim_fly dims=6"),
		  "-p: topology.dims: 6: a field of 6 elements, expected a power of a prime, 3 to 256");
	CHECK_STR(topology_complaint("kind=slim_fly dims=2"),
		  "-p: topology.dims: 2: a field of 2 elements, expected a power of a prime, 3 to 256");
	CHECK_STR(topology_complaint("kind=slim_fly dims=257"),
		  "-p: topology.dims: 257: a field of 257 elements, expected a power of a prime, 3 to 256");
	CHECK_STR(topology_complaint("kind=slim_fly dims=5 concentration=0"),
		  "-p: topology.concentration: 0: expected 1 or more nodes of each router");
	CHECK_STR(topology_complaint("kind=slim_fly dims=251 concentration=134"),
		  "-p: topology.dims: 251: too large, expected at most 16777216 nodes");
	CHECK_STR(topology_complaint("kind=jellyfish dims=16"),
		  "-p: topology.dims: 16: 1 sizes, expected 2: routers, and links of each");
	CHECK_STR(topology_complaint("kind=jellyfish dims=4x4"),
		  "-p: topology.dims: 4x4: 4 links of each router, expected 3 to 4096, and less than routers");
	CHECK_STR(topology_complaint("kind=hyperx dims=4x1"),
		  "-p: topology.dims: 4x1: a dimension of 1, expected at least 2");
	CHECK_STR(topology_complaint("kind=hyperx dims=4x4 concentration=0"),
		  "-p: topology.concentration: 0: expected 1 or more nodes of each router");
	CHECK_STR(topology_complaint("kind=crossbar dims=4 cabinet=2"),
		  "-p: topology.cabinet: 2: a network of kind crossbar has no cabinets, expected "
		  "none");
	CHECK_STR(topology_complaint("kind=dragonfly dims=2x4x2 link.cable=1ns,2ns,3ns"),
		  "-p: link.cable: 3 values, expected one, or one for each of the 2 dimensions or "
		  "levels");
}

static void short_memory_is_an_error(void)
{
	static const struct {
		const char *kind, *dims;
	} cases[] = {{"tofu", "1x1x1"},   {"crossbar", "4"},     {"hypercube", "2^3"}, {"hyper_crossbar", "2x3"},
		     {"hyperx", "2x3"},   {"slim_fly", "3"},     {"jellyfish", "4x3"}, {"dragonfly_plus", "1x2x1x1"},
		     {"fat_tree", "2x2"}, {"dragonfly", "1x2x1"}};
	unsigned count;
	const struct topology_kind *const *kinds = topology_kinds(&count);

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (unsigned k = 1;; k++) {
			struct topology_config v;
			struct topology *t;
			struct err e;

			topology_config_add(NULL, &v);
			while (strcmp(kinds[v.topology.kind]->name, cases[i].kind) != 0)
				v.topology.kind = (v.topology.kind + 1) % count;
			snprintf(v.topology.dims, sizeof(v.topology.dims), "%s", cases[i].dims);
			alloc_fail_at(k);
			t = topology_create(&v, &e);
			if (!alloc_fail_end()) {
				CHECK(t != NULL && k > 8);
				topology_destroy(t);
				break;
			}
			CHECK(t == NULL);
			CHECK_U64(e.status, STATUS_FAILED);
		}
}

static void networks_say_whether_their_ways_are_fixed(void)
{
	static const struct {
		const char *network;
		bool random, fixed;
	} cases[] = {
		{"kind=torus", false, true},
		{"kind=torus ties=random", true, false},
		{"kind=torus dateline=balanced", false, true},
		{"kind=torus routing=adaptive", false, false},
		{"kind=mesh routing=ugal", true, false},
		{"kind=hypercube dims=2^3", false, true},
		{"kind=hypercube dims=2^3 routing=adaptive", false, false},
		{"kind=hyper_crossbar dims=2x2 routing=either_vc", false, false},
		{"kind=fat_tree dims=2x2", false, true},
		{"kind=fat_tree dims=2x2 routing=random", true, false},
		{"kind=fat_tree dims=2x2 routing=adaptive", false, false},
		{"kind=hyperx dims=3x3", false, true},
		{"kind=hyperx dims=3x3 routing=valiant", true, false},
		{"kind=slim_fly dims=3", false, true},
		{"kind=slim_fly dims=3 routing=ugal", true, false},
		{"kind=dragonfly dims=1x2x1", false, true},
		{"kind=dragonfly dims=1x2x1 groups=2", true, false}, /* two links between the groups */
		{"kind=dragonfly dims=1x2x1 routing=ugal", true, false},
		{"kind=dragonfly_plus dims=1x2x2x1", false, true},
		{"kind=dragonfly_plus dims=1x2x2x1 routing=random", true, false},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct topology *t = topology_must(cases[i].network);

		CHECK(t->random == cases[i].random && t->fixed_routes == cases[i].fixed);
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"networks say whether their ways are fixed", networks_say_whether_their_ways_are_fixed},
	{"Tofu is a grid of six dimensions", tofu_is_a_6d_grid},
	{"HyperX has its closed forms", hyperx_has_its_closed_forms},
	{"Dragonfly+ has its closed forms", dragonfly_plus_has_its_closed_forms},
	{"Dragonfly+ goes by a random group", dragonfly_plus_goes_by_a_random_group},
	{"Slim Fly has its closed forms", slim_fly_has_its_closed_forms},
	{"Slim Fly joins over squares", slim_fly_joins_over_squares},
	{"Slim Fly joins groups alike", slim_fly_joins_groups_alike},
	{"Jellyfish is a random regular graph", jellyfish_is_a_random_regular_graph},
	{"Jellyfish joins all ports but one", jellyfish_joins_all_ports_but_one},
	{"mean distances are the published ones", mean_distances_are_the_published_ones},
	{"routes of every routing arrive, minimal ones are shortest", routes_of_every_routing_arrive},
	{"choices of random routings are the paths of keys", choices_are_the_paths_of_keys},
	{"choices are known where nothing else decides", other_routings_have_no_choices},
	{"adaptive routings offer what they say", adaptive_routings_offer_what_they_say},
	{"a dragonfly's groups are all connected", a_dragonfly_is_complete},
	{"ways on dragonflies arrive", dragonfly_ways_arrive},
	{"distances on a dragonfly add up", dragonfly_distances_add_up},
	{"UGAL on a dragonfly shows two ways", ugal_on_a_dragonfly_shows_two_ways},
	{"Valiant draws both links between groups apart", valiant_draws_both_links_between_groups_apart},
	{"bisections are the known ones", bisections_are_the_known_ones},
	{"flow between halves is the bisection", flow_between_halves_is_the_bisection},
	{"odd sizes have a bisection too", odd_sizes_have_a_bisection_too},
	{"sizes that do not fit are refused", wrong_sizes_are_refused},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("kinds", tests, TAP_COUNT(tests));
}
