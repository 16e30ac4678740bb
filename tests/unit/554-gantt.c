/* Timelines of ranks in a bounded number of intervals: netlink/analysis/gantt.h. */
#include "tap.h"

#include "netlink/analysis/gantt.h"

static int64_t sum(const struct gantt *g, uint32_t rank, enum gantt_kind kind)
{
	int64_t s = 0;

	for (uint32_t c = 0; c < GANTT_COLUMNS; c++)
		s += gantt_at(g, rank, c, kind);
	return s;
}

static void intervals_widen_and_nothing_is_lost(void)
{
	struct gantt g;
	struct err e;

	REQUIRE(gantt_init(&g, 3, 2, 0, INT64_MAX, &e) == 0);
	gantt_add(&g, 3, 0, 700, GANTT_WORK);
	gantt_add(&g, 4, 100, 2500, GANTT_WAIT);
	CHECK_I64(g.interval, 1000);
	CHECK_I64(gantt_at(&g, 4, 0, GANTT_WAIT), 900); /* of 100 to 1000 */
	CHECK_I64(gantt_at(&g, 4, 1, GANTT_WAIT), 1000);
	CHECK_I64(gantt_at(&g, 4, 2, GANTT_WAIT), 500);
	gantt_add(&g, 3, 511000, 512001, GANTT_WORK); /* one interval of 1000 too many: 2000 from now on */
	CHECK_I64(g.interval, 2000);
	CHECK_I64(gantt_at(&g, 4, 0, GANTT_WAIT), 1900);
	CHECK_I64(gantt_at(&g, 4, 1, GANTT_WAIT), 500);
	CHECK_I64(gantt_at(&g, 3, 255, GANTT_WORK), 1000); /* 510000 to 512000 */
	CHECK_I64(gantt_at(&g, 3, 256, GANTT_WORK), 1);
	gantt_add(&g, 4, 3000, INT64_C(1000000000000), GANTT_WORK);
	CHECK_I64(sum(&g, 3, GANTT_WORK), 700 + 1001);
	CHECK_I64(sum(&g, 4, GANTT_WAIT), 2400);
	CHECK_I64(sum(&g, 4, GANTT_WORK), INT64_C(1000000000000) - 3000);
	gantt_finish(&g);
}

static void a_window_takes_what_is_in_it(void)
{
	struct gantt g;
	struct err e;

	REQUIRE(gantt_init(&g, 0, 1, 1000, 1000 + 10 * GANTT_COLUMNS, &e) == 0);
	CHECK_I64(g.interval, 10);
	gantt_add(&g, 0, 0, 1004, GANTT_WORK); /* 4 of it */
	gantt_add(&g, 0, 1020, 1030, GANTT_WORK);
	gantt_add(&g, 0, 1000 + 10 * GANTT_COLUMNS - 3, 1000000, GANTT_WAIT); /* 3 of it */
	gantt_add(&g, 0, 1000000, 2000000, GANTT_WAIT);
	gantt_add(&g, 0, 0, 900, GANTT_WAIT);
	gantt_add(&g, 1, 1000, 2000, GANTT_WORK); /* not this rank */
	CHECK_I64(gantt_at(&g, 0, 0, GANTT_WORK), 4);
	CHECK_I64(gantt_at(&g, 0, 2, GANTT_WORK), 10);
	CHECK_I64(sum(&g, 0, GANTT_WORK), 14);
	CHECK_I64(sum(&g, 0, GANTT_WAIT), 3);
	CHECK_I64(gantt_at(&g, 0, GANTT_COLUMNS - 1, GANTT_WAIT), 3);
	gantt_finish(&g);
}

static const struct tap_test tests[] = {
	{"intervals widen, and nothing is lost", intervals_widen_and_nothing_is_lost},
	{"a window takes what is in it", a_window_takes_what_is_in_it},
};

int main(void)
{
	return tap_main("gantt", tests, TAP_COUNT(tests));
}
