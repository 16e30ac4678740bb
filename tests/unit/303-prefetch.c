/* The stream detector: psim/core/prefetch.h. */
#include "tap.h"

#include "psim/core/prefetch.h"

static const struct prefetch_params params = { .enabled = true, .streams = 2, .distance = 4 };

static void small(struct prefetcher *p)
{
	REQUIRE(prefetcher_init(p, &params) == 0);
}

#define ACCESS(p, line, expected_first, expected_step, expected_count) do { \
	struct prefetch_range r = prefetcher_access(p, line); \
	CHECK_U64(r.count, expected_count); \
	if (r.count) { \
		CHECK_U64(r.first, expected_first); \
		CHECK_I64(r.step, expected_step); \
	} \
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

static const struct tap_test tests[] = {
	{"one access is not a stream", one_access_is_not_a_stream},
	{"two neighbours ask for the distance ahead", two_neighbours_ask_for_the_distance_ahead},
	{"a stream may go down", a_stream_may_go_down},
	{"each step asks for one line more", each_step_asks_for_one_line_more},
	{"a skipped line is made up for", a_skipped_line_is_made_up_for},
	{"a line behind, or the same, asks for nothing", a_line_behind_or_the_same_asks_for_nothing},
	{"two streams are followed at a time", two_streams_are_followed_at_a_time},
	{"the least recently used stream is replaced", the_least_recently_used_stream_is_replaced},
};

int main(void)
{
	return tap_main("stream prefetch", tests, TAP_COUNT(tests));
}
