/* Pictures of networks: a line for each pair of neighbours, a square for each router. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "netlink/topology/network_picture.h"
#include "topology_maker.h"

static char *drawn(const struct topology *t, const double *bytes)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct err e;

	REQUIRE(out != NULL);
	REQUIRE(network_picture(t, bytes, out, &e) == 0);
	fclose(out);
	return text;
}

static unsigned count_of(const char *text, const char *what)
{
	unsigned count = 0;

	for (; (text = strstr(text, what)); text++)
		count++;
	return count;
}

/* Neighbours: 12 of a mesh of 3 x 3; 24 of a torus of 4 x 3; of a ring of two, whose two links are one line, 1. */
static void neighbours_have_a_line(void)
{
	static const struct {
		const char *network;
		unsigned routers, lines;
	} cases[] = {
		{"kind=mesh dims=3x3", 9, 12},      {"kind=torus dims=4x3", 12, 24},
		{"kind=torus dims=2", 2, 1},        {"kind=crossbar dims=8", 1, 8}, /* to its nodes */
		{"kind=fat_tree dims=2^3", 12, 16}, {"kind=hypercube dims=2^4", 16, 32},
		{"kind=slim_fly dims=5", 50, 175},  {"kind=dragonfly dims=1x3x1", 12, 12 + 6},
	};

	for (unsigned i = 0; i < TAP_COUNT(cases); i++) {
		struct topology *t = topology_must(cases[i].network);
		char *text = drawn(t, NULL), *again = drawn(t, NULL);

		CHECK_U64(count_of(text, "<path fill"), cases[i].lines);
		CHECK_U64(count_of(text, "rx=\"2\""), cases[i].routers);
		CHECK_STR(text, again);
		free(text);
		free(again);
		topology_destroy(t);
	}
}

/* The most used link has the ramp's last colour, the others its first. */
static void use_colours_links(void)
{
	struct topology *t = topology_must("kind=mesh dims=3x3");
	double *bytes = calloc(t->links, sizeof(*bytes));
	uint32_t links[9];
	char *text;

	REQUIRE(topology_path(t, 0, 1, 0, links, 9) == 3);
	bytes[links[1]] = 4e9;
	text = drawn(t, bytes);
	CHECK_U64(count_of(text, "<path fill=\"none\" stroke=\"#fa9d3b\""), 1);
	CHECK_U64(count_of(text, "<path fill=\"none\" stroke=\"#a01b9a\""), 11);
	CHECK_U64(count_of(text, "0 to 1 s<"), 1);
	free(text);
	free(bytes);
	topology_destroy(t);
}

/* A mesh of 3 x 3 without router 4, which has four links, and those of 0 and 1; the legend has a line too. */
static void what_is_down_is_red(void)
{
	struct topology *t = topology_must("kind=mesh dims=3x3 routing=graph:minimal down=0-1,router:4");
	char *text = drawn(t, NULL);

	CHECK_U64(count_of(text, "<path fill=\"none\" stroke=\"#d62728\" stroke-dasharray"), 5);
	CHECK_U64(count_of(text, "<path stroke=\"#d62728\" stroke-dasharray"), 1);
	CHECK_U64(count_of(text, "rx=\"2\" fill=\"#d62728\""), 1);
	CHECK_U64(count_of(text, "<path fill=\"none\""), 12);
	free(text);
	topology_destroy(t);
}

static void large_networks_are_refused(void)
{
	struct topology *t = topology_must("kind=mesh dims=1001");
	struct err e;

	CHECK(network_picture(t, NULL, stdout, &e) < 0);
	CHECK_STR(e.text, "1001 routers, expected at most 1000 in a picture");
	topology_destroy(t);
}

static void short_memory_is_an_error(void)
{
	static const char *const networks[] = {"kind=mesh dims=3x3", "kind=fat_tree dims=2^2", "kind=hyperx dims=3"};

	for (unsigned i = 0; i < TAP_COUNT(networks); i++) {
		struct topology *t = topology_must(networks[i]);

		for (unsigned k = 1; k < 20; k++) {
			FILE *out = fopen("/dev/null", "w");
			struct err e;
			int result;

			alloc_fail_at(k);
			result = network_picture(t, NULL, out, &e);
			CHECK(alloc_fail_end() || result == 0);
			CHECK(result == 0 || e.status == STATUS_FAILED);
			fclose(out);
		}
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"neighbours have a line", neighbours_have_a_line},
	{"use colours links", use_colours_links},
	{"what is down is red", what_is_down_is_red},
	{"large networks are refused", large_networks_are_refused},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("pictures of networks", tests, TAP_COUNT(tests));
}
