/* The pipe trace for a terminal. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "pipe_trace_run.h"

static char *run(const uint32_t *words, unsigned count, const char *const *overrides)
{
	struct trace_maker m;
	char *text;

	trace_maker_start(&m, NULL);
	trace_maker_straight(&m, 0x10000, words, count, NULL);
	text = pipe_trace_run(&m, overrides, PIPE_TRACE_TEXT, NULL, NULL);
	trace_maker_finish(&m);
	return text;
}

static void a_letter_a_cycle(void)
{
	/* The times of 320-pipeline-times.c: the second add is selected in cycle 8. */
	const uint32_t words[] = {W_ADD(1, 1, 1), W_ADD(1, 1, 1), W_LDX(2, 3, 0)};
	char *text = run(words, 3, NULL);

	CHECK_STR(text, "instruction 0\n"
			"                                  cycle  0\n"
			"   10000  inc %g1                        |fffffedpbxuw   |\n"
			"   10004  inc %g1                        |fffffed-pbxuw  |\n"
			"   10008  ldx [ %g3 ], %g2               |fffffedpbxmmmuw|\n");
	free(text);
}

static void a_long_wait_is_cut(void)
{
	/*
	 * fdivd: X from cycle 9 to 27, U 28, W 29. The add beside it is done in 10 and waits
	 * from 11 to 28. From 11 to 28 nothing changes: 17 cycles are shown as three columns.
	 */
	const uint32_t words[] = {W_FDIVD(2, 4, 6), W_ADD(1, 1, 1)};
	char *text = run(words, 2, NULL);

	CHECK_STR(text, "instruction 0\n"
			"                                  cycle  0             28\n"
			"   10000  fdivd %f4, %f6, %f2            |fffffedpbxxx:xuw|\n"
			"   10004  inc %g1                        |fffffedpbxu=:==w|\n");
	free(text);
}

static void no_line_is_wider_than_120_columns(void)
{
	static const char *const cold[] = {"l1i.perfect=no", "l1d.perfect=no", NULL};
	uint32_t words[200];
	char *text;

	for (unsigned n = 0; n < 200; n++)
		words[n] = n % 7 == 0 ? W_LDX(1 + n % 5, 1 + n % 3, 0) : n % 5 == 0 ? W_FDIVD(2, 2, 4) : W_ADD(1, 1, 1);
	text = run(words, 200, cold);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		CHECK(strcspn(line, "\n") <= 120);
	CHECK(strstr(text, "memory") != NULL);
	free(text);
}

static const struct tap_test tests[] = {
	{"a letter a cycle", a_letter_a_cycle},
	{"a long wait is cut", a_long_wait_is_cut},
	{"no line is wider than 120 columns", no_line_is_wider_than_120_columns},
};

int main(void)
{
	return tap_main("pipeline-text", tests, TAP_COUNT(tests));
}
