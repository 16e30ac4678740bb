/* Traces written and read again: traces/trace.h. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_maker.h"

#define NOP 0x01000000u
#define LDX 0xc2586000u  /* ldx [%g1], %g1 */
#define STX 0xc2706000u  /* stx %g1, [%g1] */
#define BNE 0x12600000u  /* bne,pn %xcc, . */
#define BNEA 0x32600000u /* the same with the annul bit */

static const uint32_t loop[] = {LDX, NOP, STX, BNE, NOP};
static const uint32_t tail[] = {NOP, BNEA};
static const uint32_t tail_taken[] = {NOP, BNEA, LDX};

static void expect_run(struct trace_reader *r, uint64_t pc, unsigned count, const uint64_t *ea)
{
	struct trace_step s;
	struct err e;
	int event = trace_next(r, &s, &e);
	CHECK_I64(event, TRACE_RUN);
	if (event != TRACE_RUN)
		return;
	CHECK_HEX(s.block->pc, pc);
	CHECK_U64(s.block->count, count);
	for (unsigned i = 0; i < s.block->memory_count; i++)
		CHECK_HEX(s.ea[i], ea[i]);
}

static void expect_end(struct trace_reader *r)
{
	struct trace_step s;
	struct err e;
	CHECK_I64(trace_next(r, &s, &e), TRACE_END);
}

static void blocks_and_addresses_come_back(void)
{
	struct trace_maker m;
	const uint64_t ea[] = {0x1000, 0xfffffffffffffff8};
	const uint64_t ea2[] = {0x1008, 0}, ea3[] = {0x1010, 8};

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, 0x10000, loop, 5, ea);
	trace_maker_run(&m, 0x10000, loop, 5, ea2);
	trace_maker_run(&m, 0x10000, loop, 5, ea3);
	trace_maker_run(&m, 0x20000, tail, 2, NULL);
	struct trace_reader *r = trace_maker_open(&m);
	expect_run(r, 0x10000, 5, ea);
	expect_run(r, 0x10000, 5, ea2);
	expect_run(r, 0x10000, 5, ea3);
	expect_run(r, 0x20000, 2, NULL);
	expect_end(r);
	expect_end(r);
	trace_close(r);
	trace_maker_finish(&m);
}

/* Chunks of two runs, so that a chunk begins between runs too, in which addresses begin again from 0. */
static void addresses_of_the_run_before_stay(void)
{
	struct trace_maker m;
	struct trace_step s, before = {.block = NULL};
	struct err e;

	trace_maker_start(&m, NULL);
	trace_writer_chunks(m.writer, 10);
	for (uint64_t n = 0; n < 9; n++)
		trace_maker_run(&m, 0x10000, loop, 5, (uint64_t[]){0x1000 + 8 * n * n, 0x9000 - n});
	struct trace_reader *r = trace_maker_open(&m);
	for (uint64_t n = 0; n < 9; n++) {
		REQUIRE(trace_next(r, &s, &e) == TRACE_RUN);
		CHECK_HEX(s.ea[0], 0x1000 + 8 * n * n);
		CHECK_HEX(s.ea[1], 0x9000 - n);
		if (n) {
			CHECK_HEX(before.ea[0], 0x1000 + 8 * (n - 1) * (n - 1));
			CHECK_HEX(before.ea[1], 0x9000 - (n - 1));
		}
		before = s;
	}
	expect_end(r);
	CHECK_HEX(s.ea[0], 0x1000 + 8 * 64);
	trace_close(r);
	trace_maker_finish(&m);
}

/*
 * The third run in a row of a block is predicted by itself, so that those from the fourth on are known to repeat it;
 * with the strides from the second run on.
 */
static void repeats_can_be_skipped(void)
{
	static const uint64_t ea[] = {0x1000, 0x9000};
	static const int64_t stride[] = {8, -16};
	struct trace_maker m;
	struct trace_step s, before = {.block = NULL};
	struct err e;
	uint64_t at = 0, skipped = 0;

	trace_maker_start(&m, NULL);
	trace_maker_loop(&m, 0x10000, loop, 5, 100, ea, stride);
	trace_maker_loop(&m, 0x20000, loop, 5, 2, ea, stride);
	struct trace_reader *r = trace_maker_open(&m);
	while (trace_next(r, &s, &e) == TRACE_RUN && s.block->pc == 0x10000) {
		CHECK_HEX(s.ea[0], 0x1000 + 8 * at);
		CHECK_HEX(s.ea[1], 0x9000 - 16 * at);
		CHECK_U64(trace_position(r), 5 * ++at);
		CHECK(trace_repeats(r) <= 100 - at);
		if (trace_repeats(r) >= 20) {
			CHECK_U64(trace_strides(r)[0], 8);
			CHECK_U64(trace_strides(r)[1], (uint64_t)-16);
			trace_skip_repeats(r, 7);
			at += 7;
			skipped++;
			CHECK_HEX(s.ea[0], 0x1000 + 8 * (at - 1));
			CHECK_HEX(before.ea[1], 0x9000 - 16 * (at - 2));
			CHECK_U64(trace_position(r), 5 * at);
		}
		before = s;
	}
	CHECK_U64(at, 100);
	CHECK(skipped >= 5); /* from about the sixth run on, eight runs each, as long as 20 are left */
	CHECK_HEX(s.block->pc, 0x20000);
	CHECK_U64(trace_repeats(r), 0);
	REQUIRE(trace_next(r, &s, &e) == TRACE_RUN);
	expect_end(r);
	CHECK_I64(trace_seek(r, 250, &e), 0); /* of repeats, some of which seeking takes */
	for (at = 50; trace_next(r, &s, &e) == TRACE_RUN && s.block->pc == 0x10000; at++)
		CHECK_HEX(s.ea[0], 0x1000 + 8 * at);
	CHECK_U64(at, 100);
	trace_close(r);
	trace_maker_finish(&m);
}

static void an_annulled_slot_makes_another_block_at_the_same_pc(void)
{
	struct trace_maker m;
	const uint64_t ea[] = {0x3000};

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, 0x10000, tail_taken, 3, ea);
	trace_maker_run(&m, 0x10000, tail, 2, NULL);
	trace_maker_run(&m, 0x10000, tail_taken, 3, ea);
	struct trace_reader *r = trace_maker_open(&m);
	expect_run(r, 0x10000, 3, ea);
	expect_run(r, 0x10000, 2, NULL);
	expect_run(r, 0x10000, 3, ea);
	expect_end(r);
	trace_close(r);
	trace_maker_finish(&m);
}

static void instructions_come_decoded(void)
{
	struct trace_maker m;
	struct trace_step s;
	struct err e;
	struct insn expected;

	trace_maker_start(&m, NULL);
	trace_maker_run(&m, 0x10000, loop, 5, NULL);
	struct trace_reader *r = trace_maker_open(&m);
	REQUIRE(trace_next(r, &s, &e) == TRACE_RUN);
	for (unsigned i = 0; i < 5; i++) {
		insn_decode(loop[i], &expected);
		CHECK_HEX(s.block->insns[i].word, loop[i]);
		CHECK_U64(s.block->insns[i].opcode, expected.opcode);
	}
	CHECK_U64(s.block->memory_count, 2); /* the ldx and the stx */
	CHECK_U64(s.block->id, 0);
	CHECK(s.block->user == NULL);
	trace_close(r);
	trace_maker_finish(&m);
}

static void the_program_is_told(void)
{
	static const char *const args[] = {"dgemm", "", "n = 100\n"};
	static const struct trace_symbol symbols[] = {
		{0x10000, 0x100, "main"},
		{0x10100, 0, "tiny"},
		{0x10200, 0x10, "f_"},
	};
	static const struct trace_info info = {
		.program = "dgemm.sparc",
		.program_crc = 0xdeadbeef,
		.args = args,
		.arg_count = 3,
		.symbols = symbols,
		.symbol_count = 3,
		.recorder = "test 1.0",
		.fma_fused = true,
		.entry = 0x10004,
		.first_insn = 1234567,
	};
	struct trace_maker m;

	trace_maker_start(&m, &info);
	struct trace_reader *r = trace_maker_open(&m);
	const struct trace_info *i = trace_info(r);
	CHECK_STR(i->program, "dgemm.sparc");
	CHECK_HEX(i->program_crc, 0xdeadbeef);
	CHECK_U64(i->arg_count, 3);
	CHECK_STR(i->args[1], "");
	CHECK_STR(i->args[2], "n = 100\n");
	CHECK_U64(i->symbol_count, 3);
	CHECK_STR(i->symbols[2].name, "f_");
	CHECK_HEX(i->symbols[2].address, 0x10200);
	CHECK_STR(i->recorder, "test 1.0");
	CHECK(i->fma_fused);
	CHECK_HEX(i->entry, 0x10004);
	CHECK_U64(i->first_insn, 1234567);
	expect_end(r);
	trace_close(r);
	trace_maker_finish(&m);
}

static void a_symbol_covers_its_size(void)
{
	static const struct trace_symbol symbols[] = {
		{0x10000, 0x100, "main"},
		{0x10200, 0, "tiny"},
		{0x10300, 0x10, "f_"},
	};
	const struct trace_info info = {.symbols = symbols, .symbol_count = 3};

	CHECK(trace_symbol_at(&info, 0xffff) == NULL);
	CHECK(trace_symbol_at(&info, 0x10000) == &symbols[0]);
	CHECK(trace_symbol_at(&info, 0x100ff) == &symbols[0]);
	CHECK(trace_symbol_at(&info, 0x10100) == NULL);
	CHECK(trace_symbol_at(&info, 0x102ff) == &symbols[1]); /* size 0 reaches to the next */
	CHECK(trace_symbol_at(&info, 0x1030f) == &symbols[2]);
	CHECK(trace_symbol_at(&info, 0x10310) == NULL);
}

static void regions_come_between_the_runs_where_they_were(void)
{
	struct trace_maker m;
	struct trace_step s;
	struct err e;

	trace_maker_start(&m, NULL);
	CHECK_I64(trace_writer_region(m.writer, "all", true, &e), 0);
	trace_maker_run(&m, 0x20000, tail, 2, NULL);
	CHECK_I64(trace_writer_region(m.writer, "kernel", true, &e), 0);
	CHECK_I64(trace_writer_region(m.writer, "kernel", false, &e), 0);
	trace_maker_run(&m, 0x20000, tail, 2, NULL);
	CHECK_I64(trace_writer_region(m.writer, "all", false, &e), 0);
	struct trace_reader *r = trace_maker_open(&m);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_BEGIN);
	CHECK_STR(s.name, "all");
	expect_run(r, 0x20000, 2, NULL);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_BEGIN);
	CHECK_STR(s.name, "kernel");
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_END);
	CHECK_STR(s.name, "kernel");
	expect_run(r, 0x20000, 2, NULL);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_END);
	CHECK_STR(s.name, "all");
	expect_end(r);
	trace_close(r);
	trace_maker_finish(&m);
}

static void regions_that_do_not_nest_are_refused(void)
{
	struct trace_maker m;
	struct err e;

	trace_maker_start(&m, NULL);
	CHECK_I64(trace_writer_region(m.writer, "a", false, &e), -1);
	CHECK_STR(e.text, "trace: end of region a, but none is open");
	CHECK_I64(trace_writer_region(m.writer, "a", true, &e), 0);
	CHECK_I64(trace_writer_region(m.writer, "b", false, &e), -1);
	CHECK_STR(e.text, "trace: end of region b, expected the end of the innermost, a");
	CHECK_I64(trace_writer_region(m.writer, "", true, &e), -1);
	CHECK_I64(trace_writer_region(m.writer, "a", false, &e), 0);
	struct trace_reader *r = trace_maker_open(&m);
	trace_close(r);
	trace_maker_finish(&m);
}

static void a_region_may_reach_over_chunks_and_to_the_end(void)
{
	struct trace_maker m;
	struct trace_step s;
	struct err e;
	uint64_t insns = 0;
	int event;

	trace_maker_start(&m, NULL);
	trace_writer_chunks(m.writer, 100);
	CHECK_I64(trace_writer_region(m.writer, "long", true, &e), 0);
	trace_maker_loop(&m, 0x10000, loop, 5, 1000, NULL, NULL);
	struct trace_reader *r = trace_maker_open(&m);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_BEGIN);
	while ((event = trace_next(r, &s, &e)) == TRACE_RUN)
		insns += s.block->count;
	CHECK_I64(event, TRACE_END);
	CHECK_U64(insns, 5000);
	trace_close(r);
	trace_maker_finish(&m);
}

static void totals_count_everything(void)
{
	struct trace_maker m;
	struct err e;

	trace_maker_start(&m, NULL);
	trace_maker_loop(&m, 0x10000, loop, 5, 10, NULL, NULL);
	trace_maker_loop(&m, 0x20000, tail, 2, 3, NULL, NULL);
	CHECK_U64(trace_writer_position(m.writer), 56); /* 5 * 10 + 2 * 3 */
	CHECK_I64(trace_writer_close(m.writer, -7, &e), 0);
	m.writer = NULL;
	struct trace_reader *r = trace_maker_open(&m);
	const struct trace_totals *t = trace_totals(r);
	REQUIRE(t != NULL);
	CHECK_U64(t->insns, 56);
	CHECK_U64(t->runs, 13);
	CHECK_U64(t->accesses, 20); /* two in each of the ten loops */
	CHECK_U64(t->blocks, 2);
	CHECK_U64(t->static_insns, 7);
	CHECK_U64(t->members, 5); /* header, code, data, end, tail */
	CHECK_I64(t->exit_status, -7);
	CHECK_U64(trace_length(r), 56);
	trace_close(r);
	trace_maker_finish(&m);
}

/* Small chunks, so that chunks begin in the middle of warm-up parts; and seeking there. */
static void warm_up_parts_come_back(void)
{
	const struct trace_info info = {.program = "p", .recorder = "r", .warm_up = true};
	struct trace_step s;
	struct trace_maker m;
	struct err e;
	unsigned warm = 0, plain = 0;
	int event;

	trace_maker_start(&m, &info);
	trace_writer_chunks(m.writer, 16);
	for (unsigned n = 0; n < 3; n++) {
		CHECK_I64(trace_writer_warm_up(m.writer, true, &e), 0);
		trace_maker_loop(&m, 0x10000, loop, 5, 10, NULL, NULL);
		CHECK_I64(trace_writer_warm_up(m.writer, false, &e), 0);
		CHECK_I64(trace_writer_region(m.writer, "a", true, &e), 0);
		trace_maker_loop(&m, 0x20000, tail, 2, 3, NULL, NULL);
		CHECK_I64(trace_writer_region(m.writer, "a", false, &e), 0);
	}
	struct trace_reader *r = trace_maker_open(&m);
	CHECK(trace_info(r)->warm_up);
	while ((event = trace_next(r, &s, &e)) > 0) {
		if (event == TRACE_RUN) {
			CHECK(s.warm_up == (s.block->pc == 0x10000));
			warm += s.warm_up;
			plain += !s.warm_up;
		} else {
			CHECK_STR(s.name, "a");
		}
	}
	CHECK_I64(event, TRACE_END);
	CHECK_U64(warm, 30);
	CHECK_U64(plain, 9);
	/* a round has 50 + 6 instructions: 56 + 20 warms up, 112 + 52 does not */
	CHECK_I64(trace_seek(r, 76, &e), 0);
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	CHECK(s.warm_up);
	CHECK_I64(trace_seek(r, 164, &e), 0);
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	CHECK(!s.warm_up);
	trace_close(r);
	trace_maker_finish(&m);
}

/* In a trace without warm-up parts nothing is reserved, and the version is the older one. */
static void only_a_trace_that_says_so_has_warm_up_parts(void)
{
	struct trace_maker m;
	struct trace_step s;
	struct err e;

	trace_maker_start(&m, NULL);
	CHECK_I64(trace_writer_warm_up(m.writer, true, &e), -1);
	CHECK_I64(trace_writer_region(m.writer, "\1", true, &e), 0);
	trace_maker_loop(&m, 0x20000, tail, 2, 3, NULL, NULL);
	struct trace_reader *r = trace_maker_open(&m);
	CHECK(!trace_info(r)->warm_up);
	CHECK_I64(trace_next(r, &s, &e), TRACE_REGION_BEGIN);
	CHECK_STR(s.name, "\1");
	CHECK_I64(trace_next(r, &s, &e), TRACE_RUN);
	CHECK(!s.warm_up);
	trace_close(r);
	trace_maker_finish(&m);
}

/* The line table comes back: files, lines that go up and down, code without source; with warm-up parts or none. */
static void source_lines_come_back(void)
{
	static const char *const files[] = {"/src/a.c", "b.h"};
	static const struct trace_line lines[] = {
		{0x10000, 1, 70},
		{0x10008, 2, 3},
		{0x1000c, 1, 70},
		{0x10010, 0, 0},
		{0xfffffffffffffff8, 1, INT32_MAX},
	};
	struct trace_info info = {.program = "p", .recorder = "r", .files = files, .file_count = 2, .lines = lines};
	struct trace_maker m;

	info.line_count = sizeof(lines) / sizeof(lines[0]);
	for (int warm_up = 0; warm_up < 2; warm_up++) {
		info.warm_up = warm_up;
		trace_maker_start(&m, &info);
		trace_maker_run(&m, 0x10000, loop, 5, NULL);
		struct trace_reader *r = trace_maker_open(&m);
		const struct trace_info *got = trace_info(r);
		CHECK(got->warm_up == warm_up);
		CHECK_U64(got->file_count, 2);
		CHECK_STR(got->files[0], "/src/a.c");
		CHECK(!trace_line_at(got, 0xfffc));
		CHECK_U64(trace_line_at(got, 0x10004)->line, 70);
		CHECK_STR(trace_line_file(got, trace_line_at(got, 0x10004)), "a.c");
		CHECK_U64(trace_line_at(got, 0x10008)->line, 3);
		CHECK_STR(trace_line_file(got, trace_line_at(got, 0x10008)), "b.h");
		CHECK_U64(trace_line_at(got, 0x1000c)->line, 70);
		CHECK(!trace_line_at(got, 0x10010));
		CHECK(!trace_line_at(got, 0x20000));
		CHECK_U64(trace_line_at(got, UINT64_MAX)->line, INT32_MAX);
		trace_close(r);
		trace_maker_finish(&m);
	}
}

/* The number of a thread comes back, with a line table or none. */
static void threads_come_back(void)
{
	static const char *const files[] = {"/src/a.c"};
	static const struct trace_line lines[] = {{0x10000, 1, 70}};
	struct trace_info info = {.program = "p", .recorder = "r", .files = files, .lines = lines};
	struct trace_maker m;
	struct err e;

	for (unsigned n = 0; n < 16; n++) {
		info.thread = n % 2 ? TRACE_THREADS - 1 : n / 8;
		info.warm_up = n & 2;
		info.file_count = info.line_count = n & 4 ? 1 : 0;
		trace_maker_start(&m, &info);
		trace_maker_run(&m, 0x10000, loop, 5, NULL);
		struct trace_reader *r = trace_maker_open(&m);
		CHECK_U64(trace_info(r)->thread, info.thread);
		CHECK(trace_info(r)->warm_up == info.warm_up);
		CHECK_U64(trace_info(r)->file_count, info.file_count);
		trace_close(r);
		trace_maker_finish(&m);
	}
	info.thread = TRACE_THREADS;
	CHECK(!trace_writer_create("/tmp/never", &info, &e));
}

static void wrong_source_lines_are_not_written(void)
{
	static const char *const files[] = {"a.c"};
	static const struct trace_line wrong[][2] = {
		{{0x10008, 1, 1}, {0x10004, 1, 2}},          /* descending */
		{{0x10000, 1, 1}, {0x10004, 2, 2}},          /* no such file */
		{{0x10000, 1, 1}, {0x10006, 1, 2}},          /* not the address of an instruction */
		{{0x10000, 1, 1}, {0x10004, 1, 0x80000000}}, /* no line number */
	};
	struct err e;

	for (unsigned n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
		const struct trace_info info = {.program = "p",
						.recorder = "r",
						.files = files,
						.file_count = 1,
						.lines = wrong[n],
						.line_count = 2};
		CHECK(!trace_writer_create("/tmp/psim-200-wrong.trace.gz", &info, &e));
		CHECK_STR(e.text, "trace: row 1 of the line table is out of order or of no file");
	}
}

static void warm_up_parts_hold_no_regions(void)
{
	const struct trace_info info = {.program = "p", .recorder = "r", .warm_up = true};
	struct trace_maker m;
	struct err e;

	trace_maker_start(&m, &info);
	CHECK_I64(trace_writer_warm_up(m.writer, false, &e), -1);
	CHECK_STR(e.text, "trace: end of a warm-up part, but none is open");
	CHECK_I64(trace_writer_region(m.writer, "\1", true, &e), -1);
	CHECK_I64(trace_writer_warm_up(m.writer, true, &e), 0);
	CHECK_I64(trace_writer_warm_up(m.writer, true, &e), -1);
	CHECK_STR(e.text, "trace: nested warm-up part");
	CHECK_I64(trace_writer_region(m.writer, "a", true, &e), -1);
	CHECK_STR(e.text, "trace: region a begins in a warm-up part, expected none there");
	trace_maker_finish(&m);
}

static void an_empty_trace_is_one(void)
{
	struct trace_maker m;
	struct err e;

	trace_maker_start(&m, NULL);
	struct trace_reader *r = trace_maker_open(&m);
	expect_end(r);
	CHECK_U64(trace_position(r), 0);
	CHECK_I64(trace_seek(r, 0, &e), -1);
	CHECK_U64(e.status, STATUS_USAGE);
	trace_close(r);
	trace_maker_finish(&m);
}

static void the_writer_refuses_blocks_that_are_none(void)
{
	struct trace_maker m;
	struct err e;

	trace_maker_start(&m, NULL);
	CHECK_I64(trace_writer_block(m.writer, 0x10000, loop, 0, false, &e), -1);
	CHECK_I64(trace_writer_block(m.writer, 0x10002, loop, 5, false, &e), -1);
	CHECK_I64(trace_writer_block(m.writer, 0x10000, loop, TRACE_BLOCK_MAX + 1, false, &e), -1);
	CHECK_I64(trace_writer_block(m.writer, UINT64_MAX - 3, loop, 5, false, &e), -1);
	CHECK_I64(trace_writer_run(m.writer, 0, NULL, &e), -1);
	trace_maker_finish(&m);
}

static void an_aborted_trace_leaves_nothing(void)
{
	static const struct trace_info info = {.program = "p", .recorder = "r"};
	char path[64];
	struct err e;

	snprintf(path, sizeof(path), "/tmp/trace-abort-XXXXXX");
	REQUIRE(mkdtemp(path) != NULL);
	char file[80];
	snprintf(file, sizeof(file), "%s/x.trace.gz", path);
	struct trace_writer *w = trace_writer_create(file, &info, &e);
	REQUIRE(w != NULL);
	CHECK_I64(trace_writer_block(w, 0x10000, loop, 5, false, &e), 0);
	trace_writer_abort(w);
	CHECK(fopen(file, "rb") == NULL);
	CHECK_I64(remove(path), 0); /* a folder is removed only when it is empty */
}

static void a_full_disk_is_reported(void)
{
	static const struct trace_info info = {.program = "p", .recorder = "r"};
	struct err e;
	struct trace_writer *w = trace_writer_create("/dev/full", &info, &e);
	/* the stream's buffer may hold all of a small file until it is closed */
	if (w)
		CHECK_I64(trace_writer_close(w, 0, &e), -1);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK(strstr(e.text, "/dev/full") != NULL);
}

static void a_disk_that_fills_up_on_the_way_is_reported(void)
{
	static const struct trace_info info = {.program = "p", .recorder = "r"};
	struct err e = {0};
	int status = 0;

	struct trace_writer *w = trace_writer_create("/dev/full", &info, &e);
	REQUIRE(w != NULL);
	trace_writer_chunks(w, 1);
	CHECK_I64(trace_writer_block(w, 0x10000, tail, 2, false, &e), 0);
	/* a member of at least 58 bytes a run: 100000 of them are more than any buffer */
	for (unsigned i = 0; i < 100000 && status == 0; i++)
		status = trace_writer_run(w, 0, NULL, &e);
	CHECK_I64(status, -1);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK(strstr(e.text, "No space left on device") != NULL);
	trace_writer_abort(w);
}

/* faddd %f2, %f2, %f4; sxget [%o0], [%o1], %o2 */
static const uint32_t simd_words[] = {0x89a08842, 0xd5420009};

static void the_array_and_the_mode_come_back(void)
{
	static const struct trace_info info = {
		.program = "p",
		.recorder = "r",
		.pes = 32,
		.sbm_bytes = 4096,
	};
	const uint64_t ea[] = {0x1000, 0x500000000000, 0x1000008};
	struct trace_maker m;
	struct trace_step s;
	struct err e;

	trace_maker_start(&m, &info);
	trace_maker_run(&m, 0x10000, simd_words, 2, ea);
	m.simd = true;
	trace_maker_run(&m, 0x10000, simd_words, 2, ea);
	struct trace_reader *r = trace_maker_open(&m);
	CHECK_U64(trace_info(r)->pes, 32);
	CHECK_U64(trace_info(r)->sbm_bytes, 4096);
	for (unsigned simd = 0; simd < 2; simd++) {
		REQUIRE(trace_next(r, &s, &e) == TRACE_RUN);
		CHECK_U64(s.block->simd, simd);
		CHECK_U64(s.block->memory_count, 3);
		CHECK_HEX(s.block->insns[0].dst[0].unit, (simd ? REG_S : REG_F) + 4);
		for (unsigned i = 0; i < 3; i++)
			CHECK_HEX(s.ea[i], ea[i]);
	}
	expect_end(r);
	CHECK_U64(trace_totals(r)->accesses, 6);
	trace_close(r);
	trace_maker_finish(&m);
}

static void the_array_must_be_possible_and_told_where_it_is_used(void)
{
	static const struct {
		unsigned pes;
		uint32_t sbm;
	} wrong[] = {{33, 4096}, {16, 0}, {16, 5000}, {16, 2048}, {16, 32 << 20}, {0, 4096}};
	struct trace_maker m;
	struct err e;

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const struct trace_info info = {
			.program = "p",
			.recorder = "r",
			.pes = wrong[i].pes,
			.sbm_bytes = wrong[i].sbm,
		};
		CHECK(trace_writer_create("/dev/null", &info, &e) == NULL);
		CHECK_U64(e.status, STATUS_FAILED);
	}
	trace_maker_start(&m, NULL);
	CHECK_I64(trace_writer_block(m.writer, 0x10000, simd_words, 2, true, &e), -1);
	trace_maker_finish(&m);
}

/* The corpus has a file that a recorder of version 1 wrote. */
static void version_1_is_still_read(void)
{
	struct trace_step s;
	struct err e;
	struct trace_reader *r = trace_open(tap_source("tests/fuzz/corpus/trace/small.trace.gz"), &e);
	int event;

	REQUIRE(r != NULL);
	CHECK_U64(trace_info(r)->pes, 0);
	while ((event = trace_next(r, &s, &e)) > 0)
		if (event == TRACE_RUN)
			CHECK(!s.block->simd);
	CHECK_I64(event, TRACE_END);
	CHECK_U64(trace_totals(r)->insns, 130);
	trace_close(r);
}

static const struct tap_test tests[] = {
	{"warm-up parts come back", warm_up_parts_come_back},
	{"only a trace that says so has warm-up parts", only_a_trace_that_says_so_has_warm_up_parts},
	{"warm-up parts hold no regions", warm_up_parts_hold_no_regions},
	{"source lines come back", source_lines_come_back},
	{"the number of a thread comes back", threads_come_back},
	{"wrong source lines are not written", wrong_source_lines_are_not_written},
	{"the array and the mode of blocks come back", the_array_and_the_mode_come_back},
	{"an array must be possible, and told where it is used", the_array_must_be_possible_and_told_where_it_is_used},
	{"version 1 is still read", version_1_is_still_read},
	{"blocks and addresses come back", blocks_and_addresses_come_back},
	{"addresses of the run before stay", addresses_of_the_run_before_stay},
	{"runs that repeat a block can be skipped", repeats_can_be_skipped},
	{"an annulled slot makes another block at the same pc", an_annulled_slot_makes_another_block_at_the_same_pc},
	{"instructions come decoded", instructions_come_decoded},
	{"the program is told", the_program_is_told},
	{"a symbol covers its size", a_symbol_covers_its_size},
	{"regions come between the runs where they were", regions_come_between_the_runs_where_they_were},
	{"regions that do not nest are refused", regions_that_do_not_nest_are_refused},
	{"a region may reach over chunks and to the end", a_region_may_reach_over_chunks_and_to_the_end},
	{"totals count everything", totals_count_everything},
	{"an empty trace is one", an_empty_trace_is_one},
	{"the writer refuses blocks that are none", the_writer_refuses_blocks_that_are_none},
	{"an aborted trace leaves nothing", an_aborted_trace_leaves_nothing},
	{"a full disk is reported", a_full_disk_is_reported},
	{"a disk that fills up on the way is reported", a_disk_that_fills_up_on_the_way_is_reported},
};

int main(void)
{
	return tap_main("trace", tests, TAP_COUNT(tests));
}
