/* Several cores, a trace each: psim/core/chip.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "isa/simd.h"
#include "psim/core/chip.h"

enum { LINE = 64, CORES_MAX = 4 };

/* The default machine with `overrides` (ends with NULL), on `cores` cores. */
struct machine {
	struct config *config;
	struct core_config cfg;
};

static void machine_make(struct machine *m, unsigned cores, const char *const *overrides)
{
	char text[32];
	struct err e = {.text = ""};

	m->config = config_create();
	REQUIRE(m->config != NULL);
	core_config_add(m->config, &m->cfg);
	snprintf(text, sizeof(text), "chip.cores=%u", cores);
	CHECK_I64(config_override(m->config, text, "test", &e), 0);
	for (; *overrides; overrides++)
		CHECK_I64(config_override(m->config, *overrides, "test", &e), 0);
	CHECK_I64(core_config_check(m->config, &m->cfg, &e), 0);
	CHECK_STR(e.text, "");
}

struct outcome {
	uint64_t cycles;
	struct core_stats core[CORES_MAX];
	struct memsys_stats mem[CORES_MAX];
	struct activity activity;
};

/* Runs trace t[k] on core k; every cycle is verified. */
static void run_chip(const struct machine *m, struct trace_maker *const *t, bool every_cycle, uint64_t step,
		     struct outcome *out)
{
	const struct chip_options options = {.check = true, .no_skip = every_cycle};
	struct trace_reader *trace[CORES_MAX];
	struct err e = {.text = ""};
	struct chip *chip;
	int more;

	memset(out, 0, sizeof(*out));
	for (unsigned n = 0; n < m->cfg.chip.cores; n++)
		trace[n] = trace_maker_open(t[n]);
	chip = chip_create(&m->cfg, trace, &options, &e);
	REQUIRE(chip != NULL);
	do
		more = chip_run(chip, step, &e);
	while (more > 0);
	CHECK_I64(more, 0);
	CHECK_STR(e.text, "");
	out->cycles = chip_cycles(chip);
	chip_activity(chip, &out->activity);
	for (unsigned n = 0; n < m->cfg.chip.cores; n++) {
		out->core[n] = *core_stats(chip_core(chip, n));
		out->core[n].skipped_cycles = 0; /* how it was simulated */
		out->mem[n] = *core_memsys_stats(chip_core(chip, n));
		trace_close(trace[n]);
	}
	chip_destroy(chip);
}

/* One load a line, eight a block, `times` blocks: lines one after the other. */
static void streaming_trace(struct trace_maker *t, uint64_t times)
{
	static const uint32_t words[] = {
		W_LDX(1, 16, 0), W_LDX(2, 16, 0), W_LDX(3, 16, 0), W_LDX(4, 16, 0), W_LDX(1, 16, 0),
		W_LDX(2, 16, 0), W_LDX(3, 16, 0), W_LDX(4, 16, 0), W_BA(-8),        W_NOP,
	};
	uint64_t ea[8];
	int64_t stride[8];

	for (unsigned n = 0; n < 8; n++) {
		ea[n] = 0x1000000 + n * LINE;
		stride[n] = 8 * LINE;
	}
	trace_maker_start(t, NULL);
	trace_maker_loop(t, 0x10000, words, 10, times, ea, stride);
}

/* Memory takes 40 cycles a line, so that 16 misses in flight (640 cycles) hide its latency. */
static const char *const streaming[] = {
	"memory.bandwidth=1.6B/cycle", "tlb.perfect=yes",    "l1i.perfect=yes",
	"l1d.miss_buffers=16",         "l2.miss_buffers=64", NULL,
};

/* Cycles that `blocks` more blocks of eight lines cost on each of `cores` cores: start and end cancel. */
static uint64_t streaming_cycles(unsigned cores, const char *const *overrides, uint64_t blocks)
{
	struct trace_maker t[2];
	uint64_t cycles[2];
	struct machine m;

	machine_make(&m, cores, overrides);
	for (unsigned n = 0; n < 2; n++) {
		struct trace_maker *all[CORES_MAX] = {&t[n], &t[n], &t[n], &t[n]};
		struct outcome o;

		streaming_trace(&t[n], 100 + n * blocks);
		run_chip(&m, all, false, UINT64_MAX, &o);
		cycles[n] = o.cycles;
		trace_maker_finish(&t[n]);
	}
	config_destroy(m.config);
	return cycles[1] - cycles[0];
}

static void streams_share_the_memory_channel(void)
{
	/* 100 blocks of 8 lines, 40 cycles each: 32000 cycles alone, twice and four times that together */
	CHECK_U64(streaming_cycles(1, streaming, 100), 32000);
	CHECK_U64(streaming_cycles(2, streaming, 100), 64000);
	CHECK_U64(streaming_cycles(4, streaming, 100), 128000);
}

static void streams_do_not_wait_where_there_is_room(void)
{
	static const char *const one_at_a_time[] = {
		"memory.bandwidth=4B/cycle", "tlb.perfect=yes", "l1i.perfect=yes", "l1d.miss_buffers=1", NULL,
	};
	uint64_t one = streaming_cycles(1, one_at_a_time, 100);

	/*
	 * One miss at a time: the buffer is taken from the miss to the line's arrival, 120 + 12 cycles,
	 * and the next begins right then: 800 x 132. Two cores use 2 x 16 of these 132 cycles of
	 * the channel: neither waits for the other.
	 */
	CHECK_U64(one, 800 * 132);
	CHECK_U64(streaming_cycles(2, one_at_a_time, 100), one);
}

/* A chain of loads, each of a new line. */
static void chase_trace(struct trace_maker *t, uint64_t times)
{
	static const uint32_t words[] = {W_LDX(1, 1, 0), W_BA(-1), W_NOP};

	trace_maker_start(t, NULL);
	trace_maker_loop(t, 0x10000, words, 3, times, (const uint64_t[]){0x1000000}, (const int64_t[]){LINE});
}

/* Sixteen of them beside each other: as many as the load queue holds. */
static void chains_trace(struct trace_maker *t, uint64_t times)
{
#define CHAIN(r) W_LDX(r, r, 0)
	static const uint32_t words[] = {
		CHAIN(1),  CHAIN(2),  CHAIN(3),  CHAIN(4),  CHAIN(5),  CHAIN(8),  CHAIN(9),  CHAIN(10), CHAIN(11),
		CHAIN(12), CHAIN(13), CHAIN(16), CHAIN(17), CHAIN(18), CHAIN(19), CHAIN(20), W_BA(-16), W_NOP,
	};
#undef CHAIN
	uint64_t ea[16];
	int64_t stride[16];

	for (unsigned n = 0; n < 16; n++) {
		ea[n] = 0x4000000 + n * LINE;
		stride[n] = 16 * LINE;
	}
	trace_maker_start(t, NULL);
	trace_maker_loop(t, 0x10000, words, 18, times, ea, stride);
}

/* Cycles of each of 500 more lines of a chase beside three cores that are busy with chains all the time. */
static double chase_beside_chains(const char *const *overrides)
{
	struct trace_maker chase[2], chains;
	uint64_t cycles[2];
	struct machine m;

	machine_make(&m, 4, overrides);
	chains_trace(&chains, 2000);
	for (unsigned n = 0; n < 2; n++) {
		struct trace_maker *all[CORES_MAX] = {&chase[n], &chains, &chains, &chains};
		struct outcome o;

		chase_trace(&chase[n], 200 + n * 500);
		run_chip(&m, all, false, UINT64_MAX, &o);
		cycles[n] = o.core[0].cycles;
		CHECK(o.core[1].cycles > cycles[n]);
		trace_maker_finish(&chase[n]);
	}
	trace_maker_finish(&chains);
	config_destroy(m.config);
	return (double)(cycles[1] - cycles[0]) / 500;
}

static void who_asks_for_one_line_at_a_time_has_its_turn(void)
{
	static const char *const saturated[] = {"tlb.perfect=yes", "l1i.perfect=yes", NULL};
	static const char *const fast[] = {
		"tlb.perfect=yes", "l1i.perfect=yes", "memory.bandwidth=64B/cycle", "l1d.miss_buffers=2", NULL,
	};

	/*
	 * 3 x 8 lines of the others and its own are on their way all the time, and the channel, a line in
	 * 16 cycles, serves them in turn: 25 x 16. Its next request is 6 cycles after its line has reached L1 (fill 2,
	 * load-use 4), the others when a buffer is free; they cannot have had two turns by then.
	 */
	CHECK_F64(chase_beside_chains(saturated), 400, 8);
	/*
	 * Six lines of the others in 132 cycles, a cycle each on memory's channel and two on L2's: what it
	 * waits is one of these now and then. Alone it takes 4 + 2 + 12 + 120 = 138.
	 */
	CHECK_F64(chase_beside_chains(fast), 138 + 1, 1.001);
}

static void loads_and_arithmetic(struct trace_maker *t, uint64_t times, int64_t stride)
{
	static const uint32_t words[] = {
		W_LDX(1, 16, 0),      W_ADD(2, 1, 1), W_MULX(3, 2, 1), W_STX(3, 16, 8),
		W_FMADDD(0, 2, 4, 0), W_BA(-5),       W_NOP,
	};
	const uint64_t ea[2] = {0x200000, 0x200008};
	const int64_t strides[2] = {stride, stride};

	trace_maker_start(t, NULL);
	trace_maker_loop(t, 0x10000, words, 7, times, ea, strides);
}

static void one_core_is_as_it_was_alone(void)
{
	static const char *const none[] = {NULL};
	struct core_options options = {.check = true};
	struct trace_reader *trace;
	struct trace_maker t;
	struct machine m;
	struct outcome o;
	struct core *core;
	struct core_stats s;
	struct err e;

	machine_make(&m, 1, none);
	loads_and_arithmetic(&t, 2000, 48);
	run_chip(&m, (struct trace_maker *[]){&t}, false, UINT64_MAX, &o);
	trace = trace_maker_open(&t);
	core = core_create(&m.cfg, trace, &options, &e);
	REQUIRE(core != NULL);
	CHECK_I64(core_run(core, UINT64_MAX, &e), 0);
	s = *core_stats(core);
	s.skipped_cycles = 0;
	CHECK(memcmp(&s, &o.core[0], sizeof(s)) == 0);
	CHECK(memcmp(core_memsys_stats(core), &o.mem[0], sizeof(o.mem[0])) == 0);
	core_destroy(core);
	trace_close(trace);
	trace_maker_finish(&t);
	config_destroy(m.config);
}

static void skipping_and_steps_change_nothing(void)
{
	static const char *const narrow[] = {"memory.bandwidth=2B/cycle", "l2.size=384KiB", "l1d.size=16KiB", NULL};
	struct outcome skipped, every, stepped;
	struct trace_maker t[3];
	struct machine m;

	machine_make(&m, 3, narrow);
	loads_and_arithmetic(&t[0], 1500, 48);
	loads_and_arithmetic(&t[1], 700, 4096);
	streaming_trace(&t[2], 150);
	struct trace_maker *all[] = {&t[0], &t[1], &t[2]};

	run_chip(&m, all, false, UINT64_MAX, &skipped);
	run_chip(&m, all, true, UINT64_MAX, &every);
	run_chip(&m, all, false, 777, &stepped);
	CHECK(memcmp(&skipped, &every, sizeof(skipped)) == 0);
	CHECK(memcmp(&skipped, &stepped, sizeof(skipped)) == 0);
	/* three programs of different length, and each was run to its end */
	CHECK_U64(skipped.core[0].instructions, 1500 * 7);
	CHECK_U64(skipped.core[1].instructions, 700 * 7);
	CHECK_U64(skipped.core[2].instructions, 150 * 10);
	for (unsigned n = 0; n < 3; n++)
		trace_maker_finish(&t[n]);
	config_destroy(m.config);
}

static void energy_has_the_l2_once(void)
{
	static const char *const none[] = {NULL};
	struct energy_machine machine;
	struct energy_result x;
	struct energy_model *energy;
	struct trace_maker t;
	struct machine m;
	struct outcome one, two;
	struct err e;

	loads_and_arithmetic(&t, 500, 8);
	machine_make(&m, 1, none);
	run_chip(&m, (struct trace_maker *[]){&t}, false, UINT64_MAX, &one);
	config_destroy(m.config);
	machine_make(&m, 2, none);
	run_chip(&m, (struct trace_maker *[]){&t, &t}, false, UINT64_MAX, &two);
	core_energy_machine(&m.cfg, &machine);
	energy = energy_create(&machine, &e);
	REQUIRE(energy != NULL);
	CHECK_I64(energy_check(energy, &two.activity, &e), 0);
	/* the core's work twice, over the longer of two times */
	CHECK_U64(two.activity.ops[EOP_fp_fma], 2 * one.activity.ops[EOP_fp_fma]);
	CHECK_U64(two.activity.cycles, two.cycles);
	/* L2 136.406, a core 74.308 mm2 (420-area.c): 136.406 + 2 x 74.308 */
	CHECK_F64(energy_area_mm2(energy), 285.022, 3e-3);
	/*
	 * Leakage of 8 W belongs to 3.10693 W of densities: 136.234 mm2 x 7.1 mW + 0.172 x 31 = 0.97261 of L2,
	 * 2.13432 of the core: 8 x (0.97261 + 2 x 2.13432) / 3.10693 = 13.4956 W
	 */
	energy_evaluate(energy, &two.activity, &x);
	CHECK_F64(x.leakage_j / x.seconds, 13.4956, 2e-3);
	/* clock tree: 2 x 200 000 latches, less 1552 of the L2 that are there once: x 12 fJ x 2 GHz */
	CHECK_F64(x.clock_j / x.seconds, 9.562752, 1e-6);
	energy_destroy(energy);
	trace_maker_finish(&t);
	config_destroy(m.config);
}

/* A trace of 16 PEs: `simd` SIMD additions, then a chain of `adds`. */
static void array_trace(struct trace_maker *t, uint64_t simd, uint64_t adds)
{
	static const char *const args[] = {"test"};
	static const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "test",
		.pes = 16,
		.sbm_bytes = SIMD_SBM,
	};

	trace_maker_start(t, &info);
	t->simd = true;
	if (simd)
		trace_maker_loop(t, 0x10000, (uint32_t[]){W_FADDD(2, 2, 4), W_BA(-1), W_NOP}, 3, simd, NULL, NULL);
	if (simd)
		trace_maker_run(t, 0x11000, (uint32_t[]){W_SIMDOFF}, 1, NULL);
	t->simd = false;
	trace_maker_loop(t, 0x12000, (uint32_t[]){W_ADD(1, 1, 1), W_BA(-1), W_NOP}, 3, adds, NULL, NULL);
}

/* Cycles in which PEs had their supply, of both cores together. */
static uint64_t awake(const struct outcome *o)
{
	return 2 * o->cycles - o->activity.asleep;
}

static void arrays_sleep_until_the_chip_ends(void)
{
	static const char *const gated[] = {
		"simd.pes=16", "simd.power=gated", "l1i.perfect=yes", "tlb.perfect=yes", NULL,
	};
	enum { LONG, SHORT, BUSY, BUSY_AND_LONG, TRACES };
	struct trace_maker t[TRACES];
	struct outcome o, longer;
	struct machine m;

	machine_make(&m, 2, gated);
	array_trace(&t[LONG], 0, 6000);
	array_trace(&t[SHORT], 0, 1);
	array_trace(&t[BUSY], 50, 1);
	array_trace(&t[BUSY_AND_LONG], 50, 3000);

	/* PEs begin asleep, and nothing wakes those of either core: one sleep each, all cycles of the chip */
	run_chip(&m, (struct trace_maker *[]){&t[LONG], &t[SHORT]}, false, UINT64_MAX, &o);
	CHECK(o.core[1].cycles + 5000 < o.cycles);
	CHECK_U64(o.activity.asleep, 2 * o.cycles);
	CHECK_U64(o.activity.sleeps, 2);

	/*
	 * The same SIMD instructions, awake for as long, whether their core ends before its PEs fall asleep, or adds
	 * for longer: two sleeps, before and behind them
	 */
	run_chip(&m, (struct trace_maker *[]){&t[LONG], &t[BUSY]}, false, UINT64_MAX, &o);
	run_chip(&m, (struct trace_maker *[]){&t[LONG], &t[BUSY_AND_LONG]}, false, 777, &longer);
	CHECK_U64(o.core[1].simd_sleeps, 1);
	CHECK_U64(longer.core[1].simd_sleeps, 2);
	CHECK(awake(&o) > 50 * 4 && awake(&o) < 5000);
	CHECK_U64(awake(&o), awake(&longer));
	CHECK_U64(o.activity.sleeps, 3);
	CHECK_U64(longer.activity.sleeps, 3);
	for (unsigned n = 0; n < TRACES; n++)
		trace_maker_finish(&t[n]);
	config_destroy(m.config);
}

static void messages_name_the_core(void)
{
	static const char *const impatient[] = {"core.deadlock_cycles=1000", "memory.bandwidth=0.032B/cycle", NULL};
	const struct chip_options options = {.check = false};
	struct trace_reader *trace[2];
	struct trace_maker t[2];
	struct err e = {.text = ""};
	struct machine m;
	struct chip *chip;

	/* the second line that core 1 wants waits for more than the cycles after which a core is called stuck */
	machine_make(&m, 2, impatient);
	trace_maker_start(&t[0], NULL);
	trace_maker_loop(&t[0], 0x10000, (uint32_t[]){W_ADD(1, 1, 1), W_BA(-1), W_NOP}, 3, 100000, NULL, NULL);
	streaming_trace(&t[1], 10);
	trace[0] = trace_maker_open(&t[0]);
	trace[1] = trace_maker_open(&t[1]);
	chip = chip_create(&m.cfg, trace, &options, &e);
	REQUIRE(chip != NULL);
	CHECK_I64(chip_run(chip, UINT64_MAX, &e), -1);
	CHECK_U64(e.status, STATUS_STUCK);
	CHECK(strncmp(e.text, "core 1: core: cycle ", 20) == 0);
	chip_destroy(chip);
	for (unsigned n = 0; n < 2; n++) {
		trace_close(trace[n]);
		trace_maker_finish(&t[n]);
	}
	config_destroy(m.config);
}

static const struct tap_test tests[] = {
	{"streams from memory share its channel: twice the cores, twice the time", streams_share_the_memory_channel},
	{"streams do not wait where the channel has room", streams_do_not_wait_where_there_is_room},
	{"who asks for one line at a time has its turn", who_asks_for_one_line_at_a_time_has_its_turn},
	{"a chip of one core is that core", one_core_is_as_it_was_alone},
	{"skipping cycles and running in steps change nothing", skipping_and_steps_change_nothing},
	{"energy and area have the L2 once", energy_has_the_l2_once},
	{"arrays of cores that end early sleep until the chip ends", arrays_sleep_until_the_chip_ends},
	{"messages name the core", messages_name_the_core},
};

int main(void)
{
	return tap_main("chip", tests, TAP_COUNT(tests));
}
