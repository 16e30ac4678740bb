/* Flows that share links: netlink/engine/flow/fluid.h, every expected rate worked out by hand. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>

#include "netlink/engine/flow/fluid.h"
#include "psim/base/rng.h"

enum { MAX = 64 };

/* A system under test: capacities given at once, flows by their paths. */
struct bench {
	struct fluid f;
	struct err e;
	uint32_t slot[MAX];
};

static void open_bench(struct bench *b, enum fluid_rule rule, const double *capacity, uint32_t links)
{
	b->e = (struct err){0};
	CHECK_I64(fluid_init(&b->f, rule, 0.01, capacity, links, &b->e), 0);
	b->f.check = true;
}

static void start(struct bench *b, unsigned i, int64_t now, double size, double weight, const uint32_t *path,
		  unsigned hops)
{
	CHECK_I64(fluid_start(&b->f, now, size, weight, path, hops, i, &b->slot[i], &b->e), 0);
}

#define PATH(...) (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static void solve(struct bench *b, int64_t now)
{
	CHECK_I64(fluid_solve(&b->f, now, &b->e), 0);
	CHECK_STR(b->e.text, "");
}

static double rate(const struct bench *b, unsigned i)
{
	return b->f.amount.at[b->slot[i]].rate;
}

static void one_flow_takes_the_narrowest_link(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){4e9, 1e9, 2e9}, 3);
	start(&b, 0, 0, 1000, 1, PATH(0, 1, 2));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 1e9, 1);
	CHECK_I64(fluid_next_end(&b.f), 1000 * 1000); /* 1000 bytes at 1 byte a nanosecond */
	fluid_finish(&b.f);
}

/*
 * The "parking lot": link 0 of 1 carries A and B, link 1 of 2 carries A and C. Link 0 is
 * full at level 1/2 and stops A and B; C gets 2 - 1/2 = 3/2 of link 1.
 */
static void what_one_link_denies_another_gives(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){1, 2}, 2);
	start(&b, 0, 0, 1, 1, PATH(0, 1));
	start(&b, 1, 0, 1, 1, PATH(0));
	start(&b, 2, 0, 1, 1, PATH(1));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 0.5, 1e-12);
	CHECK_F64(rate(&b, 1), 0.5, 1e-12);
	CHECK_F64(rate(&b, 2), 1.5, 1e-12);
	fluid_finish(&b.f);
}

/*
 * Three levels in a row. Link 0 (capacity 1): A B C; link 1 (1): C D; link 2 (2): D E F.
 * Link 0 stops A, B, C at 1/3; link 1 leaves D 2/3; link 2 is full at level 2/3 as well:
 * D 2/3, E and F (2 - 2/3) / 2 = 2/3. Without A: C 1/2, B 1/2, D 1/2, E and F 3/4.
 */
static void an_end_is_felt_along_a_chain(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){1, 1, 2}, 3);
	start(&b, 0, 0, 1, 1, PATH(0));
	start(&b, 1, 0, 10, 1, PATH(0));
	start(&b, 2, 0, 10, 1, PATH(0, 1));
	start(&b, 3, 0, 10, 1, PATH(1, 2));
	start(&b, 4, 0, 10, 1, PATH(2));
	start(&b, 5, 0, 10, 1, PATH(2));
	solve(&b, 0);
	CHECK_F64(rate(&b, 2), 1 / 3.0, 1e-12);
	CHECK_F64(rate(&b, 3), 2 / 3.0, 1e-12);
	CHECK_F64(rate(&b, 4), 2 / 3.0, 1e-12);
	CHECK_I64(fluid_next_end(&b.f), 3000000000000); /* A: 1 / (1/3) s */
	CHECK_U64(winner_slot(&b.f.ends), b.slot[0]);
	fluid_end(&b.f, 3000000000000, b.slot[0]);
	solve(&b, 3000000000000);
	CHECK_F64(rate(&b, 1), 0.5, 1e-12);
	CHECK_F64(rate(&b, 2), 0.5, 1e-12);
	CHECK_F64(rate(&b, 3), 0.5, 1e-12);
	CHECK_F64(rate(&b, 4), 0.75, 1e-12);
	CHECK_F64(rate(&b, 5), 0.75, 1e-12);
	/* E and F have 10 - 3 x 2/3 = 8 left, at 3/4: 32/3 s more; B, C, D later */
	CHECK_I64(fluid_next_end(&b.f), 3000000000000 + 10666666666667);
	fluid_finish(&b.f);
}

/* Weights 1 and 3 on a link of 4: 1 and 3. With a second link of 2 for the heavy one: 2 and 2. */
static void shares_follow_weights(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){4, 2}, 2);
	start(&b, 0, 0, 1, 1, PATH(0));
	start(&b, 1, 0, 1, 3, PATH(0));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 1, 1e-12);
	CHECK_F64(rate(&b, 1), 3, 1e-12);
	start(&b, 2, 0, 1, 3, PATH(0, 1)); /* 4 / 7 a unit: 4/7, 12/7, 12/7 < 2 */
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 4 / 7.0, 1e-12);
	CHECK_F64(rate(&b, 2), 12 / 7.0, 1e-12);
	fluid_end(&b.f, 0, b.slot[1]); /* A and C: C stops at 2 (level 2/3), A gets 2 */
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 2, 1e-12);
	CHECK_F64(rate(&b, 2), 2, 1e-12);
	fluid_finish(&b.f);
}

/* The parking lot in mode F: link 1 gives each of its two flows 1, and A uses half of it. */
static void the_fair_rule_leaves_what_others_cannot_use(void)
{
	struct bench b;

	open_bench(&b, FLUID_FAIR, (double[]){1, 2}, 2);
	start(&b, 0, 0, 1, 1, PATH(0, 1));
	start(&b, 1, 0, 1, 1, PATH(0));
	start(&b, 2, 0, 1, 1, PATH(1));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 0.5, 1e-12);
	CHECK_F64(rate(&b, 2), 1, 1e-12);
	fluid_end(&b.f, 0, b.slot[1]); /* A has both links: min(1, 1) */
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 1, 1e-12);
	CHECK_F64(rate(&b, 2), 1, 1e-12);
	fluid_finish(&b.f);
}

/*
 * The paper's example (section 3.3): f0 and f1 share l0 of 1, l1 (1/3) limits f1: f1 is at
 * 1/3 and f0 at 1/2; 1/6 of l0 is left. Each round gives f0 half of what is left on l0:
 * 1/2 + 1/12, then 1/24 …; the change of what is left is 1/12, 1/24, 1/48, 1/96 = 1.04 %,
 * 1/192 <= 1 %: five rounds, 1/2 + 1/12 (1 + 1/2 + 1/4 + 1/8 + 1/16) = 1/2 + 31/192.
 */
static void the_iterated_rule_gives_on_what_is_left(void)
{
	struct bench b;

	open_bench(&b, FLUID_ITERATE, (double[]){1, 1 / 3.0}, 2);
	start(&b, 0, 0, 1, 1, PATH(0));
	start(&b, 1, 0, 1, 1, PATH(0, 1));
	solve(&b, 0);
	CHECK_F64(rate(&b, 1), 1 / 3.0, 1e-12);
	CHECK_F64(rate(&b, 0), 0.5 + 31 / 192.0, 1e-12);
	CHECK_U64(b.f.counts.iterations, 5);
	fluid_finish(&b.f);
}

/*
 * The same flows by the letter. l0 takes the rate of its last flow, f1: 1/3, and half of what is left. f0 = 1/3 +
 * (1 - f0 - 1/3) / 2 = 2/3 - f0 / 2 of the round before: 1/2, 5/12, 11/24, 7/16, 43/96, 85/192; the last two differ by
 * 1/192 <= 1 %, those before by 1/96: five rounds, near 4/9, where max-min has 2/3.
 */
static void the_literal_rule_begins_at_the_last_flow(void)
{
	struct bench b;

	open_bench(&b, FLUID_LITERAL, (double[]){1, 1 / 3.0}, 2);
	start(&b, 0, 0, 1, 1, PATH(0));
	start(&b, 1, 0, 1, 1, PATH(0, 1));
	solve(&b, 0);
	CHECK_F64(rate(&b, 1), 1 / 3.0, 1e-12);
	CHECK_F64(rate(&b, 0), 85 / 192.0, 1e-12);
	CHECK_U64(b.f.counts.iterations, 5);
	CHECK_F64(b.f.counts.most_over, 0, 1e-12);
	fluid_finish(&b.f);
}

/*
 * Senders 0, 1, 2 with links of their own (1, 1, 1) share l3 of 1; the third also crosses l4 of 0.1. The order of
 * flows is that of the senders, whatever their slots. First 1/3, 1/3, 0.1; l3 keeps 7/30. Sender 2 is last if its link
 * is: l3 offers 0.1 + 7/90 = 16/90, what is left is 1 - 32/90 - 9/90, and so on to x = 0.1 + (0.9 - 2x) / 3 = 0.24.
 * If sender 2's link is the first, l3 offers x + (0.9 - 2x) / 3, to x = 0.45.
 */
static double shared_with_a_slow_sender(uint32_t slow)
{
	struct bench b;
	uint32_t other[] = {(slow + 1) % 3, (slow + 2) % 3};
	double x;

	open_bench(&b, FLUID_LITERAL, (double[]){1, 1, 1, 1, 0.1}, 5);
	b.f.th = 1e-9;
	start(&b, 0, 0, 1, 1, PATH(slow, 3, 4));
	start(&b, 1, 0, 1, 1, PATH(other[0], 3));
	start(&b, 2, 0, 1, 1, PATH(other[1], 3));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 0.1, 1e-12);
	x = rate(&b, 1);
	CHECK_F64(rate(&b, 2), x, 1e-12);
	fluid_finish(&b.f);
	return x;
}

static void flows_of_the_literal_rule_are_numbered_by_sender(void)
{
	CHECK_F64(shared_with_a_slow_sender(2), 0.24, 1e-8);
	CHECK_F64(shared_with_a_slow_sender(0), 0.45, 1e-8);
}

static void flows_without_a_common_link_are_left_alone(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){1, 1, 1, 1}, 4);
	start(&b, 0, 0, 1, 1, PATH(0, 1));
	start(&b, 1, 0, 1, 1, PATH(2, 3));
	solve(&b, 0);
	start(&b, 2, 1000, 1, 1, PATH(1));
	solve(&b, 1000);
	CHECK_U64(b.f.counts.rate_changes, 4); /* A, B, then C, and A again */
	CHECK_U64(b.f.affected.count, 2);      /* C and A: B was not visited */
	fluid_finish(&b.f);
}

/* A slow flow does not hear of an end among the fast: links 0 (1: A, B, C), 1 (10: C, D, E). */
static void levels_below_a_change_are_left_alone(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){3, 10}, 2);
	start(&b, 0, 0, 100, 1, PATH(0));
	start(&b, 1, 0, 100, 1, PATH(0));
	start(&b, 2, 0, 100, 1, PATH(0, 1));
	start(&b, 3, 0, 100, 1, PATH(1));
	start(&b, 4, 0, 100, 1, PATH(1));
	solve(&b, 0); /* A, B, C at 1; D and E at 4.5 */
	CHECK_F64(rate(&b, 3), 4.5, 1e-12);
	fluid_end(&b.f, 0, b.slot[3]);
	solve(&b, 0);
	CHECK_F64(rate(&b, 4), 9, 1e-12);
	CHECK_U64(b.f.counts.rate_changes, 6);
	CHECK_U64(b.f.affected.count, 1); /* E alone was visited */
	fluid_finish(&b.f);
}

/* A flow of 10 at 1 for 4 s, then shared: 6 left at 1/2: ends at 16 s; its guest of 3 at 4 + 6 s. */
static void what_is_left_follows_the_rates(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){1}, 1);
	start(&b, 0, 0, 10, 1, PATH(0));
	solve(&b, 0);
	CHECK_I64(fluid_next_end(&b.f), 10000000000000);
	start(&b, 1, 4000000000000, 3, 1, PATH(0));
	solve(&b, 4000000000000);
	CHECK_I64(fluid_next_end(&b.f), 10000000000000); /* the guest */
	CHECK_U64(winner_slot(&b.f.ends), b.slot[1]);
	fluid_end(&b.f, 10000000000000, b.slot[1]);
	solve(&b, 10000000000000); /* 6 - 3 = 3 left, alone */
	CHECK_I64(fluid_next_end(&b.f), 13000000000000);
	fluid_end(&b.f, 13000000000000, b.slot[0]);
	CHECK_I64(fluid_next_end(&b.f), WINNER_NEVER);
	CHECK_I64(b.f.link[0].busy_ps, 13000000000000);
	CHECK_F64(b.f.link[0].carried, 13, 1e-12);
	fluid_finish(&b.f);
}

/*
 * A passes link 0 of 3 whole and link 1 of 1 with half of its rate; B passes link 1: level x fills it at x/2 + x = 1,
 * so both are at 2/3, and the link carries 1/3 of A. Without B, A is at 2. In 6 s it sends 12, 6 over link 1.
 */
static void a_link_may_carry_a_share(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){3, 1}, 2);
	CHECK_I64(
		fluid_start_part(&b.f, 0, 12, 1, (uint32_t[]){0, 1}, (double[]){1, 0.5}, 2, 0, NULL, &b.slot[0], &b.e),
		0);
	start(&b, 1, 0, 1, 1, PATH(1));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 2 / 3.0, 1e-12);
	CHECK_F64(rate(&b, 1), 2 / 3.0, 1e-12);
	fluid_end(&b.f, 0, b.slot[1]);
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 2, 1e-12);
	CHECK_I64(fluid_next_end(&b.f), 6000000000000);
	fluid_end(&b.f, 6000000000000, b.slot[0]);
	CHECK_F64(b.f.link[0].carried, 12, 1e-12);
	CHECK_F64(b.f.link[1].carried - 1, 6, 1e-12); /* 1 of B's */
	fluid_finish(&b.f);
}

/*
 * A message of 20 on two ways, half of its weight each: link 0 of 1, shared with C of weight 1, and link 1 of 3. C
 * gets 2/3, the ways 1/3 and 3. After 3 s 10 are sent, 1 of them over link 0, and C ends: the ways are at 1 and 3,
 * and the other 10 take 2.5 s.
 */
static void flows_of_a_group_drain_one_amount(void)
{
	uint32_t group = FLUID_ALONE;
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){1, 3}, 2);
	for (uint32_t i = 0; i < 2; i++)
		CHECK_I64(fluid_start_part(&b.f, 0, 20, 0.5, (uint32_t[]){i}, NULL, 1, 0, &group, &b.slot[i], &b.e), 0);
	start(&b, 2, 0, 2, 1, PATH(0));
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 1 / 3.0, 1e-12);
	CHECK_F64(rate(&b, 1), 3, 1e-12);
	CHECK_F64(rate(&b, 2), 2 / 3.0, 1e-12);
	CHECK_I64(fluid_next_end(&b.f), 3000000000000);
	fluid_end(&b.f, 3000000000000, b.slot[2]);
	solve(&b, 3000000000000);
	CHECK_F64(fluid_sent(&b.f, b.slot[0], 3000000000000), 1, 1e-12);
	CHECK_F64(fluid_sent(&b.f, b.slot[1], 3000000000000), 9, 1e-12);
	CHECK_I64(fluid_next_end(&b.f), 5500000000000);
	CHECK_U64(winner_slot(&b.f.ends), b.slot[0]);
	fluid_end(&b.f, 5500000000000, b.slot[0]);
	CHECK_U64(b.f.flows, 0);
	CHECK_F64(b.f.link[0].carried, 2 + 3.5, 1e-12);
	CHECK_F64(b.f.link[1].carried, 16.5, 1e-12);
	CHECK_I64(fluid_next_end(&b.f), WINNER_NEVER);
	fluid_finish(&b.f);
}

/* Two flows on a link of 3: 1.5 each; with weight 2 the second has 2, then with 1/2 it has 1. */
static void weights_change_in_progress(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){3, 10}, 2);
	start(&b, 0, 0, 10, 1, PATH(0, 1));
	start(&b, 1, 0, 10, 1, PATH(0));
	solve(&b, 0);
	CHECK_F64(rate(&b, 1), 1.5, 1e-12);
	CHECK_I64(fluid_weigh(&b.f, b.slot[1], 2, &b.e), 0);
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 1, 1e-12);
	CHECK_F64(rate(&b, 1), 2, 1e-12);
	CHECK_I64(fluid_weigh(&b.f, b.slot[1], 0.5, &b.e), 0);
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 2, 1e-12);
	CHECK_F64(rate(&b, 1), 1, 1e-12);
	fluid_finish(&b.f);
}

/* A at 4, B at 4; then both pass link 2 of 6 too, where B is limited to 2 by its other one: A has 4. */
static void a_path_may_be_extended(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){4, 4, 6, 2}, 4);
	start(&b, 0, 0, 10, 1, PATH(0));
	start(&b, 1, 0, 10, 1, PATH(1));
	solve(&b, 0);
	for (unsigned i = 0; i < 2; i++)
		CHECK_I64(fluid_extend(&b.f, 0, b.slot[i], 2, &b.e), 0);
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 3, 1e-12);
	CHECK_F64(rate(&b, 1), 3, 1e-12);
	CHECK_I64(fluid_extend(&b.f, 0, b.slot[1], 3, &b.e), 0);
	solve(&b, 0);
	CHECK_F64(rate(&b, 0), 4, 1e-12);
	CHECK_F64(rate(&b, 1), 2, 1e-12);
	for (unsigned i = 0; i < 2; i++)
		fluid_end(&b.f, 0, b.slot[i]);
	for (unsigned i = 0; i < 4; i++)
		CHECK_U64(b.f.link[i].count, 0);
	fluid_finish(&b.f);
}

/* A random path: every link with probability a third, at least one. */
static unsigned random_path(uint64_t *k, uint32_t links, uint32_t *path)
{
	unsigned hops = 0;

	for (uint32_t i = 0; i < links; i++)
		if (rng_below(7, 0, ++*k, 3) == 0)
			path[hops++] = i;
	if (!hops)
		path[hops++] = (uint32_t)rng_below(7, 0, ++*k, links);
	return hops;
}

enum { LINKS = 12 };

/* A flow of the random tests. */
struct drawn {
	uint32_t path[LINKS];
	double part[LINKS], weight;
	unsigned hops; /* 0: none */
};

/* Starts flow i: in every fourth of `mixed` ones links carry shares of it. */
static void start_drawn(struct bench *b, unsigned i, int64_t now, const struct drawn *x, bool mixed)
{
	CHECK_I64(fluid_start_part(&b->f, now, 1e9, x->weight, x->path, mixed && i % 4 == 0 ? x->part : NULL, x->hops,
				   i, NULL, &b->slot[i], &b->e),
		  0);
}

static void draw(struct drawn *x, unsigned i, unsigned weights, uint64_t *k)
{
	x->hops = random_path(k, LINKS, x->path);
	x->weight = 1 + i % weights;
	for (unsigned hop = 0; hop < x->hops; hop++)
		x->part[hop] = (double)(1 + rng_below(7, 0, ++*k, 8)) / 8;
}

/* One random change: an end, a start, or of `mixed` ones another weight or a longer path. */
static void change(struct bench *b, struct drawn *x, unsigned i, int64_t now, unsigned weights, bool mixed, uint64_t *k)
{
	unsigned what = mixed ? (unsigned)rng_below(7, 0, ++*k, 3) : 0;

	if (!x->hops) {
		draw(x, i, weights, k);
		start_drawn(b, i, now, x, mixed);
	} else if (what == 1) {
		x->weight = 1 + (double)rng_below(7, 0, ++*k, 5);
		CHECK_I64(fluid_weigh(&b->f, b->slot[i], x->weight, &b->e), 0);
	} else if (what == 2 && x->path[x->hops - 1] < LINKS - 1) {
		x->part[x->hops] = 1;
		x->path[x->hops++] = LINKS - 1;
		CHECK_I64(fluid_extend(&b->f, now, b->slot[i], LINKS - 1, &b->e), 0);
	} else {
		fluid_end(&b->f, now, b->slot[i]);
		x->hops = 0;
	}
}

/*
 * Changes at random, several at a time: after each the certificate of fairness (f.check) and the rates of a system
 * that is filled from nothing. Weights: 1 … `weights`.
 */
static void small_steps(unsigned weights, bool mixed)
{
	enum { STEPS = 400 };
	double capacity[LINKS];
	struct drawn x[MAX] = {0};
	uint64_t k = 0;
	struct bench b, fresh;

	for (unsigned i = 0; i < LINKS; i++)
		capacity[i] = 1 + (double)rng_below(7, 1, i, 8);
	open_bench(&b, FLUID_MAXMIN, capacity, LINKS);
	b.f.batch = UINT32_MAX / 2 - 1000; /* numbers of batches wrap around on the way */
	for (unsigned step = 0; step < STEPS; step++) {
		for (unsigned n = 0; n <= step % 3; n++) {
			unsigned i = (unsigned)rng_below(7, 0, ++k, MAX);

			change(&b, &x[i], i, step, weights, mixed, &k);
		}
		solve(&b, step);
		open_bench(&fresh, FLUID_MAXMIN, capacity, LINKS);
		for (unsigned i = 0; i < MAX; i++)
			if (x[i].hops)
				start_drawn(&fresh, i, 0, &x[i], mixed);
		solve(&fresh, 0);
		for (unsigned i = 0; i < MAX; i++)
			if (x[i].hops)
				CHECK_F64(rate(&b, i), rate(&fresh, i), 1e-11);
		fluid_finish(&fresh.f);
	}
	CHECK(b.f.counts.starts > 100);
	CHECK(b.f.batch < UINT32_MAX / 4);
	fluid_finish(&b.f);
}

static void small_steps_come_to_the_same_as_a_fresh_start(void)
{
	small_steps(1, false);
}

static void so_they_do_with_weights(void)
{
	small_steps(3, false);
}

static void so_they_do_with_shares_and_changes(void)
{
	small_steps(3, true);
}

/* The certificate is no ornament: a rate too high, and one too low, are found. */
static void wrong_rates_are_found(void)
{
	struct bench b;

	open_bench(&b, FLUID_MAXMIN, (double[]){1, 2}, 2);
	start(&b, 0, 0, 1, 1, PATH(0, 1));
	start(&b, 1, 0, 1, 1, PATH(0));
	solve(&b, 0);
	b.f.amount.at[b.slot[0]].rate = 0.6;
	CHECK_I64(fluid_verify(&b.f, &b.e), -1);
	CHECK_STR(b.e.text, "flows: link 0 carries 1.1000000000000001 bytes/s, expected at most 1");
	b.f.amount.at[b.slot[0]].rate = 0.4;
	CHECK_I64(fluid_verify(&b.f, &b.e), -1);
	CHECK_STR(b.e.text,
		  "flows: flow 0 at 0.40000000000000002 bytes/s has no full link on which it is among the fastest, "
		  "expected one");
	fluid_finish(&b.f);
}

/* Slots 0 … 39 of a tree that grew twice; times fall and rise, one by one and all at once. */
static void the_tournament_knows_the_earliest(void)
{
	struct winner w = {0};
	struct err e = {0};
	int64_t time[40];

	CHECK_I64(winner_best(&w), WINNER_NEVER);
	for (uint32_t n = 5; n <= 40; n += 5)
		CHECK_I64(winner_grow(&w, n, &e), 0);
	CHECK_I64(winner_best(&w), WINNER_NEVER);
	for (uint32_t i = 0; i < 40; i++)
		time[i] = WINNER_NEVER;
	for (uint32_t round = 0; round < 2000; round++) {
		uint32_t many = round % 9 == 0 ? 40 : 1, first = (uint32_t)rng_below(3, 0, round, 40), best = 0;

		for (uint32_t i = 0; i < many; i++) {
			uint32_t slot = (first + i) % 40;

			time[slot] = (int64_t)rng_below(3, 1 + i, round, 50);
			winner_put(&w, slot, time[slot]);
		}
		winner_settle(&w);
		for (uint32_t i = 1; i < 40; i++)
			if (time[i] < time[best])
				best = i;
		CHECK_I64(winner_best(&w), time[best]);
		CHECK_U64(winner_slot(&w), best);
	}
	winner_finish(&w);
}

/* Levels of links 0 … 99, lowered and raised; the first of equals. With more links all restart. */
static void the_lowest_level_is_known(void)
{
	struct lowest x = {0};
	struct err e = {0};
	double level[100];

	CHECK_I64(lowest_resize(&x, 5, &e), 0);
	lowest_lower(&x, 3, 7);
	CHECK_U64(lowest_link(&x), 3);
	lowest_clear(&x, 3);
	CHECK_I64(lowest_resize(&x, 100, &e), 0);
	CHECK(isinf(lowest_level(&x)));
	for (uint32_t i = 0; i < 100; i++)
		level[i] = HUGE_VAL;
	for (uint32_t round = 0; round < 3000; round++) {
		uint32_t link = (uint32_t)rng_below(4, 0, round, 100), best = 0;
		double to = (double)rng_below(4, 1, round, 60);

		if (to < level[link])
			lowest_lower(&x, link, level[link] = to);
		else
			lowest_raise(&x, link, level[link] = round % 2 ? to : HUGE_VAL);
		lowest_lower(&x, link, level[link] + 1); /* higher: nothing */
		for (uint32_t i = 1; i < 100; i++)
			if (level[i] < level[best])
				best = i;
		CHECK_F64(lowest_level(&x), level[best], 0);
		CHECK_U64(lowest_link(&x), best);
	}
	for (uint32_t i = 0; i < 100; i++)
		lowest_clear(&x, i);
	CHECK(isinf(lowest_level(&x)));
	lowest_finish(&x);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"one flow takes the narrowest link", one_flow_takes_the_narrowest_link},
		{"what one link denies another gives", what_one_link_denies_another_gives},
		{"an end is felt along a chain", an_end_is_felt_along_a_chain},
		{"shares follow weights", shares_follow_weights},
		{"the fair rule leaves what others cannot use", the_fair_rule_leaves_what_others_cannot_use},
		{"the iterated rule gives on what is left", the_iterated_rule_gives_on_what_is_left},
		{"the literal rule begins at the last flow", the_literal_rule_begins_at_the_last_flow},
		{"flows of the literal rule are numbered by sender", flows_of_the_literal_rule_are_numbered_by_sender},
		{"flows without a common link are left alone", flows_without_a_common_link_are_left_alone},
		{"levels below a change are left alone", levels_below_a_change_are_left_alone},
		{"what is left follows the rates", what_is_left_follows_the_rates},
		{"a link may carry a share", a_link_may_carry_a_share},
		{"flows of a group drain one amount", flows_of_a_group_drain_one_amount},
		{"weights change in progress", weights_change_in_progress},
		{"a path may be extended", a_path_may_be_extended},
		{"small steps come to the same as a fresh start", small_steps_come_to_the_same_as_a_fresh_start},
		{"so they do with weights", so_they_do_with_weights},
		{"so they do with shares and changes", so_they_do_with_shares_and_changes},
		{"wrong rates are found", wrong_rates_are_found},
		{"the tournament knows the earliest", the_tournament_knows_the_earliest},
		{"the lowest level is known", the_lowest_level_is_known},
	};

	return tap_main("fluid", tests, TAP_COUNT(tests));
}
