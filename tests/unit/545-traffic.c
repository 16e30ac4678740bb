/* Patterns, their driver, the communication matrix: netlink/traffic/traffic.h. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "net_maker.h"
#include "netlink/traffic/steady.h"
#include "netlink/traffic/traffic.h"
#include "netlink/traffic/worst_case.h"
#include "topology_maker.h"

#define LINKS " link.bandwidth=1GB/s link.cable=10ns"

static struct traffic *must(const char *text, const struct topology *n, uint32_t ranks)
{
	struct err e = {0};
	struct traffic *t = traffic_of_load(text, NULL, n, ranks, &e);

	CHECK_STR(e.text, "");
	REQUIRE(t != NULL);
	return t;
}

/* The entries of the first `steps` steps: s5 r3 w p1000: send to 5, receive from 3, wait for sends, pause. */
static const char *queue(const struct traffic *t, uint32_t rank, unsigned steps)
{
	static char text[1024];
	struct traffic_entry x[TRAFFIC_STEP_MAX];
	size_t n = 0;

	*text = '\0';
	for (unsigned s = 0; s < steps; s++) {
		unsigned count = traffic_step(t, rank, s, x);

		for (unsigned i = 0; i < count; i++) {
			static const char kind[] = {
				[TRAFFIC_SEND] = 's',
				[TRAFFIC_SENDS] = 'w',
				[TRAFFIC_RECEIVE] = 'r',
				[TRAFFIC_PAUSE] = 'p',
			};

			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c", n ? " " : "", kind[x[i].kind]);
			if (x[i].kind == TRAFFIC_PAUSE)
				n += (size_t)snprintf(text + n, sizeof(text) - n, "%lld", (long long)x[i].ps);
			else if (x[i].kind != TRAFFIC_SENDS)
				n += (size_t)snprintf(text + n, sizeof(text) - n, "%u", x[i].peer);
		}
		if (!count)
			n += (size_t)snprintf(text + n, sizeof(text) - n, " end");
	}
	return text;
}

static void check_queue(const char *pattern, const struct topology *n, uint32_t ranks, uint32_t rank, unsigned steps,
			const char *expected)
{
	struct traffic *t = must(pattern, n, ranks);

	CHECK_STR(queue(t, rank, steps), expected);
	traffic_destroy(t);
}

/* Rank 1 of 4 x 4, the paper's fig. 5: n = 4, src = 1. */
static void all_to_all_goes_as_the_papers_say(void)
{
	struct topology *n = topology_must("kind=torus dims=4x4");

	check_queue("all_to_all", n, 16, 1, 16, "s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15 s0 end");
	/* p = 1, 2, 3: x + p; p = 4: y + 1 … */
	check_queue("a2ass2d", n, 16, 1, 16, "s2 s3 s0 s5 s6 s7 s4 s9 s10 s11 s8 s13 s14 s15 s12 end");
	check_queue("pairwise", n, 16, 1, 16, "s0 s3 s2 s5 s4 s7 s6 s9 s8 s11 s10 s13 s12 s15 s14 end");
	check_queue("all_to_all:wait=yes,repeat=2", n, 3, 1, 5, "s2 w r0 s0 w r2 s2 w r0 s0 w r2 end");
	topology_destroy(n);
}

/*
 * 3 x 3 from rank 4 = (1, 1): phase 1 (1,0) (-1,0) (0,1) (0,-1): 5 3 7 1; phase 2 (1,1) (-1,-1) (-1,1) (1,-1):
 * 8 0 6 2. What comes, comes from the other side. n = 4 from 0: the first two, then P5 (2,1) (2,-1) (1,2)
 * (-1,2) = 6 14 9 11 and P6 (2,2) (2,0) (0,2) = 10 2 8.
 */
static void a2at_goes_as_reconstructed(void)
{
	struct topology *n = topology_must("kind=torus dims=3x3 nics=4");

	check_queue("a2at", n, 9, 4, 3, "s5 s3 s7 s1 w r3 r5 r1 r7 s8 s0 s6 s2 w r0 r8 r2 r6 end");
	check_queue("a2at:dims=4x4", n, 16, 0, 5,
		    "s1 s3 s4 s12 w r3 r1 r12 r4 s5 s15 s7 s13 w r15 r5 r13 r7 "
		    "s6 s14 s9 s11 w r14 r6 r11 r9 s10 s2 s8 w r10 r2 r8 end");
	topology_destroy(n);
}

/* Whatever n: every rank sends to each other one once, and waits for what the others send it. */
static void a2at_reaches_everybody_once(void)
{
	struct topology *n = topology_must("kind=torus dims=4x4");

	for (uint32_t side = 2; side <= 11; side++) {
		uint32_t ranks = side * side, sent[121] = {0}, got[121] = {0};
		struct traffic *t = must("a2at", n, ranks);
		struct traffic_entry x[TRAFFIC_STEP_MAX];
		unsigned count;

		for (uint64_t s = 0; (count = traffic_step(t, 5 % ranks, s, x)) > 0; s++)
			for (unsigned i = 0; i < count; i++) {
				sent[x[i].peer] += x[i].kind == TRAFFIC_SEND;
				got[x[i].peer] += x[i].kind == TRAFFIC_RECEIVE;
			}
		for (uint32_t i = 0; i < ranks; i++) {
			CHECK_U64(sent[i], i != 5 % ranks);
			CHECK_U64(got[i], i != 5 % ranks);
		}
		traffic_destroy(t);
	}
	topology_destroy(n);
}

static void neighbours_trees_and_partners(void)
{
	struct topology *n = topology_must("kind=torus dims=3x4");

	check_queue("ring:wait=yes", n, 12, 0, 2, "s1 s11 w r11 r1 end");
	check_queue("ring:both=no", n, 12, 11, 2, "s0 end");
	check_queue("nearest:pause=1us", n, 12, 0, 2, "p1000000 s1 s2 s3 s9 end"); /* +x -x +y -y */
	check_queue("nearest:dims=2x6,wait=yes", n, 12, 1, 2, "s0 s3 s11 w r0 r11 r3 end");
	/* from root 2 of 12: 2's children at 8, 4, 2, 1; rank 6 = root + 4: from 2, to + 2 and + 1; 13 is nobody */
	check_queue("broadcast:root=2", n, 12, 2, 2, "s10 s6 s4 s3 end");
	check_queue("broadcast:root=2", n, 12, 6, 2, "r2 s8 s7 end");
	check_queue("broadcast:root=2", n, 12, 10, 2, "r2 s0 s11 end");
	check_queue("broadcast_flat:root=1", n, 3, 1, 3, "s2 s0 end");
	check_queue("transpose:messages=2,dims=3x3", n, 9, 5, 3, "s7 s7 end"); /* (2, 1) -> (1, 2) */
	check_queue("transpose:messages=1,dims=3x3", n, 9, 4, 2, "p0 end");
	check_queue("bit_complement:messages=1", n, 12, 3, 2, "s8 end");
	/* 3 x 4: ceil(3/2) - 1 = 1 on in x, ceil(4/2) - 1 = 1 in y: (2, 3) -> (0, 0), from (1, 2) */
	check_queue("tornado:messages=1,wait=yes", n, 12, 11, 2, "s0 w r7 end");
	check_queue("neighbor:messages=1,wait=yes", n, 12, 11, 2, "s0 w r7 end"); /* (2, 3) -> (0, 0), from (1, 2) */
	check_queue("next_group:messages=1,group=1", n, 12, 11, 2, "s0 end");
	topology_destroy(n);
}

/*
 * 16 ranks, four bits. Rank 3 = 0011: reversed 1100 = 12; rotated to the left 0110 = 6, and 1001 = 9 rotates to it.
 * Rank 9 = 1001 is its own reverse; rank 15 = 1111 its own rotation.
 */
static void partners_by_bits_and_by_distance(void)
{
	struct topology *n = topology_must("kind=torus dims=16");

	check_queue("bit_reverse:messages=1,wait=yes", n, 16, 3, 2, "s12 w r12 end");
	check_queue("bit_reverse:messages=1", n, 16, 9, 2, "p0 end");
	check_queue("shuffle:messages=1,wait=yes", n, 16, 3, 2, "s6 w r9 end");
	check_queue("shuffle:messages=1,wait=yes", n, 16, 9, 2, "s3 w r12 end");
	check_queue("shuffle:messages=1", n, 16, 15, 2, "p0 end");
	check_queue("shift:messages=1,wait=yes", n, 16, 3, 2, "s11 w r11 end");
	check_queue("shift:messages=1,by=15,wait=yes", n, 16, 3, 2, "s2 w r4 end");
	topology_destroy(n);
}

/* Each rank sends to one and receives from one; another seed gives another order; who waits, waits for its sender. */
static void a_permutation_is_one_whatever_the_seed(void)
{
	struct topology *n = topology_must("kind=torus dims=16");
	uint32_t to[3][16], from[3][16];

	for (unsigned seed = 0; seed < 3; seed++) {
		char text[64];
		struct traffic *t;
		uint32_t got = 0;

		snprintf(text, sizeof(text), "permutation:messages=1,wait=yes,seed=%u", seed / 2);
		t = must(text, n, 16);
		for (uint32_t i = 0; i < 16; i++) {
			struct traffic_entry x[TRAFFIC_STEP_MAX];
			unsigned count = traffic_step(t, i, 0, x);

			to[seed][i] = count > 1 ? x[0].peer : i;
			from[seed][i] = count > 1 ? x[count - 1].peer : i;
			got |= UINT32_C(1) << to[seed][i];
		}
		CHECK_U64(got, 0xffff);
		for (uint32_t i = 0; i < 16; i++)
			CHECK_U64(from[seed][to[seed][i]], i);
		traffic_destroy(t);
	}
	CHECK(!memcmp(to[0], to[1], sizeof(to[0])));
	CHECK(memcmp(to[0], to[2], sizeof(to[0])));
	topology_destroy(n);
}

/* Loads: the mean of the pauses is size / (load x bandwidth): 1000 bytes at half of 1 GB/s: 2 us. */
static void random_patterns_have_the_means_asked_for(void)
{
	struct topology *n = topology_must("kind=torus dims=8" LINKS);
	struct traffic *t = must("uniform:size=1000,load=0.5,messages=10000", n, 8);
	struct traffic_entry x[TRAFFIC_STEP_MAX];
	unsigned to[8] = {0};
	double pause = 0;

	for (uint64_t s = 0; s < 10000; s++) {
		REQUIRE(traffic_step(t, 3, s, x) == 2);
		pause += (double)x[0].ps;
		to[x[1].peer]++;
	}
	CHECK_F64(pause / 10000, 2e6, 5 * 2e6 / 100); /* five standard deviations */
	CHECK_U64(to[3], 0);
	for (unsigned i = 0; i < 8; i++)
		CHECK(i == 3 || (to[i] > 1428 - 5 * 35 && to[i] < 1428 + 5 * 35)); /* 10000 / 7, sqrt(n p q) = 35 */
	traffic_destroy(t);
	t = must("hot_spot:share=0.5,messages=10000,root=7", n, 8);
	memset(to, 0, sizeof(to));
	for (uint64_t s = 0; s < 10000; s++) {
		REQUIRE(traffic_step(t, 3, s, x) == 1);
		to[x[0].peer]++;
	}
	CHECK(to[7] > 5714 - 250 && to[7] < 5714 + 250); /* 1/2 + 1/2 x 1/7 */
	traffic_destroy(t);
	topology_destroy(n);
}

/* Groups are what a dragonfly has: of 1 x 4 x 2 four ranks in each of nine, and the last one sends to the first. */
static void next_groups_are_those_of_the_dragonfly(void)
{
	struct topology *n = topology_must("kind=dragonfly dims=1x4x2");
	struct traffic *t = must("next_group:messages=1000", n, 36);
	struct traffic_entry x[TRAFFIC_STEP_MAX];
	unsigned to[36] = {0};

	for (uint64_t s = 0; s < 1000; s++) {
		REQUIRE(traffic_step(t, 33, s, x) == 1);
		to[x[0].peer]++;
	}
	for (unsigned i = 0; i < 36; i++) /* a quarter each, five standard deviations: 5 sqrt(1000 x 3/16) = 68 */
		CHECK(i < 4 ? to[i] > 182 && to[i] < 318 : !to[i]);
	traffic_destroy(t);
	topology_destroy(n);
}

/*
 * B. Towles, W. Dally, SPAA 2002. Dimension order on a k x k mesh: all k - 1 nodes of a row but the last send over its
 * last link, to nodes of the last column. On a torus of odd k each link has the (k - 1) / 2 sources behind it, and of
 * even k, with ties that all go the same way, k / 2.
 */
static void the_worst_case_is_that_of_the_paper(void)
{
	static const struct {
		const char *network;
		double load;
	} rows[] = {{"kind=mesh dims=8x8", 7},
		    {"kind=mesh dims=4x4", 3},
		    {"kind=torus dims=7x7", 3},
		    {"kind=torus dims=5x5", 2},
		    {"kind=torus dims=8x8 ties=positive", 4}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct topology *n = topology_must(rows[i].network);
		uint32_t to[64], seen[64] = {0};
		struct err e = {0};
		double load = 0;

		REQUIRE(worst_case_find(n, to, &load, &e) == 0);
		CHECK_F64(load, rows[i].load, 1e-9);
		for (uint32_t k = 0; k < n->nodes; k++)
			seen[to[k]]++;
		for (uint32_t k = 0; k < n->nodes; k++)
			CHECK_U64(seen[k], 1);
		topology_destroy(n);
	}
}

/*
 * The mean distance of a mixture is the weighted mean: 256/63 links of uniform traffic on an 8 x 8 torus, and 2 to the
 * next one in both dimensions. Of 64000 messages, whose distances have a standard deviation below 2, within
 * 5 x 2 / sqrt(64000).
 */
static void a_mixture_has_the_weighted_mean(void)
{
	struct topology *n = topology_must("kind=torus dims=8x8");
	struct traffic *t = must("mix:uniform=3,neighbor=1,messages=1000", n, 64);
	struct traffic_entry x[TRAFFIC_STEP_MAX];
	double sum = 0;

	for (uint32_t r = 0; r < 64; r++)
		for (uint64_t s = 0; s < 1000; s++) {
			REQUIRE(traffic_step(t, r, s, x) == 1);
			sum += topology_distance(n, r, x[0].peer);
		}
	CHECK_F64(sum / 64000, 0.75 * 256 / 63 + 0.25 * 2, 0.04);
	traffic_destroy(t);
	topology_destroy(n);
}

/*
 * 1000 bytes at 1 GB/s take 1 us; at a quarter of the load the mean interval is 4 us. Of bursts of 10 by mean, 9 of 10
 * intervals are 1 us, the others 1 us and an exponential time of mean 30 us: a standard deviation below 14 us. 5
 * deviations of the mean of 100000, and of the share.
 */
static void bursts_keep_the_load(void)
{
	struct topology *n = topology_must("kind=torus dims=8x8" LINKS);
	struct traffic *t = must("uniform:size=1000,messages=100000,load=0.25,burst=10", n, 64);
	struct traffic_entry x[TRAFFIC_STEP_MAX];
	double sum = 0, close = 0;

	for (uint64_t s = 0; s < 100000; s++) {
		REQUIRE(traffic_step(t, 5, s, x) == 2 && x[0].kind == TRAFFIC_PAUSE);
		sum += (double)x[0].ps;
		close += x[0].ps == 1000000;
	}
	CHECK_F64(sum / 100000 / 1e6, 4, 5 * 14 / 316.2);
	CHECK_F64(close / 100000, 0.9, 5 * 0.3 / 316.2);
	traffic_destroy(t);
	topology_destroy(n);
}

static void wrong_patterns_are_refused(void)
{
	static const struct {
		const char *text;
		uint32_t ranks;
		const char *message;
	} wrong[] = {
		{"ringg", 8,
		 "pattern: unknown pattern 'ringg', expected one of all_to_all, pairwise, a2ass2d, a2at, "
		 "ring, random_ring, broadcast, broadcast_flat, nearest, uniform, transpose, "
		 "bit_complement, hot_spot, incast, tornado, neighbor, bit_reverse, shuffle, shift, permutation, "
		 "worst_case, pairs, mix, next_group"},
		{"mix", 8, "pattern: mix: weights of sum 0, expected more than 0, as uniform=0.9"},
		{"mix:uniform", 8, "pattern: mix: uniform without a weight, expected for instance uniform=0.5"},
		{"pairs", 8, "pattern: pairs without a file, expected pairs:file=NAME"},
		{"mix:uniform=0", 8, "pattern: mix: weights of sum 0, expected more than 0, as uniform=0.9"},
		{"mix:uniform=-1", 8, "pattern: mix: uniform=-1, expected a weight from 0 to 1e9"},
		{"mix:uniform=x", 8, "pattern: mix: uniform=x, expected a weight from 0 to 1e9"},
		{"mix:uniform=1,all_to_all=1", 8,
		 "pattern: mix: all_to_all is no pattern of single messages, expected uniform or those behind it"},
		{"mix:uniform=1,mix=1", 8,
		 "pattern: mix: mix is no pattern of single messages, expected uniform or those behind it"},
		{"uniform:load=0.5,burst=0.5", 8,
		 "pattern: burst=0.5 with load=0.5, expected bursts of 1 or more messages, and a load below 1"},
		{"uniform:load=1,burst=5", 8,
		 "pattern: burst=5 with load=1, expected bursts of 1 or more messages, and a load below 1"},
		{"shuffle", 6, "pattern: shuffle on 6 ranks, expected a power of two"},
		{"tornado:dims=2x2x2", 8,
		 "pattern: tornado: each of the 8 ranks is its own partner, expected ranks that send"},
		{"shift:by=8", 8, "pattern: by=8 of 8 ranks, expected less"},
		{"pairwise", 6, "pattern: pairwise on 6 ranks, expected a power of two"},
		{"a2at", 8, "pattern: a2at needs a grid of n x n = 8 ranks, expected dims=NxN"},
		{"nearest:dims=3x3", 8, "pattern: dims=3x3 is not a grid of 8 ranks, expected sizes with this product"},
		{"nearest:dims=axb", 8,
		 "pattern: dims=axb is not a list of sizes, expected for instance 8x8, at most 8 sizes"},
		{"broadcast:root=8", 8, "pattern: root=8 is not a rank, expected 0 to 7"},
		{"uniform:wait=yes", 8,
		 "pattern: wait=yes with uniform, whose receivers do not know the senders, expected wait=no"},
		{"next_group:group=3", 8,
		 "pattern: groups of 3 of 8 ranks, expected a divisor, and two or more groups"},
		{"ring", 1, "pattern: 1 ranks, expected at least 2"},
	};
	struct topology *n = topology_must("kind=torus dims=8");

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct err e = {0};

		CHECK(traffic_of_load(wrong[i].text, NULL, n, wrong[i].ranks, &e) == NULL);
		CHECK_STR(e.text, wrong[i].message);
		CHECK_I64(e.status, STATUS_USAGE);
	}
	topology_destroy(n);
}

/* Runs `t` on an engine with ranks = nodes. */
static struct traffic_result *run_on(const char *engine, struct traffic *t, const char *network, struct comm_matrix *m,
				     struct err *e)
{
	struct net_made made = net_must(engine, network, "flow.latency=none");
	struct net_setup setup = {.topology = made.topology, .config = &made.config, .seed = 1, .check = true};
	uint32_t *place = traffic_placement(made.topology->nodes, traffic_ranks(t), false, 0, e);
	struct traffic_setup s = {.traffic = t,
				  .topology = made.topology,
				  .kind = made.kind,
				  .node_of = place,
				  .matrix = m,
				  .engine = made.kind->create(&setup, e)};
	struct traffic_result *x = traffic_run(&s, e);

	made.engine = s.engine;
	net_unmake(&made);
	free(place);
	return x;
}

static struct traffic_result *run(struct traffic *t, const char *network, struct comm_matrix *m, struct err *e)
{
	return run_on("flow", t, network, m, e);
}

static int64_t time_of(const char *pattern, const char *network, uint32_t ranks)
{
	struct topology *n = topology_must(network);
	struct traffic *t = must(pattern, n, ranks);
	struct err e = {0};
	struct traffic_result *x = run(t, network, NULL, &e);
	int64_t total;

	CHECK_STR(e.text, "");
	REQUIRE(x != NULL);
	total = x->total_ps;
	CHECK_U64(x->messages, traffic_messages(t));
	traffic_result_destroy(x);
	traffic_destroy(t);
	topology_destroy(n);
	return total;
}

/*
 * A crossbar of 8 on which all send to rank 0, half of what they can: its link carries 1/8 of what all can inject,
 * and rank 0 itself sends 1/16 to others: 3/16. The network drains 3.5 times as long as it was sent to: that does not
 * count. At a tenth of that load all is accepted that is offered, and the window is steady. Packets of 2048 bytes carry
 * 2016. A window that is given is kept. Figures are off by chance by 1/sqrt(5333).
 */
static void an_open_loop_is_measured_in_a_window(void)
{
	const char *network = "kind=crossbar dims=8" LINKS;
	struct topology *n = topology_must(network);
	const struct {
		const char *text;
		double accepted, offered;
		enum traffic_state state;
	} cases[] = {
		{"hot_spot:share=1,size=2016,messages=2000,load=0.5", 3 / 16.0, 0.5, TRAFFIC_FALLS_BEHIND},
		{"hot_spot:share=1,size=2016,messages=2000,load=0.05", 0.05, 0.05, TRAFFIC_STEADY},
		{"uniform:size=2016,messages=2000,load=0.1,warmup=7us,window=12ms", 0.1, 0.1, TRAFFIC_STEADY},
	};

	for (unsigned i = 0; i < 3; i++) {
		struct err e = {0};
		struct traffic *t = must(cases[i].text, n, 8);
		struct traffic_result *x = run_on("packet", t, network, NULL, &e);
		struct traffic_measured m;

		REQUIRE(x != NULL);
		CHECK(traffic_measure(x, &m));
		CHECK_F64(m.accepted.mean, cases[i].accepted, 0.07 * cases[i].accepted);
		CHECK_F64(m.offered.mean, cases[i].offered, 0.07 * cases[i].offered);
		CHECK(m.latency_ps.mean > 2.048e6);
		CHECK_U64(m.state, cases[i].state);
		if (i == 2) {
			CHECK_I64(m.begin_ps, 7000000);
			CHECK_I64(m.end_ps, INT64_C(12007000000));
		}
		traffic_result_destroy(x);
		traffic_destroy(t);
	}
	topology_destroy(n);
}

/*
 * A load is of messages, however many a rank sends in a step: 2 of a ring, 4 of a grid. A point of a curve has 1000
 * steps of them; figures are off by chance by 1/sqrt(8000).
 */
static void a_load_is_that_of_all_messages_of_a_step(void)
{
	static const char *const patterns[] = {"ring:size=2016", "nearest:size=2016,dims=4x2", "shift:size=2016"};
	const char *network = "kind=crossbar dims=8" LINKS;
	struct topology *n = topology_must(network);
	const struct traffic_load load = {.load = 0.2, .longer = 1};

	for (unsigned i = 0; i < TAP_COUNT(patterns); i++) {
		struct err e = {0};
		struct traffic *t = traffic_of_load(patterns[i], &load, n, 8, &e);
		struct traffic_measured m;
		struct traffic_result *x;

		REQUIRE(t != NULL);
		x = run_on("packet", t, network, NULL, &e);
		REQUIRE(x != NULL);
		CHECK(traffic_measure(x, &m));
		CHECK_F64(m.offered.mean, 0.2, 0.05 * 0.2);
		CHECK_F64(m.accepted.mean, 0.2, 0.05 * 0.2);
		traffic_result_destroy(x);
		traffic_destroy(t);
	}
	topology_destroy(n);
}

/* A quarter of 4000 messages of rank 0 goes to rank 2, with a standard deviation of 27; rank 1 sends none. */
static void pairs_are_drawn_by_weight(void)
{
	struct topology *n = topology_must("kind=crossbar dims=4" LINKS);
	struct traffic *t;
	char text[200];
	unsigned to[4] = {0};
	FILE *out;

	folder_make();
	out = fopen(in_folder("a.pairs"), "w");
	REQUIRE(out != NULL);
	fputs("# sender receiver weight\n0 1 3\n3 0\n0 2 1 # the rest\n\n", out);
	fclose(out);
	snprintf(text, sizeof(text), "pairs:messages=4000,file=%s", in_folder("a.pairs"));
	t = must(text, n, 4);
	CHECK_U64(traffic_messages(t), 8000);
	for (uint64_t step = 0; step < 4000; step++) {
		struct traffic_entry entry[TRAFFIC_STEP_MAX];

		REQUIRE(traffic_step(t, 0, step, entry) == 1 && entry[0].kind == TRAFFIC_SEND);
		to[entry[0].peer]++;
		REQUIRE(traffic_step(t, 3, step, entry) == 1 && entry[0].kind == TRAFFIC_SEND);
		CHECK_U64(entry[0].peer, 0);
		REQUIRE(traffic_step(t, 1, step, entry) == 1);
		CHECK_U64(entry[0].kind, TRAFFIC_PAUSE);
	}
	CHECK_U64(to[1] + to[2], 4000);
	CHECK(to[2] > 1000 - 110 && to[2] < 1000 + 110);
	traffic_destroy(t);
	unlink(in_folder("a.pairs"));
	rmdir(folder);
	topology_destroy(n);
}

/* Nothing delivers more than was sent; short runs and long ones, idle and saturated, of any seed. */
static void no_more_is_accepted_than_offered(void)
{
	const char *network = "kind=torus dims=4x4" LINKS;
	struct topology *n = topology_must(network);

	for (unsigned i = 0; i < 48; i++) {
		static const char *const engines[] = {"packet", "flow", "linear"};
		char text[120];
		struct err e = {0};
		struct traffic *t;
		struct traffic_result *x;
		struct traffic_measured m;

		snprintf(text, sizeof(text), "%s:load=%g,seed=%u,messages=%u", i % 2 ? "hot_spot" : "uniform",
			 0.1 + 0.4 * (i % 4), i, 10 << i % 6);
		t = must(text, n, 16);
		x = run_on(engines[i % 3], t, network, NULL, &e);
		REQUIRE(x != NULL && traffic_measure(x, &m));
		CHECK(m.accepted.mean <= m.offered.mean);
		CHECK(m.accepted.mean >= 0 && m.begin_ps < m.end_ps);
		traffic_result_destroy(x);
		traffic_destroy(t);
	}
	topology_destroy(n);
}

/* A result of batches of 1 ns, each of 10 messages and 100 bytes of 200, whose latency is 1000 ps. */
static struct traffic_result batches(struct traffic_rank *rank)
{
	struct traffic_result x = {.ranks = 1, .complete = true, .rank = rank, .window = {.batch_ps = 1000}};

	x.window.bytes_per_ps = 0.2;
	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		x.window.batch[i] = (struct traffic_batch){
			.sent_bytes = 100, .delivered_bytes = 100, .messages = 10, .latency_sum_ps = 10000};
	*rank = (struct traffic_rank){.sent = 600, .last_ps = 60000};
	return x;
}

/*
 * All alike: from the first batch to the last, no error. Nothing delivered in the first 10: they are for warming up.
 * A rank sends its last message in batch 45: 40 batches before it. In batch 19: too early.
 */
static void the_window_is_what_is_steady(void)
{
	struct traffic_rank rank;
	struct traffic_result x = batches(&rank);
	struct traffic_measured m;

	REQUIRE(traffic_measure(&x, &m));
	CHECK_I64(m.begin_ps, 0);
	CHECK_I64(m.end_ps, 60000);
	CHECK_F64(m.accepted.mean, 0.5, 1e-12);
	CHECK_F64(m.accepted.error, 0, 1e-12);
	CHECK_F64(m.latency_ps.mean, 1000, 1e-9);
	CHECK_U64(m.messages, 600);
	CHECK_U64(m.state, TRAFFIC_STEADY);
	for (unsigned i = 0; i < 10; i++)
		x.window.batch[i].delivered_bytes = 0;
	traffic_measure(&x, &m);
	CHECK_I64(m.begin_ps, 10000);
	CHECK_U64(m.state, TRAFFIC_STEADY);
	rank.last_ps = 45500;
	traffic_measure(&x, &m);
	CHECK_I64(m.begin_ps, 15000);
	CHECK_I64(m.end_ps, 45000);
	rank.last_ps = 19500;
	traffic_measure(&x, &m);
	CHECK_U64(m.state, TRAFFIC_CEASES);
	x.window.batch_ps = 0;
	CHECK(!traffic_measure(&x, &m));
}

/*
 * By hand: groups of 6 batches with 90 and 110 bytes in turn have a mean of 100 and a deviation of sqrt(10 x 100 / 9) =
 * 10.541; Student's t of 9 degrees, 2.262, makes 2.262 x 10.541 / sqrt(10) = 7.540 of 200: 0.0377.
 */
static void errors_are_those_of_batch_means(void)
{
	struct traffic_rank rank;
	struct traffic_result x = batches(&rank);
	struct traffic_measured m;

	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		x.window.batch[i].delivered_bytes = i / 6 % 2 ? 110 : 90;
	x.window.warm = true;
	traffic_measure(&x, &m);
	CHECK_F64(m.accepted.mean, 0.5, 1e-12);
	CHECK_F64(m.accepted.error, 0.0377, 1e-5);
	CHECK_U64(m.state, TRAFFIC_STEADY);
}

/*
 * Latencies of 1000 + 10 i ps: the standard error is least of the last half, i = 30 to 59, whose halves have means of
 * 1370 and 1520. Delivered 100 - i: means of the halves 63 / 200 and 48 / 200. 90 of 100 delivered each time.
 */
static void what_is_not_steady_is_named(void)
{
	struct traffic_rank rank;
	struct traffic_result x = batches(&rank);
	struct traffic_measured m;
	char text[120];

	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		x.window.batch[i].latency_sum_ps = 10000 + 100 * i;
	traffic_measure(&x, &m);
	CHECK_STR(traffic_say_state(&m, text, sizeof(text)), "no: the latency changes from 0.00137 us to 0.00152 us");
	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		x.window.batch[i].delivered_bytes = 90;
	traffic_measure(&x, &m);
	CHECK_STR(traffic_say_state(&m, text, sizeof(text)),
		  "no: less is accepted than offered, and the latency goes from 0.00137 us to 0.00152 us");
	for (unsigned i = 0; i < TRAFFIC_BATCHES; i++)
		x.window.batch[i].delivered_bytes = 100 - i;
	traffic_measure(&x, &m);
	CHECK_STR(traffic_say_state(&m, text, sizeof(text)), "no: the accepted load changes from 0.315 to 0.24");
	rank.last_ps = 1500;
	traffic_measure(&x, &m);
	CHECK_STR(traffic_say_state(&m, text, sizeof(text)),
		  "no: a rank sends its last message at 0.0015 us, before the window ends");
}

/*
 * 100 sent in each fifth. Delivered 94: the sender starves, of 470 of 500. 96: not. 90 four times, then 110: its queue
 * shrinks again. Of several the one with the least share is named, and what all do together comes first.
 */
static void a_sender_that_starves_is_named(void)
{
	struct open_loop_sender s[4];
	struct open_loop m = {.state = OPEN_LOOP_LATENCY_CHANGES};
	char text[120];

	for (unsigned i = 0; i < OPEN_LOOP_FIFTHS; i++) {
		s[0].sent[i] = s[1].sent[i] = s[2].sent[i] = s[3].sent[i] = 100;
		s[0].delivered[i] = 96;
		s[1].delivered[i] = 94;
		s[2].delivered[i] = i < 4 ? 90 : 110;
		s[3].delivered[i] = 50;
	}
	open_loop_check_sender(&m, 0, &s[0]);
	open_loop_check_sender(&m, 2, &s[2]);
	CHECK_U64(m.state, OPEN_LOOP_LATENCY_CHANGES);
	open_loop_check_sender(&m, 1, &s[1]);
	CHECK_STR(open_loop_say(m.state, m.from, m.to, 1, "s", text, sizeof(text)),
		  "no: of sender 1 only 0.94 of its load is accepted");
	open_loop_check_sender(&m, 3, &s[3]);
	open_loop_check_sender(&m, 1, &s[1]);
	CHECK_STR(open_loop_say(m.state, m.from, m.to, 1, "s", text, sizeof(text)),
		  "no: of sender 3 only 0.5 of its load is accepted");
	m.state = OPEN_LOOP_FALLS_BEHIND;
	open_loop_check_sender(&m, 3, &s[3]);
	CHECK_U64(m.state, OPEN_LOOP_FALLS_BEHIND);
}

/*
 * A ring of 4, 1000 bytes at 1 GB/s: 1 us a message alone. To the next only: 1 us. Broadcast from 0: step 1
 * to 2 (two links, 1 us), then 0 to 1 and 2 to 3 at once: 2 us. All to all: p = 1: 1 us, p = 2: all go
 * to + (ties), two flows a link: 2 us, p = 3: backwards, 1 us. Twice with pauses of 1 us: 2 (4 + 3 x 1).
 */
static void the_driver_does_one_entry_after_the_other(void)
{
	const char *ring4 = "kind=torus dims=4 ties=positive" LINKS;

	CHECK_I64(time_of("ring:size=1000,both=no", ring4, 4), 1000000);
	CHECK_I64(time_of("broadcast:size=1000", ring4, 4), 2000000);
	CHECK_I64(time_of("all_to_all:size=1000", ring4, 4), 4000000);
	CHECK_I64(time_of("all_to_all:size=1000,pause=1us,repeat=2", ring4, 4), 14000000);
	CHECK_I64(time_of("all_to_all:size=1000,wait=yes", ring4, 4), 4000000);
	/* three sends at once share the NIC: 3 us; so do those of p = 1 and, twice, p = 2 the links in + */
	CHECK_I64(time_of("all_to_all:size=1000,outstanding=3", ring4, 4), 3000000);
}

/*
 * The same ring with a processor at both ends of a message. 100 ns and 1000 bytes at 2 GB/s are 600 ns: 0.6 to
 * send, 1 on the way, 0.6 to receive. Twice with waiting: 2 x 2.2 us. Without: the second send is processed from
 * 1.6 to 2.2, the first receive until 2.8; the second message comes at 3.2 and is received at 3.8. Broadcast with
 * 100 ns: 2 has it at 1.2, sends from 1.3 to 2.3, 3 has it at 2.4. A pause of 2 us keeps a processor of 1 us a
 * message busy: pause to 2, send to 3, there at 4; pause to 6, then receive to 7, send to 8, there at 9, received
 * at 10.
 */
static void processors_take_time_at_both_ends(void)
{
	const char *ring4 = "kind=torus dims=4 ties=positive" LINKS;

	CHECK_I64(time_of("ring:size=1000,both=no,overhead=100ns,copy=2GB/s", ring4, 4), 2200000);
	CHECK_I64(time_of("ring:size=1000,both=no,overhead=100ns,copy=2GB/s,wait=yes,repeat=2", ring4, 4), 4400000);
	CHECK_I64(time_of("ring:size=1000,both=no,overhead=100ns,copy=2GB/s,repeat=2", ring4, 4), 3800000);
	CHECK_I64(time_of("broadcast:size=1000,overhead=100ns", ring4, 4), 2400000);
	CHECK_I64(time_of("ring:size=1000,both=no,overhead=1us,pause=2us,repeat=2", ring4, 4), 10000000);
}

static struct traffic *from_text(const char *text, struct err *e)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct traffic *t = traffic_from_stream(in, "x.pattern", 1, e);

	fclose(in);
	return t;
}

/* Entries in the order of the file; 1 answers 0 after 3 us: 1 + 3 + 2 us. */
static void files_are_queues(void)
{
	struct err e = {0};
	struct traffic *t = from_text("# ping and pong\nranks 2\n\nsend 1 0 20 2000 wait=3us\nreceive 1 0 10\n"
				      "receive 0 1 2 # the answer\nsend 0 1 1 1000B\n",
				      &e);
	struct traffic_result *x;

	CHECK_STR(e.text, "");
	REQUIRE(t != NULL);
	CHECK_STR(queue(t, 0, 3), "s1 r1 end");
	CHECK_STR(queue(t, 1, 4), "r0 p3000000 s0 end");
	x = run(t, "kind=torus dims=2" LINKS, NULL, &e);
	REQUIRE(x != NULL);
	CHECK_I64(x->total_ps, 6000000);
	CHECK_I64(x->latency_min_ps, 1000000);
	CHECK_I64(x->latency_max_ps, 2000000);
	traffic_result_destroy(x);
	traffic_destroy(t);
}

static void a_rank_that_waits_in_vain_is_named(void)
{
	struct err e = {0};
	struct traffic *t = from_text("ranks 2\nsend 0 1 1 1000\nreceive 1 0 1\nreceive 1 0 2\n", &e);

	REQUIRE(t != NULL);
	CHECK(run(t, "kind=torus dims=2", NULL, &e) == NULL);
	CHECK_I64(e.status, STATUS_STUCK);
	CHECK_STR(e.text, "traffic: rank 1 waits for a message from rank 0 in its step 2, and no message is in flight");
	traffic_destroy(t);
}

static void placements_are_permutations(void)
{
	struct err e = {0};
	uint32_t *a = traffic_placement(100, 100, true, 1, &e), *b = traffic_placement(100, 100, true, 1, &e);
	uint32_t *c = traffic_placement(100, 100, true, 2, &e);
	unsigned seen[100] = {0}, same = 0;

	for (unsigned i = 0; i < 100; i++) {
		seen[a[i]]++;
		CHECK_U64(a[i], b[i]);
		same += a[i] == c[i];
	}
	for (unsigned i = 0; i < 100; i++)
		CHECK_U64(seen[i], 1);
	CHECK(same < 10);
	free(a);
	free(b);
	free(c);
	CHECK(traffic_placement(3, 4, false, 0, &e) == NULL);
	CHECK_STR(e.text, "4 ranks on 3 nodes, expected at most one rank per node");
}

static void the_matrix_counts_and_reads_back(void)
{
	struct err e = {0};
	struct comm_matrix *m = comm_matrix_create(4, &e), *again;
	struct topology *n = topology_must("kind=torus dims=4");
	struct traffic *t = must("ring:both=no,repeat=3,size=10", n, 4);
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	traffic_result_destroy(run(t, "kind=torus dims=4", m, &e));
	CHECK_I64(comm_matrix_write(m, f, &e), 0);
	fclose(f);
	CHECK_STR(text, "# communication matrix: source destination bytes messages\nranks 4\n"
			"0 1 30 3\n1 2 30 3\n2 3 30 3\n3 0 30 3\n");
	f = fmemopen(text, size, "r");
	again = comm_matrix_read(f, "x.matrix", &e);
	fclose(f);
	REQUIRE(again != NULL);
	CHECK_U64(comm_matrix_entries(again, &size)[3].messages, 3);
	CHECK_U64(size, 4);
	comm_matrix_destroy(m);
	comm_matrix_destroy(again);
	free(text);
	traffic_destroy(t);
	topology_destroy(n);
}

static void wrong_matrices_are_refused(void)
{
	static const char *const wrong[][2] = {
		{"", "x.matrix:1: end of the file, expected ranks N"},
		{"0 1 2 3\n", "x.matrix:1: 0 1 2 3 before the number of ranks, expected ranks N"},
		{"ranks 0\n", "x.matrix:1: 0 ranks, expected 1 to 16777216"},
		{"ranks 2\n0 2 1 1\n", "x.matrix:2: from 0 to 2, expected ranks from 0 to 1"},
		{"ranks 2\n\n0 1 1\n", "x.matrix:3: 0 1 1, expected 4 whole numbers"},
		{"ranks 2\n0 1 1 1 1\n", "x.matrix:2: 0 1 1 1 1, expected 4 whole numbers and the end of the line"},
		{"ranks 2\n0 1 1 1\n0 1 1 1\n", "x.matrix:3: duplicate pair from 0 to 1, expected each once"},
		{"ranks 2\n0 1 1 0\n", "x.matrix:2: no messages from 0 to 1, expected at least one"},
	};

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct err e = {0};
		FILE *f = fmemopen((void *)(uintptr_t)wrong[i][0], strlen(wrong[i][0]) + 1, "r");

		if (!*wrong[i][0]) {
			fclose(f);
			f = fopen("/dev/null", "r");
		}
		CHECK(comm_matrix_read(f, "x.matrix", &e) == NULL);
		CHECK_STR(e.text, wrong[i][1]);
		fclose(f);
	}
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"all-to-all goes as the papers say", all_to_all_goes_as_the_papers_say},
		{"A2AT goes as reconstructed", a2at_goes_as_reconstructed},
		{"A2AT reaches everybody once", a2at_reaches_everybody_once},
		{"neighbours, trees and partners", neighbours_trees_and_partners},
		{"random patterns have the means asked for", random_patterns_have_the_means_asked_for},
		{"partners by bits and by distance", partners_by_bits_and_by_distance},
		{"a permutation is one, whatever the seed", a_permutation_is_one_whatever_the_seed},
		{"next groups are those of the dragonfly", next_groups_are_those_of_the_dragonfly},
		{"an open loop is measured in a window", an_open_loop_is_measured_in_a_window},
		{"a load is that of all messages of a step", a_load_is_that_of_all_messages_of_a_step},
		{"pairs are drawn by weight", pairs_are_drawn_by_weight},
		{"no more is accepted than offered", no_more_is_accepted_than_offered},
		{"the window is what is steady", the_window_is_what_is_steady},
		{"errors are those of batch means", errors_are_those_of_batch_means},
		{"what is not steady is named", what_is_not_steady_is_named},
		{"a sender that starves is named", a_sender_that_starves_is_named},
		{"the worst case is that of the paper", the_worst_case_is_that_of_the_paper},
		{"a mixture has the weighted mean of its patterns", a_mixture_has_the_weighted_mean},
		{"bursts keep the mean load", bursts_keep_the_load},
		{"wrong patterns are refused", wrong_patterns_are_refused},
		{"the driver does one entry after the other", the_driver_does_one_entry_after_the_other},
		{"processors take time at both ends", processors_take_time_at_both_ends},
		{"files are queues", files_are_queues},
		{"a rank that waits in vain is named", a_rank_that_waits_in_vain_is_named},
		{"placements are permutations", placements_are_permutations},
		{"the matrix counts and reads back", the_matrix_counts_and_reads_back},
		{"wrong matrices are refused", wrong_matrices_are_refused},
	};

	return tap_main("traffic", tests, TAP_COUNT(tests));
}
