/* Targets of indirect transfers: psim/bpred/target_cache.c, target_ittage.c. */
#include "tap.h"

#include <stdlib.h>

#include "psim/bpred/target_kind.h"

enum { PC = 0x10000, A = 0x20004, B = 0x20048, C = 0x2008c };

static const struct bpred_params plain = {
	.kind = BPRED_BRHIS,
	.entries = 64,
	.ways = 4,
	.target_bits = 9,
	.target_history = 3,
	.target_tables = 3,
	.target_tag_bits = 9,
};

/* Executes a loop over `count` targets at PC so many times; returns the wrong predictions of the last 100 rounds. */
static unsigned wrong_of_100(struct bpred_params p, const uint64_t *list, unsigned count, unsigned rounds)
{
	const struct insn jump = {.flags = INSN_CTI | INSN_INDIRECT};
	struct err e;
	struct bpred *b = bpred_create(&p, &e);
	unsigned wrong = 0;

	REQUIRE(b != NULL);
	for (unsigned n = 0; n < rounds; n++)
		for (unsigned k = 0; k < count; k++)
			wrong += !bpred_branch(b, PC, &jump, true, list[k]).correct && n + 100 >= rounds;
	bpred_destroy(b);
	return wrong;
}

static struct bpred_params with(unsigned targets, unsigned history, unsigned tables)
{
	struct bpred_params p = plain;

	p.targets = targets;
	p.target_history = history;
	p.target_tables = tables;
	return p;
}

/*
 * A B A C: each target differs from the one before, so that is always wrong. After B and after C comes A, so a
 * history of one target is right there; after A come B and C in turn, so it is wrong there, half of all. With two
 * targets all are right.
 */
static void a_path_tells_the_next_target(void)
{
	static const uint64_t list[] = {A, B, A, C};

	CHECK_U64(wrong_of_100(with(TARGETS_LAST, 3, 1), list, 4, 200), 400);
	CHECK_U64(wrong_of_100(with(TARGETS_CACHE, 1, 1), list, 4, 200), 200);
	CHECK_U64(wrong_of_100(with(TARGETS_CACHE, 2, 1), list, 4, 200), 0);
	CHECK_U64(wrong_of_100(with(TARGETS_ITTAGE, 1, 1), list, 4, 200), 200);
	CHECK_U64(wrong_of_100(with(TARGETS_ITTAGE, 2, 1), list, 4, 200), 0);
}

/* One target costs nothing with any kind, but for the first time, when the branch history lacks it. */
static void one_target_is_known(void)
{
	static const uint64_t list[] = {A};

	for (unsigned kind = 0; kind < TARGET_KIND_COUNT; kind++) {
		CHECK_U64(wrong_of_100(with(kind, 3, 3), list, 1, 100), 1);
		CHECK_U64(wrong_of_100(with(kind, 3, 3), list, 1, 200), 0);
	}
}

/*
 * Ten As and a B: what comes follows from ten targets alone. The target cache has nine bits, with ten targets one of
 * each: nine As come before the tenth A and before B, so both are wrong. ITTAGE's tables see 1, 3 and 10 targets. The
 * target of the last time is wrong at B, and at the A behind it.
 */
static void long_histories_need_tables(void)
{
	static const uint64_t list[] = {A, A, A, A, A, A, A, A, A, A, B};

	CHECK_U64(wrong_of_100(with(TARGETS_ITTAGE, 10, 3), list, 11, 400), 0);
	CHECK_U64(wrong_of_100(with(TARGETS_CACHE, 10, 1), list, 11, 400), 200);
	CHECK_U64(wrong_of_100(with(TARGETS_LAST, 10, 1), list, 11, 400), 200);
}

/* A return pops the stack, and leaves the tables as they are; a conditional branch does too. */
static void other_branches_have_no_part(void)
{
	const struct insn jump = {.flags = INSN_CTI | INSN_INDIRECT}, condition = {.flags = INSN_CTI | INSN_COND},
			  back = {.flags = INSN_CTI | INSN_INDIRECT | INSN_RETURN};
	static const uint64_t list[] = {A, B, A, C};
	struct bpred_params p = with(TARGETS_ITTAGE, 2, 1);
	struct err e;
	struct bpred *b;
	unsigned wrong = 0;

	p.ras_entries = 8;
	b = bpred_create(&p, &e);
	REQUIRE(b != NULL);
	for (unsigned n = 0; n < 400; n++) {
		wrong += !bpred_branch(b, PC, &jump, true, list[n % 4]).correct && n >= 200;
		bpred_branch(b, PC + 64, &condition, n % 3, C + 64 * (uint64_t)(n % 7));
		bpred_branch(b, PC + 128, &back, true, B + 64 * (uint64_t)(n % 5));
	}
	CHECK_U64(wrong, 0);
	bpred_destroy(b);
}

/* 512 targets, and nine bits of history; entries of target, tag, confidence and use, and the targets of the history. */
static void storage_is_that_of_the_tables(void)
{
	struct bpred_params p = plain;
	uint64_t bits;
	unsigned read;

	TARGETS_CACHE_kind.storage(&p, &bits, &read);
	CHECK_U64(bits, 512 * 64 + 9);
	CHECK_U64(read, 64);
	TARGETS_ITTAGE_kind.storage(&p, &bits, &read);
	CHECK_U64(bits, 3 * 512 * (64 + 9 + 2 + 1) + 3 * 64);
	CHECK_U64(read, 3 * (64 + 9 + 2 + 1));
}

static const struct tap_test tests[] = {
	{"a path tells the next target", a_path_tells_the_next_target},
	{"one target is known", one_target_is_known},
	{"long histories need tables", long_histories_need_tables},
	{"other branches have no part", other_branches_have_no_part},
	{"storage is that of the tables", storage_is_that_of_the_tables},
};

int main(void)
{
	return tap_main("targets", tests, TAP_COUNT(tests));
}
