/* Placing tasks: netlink/mapping/. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mapping_maker.h"
#include "netlink/mapping/greedy.h"
#include "netlink/mapping/merge.h"
#include "netlink/mapping/optimise.h"
#include "netlink/mapping/placement.h"
#include "netlink/mapping/volumes.h"
#include "topology_maker.h"

static void a_graph_knows_both_ends(void)
{
	struct comm_matrix *m = comm_matrix_create(3, NULL);
	struct task_graph *g;

	comm_matrix_add(m, 0, 1, 10, 1, NULL);
	comm_matrix_add(m, 1, 0, 5, 1, NULL);
	comm_matrix_add(m, 2, 0, 7, 2, NULL);
	comm_matrix_add(m, 1, 1, 99, 1, NULL); /* to itself */
	comm_matrix_add(m, 1, 2, 0, 1, NULL);  /* of no bytes */
	g = task_graph_create(m, 4, NULL);
	REQUIRE(g != NULL);
	CHECK_U64(g->edges, 3);
	CHECK_U64(g->bytes, 22);
	CHECK_U64(g->first[1], 2); /* 0 has 1 and 2 */
	CHECK(g->link[0].other == 1 && g->link[0].out == 10 && g->link[0].in == 5);
	CHECK(g->link[1].other == 2 && g->link[1].out == 0 && g->link[1].in == 7);
	CHECK_U64(g->first[4], 4); /* 3 has none */
	task_graph_destroy(g);
	comm_matrix_destroy(m);
}

static void patterns_have_their_edges(void)
{
	struct task_graph *g = mapping_graph("bruck:6:10", 6);

	/* blocks 1, 2 and the 2 that are left of 6 - 4: 5 blocks of 10 bytes from each of 6 */
	CHECK_U64(g->edges, 18);
	CHECK_U64(g->bytes, 300);
	CHECK(g->edge[0].dst == 1 && g->edge[1].dst == 2 && g->edge[2].dst == 4);
	task_graph_destroy(g);
	g = mapping_graph("stencil:4x3:7", 12);
	CHECK_U64(g->edges, 2 * (9 + 8));
	task_graph_destroy(g);
	g = mapping_graph("stencil-torus:4x3:7", 12);
	CHECK_U64(g->edges, 48); /* four of each */
	task_graph_destroy(g);
}

static void other_patterns_are_refused(void)
{
	static const char *const texts[] = {"ring:4:1",     "bruck",       "bruck:4",
					    "bruck:4:0",    "bruck:4:x",   "bruck:0:1",
					    "stencil:4x:1", "bruck:4:1:2", "stencil:4096x4096x4096:1",
					    ":4:1"};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		CHECK(task_pattern(texts[i], NULL) == NULL);
}

/* Four tasks in a ring of four: 1 byte to the next, 2 bytes to the one opposite. */
static void costs_are_bytes_times_links(void)
{
	struct topology *t = topology_must("kind=torus dims=4 ties=positive");
	struct task_graph *g = mapping_graph("bruck:4:1", 4);
	static const uint32_t straight[] = {0, 1, 2, 3}, swapped[] = {0, 2, 1, 3};
	struct mapping_cost c;
	uint64_t *load = calloc(t->links, sizeof(*load));

	REQUIRE(load != NULL);
	CHECK_I64(mapping_cost(t, g, straight, &c, load, NULL), 0);
	/* ring: 4 x 1 + 4 x 2 x 2; open: 3 x 1 + 3 + 16 */
	CHECK_U64(c.hop_bytes, 20);
	CHECK_U64(c.mesh_hop_bytes, 22);
	/* every link +x: 1 from its node, 2 from it and from the one before (ties to +) */
	CHECK_U64(c.max_link_bytes, 5);
	CHECK_STR(t->class[t->link[c.max_link].class].name, "+x");
	CHECK_U64(load[t->inject[0]], 3);
	CHECK_U64(load[t->eject[3]], 3);
	/* 0 2 1 3: to the next is 2, 1, 2, 1 links (3 to 0), opposite is 1 */
	CHECK_I64(mapping_cost(t, g, swapped, &c, NULL, NULL), 0);
	CHECK_U64(c.hop_bytes, 6 + 8);
	free(load);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* The ring again: 8 links between routers, four with 5 bytes (+x), four with none (-x). */
static void volumes_are_sorted_and_by_direction(void)
{
	struct topology *t = topology_must("kind=torus dims=4 ties=positive");
	struct task_graph *g = mapping_graph("bruck:4:1", 4);
	static const uint32_t straight[] = {0, 1, 2, 3};
	struct mapping_cost c;
	uint64_t *load = calloc(t->links, sizeof(*load));
	struct volumes v;

	REQUIRE(load != NULL);
	CHECK_I64(mapping_cost(t, g, straight, &c, load, NULL), 0);
	REQUIRE(volumes_of(t, load, &v, NULL) == 0);
	CHECK_U64(v.links, 8);
	CHECK_U64(v.sorted[3], 0);
	CHECK_U64(v.sorted[4], 5);
	CHECK_U64(volumes_quantile(&v, 0), 0);
	CHECK_U64(volumes_quantile(&v, 0.5), 0);
	CHECK_U64(volumes_quantile(&v, 0.51), 5);
	CHECK_U64(volumes_quantile(&v, 1), 5);
	CHECK_U64(v.classes, 2); /* not those of NICs */
	CHECK_STR(v.class[0].name, "+x");
	CHECK_F64(v.class[0].total, 20, 0);
	CHECK_U64(v.class[0].most, 5);
	CHECK_U64(v.class[1].links, 4);
	CHECK_U64(v.class[1].most, 0);
	volumes_finish(&v);
	free(load);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* Both series are in the picture, and each direction has its name. */
static void a_picture_has_all_directions(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4");
	uint64_t *load = calloc(t->links, sizeof(*load));
	static char text[65536];
	struct volumes v;
	FILE *f = tmpfile();

	REQUIRE(load != NULL && f != NULL && volumes_of(t, load, &v, NULL) == 0); /* nothing sent */
	volumes_picture(&v, &v, "a < b", f);
	rewind(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	CHECK(strstr(text, "a &lt; b") && strstr(text, "in order") && strstr(text, "placed"));
	CHECK(strstr(text, ">+x<") && strstr(text, ">-y<"));
	CHECK(!strstr(text, "nan") && !strstr(text, "inf") && strstr(text, "</svg>"));
	fclose(f);
	volumes_finish(&v);
	free(load);
	topology_destroy(t);
}

/* A ring of heavy and light edges, 0=2-1=3-0: on 2x2 everybody can be beside its neighbours. */
static void four_tasks_find_their_square(void)
{
	static const struct merge_machine square = {2, {2, 2}, {false, false}, false, false};
	struct comm_matrix *m = comm_matrix_create(4, NULL);
	static const uint32_t ring[] = {0, 2, 1, 3};
	struct topology *t = topology_must("kind=mesh dims=2x2");
	struct mapping_cost c;
	struct task_graph *g;
	uint32_t node[4];

	for (unsigned i = 0; i < 4; i++)
		comm_matrix_add(m, ring[i], ring[(i + 1) % 4], i % 2 ? 1 : 10, 1, NULL);
	g = task_graph_create(m, 4, NULL);
	REQUIRE(g != NULL);
	for (int goal = MERGE_COST; goal <= MERGE_SQUARES; goal++) {
		CHECK_I64(merge_tasks(g, &square, &(struct merge_options){(enum merge_goal)goal, 0.1, 0}, node, NULL),
			  0);
		CHECK(mapping_is_placement(node, 4, 4, NULL));
		mapping_cost(t, g, node, &c, NULL, NULL);
		CHECK_U64(c.hop_bytes, 22);
		CHECK_U64(c.max_link_bytes, 10);
	}
	task_graph_destroy(g);
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/* A line of tasks becomes boxes of 2, 4, 8 ...: all stay together, which no way can better. */
static void merging_places_every_task_once(void)
{
	static const struct merge_machine machines[] = {
		{1, {32}, {true}, false, false},
		{2, {4, 8}, {true, true}, false, false},
		{2, {16, 2}, {false, false}, false, false},
		{3, {4, 4, 2}, {true, true, true}, false, false},
		{4, {2, 4, 2, 2}, {true, true, true, true}, false, false},
		{3, {1, 32, 1}, {false, false, false}, false, false},
	};
	struct task_graph *g = mapping_graph("bruck:29:8", 32);

	for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		for (int goal = MERGE_NONE; goal <= MERGE_SQUARES; goal++)
			for (uint64_t order = 0; order < 3; order++) {
				uint32_t node[32];

				CHECK_I64(merge_tasks(g, &machines[i],
						      &(struct merge_options){(enum merge_goal)goal, 0.1, order}, node,
						      NULL),
					  0);
				CHECK(mapping_is_placement(node, 32, 32, NULL));
			}
	task_graph_destroy(g);
}

/* Sides with other prime factors than 2: all tasks of a box of 60 have nodes of their own. */
static void merging_takes_any_size(void)
{
	static const struct merge_machine machines[] = {
		{1, {60}, {true}, false, false},
		{2, {6, 10}, {true, true}, false, false},
		{2, {30, 2}, {false, false}, true, false},
		{3, {3, 4, 5}, {true, true, true}, false, false},
		{3, {5, 6, 2}, {true, true, true}, false, true},
		{4, {5, 2, 3, 2}, {true, true, true, true}, false, false},
	};
	struct task_graph *g = mapping_graph("bruck:53:8", 60);

	for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		for (int goal = MERGE_NONE; goal <= MERGE_SQUARES; goal++)
			for (uint64_t order = 0; order < 3; order++) {
				const struct merge_options o = {(enum merge_goal)goal, 0.1, order};
				uint32_t node[60];

				CHECK_I64(merge_tasks(g, &machines[i], &o, node, NULL), 0);
				CHECK(mapping_is_placement(node, 60, 60, NULL));
			}
	task_graph_destroy(g);
}

/* Merges tasks whose edges carry `bytes` one way, on an open line; checks their places, cost and busiest link. */
static void check_line(enum merge_goal goal, unsigned tasks, unsigned edges, const uint32_t edge[][3],
		       const uint32_t *at, uint64_t cost, uint64_t most)
{
	const struct merge_machine line = {.dims = 1, .size = {tasks}};
	struct comm_matrix *m = comm_matrix_create(tasks, NULL);
	struct topology *t = topology_must(tasks == 5 ? "kind=mesh dims=5" : "kind=mesh dims=3");
	struct mapping_cost c;
	struct task_graph *g;
	uint32_t node[5];

	for (unsigned i = 0; i < edges; i++)
		comm_matrix_add(m, edge[i][0], edge[i][1], edge[i][2], 1, NULL);
	g = task_graph_create(m, tasks, NULL);
	REQUIRE(g != NULL);
	CHECK_I64(merge_tasks(g, &line, &(struct merge_options){goal, 0.1, 0}, node, NULL), 0);
	for (unsigned i = 0; i < tasks; i++)
		CHECK_U64(node[i], at[i]);
	mapping_cost(t, g, node, &c, NULL, NULL);
	CHECK_U64(c.hop_bytes, cost);
	CHECK_U64(c.max_link_bytes, most);
	task_graph_destroy(g);
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/*
 * Five nodes in a line are one round of five groups. A chain 0-2-4-1-3 grows at its far end. In the chain 3-1-0-2-4
 * with 50, 40, 30, 20 bytes from the middle outwards, 1 comes behind 0, 2 before both, 3 behind 1, 4 before 2. `none`
 * puts the same tasks one behind the other, 0 1 2 3 4: 50 + 2 x 40 + 2 x 30 + 2 x 20 = 230 byte links; from 0 to 1
 * go 50 + 40.
 */
static void a_round_of_five_is_a_chain(void)
{
	static const uint32_t from_end[][3] = {{0, 2, 50}, {2, 4, 40}, {4, 1, 30}, {1, 3, 20}};
	static const uint32_t from_middle[][3] = {{0, 1, 50}, {0, 2, 40}, {1, 3, 30}, {2, 4, 20}};

	check_line(MERGE_COST, 5, 4, from_end, (const uint32_t[]){0, 3, 1, 4, 2}, 140, 50);
	check_line(MERGE_COST, 5, 4, from_middle, (const uint32_t[]){2, 3, 1, 4, 0}, 140, 50);
	check_line(MERGE_NONE, 5, 4, from_middle, (const uint32_t[]){0, 1, 2, 3, 4}, 230, 90);
}

/* 0 with 1 and 2: in order, 10 + 4 bytes on the link from 0 to 1; with 2 before 0 no link has more than 10. */
static void a_third_group_relieves_a_link(void)
{
	static const uint32_t star[][3] = {{0, 1, 10}, {0, 2, 4}};

	check_line(MERGE_MAXLINK, 3, 2, star, (const uint32_t[]){1, 2, 0}, 14, 10);
	check_line(MERGE_SQUARES, 3, 2, star, (const uint32_t[]){1, 2, 0}, 14, 10);
	check_line(MERGE_NONE, 3, 2, star, (const uint32_t[]){0, 1, 2}, 18, 14);
}

/*
 * Figures of the paper (table 2) for Bruck's allgather on 16x16x16: in order 223.3 hop GB and 45.10
 * MB, none 52.4 and 8.68, mincost 51.1 and 8.64 (open mesh; its rounding).
 */
static void the_papers_allgather_has_its_figures(void)
{
	struct topology *t = topology_must("kind=torus dims=16x16x16 ties=positive");
	struct comm_matrix *m = task_pattern("bruck:4096:2048", NULL);
	static const struct {
		unsigned method;
		double cost, link;
	} cases[] = {{METHOD_NONE, 52.4, 8.68}, {METHOD_MINCOST, 51.1, 8.64}};

	for (unsigned i = 0; i < 2; i++) {
		struct optimise_request q = {
			.topology = t, .matrix = m, .method = cases[i].method, .orders = 1, .per_node = 1};
		struct optimise_result r;

		REQUIRE(optimise(&q, &r, NULL) == 0);
		CHECK(mapping_is_placement(r.node, 4096, 4096, NULL));
		CHECK_F64(1e-9 * (double)r.before.mesh_hop_bytes, 223.3, 0.05);
		CHECK_F64(1e-6 * (double)r.before.max_link_bytes, 45.1, 0.05);
		CHECK_F64(1e-9 * (double)r.after.mesh_hop_bytes, cases[i].cost, 0.05);
		CHECK_F64(1e-6 * (double)r.after.max_link_bytes, cases[i].link, 0.01);
		optimise_finish(&r);
	}
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/* The last merge measures the whole machine: no placement of minlink is worse than its value. */
static void minlink_lowers_the_largest_volume(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8");
	struct task_graph *g = mapping_graph("bruck:64:1", 64);
	static const struct merge_machine m = {2, {8, 8}, {true, true}, false, false};
	struct mapping_cost none, least;
	uint32_t node[64];

	CHECK_I64(merge_tasks(g, &m, &(struct merge_options){(enum merge_goal)MERGE_NONE, 0.1, 0}, node, NULL), 0);
	mapping_cost(t, g, node, &none, NULL, NULL);
	CHECK_I64(merge_tasks(g, &m, &(struct merge_options){(enum merge_goal)MERGE_MAXLINK, 0.1, 0}, node, NULL), 0);
	mapping_cost(t, g, node, &least, NULL, NULL);
	CHECK(least.max_link_bytes < none.max_link_bytes);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* A stencil that fits the machine: in order every neighbour is one link away, and no search makes
 * it worse. */
static void a_search_never_makes_it_worse(void)
{
	struct topology *t = topology_must("kind=torus dims=8x8x4");
	struct comm_matrix *m = task_pattern("stencil-torus:8x8x4:100", NULL);

	for (unsigned method = METHOD_MINCOST; method <= METHOD_MINSQUARES; method++) {
		struct optimise_request q = {.topology = t, .matrix = m, .method = method, .orders = 1, .per_node = 1};
		struct optimise_result r;

		REQUIRE(optimise(&q, &r, NULL) == 0);
		CHECK_U64(r.before.hop_bytes, 256 * 6 * 100);
		CHECK_U64(r.after.hop_bytes, 256 * 6 * 100);
		CHECK_U64(r.after.max_link_bytes, 100);
		optimise_finish(&r);
	}
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/* Tasks of a ring on a ring, two of them exchanged: refinement puts them back. */
static void refinement_finds_an_exchange(void)
{
	struct topology *t = topology_must("kind=torus dims=16");
	struct comm_matrix *m = task_pattern("stencil-torus:16:100", NULL);
	uint32_t from[16];
	struct optimise_request q = {
		.topology = t, .matrix = m, .method = METHOD_KEEP, .passes = 10, .per_node = 1, .from = from};
	struct optimise_result r;

	for (uint32_t i = 0; i < 16; i++)
		from[i] = i == 3 ? 9 : i == 9 ? 3 : i;
	REQUIRE(optimise(&q, &r, NULL) == 0);
	CHECK_U64(r.after.hop_bytes, 16 * 2 * 100);
	CHECK(r.refined.exchanges >= 1);
	CHECK(mapping_is_placement(r.node, 16, 16, NULL));
	optimise_finish(&r);
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/*
 * A ring of tasks on a ring of nodes: the first in the middle, then each beside the last one, or,
 * the lower number first, on the other side. All are beside their neighbours in the end.
 */
static void greedy_places_a_ring_on_a_ring(void)
{
	struct topology *t = topology_must("kind=torus dims=6");
	struct task_graph *g = mapping_graph("stencil-torus:6:100", 6);
	static const uint32_t expected[] = {3, 2, 1, 0, 5, 4};
	uint32_t node[6];

	CHECK_I64(greedy_placement(t, g, NULL, NULL, node, NULL), 0);
	for (unsigned i = 0; i < 6; i++)
		CHECK_U64(node[i], expected[i]);
	task_graph_destroy(g);
	topology_destroy(t);
}

static void greedy_is_for_any_network(void)
{
	static const char *const networks[] = {"kind=torus dims=6x5x3", "kind=fat_tree dims=9x10",
					       "kind=mesh dims=90",     "kind=dragonfly dims=2x4x2 groups=9",
					       "kind=tofu dims=2x2x2",  "kind=hypercube dims=2^7"};

	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		struct topology *t = topology_must(networks[i]);
		struct comm_matrix *m = task_pattern("stencil:7x10:10", NULL);
		struct optimise_request q = {
			.topology = t, .matrix = m, .method = METHOD_GREEDY, .passes = 20, .per_node = 1};
		struct optimise_result r;
		bool *used = calloc(t->nodes, sizeof(*used));

		REQUIRE(used != NULL && optimise(&q, &r, NULL) == 0);
		for (uint32_t k = 0; k < 70; k++) {
			REQUIRE(r.node[k] < t->nodes);
			CHECK(!used[r.node[k]]);
			used[r.node[k]] = true;
		}
		CHECK(r.after.hop_bytes <= r.before.hop_bytes);
		optimise_finish(&r);
		free(used);
		comm_matrix_destroy(m);
		topology_destroy(t);
	}
}

/* 12 ranks in pairs on 8 nodes of a mesh: 6 nodes are used, each twice. */
static void ranks_may_share_a_node(void)
{
	struct topology *t = topology_must("kind=mesh dims=4x2");
	struct comm_matrix *m = task_pattern("stencil:12:100", NULL);
	struct optimise_request q = {.topology = t, .matrix = m, .method = METHOD_MINCOST, .orders = 1, .per_node = 2};
	struct optimise_result r;
	unsigned on[8] = {0};

	REQUIRE(optimise(&q, &r, NULL) == 0);
	CHECK_U64(r.ranks, 12);
	CHECK_U64(r.bytes, 5 * 2 * 100); /* five pairs of neighbours in different nodes */
	for (uint32_t i = 0; i < 12; i++) {
		on[r.node[i]]++;
		CHECK_U64(r.node[i], r.node[i - i % 2]);
	}
	for (unsigned i = 0; i < 8; i++)
		CHECK(on[i] == 0 || on[i] == 2);
	optimise_finish(&r);
	comm_matrix_destroy(m);
	topology_destroy(t);
}

static const char *refusal(const char *network, const char *pattern, unsigned method, unsigned per_node)
{
	static struct err e;
	struct topology *t = topology_must(network);
	struct comm_matrix *m = task_pattern(pattern, NULL);
	struct optimise_request q = {.topology = t, .matrix = m, .method = method, .orders = 1, .per_node = per_node};
	struct optimise_result r;

	CHECK_I64(optimise(&q, &r, &e), -1);
	CHECK_U64(e.status, STATUS_USAGE);
	comm_matrix_destroy(m);
	topology_destroy(t);
	return e.text;
}

static void what_does_not_fit_is_refused(void)
{
	CHECK_STR(refusal("kind=torus dims=4x4", "bruck:17:1", METHOD_MINCOST, 1),
		  "17 ranks, 1 on each of 16 nodes: expected at most 16");
	CHECK_STR(refusal("kind=torus dims=16385", "bruck:16:1", METHOD_MINCOST, 1),
		  "a dimension of 16385 nodes, expected at most 16384 for merging");
	CHECK_STR(refusal("kind=fat_tree dims=4x4", "bruck:16:1", METHOD_MINCOST, 1),
		  "merging places tasks on meshes and tori of at most 4 dimensions, not on this fat_tree, expected "
		  "method auto, bisect or greedy");
}

static FILE *file_of(const char *text)
{
	FILE *f = tmpfile();

	REQUIRE(f != NULL);
	fputs(text, f);
	rewind(f);
	return f;
}

static void a_mapping_comes_back(void)
{
	static const uint32_t node[] = {3, 0, 7};
	FILE *f = tmpfile();
	uint32_t ranks = 0, *back;

	REQUIRE(f != NULL);
	placement_write(node, 3, f);
	rewind(f);
	back = placement_read(f, "m", 8, &ranks, NULL);
	REQUIRE(back != NULL);
	CHECK_U64(ranks, 3);
	CHECK(!memcmp(back, node, sizeof(node)));
	free(back);
	fclose(f);
}

static const char *complaint(const char *text)
{
	static struct err e;
	FILE *f = file_of(text);
	uint32_t ranks;

	CHECK(placement_read(f, "m", 8, &ranks, &e) == NULL);
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	fclose(f);
	return e.text;
}

static void wrong_mappings_have_their_line(void)
{
	CHECK_STR(complaint(""), "m:1: end of the file, expected \"ranks N\"");
	CHECK_STR(complaint("0 1\n"), "m:1: expected \"ranks N\" first, N from 1 to 16777216");
	CHECK_STR(complaint("ranks 0\n"), "m:1: expected \"ranks N\" first, N from 1 to 16777216");
	CHECK_STR(complaint("ranks 2\n0 1\n2 1\n"), "m:3: rank 2, expected 0 to 1");
	CHECK_STR(complaint("ranks 2\n0 8\n"), "m:2: node 8, expected 0 to 7");
	CHECK_STR(complaint("ranks 2\n0 1\n0 2\n"), "m:3: rank 0 appears twice");
	CHECK_STR(complaint("ranks 2\n0\n"), "m:2: 0, expected a rank and its node");
	CHECK_STR(complaint("ranks 2\n0 1 2\n"), "m:2: 0 1 2, expected a rank and its node");
	CHECK_STR(complaint("ranks 2\n0 1\n"), "m:3: end of the file, and rank 1 has no node");
	CHECK_STR(complaint("ranks 99999999999\n"), "m:1: expected \"ranks N\" first, N from 1 to 16777216");
}

static void short_memory_is_an_error(void)
{
	struct topology *t = topology_must("kind=torus dims=2x2x2");
	struct optimise_request q = {.topology = t, .method = METHOD_MINLINK, .orders = 1, .passes = 1, .per_node = 1};

	mapping_short_of_memory(q, 20);
	topology_destroy(t);
}

static const struct tap_test tests[] = {
	{"a graph knows both ends of its edges", a_graph_knows_both_ends},
	{"patterns have their edges", patterns_have_their_edges},
	{"other patterns are refused", other_patterns_are_refused},
	{"costs are bytes times links", costs_are_bytes_times_links},
	{"volumes are sorted, and by direction", volumes_are_sorted_and_by_direction},
	{"a picture has all directions", a_picture_has_all_directions},
	{"four tasks find their square", four_tasks_find_their_square},
	{"merging places every task once", merging_places_every_task_once},
	{"merging takes any size", merging_takes_any_size},
	{"a round of five is a chain", a_round_of_five_is_a_chain},
	{"a third group relieves a link", a_third_group_relieves_a_link},
	{"the paper's allgather has its figures", the_papers_allgather_has_its_figures},
	{"minlink lowers the largest volume", minlink_lowers_the_largest_volume},
	{"a search never makes it worse", a_search_never_makes_it_worse},
	{"refinement finds an exchange", refinement_finds_an_exchange},
	{"greedy places a ring on a ring", greedy_places_a_ring_on_a_ring},
	{"greedy is for any network and any number of ranks", greedy_is_for_any_network},
	{"ranks may share a node", ranks_may_share_a_node},
	{"what does not fit is refused", what_does_not_fit_is_refused},
	{"a mapping comes back from its file", a_mapping_comes_back},
	{"wrong mappings have their line", wrong_mappings_have_their_line},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("mapping", tests, TAP_COUNT(tests));
}
