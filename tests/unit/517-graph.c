/* Networks from lists of edges, and routings over any graph. */
#include "tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "netlink/topology/kind.h"
#include "topology_maker.h"

static const char *const routings[] = {"minimal", "ecmp",    "random",  "adaptive",
				       "up_down", "layered", "valiant", "ugal"};

static const char *write_graph(const char *text)
{
	const char *path = in_folder("a.graph");
	FILE *out = fopen(path, "w");

	REQUIRE(out != NULL);
	fputs(text, out);
	fclose(out);
	return path;
}

static struct topology *graph(const char *text, const char *more)
{
	char parameters[500];
	struct topology *t;

	snprintf(parameters, sizeof(parameters), "kind=graph file=%s %s", write_graph(text), more);
	t = topology_must(parameters);
	unlink(in_folder("a.graph"));
	return t;
}

/* An independent search: links between routers from the router of `src` to every vertex. */
static void search(const struct topology *t, uint32_t src, unsigned *far)
{
	uint32_t vertices = t->nodes + t->routers;

	for (uint32_t v = 0; v < vertices; v++)
		far[v] = UINT16_MAX;
	far[t->link[t->inject[src * t->nics]].to] = 0;
	for (bool again = true; again;) {
		again = false;
		for (uint32_t i = 0; i < t->links; i++) {
			const struct topology_link *l = &t->link[i];

			if (l->from < t->nodes || l->to < t->nodes || far[l->from] + 1 >= far[l->to])
				continue;
			far[l->to] = far[l->from] + 1;
			again = true;
		}
	}
}

static uint32_t router_of(const struct topology *t, uint32_t node)
{
	return t->link[t->inject[node * t->nics]].to;
}

/* Ways arrive; minimal ones are as long as a search finds, others at most `most` links. */
static void check_graph(const char *text, unsigned most)
{
	for (unsigned i = 0; i < TAP_COUNT(routings); i++) {
		char more[40];
		struct topology *t;
		struct err e = {0};
		unsigned *far;

		snprintf(more, sizeof(more), "routing=%s", routings[i]);
		t = graph(text, more);
		far = calloc(t->nodes + t->routers, sizeof(*far));
		for (uint32_t src = 0; src < t->nodes; src++) {
			search(t, src, far);
			for (uint32_t dst = 0; dst < t->nodes; dst++) {
				unsigned links = topology_follow(t, src, dst, 31 * src + dst);

				CHECK_U64(topology_distance(t, src, dst), far[router_of(t, dst)]);
				if (t->routing->minimal)
					CHECK_U64(links, far[router_of(t, dst)]);
				else
					CHECK(links >= far[router_of(t, dst)] && links <= most);
			}
		}
		if (topology_check_deadlock(t, &e))
			fprintf(stderr, "%s\n", e.text);
		CHECK_STR(e.text, "");
		free(far);
		topology_destroy(t);
	}
}

#define RING5 "0 1\n1 2\n2 3\n3 4\n4 0\n"
/* Petersen's graph: ten vertices of three edges, diameter 2. */
#define PETERSEN RING5 "0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n"
/* Two triangles on a line of two, a leaf, and routers of none or several nodes. */
#define BARBELL "a b\nb c\nc a\nc d far\nd e far\ne f\nf g\ng e\nf leaf\nnodes d 0\nnodes leaf 3\n"

static void routes_arrive_and_are_free_of_deadlock(void)
{
	check_graph(RING5, 4);
	check_graph(PETERSEN, 4);
	check_graph(BARBELL, 10);
	check_graph("one two\n", 1);
	check_graph("nodes alone 4\n", 0);
}

/* On a ring whose root is 0, a legal way never passes 0 from below, nor the bottom: 2 to 3 is one link, 1 to 4 two. */
static void up_down_goes_round_the_bottom_of_a_ring(void)
{
	struct topology *t = graph("0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n", "routing=up_down");

	CHECK_U64(t->vcs, 1);
	CHECK_U64(topology_follow(t, 1, 5, 0), 2); /* up, down */
	CHECK_U64(topology_follow(t, 0, 3, 0), 3);
	CHECK_U64(topology_follow(t, 2, 4, 0), 4); /* 2 3 4 turns up at the bottom, 3: by 1, 0, 5 */
	CHECK_U64(topology_distance(t, 2, 4), 2);
	topology_destroy(t);
}

static void channels_are_counted_by_hops(void)
{
	static const struct {
		const char *routing;
		unsigned vcs;
	} cases[] = {{"minimal", 2}, {"ecmp", 2},    {"random", 2}, {"adaptive", 2},
		     {"up_down", 1}, {"valiant", 4}, {"ugal", 4}};

	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		char more[40];
		struct topology *t;

		snprintf(more, sizeof(more), "routing=%s", cases[i].routing);
		t = graph(PETERSEN, more);
		CHECK_U64(t->vcs, cases[i].vcs);
		topology_destroy(t);
	}
}

/*
 * A tree has no cycle of links: one layer. On a ring of odd size shortest paths are unique; those of one direction make
 * every dependence of the ring, so one layer does not suffice; the paths over the one dependence that closes the cycle
 * cover 2 (size / 2) - 1 links at most, fewer than the ring: two do.
 */
static void layers_are_few(void)
{
	char ring[400] = "";
	static const struct {
		const char *edges;
		unsigned layers;
	} cases[] = {{"0 1\n0 2\n1 3\n1 4\n2 5\n2 6\n6 7\n", 1}, {RING5, 2}, {NULL, 2}, {"nodes alone 2\n", 1}};

	for (unsigned i = 0; i < 21; i++)
		sprintf(ring + strlen(ring), "%u %u\n", i, (i + 1) % 21);
	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		struct topology *t = graph(cases[i].edges ? cases[i].edges : ring, "routing=layered");
		struct err e = {.text = ""};

		CHECK_U64(t->vcs, cases[i].layers);
		topology_check_deadlock(t, &e);
		CHECK_STR(e.text, "");
		topology_destroy(t);
	}
}

/* Random graphs: fewer layers than links of a path, and no cycle. */
static void layers_of_random_graphs_have_no_cycle(void)
{
	static const char *const networks[] = {"kind=jellyfish dims=40x4 seed=1", "kind=jellyfish dims=60x3 seed=2",
					       "kind=slim_fly dims=5", "kind=jellyfish dims=30x5 seed=3"};

	for (unsigned i = 0; i < TAP_COUNT(networks); i++) {
		char layered[100];
		struct topology *hops = topology_must(networks[i]), *t;
		struct err e = {.text = ""};

		snprintf(layered, sizeof(layered), "%s routing=layered", networks[i]);
		t = topology_must(layered);
		CHECK(t->vcs <= hops->vcs);
		topology_check_deadlock(t, &e);
		CHECK_STR(e.text, "");
		topology_destroy(t);
		topology_destroy(hops);
	}
}

/* Numbers in their order, whatever the file's; names in that of the file. */
static void routers_have_an_order(void)
{
	struct topology *t = graph("10 2\n2 7\nnodes 7 2\n", "");

	CHECK_U64(t->nodes, 4);
	CHECK_U64(router_of(t, 0), t->nodes); /* 2, 7, 7, 10 */
	CHECK_U64(router_of(t, 2), t->nodes + 1);
	CHECK_U64(topology_distance(t, 0, 3), 1);
	CHECK_U64(topology_distance(t, 2, 3), 2);
	topology_destroy(t);
	t = graph("b a\na c\n", "concentration=2");
	CHECK_U64(t->nodes, 6);
	CHECK_U64(topology_distance(t, 0, 2), 1); /* b, a, c */
	CHECK_U64(topology_distance(t, 0, 4), 2);
	topology_destroy(t);
}

static void edges_have_classes(void)
{
	struct topology *t = graph(BARBELL, "link.far.bandwidth=1GB/s nics=2");

	CHECK_U64(t->classes, 4);
	CHECK_STR(t->class[0].name, "link");
	CHECK_U64(t->class[0].links, 14);
	CHECK_STR(t->class[1].name, "far");
	CHECK_U64(t->class[1].links, 4);
	CHECK_F64(t->class[1].bytes_per_s, 1e9, 0);
	CHECK_U64(t->class[2].links, 2 * (6 + 3));
	topology_destroy(t);
}

/* A link each way may be of another class: a is the narrow end of the first edge, b of the second. */
static void routes_back_have_classes(void)
{
	struct topology *t = graph("a b narrow wide\nb c narrow wide\n", "link.narrow.bandwidth=1GB/s");
	uint32_t links[4];

	CHECK_U64(t->class[0].links, 2);
	CHECK_U64(t->class[1].links, 2);
	CHECK_U64(topology_path(t, 0, 2, 0, links, 4), 4);
	CHECK_F64(t->class[t->link[links[1]].class].bytes_per_s, 1e9, 0);
	CHECK_F64(t->class[t->link[links[2]].class].bytes_per_s, 1e9, 0);
	CHECK_U64(topology_path(t, 2, 0, 0, links, 4), 4);
	CHECK_STR(t->class[t->link[links[1]].class].name, "wide");
	CHECK_STR(t->class[t->link[links[2]].class].name, "wide");
	topology_destroy(t);
}

/* Between two leaves four spines are on shortest ways: the pairs of nodes use all four. */
static void hashes_use_all_shortest_paths(void)
{
	char text[600] = "";
	bool used[20] = {false};
	unsigned count = 0;
	struct topology *t;

	for (unsigned a = 0; a < 4; a++)
		for (unsigned b = 0; b < 4; b++)
			sprintf(text + strlen(text), "l%u s%u\n", a, b);
	strcat(text, "nodes s0 0\nnodes s1 0\nnodes s2 0\nnodes s3 0\n");
	t = graph(text, "routing=ecmp concentration=8");
	for (uint32_t src = 0; src < 8; src++)
		for (uint32_t dst = 8; dst < t->nodes; dst++) {
			uint32_t links[8];

			CHECK_U64(topology_path(t, src, dst, 0, links, 8), 4);
			used[t->link[links[1]].to - t->nodes] = true;
		}
	for (unsigned i = 0; i < t->routers; i++)
		count += used[i];
	CHECK_U64(count, 4);
	topology_destroy(t);
}

static void large_graphs_have_a_bound_for_their_diameter(void)
{
	const char *path = in_folder("a.graph");
	FILE *out = fopen(path, "w");
	char parameters[300];
	struct topology *t;

	REQUIRE(out != NULL);
	for (unsigned v = 1; v < 5000; v++) /* a tree of eight children: depth 5 */
		fprintf(out, "%u %u\n", v, (v - 1) / 8);
	fclose(out);
	snprintf(parameters, sizeof(parameters), "kind=graph file=%s", path);
	t = topology_must(parameters);
	CHECK(t->vcs >= 10 && t->vcs <= 20);
	CHECK_U64(topology_follow(t, 4999, 700, 3), topology_distance(t, 4999, 700));
	topology_destroy(t);
	unlink(path);
}

static void short_memory_is_an_error(void)
{
	static const char *const some[] = {"minimal", "up_down", "layered"};

	for (unsigned i = 0; i < TAP_COUNT(some); i++)
		for (unsigned k = 1;; k++) {
			struct topology_config v;
			struct topology *t;
			struct err e = {0};
			unsigned count;
			const struct topology_kind *const *kinds = topology_kinds(&count);

			topology_config_add(NULL, &v);
			while (strcmp(kinds[v.topology.kind]->name, "graph") != 0)
				v.topology.kind = (v.topology.kind + 1) % count;
			snprintf(v.topology.file, sizeof(v.topology.file), "%s", write_graph(BARBELL));
			snprintf(v.topology.routing, sizeof(v.topology.routing), "%s", some[i]);
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
	unlink(in_folder("a.graph"));
}

static const struct tap_test tests[] = {
	{"routes arrive and are free of deadlock", routes_arrive_and_are_free_of_deadlock},
	{"up_down goes round the bottom of a ring", up_down_goes_round_the_bottom_of_a_ring},
	{"channels are counted by hops", channels_are_counted_by_hops},
	{"layers are few", layers_are_few},
	{"layers of random graphs have no cycle", layers_of_random_graphs_have_no_cycle},
	{"routers have an order", routers_have_an_order},
	{"edges have classes", edges_have_classes},
	{"routes back have classes", routes_back_have_classes},
	{"hashes use all shortest paths", hashes_use_all_shortest_paths},
	{"large graphs have a bound for their diameter", large_graphs_have_a_bound_for_their_diameter},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	int status;

	folder_make();
	status = tap_main("graphs", tests, TAP_COUNT(tests));
	rmdir(folder);
	return status;
}
