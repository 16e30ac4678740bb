/* The networks of configs/net: each can be made, and is what its file says. */
#include "tap.h"

#include <stdio.h>

#include "netlink/engine/net_config.h"
#include "netlink/topology/topology.h"
#include "netlink/vmpi/vmpi_config.h"
#include "psim/base/report/report.h"

static const struct expected {
	const char *file;
	uint32_t nodes, routers;
	unsigned vcs, diameter;
} expected[] = {
	{"pacing.ini", 64, 64, 2, 8},
	{"bluegene-l.ini", 128, 128, 2, 8}, /* 4 + 2 + 2 */
	{"petascale.ini", 4096, 4096, 2, 24},
	{"mapping.ini", 4096, 4096, 2, 24},
	{"tofu.ini", 576, 576, 2, 8}, /* 2 + 1 + 2, 1 + 1 + 1 */
	{"fat-tree.ini", 648, 36 + 18, 1, 2},
	{"fat-tree-tapered.ini", 648, 27 + 12, 1, 2},
	{"dragonfly.ini", 1056, 33 * 8, 4, 3},               /* three for Valiant's ways, one for minimal ones */
	{"cp-pacs.ini", 2176, 2176 + 272 + 128 + 136, 1, 6}, /* 17x16, 8x16 and 8x17 crossbars */
};
enum { EXPECTED = sizeof(expected) / sizeof(expected[0]) };

static struct topology *load(const char *file, struct topology_config *v, struct net_config *engines)
{
	struct config *c = config_create();
	struct topology *t = NULL;
	struct err e = {0};
	char path[100];

	snprintf(path, sizeof(path), "configs/net/%s", file);
	topology_config_add(c, v);
	net_config_add(c, engines);
	if (!config_read(c, tap_source(path), &e) && !topology_config_check(c, v, &e) &&
	    !net_config_check(c, engines, &e))
		t = topology_create(v, &e);
	CHECK_STR(e.text, "");
	config_destroy(c);
	return t;
}

static void every_file_makes_its_network(void)
{
	for (unsigned i = 0; i < EXPECTED; i++) {
		const struct expected *x = &expected[i];
		struct topology_config v;
		struct net_config engines;
		struct topology *t = load(x->file, &v, &engines);
		struct report *r = report_create();
		double diameter = 0;

		REQUIRE(t != NULL);
		CHECK_U64(t->nodes, x->nodes);
		CHECK_U64(t->routers, x->routers);
		CHECK_U64(t->vcs, x->vcs);
		topology_report(t, r);
		CHECK(report_number(r, "topology.diameter", &diameter));
		CHECK_F64(diameter, x->diameter, 0);
		report_destroy(r);
		topology_destroy(t);
	}
}

/* The values of the petascale machine's report: 4 x 4 x 8 nodes a cabinet. */
static void the_report_counts_links_and_distances(void)
{
	struct topology_config v;
	struct net_config engines;
	struct topology *t = load("petascale.ini", &v, &engines);
	struct report *r = report_create();
	double x = 0;

	REQUIRE(t != NULL);
	topology_report(t, r);
	CHECK(report_number(r, "topology.mean_distance", &x));
	CHECK_F64(x, 12, 1e-9); /* three times 16 / 4 */
	CHECK(report_number(r, "topology.bisection", &x));
	CHECK_F64(x, 2 * 256 * 10e9, 0);
	CHECK(report_number(r, "topology.links.+x far.links", &x));
	CHECK_F64(x, 1024, 0); /* 4 of 16 links of each of 256 rings */
	CHECK(report_number(r, "topology.links.+z.links", &x));
	CHECK_F64(x, 4096 - 512, 0); /* 2 of 16 leave a cabinet */
	CHECK(report_number(r, "topology.links.inject.links", &x));
	CHECK_F64(x, 4096, 0);
	report_destroy(r);
	topology_destroy(t);
}

struct sources {
	const struct config *config;
	unsigned stated, missing;
};

static void count_source(void *user, const struct param *p, const char *value, const char *origin)
{
	struct sources *s = user;
	char text[PARAM_TEXT_MAX];

	(void)value;
	(void)origin;
	config_source_text(s->config, p, text, sizeof(text));
	s->stated += *text != '\0';
	s->missing += !*text;
}

/* As the processor's, which parameters_table.c in docs/formats verifies. */
static void every_default_has_a_source(void)
{
	struct config *c = config_create();
	struct sources s = {.config = c};
	struct topology_config network;
	struct net_config engines;
	struct vmpi_config ranks;

	REQUIRE(c != NULL);
	topology_config_add(c, &network);
	net_config_add(c, &engines);
	vmpi_config_add(c, &ranks);
	config_visit(c, count_source, &s);
	CHECK_U64(s.missing, 0);
	CHECK(s.stated > 100);
	config_destroy(c);
}

static const struct tap_test tests[] = {
	{"every file of configs/net makes its network", every_file_makes_its_network},
	{"the report counts links and distances", the_report_counts_links_and_distances},
	{"every default has a source", every_default_has_a_source},
};

int main(void)
{
	return tap_main("network configurations", tests, TAP_COUNT(tests));
}
