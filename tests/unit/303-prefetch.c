/* The stream detector: psim/memory/prefetch.h. */
#include "tap.h"

#include "psim/memory/prefetch.h"

static const struct prefetch_params params = {.enabled = true, .streams = 2, .distance = 4};

static void small(struct prefetcher *p)
{
	REQUIRE(prefetcher_init(p, &params, 1 << 20, 64) == 0); /* pages of 16384 lines */
}

/* After the access all lines that are wanted are requested: the first of them, and how many follow it. */
#define ACCESS(p, line, expected_first, expected_step, expected_count) \
	do { \
		uint64_t first = 0, last = 0; \
		unsigned count = 0; \
		prefetcher_access(p, 0, line, true); \
		while (prefetcher_take(p, &last)) \
			if (!count++) \
				first = last; \
		CHECK_U64(count, expected_count); \
		if (count) { \
			CHECK_U64(first, expected_first); \
			CHECK_U64(last, first + (uint64_t)((expected_step) * ((expected_count)-1))); \
		} \
		CHECK_U64((p)->wanting, 0); \
	} while (0)

static void one_access_is_not_a_stream(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 200, 0, 0, 0);
	prefetcher_finish(&p);
}

static void two_neighbours_ask_for_the_distance_ahead(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 101, 102, 1, 4); /* 102 103 104 105 */
	prefetcher_finish(&p);
}

static void a_stream_may_go_down(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 99, 98, -1, 4); /* 98 97 96 95 */
	ACCESS(&p, 98, 94, -1, 1);
	prefetcher_finish(&p);
}

static void each_step_asks_for_one_line_more(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 101, 102, 1, 4); /* up to 105 */
	ACCESS(&p, 102, 106, 1, 1);
	ACCESS(&p, 103, 107, 1, 1);
	prefetcher_finish(&p);
}

static void a_skipped_line_is_made_up_for(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 101, 102, 1, 4); /* up to 105 */
	ACCESS(&p, 104, 106, 1, 3); /* up to 108 */
	prefetcher_finish(&p);
}

static void a_line_behind_or_the_same_asks_for_nothing(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 101, 102, 1, 4);
	ACCESS(&p, 101, 0, 0, 0);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 99, 0, 0, 0);    /* nor do they make a stream of their own */
	ACCESS(&p, 102, 106, 1, 1); /* and the stream goes on */
	prefetcher_finish(&p);
}

static void two_streams_are_followed_at_a_time(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 500, 0, 0, 0);
	ACCESS(&p, 101, 102, 1, 4);
	ACCESS(&p, 499, 498, -1, 4);
	ACCESS(&p, 102, 106, 1, 1);
	ACCESS(&p, 498, 494, -1, 1);
	prefetcher_finish(&p);
}

static void the_least_recently_used_stream_is_replaced(void)
{
	struct prefetcher p;

	small(&p);
	ACCESS(&p, 100, 0, 0, 0);
	ACCESS(&p, 101, 102, 1, 4);
	ACCESS(&p, 500, 0, 0, 0);
	ACCESS(&p, 900, 0, 0, 0);   /* replaces the stream at 101 */
	ACCESS(&p, 102, 0, 0, 0);   /* unknown now; replaces 500 */
	ACCESS(&p, 901, 902, 1, 4); /* 900 is still there */
	prefetcher_finish(&p);
}

static void a_stream_stays_in_its_page_and_goes_on_in_the_next(void)
{
	struct prefetcher p;

	REQUIRE(prefetcher_init(&p, &params, 1024, 64) == 0); /* pages of 16 lines */
	ACCESS(&p, 10, 0, 0, 0);
	ACCESS(&p, 11, 12, 1, 4); /* up to 15, the last of the page */
	ACCESS(&p, 12, 0, 0, 0);
	ACCESS(&p, 15, 0, 0, 0);
	ACCESS(&p, 16, 17, 1, 4); /* all four at once: no stream was detected again */
	ACCESS(&p, 17, 21, 1, 1);
	/* and down */
	ACCESS(&p, 50, 0, 0, 0);
	ACCESS(&p, 49, 48, -1, 1);
	ACCESS(&p, 48, 0, 0, 0);
	ACCESS(&p, 47, 46, -1, 4);
	CHECK_U64(p.overtaken, 0);
	prefetcher_finish(&p);
}

static void what_is_not_asked_for_stays_wanted(void)
{
	struct prefetcher p;
	uint64_t line;

	small(&p);
	prefetcher_access(&p, 0, 100, true);
	prefetcher_access(&p, 0, 101, true); /* wants 102 … 105 */
	CHECK(prefetcher_take(&p, &line));
	CHECK_U64(line, 102);
	prefetcher_access(&p, 0, 102, true); /* 103 … 106 */
	CHECK(prefetcher_take(&p, &line));
	CHECK_U64(line, 103);
	prefetcher_access(&p, 0, 105, true); /* 104 and 105 were not requested: 106 … 109 */
	CHECK_U64(p.overtaken, 2);
	for (uint64_t n = 106; n <= 109; n++) {
		CHECK(prefetcher_take(&p, &line));
		CHECK_U64(line, n);
	}
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

static void the_stream_that_is_least_far_ahead_is_first(void)
{
	struct prefetcher p;
	uint64_t line;
	static const uint64_t order[] = {102, 202, 103, 203, 104, 204, 105, 205};

	small(&p);
	prefetcher_access(&p, 0, 100, true);
	prefetcher_access(&p, 0, 200, true);
	prefetcher_access(&p, 0, 101, true);
	prefetcher_access(&p, 0, 201, true);
	for (unsigned n = 0; n < 8; n++) {
		CHECK(prefetcher_take(&p, &line));
		CHECK_U64(line, order[n]);
	}
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

static void a_stream_that_is_replaced_wants_nothing(void)
{
	struct prefetcher p;
	uint64_t line;

	small(&p);
	prefetcher_access(&p, 0, 100, true);
	prefetcher_access(&p, 0, 101, true);
	CHECK_U64(p.wanting, 1);
	prefetcher_access(&p, 0, 500, true);
	prefetcher_access(&p, 0, 900, true); /* replaces the stream at 101 */
	CHECK_U64(p.wanting, 0);
	CHECK(!prefetcher_take(&p, &line));
	prefetcher_finish(&p);
}

static const struct tap_test tests[] = {
	{"one access is not a stream", one_access_is_not_a_stream},
	{"two neighbours ask for the distance ahead", two_neighbours_ask_for_the_distance_ahead},
	{"a stream may go down", a_stream_may_go_down},
	{"each step asks for one line more", each_step_asks_for_one_line_more},
	{"a skipped line is made up for", a_skipped_line_is_made_up_for},
	{"a line behind, or the same, asks for nothing", a_line_behind_or_the_same_asks_for_nothing},
	{"two streams are followed at a time", two_streams_are_followed_at_a_time},
	{"the least recently used stream is replaced", the_least_recently_used_stream_is_replaced},
	{"a stream stays in its page, and goes on in the next", a_stream_stays_in_its_page_and_goes_on_in_the_next},
	{"what is not asked for stays wanted", what_is_not_asked_for_stays_wanted},
	{"the stream that is least far ahead is first", the_stream_that_is_least_far_ahead_is_first},
	{"a stream that is replaced wants nothing", a_stream_that_is_replaced_wants_nothing},
};

int main(void)
{
	return tap_main("stream prefetch", tests, TAP_COUNT(tests));
}
