/* Branch prediction: psim/bpred/bpred.h. */
#include "tap.h"

#include <string.h>

#include "alloc_fail.h"
#include "psim/base/rng.h"
#include "psim/bpred/bpred_quick.h"
#include "psim/machine/core_config.h"

enum { PC = 0x10000, TARGET = 0x20000 };

static const struct insn conditional = {.flags = INSN_CTI | INSN_COND};
static const struct insn always = {.flags = INSN_CTI};
static const struct insn call = {.flags = INSN_CTI | INSN_CALL};
static const struct insn ret = {.flags = INSN_CTI | INSN_RETURN | INSN_INDIRECT};
static const struct insn jump = {.flags = INSN_CTI | INSN_INDIRECT};

/* 4 sets of 2 ways. A set's number: bits 2 and 3 of the address, exclusive or bits 4 and 5. */
static struct bpred *create(unsigned kind, unsigned ras_entries)
{
	struct bpred_params p = {
		.kind = kind,
		.entries = 8,
		.ways = 2,
		.history_bits = 4,
		.tage_base_bits = 4,
		.tage_tables = 3,
		.tage_bits = 4,
		.tage_tag_bits = 5,
		.tage_history_min = 2,
		.tage_history_max = 12,
		.ras_entries = ras_entries,
	};
	struct bpred *b = bpred_create(&p, NULL);

	REQUIRE(b != NULL);
	return b;
}

/* A loop-closing branch, taken n - 1 times; returns how many were mispredicted. */
static unsigned loop(struct bpred *b, unsigned n)
{
	unsigned wrong = 0;

	for (unsigned i = 1; i <= n; i++)
		wrong += !bpred_branch(b, PC, &conditional, i < n, TARGET).correct;
	return wrong;
}

static void a_loop_is_mispredicted_once_at_its_exit(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);

	CHECK_U64(loop(b, 10), 2); /* unknown at first, and at the exit */
	CHECK_U64(loop(b, 10), 1);
	CHECK_U64(loop(b, 100), 1);
	CHECK_U64(bpred_stats(b)->mispredicted_direction, 4);
	CHECK_U64(bpred_stats(b)->mispredicted_conditional, 4);
	bpred_destroy(b);
}

static void a_branch_never_taken_takes_no_entry(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);
	struct bpred_answer a;

	for (unsigned i = 0; i < 5; i++) {
		a = bpred_branch(b, PC, &conditional, false, TARGET);
		CHECK(a.correct && !a.taken && !a.hit);
	}
	CHECK_U64(bpred_stats(b)->mispredicted, 0);
	CHECK_U64(bpred_stats(b)->table_misses, 0);
	bpred_destroy(b);
}

static void a_two_bit_counter_is_right_half_the_time_on_alternation(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);
	unsigned wrong = 0;

	/* T: unknown, entry at 3; N: taken was said, 2; T: right, 3; N: taken was said, 2; … */
	for (unsigned i = 0; i < 20; i++)
		wrong += !bpred_branch(b, PC, &conditional, i % 2 == 0, TARGET).correct;
	CHECK_U64(wrong, 1 + 10);
	bpred_destroy(b);
}

static void a_loop_of_two_trips_is_mispredicted_once_at_its_exit(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);

	CHECK_U64(loop(b, 2), 2);
	for (unsigned n = 0; n < 10; n++)
		CHECK_U64(loop(b, 2), 1);
	bpred_destroy(b);
}

/* Branches at a distance of a power of two fill the whole table: as many as it has entries stay in it. */
static void branches_at_equal_distances_use_the_whole_table(void)
{
	struct bpred_params p = {.kind = BPRED_BRHIS, .entries = 16384, .ways = 4, .history_bits = 4};

	/* 4096 sets: 12 bits of the address and, folded into them, the 12 above */
	for (uint64_t distance = 4; distance <= 4096; distance *= 2) {
		struct bpred *b = bpred_create(&p, NULL);
		unsigned wrong = 0;

		REQUIRE(b != NULL);
		for (unsigned pass = 0; pass < 2; pass++)
			for (unsigned i = 0; i < p.entries; i++)
				wrong += !bpred_branch(b, PC + i * distance, &always, true, TARGET).correct;
		CHECK_U64(wrong, p.entries);
		bpred_destroy(b);
	}
}

static void gshare_learns_alternation(void)
{
	struct bpred *b = create(BPRED_GSHARE, 0);
	unsigned wrong = 0;

	/*
	 * Counters start at 1 (not taken), four bits of history, T N T N …:
	 * T at 0000 wrong, N at 0001 right, T at 0010 wrong, N at 0101 right,
	 * T at 1010 wrong, N at 0101 right, T at 1010 right, and so on.
	 */
	for (unsigned i = 0; i < 100; i++) {
		bool correct = bpred_branch(b, PC, &conditional, i % 2 == 0, TARGET).correct;

		CHECK(correct == (i != 0 && i != 2 && i != 4));
		wrong += !correct;
	}
	CHECK_U64(wrong, 3);
	bpred_destroy(b);
}

static void gshare_needs_an_entry_to_follow_a_taken_branch(void)
{
	struct bpred *b = create(BPRED_GSHARE, 0);
	struct bpred_answer a;

	/* taken always: histories 0, 1, 3, 7, 15, 15: the last counter is trained by the fifth */
	for (unsigned i = 0; i < 6; i++)
		a = bpred_branch(b, PC, &conditional, true, TARGET);
	CHECK(a.correct && a.taken);
	CHECK_U64(a.target, TARGET);
	/* pc bits 2..5 select the counter with the history: the same counter, but no entry */
	a = bpred_branch(b, PC + 64, &conditional, true, TARGET);
	CHECK(!a.correct && !a.taken && !a.hit);
	CHECK_U64(bpred_stats(b)->table_misses, 2);
	bpred_destroy(b);
}

static void an_unconditional_branch_is_unknown_once(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);

	CHECK(!bpred_branch(b, PC, &always, true, TARGET).correct);
	CHECK(bpred_branch(b, PC, &always, true, TARGET).correct);
	CHECK(bpred_branch(b, PC, &always, true, TARGET).hit);
	bpred_destroy(b);
}

static void an_indirect_jump_is_predicted_to_its_last_target(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);
	struct bpred_answer a;

	bpred_branch(b, PC, &jump, true, TARGET);
	a = bpred_branch(b, PC, &jump, true, TARGET + 64);
	CHECK(!a.correct && a.taken);
	CHECK_U64(a.target, TARGET);
	CHECK(bpred_branch(b, PC, &jump, true, TARGET + 64).correct);
	CHECK_U64(bpred_stats(b)->mispredicted_target, 1);
	CHECK_U64(bpred_stats(b)->mispredicted_direction, 1);
	CHECK_U64(bpred_stats(b)->mispredicted_indirect, 2);
	bpred_destroy(b);
}

static void the_least_recently_used_entry_of_a_set_is_replaced(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);

	/*
	 * Three branches in a set of two ways: words 0, 5 = 1 x 4 + 1 and 10 = 2 x 4 + 2 after
	 * the first all fold to 0. The first is used again, so the second goes.
	 */
	bpred_branch(b, PC, &always, true, TARGET);
	bpred_branch(b, PC + 4 * 5, &always, true, TARGET);
	bpred_branch(b, PC, &always, true, TARGET);
	bpred_branch(b, PC + 4 * 10, &always, true, TARGET);
	CHECK(bpred_branch(b, PC, &always, true, TARGET).correct);
	CHECK(bpred_branch(b, PC + 4 * 10, &always, true, TARGET).correct);
	CHECK(!bpred_branch(b, PC + 4 * 5, &always, true, TARGET).correct);
	bpred_destroy(b);
}

static void tags_are_exact(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);

	bpred_branch(b, PC, &always, true, TARGET);
	CHECK(!bpred_branch(b, PC + ((uint64_t)1 << 40), &always, true, TARGET).hit);
	bpred_destroy(b);
}

/* `depth` nested calls from different places, and the returns; how many returns were wrong. */
static unsigned nest(struct bpred *b, unsigned depth)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < depth; i++)
		bpred_branch(b, PC + 0x100 * i, &call, true, TARGET + 0x100 * i);
	for (unsigned i = depth; i-- > 0;)
		wrong += !bpred_branch(b, TARGET + 0x100 * i + 8, &ret, true, PC + 0x100 * i + 8).correct;
	return wrong;
}

static void returns_are_right_up_to_the_depth_of_the_stack(void)
{
	struct bpred *b = create(BPRED_BRHIS, 4);

	CHECK_U64(nest(b, 1), 0);
	CHECK_U64(nest(b, 4), 0);
	CHECK_U64(nest(b, 5), 1);
	CHECK_U64(nest(b, 7), 3);
	CHECK_U64(bpred_stats(b)->ras_pushes, 17);
	CHECK_U64(bpred_stats(b)->ras_hits, 13);
	CHECK_U64(bpred_stats(b)->ras_overflows, 1 + 3);
	CHECK_U64(bpred_stats(b)->ras_underflows, 1 + 3);
	CHECK_U64(bpred_stats(b)->mispredicted_returns, 4);
	bpred_destroy(b);
}

static void recursion_from_one_place_goes_round_the_ring(void)
{
	struct bpred *b = create(BPRED_BRHIS, 4);
	unsigned wrong = 0;

	/* ten calls from PC, ten returns to PC + 8: what the ring still holds is right */
	for (unsigned i = 0; i < 10; i++)
		bpred_branch(b, PC, &call, true, TARGET);
	for (unsigned i = 0; i < 10; i++)
		wrong += !bpred_branch(b, TARGET + 8, &ret, true, PC + 8).correct;
	CHECK_U64(wrong, 0);
	bpred_destroy(b);
}

static void without_a_stack_the_table_predicts_returns(void)
{
	struct bpred *b = create(BPRED_BRHIS, 0);

	bpred_branch(b, PC, &call, true, TARGET);
	CHECK(!bpred_branch(b, TARGET + 8, &ret, true, PC + 8).correct);
	CHECK(bpred_branch(b, TARGET + 8, &ret, true, PC + 8).correct);
	CHECK(!bpred_branch(b, TARGET + 8, &ret, true, PC + 0x108).correct);
	CHECK_U64(bpred_stats(b)->ras_pops, 0);
	bpred_destroy(b);
}

static void straight_on_is_wrong_for_every_taken_branch(void)
{
	struct bpred *b = create(BPRED_NOT_TAKEN, 0);

	CHECK_U64(loop(b, 10), 9);
	CHECK_U64(loop(b, 10), 9);
	CHECK(!bpred_branch(b, PC + 4, &always, true, TARGET).correct);
	bpred_destroy(b);
}

static void perfect_is_always_right(void)
{
	struct bpred *b = create(BPRED_PERFECT, 4);

	CHECK_U64(loop(b, 10), 0);
	CHECK_U64(nest(b, 20), 0);
	CHECK_U64(bpred_stats(b)->branches, 50);
	CHECK_U64(bpred_stats(b)->conditional, 10);
	CHECK_U64(bpred_stats(b)->taken, 49);
	CHECK_U64(bpred_stats(b)->calls, 20);
	CHECK_U64(bpred_stats(b)->returns, 20);
	CHECK_U64(bpred_stats(b)->mispredicted, 0);
	bpred_destroy(b);
}

static void mispredictions_are_direction_or_target(void)
{
	struct bpred *b = create(BPRED_GSHARE, 2);
	const struct bpred_stats *s;
	unsigned x = 5;

	for (unsigned i = 0; i < 3000; i++) {
		x = x * 1103515245 + 12345;
		bpred_branch(b, PC + (x >> 20 & 31) * 4, &conditional, x >> 31, TARGET + (x >> 29 & 1) * 8);
		if (i % 3 == 0)
			nest(b, x >> 28 & 3);
	}
	s = bpred_stats(b);
	CHECK_U64(s->mispredicted, s->mispredicted_direction + s->mispredicted_target);
	CHECK_U64(s->mispredicted_target > 0, 1);
	CHECK_U64(s->ras_pops, s->returns);
	bpred_destroy(b);
}

/* Training leaves the tables as predictions of the same branches do, and counts nothing. */
static void training_counts_nothing(void)
{
	static const struct insn *const kinds[] = {&conditional, &conditional, &always, &call, &ret, &jump};

	for (unsigned kind = BPRED_BRHIS; kind <= BPRED_PERFECT; kind++) {
		struct bpred *a = create(kind, 2), *b = create(kind, 2);
		uint64_t state = 1, branches;

		for (unsigned n = 0; n < 4000; n++) {
			const struct insn *i;
			uint64_t pc, target;
			bool taken;

			state = state * 6364136223846793005u + 1442695040888963407u;
			pc = PC + 4 * (state >> 60);
			i = kinds[(state >> 55) % 6];
			taken = state >> 50 & 1 || i != &conditional;
			target = TARGET + 16 * (state >> 40 & 1);
			bpred_branch(a, pc, i, taken, target);
			bpred_train(b, pc, i, taken, target);
			if (n % 10)
				continue;
			CHECK(bpred_branch(a, pc, i, taken, target).correct ==
			      bpred_branch(b, pc, i, taken, target).correct);
		}
		branches = bpred_stats(b)->branches;
		CHECK_U64(branches, 400);
		CHECK_U64(bpred_stats(a)->branches, 4400);
		CHECK(bpred_stats(b)->mispredicted <= branches && bpred_stats(b)->table_hits <= branches);
		CHECK(kind == BPRED_PERFECT || bpred_train_mispredicted(b) > 1000);
		CHECK(bpred_stats(b)->ras_pushes <= bpred_stats(b)->calls);
		bpred_destroy(a);
		bpred_destroy(b);
	}
}

/* Three calls in a row to one target: the last two are predicted right, and change nothing but the return stack. */
static void training_fills_the_return_stack(void)
{
	struct bpred *b = create(BPRED_BRHIS, 4);
	unsigned wrong = 0;

	for (unsigned i = 0; i < 3; i++)
		bpred_train(b, PC, &call, true, TARGET);
	for (unsigned i = 0; i < 3; i++)
		wrong += !bpred_branch(b, TARGET + 8, &ret, true, PC + 8).correct;
	CHECK_U64(wrong, 0);
	CHECK_U64(bpred_stats(b)->ras_underflows, 0);
	bpred_destroy(b);
}

/* As bpred_branch, by the quick prediction where that knows the branch; returns whether it is right. */
static bool branch_quickly(struct bpred *b, uint64_t pc, const struct insn *i, bool taken, uint64_t target)
{
	enum bpred_quick how = BPRED_UNKNOWN;

	if (bpred_is_plain(b, i->flags) && !(i->flags & INSN_CALL))
		how = bpred_predict_quick(b, bpred_set(b, pc), pc, i->flags, taken, target);
	return how == BPRED_UNKNOWN ? bpred_branch(b, pc, i, taken, target).correct : how == BPRED_RIGHT;
}

/* 24 branches in 4 sets of 2 ways, some of which are mostly taken, to one of two targets. */
static void quick_predictions_are_the_same(void)
{
	static const struct insn *const kinds[] = {&conditional, &conditional, &conditional, &always,
						   &jump,        &call,        &ret};
	struct bpred *a = create(BPRED_BRHIS, 2), *b = create(BPRED_BRHIS, 2);
	unsigned wrong = 0;

	for (uint64_t n = 0; n < 20000; n++) {
		uint64_t at = rng_below(1, 0, n, 24), pc = PC + 8 * at, target = TARGET + 64 * rng_below(1, 1, n, 2);
		const struct insn *i = kinds[at % 7];
		bool taken = !(i->flags & INSN_COND) || rng_below(1, 2, n, 8) < at % 9;

		wrong += bpred_branch(a, pc, i, taken, target).correct != branch_quickly(b, pc, i, taken, target);
	}
	CHECK_U64(wrong, 0);
	CHECK(!memcmp(a->table, b->table, 8 * sizeof(*a->table)));
	CHECK(!memcmp(bpred_stats(a), bpred_stats(b), sizeof(struct bpred_stats)));
	bpred_destroy(a);
	bpred_destroy(b);
}

static void a_failed_allocation_is_told_and_leaks_nothing(void)
{
	struct bpred_params p = {.kind = BPRED_GSHARE, .entries = 8, .ways = 2, .history_bits = 4, .ras_entries = 2};

	for (unsigned k = 1;; k++) {
		struct err e = {.status = STATUS_DONE};
		struct bpred *b;

		alloc_fail_at(k);
		b = bpred_create(&p, &e);
		if (!alloc_fail_end()) {
			CHECK(b != NULL);
			CHECK_U64(k, 6); /* itself, statistics, table, stack, counters */
			bpred_destroy(b);
			return;
		}
		CHECK(b == NULL);
		CHECK_U64(e.status, STATUS_FAILED);
	}
}

static const struct tap_test tests[] = {
	{"a loop is mispredicted once, at its exit", a_loop_is_mispredicted_once_at_its_exit},
	{"a branch never taken takes no entry", a_branch_never_taken_takes_no_entry},
	{"a two-bit counter is right half the time on alternation",
	 a_two_bit_counter_is_right_half_the_time_on_alternation},
	{"a loop of two trips is mispredicted once, at its exit", a_loop_of_two_trips_is_mispredicted_once_at_its_exit},
	{"branches at equal distances use the whole table", branches_at_equal_distances_use_the_whole_table},
	{"gshare learns alternation after three mispredictions", gshare_learns_alternation},
	{"gshare needs an entry to follow a taken branch", gshare_needs_an_entry_to_follow_a_taken_branch},
	{"an unconditional branch is unknown once", an_unconditional_branch_is_unknown_once},
	{"an indirect jump is predicted to its last target", an_indirect_jump_is_predicted_to_its_last_target},
	{"the least recently used entry of a set is replaced", the_least_recently_used_entry_of_a_set_is_replaced},
	{"tags are exact", tags_are_exact},
	{"returns are right up to the depth of the stack", returns_are_right_up_to_the_depth_of_the_stack},
	{"recursion from one place goes round the ring", recursion_from_one_place_goes_round_the_ring},
	{"without a stack the table predicts returns", without_a_stack_the_table_predicts_returns},
	{"straight on is wrong for every taken branch", straight_on_is_wrong_for_every_taken_branch},
	{"perfect is always right", perfect_is_always_right},
	{"mispredictions are of direction or of target", mispredictions_are_direction_or_target},
	{"training counts nothing", training_counts_nothing},
	{"training fills the return stack", training_fills_the_return_stack},
	{"quick predictions are the same", quick_predictions_are_the_same},
	{"a failed allocation is told and leaks nothing", a_failed_allocation_is_told_and_leaks_nothing},
};

int main(void)
{
	return tap_main("branch prediction", tests, TAP_COUNT(tests));
}
