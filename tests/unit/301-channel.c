/* Bandwidth and miss buffers, reserved ahead: psim/memory/channel.h. */
#include "tap.h"

#include <string.h>

#include "psim/memory/channel.h"

static const uint64_t FOUR = 4 << CHANNEL_SHIFT; /* cycles for a transfer */

static struct channel create(unsigned gaps)
{
	struct channel c;

	REQUIRE(channel_init(&c, gaps) == 0);
	return c;
}

static void a_free_channel_starts_at_once(void)
{
	struct channel c = create(8);

	CHECK_U64(channel_reserve(&c, 10, 10, FOUR), 10);
	CHECK_U64(channel_reserve(&c, 14, 14, FOUR), 14);
	CHECK_U64(channel_reserve(&c, 100, 100, FOUR), 100);
	channel_finish(&c);
}

static void transfers_follow_one_another(void)
{
	struct channel c = create(8);

	/* all request cycle 10: 10, 14, 18 */
	CHECK_U64(channel_reserve(&c, 10, 10, FOUR), 10);
	CHECK_U64(channel_reserve(&c, 10, 10, FOUR), 14);
	CHECK_U64(channel_reserve(&c, 10, 10, FOUR), 18);
	channel_finish(&c);
}

static void a_later_reservation_leaves_the_time_before_it_free(void)
{
	struct channel c = create(8);

	/* [120,124) is taken; 0..120 holds 30 transfers: at 0, 4, … 116, and the 31st goes behind */
	CHECK_U64(channel_reserve(&c, 0, 120, FOUR), 120);
	for (uint64_t i = 0; i < 30; i++)
		CHECK_U64(channel_reserve(&c, 0, 0, FOUR), 4 * i);
	CHECK_U64(channel_reserve(&c, 0, 0, FOUR), 124);
	channel_finish(&c);
}

static void a_gap_shorter_than_a_transfer_is_used_too(void)
{
	struct channel c = create(8);

	/* [0,4) and [7,11): three cycles in [4,7), the fourth in [11,12). It ends as if it began in 8 */
	CHECK_U64(channel_reserve(&c, 0, 0, FOUR), 0);
	CHECK_U64(channel_reserve(&c, 0, 7, FOUR), 7);
	CHECK_U64(channel_reserve(&c, 0, 0, FOUR), 8);
	CHECK_U64(channel_reserve(&c, 0, 0, FOUR), 12);
	channel_finish(&c);
}

static void a_gap_is_split_around_a_transfer(void)
{
	struct channel c = create(8);

	/* gap [0,100): a transfer at 50 leaves [0,50) and [54,100) */
	channel_reserve(&c, 0, 100, FOUR);
	CHECK_U64(channel_reserve(&c, 0, 50, FOUR), 50);
	/* [49,50) and [54,57): ends in 57, as from 53 */
	CHECK_U64(channel_reserve(&c, 0, 49, FOUR), 53);
	CHECK_U64(channel_reserve(&c, 0, 46, FOUR), 54); /* [46,49) and [57,58) */
	CHECK_U64(channel_reserve(&c, 0, 0, FOUR), 0);
	channel_finish(&c);
}

/* Requests at odd distances, none before `now`: the channel is never idle while one waits. */
static void no_time_is_lost_while_somebody_waits(void)
{
	struct channel c = create(256);
	enum { COUNT = 1000, SLOTS = 20000 };
	static unsigned char wanted[SLOTS];
	uint64_t now = 0, end = 0, early = 0, late = 0;
	unsigned x = 1;

	/* the same by a walk over cycles: `work` is what has been requested and not been carried */
	memset(wanted, 0, sizeof(wanted));
	for (unsigned i = 0; i < COUNT; i++) {
		uint64_t earliest, start;

		x = x * 1103515245 + 12345;
		now += x >> 16 & 3;
		earliest = now + (x >> 20) % 100;
		start = channel_reserve(&c, now, earliest, 3 << CHANNEL_SHIFT);
		early += start < earliest;
		wanted[earliest]++;
		end = start + 3 > end ? start + 3 : end;
	}
	for (uint64_t t = 0, work = 0; t < end; t++) {
		work += 3 * wanted[t];
		work -= work > 0;
		late = t + 1 == end ? work : late;
	}
	CHECK_U64(early, 0);
	CHECK_U64(late, 0); /* the last transfer ends when all work is done: the sum is conserved */
	channel_finish(&c);
}

static void a_transfer_need_not_take_whole_cycles(void)
{
	struct channel c = create(8);
	uint64_t time = channel_time(64, 12.8), start = 0;

	/* 5 cycles; at 25.6 bytes a cycle 2.5: 0, 2.5, 5, … start in 0, 3, 5, 8 */
	CHECK_U64(time, 5 << CHANNEL_SHIFT);
	time = channel_time(64, 25.6);
	CHECK_U64(channel_reserve(&c, 0, 0, time), 0);
	CHECK_U64(channel_reserve(&c, 0, 0, time), 3);
	CHECK_U64(channel_reserve(&c, 0, 0, time), 5);
	for (unsigned i = 3; i <= 1000; i++)
		start = channel_reserve(&c, 0, 0, time);
	CHECK_U64(start, 2500);
	channel_finish(&c);
}

static void time_from_one_cycle_to_another_is_idle_or_not(void)
{
	struct channel c = create(8);

	CHECK(channel_idle(&c, 0, 1));
	channel_reserve(&c, 0, 0, FOUR);
	channel_reserve(&c, 0, 6, FOUR); /* [0,4) and [6,10) */
	CHECK(!channel_idle(&c, 0, 4));
	CHECK(channel_idle(&c, 0, 5));
	CHECK(channel_idle(&c, 4, 6));
	CHECK(!channel_idle(&c, 6, 10));
	CHECK(channel_idle(&c, 6, 11));
	CHECK(!channel_idle(&c, 6, 6));
	channel_finish(&c);
}

static void the_number_of_remembered_gaps_is_bounded(void)
{
	struct channel c = create(32);

	/* every second cycle, forty times: gaps at 1, 3, 5 …; the earliest of them are forgotten */
	for (uint64_t i = 0; i < 40; i++)
		CHECK_U64(channel_reserve(&c, 0, 2 * i, 1 << CHANNEL_SHIFT), 2 * i);
	CHECK_U64(c.gaps, 32);
	/* gaps 1, 3 … 77 are 39; the first 7 are lost, the next is at 15 */
	CHECK_U64(channel_reserve(&c, 0, 0, 1 << CHANNEL_SHIFT), 15);
	channel_finish(&c);
}

static void the_first_miss_buffer_to_be_free_is_taken(void)
{
	struct mshr m;

	REQUIRE(mshr_init(&m, 3) == 0);
	CHECK_U64(mshr_free_at(&m), 0);
	mshr_take(&m, 0, 50);
	mshr_take(&m, 0, 30);
	CHECK_U64(mshr_free_at(&m), 0); /* the third */
	mshr_take(&m, 0, 40);
	CHECK_U64(mshr_free_at(&m), 30);
	mshr_take(&m, 0, 90);
	CHECK_U64(mshr_free_at(&m), 40);
	mshr_take(&m, 0, 45);
	CHECK_U64(mshr_free_at(&m), 45);
	mshr_take(&m, 0, 100);
	CHECK_U64(mshr_free_at(&m), 50);
	mshr_finish(&m);
}

static void the_use_of_miss_buffers_adds_up_over_cycles(void)
{
	struct mshr m;

	REQUIRE(mshr_init(&m, 2) == 0);
	mshr_take(&m, 10, 50);
	CHECK_U64(mshr_use(&m, 10), 0);
	CHECK_U64(mshr_use(&m, 20), 10);
	mshr_take(&m, 20, 30);
	CHECK_U64(mshr_use(&m, 30), 30); /* 20 of the first, 10 of the second */
	mshr_take(&m, 40, 45);
	CHECK_U64(mshr_use(&m, 60), 55); /* 40, 10 and 5 */
	/* both are reserved ahead, from when they are free: in use throughout */
	mshr_take(&m, 60, 100);
	mshr_take(&m, 60, 80);
	mshr_take(&m, 70, 90);
	CHECK_U64(mshr_use(&m, 70), 55 + 20);
	CHECK_U64(mshr_use(&m, 85), 55 + 50);
	CHECK_U64(mshr_use(&m, 200), 55 + 40 + 20 + 10);
	mshr_finish(&m);
}

/* Cycles with a buffer in use: 10 to 50 holds 20 to 30; 60 to 100 and 80 to 110 overlap; 120 to 130 is apart. */
static void cycles_with_a_miss_buffer_in_use_are_counted_once(void)
{
	static const struct {
		uint64_t from, until, more;
	} list[] = {{10, 50, 40}, {20, 30, 0}, {60, 100, 40}, {80, 110, 10}, {120, 130, 10}};
	struct mshr m;

	REQUIRE(mshr_init(&m, 2) == 0);
	for (unsigned n = 0; n < 5; n++) {
		CHECK_U64(mshr_more_busy(&m, list[n].from, list[n].until), list[n].more);
		mshr_take(&m, list[n].from, list[n].until);
	}
	mshr_finish(&m);
}

static void miss_buffers_are_taken_in_the_order_in_which_they_become_free(void)
{
	struct mshr m;
	uint64_t kept[7] = {0};
	unsigned x = 1, wrong = 0;

	/* against the plain minimum of a list */
	REQUIRE(mshr_init(&m, 7) == 0);
	for (unsigned i = 0; i < 1000; i++) {
		unsigned first = 0;

		for (unsigned k = 1; k < 7; k++)
			if (kept[k] < kept[first])
				first = k;
		wrong += mshr_free_at(&m) != kept[first];
		x = x * 1103515245 + 12345;
		kept[first] += x >> 24;
		mshr_take(&m, 0, kept[first]);
	}
	CHECK_U64(wrong, 0);
	mshr_finish(&m);
}

static const struct tap_test tests[] = {
	{"a free channel starts at once", a_free_channel_starts_at_once},
	{"transfers follow one another", transfers_follow_one_another},
	{"a later reservation leaves the time before it free", a_later_reservation_leaves_the_time_before_it_free},
	{"a gap shorter than a transfer is used too", a_gap_shorter_than_a_transfer_is_used_too},
	{"a gap is split around a transfer", a_gap_is_split_around_a_transfer},
	{"no time is lost while somebody waits", no_time_is_lost_while_somebody_waits},
	{"a transfer need not take whole cycles", a_transfer_need_not_take_whole_cycles},
	{"time from one cycle to another is idle or not", time_from_one_cycle_to_another_is_idle_or_not},
	{"the number of remembered gaps is bounded", the_number_of_remembered_gaps_is_bounded},
	{"the first miss buffer to be free is taken", the_first_miss_buffer_to_be_free_is_taken},
	{"the use of miss buffers adds up over cycles", the_use_of_miss_buffers_adds_up_over_cycles},
	{"cycles with a miss buffer in use are counted once", cycles_with_a_miss_buffer_in_use_are_counted_once},
	{"miss buffers are taken in the order in which they become free",
	 miss_buffers_are_taken_in_the_order_in_which_they_become_free},
};

int main(void)
{
	return tap_main("channel", tests, TAP_COUNT(tests));
}
