/* The next lines, and access maps: psim/memory/prefetch_next_line.c, prefetch_ampm.c. */
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

static void patterns_end_at_the_zone_and_with_it(void)
{
	struct prefetcher p;

	make(&p, PREFETCHER_AMPM, 2, 2);
	CHECK_U64(wanted(&p, 59, true) + wanted(&p, 61, true) + wanted(&p, 63, true), 0);
	CHECK_U64(wanted(&p, 65, true), 0); /* of the next zone */
	CHECK_U64(wanted(&p, 128, true), 0);
	CHECK_U64(wanted(&p, 57, true), 0); /* its zone was forgotten: 59 and 61 would want 55 */
	prefetcher_finish(&p);
}

static const struct tap_test tests[] = {
	{"the next lines of the page", the_next_lines_of_the_page},
	{"the newest eight lines wait", the_newest_eight_lines_wait},
	{"strides of a map", strides_of_a_map},
	{"the smallest strides come first", the_smallest_strides_come_first},
	{"patterns end at the zone, and with it", patterns_end_at_the_zone_and_with_it},
};

int main(void)
{
	return tap_main("prefetch maps", tests, TAP_COUNT(tests));
}
