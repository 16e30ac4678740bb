/* The next lines, access maps, strides: psim/memory/prefetch_next_line.c, prefetch_ampm.c, prefetch_stride.c. */
#include "tap.h"

#include "psim/memory/prefetch.h"

/* Accesses a line; returns the lines that are wanted then, three digits each: 101 and 102 are 101102. */
static uint64_t wanted(struct prefetcher *p, uint64_t line, bool trigger)
{
	uint64_t all = 0, next;

	prefetcher_access(p, 0, line, trigger);
	while (prefetcher_take(p, &next))
		all = 1000 * all + next;
	CHECK_U64(p->wanting, 0);
	return all;
}

static void make(struct prefetcher *p, enum prefetcher_choice kind, unsigned degree, unsigned zones)
{
	const struct prefetch_params params = {.enabled = true, .kind = kind, .degree = degree, .zones = zones};

	REQUIRE(prefetcher_init(p, &params, 8192, 64) == 0); /* pages of 128 lines */
}

static void the_next_lines_of_the_page(void)
{
	struct prefetcher p;

	make(&p, PREFETCHER_NEXT_LINE, 2, 1);
	CHECK_U64(wanted(&p, 100, true), 101102);
	CHECK_U64(wanted(&p, 100, false), 0);
	CHECK_U64(wanted(&p, 125, true), 126127);
	CHECK_U64(wanted(&p, 126, true), 127);
	CHECK_U64(wanted(&p, 127, true), 0);
	prefetcher_finish(&p);
}

static void the_newest_eight_lines_wait(void)
{
	static const uint64_t expected[] = {12, 13, 21, 22, 23, 31, 32, 33};
	struct prefetcher p;
	uint64_t line;

	make(&p, PREFETCHER_NEXT_LINE, 3, 1);
	prefetcher_access(&p, 0, 10, true);
	prefetcher_access(&p, 0, 20, true);
	CHECK_U64(p.overtaken, 0);
	prefetcher_access(&p, 0, 30, true);
	CHECK_U64(p.overtaken, 1);
	for (unsigned n = 0; n < 8; n++)
		CHECK(prefetcher_take(&p, &line) && line == expected[n]);
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

/* Two accesses a stride behind make the map want the line a stride ahead, whatever their order. */
static void strides_of_a_map(void)
{
	struct prefetcher p;

	make(&p, PREFETCHER_AMPM, 2, 4);
	CHECK_U64(wanted(&p, 0, true), 0);
	CHECK_U64(wanted(&p, 3, false), 0);
	CHECK_U64(wanted(&p, 6, true), 9);
	CHECK_U64(wanted(&p, 6, true), 0); /* 9 has been wanted */
	CHECK_U64(wanted(&p, 9, true), 12);
	/* out of order: 23 lacks 17; 29 has 26 and 23 */
	CHECK_U64(wanted(&p, 64 + 20, true), 0);
	CHECK_U64(wanted(&p, 64 + 26, true), 0);
	CHECK_U64(wanted(&p, 64 + 23, true), 0);
	CHECK_U64(wanted(&p, 64 + 29, true), 64 + 32);
	/* downwards */
	CHECK_U64(wanted(&p, 128 + 40, true), 0);
	CHECK_U64(wanted(&p, 128 + 38, true), 0);
	CHECK_U64(wanted(&p, 128 + 36, true), 128 + 34);
	prefetcher_finish(&p);
}

/* 1, 2, 3, 4, 5, 6, of which 3 was wanted at 2, and so on. At 8, strides 2 (6, 4) and 3 (5, 2) want 10 and 11. */
static void the_smallest_strides_come_first(void)
{
	struct prefetcher p;

	make(&p, PREFETCHER_AMPM, 2, 1);
	CHECK_U64(wanted(&p, 1, true), 0);
	CHECK_U64(wanted(&p, 2, true), 0);
	CHECK_U64(wanted(&p, 3, true), 4);
	CHECK_U64(wanted(&p, 4, true), 5);
	CHECK_U64(wanted(&p, 5, true), 6007); /* 6 by 4 and 3; 7 by 3 and 1 */
	CHECK_U64(wanted(&p, 6, true), 8);    /* 7 has been wanted; 8 by 4 and 2 */
	CHECK_U64(wanted(&p, 8, true), 10011);
	prefetcher_finish(&p);
}

/* A page has two zones: lines 0 to 127. */
static void patterns_cross_zones_within_a_page(void)
{
	struct prefetcher p;

	make(&p, PREFETCHER_AMPM, 2, 4);
	CHECK_U64(wanted(&p, 59, true) + wanted(&p, 61, true), 0);
	CHECK_U64(wanted(&p, 63, true), 65); /* by 61 and 59; the next zone gets a map, */
	CHECK_U64(wanted(&p, 63, true), 0);  /* which knows that it has been wanted */
	CHECK_U64(wanted(&p, 65, true), 67); /* by 63 and 61, of the zone before */
	/* accesses of the page before count: 130 by 126 and 124 */
	CHECK_U64(wanted(&p, 124, true) + wanted(&p, 126, true), 0);
	CHECK_U64(wanted(&p, 128, true), 130);
	prefetcher_finish(&p);
}

/*
 * As above, 4 to 8 wait after six accesses. 7 wants 9 (by 5, 3) and 10 (by 4, 1), 8 wants 11 (by 5, 2): eight wait. 9
 * would want 12 (by 6, 3), which has no room, so it is not noted; it is wanted as soon as there is some.
 */
static void a_full_queue_loses_no_line_of_a_map(void)
{
	struct prefetcher p;
	uint64_t line;

	make(&p, PREFETCHER_AMPM, 2, 1);
	for (uint64_t n = 1; n <= 9; n++)
		prefetcher_access(&p, 0, n, true);
	CHECK_U64(p.wanting, 8);
	CHECK_U64(p.overtaken, 0);
	CHECK(prefetcher_take(&p, &line) && line == 4);
	prefetcher_access(&p, 0, 9, true);
	for (unsigned n = 5; n <= 12; n++)
		CHECK(prefetcher_take(&p, &line) && line == n);
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

static void patterns_end_with_their_maps(void)
{
	struct prefetcher p;

	make(&p, PREFETCHER_AMPM, 2, 2);
	CHECK_U64(wanted(&p, 59, true) + wanted(&p, 61, true), 0);
	CHECK_U64(wanted(&p, 128, true) + wanted(&p, 192, true), 0);
	CHECK_U64(wanted(&p, 57, true), 0); /* its zone was forgotten: 59 and 61 would want 55 */
	prefetcher_finish(&p);
	/* one map: the neighbour of which a line is wanted gets none, and the line is not wanted */
	make(&p, PREFETCHER_AMPM, 2, 1);
	CHECK_U64(wanted(&p, 59, true) + wanted(&p, 61, true) + wanted(&p, 63, true), 0);
	prefetcher_finish(&p);
}

/* ---- strides ---- */
static void make_strides(struct prefetcher *p, unsigned degree, unsigned references)
{
	const struct prefetch_params params = {
		.enabled = true, .kind = PREFETCHER_STRIDE, .degree = degree, .references = references};

	CHECK(prefetcher_needs_pc(&params));
	REQUIRE(prefetcher_init(p, &params, 8192, 64) == 0); /* pages of 128 lines */
}

/* The same by the instruction at `pc`. */
static uint64_t wanted_by(struct prefetcher *p, uint64_t pc, uint64_t line)
{
	p->pc = pc;
	return wanted(p, line, true);
}

/*
 * Two instructions by turns: one at stride 3, the other downwards at stride 2. The second access has a stride, and is
 * transient, the third steady. The page ends at 127 and 128.
 */
static void each_instruction_has_its_stride(void)
{
	struct prefetcher p;

	make_strides(&p, 2, 16);
	CHECK_U64(wanted_by(&p, 0x1000, 101), 0);
	CHECK_U64(wanted_by(&p, 0x1004, 250), 0);
	CHECK_U64(wanted_by(&p, 0x1000, 104), 107110);
	CHECK_U64(wanted_by(&p, 0x1004, 248), 246244);
	CHECK_U64(wanted_by(&p, 0x1000, 104), 0);   /* no step */
	CHECK_U64(wanted_by(&p, 0x1000, 107), 113); /* 110 was wanted before */
	CHECK_U64(wanted_by(&p, 0, 500), 0);        /* of no instruction */
	CHECK_U64(wanted_by(&p, 0x1000, 122), 125); /* wrong, steady: the stride stays, and 128 is in the next page */
	CHECK_U64(wanted_by(&p, 0x1004, 246), 242);
	CHECK_U64(wanted_by(&p, 0x1000, 126), 0); /* wrong, initial: transient at stride 4, beyond the page */
	CHECK_U64(wanted_by(&p, 0x1000, 130), 134138);
	prefetcher_finish(&p);
}

/*
 * Chen and Baer's states. Lines 10, 20: transient, 10. 25: none, 5. 30: right: transient, which wants. 40: wrong: none,
 * 10. 50: transient. 60: steady. 61: wrong: initial, 10, which wants. 71: right: steady. 72: initial. 73: wrong:
 * transient, 1.
 */
static void states_of_a_stride(void)
{
	static const uint64_t line[] = {10, 20, 25, 30, 40, 50, 60, 61, 71, 72, 73};
	static const uint64_t expected[] = {0, 30, 0, 35, 0, 60, 70, 71, 81, 82, 74};
	struct prefetcher p;

	make_strides(&p, 1, 16);
	for (unsigned n = 0; n < sizeof(line) / sizeof(line[0]); n++)
		CHECK_U64(wanted_by(&p, 0x2000, line[n]), expected[n]);
	prefetcher_finish(&p);
}

/* Entries are by word of the address: 0x1000 and 0x1010 have the same of four, and the later one has it alone. */
static void an_entry_is_of_one_instruction(void)
{
	struct prefetcher p;

	make_strides(&p, 1, 4);
	CHECK_U64(wanted_by(&p, 0x1000, 10), 0);
	CHECK_U64(wanted_by(&p, 0x1010, 50), 0);
	CHECK_U64(wanted_by(&p, 0x1000, 12), 0);
	CHECK_U64(wanted_by(&p, 0x1004, 70), 0);
	CHECK_U64(wanted_by(&p, 0x1000, 14), 16);
	/* a stride of 2^15 lines does not fit in 16 bits */
	CHECK_U64(wanted_by(&p, 0x1004, 70 + (1 << 15)), 0);
	prefetcher_finish(&p);
}

static const struct tap_test tests[] = {
	{"each instruction has its stride", each_instruction_has_its_stride},
	{"states of a stride", states_of_a_stride},
	{"an entry is of one instruction", an_entry_is_of_one_instruction},
	{"the next lines of the page", the_next_lines_of_the_page},
	{"the newest eight lines wait", the_newest_eight_lines_wait},
	{"strides of a map", strides_of_a_map},
	{"the smallest strides come first", the_smallest_strides_come_first},
	{"patterns cross zones within a page", patterns_cross_zones_within_a_page},
	{"a full queue loses no line of a map", a_full_queue_loses_no_line_of_a_map},
	{"patterns end with their maps", patterns_end_with_their_maps},
};

int main(void)
{
	return tap_main("prefetch maps", tests, TAP_COUNT(tests));
}
