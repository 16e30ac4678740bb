/* Links, routers and nodes that are down: names, distances, parts, proofs, networks that change. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "netlink/topology/down.h"
#include "netlink/topology/kind.h"
#include "topology_maker.h"

static const char *const routings[] = {"minimal", "ecmp",    "random",  "adaptive",
				       "up_down", "layered", "valiant", "ugal"};
#define FAR UINT16_MAX

/* A cut that the test knows by itself: pairs of routers without a link, ends with a pair of equal ones. */
typedef const uint32_t cut_pairs[][2];

static bool is_cut(const uint32_t (*cut)[2], uint32_t a, uint32_t b)
{
	for (; (*cut)[0] != (*cut)[1]; cut++)
		if (((*cut)[0] == a && (*cut)[1] == b) || ((*cut)[0] == b && (*cut)[1] == a))
			return true;
	return false;
}

/* An independent search by repeated relaxation, from the links and the test's own cut. */
static void search(const struct topology *t, const uint32_t (*cut)[2], uint32_t src, unsigned *far)
{
	for (uint32_t v = 0; v < t->nodes + t->routers; v++)
		far[v] = FAR;
	far[t->link[t->inject[src * t->nics]].to] = 0;
	for (bool again = true; again;) {
		again = false;
		for (uint32_t i = 0; i < t->links; i++) {
			const struct topology_link *l = &t->link[i];

			if (l->from < t->nodes || l->to < t->nodes ||
			    is_cut(cut, l->from - t->nodes, l->to - t->nodes) || far[l->from] + 1 >= far[l->to])
				continue;
			far[l->to] = far[l->from] + 1;
			again = true;
		}
	}
}

static bool uses_cut(const struct topology *t, const uint32_t (*cut)[2], uint32_t src, uint32_t dst, uint64_t key)
{
	uint32_t path[200];
	unsigned links = topology_path(t, src, dst, key, path, 200);

	CHECK(links > 1);
	for (unsigned i = 1; i + 1 < links; i++)
		if (is_cut(cut, t->link[path[i]].from - t->nodes, t->link[path[i]].to - t->nodes))
			return true;
	return false;
}

/* Ways arrive without links that are down; minimal ones are as long as the search says. No channels wait in a cycle. */
static void check_network(const struct topology *t, const uint32_t (*cut)[2])
{
	unsigned *far = calloc(t->nodes + t->routers, sizeof(*far));
	struct err e = {0};

	for (uint32_t src = 0; src < t->nodes; src++) {
		search(t, cut, src, far);
		for (uint32_t dst = 0; dst < t->nodes; dst++) {
			unsigned expected = far[t->link[t->inject[dst * t->nics]].to], links;

			CHECK(topology_reaches(t, src, dst) == (expected != FAR));
			if (expected == FAR)
				continue;
			links = topology_follow(t, src, dst, 31 * src + dst);
			CHECK_U64(topology_distance(t, src, dst), expected);
			CHECK(t->routing->minimal ? links == expected : links >= expected);
			CHECK(!uses_cut(t, cut, src, dst, 31 * src + dst));
		}
	}
	if (topology_check_deadlock(t, &e))
		fprintf(stderr, "%s\n", e.text);
	CHECK_STR(e.text, "");
	free(far);
}

static void check_kind(const char *kind, const char *down, const uint32_t (*cut)[2])
{
	for (unsigned i = 0; i < TAP_COUNT(routings); i++) {
		char text[300];
		struct topology *t;

		snprintf(text, sizeof(text), "%s down=%s routing=%s", kind, down, routings[i]);
		t = topology_must(text);
		check_network(t, cut);
		topology_destroy(t);
	}
}

/* A torus without three links; a fat tree of two leaves without an up-link; a mesh in two parts; others. */
static void routes_go_round(void)
{
	check_kind("kind=torus dims=4x4", "0-1,6-5,12-0", (cut_pairs){{0, 1}, {5, 6}, {12, 0}, {0, 0}});
	check_kind("kind=fat_tree dims=4x2", "0-2", (cut_pairs){{0, 2}, {0, 0}});
	check_kind("kind=hyperx dims=3x3", "0-1,0-2,4-5", (cut_pairs){{0, 1}, {0, 2}, {4, 5}, {0, 0}});
	check_kind("kind=hypercube dims=2^3", "0-1", (cut_pairs){{0, 1}, {0, 0}});
	check_kind("kind=slim_fly dims=3", "0-1", (cut_pairs){{0, 1}, {0, 0}});
	check_kind("kind=mesh dims=3x2", "0-1,3-4",
		   (cut_pairs){{0, 1}, {3, 4}, {0, 0}}); /* 0 and 3 are apart from the rest */
}

/* On a ring of four without a link, distances are those of a line: 1, 2, 3, ... */
static void a_ring_becomes_a_line(void)
{
	struct topology *t = topology_must("kind=torus dims=4 down=3-0 routing=minimal");

	for (uint32_t a = 0; a < 4; a++)
		for (uint32_t b = 0; b < 4; b++)
			CHECK_U64(topology_distance(t, a, b), a > b ? a - b : b - a);
	CHECK_U64(t->vcs, 3);
	CHECK_STR(topology_name(t), "torus");
	topology_destroy(t);
}

/* A router takes its links and nodes with it; a node alone leaves the routing as it is. */
static void routers_and_nodes_are_down(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4 down=router:5,node:0 routing=ecmp");
	struct down_counts c = down_count(t, t->down);

	CHECK_U64(c.links, 64);
	CHECK_U64(c.links_down, 8);
	CHECK_U64(c.routers_down, 1);
	CHECK_U64(c.nodes_down, 2);
	CHECK_F64(c.bytes_per_s_down / c.bytes_per_s, 0.125, 0);
	CHECK_U64(t->down->parts, 1);
	CHECK(!topology_reaches(t, 5, 6) && !topology_reaches(t, 1, 0) && topology_reaches(t, 1, 15));
	topology_destroy(t);
	t = topology_must("kind=torus dims=4x4 down=node:0");
	CHECK_STR(t->routing->name, "dimension_order");
	CHECK(!topology_goes_round(t) && !topology_reaches(t, 1, 0) && topology_reaches(t, 1, 15));
	topology_destroy(t);
}

/* A ring of six in two parts: 1 2 and 3 4 5 0. Both links of router 2 down: alone. */
static void parts_have_no_way_between_them(void)
{
	struct topology *t = topology_must("kind=torus dims=6 down=0-1,2-3 routing=valiant");

	CHECK_U64(t->down->parts, 2);
	CHECK(topology_reaches(t, 1, 2) && topology_reaches(t, 0, 3) && !topology_reaches(t, 2, 3));
	check_network(t, (cut_pairs){{0, 1}, {2, 3}, {0, 0}});
	topology_destroy(t);
	t = topology_must("kind=torus dims=6 down=2-1,2-3 routing=up_down");
	CHECK_U64(t->down->parts, 2);
	CHECK(topology_reaches(t, 2, 2) && !topology_reaches(t, 2, 1) && topology_reaches(t, 1, 3));
	CHECK_U64(topology_distance(t, 1, 3), 4);
	topology_destroy(t);
}

/* A share is of links both ways: 0.25 of the 32 of a torus of 4 x 4; another seed draws others. */
static void a_share_is_drawn(void)
{
	struct topology *a = topology_must("kind=torus dims=4x4 down=0.25:7 routing=up_down");
	struct topology *b = topology_must("kind=torus dims=4x4 down=0.25:8 routing=up_down");
	struct topology *all = topology_must("kind=torus dims=4x4 down=1 routing=up_down");

	CHECK_U64(down_count(a, a->down).links_down, 16);
	CHECK_U64(down_count(b, b->down).links_down, 16);
	CHECK(memcmp(a->down->link, b->down->link, a->links) != 0);
	CHECK_U64(down_count(all, all->down).links_down, 64);
	CHECK_U64(all->down->parts, 16);
	topology_destroy(a);
	topology_destroy(b);
	topology_destroy(all);
}

/* Two links between the same routers, in a torus of two, go together: 4 one-way links. */
static void parallel_links_go_together(void)
{
	struct topology *t = topology_must("kind=torus dims=2x3 down=0-1 routing=minimal");

	CHECK_U64(down_count(t, t->down).links_down, 4);
	topology_destroy(t);
}

static void graphs_have_names(void)
{
	const char *path = in_folder("a.graph");
	FILE *out = fopen(path, "w");
	char text[300];
	struct topology *t;

	REQUIRE(out != NULL);
	fputs("leaf-1 spine\nspine leaf-2\nleaf-1 leaf-2\n", out);
	fclose(out);
	snprintf(text, sizeof(text), "kind=graph file=%s down=leaf-1-leaf-2", path);
	t = topology_must(text);
	CHECK_U64(topology_distance(t, 0, 2), 2);
	topology_destroy(t);
	snprintf(text, sizeof(text), "kind=graph file=%s down=spine-leaf-3", path);
	CHECK(strstr(topology_complaint(text), "spine-leaf-3: expected the names of two routers") != NULL);
	snprintf(text, sizeof(text), "kind=graph file=%s down=router:leaf-9", path);
	CHECK(strstr(topology_complaint(text), "no router leaf-9, expected one of 3 routers, leaf-1 to leaf-2") !=
	      NULL);
	unlink(path);
}

static void complaint(const char *down, const char *expected)
{
	char text[300];
	const char *got;

	snprintf(text, sizeof(text), "kind=torus dims=4x4 routing=minimal down=%s", down);
	got = topology_complaint(text);
	REQUIRE(got != NULL);
	if (!strstr(got, expected))
		CHECK_STR(got, expected);
}

static void mistakes_are_named(void)
{
	complaint("0-5", "topology.down: 0-5: no link between these routers, expected a neighbour of 0: 1, 3, 4, 12");
	complaint("0-16", "0-16: no router 16, expected one of 16 routers, 0 to 15");
	complaint("x-1", "x-1: no router x, expected");
	complaint("0-1,1-0", "1-0: it is down already");
	complaint("router:3,router:3", "router:3: it is down already");
	complaint("node:16", "node:16: no node 16, expected 0 to 15");
	complaint("1.5", "1.5: a share of 1.5, expected above 0 to 1");
	complaint("0", "0: a share of 0, expected above 0 to 1");
	complaint("0.5:x", "0.5:x: seed 'x', expected a number");
	complaint("everything", "everything: expected a link A-B, router:R, node:N or a share");
	complaint("-1", "-1: a share of -1, expected");
	complaint("router:", "router:: expected a router");
	complaint(",", "no item, expected none or a link");
	CHECK(strstr(topology_complaint("kind=torus dims=4x4 down=0-1"),
		     "routing dimension_order does not go round links that are down, expected one over any graph: "
		     "minimal, ecmp, random, adaptive, up_down, layered, valiant, ugal") != NULL);
	CHECK(strstr(topology_complaint("kind=torus dims=4x4 down=0-1 routing=dor"), "unknown routing 'dor'") != NULL);
}

/* A routing over any graph may be chosen with all links, by its own name or by graph: where the kind has one of it. */
static void routings_over_any_graph_are_those_of_all_kinds(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4 routing=up_down");

	CHECK(topology_goes_round(t));
	CHECK_F64(t->closed_bisection, 8 * 4e9, 0); /* two links of each of four lines */
	topology_destroy(t);
	t = topology_must("kind=torus dims=4x4 routing=graph:adaptive");
	CHECK(topology_goes_round(t));
	topology_destroy(t);
	t = topology_must("kind=torus dims=4x4 routing=adaptive");
	CHECK(!topology_goes_round(t));
	topology_destroy(t);
}

/* Fails a link, then its repair: the second network has the distances of the whole, the first one those round it. */
static void networks_change(void)
{
	struct topology *t = topology_must("kind=torus dims=4 routing=minimal"), *one, *two;
	struct topology_down *d;
	struct err e = {0};

	d = down_copy(t, &e);
	REQUIRE(d != NULL);
	CHECK_I64(down_take(d, t, "0-1", false, &e), 0);
	one = topology_without(t, d, &e);
	REQUIRE(one != NULL);
	CHECK_U64(topology_distance(one, 0, 1), 3);
	CHECK_U64(topology_distance(t, 0, 1), 1);
	d = down_copy(one, &e);
	REQUIRE(d != NULL);
	CHECK_I64(down_take(d, t, "0-1", false, &e), -1);
	CHECK_STR(e.text, "0-1: it is down already, expected what is up");
	CHECK_I64(down_take(d, t, "0-1", true, &e), 0);
	CHECK_I64(down_take(d, t, "0-1", true, &e), -1);
	CHECK_STR(e.text, "0-1: it is up, expected what has failed before");
	CHECK_I64(down_take(d, t, "0.5", true, &e), -1);
	two = topology_without(t, d, &e);
	REQUIRE(two != NULL);
	CHECK_U64(topology_distance(two, 0, 1), 1);
	topology_destroy(one);
	topology_destroy(two);
	topology_destroy(t);
}

/* Makes a network with links down, and the next one of a change. False with `e`. */
static bool make_two(const struct topology_config *v, struct err *e)
{
	struct topology *t = topology_create(v, e), *x = NULL;
	struct topology_down *d = t ? down_copy(t, e) : NULL;

	if (d && down_take(d, t, "0.1", false, e) < 0) {
		down_destroy(d);
		d = NULL;
	}
	if (d)
		x = topology_without(t, d, e);
	topology_destroy(x);
	topology_destroy(t);
	return x != NULL;
}

static void short_memory_is_an_error(void)
{
	struct topology_config v;

	topology_config_add(NULL, &v);
	snprintf(v.topology.dims, sizeof(v.topology.dims), "4x4");
	snprintf(v.topology.down, sizeof(v.topology.down), "0-1,0.1:3,node:7");
	snprintf(v.topology.routing, sizeof(v.topology.routing), "up_down");
	for (unsigned k = 1;; k++) {
		struct err e = {0};
		bool good;

		alloc_fail_at(k);
		good = make_two(&v, &e);
		if (!alloc_fail_end()) {
			CHECK(good && k > 30);
			break;
		}
		CHECK(!good);
		CHECK_U64(e.status, STATUS_FAILED);
	}
}

static const struct tap_test tests[] = {
	{"routes go round links that are down", routes_go_round},
	{"a ring becomes a line", a_ring_becomes_a_line},
	{"routers and nodes are down", routers_and_nodes_are_down},
	{"parts have no way between them", parts_have_no_way_between_them},
	{"a share of the links is drawn", a_share_is_drawn},
	{"parallel links go together", parallel_links_go_together},
	{"graphs have names", graphs_have_names},
	{"mistakes are named", mistakes_are_named},
	{"routings over any graph are those of all kinds", routings_over_any_graph_are_those_of_all_kinds},
	{"networks change", networks_change},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	int status;

	folder_make();
	status = tap_main("what is down", tests, TAP_COUNT(tests));
	rmdir(folder);
	return status;
}
