/*
 * Flows beside packets for each routing of each kind of network: how far apart, and do they rank routings alike?
 *
 *     flow-routings [FIRST COUNT] [NETWORK]
 *
 * Messages of 1 MiB, all sent at once: COUNT random permutations with seeds from FIRST on, and a few patterns. A row
 * is a routing: the share of permutations in which flows take within 15 % of the packets' time, the deviations, and
 * those of the patterns. Below a network: in how many permutations flows order its routings as packets do; routings
 * that packets separate by less than 5 % have no order. Status 1: fewer than 90 % are within 15 %, and the flow engine
 * does not say so.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlink/engine/flow/flow.h"
#include "netlink/engine/net_config.h"
#include "netlink/engines/engine_kinds.h"
#include "netlink/topology/kind.h"
#include "psim/base/rng.h"

enum { BYTES = 1 << 20, NODES_MOST = 128, COUNT_MOST = 1000, STREAM_DRAW = 7, STREAM_HOT = 8, ROUTINGS_MOST = 8 };

static const double NEAR = 0.15, OFTEN = 0.9, APART = 0.05;

static const struct network {
	const char *kind, *dims;
	uint32_t side; /* of a square of its nodes, for patterns; 0: none */
} networks[] = {
	{"mesh", "8x8", 8},     {"torus", "8x8", 8},      {"torus", "4x4x4", 8},
	{"tofu", "2x3x1", 0},   {"hypercube", "2^6", 8},  {"hyper_crossbar", "8x8", 8},
	{"fat_tree", "8x8", 8}, {"fat_tree", "4x4x4", 8}, {"dragonfly", "2x4x2", 0},
};

/* Messages of one instant: their ends. */
struct sends {
	uint32_t count, src[NODES_MOST], dst[NODES_MOST];
};

static void give_up(const char *what, const struct err *e)
{
	fprintf(stderr, "flow-routings: %s: %s\n", what, e->text);
	exit(1);
}

/* ---- traffic ---- */

static uint32_t to_complement(uint32_t i, uint32_t n, uint32_t side)
{
	(void)side;
	return n - 1 - i;
}

static uint32_t to_transpose(uint32_t i, uint32_t n, uint32_t side)
{
	(void)n;
	return side ? i % side * side + i / side : i;
}

static uint32_t to_tornado(uint32_t i, uint32_t n, uint32_t side)
{
	uint32_t half = side / 2 - 1;

	(void)n;
	return side ? (i % side + half) % side + (i / side + half) % side * side : i;
}

static uint32_t to_shift(uint32_t i, uint32_t n, uint32_t side)
{
	(void)side;
	return (i + n / 2 - 1) % n;
}

/* An eighth of the nodes to node 0, the others to random ones. */
static uint32_t to_hot_spot(uint32_t i, uint32_t n, uint32_t side)
{
	(void)side;
	return i % 8 == 3 ? 0 : (uint32_t)rng_below(1, STREAM_HOT, i, n);
}

static const struct pattern {
	const char *name;
	uint32_t (*to)(uint32_t i, uint32_t n, uint32_t side);
} patterns[] = {
	{"complement", to_complement}, {"transpose", to_transpose}, {"tornado", to_tornado},
	{"shift", to_shift},           {"hot spot", to_hot_spot},
};
enum { PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

static void add_send(struct sends *s, uint32_t src, uint32_t dst)
{
	if (src == dst)
		return;
	s->src[s->count] = src;
	s->dst[s->count++] = dst;
}

static struct sends draw_permutation(uint64_t seed, uint32_t n)
{
	uint32_t to[NODES_MOST];
	struct sends s = {0};

	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	for (uint32_t i = n - 1; i; i--) {
		uint32_t j = (uint32_t)rng_below(seed, STREAM_DRAW, i, i + 1), t = to[i];

		to[i] = to[j];
		to[j] = t;
	}
	for (uint32_t i = 0; i < n; i++)
		add_send(&s, i, to[i]);
	return s;
}

static struct sends make_pattern(const struct pattern *p, uint32_t n, uint32_t side)
{
	struct sends s = {0};

	for (uint32_t i = 0; i < n; i++)
		add_send(&s, i, p->to(i, n, side));
	return s;
}

/* ---- runs ---- */

static struct topology *make_network(const struct network *x, const char *routing)
{
	struct config *c = config_create();
	struct topology_config settings;
	struct topology *t = NULL;
	char text[3][64];
	struct err e = {0};

	topology_config_add(c, &settings);
	snprintf(text[0], sizeof(text[0]), "topology.kind=%s", x->kind);
	snprintf(text[1], sizeof(text[1]), "topology.dims=%s", x->dims);
	snprintf(text[2], sizeof(text[2]), "topology.routing=%s", routing);
	for (unsigned i = 0; i < 3; i++)
		if (config_override(c, text[i], "-p", &e))
			give_up(text[i], &e);
	if (!topology_config_check(c, &settings, &e))
		t = topology_create(&settings, &e);
	if (!t)
		give_up(x->kind, &e);
	config_destroy(c);
	return t;
}

/* Returns the time until all is delivered, ps; 0: nothing was sent. */
static int64_t time_of(const char *engine, const struct topology *t, const struct sends *s)
{
	struct config *c = config_create();
	struct net_config settings;
	struct net_setup setup = {.topology = t, .config = &settings, .seed = 1};
	struct net_notice notice[8];
	const struct net_engine_kind *kind;
	struct net_engine *n = NULL;
	struct err e = {0};
	int64_t last = 0;

	net_config_add(c, &settings);
	kind = net_engine_find(engine, &e);
	if (!kind || net_config_check(c, &settings, &e) || !(n = kind->create(&setup, &e)))
		give_up(engine, &e);
	for (uint32_t i = 0; i < s->count; i++) {
		struct net_message m = {
			.id = i, .src = s->src[i], .dst = s->dst[i], .nic = NET_NIC_ANY, .bytes = BYTES};

		if (kind->send(n, 0, &m, &e))
			give_up(engine, &e);
	}
	while (kind->next_time(n) != NET_TIME_NEVER) {
		int count = kind->advance(n, NET_TIME_NEVER - 1, notice, 8, &e);

		if (count <= 0)
			give_up(engine, &e);
		last = notice[count - 1].time_ps;
	}
	if (kind->verify(n, &e))
		give_up(engine, &e);
	kind->destroy(n);
	config_destroy(c);
	return last;
}

/* Times of a routing in all permutations. */
struct times {
	double packets[COUNT_MOST], flows[COUNT_MOST];
};

static double off(double flows, double packets)
{
	return flows / packets - 1;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Prints a routing's row; returns whether its share of near permutations is as it should be. */
static bool print_row(const struct topology *t, const struct times *x, unsigned count, uint32_t side)
{
	static double sorted[COUNT_MOST];
	unsigned near = 0;
	bool ok;

	for (unsigned i = 0; i < count; i++) {
		sorted[i] = off(x->flows[i], x->packets[i]);
		near += fabs(sorted[i]) <= NEAR;
	}
	qsort(sorted, count, sizeof(*sorted), compare);
	printf("  %-19s %3.0f %%  %+4.0f %+4.0f %+4.0f ", t->routing->name, 100.0 * near / count, 100 * sorted[0],
	       100 * sorted[count / 2], 100 * sorted[count - 1]);
	for (unsigned i = 0; i < PATTERNS; i++) {
		struct sends s = make_pattern(&patterns[i], t->nodes, side);

		if (s.count)
			printf(" %+10.0f", 100 * off((double)time_of("flow", t, &s), (double)time_of("packet", t, &s)));
		else
			printf(" %10s", "");
	}
	ok = near >= OFTEN * count || net_flow.doubt(t);
	puts(ok ? "" : "  missed");
	return ok;
}

/* Returns whether flows order the routings of permutation `i` as packets do, where these separate them. */
static bool same_order(const struct times *x, unsigned routings, unsigned i)
{
	for (unsigned a = 0; a < routings; a++)
		for (unsigned b = 0; b < routings; b++)
			if (x[a].packets[i] * (1 + APART) < x[b].packets[i] && x[a].flows[i] > x[b].flows[i])
				return false;
	return true;
}

static bool compare_network(const struct network *x, uint64_t first, unsigned count)
{
	static struct times times[ROUTINGS_MOST];
	struct topology *t = make_network(x, "default");
	const struct topology_routing *routing = t->kind->routing;
	unsigned routings = 0, same = 0;
	bool ok = true;

	topology_destroy(t);
	printf("%s %s\n", x->kind, x->dims);
	for (; routings < KIND_ROUTINGS_MAX && routing[routings].name; routings++) {
		t = make_network(x, routing[routings].name);
		for (unsigned i = 0; i < count; i++) {
			struct sends s = draw_permutation(first + i, t->nodes);

			times[routings].packets[i] = (double)time_of("packet", t, &s);
			times[routings].flows[i] = (double)time_of("flow", t, &s);
		}
		ok &= print_row(t, &times[routings], count, x->side);
		fflush(stdout);
		topology_destroy(t);
	}
	for (unsigned i = 0; i < count; i++)
		same += same_order(times, routings, i);
	printf("  order of routings   %3.0f %%\n", 100.0 * same / count);
	return ok;
}

int main(int argc, char *argv[])
{
	uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1000;
	unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : 4;
	const char *only = argc > 3 ? argv[3] : "";
	bool ok = true;

	if (count < 1 || count > COUNT_MOST)
		return 2;
	printf("%-21s %5s  %4s %4s %4s ", "", "near", "least", "mid", "most");
	for (unsigned i = 0; i < PATTERNS; i++)
		printf(" %10s", patterns[i].name);
	puts("");
	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
		if (strstr(networks[i].kind, only))
			ok &= compare_network(&networks[i], first, count);
	return !ok;
}
