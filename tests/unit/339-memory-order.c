/*
 * Loads that go past stores with unknown addresses: how often they read too early, worked out by hand, and that what
 * commits is the same whatever the order.
 *
 * The store's address waits for a division; the load reads what it stores. The next division waits for the load. A
 * load goes past the store unless a table has it, as it is fetched many cycles before the division ends.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

#include "core_compare.h"
#include "core_draw.h"
#include "core_random.h"
#include "core_run.h"
#include "psim/core/core.h"

enum { CELL = 0x100000, BODY = 3, REPETITIONS = 50, LOOP = 1000, BLOCKS = 1000 };

static const uint32_t body[] = {W_SDIVX(3, 1, 2), W_STX(5, 3, 0), W_LDX(1, 4, 0)};

/* So many repetitions in a row, with other loads and stores each time, from address 0x10000 on. */
static uint64_t violations_in_a_row(const char *const *overrides)
{
	uint32_t words[BODY * REPETITIONS];
	uint64_t ea[2 * REPETITIONS];
	struct trace_maker m;
	struct core_stats s;

	for (unsigned n = 0; n < BODY * REPETITIONS; n++)
		words[n] = body[n % BODY];
	for (unsigned n = 0; n < 2 * REPETITIONS; n++)
		ea[n] = CELL;
	trace_maker_start(&m, NULL);
	trace_maker_straight(&m, 0x10000, words, BODY * REPETITIONS, ea);
	core_run_trace(&m, overrides, true, &s);
	trace_maker_finish(&m);
	CHECK_U64(s.instructions, BODY * REPETITIONS);
	CHECK_U64(s.loads, REPETITIONS);
	CHECK_U64(s.stores, REPETITIONS);
	return s.order_violations;
}

/* A loop of six instructions: the body, a comparison, a branch and its slot. */
static struct core_stats loop(const char *const *overrides)
{
	static const uint32_t words[] = {W_SDIVX(3, 1, 2), W_STX(5, 3, 0), W_LDX(1, 4, 0),
					 W_SUBCC(6, 1),    W_BNE(-4),      W_NOP};
	static const uint64_t ea[] = {CELL, CELL};
	static const int64_t stride[] = {0, 0};
	struct trace_maker m;
	struct core_stats s;

	trace_maker_start(&m, NULL);
	trace_maker_loop(&m, 0x10000, words, 6, LOOP, ea, stride);
	core_run_trace(&m, overrides, false, &s);
	trace_maker_finish(&m);
	CHECK_U64(s.instructions, 6 * LOOP);
	return s;
}

static void each_unknown_load_reads_too_early_once(void)
{
	static const char *const wait[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_entries=1024", NULL};
	static const char *const sets[] = {"lsu.disambiguation=store_sets", NULL};
	static const char *const conservative[] = {"lsu.disambiguation=conservative", NULL};
	static const char *const oracle[] = {"lsu.disambiguation=oracle", NULL};

	CHECK_U64(violations_in_a_row(wait), REPETITIONS);
	CHECK_U64(violations_in_a_row(sets), REPETITIONS);
	CHECK_U64(violations_in_a_row(conservative), 0);
	CHECK_U64(violations_in_a_row(oracle), 0);
}

/* The load of repetition n has word 3 n + 2 of the code: modulo 1, 2 and 4 it has each entry. */
static void loads_with_the_same_entry_learn_from_each_other(void)
{
	static const char *const one[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_entries=1", NULL};
	static const char *const two[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_entries=2", NULL};
	static const char *const four[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_entries=4", NULL};

	CHECK_U64(violations_in_a_row(one), 1);
	CHECK_U64(violations_in_a_row(two), 2);
	CHECK_U64(violations_in_a_row(four), 4);
}

/*
 * Of four entries, the store of repetition n has number 3 n + 1, the load 3 n + 2. First 1 and 2 get the set; then
 * load 1 has it, and store 0 gets it; then load 0 has it, and store 3 gets it; then all have it.
 */
static void store_sets_with_the_same_entry_do(void)
{
	static const char *const one[] = {"lsu.disambiguation=store_sets", "lsu.ssit_entries=1", NULL};
	static const char *const four[] = {"lsu.disambiguation=store_sets", "lsu.ssit_entries=4", NULL};

	CHECK_U64(violations_in_a_row(one), 1);
	CHECK_U64(violations_in_a_row(four), 3);
}

/* The loop has 6000 instructions; each clear is followed by at least 50 iterations, the last one too. */
static void a_loop_reads_too_early_once_and_after_each_clear(void)
{
	static const char *const never[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_clear=0", NULL};
	static const char *const thrice[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_clear=1700", NULL};
	static const char *const sets[] = {"lsu.disambiguation=store_sets", "lsu.ssit_clear=1100", NULL};
	struct core_stats s = loop(never);

	CHECK_U64(s.order_violations, 1);
	CHECK_U64(loop(thrice).order_violations, 1 + 6000 / 1700);
	CHECK_U64(loop(sets).order_violations, 1 + 6000 / 1100);
}

/* The predictor costs no more than one refetch in the loop: see the rows late-store-* of tests/figures/micro.table. */
static void the_loop_takes_the_time_of_its_chain(void)
{
	static const char *const conservative[] = {NULL};
	static const char *const never[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_clear=0", NULL};
	uint64_t chain = LOOP * (UINT64_C(37) + 4); /* a division, and the store's data to the load's consumer */

	CHECK(loop(conservative).cycles - chain < 40);
	CHECK(loop(never).cycles - chain < 40 + 12);
}

/* ---- random programs ---- */
static const char *const orders[] = {"conservative", "oracle", "wait_table", "store_sets"};

/* Compares the counts that the program determines, whatever its timing. */
static void check_same_program(const struct core_stats *a, const struct core_stats *b)
{
	CHECK_U64(a->instructions, b->instructions);
	CHECK_U64(a->trap_instructions, b->trap_instructions);
	CHECK_U64(a->loads, b->loads);
	CHECK_U64(a->stores, b->stores);
	CHECK_U64(a->branches, b->branches);
	CHECK_U64(a->flops, b->flops);
	CHECK_U64(a->syncs, b->syncs);
	CHECK_U64(a->spills, b->spills);
	CHECK_U64(a->fills, b->fills);
	CHECK_U64(a->decode_redirects, b->decode_redirects);
	CHECK_U64(a->mispredicts, b->mispredicts);
	for (unsigned n = 0; n < CORE_CLASSES; n++)
		CHECK_U64(a->committed[n], b->committed[n]);
}

/* The random machine's overrides, then the order and a table that is cleared often. */
static const char *const *machine_with(const struct core_draw *d, const char *order, char text[64],
				       const char *all[CORE_TEXTS + 6])
{
	unsigned n = 0;

	for (; d->overrides[n]; n++)
		all[n] = d->overrides[n];
	snprintf(text, 64, "lsu.disambiguation=%s", order);
	all[n++] = text;
	all[n++] = "lsu.wait_table_clear=200";
	all[n++] = "lsu.ssit_clear=200";
	all[n] = NULL;
	return all;
}

static void what_commits_is_the_same(void)
{
	uint64_t violations = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct core_stats s[4];
		struct core_draw machine;
		struct trace_maker m;
		uint64_t state = seed;

		core_draw_machine(&machine, &state);
		core_random_cells(&m, BLOCKS, seed);
		for (unsigned n = 0; n < 4; n++) {
			const char *all[CORE_TEXTS + 6];
			char text[64];

			core_run_trace(&m, machine_with(&machine, orders[n], text, all), seed % 2, &s[n]);
			check_same_program(&s[n], &s[0]);
		}
		CHECK_U64(s[0].order_violations + s[1].order_violations, 0);
		violations += s[2].order_violations + s[3].order_violations;
		trace_maker_finish(&m);
	}
	CHECK(violations > 100);
}

static void replay_counts_the_same(void)
{
	for (uint64_t seed = 1; seed <= 24; seed++) {
		const char *all[CORE_TEXTS + 6];
		char text[64];
		struct core_compare what = {.memory = 64000000, .check = seed % 3 == 0, .step = seed % 4 ? 0 : 500};
		struct trace_reader *traces[2];
		struct core_draw machine;
		struct trace_maker m;
		uint64_t state = seed + 100;

		core_draw_machine(&machine, &state);
		what.overrides = machine_with(&machine, orders[2 + seed % 2], text, all);
		core_random_cells(&m, BLOCKS, seed + 100);
		for (unsigned n = 0; n < 2; n++)
			traces[n] = trace_maker_open(&m);
		core_compare(traces, &what);
		trace_maker_finish(&m);
	}
}

/* Through arrays, a loop period is replayed in one go; the answers of the predictor stay the same up to a clear. */
static void loop_periods_end_where_the_table_is_cleared(void)
{
	static const uint32_t words[] = {W_SDIVX(3, 1, 2), W_STX(5, 3, 0), W_LDX(6, 4, 0),
					 W_ADD(1, 3, 0),   W_BNE(-4),      W_NOP};
	static const char *const overrides[] = {"lsu.disambiguation=wait_table", "lsu.wait_table_clear=5000", NULL};
	static const uint64_t ea[] = {CELL, CELL};
	static const int64_t stride[] = {8, 8};
	uint64_t loop_periods = 0;
	struct core_compare what = {.memory = 64000000, .loop_periods = &loop_periods, .overrides = overrides};
	struct trace_reader *traces[2];
	struct trace_maker m;

	trace_maker_start(&m, NULL);
	trace_maker_loop(&m, 0x10000, words, 6, 20 * LOOP, ea, stride);
	for (unsigned n = 0; n < 2; n++)
		traces[n] = trace_maker_open(&m);
	core_compare(traces, &what);
	trace_maker_finish(&m);
	CHECK(loop_periods > LOOP); /* of eight iterations each, at most */
}

static const struct tap_test tests[] = {
	{"each load that no table knows reads too early once", each_unknown_load_reads_too_early_once},
	{"loads with the same entry learn from each other", loads_with_the_same_entry_learn_from_each_other},
	{"so do store sets", store_sets_with_the_same_entry_do},
	{"a loop reads too early once, and after each clear", a_loop_reads_too_early_once_and_after_each_clear},
	{"a loop takes the time of its chain", the_loop_takes_the_time_of_its_chain},
	{"what commits is the same in any order", what_commits_is_the_same},
	{"replay counts the same", replay_counts_the_same},
	{"loop periods end where the table is cleared", loop_periods_end_where_the_table_is_cleared},
};

int main(void)
{
	return tap_main("order of loads and stores", tests, TAP_COUNT(tests));
}
