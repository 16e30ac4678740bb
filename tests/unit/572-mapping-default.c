/* The default search for a placement: netlink/mapping/ auto, halve. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "mapping_maker.h"
#include "netlink/mapping/halve.h"
#include "netlink/mapping/optimise.h"
#include "netlink/mapping/pack.h"
#include "netlink/mapping/scotch_map.h"
#include "psim/base/rng.h"
#include "topology_maker.h"

static const char *const networks[] = {
	"kind=torus dims=8x4x2",        "kind=mesh dims=8x8",        "kind=torus dims=2x2x2x2x2x2",
	"kind=fat_tree dims=4x4x4",     "kind=dragonfly dims=2x4x2", "kind=hypercube dims=2^6",
	"kind=hyper_crossbar dims=8x8", "kind=tofu dims=3x2x1",      "kind=crossbar dims=64",
};
enum { NETWORKS = sizeof(networks) / sizeof(networks[0]), TASKS = 64 };

/* The matrix of `m` with its ranks in random order. */
static struct comm_matrix *shuffled(struct comm_matrix *m, uint64_t seed)
{
	uint32_t ranks = comm_matrix_ranks(m), *order = calloc(ranks, sizeof(*order));
	struct comm_matrix *result = comm_matrix_create(ranks, NULL);
	size_t count;
	const struct comm_matrix_entry *x = comm_matrix_entries(m, &count);

	REQUIRE(order && result && x);
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t k = (uint32_t)rng_below(seed, 0, i, i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (size_t i = 0; i < count; i++)
		comm_matrix_add(result, order[x[i].src], order[x[i].dst], x[i].bytes, x[i].messages, NULL);
	comm_matrix_destroy(m);
	free(order);
	return result;
}

/*
 * Random graphs: points of a square and their neighbours; a few tasks with most of the edges; pieces
 * and single tasks.
 */
static struct comm_matrix *drawn(unsigned kind, uint64_t seed, uint32_t tasks)
{
	struct comm_matrix *m = comm_matrix_create(tasks, NULL);

	REQUIRE(m != NULL);
	for (uint32_t a = 0; a < tasks; a++)
		for (uint32_t b = 0; b < a; b++) {
			double x = rng_unit(seed, 1, a) - rng_unit(seed, 1, b),
			       y = rng_unit(seed, 2, a) - rng_unit(seed, 2, b);
			bool joined = kind == 0   ? x * x + y * y < 0.03
				      : kind == 1 ? rng_unit(seed, 3 + a, b) < 3.0 / (b + 1)
						  : a / 5 == b / 5 && a % 7;

			if (joined)
				comm_matrix_add(m, a, b, rng_below(seed, 4 + tasks + a, b, 1000) + 1, 1, NULL);
		}
	return shuffled(m, seed);
}

static struct optimise_request request(const struct topology *t, struct comm_matrix *m, unsigned method)
{
	return (struct optimise_request){
		.topology = t,
		.matrix = m,
		.method = method,
		.orders = 1,
		.chains = 1,
		.seed = 1,
		.effort = 10,
		.per_node = 1,
	};
}

static uint64_t cost_by(const struct optimise_request *q)
{
	struct optimise_result r;
	uint64_t cost;

	REQUIRE(optimise(q, &r, NULL) == 0);
	CHECK(mapping_is_placement(r.node, r.ranks, q->topology->nodes, q->excluded));
	CHECK(r.after.hop_bytes <= r.before.hop_bytes);
	cost = r.after.hop_bytes;
	optimise_finish(&r);
	return cost;
}

/* On every kind of network the default costs no more than each of its methods, and than Scotch by each strategy. */
static void the_default_is_the_best_of_all(void)
{
	for (unsigned n = 0; n < NETWORKS; n++)
		for (unsigned kind = 0; kind < 3; kind++) {
			struct topology *t = topology_must(networks[n]);
			struct comm_matrix *m = drawn(kind, n + 1, TASKS);
			struct optimise_request q = request(t, m, METHOD_AUTO);
			uint64_t best = cost_by(&q);
			struct task_graph *g = task_graph_create(m, TASKS, NULL);
			uint32_t node[TASKS];

			REQUIRE(g != NULL);
			for (unsigned method = METHOD_MINCOST; method <= METHOD_KEEP; method++) {
				q.method = method;
				if (method == METHOD_BISECT || method == METHOD_GREEDY || method == METHOD_KEEP ||
				    (method == METHOD_MINCOST && n < 2))
					CHECK(best <= cost_by(&q));
			}
			for (unsigned strategy = STRATEGY_DEFAULT; strategy <= STRATEGY_RECURSIVE; strategy++) {
				const struct scotch_options o = {.seed = 1, .strategy = strategy};
				struct mapping_cost c;

				if (scotch_placement(t, g, &o, node, NULL))
					continue;
				mapping_cost(t, g, node, &c, NULL, NULL);
				CHECK(best <= c.hop_bytes);
				if (best > c.hop_bytes)
					fprintf(stderr, "graph %u on %s: %llu, Scotch %llu\n", kind, networks[n],
						(unsigned long long)best, (unsigned long long)c.hop_bytes);
			}
			task_graph_destroy(g);
			comm_matrix_destroy(m);
			topology_destroy(t);
		}
}

/* A pattern, its ranks in random order, and a network on which all bytes go over `links` links each. */
static const struct {
	const char *network, *pattern;
	unsigned links;
} known[] = {
	{"kind=torus dims=4x4x4", "stencil-torus:4x4x4:10", 1},
	{"kind=torus dims=8x8", "stencil:8x8:10", 1},
	{"kind=mesh dims=8x8", "stencil:8x8:10", 1},
	{"kind=torus dims=6x6", "stencil-torus:36:10", 1},
	{"kind=mesh dims=4x5", "stencil-torus:20:10", 1}, /* a ring through all nodes of a grid */
	{"kind=hypercube dims=2^5", "stencil-torus:32:10", 1},
	{"kind=hypercube dims=2^6", "stencil:4x4x4:10", 1},
	{"kind=fat_tree dims=2x4x4", "pairs", 0},
	{"kind=dragonfly dims=2x4x2", "pairs", 0},
	{"kind=tofu dims=2x2x2", "pairs", 1},
};

static struct comm_matrix *pattern_of(const char *text)
{
	struct comm_matrix *m;

	if (strcmp(text, "pairs") != 0)
		return task_pattern(text, NULL);
	m = comm_matrix_create(32, NULL);
	for (uint32_t i = 0; m && i < 32; i += 2)
		comm_matrix_add(m, i, i + 1, 10, 1, NULL);
	return m;
}

static void known_optima_are_found(void)
{
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct topology *t = topology_must(known[i].network);
		struct comm_matrix *m = shuffled(pattern_of(known[i].pattern), i + 1);
		struct optimise_request q = request(t, m, METHOD_AUTO);
		struct optimise_result r;

		q.effort = 20;
		REQUIRE(optimise(&q, &r, NULL) == 0);
		CHECK_U64(r.after.hop_bytes, r.bytes * known[i].links);
		if (r.after.hop_bytes != r.bytes * known[i].links)
			fprintf(stderr, "%s on %s\n", known[i].pattern, known[i].network);
		optimise_finish(&r);
		comm_matrix_destroy(m);
		topology_destroy(t);
	}
}

/* Annealing keeps the best placement: more effort never costs more than none; threads change nothing. */
static void effort_pays_and_threads_do_not_matter(void)
{
	for (unsigned n = 0; n < NETWORKS; n++) {
		struct topology *t = topology_must(networks[n]);
		struct comm_matrix *m = drawn(n % 2, n + 1, TASKS);
		struct optimise_request q = request(t, m, METHOD_AUTO);
		struct optimise_result one, two;
		uint64_t none;

		q.effort = 0;
		none = cost_by(&q);
		q.effort = 1;
		CHECK(cost_by(&q) <= none);
		REQUIRE(optimise(&q, &one, NULL) == 0);
		q.threads = 3;
		REQUIRE(optimise(&q, &two, NULL) == 0);
		CHECK(!memcmp(one.node, two.node, TASKS * sizeof(*one.node)));
		CHECK_STR(one.searched.start, two.searched.start);
		CHECK_U64(one.searched.tried, two.searched.tried);
		optimise_finish(&one);
		optimise_finish(&two);
		comm_matrix_destroy(m);
		topology_destroy(t);
	}
}

/*
 * Pieces in which each task sends a byte to each other one, and their bytes x links. First fit by decreasing sizes
 * fails for the second one (6 + 3, 5 + 2 + 2, 2). In the third the piece of 6 is cut into 4 and 2, two links apart:
 * 4 x 2 pairs both ways. Node 0 is excluded in the fourth, so that 3 go beside it. Lines of the mesh have 4, 3 + 1,
 * 2 + 2: 2 x (10 + 4 + 1 + 1).
 */
static const struct {
	const char *network;
	unsigned size[8];
	uint64_t cost;
	bool exclude;
} packs[] = {
	{"kind=fat_tree dims=4x4", {3, 1, 2, 4, 3, 2, 1}, 0, false},
	{"kind=fat_tree dims=10x2", {6, 5, 3, 2, 2, 2}, 0, false},
	{"kind=fat_tree dims=4x2x2", {4, 6, 2, 4}, 32, false},
	{"kind=fat_tree dims=4x2", {4, 3}, 0, true},
	{"kind=dragonfly dims=2x2x2", {2, 2, 2, 2}, 0, false},
	{"kind=mesh dims=4x3", {2, 4, 2, 3, 1}, 32, false},
};

static struct comm_matrix *cliques(const unsigned *size, uint32_t tasks)
{
	struct comm_matrix *m = comm_matrix_create(tasks, NULL);

	REQUIRE(m != NULL);
	for (uint32_t first = 0; *size; first += *size++)
		for (uint32_t a = first; a < first + *size; a++)
			for (uint32_t b = first; b < first + *size; b++)
				if (a != b)
					comm_matrix_add(m, a, b, 1, 1, NULL);
	return shuffled(m, 1);
}

static void pack_short_of_memory(const struct topology *t, const struct task_graph *g)
{
	uint32_t node[20];
	int result = -1;

	for (unsigned k = 1; result; k++) {
		struct err e = {0};

		alloc_fail_at(k);
		result = pack_placement(t, g, NULL, node, &e);
		CHECK_I64(result, alloc_fail_end() ? -1 : 0);
		CHECK(!result || e.status == STATUS_FAILED);
		REQUIRE(k < 100);
	}
}

static void pieces_fill_blocks(void)
{
	for (unsigned i = 0; i < sizeof(packs) / sizeof(packs[0]); i++) {
		struct topology *t = topology_must(packs[i].network);
		bool excluded[20] = {packs[i].exclude};
		uint32_t tasks = 0, node[20];
		struct comm_matrix *m;
		struct task_graph *g;
		struct mapping_cost c;

		for (const unsigned *size = packs[i].size; *size; size++)
			tasks += *size;
		REQUIRE(tasks <= t->nodes && t->nodes <= 20);
		m = cliques(packs[i].size, tasks);
		g = task_graph_create(m, tasks, NULL);
		REQUIRE(g != NULL);
		pack_short_of_memory(t, g);
		REQUIRE(pack_placement(t, g, packs[i].exclude ? excluded : NULL, node, NULL) == 0);
		CHECK(mapping_is_placement(node, tasks, t->nodes, packs[i].exclude ? excluded : NULL));
		mapping_cost(t, g, node, &c, NULL, NULL);
		CHECK_U64(c.hop_bytes, packs[i].cost);
		task_graph_destroy(g);
		comm_matrix_destroy(m);
		topology_destroy(t);
	}
}

/* Nothing to place closer: no bytes, one rank, ranks without partners. */
static void graphs_without_edges_stay_in_order(void)
{
	for (unsigned n = 0; n < NETWORKS; n++)
		for (uint32_t ranks = 1; ranks < 8; ranks += 3) {
			struct topology *t = topology_must(networks[n]);
			struct comm_matrix *m = comm_matrix_create(ranks, NULL);
			struct optimise_request q = request(t, m, METHOD_AUTO);
			struct optimise_result r;

			comm_matrix_add(m, 0, ranks - 1, 0, 3, NULL); /* messages of no bytes */
			REQUIRE(optimise(&q, &r, NULL) == 0);
			for (uint32_t i = 0; i < ranks; i++)
				CHECK_U64(r.node[i], i);
			CHECK(r.in_order);
			CHECK_U64(r.searched.tried, 0);
			optimise_finish(&r);
			comm_matrix_destroy(m);
			topology_destroy(t);
		}
}

/* Fewer ranks than nodes, several on a node, excluded nodes: all at once. */
static void the_default_takes_any_request(void)
{
	for (unsigned n = 0; n < NETWORKS; n++) {
		struct topology *t = topology_must(networks[n]);
		struct comm_matrix *m = drawn(n % 3, n, 50);
		bool *excluded = calloc(t->nodes, sizeof(*excluded));
		struct optimise_request q = request(t, m, METHOD_AUTO);
		struct optimise_result r;

		REQUIRE(excluded != NULL);
		excluded[0] = excluded[7] = true;
		q.excluded = excluded;
		q.per_node = 2;
		q.weighted = n % 2;
		q.weight = 0.5;
		REQUIRE(optimise(&q, &r, NULL) == 0);
		for (uint32_t i = 0; i < 50; i++) {
			CHECK(!excluded[r.node[i]]);
			CHECK_U64(r.node[i], r.node[i / 2 * 2]);
		}
		optimise_finish(&r);
		free(excluded);
		comm_matrix_destroy(m);
		topology_destroy(t);
	}
}

/* A square of 16 x 16 vertices, numbered at random, each joined with its neighbours: the narrowest cut is a side. */
static void halves_of_a_square_are_rectangles(void)
{
	enum { SIDE = 16, ALL = SIDE * SIDE };
	struct comm_matrix *m = shuffled(task_pattern("stencil:16x16:1", NULL), 5);
	struct task_graph *g = task_graph_create(m, ALL, NULL);
	struct halve h = {.seed = 1, .cycles = 4};
	struct halve_level *l = &h.level[0];
	uint32_t first = 0, cut = 0;

	REQUIRE(g && halve_room(&h, ALL, g->links, NULL) == 0);
	for (uint32_t v = 0; v < ALL; v++) {
		l->first[v] = g->first[v];
		l->size[v] = 1;
		l->pull[v] = 0;
		for (size_t k = g->first[v]; k < g->first[v + 1]; k++) {
			l->other[k] = g->link[k].other;
			l->weight[k] = 1;
		}
	}
	l->first[ALL] = g->links;
	REQUIRE(halve_run(&h, ALL / 2, ALL / 2, NULL) == 0);
	for (uint32_t v = 0; v < ALL; v++) {
		first += !l->side[v];
		for (size_t k = g->first[v]; k < g->first[v + 1]; k++)
			cut += l->side[v] < l->side[g->link[k].other];
	}
	CHECK_U64(first, ALL / 2);
	CHECK(cut >= SIDE && cut <= SIDE + SIDE / 8); /* the least is a side */
	halve_finish(&h);
	task_graph_destroy(g);
	comm_matrix_destroy(m);
}

/* A star of one vertex and 99 leaves: as many on each side as requested, whatever the coarse graphs allow. */
static void halves_have_their_sizes(void)
{
	for (uint32_t low = 0; low <= 100; low += 25)
		for (uint32_t high = low; high <= 100; high += 25) {
			struct halve h = {.seed = 1, .cycles = 4};
			struct halve_level *l = &h.level[0];
			uint32_t first = 0;

			REQUIRE(halve_room(&h, 100, 198, NULL) == 0);
			for (uint32_t v = 0; v < 100; v++) {
				l->first[v] = v ? 98 + v : 0;
				l->size[v] = 1;
				l->pull[v] = (int64_t)rng_below(1, low, v, 100) - 50;
			}
			l->first[100] = 198;
			for (uint32_t k = 0; k < 99; k++) {
				l->other[k] = k + 1;
				l->other[99 + k] = 0;
				l->weight[k] = l->weight[99 + k] = k;
			}
			REQUIRE(halve_run(&h, low, high, NULL) == 0);
			for (uint32_t v = 0; v < 100; v++)
				first += !l->side[v];
			CHECK(first >= low && first <= high);
			halve_finish(&h);
		}
}

static void short_memory_is_an_error(void)
{
	static const char *const some[] = {"kind=torus dims=2x2x2", "kind=fat_tree dims=2x4"};

	for (unsigned i = 0; i < 2; i++) {
		struct topology *t = topology_must(some[i]);
		bool excluded[8] = {0};
		struct optimise_request q = request(t, NULL, METHOD_AUTO);

		q.excluded = excluded;
		mapping_short_of_memory(q, 30);
		topology_destroy(t);
	}
}

static const struct tap_test tests[] = {
	{"the default is the best of all", the_default_is_the_best_of_all},
	{"known optima are found", known_optima_are_found},
	{"effort pays, and threads do not matter", effort_pays_and_threads_do_not_matter},
	{"pieces fill blocks", pieces_fill_blocks},
	{"graphs without edges stay in order", graphs_without_edges_stay_in_order},
	{"the default takes any request", the_default_takes_any_request},
	{"halves of a square are rectangles", halves_of_a_square_are_rectangles},
	{"halves have their sizes", halves_have_their_sizes},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("mapping default", tests, TAP_COUNT(tests));
}
