/* Mesh and torus: netlink/topology/{grid,grid_order,mesh,torus}.c. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "topology_maker.h"

/* Follows the ways between all nodes; every way of a minimal routing is as long as the distance. */
static uint64_t all_distances(const char *network)
{
	struct topology *t = topology_must(network);
	uint64_t sum = 0;

	for (uint32_t src = 0; src < t->nodes; src++)
		for (uint32_t dst = 0; dst < t->nodes; dst++) {
			unsigned d = topology_distance(t, src, dst);

			CHECK_U64(topology_follow(t, src, dst, src * 7 + dst), d);
			sum += d;
		}
	topology_destroy(t);
	return sum;
}

/*
 * Sum of distances from a node round a ring of n: n^2/4 if n is even, (n^2-1)/4 if odd. On a k x l
 * torus: kl * (l * ring(k) + k * ring(l)).
 */
static void torus_ways_are_shortest(void)
{
	CHECK_U64(all_distances("kind=torus dims=8x8"), 64 * (8 * 16 + 8 * 16));
	CHECK_U64(all_distances("kind=torus dims=9x9"), 81 * (9 * 20 + 9 * 20));
	CHECK_U64(all_distances("kind=torus dims=5x4"), 20 * (4 * 6 + 5 * 4));
	CHECK_U64(all_distances("kind=torus dims=2x1x3"), 6 * (3 * 1 + 2 * 2));
	CHECK_U64(all_distances("kind=torus dims=2^6"), 64 * (6 * 32));
	CHECK_U64(all_distances("kind=torus dims=6x4 ties=negative dateline=behind"), 24 * (4 * 9 + 6 * 4));
	CHECK_U64(all_distances("kind=torus dims=6x4 ties=parity dateline=balanced"), 24 * (4 * 9 + 6 * 4));
	CHECK_U64(all_distances("kind=torus dims=6x4 ties=random dateline=none"), 24 * (4 * 9 + 6 * 4));
}

/* Follows the only path by start, next and take: words as topology_fixed_route writes them. */
static unsigned follow_steps(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *words)
{
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t link = t->inject[src * t->nics];
	unsigned vc = 0, count = 0;
	struct route r;

	topology_route_start(t, src, dst, 0, &r);
	do {
		uint32_t at = t->link[link].to;

		CHECK_U64(topology_route_next(t, at, link, vc, &r, steps), 1);
		topology_route_take(t, at, &steps[0], &r);
		link = steps[0].link;
		vc = steps[0].vc;
		words[count++] = link << 6 | vc;
	} while (t->link[link].to >= t->nodes);
	return count;
}

static void a_way_is_that_of_its_steps(void)
{
	static const char *const networks[] = {
		"kind=torus dims=8x8",
		"kind=torus dims=5x4 ties=positive dateline=crossing",
		"kind=torus dims=6x4 ties=negative dateline=behind",
		"kind=torus dims=4x3x2 ties=direct dateline=none nics=2",
		"kind=torus dims=2x1x3",
		"kind=mesh dims=4x3x2",
		"kind=tofu dims=2x3x2",
		"kind=hyper_crossbar dims=3x4",
		"kind=fat_tree dims=3x4",
	};

	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);

		REQUIRE(t->fixed_routes);
		for (uint32_t src = 0; src < t->nodes; src++)
			for (uint32_t dst = 0; dst < t->nodes; dst++) {
				uint32_t inject = t->inject[src * t->nics], expected[64], words[64];
				unsigned count = follow_steps(t, src, dst, expected);

				CHECK_U64(topology_fixed_route(t, inject, src, dst, 6, words, 64), count);
				CHECK(!memcmp(words, expected, count * sizeof(words[0])));
				CHECK_U64(topology_fixed_route(t, inject, src, dst, 6, words, count - 1), 0);
			}
		topology_destroy(t);
	}
}

/* Sum over all pairs of a line of n: n (n^2-1) / 3. On k x l: l^2 * line(k) + k^2 * line(l). */
static void mesh_ways_are_shortest(void)
{
	CHECK_U64(all_distances("kind=mesh dims=5"), 40);
	CHECK_U64(all_distances("kind=mesh dims=4x3"), 9 * 20 + 16 * 8);
	CHECK_U64(all_distances("kind=mesh dims=3x1x2"), 4 * 8 + 9 * 2);
}

static void links_are_counted_by_class(void)
{
	struct topology *t = topology_must("kind=mesh dims=4x3 link.bandwidth=4GB/s,2GB/s link.cable=10ns,5ns");
	static const char *const names[] = {"+x", "-x", "+y", "-y", "inject", "eject"};
	/* x: 3 each way in each of 3 rows; y: 2 in each of 4 columns */
	static const unsigned links[] = {9, 9, 8, 8, 12, 12};

	REQUIRE(t->classes == 6);
	for (unsigned c = 0; c < 6; c++) {
		CHECK_STR(t->class[c].name, names[c]);
		CHECK_U64(t->class[c].links, links[c]);
		CHECK_F64(t->class[c].bytes_per_s, c == 2 || c == 3 ? 2e9 : 4e9, 0);
	}
	CHECK_I64(t->class[1].cable_ps, 10000);
	CHECK_I64(t->class[3].cable_ps, 5000);
	CHECK_I64(t->class[4].cable_ps, 0);
	CHECK_U64(t->vcs, 1);
	topology_destroy(t);
}

static void the_first_link_of(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, const char *class)
{
	uint32_t links[16];

	REQUIRE(topology_path(t, src, dst, key, links, 16) > 2);
	CHECK_STR(t->class[t->link[links[1]].class].name, class);
}

static void ties_go_by_their_rule(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8");

	the_first_link_of(t, 0, 4, 0, "+x");
	the_first_link_of(t, 4, 0, 0, "+x");
	the_first_link_of(t, 1, 5 * 8 + 1, 0, "-y"); /* 5 forth or 3 back: no tie */
	the_first_link_of(t, 0, 36, 0, "+x");        /* (4,4): x first */
	topology_destroy(t);
	t = topology_must("kind=torus dims=8x8 ties=negative");
	the_first_link_of(t, 0, 4, 0, "-x");
	topology_destroy(t);
	t = topology_must("kind=torus dims=8x8 ties=parity");
	the_first_link_of(t, 0, 4, 0, "+x");
	the_first_link_of(t, 1, 5, 0, "-x");
	the_first_link_of(t, 8, 40, 0, "-y"); /* (0,1) -> (0,5) */
	topology_destroy(t);
}

/*
 * In rings of two all ways are ties. Half of the 8 x 8 pairs of 2 x 2 x 2 nodes cross each dimension, which has 8 links
 * +d and 8 links -d: two ways a link.
 */
static void both_links_of_a_ring_of_two_are_used(void)
{
	struct topology *t = topology_must("kind=torus dims=2x2x2");
	unsigned *ways = calloc(t->links, sizeof(*ways));

	REQUIRE(ways != NULL);
	for (uint32_t pair = 0; pair < 64; pair++) {
		uint32_t links[8], count = topology_path(t, pair / 8, pair % 8, 0, links, 8);

		for (uint32_t i = 1; i + 1 < count; i++)
			ways[links[i]]++;
	}
	for (uint32_t l = 0; l < t->links; l++)
		if (t->link[l].from >= t->nodes && t->link[l].to >= t->nodes)
			CHECK_U64(ways[l], 2);
	free(ways);
	topology_destroy(t);
}

static void random_ties_depend_on_the_key_alone(void)
{
	struct topology *t = topology_must("kind=torus dims=8 ties=random");
	unsigned forth = 0;

	for (uint64_t key = 0; key < 1000; key++) {
		uint32_t a[8], b[8];

		REQUIRE(topology_path(t, 2, 6, key, a, 8) == 6 && topology_path(t, 2, 6, key, b, 8) == 6);
		CHECK(!memcmp(a, b, 6 * sizeof(a[0])));
		forth += t->link[a[1]].to == 8 + 3;
	}
	/* binomial, 1000 x 1/2: standard deviation 15.8; five of them */
	CHECK(forth > 421 && forth < 579);
	topology_destroy(t);
}

/* The VCs of the first choice along a way, as digits. */
static const char *vcs_of(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key)
{
	static char text[32];
	struct route_step steps[ROUTE_STEPS_MAX];
	uint32_t at = t->nodes + src;
	struct route r;
	unsigned n = 0;

	topology_route_start(t, src, dst, key, &r);
	for (;;) {
		topology_route_next(t, at, LINK_NONE, 0, &r, steps);
		at = t->link[steps[0].link].to;
		if (at < t->nodes || n == sizeof(text) - 1)
			break;
		text[n++] = (char)('0' + steps[0].vc);
		topology_route_take(t, t->link[steps[0].link].from, &steps[0], &r);
	}
	text[n] = '\0';
	return text;
}

static void the_vc_changes_at_the_dateline(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8 dateline=crossing");

	CHECK_U64(t->vcs, 2);
	CHECK_STR(vcs_of(t, 6, 1, 0), "011"); /* 6-7, 7-0 over the dateline, 0-1 */
	CHECK_STR(vcs_of(t, 1, 6, 0), "011"); /* the other way round */
	CHECK_STR(vcs_of(t, 1, 3, 0), "00");
	CHECK_STR(vcs_of(t, 6, 8 + 1, 0), "0110");          /* restarts in y */
	CHECK_STR(vcs_of(t, 7 * 8 + 6, 8 + 1, 0), "01111"); /* (6,7) -> (1,1): y from 7 over the dateline at once */
	topology_destroy(t);
	t = topology_must("kind=torus dims=8x8 dateline=behind");
	CHECK_STR(vcs_of(t, 6, 1, 0), "001");
	CHECK_STR(vcs_of(t, 7 * 8 + 6, 8 + 1, 0), "00101");
	topology_destroy(t);
	t = topology_must("kind=torus dims=8x8 dateline=none");
	CHECK_U64(t->vcs, 1);
	CHECK_STR(vcs_of(t, 6, 1, 0), "000");
	topology_destroy(t);
}

static void balanced_packets_that_do_not_cross_take_either_vc(void)
{
	struct topology *t = topology_must("kind=torus dims=1001 dateline=balanced");
	unsigned high = 0;

	CHECK(t->fixed_routes); /* whatever the packet's key */
	for (uint32_t src = 0; src < 999; src++) {
		const char *vcs = vcs_of(t, src, src + 2, src);

		CHECK(!strcmp(vcs, "00") || !strcmp(vcs, "11"));
		high += vcs[0] == '1';
	}
	CHECK(high > 421 && high < 578); /* as above, of 999 */
	CHECK_STR(vcs_of(t, 999, 1, 0), "011");
	topology_destroy(t);
}

static void cabinets_have_longer_cables_between_them(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4 cabinet=2x4 link.cable=5ns link.between_cabinets=25ns");
	unsigned far = 0, near = 0;

	for (uint32_t l = 0; l < t->links; l++) {
		const struct topology_class *c = &t->class[t->link[l].class];

		far += c->cable_ps == 25000;
		near += c->cable_ps == 5000;
	}
	/* of the ring 0 1 | 2 3 | in x two of four links, each way, in 4 rows; y (and its wrap)
	 * stays inside */
	CHECK_U64(far, 16);
	CHECK_U64(near, 64 - 16);
	CHECK_STR(t->class[4].name, "+x far");
	CHECK_U64(t->class[4].links, 8);
	CHECK_U64(topology_follow(t, 0, 2, 0), 2);
	topology_destroy(t);
}

/* The steps at the first router. */
static unsigned first_steps(const struct topology *t, uint32_t src, uint32_t dst, uint64_t key, struct route *r,
			    struct route_step *steps)
{
	topology_route_start(t, src, dst, key, r);
	return topology_route_next(t, t->nodes + src, t->inject[src * t->nics], 0, r, steps);
}

static void adaptive_routing_offers_every_way_nearer(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8x8 routing=adaptive dateline=crossing");
	struct route_step steps[ROUTE_STEPS_MAX];
	struct route r;

	CHECK_U64(t->vcs, 3); /* two of the escape, one adaptive */
	/* (0,0,0) -> (2,7,0): 2 in +x, 1 in -y */
	REQUIRE(first_steps(t, 0, 58, 0, &r, steps) == 3);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_U64(steps[i].hops, 4);
		CHECK_U64(steps[i].vc, i < 2 ? 2 : 0);
		CHECK(steps[i].escape == (i == 2));
		CHECK_STR(t->class[t->link[steps[i].link].class].name, i == 1 ? "-y" : "+x");
	}
	/* after -y, over the dateline, only +x is left */
	topology_route_take(t, t->nodes, &steps[1], &r);
	REQUIRE(topology_route_next(t, t->nodes + 56, steps[1].link, 2, &r, steps) == 2);
	CHECK_STR(t->class[t->link[steps[0].link].class].name, "+x");
	CHECK_U64(steps[0].hops, 3);
	topology_destroy(t);
}

static void adaptive_ways_are_shortest(void)
{
	CHECK_U64(all_distances("kind=torus dims=5x4 routing=adaptive"), 20 * (4 * 6 + 5 * 4));
	CHECK_U64(all_distances("kind=mesh dims=4x3 routing=adaptive"), 9 * 20 + 16 * 8);
}

/* Both legs are as random as pairs of nodes: on average twice 4, the mean distance of an 8x8 torus.
 */
static void valiant_ways_are_twice_as_long(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8 routing=valiant");
	double sum = 0;
	uint64_t key = 0;

	CHECK_U64(t->vcs, 4);
	for (uint32_t src = 0; src < 64; src++)
		for (uint32_t dst = 0; dst < 64; dst++) {
			unsigned n = topology_follow(t, src, dst, key++);

			CHECK(n >= topology_distance(t, src, dst) && n <= 16);
			sum += n;
		}
	/*
	 * A leg in one dimension: 0 1 2 3 4 with 1 2 2 2 1 of 8, variance 1.5; two legs of two
	 * dimensions: 6; of the mean of 4096: sqrt(6 / 4096) = 0.038, five of them 0.19
	 */
	CHECK_F64(sum / 4096, 8, 0.19);
	topology_destroy(t);
}

static void ugal_shows_both_ways_at_the_source(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8 routing=ugal");
	struct route_step steps[ROUTE_STEPS_MAX];
	unsigned both = 0;

	for (uint64_t key = 0; key < 100; key++) {
		struct route r;
		uint32_t at;
		unsigned n = first_steps(t, 0, 3, key, &r, steps), left;

		CHECK_U64(steps[0].hops, 4);
		CHECK(steps[0].vc >= 2);
		if (n < 2)
			continue;
		both++;
		CHECK(steps[1].hops >= 4 && steps[1].vc < 2);
		/* the second way, once taken, is kept */
		left = steps[1].hops;
		at = t->link[steps[1].link].to;
		topology_route_take(t, t->nodes, &steps[1], &r);
		while (at >= t->nodes) {
			CHECK_U64(topology_route_next(t, at, steps[0].link, 0, &r, steps), 1);
			CHECK_U64(steps[0].hops, --left);
			topology_route_take(t, at, &steps[0], &r);
			at = t->link[steps[0].link].to;
		}
		CHECK_U64(at, 3);
		CHECK_U64(left, 1);
	}
	CHECK(both > 85); /* the random node is the source or the destination in 2 of 64 */
	topology_destroy(t);
}

static const struct tap_test tests[] = {
	{"a way is that of its steps", a_way_is_that_of_its_steps},
	{"ways on a torus are shortest and end where they should", torus_ways_are_shortest},
	{"ways on a mesh are shortest and end where they should", mesh_ways_are_shortest},
	{"links are counted by class, and have its rate and cable", links_are_counted_by_class},
	{"ties go by their rule", ties_go_by_their_rule},
	{"both links of a ring of two are used", both_links_of_a_ring_of_two_are_used},
	{"random ties depend on the key alone", random_ties_depend_on_the_key_alone},
	{"the VC changes at the dateline", the_vc_changes_at_the_dateline},
	{"balanced packets that do not cross take either VC", balanced_packets_that_do_not_cross_take_either_vc},
	{"adaptive routing offers every way nearer, then the escape", adaptive_routing_offers_every_way_nearer},
	{"adaptive ways are shortest", adaptive_ways_are_shortest},
	{"Valiant's ways are twice as long on average", valiant_ways_are_twice_as_long},
	{"UGAL shows both ways at the source and keeps to the one taken", ugal_shows_both_ways_at_the_source},
	{"cabinets have longer cables between them", cabinets_have_longer_cables_between_them},
};

int main(void)
{
	return tap_main("grid", tests, TAP_COUNT(tests));
}
