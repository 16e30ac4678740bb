/*
 * The array's pipes: chains and streams of SIMD instructions, each time worked out
 * from the parameters. o = operand_stages 1, s = commit_stages 2, C 1, W1 1.
 */
#include <string.h>

#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

#define EACH(cycles, words, ea, ...) \
	CHECK_F64(core_array_each(words, sizeof(words) / sizeof((words)[0]), ARRAY_PES, ea, \
				  (const char *const[]){__VA_ARGS__, NULL}), \
		  cycles, 0.0101)
#define DEFAULT "simd.c_cycles=1"

static void chains_in_the_pes_take_their_latency(void)
{
	/* From PE to PE nothing passes C: as in the scalar core. */
	static const uint32_t add[] = {W_FADDD(2, 2, 4)}, mul[] = {W_FMULD(2, 2, 4)};
	static const uint32_t fma[] = {W_FMADDD(2, 4, 6, 2)}, neg[] = {W_FNEGD(2, 2)};

	EACH(4.0, add, NULL, DEFAULT);
	EACH(4.0, add, NULL, "simd.c_cycles=5", "simd.w1_cycles=3", "simd.sfub_entries=64");
	EACH(6.0, add, NULL, "simd.latency_add=6");
	EACH(4.0, mul, NULL, DEFAULT);
	EACH(7.0, mul, NULL, "simd.latency_mul=7");
	EACH(8.0, fma, NULL, DEFAULT);
	EACH(5.0, fma, NULL, "simd.latency_fma=5");
	EACH(2.0, neg, NULL, DEFAULT);
	EACH(1.0, neg, NULL, "simd.latency_move=1");
	/* the scalar units have no part in it */
	EACH(4.0, add, NULL, "latency.fp_add=9");
}

static void cross_operations_take_longer(void)
{
	static const uint32_t fma[] = {W_FXMADDD(2, 4, 6, 2)}, exchange[] = {W_PEXD(2, 2)};

	EACH(9.0, fma, NULL, DEFAULT);
	EACH(8.0, fma, NULL, "simd.cross_cycles=0");
	EACH(3.0, exchange, NULL, DEFAULT);
	EACH(6.0, exchange, NULL, "simd.cross_cycles=4");
}

static void one_arithmetic_operation_a_cycle(void)
{
	static const uint32_t add[] = {W_FADDD(2, 0, 0), W_FMULD(4, 0, 0), W_FADDD(6, 0, 0), W_FMULD(8, 0, 0)};

	EACH(4.0, add, NULL, DEFAULT);
	EACH(2.0, add, NULL, "simd.arithmetic_pipes=2");
	/* C delays, but does not slow down: D to W is 1 + C + 1 + 4 + o + s + W1, 14 with C = 4 */
	EACH(4.0, add, NULL, "simd.c_cycles=4");
}

static void each_c_stage_costs_a_cycle_each_way(void)
{
	/*
	 * From a PE to the scalar core and back: pegetd, its move latency 2 and C until the
	 * scalar register's reader can be selected; that value to the PE: C; peputd's move 2.
	 */
	static const uint32_t there_and_back[] = {W_PEGETD(4, 1, 2), W_PEPUTD(2, 1, 4)};

	EACH(4.0, there_and_back, NULL, "simd.c_cycles=0");
	EACH(6.0, there_and_back, NULL, DEFAULT);
	EACH(8.0, there_and_back, NULL, "simd.c_cycles=2");
	EACH(8.0, there_and_back, NULL, "simd.latency_move=3");
}

static void a_station_entry_is_held_from_d_to_x(void)
{
	/* D, C, P, B until X: 2 + C + o = 4 cycles an entry */
	static const uint32_t add[] = {W_FADDD(2, 0, 0)};

	EACH(4.0, add, NULL, "simd.rs_entries=1");
	EACH(2.0, add, NULL, "simd.rs_entries=2");
	EACH(5.0, add, NULL, "simd.rs_entries=1", "simd.c_cycles=2");
	EACH(3.0, add, NULL, "simd.rs_entries=1", "simd.c_cycles=0");
	EACH(4.0, add, NULL, "simd.rs_entries=1", "simd.w1_cycles=5");
}

static void a_rename_entry_is_held_from_d_to_w(void)
{
	/* D, C, P, latency, B, U W, W1, free in the cycle after: 2 + C + 4 + o + s + W1 = 11 */
	static const uint32_t add[] = {W_FADDD(2, 0, 0)};

	EACH(11.0, add, NULL, "simd.sfub_entries=1");
	EACH(11.0 / 4, add, NULL, "simd.sfub_entries=4");
	/* each stage more: exactly a cycle */
	EACH(12.0, add, NULL, "simd.sfub_entries=1", "simd.c_cycles=2");
	EACH(12.0, add, NULL, "simd.sfub_entries=1", "simd.w1_cycles=2");
	EACH(10.0, add, NULL, "simd.sfub_entries=1", "simd.w1_cycles=0");
	EACH(9.0, add, NULL, "simd.sfub_entries=1", "simd.w1_cycles=0", "simd.c_cycles=0");
}

static void the_scalar_rename_buffer_is_not_touched(void)
{
	static const uint32_t add[] = {W_FADDD(2, 0, 0), W_FADDD(4, 0, 0)};

	EACH(2.0, add, NULL, "decode.fub_entries=8", "core.rsf_entries=1", "core.fp_pipes=1");
}

static void singles_are_halves_of_their_register(void)
{
	/* fadds %s1: the other half of double 0, not %s0; a chain through %s0 does not see it. */
	static const uint32_t halves[] = {W_FP(0, 0, 2, 0x41), W_FP(1, 2, 3, 0x41)};
	/* faddd reads both: the chain goes through it, two adds */
	static const uint32_t whole[] = {W_FP(1, 1, 3, 0x41), W_FADDD(0, 0, 2)};

	EACH(4.0, halves, NULL, DEFAULT);
	EACH(8.0, whole, NULL, DEFAULT);
}

static void the_two_register_files_are_apart(void)
{
	/*
	 * The same numbers in both modes: two chains of 4 side by side, not one of 8. simdon and
	 * simdoff take a decode slot and nothing else.
	 */
	static const uint32_t both[] = {W_FADDD(2, 2, 4), W_SIMDOFF, W_FADDD(2, 2, 4), W_SIMDON};
	static const uint32_t modes[] = {W_SIMDOFF, W_SIMDON, W_SIMDOFF, W_SIMDON};
	static const uint32_t busy[] = {W_FADDD(2, 0, 0), W_SIMDOFF, W_FADDD(2, 0, 0), W_SIMDON};

	EACH(4.0, both, NULL, DEFAULT);
	EACH(1.0, modes, NULL, DEFAULT);
	EACH(1.0, busy, NULL, DEFAULT);
}

static void a_sum_is_a_tree_of_adds(void)
{
	/*
	 * 16 PEs: four steps of an add and a hop, then C to the scalar core: 4 * 5 + 1; back with
	 * peputd, C and move: 3.
	 */
	static const uint32_t chain[] = {W_PESUMD(4, 2), W_PEPUTD(2, 1, 4)};
	/* the adder is free again when the last step's add has begun: 3 * 5 + 1 */
	static const uint32_t sums[] = {W_PESUMD(4, 2), W_PESUMD(6, 2)};

	EACH(24.0, chain, NULL, DEFAULT);
	EACH(20.0, chain, NULL, "simd.hop_cycles=0");
	EACH(32.0, sums, NULL, DEFAULT);
	CHECK_F64(core_array_each(chain, 2, 8, NULL, NULL), 3 * 5 + 1 + 3, 0.0101);
	CHECK_F64(core_array_each(chain, 2, 5, NULL, NULL), 3 * 5 + 1 + 3, 0.0101);
	CHECK_F64(core_array_each(chain, 2, 1, NULL, NULL), 2 + 1 + 3, 0.0101);
}

#define W_FSQRTD(rd, rs2) W_FP(rd, 0, rs2, 0x2a)
#define W_FSQRTS(rd, rs2) W_FP(rd, 0, rs2, 0x29)
#define W_FDIVS(rd, rs1, rs2) W_FP(rd, rs1, rs2, 0x4d)

static void a_divider_in_each_pe_is_not_pipelined(void)
{
	static const uint32_t chain[] = {W_FDIVD(2, 2, 4)}, apart[] = {W_FDIVD(2, 0, 0), W_FDIVD(4, 0, 0)};
	static const uint32_t all[] = {W_FDIVS(2, 0, 0), W_FDIVD(4, 0, 0), W_FSQRTS(6, 0), W_FSQRTD(8, 0)};
	/* beside a division other operations go on */
	static const uint32_t beside[] = {
		W_FDIVD(2, 0, 0), W_FADDD(4, 0, 0), W_FADDD(6, 0, 0), W_FADDD(8, 0, 0),  W_FADDD(10, 0, 0),
		W_FMULD(4, 0, 0), W_FMULD(6, 0, 0), W_FMULD(8, 0, 0), W_FMULD(10, 0, 0),
	};

	EACH(19.0, chain, NULL, "simd.divide=pe");
	EACH(38.0, apart, NULL, "simd.divide=pe");
	EACH(12.0 + 19 + 18 + 29, all, NULL, "simd.divide=pe");
	EACH(38.0, apart, NULL, "simd.divide=pe", "simd.arithmetic_pipes=2");
	EACH(19.0, beside, NULL, "simd.divide=pe");
	/* shorter than the nine that the one pipe starts */
	EACH(9.0, beside, NULL, "simd.divide=pe", "simd.latency_div_d=5");
	EACH(7.0, chain, NULL, "simd.divide=pe", "simd.latency_div_d=7");
	EACH(19.0, chain, NULL, "simd.divide=pe", "latency.fp_div_d=40");
}

static void shared_dividers_serve_the_pes_in_turns(void)
{
	/*
	 * 16 PEs. One divider: 16 divisions of 19 cycles, and C to it and back until a PE has its result; the next
	 * instruction's operands pass C while the divider works.
	 */
	static const uint32_t chain[] = {W_FDIVD(2, 2, 4)}, apart[] = {W_FDIVD(2, 0, 0), W_FDIVD(4, 0, 0)};
	static const uint32_t root[] = {W_FSQRTD(2, 2)};

	EACH(16.0 * 19 + 2, chain, NULL, "simd.divide=shared");
	EACH(2 * 16.0 * 19, apart, NULL, "simd.divide=shared");
	EACH(16.0 * 29 + 2, root, NULL, "simd.divide=shared");
	EACH(4 * 19.0 + 2, chain, NULL, "simd.divide=shared", "simd.dividers=4");
	/* 5 dividers: 4 turns, the last for one PE */
	EACH(4 * 19.0 + 2, chain, NULL, "simd.divide=shared", "simd.dividers=5");
	EACH(19.0 + 2, chain, NULL, "simd.divide=shared", "simd.dividers=32");
	EACH(4 * 19.0 + 6, chain, NULL, "simd.divide=shared", "simd.dividers=4", "simd.c_cycles=3");
}

static void a_conditional_move_waits_for_its_comparison(void)
{
	/* fcmpd %fcc1, %f2, %f4; fmovdl %fcc1, %f6, %f2: a chain of 4 and 2; nothing of it passes C */
	static const uint32_t chain[] = {0x83a88a44, 0x85a90846};
	/* by the move's own register alone */
	static const uint32_t moves[] = {0x85a90846};

	EACH(6.0, chain, NULL, "simd.select=yes");
	EACH(6.0, chain, NULL, "simd.select=yes", "simd.c_cycles=5", "simd.sfub_entries=64");
	EACH(9.0, chain, NULL, "simd.select=yes", "simd.latency_cmp=7");
	EACH(2.0, moves, NULL, "simd.select=yes");
}

static void operations_count_for_every_pe(void)
{
	static const uint32_t words[] = {W_FADDD(2, 0, 0), W_FMADDD(2, 0, 0, 0), W_FNEGD(2, 0), W_PESUMD(4, 2)};
	struct core_stats s;

	core_array_run(words, 4, 100, 16, NULL, NULL, &s);
	CHECK_U64(s.flops, 100 * (16 + 2 * 16 + 15));
	CHECK_U64(s.committed[CORE_CLASSES / 2 + CLASS_FP_FMA], 100);
	CHECK_U64(s.committed[CLASS_FP_FMA], 0);
	CHECK_U64(s.simd_committed, 400);
	CHECK_U64(s.simd_results, 300);
	CHECK_U64(s.simd_sources, 100 * (2 + 3 + 1 + 1));
}

/* Returns core_create's message for a trace of 16 PEs on a machine so changed; "" if it accepts it. */
static const char *refusal(const char *first, const char *second)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "test",
		.pes = 16,
		.sbm_bytes = SIMD_SBM,
	};
	const uint32_t nop = W_NOP;
	static struct err e;
	struct config *config = config_create();
	struct trace_reader *trace;
	struct core_config cfg;
	struct trace_maker m;
	struct core *core;

	trace_maker_start(&m, &info);
	trace_maker_run(&m, 0x10000, &nop, 1, NULL);
	trace = trace_maker_open(&m);
	core_config_add(config, &cfg);
	REQUIRE(config_override(config, first, "-p", &e) == 0 && config_override(config, second, "-p", &e) == 0);
	core = core_create(&cfg, trace, NULL, &e);
	if (core)
		e.text[0] = '\0';
	else
		CHECK_U64(e.status, STATUS_USAGE);
	core_destroy(core);
	trace_close(trace);
	trace_maker_finish(&m);
	config_destroy(config);
	return e.text;
}

static void a_trace_runs_on_its_machine_only(void)
{
	CHECK_STR(refusal("simd.pes=16", "simd.sbm_bytes=65536"), "");
	CHECK_STR(refusal("simd.pes=0", "simd.sbm_bytes=65536"),
		  "simd.pes = 0, but the trace was recorded with 16 PEs, expected the same number "
		  "(psim-record --pes, psim -p simd.pes or -c simd16.ini)");
	CHECK_STR(refusal("simd.pes=32", "simd.sbm_bytes=65536"),
		  "simd.pes = 32, but the trace was recorded with 16 PEs, expected the same number "
		  "(psim-record --pes, psim -p simd.pes or -c simd16.ini)");
	CHECK_STR(refusal("simd.pes=16", "simd.sbm_bytes=131072"),
		  "simd.sbm_bytes = 131072, but the trace was recorded with 65536 bytes of SBM in each PE, expected "
		  "the same size (psim-record --sbm, psim -p simd.sbm_bytes)");
}

static void an_array_changes_nothing_for_scalar_code(void)
{
	/* in scalar mode on a machine with 16 PEs, and on one without: the same counters */
	static const uint32_t words[] = {W_LDX(1, 1, 0), W_FADDD(2, 2, 4), W_STX(3, 2, 8), W_MULX(1, 1, 2)};
	struct core_stats with, without;
	struct trace_maker m;

	trace_maker_start(&m, NULL);
	for (unsigned n = 0; n < 50; n++)
		trace_maker_straight(&m, 0x10000, words, 4, NULL);
	core_run_trace(&m, (const char *const[]){"simd.pes=16", "l1d.perfect=no", NULL}, false, &with);
	core_run_trace(&m, (const char *const[]){"simd.pes=0", "l1d.perfect=no", NULL}, false, &without);
	trace_maker_finish(&m);
	CHECK(with.cycles > 50 * 4);
	CHECK(!memcmp(&with, &without, sizeof(with)));
}

static const struct tap_test tests[] = {
	{"chains in the PEs take their latency", chains_in_the_pes_take_their_latency},
	{"cross operations take longer", cross_operations_take_longer},
	{"one arithmetic operation a cycle", one_arithmetic_operation_a_cycle},
	{"each C stage costs a cycle each way", each_c_stage_costs_a_cycle_each_way},
	{"a station entry is held from D to X", a_station_entry_is_held_from_d_to_x},
	{"a rename entry is held from D to W", a_rename_entry_is_held_from_d_to_w},
	{"the scalar rename buffer is not touched", the_scalar_rename_buffer_is_not_touched},
	{"singles are halves of their register", singles_are_halves_of_their_register},
	{"the two register files are apart", the_two_register_files_are_apart},
	{"a sum is a tree of adds", a_sum_is_a_tree_of_adds},
	{"a divider in each PE is not pipelined", a_divider_in_each_pe_is_not_pipelined},
	{"shared dividers serve the PEs in turns", shared_dividers_serve_the_pes_in_turns},
	{"a conditional move waits for its comparison", a_conditional_move_waits_for_its_comparison},
	{"operations count for every PE", operations_count_for_every_pe},
	{"a trace runs on its machine only", a_trace_runs_on_its_machine_only},
	{"an array changes nothing for scalar code", an_array_changes_nothing_for_scalar_code},
};

int main(void)
{
	return tap_main("array-latency", tests, TAP_COUNT(tests));
}
