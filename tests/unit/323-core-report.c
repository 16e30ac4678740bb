/* psim's report of a run: every counter once, places of the program (psim/app/core_report.h). */
#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "psim/app/core_report.h"
#include "tap.h"

/*
 * A program of one function at 0x10000, "work", with an inner loop in an outer
 * one, and code in no function at 0x20000:
 *
 *     10000  add                  once
 *     10004  add                  outer: 3 times
 *     10008  add                  inner: 40 times each, 120
 *     1000c  bne 10008
 *     10010  nop                  its slot
 *     10014  add
 *     10018  bne 10004
 *     1001c  nop
 *     20000  add, add             once
 */
static const uint32_t code[] = {
	W_ADD(1, 1, 1), W_ADD(2, 2, 1), W_ADD(3, 3, 1), W_BNE(-1), W_NOP, W_ADD(4, 4, 1), W_BNE(-5), W_NOP,
};

static void make_loops(struct trace_maker *m)
{
	static const uint32_t after[] = {W_ADD(1, 1, 1), W_ADD(1, 1, 1)};
	static const struct trace_symbol symbols[] = {{0x10000, 0x20, "work"}};
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.symbols = symbols,
		.symbol_count = 1,
		.recorder = "test",
		.entry = 0x10000,
	};

	trace_maker_start(m, &info);
	for (int outer = 0; outer < 3; outer++) {
		if (outer == 0)
			trace_maker_run(m, 0x10000, code, 5, NULL);
		else
			trace_maker_run(m, 0x10004, code + 1, 4, NULL);
		for (int inner = 1; inner < 40; inner++)
			trace_maker_run(m, 0x10008, code + 2, 3, NULL);
		trace_maker_run(m, 0x10014, code + 5, 3, NULL);
	}
	trace_maker_run(m, 0x20000, after, 2, NULL);
}

struct setup {
	struct trace_maker maker;
	struct trace_reader *trace;
	struct config *config;
	struct core_config cfg;
	struct core *core;
	struct report *report;
};

/* `pes`: of the array. */
static void start_array(struct setup *s, unsigned pes)
{
	const struct core_options options = {.check = true};
	struct err e;

	make_loops(&s->maker);
	s->trace = trace_maker_open(&s->maker);
	s->config = config_create();
	core_config_add(s->config, &s->cfg);
	s->cfg.simd.pes = pes;
	s->core = core_create(&s->cfg, s->trace, &options, &e);
	REQUIRE(s->core && core_run(s->core, UINT64_MAX, &e) == 0);
	s->report = report_create();
}

static void start(struct setup *s)
{
	start_array(s, 0);
}

static void finish(struct setup *s)
{
	report_destroy(s->report);
	core_destroy(s->core);
	trace_close(s->trace);
	config_destroy(s->config);
	trace_maker_finish(&s->maker);
}

static double number(const struct setup *s, const char *path)
{
	double value = -1;

	CHECK(report_number(s->report, path, &value));
	return value;
}

/* Returns how many of the groups have `name`. */
static unsigned found(const struct setup *s, const char *const *groups, const char *name)
{
	unsigned count = 0;
	char path[200];
	double value;

	for (; *groups; groups++) {
		snprintf(path, sizeof(path), "%s.%s", *groups, name);
		count += report_number(s->report, path, &value);
	}
	return count;
}

/* Lines of the report as CSV that begin so. */
static size_t count_lines(const struct setup *s, const char *prefix)
{
	char *text = NULL;
	size_t size, count = 0;
	FILE *f = open_memstream(&text, &size);

	REQUIRE(f && report_write(s->report, REPORT_CSV, f, NULL) == 0);
	fclose(f);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		count += !strncmp(line, prefix, strlen(prefix));
	free(text);
	return count;
}

static void every_counter_stands_in_one_group(void)
{
	static const char *const stats[] = {
#define S(group, name, unit, doc) #name,
#include "psim/core/stats.def"
#undef S
	};
	static const char *const memory[] = {
#define S(group, name, unit, doc) #name,
#include "psim/memory/memsys_stats.def"
#undef S
	};
	static const char *const groups[] = {
		"core", "host", "front_end", "dispatch", "issue", "load_store", "commit", "array", "wrong_path", NULL,
	};
	static const char *const parts[] = {
		"memory.l1i",         "memory.l1d",      "memory.prefetch",    "memory.l2",
		"memory.hw_prefetch", "memory.channel",  "memory.dram",        "memory.itlb",
		"memory.dtlb",        "memory.transfer", "memory.coherence",   "memory.l3",
		"memory.victim",      "memory.way",      "memory.wrong_lines", NULL,
	};
	struct setup s;

	start_array(&s, 16);
	s.cfg.chip.cores = 2; /* one of several */
	s.cfg.memory.kind = MEMORY_DRAM;
	s.cfg.l3.size = 1;
	s.cfg.l1d.victim_lines = 1;
	s.cfg.fetch.wrong_path = WRONG_PATH_LOADS;
	s.cfg.l1d.way_prediction = WAYS_MRU;
	core_report(s.core, &s.cfg, NULL, s.report);
	core_report_counters(s.core, &s.cfg, s.report);
	core_report_host(s.core, s.report);
	for (size_t n = 0; n < sizeof(stats) / sizeof(stats[0]); n++)
		CHECK_U64(found(&s, groups, stats[n]), 1);
	for (size_t n = 0; n < sizeof(memory) / sizeof(memory[0]); n++) {
		const char *rest = strchr(memory[n], '_');

		/* the structure's prefix is left out, but for the prefetches */
		CHECK(found(&s, parts, memory[n]) || (rest && found(&s, parts, rest + 1)));
	}
	CHECK_U64(count_lines(&s, "memory."), sizeof(memory) / sizeof(memory[0]));
	/* 1 + 3 x (1 + 40 x 3 + 3) + 2 */
	CHECK_F64(number(&s, "core.instructions"), 375, 0);
	CHECK_F64(number(&s, "commit.branches"), 120 + 3, 0);
	finish(&s);
}

static void a_scalar_machine_says_nothing_of_an_array(void)
{
	struct setup s;

	start(&s);
	core_report(s.core, &s.cfg, NULL, s.report);
	core_report_counters(s.core, &s.cfg, s.report);
	CHECK_U64(count_lines(&s, "array,"), 0);
	CHECK_U64(count_lines(&s, "memory.transfer"), 0);
	CHECK_U64(count_lines(&s, "memory.coherence"), 0);
	CHECK_U64(count_lines(&s, "cycle_parts,part,7,array"), 0);
	finish(&s);
	start_array(&s, 16);
	core_report(s.core, &s.cfg, NULL, s.report);
	core_report_counters(s.core, &s.cfg, s.report);
	CHECK(count_lines(&s, "array,") > 10);
	CHECK_U64(count_lines(&s, "memory.transfer"), 4);
	CHECK_U64(count_lines(&s, "cycle_parts,part,7,array"), 1);
	finish(&s);
}

static void functions_share_out_the_instructions(void)
{
	struct setup s;

	start(&s);
	REQUIRE(core_report_profile(s.core, &s.cfg, trace_info(s.trace), 10, NULL, s.report, NULL) == 0);
	CHECK_F64(number(&s, "functions.work.instructions"), 373, 0);
	CHECK_F64(number(&s, "functions.work.passes"), 1, 0);
	CHECK_F64(number(&s, "functions.0x20000.instructions"), 2, 0);
	/* a slot is charged to one of them, or was lost before the first or after the last */
	CHECK(number(&s, "functions.work.share") + number(&s, "functions.0x20000.share") <= 100.0001);
	finish(&s);
}

static void loops_nest(void)
{
	struct setup s;
	double inner, outer;

	start(&s);
	REQUIRE(core_report_profile(s.core, &s.cfg, trace_info(s.trace), 10, NULL, s.report, NULL) == 0);
	CHECK_F64(number(&s, "loops.work+0x8.passes"), 120, 0);
	CHECK_F64(number(&s, "loops.work+0x8.instructions"), 360, 0);
	CHECK_F64(number(&s, "loops.work+0x4.passes"), 3, 0);
	CHECK_F64(number(&s, "loops.work+0x4.instructions"), 3 + 360 + 9, 0);
	inner = number(&s, "loops.work+0x8.share");
	outer = number(&s, "loops.work+0x4.share");
	CHECK(inner > 0 && outer > inner);
	CHECK_F64(number(&s, "loops.work+0x8.self"), inner, 1e-9);
	CHECK_F64(number(&s, "loops.work+0x4.self"), outer - inner, 1e-9);
	finish(&s);
}

static void the_hot_loop_is_listed_by_instruction(void)
{
	struct setup s;
	double sum = 0;

	start(&s);
	REQUIRE(core_report_profile(s.core, &s.cfg, trace_info(s.trace), 10, NULL, s.report, NULL) == 0);
	/* the inner loop: 120 instructions for each 4 of the outer one alone */
	CHECK_F64(number(&s, "hot_loops.0x10008.times"), 120, 0);
	CHECK_F64(number(&s, "hot_loops.0x10010.times"), 120, 0);
	for (unsigned pc = 0x10008; pc <= 0x10010; pc += 4) {
		char path[40];

		snprintf(path, sizeof(path), "hot_loops.0x%x.cycles", pc);
		sum += number(&s, path);
	}
	CHECK_F64(sum, number(&s, "loops.work+0x8.cycles"), 1e-9);
	CHECK_U64(count_lines(&s, "hot_loops,instruction,"), 3);
	finish(&s);
}

static void the_table_is_as_long_as_asked(void)
{
	struct setup s;
	double value;

	start(&s);
	REQUIRE(core_report_profile(s.core, &s.cfg, trace_info(s.trace), 1, NULL, s.report, NULL) == 0);
	CHECK(report_number(s.report, "functions.work.cycles", &value));
	CHECK(!report_number(s.report, "functions.0x20000.cycles", &value));
	finish(&s);
}

static const struct tap_test tests[] = {
	{"every counter stands in one group", every_counter_stands_in_one_group},
	{"a scalar machine says nothing of an array", a_scalar_machine_says_nothing_of_an_array},
	{"functions share out the instructions", functions_share_out_the_instructions},
	{"loops nest, and have cycles of their own", loops_nest},
	{"the hot loop is listed by instruction", the_hot_loop_is_listed_by_instruction},
	{"the table is as long as asked", the_table_is_as_long_as_asked},
};

int main(void)
{
	return tap_main("core-report", tests, TAP_COUNT(tests));
}
