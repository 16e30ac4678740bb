/* Logs of whole runs keep to the Kanata format, and the checker that says so can say no. */
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "core_random.h"
#include "kanata_check.h"
#include "tap.h"
#include "pipe_trace_run.h"

static struct kanata_log log_read;

static unsigned count_stages(int lane, const char *name)
{
	unsigned count = 0;

	for (unsigned n = 0; n < log_read.count; n++)
		count += kanata_find(&log_read.insn[n], lane, name, 0) != NULL;
	return count;
}

static void logs_keep_to_the_format(void)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct trace_maker m;
		char *text;

		core_random_trace(&m, 200, 60, seed);
		text = pipe_trace_run(&m, core_random_small, PIPE_TRACE_KANATA, NULL, NULL);
		trace_maker_finish(&m);
		CHECK(kanata_check(text, &log_read) == 0);
		CHECK_STR(log_read.error, "");
		CHECK_U64(log_read.count, 200 * 12);
		/* the run had of everything: replays, misses, waiting for operands and pipes */
		CHECK(count_stages(0, "Pundo") > 0);
		CHECK(count_stages(0, "miss") > 0);
		CHECK(count_stages(1, "operands") > 0);
		CHECK(count_stages(1, "pipe") > 0);
		CHECK_U64(count_stages(0, "W"), 200 * 12);
		free(text);
	}
}

static void consumers_execute_after_their_producers(void)
{
	struct trace_maker m;
	unsigned arrows = 0;
	char *text;

	core_random_trace(&m, 200, 60, 9);
	text = pipe_trace_run(&m, core_random_small, PIPE_TRACE_KANATA, NULL, NULL);
	trace_maker_finish(&m);
	REQUIRE(kanata_check(text, &log_read) == 0);
	for (unsigned n = 0; n < log_read.count; n++) {
		const struct kanata_insn *i = &log_read.insn[n];
		const struct kanata_stage *x = kanata_find(i, 0, "X", 0);

		for (unsigned k = 0; x && k < i->wakes; k++) {
			const struct kanata_stage *of = kanata_find(&log_read.insn[i->producer[k]], 0, "X", 0);

			CHECK(of && of->from < x->from);
			arrows++;
		}
	}
	CHECK(arrows > 500);
	free(text);
}

static void check_window(struct trace_maker *m, const struct pipe_trace_window *w, uint64_t first, unsigned count)
{
	char *text = pipe_trace_run(m, core_random_small, PIPE_TRACE_KANATA, w, NULL);

	CHECK(kanata_check(text, &log_read) == 0);
	CHECK_U64(log_read.count, count);
	CHECK_U64(log_read.insn[0].number, first);
	free(text);
}

static void windows_begin_where_they_are_asked_to(void)
{
	struct trace_maker m;
	struct pipe_trace_window w;
	char *text;

	core_random_trace(&m, 200, 60, 3);
	w = (struct pipe_trace_window){.first = 100, .count = 50};
	check_window(&m, &w, 100, 50);
	w = (struct pipe_trace_window){.first = 12 * 200 - 5, .count = 50};
	check_window(&m, &w, 12 * 200 - 5, 5);
	w = (struct pipe_trace_window){.start_pc = 0x10004, .count = 7};
	check_window(&m, &w, 1, 7);
	/* a function that was entered before the recording: what of it comes first */
	w = (struct pipe_trace_window){.start_pc = 0xff00, .end_pc = 0x10010, .count = 7};
	check_window(&m, &w, 0, 7);
	/* past its first execution: a later one, again the second of a block of 12 */
	w = (struct pipe_trace_window){.start_pc = 0x10004, .first = 2, .count = 7};
	text = pipe_trace_run(&m, core_random_small, PIPE_TRACE_KANATA, &w, NULL);
	REQUIRE(kanata_check(text, &log_read) == 0 && log_read.count == 7);
	CHECK(log_read.insn[0].number > 2 && log_read.insn[0].number % 12 == 1);
	free(text);
	w = (struct pipe_trace_window){.region = "inner", .count = 12};
	check_window(&m, &w, 12 * 60, 12);
	trace_maker_finish(&m);
}

static void a_window_that_never_begins_is_an_error(void)
{
	static const struct pipe_trace_window windows[] = {
		{.first = 12 * 200, .count = 1},
		{.start_pc = 0x20000, .count = 1},
		{.region = "outer", .count = 1},
	};
	struct trace_maker m;

	core_random_trace(&m, 200, 60, 3);
	for (unsigned n = 0; n < 3; n++) {
		int status = 0;
		char *text = pipe_trace_run(&m, NULL, PIPE_TRACE_KANATA, &windows[n], &status);

		CHECK_I64(status, STATUS_USAGE);
		CHECK_STR(text, "Kanata\t0004\n");
		free(text);
	}
	trace_maker_finish(&m);
}

static void every_allocation_of_a_pipe_trace_may_fail(void)
{
	static const struct core_config cfg = {.fetch.stages = 5, .decode.stages = 2, .core.commit_stages = 2};
	static const struct trace_info info = {0};
	const struct pipe_trace_window all = {.count = UINT64_MAX};

	for (unsigned k = 1; k < 100; k++) {
		struct err e = {0};
		FILE *out = fopen("/dev/null", "w");
		struct pipe_trace *v;
		int result = -1;

		REQUIRE(out != NULL);
		alloc_fail_at(k);
		v = pipe_trace_create(out, PIPE_TRACE_KANATA, &cfg, &info, &all, NULL, &e);
		for (uint64_t n = 0; v && n < 1000; n++) {
			struct pipe_trace_record r = {.seq = n,
						      .number = n,
						      .fetch = n,
						      .decode = n + 5,
						      .dispatch = n + 6,
						      .done = n + 8,
						      .commit = n + 8};

			result = pipe_trace_commit(v, &r, &e);
			if (result < 0)
				break;
		}
		if (v)
			pipe_trace_finish(v, NULL);
		fclose(out);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			CHECK(k > 3);
			return;
		}
		CHECK_I64(result, -1);
		CHECK_U64(e.status, STATUS_FAILED);
	}
	CHECK(!"more allocations than expected");
}

static void windows_as_users_write_them(void)
{
	static const struct trace_symbol symbols[] = {{0x1000, 0x40, "main"}, {0x2000, 0x40, "7up"}};
	static const struct trace_info info = {.symbols = symbols, .symbol_count = 2};
	static const struct {
		const char *text;
		struct pipe_trace_window w;
	} good[] = {
		{"5:7", {.first = 5, .count = 7}},
		{"0x10:0x20", {.first = 16, .count = 32}},
		{"9", {.first = 9, .count = 200}},
		{"@main:3", {.start_pc = 0x1000, .end_pc = 0x1040, .count = 3}},
		{"@main+0x8", {.start_pc = 0x1008, .count = 200}},
		{"@7up:1", {.start_pc = 0x2000, .end_pc = 0x2040, .count = 1}},
		{"@0x3004:2", {.start_pc = 0x3004, .count = 2}},
		{"@region:a b:4", {.region = "a b", .count = 4}},
	};
	static const char *const bad[] = {
		"",       ":",         "5:",       "5:0",        "5:x",         "-5",
		" 5",     "5:5:5",     "@",        "@:5",        "@none",       "@0",
		"@main+", "@main+x:1", "@region:", "@region::5", "@region:a:b", "18446744073709551616"};
	char region[TRACE_NAME_MAX];
	struct pipe_trace_window w;

	for (unsigned n = 0; n < 8; n++) {
		CHECK_I64(pipe_trace_window_parse(good[n].text, &info, &w, region, NULL), 0);
		CHECK_U64(w.first, good[n].w.first);
		CHECK_U64(w.count, good[n].w.count);
		CHECK_U64(w.start_pc, good[n].w.start_pc);
		CHECK_U64(w.end_pc, good[n].w.end_pc);
		CHECK_STR(w.region ? w.region : "", good[n].w.region ? good[n].w.region : "");
	}
	for (unsigned n = 0; n < 18; n++) {
		struct err e = {0};

		CHECK_I64(pipe_trace_window_parse(bad[n], &info, &w, region, &e), -1);
		CHECK_U64(e.status, STATUS_USAGE);
	}
}

static void check_refused(const char *text, const char *error)
{
	CHECK(kanata_check(text, &log_read) < 0);
	CHECK_STR(log_read.error, error);
}

#define HEAD "Kanata\t0004\nC=\t7\nI\t0\t5\t0\nS\t0\t0\tF\n"
#define TAIL "C\t1\nE\t0\t0\tF\nR\t0\t0\t0\n"

static void the_checker_can_say_no(void)
{
	CHECK(kanata_check(HEAD TAIL, &log_read) == 0);
	CHECK_U64(log_read.insn[0].begin, 7);
	CHECK_U64(log_read.insn[0].end, 8);
	check_refused("", "line 0: empty");
	check_refused("Kanata\t0003\n", "line 1: no header");
	check_refused(HEAD, "line 4: instruction 0 has not ended");
	check_refused(HEAD "C\t-1\n", "line 5: '-1' is not a number");
	check_refused(HEAD "C=\t9\n", "line 5: C= is not the first command");
	check_refused(HEAD "S\t1\t0\tF\n", "line 5: instruction 1 has not begun");
	check_refused(HEAD "I\t2\t0\t0\n", "line 5: id 2, expected 1");
	check_refused(HEAD "S\t0\t0\tX\n", "line 5: X begins, but F has not ended");
	check_refused(HEAD "E\t0\t0\tF\n", "line 5: F takes no time");
	check_refused(HEAD "C\t1\nE\t0\t0\tX\n", "line 6: X ends, but F is open");
	check_refused(HEAD "R\t0\t0\t0\n", "line 5: ends in stage F");
	check_refused(HEAD TAIL "L\t0\t0\tx\n", "line 8: instruction 0 has ended");
	check_refused(HEAD "W\t0\t0\t0\n", "line 5: producer 0 is not one");
	check_refused(HEAD "Q\t0\n", "line 5: unknown command 'Q'");
	check_refused(HEAD "S\t0\n", "line 5: S with 2 fields");
	check_refused(HEAD "C\t1", "line 4: the last line is cut");
}

static const struct tap_test tests[] = {
	{"logs keep to the format", logs_keep_to_the_format},
	{"consumers execute after their producers", consumers_execute_after_their_producers},
	{"windows begin where they are asked to", windows_begin_where_they_are_asked_to},
	{"a window that never begins is an error", a_window_that_never_begins_is_an_error},
	{"every allocation of a pipe trace may fail", every_allocation_of_a_pipe_trace_may_fail},
	{"windows as users write them", windows_as_users_write_them},
	{"the checker can say no", the_checker_can_say_no},
};

int main(void)
{
	return tap_main("kanata", tests, TAP_COUNT(tests));
}
