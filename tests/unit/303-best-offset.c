/* The best-offset prefetcher: psim/memory/prefetch_best_offset.c. */
#include "tap.h"

#include "psim/memory/prefetch.h"

enum { STEP = 10 }; /* cycles from access to access */

static void best_offset_make_paged(struct prefetcher *p, unsigned page_lines, unsigned score_max, unsigned round_max)
{
	const struct prefetch_params params = {
		.enabled = true,
		.kind = PREFETCHER_BEST_OFFSET,
		.recent_bits = 8,
		.score_max = score_max,
		.round_max = round_max,
		.bad_score = 1,
	};

	REQUIRE(prefetcher_init(p, &params, 64 * page_lines, 64) == 0);
}

static void best_offset_make(struct prefetcher *p, unsigned score_max, unsigned round_max)
{
	best_offset_make_paged(p, 16384, score_max, round_max);
}

/* Access number n of a stream to every `stride`-th line; each line takes `delay` cycles from its request to L2. */
static unsigned stream_access(struct prefetcher *p, uint64_t n, unsigned stride, uint64_t delay)
{
	uint64_t now = n * STEP, line = n * stride, wanted;
	unsigned count = 0;

	prefetcher_access(p, now, line, true);
	prefetcher_fill(p, now + delay, line, false);
	for (; prefetcher_take(p, &wanted); count++) {
		CHECK_U64(wanted, line + best_offset(p));
		prefetcher_fill(p, now + delay, wanted, true);
	}
	return count;
}

static void the_list_has_numbers_without_factors_above_five(void)
{
	unsigned count = 0;

	for (unsigned n = 1; n <= 256; n++) {
		unsigned rest = n;

		while (rest % 2 == 0)
			rest /= 2;
		while (rest % 3 == 0)
			rest /= 3;
		while (rest % 5 == 0)
			rest /= 5;
		if (rest > 1)
			continue;
		REQUIRE(count < BEST_OFFSETS);
		CHECK_U64(best_offsets[count++], n);
	}
	CHECK_U64(count, BEST_OFFSETS);
}

/*
 * Every third line, in time: access n to line 3 n tests the n-th offset of the list in the first round. The table has
 * the lines 0, 3, … before it. So the score rises for multiples of 3 that are not above 3 n: number 2 (3) at line 6,
 * number 5 (6) at 15, … The offset 81, number 30, is tested at line 90, and 108, number 34, at 102: too early.
 */
static void a_round_of_scores(void)
{
	struct prefetcher p;

	best_offset_make(&p, 31, 100);
	for (uint64_t n = 0; n < BEST_OFFSETS - 1; n++)
		CHECK_U64(stream_access(&p, n, 3, 1), 1);
	for (unsigned n = 0; n < BEST_OFFSETS - 1; n++) {
		unsigned offset = best_offsets[n];

		CHECK_U64(best_offset_score(&p, n), offset % 3 == 0 && offset <= 3 * n);
	}
	CHECK_U64(best_offset_score(&p, 30), 1);
	CHECK_U64(best_offset_score(&p, 34), 0);
	CHECK_U64(best_offset(&p), 1);
	prefetcher_finish(&p);
}

/*
 * The same to the end of the second round, with which 3 has the score 2, before all others that have it. With lines
 * that take 25 cycles, those of the two accesses before are under way, so the multiples of the stride from the third on
 * score.
 * With a stride of 1 nothing scores in the first round: number n of the list is above n.
 */
static void the_best_is_the_first_offset_in_time(void)
{
	static const struct {
		unsigned stride, delay, rounds, expected;
	} cases[] = {{3, 1, 2, 3},  {3, 10, 2, 3}, {3, 11, 2, 6}, {3, 25, 2, 9},
		     {4, 15, 2, 8}, {1, 1, 3, 1},  {1, 45, 3, 5}, {1, 65, 3, 8}};

	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct prefetcher p;
		uint64_t n = 0;

		best_offset_make(&p, 2, 100);
		for (; n < (uint64_t)cases[k].rounds * BEST_OFFSETS - 1; n++)
			stream_access(&p, n, cases[k].stride, cases[k].delay);
		CHECK_U64(best_offset(&p), 1);
		stream_access(&p, n, cases[k].stride, cases[k].delay);
		CHECK_U64(best_offset(&p), cases[k].expected);
		CHECK_U64(best_offset_score(&p, 2), 0);
		prefetcher_finish(&p);
	}
}

/* No multiple of 7 is in the list, so nothing scores; a score of at most bad_score = 1 is prefetching off. */
static void without_a_score_it_is_off_until_there_is_one(void)
{
	struct prefetcher p;
	uint64_t n = 0;

	best_offset_make(&p, 31, 2);
	for (; n < UINT64_C(2) * BEST_OFFSETS; n++)
		stream_access(&p, n, 7, 1);
	CHECK_U64(best_offset(&p), 0);
	CHECK_U64(stream_access(&p, n, 7, 1), 0);
	/* it goes on to learn, from all lines; the first phase begins in the midst */
	for (n = 2000; n < 2000 + UINT64_C(4) * BEST_OFFSETS; n++)
		stream_access(&p, n, 2, 1);
	CHECK_U64(best_offset(&p), 2);
	CHECK_U64(stream_access(&p, n, 2, 1), 1);
	prefetcher_finish(&p);
}

static void only_misses_and_first_uses_of_prefetched_lines_count(void)
{
	struct prefetcher p;
	uint64_t line;

	best_offset_make(&p, 31, 100);
	prefetcher_access(&p, 0, 100, false);
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_access(&p, 0, 100, true);
	CHECK(prefetcher_take(&p, &line));
	CHECK_U64(line, 101);
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_access(&p, 0, 16383, true); /* the last line of its page */
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

/*
 * Each line, in time, in pages of 16 lines. Before each access the table has the lines from the first on but for those
 * whose prefetch would be in the next page. No line of a page is 16 lines or more behind another, so such an offset has
 * no score, although its line is in the table. The phase ends with one that prefetches.
 */
static void an_offset_beyond_the_page_has_no_score(void)
{
	struct prefetcher p;
	uint64_t phase = UINT64_C(100) * BEST_OFFSETS;

	best_offset_make_paged(&p, 16, 31, 100);
	for (uint64_t n = 0; n < 2 * phase; n++) {
		stream_access(&p, n, 1, 1);
		for (unsigned k = 0; k < BEST_OFFSETS; k++)
			CHECK(best_offsets[k] < 16 || best_offset_score(&p, k) == 0);
		CHECK(best_offset(&p) > 0 && best_offset(&p) < 16);
	}
	prefetcher_finish(&p);
}

/* Ten lines are wanted and none is requested: the two oldest are dropped. */
static void the_newest_eight_wanted_lines_are_kept(void)
{
	struct prefetcher p;
	uint64_t line;

	best_offset_make(&p, 31, 100);
	for (unsigned n = 0; n < 10; n++)
		prefetcher_access(&p, 0, 100 + 10 * n, true);
	CHECK_U64(p.overtaken, 2);
	CHECK_U64(p.wanting, 8);
	for (unsigned n = 2; n < 10; n++) {
		CHECK(prefetcher_take(&p, &line));
		CHECK_U64(line, 101 + 10 * n);
	}
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

/*
 * 256 entries of a tag and a bit; 52 scores of 5 bits, 8 lines of 43, 9 + 6 + 10 bits of numbers: 629 bits, in entries
 * of 13 bits 49.
 */
static void best_offset_has_this_storage(void)
{
	const struct prefetch_params params = {
		.enabled = true,
		.kind = PREFETCHER_BEST_OFFSET,
		.recent_bits = 8,
		.score_max = 31,
	};
	struct prefetch_storage s;

	prefetcher_storage(&params, &s);
	CHECK_U64(s.entries, 256 + 49);
	CHECK_U64(s.bits, 13);
	CHECK_U64(s.search_bits, 0);
}

static const struct tap_test tests[] = {
	{"the list has the numbers without prime factors above five", the_list_has_numbers_without_factors_above_five},
	{"scores after a round, by hand", a_round_of_scores},
	{"the best is the first offset whose lines are in time", the_best_is_the_first_offset_in_time},
	{"without a score it is off, until there is one", without_a_score_it_is_off_until_there_is_one},
	{"only misses and first uses of prefetched lines count", only_misses_and_first_uses_of_prefetched_lines_count},
	{"an offset beyond the page has no score", an_offset_beyond_the_page_has_no_score},
	{"the newest eight wanted lines are kept", the_newest_eight_wanted_lines_are_kept},
	{"its storage", best_offset_has_this_storage},
};

int main(void)
{
	return tap_main("best-offset prefetcher", tests, TAP_COUNT(tests));
}
