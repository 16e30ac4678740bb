/*
 * In which cycle an instruction is in which stage, worked out from the pipeline's
 * description: IA IT IM IB IR (0 to 4), E D (5, 6), P (7 at the earliest), B, X,
 * then U W; four a cycle in decode and commit.
 */
#include <stdlib.h>

#include "kanata_check.h"
#include "tap.h"
#include "pipe_trace_run.h"

static struct kanata_log log_read;

static void run(const uint32_t *words, unsigned count, const char *const *overrides)
{
	struct trace_maker m;
	char *text;

	trace_maker_start(&m, NULL);
	trace_maker_straight(&m, 0x10000, words, count, NULL);
	text = pipe_trace_run(&m, overrides, PIPE_TRACE_KANATA, NULL, NULL);
	trace_maker_finish(&m);
	kanata_check(text, &log_read);
	CHECK_STR(log_read.error, "");
	CHECK_U64(log_read.count, count);
	REQUIRE(log_read.count == count);
	free(text);
}

static uint64_t begin(unsigned insn, const char *stage)
{
	const struct kanata_stage *s = kanata_find(&log_read.insn[insn], 0, stage, 0);

	return s ? s->from : UINT64_MAX;
}

static void check_back(unsigned insn, uint64_t p, uint64_t u, uint64_t w)
{
	CHECK_U64(begin(insn, "P"), p);
	CHECK_U64(begin(insn, "B"), p + 1);
	CHECK_U64(begin(insn, "X"), p + 2);
	CHECK_U64(begin(insn, "U"), u);
	CHECK_U64(begin(insn, "W"), w);
	CHECK_U64(log_read.insn[insn].end, w + 1);
}

static void the_front_end_takes_its_stages(void)
{
	static const char *const stages[] = {"IA", "IT", "IM", "IB", "IR", "E", "D"};
	const uint32_t words[] = {W_NOP, W_NOP, W_NOP, W_NOP};

	run(words, 4, NULL);
	for (unsigned n = 0; n < 7; n++)
		CHECK_U64(begin(3, stages[n]), n);
	/* a nop needs no unit: after D come U and W */
	CHECK_U64(begin(3, "U"), 7);
	CHECK_U64(begin(3, "W"), 8);
	CHECK(kanata_find(&log_read.insn[3], 0, "P", 0) == NULL);
}

static void dependent_adds_follow_each_other(void)
{
	/* Each is selected a cycle after the other; U follows X at once. */
	const uint32_t words[] = {W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_ADD(1, 1, 1)};

	run(words, 4, NULL);
	for (unsigned n = 0; n < 4; n++) {
		check_back(n, 7 + n, 10 + n, 11 + n);
		CHECK_U64(log_read.insn[n].number, n);
	}
	/* the second waits a cycle for its operand, and an arrow says whose it is */
	CHECK_U64(begin(1, "RS"), 7);
	REQUIRE(kanata_find(&log_read.insn[1], 1, "operands", 0) != NULL);
	CHECK_U64(log_read.insn[1].wakes, 1);
	CHECK_U64(log_read.insn[1].producer[0], 0);
	CHECK_U64(log_read.insn[0].wakes, 0);
}

static void independent_adds_wait_for_a_pipe(void)
{
	/* One integer pipe: the second is ready in cycle 7 and goes in 8. */
	static const char *const one[] = {"core.int_pipes=1", NULL};
	const uint32_t words[] = {W_ADD(1, 3, 1), W_ADD(2, 3, 1)};
	const struct kanata_stage *s;

	run(words, 2, one);
	check_back(0, 7, 10, 11);
	check_back(1, 8, 11, 12);
	s = kanata_find(&log_read.insn[1], 1, "pipe", 0);
	REQUIRE(s != NULL);
	CHECK_U64(s->from, 7);
	CHECK_U64(s->to, 8);
}

static void a_load_that_hits(void)
{
	/*
	 * P 7, B 8, X 9, then Ps Ts Ms in 10 to 12. Its consumer's X is load_use = 4 after
	 * its own, 13, so its P is 11; with P B X U W it commits in 15. The load's result is
	 * written when its consumer executes: U 13, W 14.
	 */
	const uint32_t words[] = {W_LDX(1, 2, 0), W_ADD(3, 1, 1)};

	run(words, 2, NULL);
	check_back(0, 7, 13, 14);
	CHECK_U64(begin(0, "Ps"), 10);
	CHECK_U64(begin(0, "Ts"), 11);
	CHECK_U64(begin(0, "Ms"), 12);
	check_back(1, 11, 14, 15);
	CHECK(kanata_find(&log_read.insn[0], 0, "miss", 0) == NULL);
}

static void a_miss_calls_its_consumer_back(void)
{
	/*
	 * A cold L1D and L2: the consumer is selected in 11 as if the load hit, which is
	 * known to be false after Ms (10 + hit_known 2), so it is called back in 13 and waits
	 * for the line: 12 cycles of L2 latency and 120 of memory at least.
	 */
	static const char *const cold[] = {"l1d.perfect=no", NULL};
	const uint32_t words[] = {W_LDX(1, 2, 0), W_ADD(3, 1, 1)};
	const struct kanata_stage *s;

	run(words, 2, cold);
	s = kanata_find(&log_read.insn[1], 0, "Pundo", 0);
	REQUIRE(s != NULL);
	CHECK_U64(s->from, 11);
	CHECK_U64(s->to, 13);
	CHECK(kanata_find(&log_read.insn[1], 1, "replay", 0) != NULL);
	CHECK(begin(1, "P") > 10 + 120);
	s = kanata_find(&log_read.insn[0], 0, "miss", 0);
	REQUIRE(s != NULL);
	CHECK_U64(s->from, 13);
	CHECK(s->to > 10 + 120);
	CHECK(kanata_find(&log_read.insn[0], 1, "memory", 0) != NULL);
}

static void a_multiply_executes_for_its_latency(void)
{
	/* fmuld: X 9 to 12, U 13, W 14; the chained faddd's X is 4 later: 13, U 17, W 18. */
	const uint32_t words[] = {W_FMULD(2, 4, 6), W_FADDD(8, 2, 4)};

	run(words, 2, NULL);
	check_back(0, 7, 13, 14);
	check_back(1, 11, 17, 18);
}

static void a_young_instruction_waits_for_commit_in_order(void)
{
	/* The add is done in 11 - 1 (U 10) but the divide before it is not: 19 cycles of X from 9. */
	const uint32_t words[] = {W_FDIVD(2, 4, 6), W_ADD(1, 1, 1)};

	run(words, 2, NULL);
	check_back(0, 7, 28, 29);
	CHECK_U64(begin(1, "U"), 10);
	CHECK_U64(begin(1, "Ww"), 11);
	CHECK_U64(begin(1, "W"), 29);
}

static void what_does_not_fit_waits_in_decode(void)
{
	/*
	 * A reorder buffer of two: both commit in 11, so that the third, in D from 6 on,
	 * can be dispatched in 12, when commit has freed the entries.
	 */
	static const char *const two[] = {"core.rob_entries=2", NULL};
	const uint32_t words[] = {W_ADD(1, 3, 1), W_ADD(2, 3, 1), W_ADD(4, 3, 1)};
	const struct kanata_stage *s;

	run(words, 3, two);
	CHECK_U64(begin(1, "W"), 11);
	s = kanata_find(&log_read.insn[2], 1, "ROB", 0);
	REQUIRE(s != NULL);
	CHECK_U64(s->from, 7);
	CHECK_U64(s->to, 13);
	check_back(2, 13, 16, 17);
	CHECK(kanata_find(&log_read.insn[1], 1, "ROB", 0) == NULL);
}

static void five_instructions_need_a_second_cycle_in_decode(void)
{
	/* One fetch group of eight, decode of four: the fifth has E in 6. */
	const uint32_t words[] = {W_NOP, W_NOP, W_NOP, W_NOP, W_ADD(1, 1, 1)};

	run(words, 5, NULL);
	CHECK_U64(begin(4, "IA"), 0);
	CHECK_U64(begin(4, "Ibuf"), 5);
	CHECK_U64(begin(4, "E"), 6);
	CHECK_U64(begin(4, "D"), 7);
	CHECK_U64(begin(4, "P"), 8);
}

static const struct tap_test tests[] = {
	{"the front end takes its stages, one a cycle", the_front_end_takes_its_stages},
	{"dependent adds follow each other by a cycle", dependent_adds_follow_each_other},
	{"independent adds wait for a pipe", independent_adds_wait_for_a_pipe},
	{"a load that hits wakes its consumer four cycles after its X", a_load_that_hits},
	{"a miss calls its consumer back", a_miss_calls_its_consumer_back},
	{"a multiply executes for its latency", a_multiply_executes_for_its_latency},
	{"a young instruction waits for commit in order", a_young_instruction_waits_for_commit_in_order},
	{"what does not fit waits in decode, and says for what", what_does_not_fit_waits_in_decode},
	{"five instructions need a second cycle in decode", five_instructions_need_a_second_cycle_in_decode},
};

int main(void)
{
	return tap_main("pipeline-times", tests, TAP_COUNT(tests));
}
