/* A region alone, and parts of a trace that only warm up: core_options.region, psim/core/warm.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "psim/core/chip.h"

enum { LINE = 64, CODE = 0x10000, OTHER = 0x20000, DATA = 0x400000 };

/* The part of the trace before the region. */
enum before { NOTHING, TRACE, WARM_UP };

struct outcome {
	struct core_stats stats;
	struct memsys_stats memory;
	struct bpred_stats branches;
	struct activity activity;
	struct core_region region;
	uint64_t warmed;
	unsigned regions;
};

/* `lines` accesses, a line each from `address` on, by the one instruction `word` at `pc`. */
static void touch(struct trace_maker *m, uint64_t pc, uint32_t word, uint64_t address, unsigned lines)
{
	const int64_t stride = LINE;

	trace_maker_loop(m, pc, &word, 1, lines, &address, &stride);
}

static void mark(struct trace_maker *m, const char *name, bool begin)
{
	struct err e;

	CHECK_I64(trace_writer_region(m->writer, name, begin, &e), 0);
}

static void warm(struct trace_maker *m, bool begin)
{
	struct err e = {.text = ""};

	CHECK_I64(trace_writer_warm_up(m->writer, begin, &e), 0);
	CHECK_STR(e.text, "");
}

static void configure(struct config *config, struct core_config *cfg, const char *const *overrides)
{
	struct err e;

	core_config_add(config, cfg);
	for (; overrides && *overrides; overrides++)
		REQUIRE(config_override(config, *overrides, "test", &e) == 0);
	REQUIRE(core_config_check(config, cfg, &e) == 0);
}

/* Runs the trace, all of it or `region` alone; -1 with `e` as core_run. */
static int run(struct trace_maker *m, const char *region, const char *const *overrides, struct outcome *out,
	       struct err *e)
{
	struct core_options o = {.check = true, .region = region};
	struct trace_reader *trace = trace_maker_open(m);
	struct config *config = config_create();
	struct core_config cfg;
	struct core *core;
	int more;

	configure(config, &cfg, overrides);
	core = core_create(&cfg, trace, &o, e);
	REQUIRE(core != NULL);
	more = core_run(core, UINT64_MAX, e);
	out->stats = *core_stats(core);
	out->memory = *core_memsys_stats(core);
	out->branches = *core_bpred_stats(core);
	out->warmed = core_warmed(core);
	out->regions = core_region_count(core);
	core_activity(core, &out->activity);
	if (out->regions)
		core_region(core, 0, &out->region);
	core_destroy(core);
	trace_close(trace);
	config_destroy(config);
	return more;
}

static void run_well(struct trace_maker *m, const char *region, const char *const *overrides, struct outcome *out)
{
	struct err e = {.text = ""};

	CHECK_I64(run(m, region, overrides, out, &e), 0);
	CHECK_STR(e.text, "");
}

static void start(struct trace_maker *m, enum before before)
{
	const struct trace_info info = {.program = "test", .recorder = "331", .warm_up = before == WARM_UP};

	trace_maker_start(m, &info);
}

/* 16 lines stored to, in one of the three ways; then a region that loads the same lines. */
static void make_loads(struct trace_maker *m, enum before before)
{
	start(m, before);
	if (before == WARM_UP)
		warm(m, true);
	if (before != NOTHING)
		touch(m, CODE, W_STX(2, 1, 0), DATA, 16);
	if (before == WARM_UP)
		warm(m, false);
	mark(m, "r", true);
	touch(m, CODE, W_LDX(2, 1, 0), DATA, 16);
	mark(m, "r", false);
}

/* 16 lines of one page of 8 KiB. Cold: each misses both caches, and the page is walked for; warm: each hits. */
static void a_region_finds_what_came_before_it(void)
{
	static const enum before ways[] = {NOTHING, TRACE, WARM_UP};

	for (unsigned n = 0; n < 3; n++) {
		uint64_t cold = ways[n] == NOTHING;
		struct trace_maker m;
		struct outcome x;

		make_loads(&m, ways[n]);
		run_well(&m, ways[n] == TRACE ? "r" : NULL, NULL, &x);
		CHECK_U64(x.stats.instructions, 16);
		CHECK_U64(x.region.stats.instructions, 16);
		CHECK_U64(x.warmed, cold ? 0 : 16);
		CHECK_U64(x.memory.l1d_loads, 16);
		CHECK_U64(x.memory.l1d_load_hits, cold ? 0 : 16);
		CHECK_U64(x.memory.l2_data_misses, cold ? 16 : 0);
		CHECK_U64(x.memory.dtlb_walks, cold);
		CHECK_U64(x.memory.l1d_stores, 0);
		trace_maker_finish(&m);
	}
}

/* Warm-up parts and the rest of a trace are the same to what follows. */
static void both_ways_to_warm_up_are_one(void)
{
	struct trace_maker m[2];
	struct outcome x[2];

	make_loads(&m[0], TRACE);
	make_loads(&m[1], WARM_UP);
	run_well(&m[0], "r", NULL, &x[0]);
	run_well(&m[1], NULL, NULL, &x[1]);
	CHECK(!memcmp(&x[0].stats, &x[1].stats, sizeof(x[0].stats)));
	CHECK(!memcmp(&x[0].memory, &x[1].memory, sizeof(x[0].memory)));
	trace_maker_finish(&m[0]);
	trace_maker_finish(&m[1]);
}

/*
 * An L1D of two ways and two sets of 64 bytes, an L2 of two ways and four sets: of lines 0 to 11, touched in order, L2
 * has the last two of each set, 4 to 11, and L1D 8 to 11. Then line 4 from L2, 11 from L1D, 0 from memory.
 */
static void capacity_and_order_are_those_of_the_caches(void)
{
	static const char *const small[] = {"l1d.size=256",    "l1d.ways=2",      "l2.size=512",
					    "l2.ways=2",       "l1i.size=256",    "l1i.ways=2",
					    "l1i.perfect=yes", "tlb.perfect=yes", NULL};
	struct trace_maker m;
	struct outcome x;

	start(&m, TRACE);
	touch(&m, CODE, W_LDX(2, 1, 0), DATA, 12);
	mark(&m, "r", true);
	touch(&m, CODE, W_LDX(2, 1, 0), DATA + 4 * LINE, 1);
	touch(&m, CODE, W_LDX(2, 1, 0), DATA + 11 * LINE, 1);
	touch(&m, CODE, W_LDX(2, 1, 0), DATA, 1);
	mark(&m, "r", false);
	run_well(&m, "r", small, &x);
	CHECK_U64(x.memory.l1d_load_hits, 1);
	CHECK_U64(x.memory.l2_data_hits, 1);
	CHECK_U64(x.memory.l2_data_misses, 1);
	trace_maker_finish(&m);
}

/* Stores dirty their lines: as many are written back when the region's loads drive them out. 4 lines of L1D. */
static void dirty_lines_are_written_back(void)
{
	static const char *const small[] = {"l1d.size=256", "l1d.ways=2", "l1i.perfect=yes", "tlb.perfect=yes", NULL};
	struct trace_maker m;
	struct outcome x;

	start(&m, TRACE);
	touch(&m, CODE, W_STX(2, 1, 0), DATA, 3);
	touch(&m, CODE, W_LDX(2, 1, 0), DATA + 3 * LINE, 1);
	mark(&m, "r", true);
	touch(&m, CODE, W_LDX(2, 1, 0), DATA + 4 * LINE, 4);
	mark(&m, "r", false);
	run_well(&m, "r", small, &x);
	CHECK_U64(x.memory.l1d_load_misses, 4);
	CHECK_U64(x.memory.l1d_writebacks, 3);
	trace_maker_finish(&m);
}

/*
 * A loop of 10 passes: cold, its branch is new to the predictor when it is taken for the first time, and wrong at the
 * end of the loop; after the same loop only the end is wrong.
 */
static void branches_are_known(void)
{
	static const uint32_t body[] = {W_SUBCC(1, 1), W_BNE(-1), W_NOP};

	for (int warmed = 0; warmed < 2; warmed++) {
		struct trace_maker m;
		struct outcome x;

		start(&m, TRACE);
		for (int part = !warmed; part < 2; part++) {
			if (part)
				mark(&m, "r", true);
			trace_maker_loop(&m, CODE, body, 3, 10, NULL, NULL);
			trace_maker_run(&m, CODE + 12, &body[2], 1, NULL);
			if (part)
				mark(&m, "r", false);
		}
		run_well(&m, "r", NULL, &x);
		CHECK_U64(x.branches.branches, 10);
		CHECK_U64(x.branches.mispredicted, warmed ? 1 : 2);
		trace_maker_finish(&m);
	}
}

/* Three entries of 5 instructions with 7 before each and 7 at the end; one region inside, one around. */
static void each_entry_is_simulated_and_nothing_else(void)
{
	static const uint32_t in[] = {W_NOP, W_NOP, W_NOP, W_NOP, W_NOP};
	static const uint32_t out[] = {W_NOP, W_NOP, W_NOP, W_NOP, W_NOP, W_NOP, W_NOP};
	struct trace_maker m;
	struct outcome x;

	start(&m, TRACE);
	mark(&m, "around", true);
	for (int n = 0; n < 3; n++) {
		trace_maker_run(&m, OTHER, out, 7, NULL);
		mark(&m, "r", true);
		mark(&m, "inside", true);
		trace_maker_run(&m, CODE, in, 5, NULL);
		mark(&m, "inside", false);
		mark(&m, "r", false);
	}
	mark(&m, "around", false);
	trace_maker_run(&m, OTHER, out, 7, NULL);
	run_well(&m, "r", NULL, &x);
	CHECK_U64(x.stats.instructions, 15);
	CHECK_U64(x.warmed, 28);
	CHECK_U64(x.regions, 2);
	CHECK_U64(x.region.entries, 3);
	CHECK_U64(x.region.stats.instructions, 15);
	CHECK(x.region.stats.cycles <= x.stats.cycles);
	/* every commit slot of every cycle is used or charged */
	uint64_t slots = x.stats.instructions;

	for (unsigned n = 0; n < STALL_COUNT; n++)
		slots += x.stats.lost[n];
	CHECK_U64(slots, 4 * x.stats.cycles);
	CHECK_U64(x.activity.cycles, x.stats.cycles);
	trace_maker_finish(&m);
}

/* Nested entries of one name are one. */
static void a_region_in_itself_is_entered_once(void)
{
	static const uint32_t word = W_NOP;
	struct trace_maker m;
	struct outcome x;

	start(&m, TRACE);
	for (int n = 0; n < 5; n++) {
		if (n == 1 || n == 2)
			mark(&m, "r", true);
		if (n == 3 || n == 4)
			mark(&m, "r", false);
		trace_maker_run(&m, CODE, &word, 1, NULL);
	}
	run_well(&m, "r", NULL, &x);
	CHECK_U64(x.stats.instructions, 3);
	CHECK_U64(x.warmed, 2);
	trace_maker_finish(&m);
}

static void an_unknown_region_is_told(void)
{
	struct trace_maker m;
	struct outcome x;
	struct err e;

	make_loads(&m, TRACE);
	CHECK_I64(run(&m, "R2", NULL, &x, &e), -1);
	CHECK_U64(e.status, STATUS_USAGE);
	CHECK_STR(e.text, "unknown region 'R2', did you mean 'r'?");
	CHECK_I64(run(&m, "sort", NULL, &x, &e), -1);
	CHECK_STR(e.text, "unknown region 'sort', expected one that psim-trace shows");
	trace_maker_finish(&m);
}

/* The same bytes whatever is skipped: a region of loads that miss, entered twice. */
static void skipped_cycles_change_nothing(void)
{
	struct trace_maker m;
	struct outcome x;
	struct err e;

	start(&m, TRACE);
	for (int n = 0; n < 2; n++) {
		touch(&m, CODE, W_LDX(2, 1, 0), DATA, 8);
		mark(&m, "r", true);
		touch(&m, CODE, W_LDX(2, 1, 0), DATA + 4 * LINE, 16);
		mark(&m, "r", false);
	}
	run_well(&m, "r", NULL, &x);
	for (int way = 0; way < 2; way++) {
		struct core_options o = {.region = "r", .no_skip = way};
		struct trace_reader *trace = trace_maker_open(&m);
		struct config *config = config_create();
		struct core_config cfg;
		struct core *core;
		int more;

		configure(config, &cfg, NULL);
		core = core_create(&cfg, trace, &o, &e);
		REQUIRE(core != NULL);
		/* in steps of 7 cycles: a limit in the middle changes nothing either */
		while ((more = core_run(core, 7, &e)) > 0)
			;
		CHECK_I64(more, 0);
		CHECK_U64(core_stats(core)->cycles, x.stats.cycles);
		core_destroy(core);
		trace_close(trace);
		config_destroy(config);
	}
	trace_maker_finish(&m);
}

/*
 * Two cores on an L2 of 1024 lines in four ways, 256 sets. Each warms up with 1024 lines, of 10 instructions each, and
 * then loads the last 256 of them, one in each set. In turns of 100 lines: since such a line was used, its set saw at
 * most one more of the same core, and of the 356 lines of the other one, which follow each other, two: it is there.
 * One core after the other would leave the first nothing.
 */
static void cores_warm_up_in_turns(void)
{
	static const char *const machine[] = {
		"chip.cores=2",  "l2.size=64KiB",   "l2.ways=4",       "l1d.size=256", "l1d.ways=2",
		"l1i.size=1KiB", "l1i.perfect=yes", "tlb.perfect=yes", NULL,
	};
	uint32_t body[10] = {W_LDX(2, 1, 0)};
	const uint64_t first = DATA, last = DATA + 768 * LINE;
	const int64_t stride = LINE;
	struct trace_reader *trace[2];
	struct chip_options o = {.check = true, .region = "r"};
	struct config *config = config_create();
	struct core_config cfg;
	struct trace_maker m;
	struct chip *chip;
	struct err e;

	for (unsigned n = 1; n < 10; n++)
		body[n] = W_NOP;
	start(&m, TRACE);
	trace_maker_loop(&m, CODE, body, 10, 1024, &first, &stride);
	mark(&m, "r", true);
	trace_maker_loop(&m, CODE, body, 10, 256, &last, &stride);
	mark(&m, "r", false);
	trace[0] = trace_maker_open(&m);
	trace[1] = trace_maker_open(&m);
	configure(config, &cfg, machine);
	chip = chip_create(&cfg, trace, &o, &e);
	REQUIRE(chip != NULL);
	CHECK_U64(chip_warmed(chip), 2 * 10240);
	CHECK_I64(chip_run(chip, UINT64_MAX, &e), 0);
	for (unsigned n = 0; n < 2; n++) {
		CHECK_U64(core_stats(chip_core(chip, n))->instructions, 2560);
		CHECK_U64(core_memsys_stats(chip_core(chip, n))->l2_data_misses, 0);
	}
	chip_destroy(chip);
	trace_close(trace[0]);
	trace_close(trace[1]);
	config_destroy(config);
	trace_maker_finish(&m);
}

static const struct tap_test tests[] = {
	{"a region finds in caches and TLBs what came before it", a_region_finds_what_came_before_it},
	{"warm-up parts do what the rest of a trace does", both_ways_to_warm_up_are_one},
	{"capacity and order are those of the caches", capacity_and_order_are_those_of_the_caches},
	{"dirty lines are written back", dirty_lines_are_written_back},
	{"branches are known", branches_are_known},
	{"each entry is simulated, and nothing else", each_entry_is_simulated_and_nothing_else},
	{"a region in itself is entered once", a_region_in_itself_is_entered_once},
	{"an unknown region is told, with the nearest name", an_unknown_region_is_told},
	{"cores warm up in turns", cores_warm_up_in_turns},
	{"skipped cycles and limits change nothing", skipped_cycles_change_nothing},
};

int main(void)
{
	return tap_main("region", tests, TAP_COUNT(tests));
}
