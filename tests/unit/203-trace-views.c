/* The views of psim-trace: traces/view. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_maker.h"
#include "traces/view/counts.h"
#include "traces/view/list.h"
#include "traces/view/region_table.h"
#include "traces/view/working_set.h"

#define NOP 0x01000000u
#define LDX 0xc2586000u  /* ldx [%g1], %g1 */
#define BNE 0x12600002u  /* bne,pn %xcc, .+8 */
#define BNEA 0x32600002u /* the same with the annul bit */
#define SAVE 0x9de3bf50u /* save %sp, -176, %sp */

/* ---- LRU stack distances ---- */

static void touch(struct stack *s, const char *lines)
{
	struct err e;
	for (; *lines; lines++)
		CHECK_I64(stack_touch(s, (uint64_t)*lines, &e), 0);
}

static void stack_distances_count_the_lines_between(void)
{
	struct stack s;
	struct err e;

	/*
	 * a b c a a b d c: a, b, c and d are first touches (4); a after b c has
	 * distance 2; a after a 0; b after c a 2; c after a b d 3.
	 */
	REQUIRE(stack_init(&s, &e) == 0);
	touch(&s, "abcaabdc");
	CHECK_U64(s.accesses, 8);
	CHECK_U64(s.count, 4);
	CHECK_U64(s.distance[0], 1);
	CHECK_U64(s.distance[1], 0);
	CHECK_U64(s.distance[2], 3); /* 2 and 3 */
	/* an LRU cache of 1 line hits only "aa"; 2 lines too; 4 lines miss first touches only */
	CHECK_U64(stack_misses(&s, 0), 7);
	CHECK_U64(stack_misses(&s, 1), 7);
	CHECK_U64(stack_misses(&s, 2), 4);
	stack_finish(&s);
}

static void stack_distances_survive_renumbering(void)
{
	struct stack s;
	struct err e;

	/*
	 * 1000 lines round and round, 300000 accesses: more than the time axis has.
	 * All but the first 1000 have distance 999, which is in bucket 10 (512 … 1023).
	 */
	REQUIRE(stack_init(&s, &e) == 0);
	for (uint64_t i = 0; i < 300000; i++)
		CHECK_I64(stack_touch(&s, i % 1000 * 12345, &e), 0);
	CHECK_U64(s.count, 1000);
	CHECK_U64(s.distance[10], 299000);
	CHECK_U64(stack_misses(&s, 9), 300000); /* 512 lines: LRU always throws out the next */
	CHECK_U64(stack_misses(&s, 10), 1000);  /* 1024 lines hold them */
	stack_finish(&s);
}

/* Distances as the definition has them: a list, the most recent first. */
static unsigned slow_distance(uint64_t *list, unsigned *count, uint64_t line)
{
	unsigned at = 0;
	while (at < *count && list[at] != line)
		at++;
	unsigned result = at < *count ? at : UINT32_MAX;
	if (at == *count)
		++*count;
	memmove(list + 1, list, at * sizeof(*list));
	list[0] = line;
	return result;
}

static void stack_distances_are_those_of_a_list(void)
{
	static uint64_t list[3000];
	uint64_t expected[STACK_BUCKETS] = {0}, random = 1;
	struct stack s;
	struct err e;
	unsigned count = 0;

	REQUIRE(stack_init(&s, &e) == 0);
	for (unsigned i = 0; i < 200000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
		unsigned span = i % 3 ? 50 : 3000;
		uint64_t line = (random >> 33) % span;
		unsigned d = slow_distance(list, &count, line), bucket = 0;
		while (d != UINT32_MAX && d >> bucket)
			bucket++;
		if (d != UINT32_MAX)
			expected[bucket]++;
		REQUIRE(stack_touch(&s, line, &e) == 0);
	}
	CHECK_U64(s.count, count);
	for (unsigned b = 0; b < STACK_BUCKETS; b++)
		CHECK_U64(s.distance[b], expected[b]);
	stack_finish(&s);
}

static void distinct_values_are_counted_by_page(void)
{
	struct stack s;
	struct err e;

	REQUIRE(stack_init(&s, &e) == 0);
	CHECK_U64(stack_distinct(&s, 7), 0);
	/* 128 lines a page: 0, 5 and 127 in page 0, 128 in page 1, 1000 in page 7 */
	const uint64_t lines[] = {0, 5, 128, 127, 1000, 5};
	for (unsigned i = 0; i < 6; i++)
		CHECK_I64(stack_touch(&s, lines[i], &e), 0);
	CHECK_U64(stack_distinct(&s, 0), 5);
	CHECK_U64(stack_distinct(&s, 7), 3);
	stack_finish(&s);
}

/* ---- a small trace for the others ---- */

static const uint32_t save[] = {SAVE};
static const uint32_t loop[] = {LDX, BNE, NOP};
static const uint32_t skip[] = {NOP, BNEA}, take[] = {NOP, BNEA, LDX};

/*
 * save without and with a spill; loop three times, its branch to .+8 … the
 * block itself: taken, taken, not taken (the fourth run is at pc + 12);
 * take (taken to 0x20000 again), skip (not taken, slot annulled), end.
 */
static struct trace_reader *make(struct trace_maker *m)
{
	static const struct trace_symbol symbols[] = {{0x10000, 4, "enter"}, {0x10100, 12, "loop"}};
	static const char *const args[] = {"t"};
	static const struct trace_info info = {
		.program = "t",
		.args = args,
		.arg_count = 1,
		.symbols = symbols,
		.symbol_count = 2,
		.recorder = "r",
	};
	const uint64_t zero[] = {0}, spill[] = {0x7f0040}, ea[] = {0x1000, 0x1008, 0x2000};
	struct err e;

	trace_maker_start(m, &info);
	trace_maker_run(m, 0x10000, save, 1, zero);
	trace_maker_run(m, 0x10000, save, 1, spill);
	CHECK_I64(trace_writer_region(m->writer, "work", true, &e), 0);
	for (unsigned i = 0; i < 3; i++)
		trace_maker_run(m, 0x10100, loop, 3, &ea[i]);
	CHECK_I64(trace_writer_region(m->writer, "work", false, &e), 0);
	trace_maker_run(m, 0x1010c, take, 3, ea);
	trace_maker_run(m, 0x20000, skip, 2, NULL);
	trace_maker_run(m, 0x2000c, skip, 2, NULL);
	return trace_maker_open(m);
}

static void outcomes_of_branches_are_counted(void)
{
	struct trace_maker m;
	struct trace_reader *r = make(&m);
	struct counts c = {0};
	struct trace_step s;
	struct err e;
	int event;

	while ((event = trace_next(r, &s, &e)) > 0)
		if (event == TRACE_RUN)
			CHECK_I64(counts_add(&c, s.block, &e), 0);
	CHECK_U64(c.insns, 18); /* 1 + 1 + 3 * 3 + 3 + 2 + 2 */
	CHECK_U64(c.runs, 8);
	/* loop: the branch at 0x10104; 0x10100 twice: taken; then 0x1010c: not taken.
	 * take: the branch at 0x10110; 0x20000: taken. skip: the branch at 0x20004;
	 * 0x2000c: not taken. The last one's outcome is not in the trace. */
	CHECK_U64(c.conditional, 5);
	CHECK_U64(c.taken, 3);
	counts_finish(&c);
	trace_close(r);
	trace_maker_finish(&m);
}

/* The report of `fill` as CSV text in a buffer. */
static char *csv(struct report *r)
{
	char *text = NULL;
	size_t size;
	struct err e;
	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);
	CHECK_I64(report_write(r, REPORT_CSV, f, &e), 0);
	fclose(f);
	report_destroy(r);
	return text;
}

static bool has(const char *text, const char *line)
{
	bool found = strstr(text, line) != NULL;
	if (!found)
		fprintf(stderr, "not found: %s\n", line);
	return found;
}

static void functions_get_their_instructions(void)
{
	struct trace_maker m;
	struct trace_reader *r = make(&m);
	struct counts c = {0};
	struct trace_step s;
	struct err e;
	int event;

	while ((event = trace_next(r, &s, &e)) > 0)
		if (event == TRACE_RUN)
			CHECK_I64(counts_add(&c, s.block, &e), 0);
	struct report *report = report_create();
	CHECK_I64(counts_report_functions(&c, trace_info(r), 0, report, &e), 0);
	char *text = csv(report);
	/* loop: 3 runs of 3; no symbol: 3 + 2 + 2; enter: 2 runs of 1 */
	CHECK(has(text, "functions,function,0,loop"));
	CHECK(has(text, "functions,instructions,0,9"));
	CHECK(has(text, "functions,entries,0,3"));
	CHECK(has(text, "functions,function,1,(no symbol)"));
	CHECK(has(text, "functions,instructions,1,7"));
	CHECK(has(text, "functions,function,2,enter"));
	CHECK(has(text, "functions,instructions,2,2"));
	free(text);
	counts_finish(&c);
	trace_close(r);
	trace_maker_finish(&m);
}

static void the_working_set_counts_spills_only_where_they_happen(void)
{
	struct trace_maker m;
	struct trace_reader *r = make(&m);
	struct working_set w;
	struct trace_step s;
	struct err e;
	int event;

	REQUIRE(working_set_init(&w, &e) == 0);
	while ((event = trace_next(r, &s, &e)) > 0)
		if (event == TRACE_RUN)
			CHECK_I64(working_set_add(&w, &s, &e), 0);
	/* the spill of 128 bytes at 0x7f0040 touches 2 lines; the loads 0x1000, 0x1008 and
	 * 0x1000 again one line, 0x2000 another: 6 accesses, 4 lines in 3 pages of 8 KiB */
	CHECK_U64(w.data.accesses, 6);
	CHECK_U64(w.data.count, 4);
	CHECK_U64(stack_distinct(&w.data, PAGE_BITS - LINE_BITS), 3);
	/* code: 0x10000 and 0x10100, 0x1010c, 0x20000, 0x2000c are in 3 lines; 8 runs */
	CHECK_U64(w.code.accesses, 8);
	CHECK_U64(w.code.count, 3);
	CHECK_U64(w.insns, 18);
	working_set_finish(&w);
	trace_close(r);
	trace_maker_finish(&m);
}

static void regions_count_entries_and_instructions(void)
{
	struct region_table t = {0};
	struct err e;

	/* a from 10 to 40, within it b from 15 to 20 and from 30 on, which nothing ends until 50 */
	CHECK_I64(region_table_event(&t, "a", true, 10, &e), 0);
	CHECK_I64(region_table_event(&t, "b", true, 15, &e), 0);
	CHECK(region_table_inside(&t, "b"));
	CHECK_I64(region_table_event(&t, "b", false, 20, &e), 0);
	CHECK(!region_table_inside(&t, "b"));
	CHECK_I64(region_table_event(&t, "b", true, 30, &e), 0);
	CHECK_I64(region_table_event(&t, "a", false, 40, &e), 0);
	CHECK_I64(region_table_event(&t, "c", false, 45, &e), 0); /* begun before the part read */
	region_table_end(&t, 50);
	CHECK_U64(t.rows.count, 2);
	CHECK_U64(t.rows.at[0].entered, 1);
	CHECK_U64(t.rows.at[0].insns, 30);
	CHECK_U64(t.rows.at[1].entered, 2);
	CHECK_U64(t.rows.at[1].insns, 25); /* 5 + 20 */
	region_table_finish(&t);
}

static void the_listing_tells_addresses_and_outcomes(void)
{
	struct trace_maker m;
	struct trace_reader *r = make(&m);
	struct trace_step s;
	struct err e;
	char *text = NULL;
	size_t size;
	int event;

	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);
	struct list l = {.out = f, .info = trace_info(r), .first = 2, .end = 9};
	while ((event = trace_next(r, &s, &e)) > 0)
		if (event == TRACE_RUN)
			list_run(&l, &s, trace_position(r) - s.block->count);
	list_flush(&l);
	fclose(f);
	/* instructions 2 … 8: two rounds of the loop and the load of the third */
	CHECK(strncmp(text, "         2       10100  <loop+0x0>", 34) == 0);
	CHECK(has(text, "ldx  [ %g1 ], %g1"));
	CHECK(has(text, "@0x1000\n"));
	CHECK(has(text, "         6       10104  <loop+0x4>"));
	CHECK(has(text, "  taken\n"));
	CHECK(!strstr(text, "not taken"));
	unsigned lines = 0;
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	CHECK_U64(lines, 7);
	free(text);
	trace_close(r);
	trace_maker_finish(&m);
}

/*
 * In SIMD mode: ldd of every PE's own memory, ldd of memory, pexd, sxget of two pieces of
 * 64 bytes; then simdoff.
 */
static struct trace_reader *make_simd(struct trace_maker *m)
{
	static const struct trace_info info = {
		.program = "t",
		.recorder = "r",
		.pes = 16,
		.sbm_bytes = 65536,
	};
	static const uint32_t words[] = {0xc5186000 /* ldd [%g1], 2 */, 0xc518a000 /* ldd [%g2], 2 */, 0x89b034e2,
					 0xd5420009, 0x81b03420};
	const uint64_t ea[] = {0x500000000040, 0x100008, 0x200000, 0x500001000000, 64 | 2 << 24 | 16ull << 40};

	trace_maker_start(m, &info);
	m->simd = true;
	trace_maker_run(m, 0x10000, words, 5, ea);
	return trace_maker_open(m);
}

static void what_the_array_does_is_listed_and_counted(void)
{
	struct trace_maker m;
	struct trace_reader *r = make_simd(&m);
	struct counts c = {0};
	struct working_set w;
	struct trace_step s;
	struct err e;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	REQUIRE(f != NULL && working_set_init(&w, &e) == 0 && trace_next(r, &s, &e) == TRACE_RUN);
	struct list list = {.out = f, .info = trace_info(r), .end = UINT64_MAX};
	list_run(&list, &s, 0);
	list_flush(&list);
	fclose(f);
	CHECK(has(text, "ldd  [ %g1 ], %s2                     @0x500000000040\n"));
	CHECK(has(text, "pexd  %s2, %s4\n"));
	CHECK(has(text, "sxget  [ %o0 ], [ %o1 ], %o2          @0x200000 @0x500001000000 2x64+128\n"));
	CHECK(has(text, "simdoff"));
	free(text);
	CHECK_I64(counts_add(&c, s.block, &e), 0);
	struct report *report = report_create();
	CHECK_I64(counts_report_mix(&c, report, &e), 0);
	text = csv(report);
	CHECK(has(text, "mix,simd,,3"));
	CHECK(has(text, "mix,cross,,1"));
	CHECK(has(text, "mix,mode_changes,,1"));
	CHECK(has(text, "mix,transfers,,1"));
	free(text);
	/* of the addresses only that in memory, of the second load, is a cache's business */
	CHECK_I64(working_set_add(&w, &s, &e), 0);
	CHECK_U64(w.data.accesses, 1);
	working_set_finish(&w);
	counts_finish(&c);
	trace_close(r);
	trace_maker_finish(&m);
}

static const struct tap_test tests[] = {
	{"what the array does is listed and counted", what_the_array_does_is_listed_and_counted},
	{"stack distances count the lines between", stack_distances_count_the_lines_between},
	{"stack distances survive renumbering", stack_distances_survive_renumbering},
	{"stack distances are those of a list", stack_distances_are_those_of_a_list},
	{"distinct values are counted by page", distinct_values_are_counted_by_page},
	{"outcomes of branches are counted", outcomes_of_branches_are_counted},
	{"functions get their instructions", functions_get_their_instructions},
	{"the working set counts spills only where they happen", the_working_set_counts_spills_only_where_they_happen},
	{"regions count entries and instructions", regions_count_entries_and_instructions},
	{"the listing tells addresses and outcomes", the_listing_tells_addresses_and_outcomes},
};

int main(void)
{
	return tap_main("trace-views", tests, TAP_COUNT(tests));
}
