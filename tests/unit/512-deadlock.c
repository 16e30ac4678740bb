/* Proofs that routings are free of deadlock: netlink/topology/deadlock.c. */
#include "tap.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "netlink/topology/kind.h"
#include "psim/base/report/report.h"
#include "topology_maker.h"

/* The routings of the networks that check_free proved. */
static const struct topology_routing *proved[300];
static unsigned proofs;

static void check_free(const char *network)
{
	struct topology *t = topology_must(network);
	struct err e = {0};

	REQUIRE(proofs < sizeof(proved) / sizeof(proved[0]));
	proved[proofs++] = t->routing;
	if (topology_check_deadlock(t, &e))
		fprintf(stderr, "%s: %s\n", network, e.text);
	CHECK_STR(e.text, "");
	topology_destroy(t);
}

static const char *deadlock(const char *network)
{
	static struct err e;
	struct topology *t = topology_must(network);
	int result;

	e.text[0] = '\0';
	result = topology_check_deadlock(t, &e);
	topology_destroy(t);
	return result ? e.text : NULL;
}

static void meshes_are_free(void)
{
	check_free("kind=mesh dims=5");
	check_free("kind=mesh dims=4x4");
	check_free("kind=mesh dims=3x3x3");
	check_free("kind=mesh dims=2^6");
	check_free("kind=mesh dims=4x4 routing=adaptive");
	check_free("kind=mesh dims=3x3x2 routing=adaptive");
	check_free("kind=mesh dims=4x4 routing=valiant");
	check_free("kind=mesh dims=4x4 routing=ugal");
}

static void tori_are_free_with_datelines(void)
{
	static const char *const sizes[] = {"3", "4", "8", "5x4", "4x4x3", "2x3x1x4"};
	static const char *const datelines[] = {"crossing", "behind", "balanced"};
	static const char *const ties[] = {"positive", "negative", "parity", "random"};
	char text[120];

	for (unsigned s = 0; s < 6; s++)
		for (unsigned d = 0; d < 3; d++)
			for (unsigned i = 0; i < 4; i++) {
				snprintf(text, sizeof(text), "kind=torus dims=%s dateline=%s ties=%s", sizes[s],
					 datelines[d], ties[i]);
				check_free(text);
			}
	check_free("kind=torus dims=8x8");
}

static void adaptive_tori_are_free_with_their_escape(void)
{
	check_free("kind=torus dims=6 routing=adaptive");
	check_free("kind=torus dims=5x4 routing=adaptive");
	check_free("kind=torus dims=4x3x3 routing=adaptive dateline=behind");
	check_free("kind=torus dims=4x4 routing=adaptive dateline=balanced ties=random");
}

static void two_legs_on_tori_are_free(void)
{
	check_free("kind=torus dims=5x4 routing=valiant");
	check_free("kind=torus dims=4x4 routing=ugal dateline=behind ties=random");
	check_free("kind=torus dims=6 routing=ugal dateline=balanced");
}

static void tofu_is_free(void)
{
	check_free("kind=tofu dims=2x1x3");
	check_free("kind=tofu dims=4x1x1 routing=adaptive");
	check_free("kind=tofu dims=2x2x1 routing=valiant");
	check_free("kind=tofu dims=2x2x1 routing=ugal");
}

static void hypercubes_are_free(void)
{
	check_free("kind=hypercube dims=2^6");
	check_free("kind=hypercube dims=2^5 routing=adaptive");
	check_free("kind=hypercube dims=2^5 routing=valiant");
	check_free("kind=hypercube dims=2^4 routing=ugal");
}

static void hyper_crossbars_are_free(void)
{
	static const char *const routings[] = {"dimension_order", "either_vc", "adaptive", "valiant"};
	char text[120];

	for (unsigned i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "kind=hyper_crossbar dims=4x3x2 routing=%s", routings[i]);
		check_free(text);
		snprintf(text, sizeof(text), "kind=hyper_crossbar dims=5x5 routing=%s", routings[i]);
		check_free(text);
	}
}

static void fat_trees_are_free(void)
{
	static const char *const routings[] = {"destination_digits", "source_digits", "random", "adaptive"};
	char text[120];

	for (unsigned i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "kind=fat_tree dims=3x3x6 routing=%s", routings[i]);
		check_free(text);
		snprintf(text, sizeof(text), "kind=fat_tree dims=2^5 up=2x1x3x1 routing=%s", routings[i]);
		check_free(text);
	}
}

static void dragonflies_are_free(void)
{
	static const char *const routings[] = {"minimal", "valiant", "ugal", "ugal_vc", "ugal_global"};
	char text[120];

	for (unsigned i = 0; i < 5; i++) {
		snprintf(text, sizeof(text), "kind=dragonfly dims=1x4x2 routing=%s", routings[i]);
		check_free(text);
		snprintf(text, sizeof(text), "kind=dragonfly dims=2x4x2 groups=4 routing=%s", routings[i]);
		check_free(text);
	}
	check_free("kind=dragonfly dims=2x3x1 groups=1");
	check_free("kind=crossbar dims=8 nics=2");
}

static void dragonfly_plus_is_free(void)
{
	static const char *const routings[] = {"minimal", "random", "valiant", "ugal", "progressive"};
	static const char *const sizes[] = {"1x2x2x1", "2x2x2x2", "1x3x2x4 groups=4", "1x2x1x3", "2x3x2x1 groups=1"};
	char network[100];

	for (unsigned i = 0; i < TAP_COUNT(sizes) * TAP_COUNT(routings); i++) {
		snprintf(network, sizeof(network), "kind=dragonfly_plus dims=%s routing=%s", sizes[i / 5],
			 routings[i % 5]);
		check_free(network);
	}
}

static void hyperx_is_free(void)
{
	check_free("kind=hyperx dims=4x3");
	check_free("kind=hyperx dims=3x3x2 concentration=2");
	check_free("kind=hyperx dims=3x2x3 routing=adaptive");
	check_free("kind=hyperx dims=4x4 routing=valiant");
	check_free("kind=hyperx dims=3x3 routing=ugal concentration=2");
	check_free("kind=hyperx dims=3x3 trunk=2x1");
	check_free("kind=hyperx dims=3x2x2 trunk=1x2x1 routing=adaptive");
	check_free("kind=hyperx dims=4x3 routing=omni_war");
	check_free("kind=hyperx dims=3x3x2 trunk=1x2x1 routing=omni_war");
	check_free("kind=hyperx dims=4x3 routing=dim_war");
	check_free("kind=hyperx dims=3x3x2 trunk=2x1x1 routing=dim_war");
}

static void express_cubes_are_free(void)
{
	check_free("kind=express_cube dims=13");
	check_free("kind=express_cube dims=9x5 express=3");
	check_free("kind=express_cube dims=5x4x3 express=2");
}

static void rails_are_free(void)
{
	check_free("kind=rails dims=4");
	check_free("kind=rails dims=3x2 rails=2 routing=late");
	check_free("kind=rails plane=torus dims=5 rails=3");
	check_free("kind=rails plane=hyperx dims=3x2 rails=2 routing=late plane_routing=omni_war");
	check_free("kind=rails plane=dragonfly dims=1x2x1 rails=2 plane_routing=ugal");
	check_free("kind=rails plane=torus dims=3x3 rails=2 plane_routing=adaptive");
}

/* Proves the routings over any graph. */
static void check_graph_free(const char *parameters)
{
	static const char *const routings[] = {"minimal", "ecmp",    "random",  "adaptive",
					       "up_down", "layered", "valiant", "ugal"};
	char network[400];

	for (unsigned i = 0; i < TAP_COUNT(routings); i++) {
		snprintf(network, sizeof(network), "%s routing=%s", parameters, routings[i]);
		check_free(network);
	}
}

static void jellyfish_is_free(void)
{
	check_graph_free("kind=jellyfish dims=16x3");
}

static void slim_fly_is_free(void)
{
	check_graph_free("kind=slim_fly dims=3");
	check_graph_free("kind=slim_fly dims=4 concentration=2");
	check_free("kind=slim_fly dims=5");
	check_free("kind=slim_fly dims=5 routing=adaptive");
	check_free("kind=slim_fly dims=7");
}

/* Petersen's graph, of cycles of five and more. */
static void graphs_are_free(void)
{
	char network[300];
	FILE *out;

	folder_make();
	out = fopen(in_folder("a.graph"), "w");
	REQUIRE(out != NULL);
	for (int i = 0; i < 5; i++)
		fprintf(out, "%d %d\n%d %d\n%d %d\n", i, (i + 1) % 5, i, i + 5, i + 5, (i + 2) % 5 + 5);
	fclose(out);
	snprintf(network, sizeof(network), "kind=graph file=%s", in_folder("a.graph"));
	check_graph_free(network);
	unlink(in_folder("a.graph"));
	rmdir(folder);
}

static void every_routing_of_every_kind_is_among_them(void)
{
	unsigned kinds;
	const struct topology_kind *const *kind = topology_kinds(&kinds);

	for (unsigned k = 0; k < kinds; k++)
		for (unsigned i = 0; i < KIND_ROUTINGS_MAX && kind[k]->routing[i].name; i++) {
			unsigned p = 0;

			while (p < proofs && proved[p] != &kind[k]->routing[i])
				p++;
			if (!strcmp(kind[k]->name, "platform")) /* proved in 519-platform, of builds with expat */
				continue;
			if (p == proofs)
				fprintf(stderr, "kind=%s routing=%s: no proof\n", kind[k]->name,
					kind[k]->routing[i].name);
			CHECK(p < proofs);
		}
}

/* In a ring of 4 every link is taken by packets that go two links on and wait for the next. */
static void a_ring_of_one_vc_waits_in_a_circle(void)
{
	const char *text = deadlock("kind=torus dims=4 ties=positive dateline=none");

	CHECK_STR(text, "routing dimension_order of this torus may deadlock: 4 channels wait "
			"in a cycle: "
			"router 0 +x vc 0, router 1 +x vc 0, router 2 +x vc 0, router 3 +x vc 0");
}

/* In a ring of 3 no packet takes two links, so none waits while it holds one. */
static void without_datelines_others_wait_too(void)
{
	CHECK(deadlock("kind=torus dims=3 dateline=none") == NULL);
	CHECK(deadlock("kind=torus dims=5 dateline=none") != NULL);
	CHECK(deadlock("kind=torus dims=4x4 ties=positive dateline=none") != NULL);
	CHECK(deadlock("kind=torus dims=4x4 ties=positive dateline=none routing=adaptive") != NULL);
	CHECK(deadlock("kind=torus dims=4x4 ties=positive dateline=none routing=valiant") != NULL);
	CHECK(deadlock("kind=torus dims=4x4 ties=positive dateline=none routing=ugal") != NULL);
}

/* "Deadlock: …" of the report, read back from its text form. */
static bool report_says(const char *network, const char *words)
{
	struct topology *t = topology_must(network);
	struct report *r = report_create();
	char text[20000];
	FILE *f = tmpfile();
	size_t n;

	REQUIRE(f != NULL);
	topology_report(t, r);
	CHECK_I64(report_write(r, REPORT_JSON, f, NULL), 0);
	rewind(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	report_destroy(r);
	topology_destroy(t);
	return strstr(text, words) != NULL;
}

static void the_report_tells(void)
{
	CHECK(report_says("kind=torus dims=8x8", "\"deadlock\": \"free\""));
	CHECK(report_says("kind=torus dims=8x8 routing=adaptive", "\"deadlock\": \"free\""));
	CHECK(report_says("kind=torus dims=8 dateline=none",
			  "\"deadlock\": \"routing dimension_order of this torus may"));
	CHECK(report_says("kind=torus dims=16x17", "\"deadlock\": \"not checked\""));
	CHECK(report_says("kind=torus dims=8x9 routing=ugal", "\"deadlock\": \"not checked\""));
}

static void short_memory_is_an_error(void)
{
	struct topology *t = topology_must("kind=torus dims=3x3");

	for (unsigned k = 1;; k++) {
		struct err e;
		int result;

		alloc_fail_at(k);
		result = topology_check_deadlock(t, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			CHECK(k > 5);
			break;
		}
		CHECK_I64(result, -1);
		CHECK_U64(e.status, STATUS_FAILED);
	}
	topology_destroy(t);
}

static const struct tap_test tests[] = {
	{"meshes are free of deadlock", meshes_are_free},
	{"tori are free of deadlock with datelines", tori_are_free_with_datelines},
	{"adaptive tori are free of deadlock with their escape", adaptive_tori_are_free_with_their_escape},
	{"two legs on tori are free of deadlock", two_legs_on_tori_are_free},
	{"Tofu is free of deadlock", tofu_is_free},
	{"hypercubes are free of deadlock", hypercubes_are_free},
	{"hyper-crossbars are free of deadlock", hyper_crossbars_are_free},
	{"fat trees are free of deadlock", fat_trees_are_free},
	{"dragonflies and the crossbar are free of deadlock", dragonflies_are_free},
	{"Dragonfly+ is free", dragonfly_plus_is_free},
	{"HyperX is free", hyperx_is_free},
	{"express cubes are free", express_cubes_are_free},
	{"rails are free", rails_are_free},
	{"Slim Fly is free", slim_fly_is_free},
	{"Jellyfish is free", jellyfish_is_free},
	{"graphs are free", graphs_are_free},
	{"every routing of every kind is among them", every_routing_of_every_kind_is_among_them},
	{"a ring of one VC waits in a circle, which is named", a_ring_of_one_vc_waits_in_a_circle},
	{"without datelines others wait too", without_datelines_others_wait_too},
	{"the report tells of small networks", the_report_tells},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("deadlock", tests, TAP_COUNT(tests));
}
