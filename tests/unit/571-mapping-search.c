/* Searches for a placement: netlink/mapping/ exchange, anneal, bisect, exclude, scotch_map. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "mapping_maker.h"
#include "netlink/mapping/anneal.h"
#include "netlink/mapping/bisect.h"
#include "netlink/mapping/boxes.h"
#include "netlink/mapping/exchange.h"
#include "netlink/mapping/exclude.h"
#include "netlink/mapping/optimise.h"
#include "netlink/mapping/scotch_map.h"
#include "psim/base/rng.h"
#include "topology_maker.h"

static const char *const networks[] = {
	"kind=torus dims=4x6",
	"kind=torus dims=4x4x2 ties=direct",
	"kind=torus dims=4x6 ties=parity",
	"kind=torus dims=4x6 ties=negative",
	"kind=mesh dims=24",
	"kind=fat_tree dims=4x6",
	"kind=dragonfly dims=2x4x2 groups=9",
	"kind=tofu dims=2x2x2",
	"kind=hypercube dims=2^5",
};
enum { NETWORKS = sizeof(networks) / sizeof(networks[0]) };

/* Routes by node_routes_find load the same links as those that the topology itself gives. */
static void routes_are_those_of_the_network(void)
{
	for (unsigned n = 0; n < NETWORKS; n++) {
		struct topology *t = topology_must(networks[n]);
		uint32_t links[64];
		struct node_routes w;

		REQUIRE(node_routes_init(&w, t, NULL) == 0);
		for (uint32_t i = 0; i < t->nodes * t->nodes; i++) {
			uint32_t a = i / t->nodes, b = i % t->nodes;
			unsigned all = topology_path(t, a, b, 0, links, 64), count = node_routes_find(&w, a, b);

			if (a == b)
				continue;
			/* the first and the last are those of NICs */
			REQUIRE(count + 2 == all);
			CHECK(!memcmp(w.links, links + 1, count * sizeof(*links)));
			CHECK_U64(node_routes_distance(&w, a, b, false), topology_distance(t, a, b));
			CHECK_U64(topology_distance(t, a, b), topology_distance(t, b, a));
		}
		node_routes_finish(&w);
		topology_destroy(t);
	}
}

/* Cost and volumes from scratch. */
static void check_state(const struct exchange *x, const struct topology *t, const struct task_graph *g)
{
	uint64_t *load = calloc(t->links, sizeof(*load)), excess = 0;
	struct mapping_cost c;

	REQUIRE(load != NULL);
	mapping_cost(t, g, x->node, &c, load, NULL);
	CHECK_U64(x->cost, c.hop_bytes);
	for (uint32_t l = 0; l < t->links; l++) {
		if (t->link[l].from < t->nodes || t->link[l].to < t->nodes)
			continue;
		CHECK_U64(x->load[l], load[l]);
		excess += load[l] > x->limit ? load[l] - x->limit : 0;
	}
	CHECK_U64(x->excess, excess);
	free(load);
}

/* After any exchanges, also with empty nodes, the state is that of a fresh placement. */
static void exchanges_keep_cost_and_volumes(void)
{
	for (unsigned n = 0; n < NETWORKS; n++) {
		struct topology *t = topology_must(networks[n]);
		struct task_graph *g = mapping_graph("bruck:22:10", 0);
		struct exchange x;
		uint32_t node[22];

		for (uint32_t i = 0; i < 22; i++)
			node[i] = i;
		REQUIRE(exchange_init(&x, t, g, node, false, 300, NULL) == 0);
		for (uint64_t k = 0; k < 60; k++) {
			uint32_t task = (uint32_t)rng_below(1, n, 2 * k, 22),
				 to = (uint32_t)rng_below(1, n, 2 * k + 1, t->nodes);
			uint64_t before = x.cost;
			int64_t change = to == x.node[task] ? 0 : exchange_cost_change(&x, task, to);

			exchange_do(&x, task, to);
			CHECK_I64((int64_t)(x.cost - before), change);
			CHECK_U64(x.node[task], to);
			if (k % 10 == 9)
				check_state(&x, t, g);
		}
		CHECK(mapping_is_placement(x.node, g->tasks, t->nodes, NULL));
		exchange_finish(&x);
		task_graph_destroy(g);
		topology_destroy(t);
	}
}

static void an_exchange_is_undone_by_another(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4");
	struct task_graph *g = mapping_graph("bruck:16:1", 0);
	uint32_t node[16];
	struct exchange x;
	uint64_t cost, excess;

	for (uint32_t i = 0; i < 16; i++)
		node[i] = i;
	REQUIRE(exchange_init(&x, t, g, node, false, 3, NULL) == 0);
	cost = x.cost;
	excess = x.excess;
	exchange_do(&x, 3, 9);
	CHECK(x.node[3] == 9 && x.node[9] == 3 && x.task[9] == 3 && x.task[3] == 9);
	exchange_do(&x, 3, 3);
	CHECK_U64(x.cost, cost);
	CHECK_U64(x.excess, excess);
	CHECK(!memcmp(x.node, node, sizeof(node)));
	exchange_finish(&x);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* After moves of boxes, with empty nodes among them, too; and moving back is as if nothing had been. */
static void boxes_keep_cost_and_volumes(void)
{
	for (unsigned n = 0; n < 5; n++) {
		struct topology *t = topology_must(networks[n]);
		struct task_graph *g = mapping_graph("bruck:22:10", 0);
		unsigned moved = 0;
		struct box_move b;
		struct exchange x;
		uint32_t node[22];

		for (uint32_t i = 0; i < 22; i++)
			node[i] = i;
		REQUIRE(box_move_init(&b, 22, NULL) == 0);
		REQUIRE(exchange_init(&x, t, g, node, false, 300, NULL) == 0);
		for (uint64_t k = 0; k < 60; k++) {
			const uint32_t random[] = {(uint32_t)rng_u64(n, 0, k), (uint32_t)rng_u64(n, 1, k),
						   (uint32_t)rng_u64(n, 2, k), (uint32_t)rng_u64(n, 3, k)};
			uint64_t cost = x.cost, excess = x.excess;
			int64_t change;

			if (!box_move_choose(&b, &x, NULL, random))
				continue;
			moved++;
			change = exchange_move_change(&x, b.task, b.back, b.to, b.count);
			CHECK_U64(x.cost, cost);
			exchange_move(&x, b.task, b.to, b.count);
			CHECK_I64((int64_t)(x.cost - cost), change);
			check_state(&x, t, g);
			if (k % 2)
				continue;
			exchange_move(&x, b.task, b.back, b.count);
			CHECK(x.cost == cost && x.excess == excess);
		}
		CHECK(moved > 5);
		CHECK(mapping_is_placement(x.node, g->tasks, t->nodes, NULL));
		exchange_finish(&x);
		box_move_finish(&b);
		task_graph_destroy(g);
		topology_destroy(t);
	}
}

/* A box with an excluded node is not moved. */
static void boxes_leave_excluded_nodes(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4");
	struct task_graph *g = mapping_graph("bruck:15:10", 0);
	bool excluded[16] = {[15] = true};
	struct box_move b;
	struct exchange x;
	uint32_t node[15];
	unsigned moves = 0;

	for (uint32_t i = 0; i < 15; i++)
		node[i] = i;
	REQUIRE(box_move_init(&b, 15, NULL) == 0);
	REQUIRE(exchange_init(&x, t, g, node, false, EXCHANGE_NO_LIMIT, NULL) == 0);
	for (uint64_t k = 0; k < 100; k++) {
		const uint32_t random[] = {(uint32_t)rng_u64(1, 0, k), (uint32_t)rng_u64(1, 1, k),
					   (uint32_t)rng_u64(1, 2, k), (uint32_t)rng_u64(1, 3, k)};

		if (!box_move_choose(&b, &x, excluded, random))
			continue;
		moves++;
		for (uint32_t i = 0; i < b.count; i++)
			CHECK(b.to[i] != 15 && b.back[i] != 15);
	}
	CHECK(moves > 10);
	exchange_finish(&x);
	box_move_finish(&b);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* A box of 8 is turned round: 0 … 7 to 7 … 0 of a line of 16 that was in order; boxes put it back. */
static void boxes_put_a_line_in_order(void)
{
	struct topology *t = topology_must("kind=mesh dims=16");
	struct task_graph *g = mapping_graph("stencil:16:100", 0);
	struct jobs_watch watch = {0};
	struct anneal_options o = {.chains = 4, .threads = 2, .boxes = 200, .seed = 1, .watch = &watch};
	struct anneal_result r;
	struct mapping_cost c;
	uint32_t node[16];

	for (uint32_t i = 0; i < 16; i++)
		node[i] = i < 8 ? 7 - i : i;
	mapping_cost(t, g, node, &c, NULL, NULL);
	CHECK_U64(c.hop_bytes, 2 * 100 * (14 + 8)); /* 7 is on node 0, 8 on node 8 */
	REQUIRE(anneal_placement(t, g, node, &o, &r, NULL) == 0);
	mapping_cost(t, g, node, &c, NULL, NULL);
	CHECK_U64(c.hop_bytes, 2 * 100 * 15);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* With a limit bytes beyond it are paid for: they go away. */
static void a_limit_is_kept(void)
{
	struct topology *t = topology_must("kind=torus dims=8x4 ties=direct");
	struct task_graph *g = mapping_graph("bruck:32:10", 0);
	struct jobs_watch watch = {0};
	struct anneal_options o = {.chains = 8, .threads = 1, .steps = 32000, .seed = 1, .limit = 300, .watch = &watch};
	struct anneal_result r;
	struct mapping_cost c;
	uint32_t node[32];

	for (uint32_t i = 0; i < 32; i++)
		node[i] = i;
	mapping_cost(t, g, node, &c, NULL, NULL);
	CHECK(c.max_link_bytes > 300);
	REQUIRE(anneal_placement(t, g, node, &o, &r, NULL) == 0);
	mapping_cost(t, g, node, &c, NULL, NULL);
	CHECK(c.max_link_bytes <= 300);
	task_graph_destroy(g);
	topology_destroy(t);
}

static struct mapping_cost annealed(const struct topology *t, const struct task_graph *g, double weight,
				    unsigned threads, uint64_t seed, uint32_t *node)
{
	struct jobs_watch watch = {0};
	struct anneal_options o = {.chains = 5,
				   .threads = threads,
				   .steps = 300 * g->tasks,
				   .seed = seed,
				   .weight = weight,
				   .watch = &watch};
	struct anneal_result r;
	struct mapping_cost c;

	for (uint32_t i = 0; i < g->tasks; i++)
		node[i] = i * 7 % 32;
	REQUIRE(anneal_placement(t, g, node, &o, &r, NULL) == 0);
	CHECK(r.tried > r.done && r.done > 0);
	CHECK(mapping_is_placement(node, g->tasks, t->nodes, NULL));
	mapping_cost(t, g, node, &c, NULL, NULL);
	return c;
}

/* A ring of 32 tasks on a ring of 32 nodes, every 7th: 64 edges of 7 links become 64 of about 1. */
static void annealing_puts_a_ring_in_order(void)
{
	struct topology *t = topology_must("kind=torus dims=32");
	struct task_graph *g = mapping_graph("stencil-torus:32:100", 0);
	struct mapping_cost c;
	uint32_t node[32];

	c = annealed(t, g, 0, 1, 1, node);
	CHECK(c.hop_bytes <= 64 * 100 * 5 / 2); /* from 44800 */
	task_graph_destroy(g);
	topology_destroy(t);
}

static void annealing_is_the_same_on_any_number_of_threads(void)
{
	struct topology *t = topology_must("kind=torus dims=8x4");
	struct task_graph *g = mapping_graph("bruck:30:10", 0);
	uint32_t one[32], two[32], other[32];

	for (double weight = 0; weight <= 1; weight += 0.5) {
		annealed(t, g, weight, 1, 7, one);
		annealed(t, g, weight, 2, 7, two);
		CHECK(!memcmp(one, two, 30 * sizeof(*one)));
		annealed(t, g, weight, 3, 7, two);
		CHECK(!memcmp(one, two, 30 * sizeof(*one)));
	}
	annealed(t, g, 0.5, 1, 8, other); /* another seed goes another way */
	annealed(t, g, 0.5, 1, 7, one);
	CHECK(memcmp(one, other, 30 * sizeof(*one)) != 0);
	task_graph_destroy(g);
	topology_destroy(t);
}

/* Weight 100 % measures the busiest link alone, 0 the cost alone: each gets better by its own measure. */
static void the_weight_says_what_is_best(void)
{
	struct topology *t = topology_must("kind=torus dims=8x4 ties=direct");
	struct task_graph *g = mapping_graph("bruck:32:10", 0);
	struct mapping_cost start, cost, link;
	uint32_t node[32];

	for (uint32_t i = 0; i < 32; i++)
		node[i] = i * 7 % 32;
	mapping_cost(t, g, node, &start, NULL, NULL);
	cost = annealed(t, g, 0, 1, 1, node);
	CHECK(cost.hop_bytes < start.hop_bytes);
	link = annealed(t, g, 1, 1, 1, node);
	CHECK(link.max_link_bytes < start.max_link_bytes);
	/* the half of what a task sends goes to one other task: no link can carry less than that */
	CHECK(link.max_link_bytes >= 160);
	task_graph_destroy(g);
	topology_destroy(t);
}

static bool never(void *user, uint64_t done)
{
	(void)user;
	(void)done;
	return false;
}

/* A search that is stopped returns a placement that is no worse than the first. */
static void a_search_that_is_stopped_has_a_result(void)
{
	struct topology *t = topology_must("kind=torus dims=4x4x2");
	struct comm_matrix *m = task_pattern("bruck:32:10", NULL);

	for (unsigned threads = 1; threads < 3; threads++) {
		struct jobs_watch watch = {.going = never};
		struct optimise_request q = {.topology = t,
					     .matrix = m,
					     .method = METHOD_MINCOST,
					     .orders = 5,
					     .steps = 1000000,
					     .chains = 3,
					     .threads = threads,
					     .per_node = 1,
					     .watch = &watch};
		struct optimise_result r;

		REQUIRE(optimise(&q, &r, NULL) == 0);
		CHECK(r.after.hop_bytes <= r.before.hop_bytes);
		CHECK(r.annealed.tried < 1000000);
		optimise_finish(&r);
	}
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/*
 * A line of four tasks on a line of four nodes, halved twice: the pairs in the middle of the heavy
 * edges stay together.
 */
static void bisection_keeps_pairs_together(void)
{
	static const struct bisect_options whole = {.seed = 1};
	struct topology *t = topology_must("kind=mesh dims=4");
	struct comm_matrix *m = comm_matrix_create(4, NULL);
	struct mapping_cost c;
	struct task_graph *g;
	uint32_t node[4];

	comm_matrix_add(m, 0, 2, 10, 1, NULL);
	comm_matrix_add(m, 2, 1, 1, 1, NULL);
	comm_matrix_add(m, 1, 3, 10, 1, NULL);
	g = task_graph_create(m, 4, NULL);
	REQUIRE(g && bisect_placement(t, g, &whole, node, NULL) == 0);
	CHECK(mapping_is_placement(node, g->tasks, t->nodes, NULL));
	mapping_cost(t, g, node, &c, NULL, NULL);
	CHECK_U64(c.hop_bytes, 21); /* 0 2 1 3 or its mirror image */
	task_graph_destroy(g);
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/* Any network, fewer tasks than nodes, nodes that are excluded; a task graph in several pieces. */
static void bisection_is_for_any_network(void)
{
	for (unsigned n = 0; n < NETWORKS; n++) {
		struct topology *t = topology_must(networks[n]);
		struct task_graph *g = mapping_graph("stencil:4x5:10", 0);
		bool *excluded = calloc(t->nodes, sizeof(*excluded));
		const struct bisect_options whole = {.seed = 1}, some = {.excluded = excluded, .seed = 1};
		uint32_t node[20];

		REQUIRE(excluded != NULL);
		excluded[0] = excluded[5] = excluded[7] = true;
		REQUIRE(bisect_placement(t, g, &whole, node, NULL) == 0);
		CHECK(mapping_is_placement(node, g->tasks, t->nodes, NULL));
		REQUIRE(bisect_placement(t, g, &some, node, NULL) == 0);
		CHECK(mapping_is_placement(node, g->tasks, t->nodes, excluded));
		free(excluded);
		task_graph_destroy(g);
		topology_destroy(t);
	}
}

/* Tasks 0 … 2 in a line on 0 … 2 of 4; node 1 is excluded: task 1 goes to 3, the silent one to 1. */
static void a_task_leaves_an_excluded_node(void)
{
	static const bool excluded[] = {false, true, false, false};
	struct topology *t = topology_must("kind=mesh dims=4");
	struct comm_matrix *m = task_pattern("stencil:3:10", NULL);
	struct task_graph *g = task_graph_create(m, 4, NULL);
	uint32_t node[] = {0, 1, 2, 3}, twice[] = {2, 2, 2, 3};

	REQUIRE(g != NULL && exclude_nodes(t, g, 3, excluded, node, NULL) == 0);
	CHECK(node[0] == 0 && node[1] == 3 && node[2] == 2 && node[3] == 1);
	/* all on node 2: 0 stays, 1 goes beside it (1 before 3), 2 to where it costs least: 0 */
	REQUIRE(exclude_nodes(t, g, 3, NULL, twice, NULL) == 0);
	CHECK(twice[0] == 2 && twice[1] == 1 && twice[2] == 0 && twice[3] == 3);
	task_graph_destroy(g);
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/* Methods with excluded nodes, refined and annealed, leave them empty. */
static void excluded_nodes_stay_empty(void)
{
	struct topology *t = topology_must("kind=torus dims=4x8");
	struct comm_matrix *m = task_pattern("bruck:27:10", NULL);
	bool excluded[32] = {0};

	excluded[3] = excluded[4] = excluded[31] = true;
	for (unsigned method = METHOD_NONE; method <= METHOD_GREEDY; method++) {
		struct optimise_request q = {.topology = t,
					     .matrix = m,
					     .method = method,
					     .orders = 2,
					     .steps = 50,
					     .chains = 2,
					     .passes = 5,
					     .per_node = 1,
					     .excluded = excluded};
		struct optimise_result r;

		REQUIRE(optimise(&q, &r, NULL) == 0);
		for (uint32_t i = 0; i < 27; i++)
			CHECK(!excluded[r.node[i]]);
		CHECK(r.before.hop_bytes > 0);
		optimise_finish(&r);
	}
	comm_matrix_destroy(m);
	topology_destroy(t);
}

/* Where it is built in, a placement on any network and by any strategy; else a message that says so. */
static void scotch_places_or_says_that_it_is_missing(void)
{
	for (unsigned n = 0; n < NETWORKS; n++) {
		struct topology *t = topology_must(networks[n]);
		struct task_graph *g = mapping_graph("stencil:4x5:10", 0);
		bool *excluded = calloc(t->nodes, sizeof(*excluded));
		uint32_t node[20];
		struct err e;

		REQUIRE(excluded != NULL);
		excluded[0] = excluded[9] = true;
		for (unsigned strategy = STRATEGY_DEFAULT; strategy <= STRATEGY_RECURSIVE; strategy++) {
			const struct scotch_options whole = {.seed = 1, .strategy = strategy},
						    some = {.excluded = excluded, .seed = 1, .strategy = strategy};

			if (scotch_placement(t, g, &whole, node, &e)) {
				CHECK_U64(e.status, STATUS_USAGE);
				CHECK(strstr(e.text, "built without Scotch") != NULL);
				continue;
			}
			CHECK(mapping_is_placement(node, g->tasks, t->nodes, NULL));
			CHECK_I64(scotch_placement(t, g, &some, node, &e), 0);
			CHECK(mapping_is_placement(node, g->tasks, t->nodes, excluded));
		}
		free(excluded);
		task_graph_destroy(g);
		topology_destroy(t);
	}
}

static void short_memory_is_an_error(void)
{
	struct topology *t = topology_must("kind=torus dims=2x2x2");
	bool excluded[8] = {0};
	struct optimise_request q = {.topology = t,
				     .method = METHOD_BISECT,
				     .orders = 1,
				     .steps = 2,
				     .boxes = 2,
				     .chains = 2,
				     .weighted = true,
				     .weight = 0.5,
				     .per_node = 1,
				     .excluded = excluded};

	mapping_short_of_memory(q, 30);
	topology_destroy(t);
}

static const struct tap_test tests[] = {
	{"routes are those of the network", routes_are_those_of_the_network},
	{"exchanges keep cost and volumes as they are from scratch", exchanges_keep_cost_and_volumes},
	{"an exchange is undone by another", an_exchange_is_undone_by_another},
	{"moves of boxes keep cost and volumes as they are from scratch", boxes_keep_cost_and_volumes},
	{"moves of boxes leave excluded nodes alone", boxes_leave_excluded_nodes},
	{"moves of boxes put a line in order", boxes_put_a_line_in_order},
	{"a limit is kept", a_limit_is_kept},
	{"annealing puts a ring in order", annealing_puts_a_ring_in_order},
	{"annealing is the same on any number of threads", annealing_is_the_same_on_any_number_of_threads},
	{"the weight says what is best", the_weight_says_what_is_best},
	{"a search that is stopped has a result", a_search_that_is_stopped_has_a_result},
	{"bisection keeps pairs together", bisection_keeps_pairs_together},
	{"bisection is for any network", bisection_is_for_any_network},
	{"a task leaves an excluded node", a_task_leaves_an_excluded_node},
	{"excluded nodes stay empty", excluded_nodes_stay_empty},
	{"Scotch places, or says that it is missing", scotch_places_or_says_that_it_is_missing},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("mapping search", tests, TAP_COUNT(tests));
}
