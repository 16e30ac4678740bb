/* Bandwidth and miss buffers, reserved ahead: psim/core/channel.h. */
#include "tap.h"

#include <string.h>

#include "psim/core/channel.h"

static void a_free_channel_starts_at_once(void)
{
	struct channel c = { .interval = 4 };

	CHECK_U64(channel_reserve(&c, 10, 10), 10);
	CHECK_U64(channel_reserve(&c, 14, 14), 14);
	CHECK_U64(channel_reserve(&c, 100, 100), 100);
}

static void transfers_are_an_interval_apart(void)
{
	struct channel c = { .interval = 4 };

	/* all ask for cycle 10: 10, 14, 18 */
	CHECK_U64(channel_reserve(&c, 10, 10), 10);
	CHECK_U64(channel_reserve(&c, 10, 10), 14);
	CHECK_U64(channel_reserve(&c, 10, 10), 18);
}

static void a_later_reservation_leaves_the_time_before_it_free(void)
{
	struct channel c = { .interval = 4 };

	/* [120,124) is taken; 0..120 holds 30 transfers: at 0, 4, … 116, and the 31st goes behind */
	CHECK_U64(channel_reserve(&c, 0, 120), 120);
	for (uint64_t i = 0; i < 30; i++)
		CHECK_U64(channel_reserve(&c, 0, 0), 4 * i);
	CHECK_U64(channel_reserve(&c, 0, 0), 124);
}

static void a_gap_shorter_than_a_transfer_is_not_used(void)
{
	struct channel c = { .interval = 4 };

	/* [0,4) and [7,11): the gap [4,7) has 3 cycles */
	CHECK_U64(channel_reserve(&c, 0, 0), 0);
	CHECK_U64(channel_reserve(&c, 0, 7), 7);
	CHECK_U64(channel_reserve(&c, 0, 0), 11);
}

static void a_gap_is_split_around_a_transfer(void)
{
	struct channel c = { .interval = 4 };

	/* gap [0,100): a transfer at 50 leaves [0,50) and [54,100) */
	channel_reserve(&c, 0, 100);
	CHECK_U64(channel_reserve(&c, 0, 50), 50);
	CHECK_U64(channel_reserve(&c, 0, 49), 54); /* [49,53) would overlap */
	CHECK_U64(channel_reserve(&c, 0, 46), 46);
	CHECK_U64(channel_reserve(&c, 0, 0), 0);
}

static void reservations_never_overlap(void)
{
	/* 1000 requests at odd distances: every cycle is used at most once */
	struct channel c = { .interval = 3 };
	static unsigned char used[100000];
	uint64_t now = 0;
	unsigned x = 1, overlaps = 0, early = 0;

	memset(used, 0, sizeof(used));
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t earliest, start;

		x = x * 1103515245 + 12345;
		now += x >> 16 & 7;
		earliest = now + (x >> 20) % 150;
		start = channel_reserve(&c, now, earliest);
		early += start < earliest;
		REQUIRE(start + 3 < sizeof(used));
		for (unsigned k = 0; k < 3; k++)
			overlaps += used[start + k]++;
	}
	CHECK_U64(overlaps, 0);
	CHECK_U64(early, 0);
}

static void the_number_of_remembered_gaps_is_bounded(void)
{
	struct channel c = { .interval = 1 };

	/* every second cycle, forty times: gaps at 1, 3, 5 …; the earliest of them are forgotten */
	for (uint64_t i = 0; i < 40; i++)
		CHECK_U64(channel_reserve(&c, 0, 2 * i), 2 * i);
	CHECK_U64(c.gaps, CHANNEL_GAPS);
	/* gaps 1, 3 … 77 are 39; the first 7 are lost, the next is at 15 */
	CHECK_U64(channel_reserve(&c, 0, 0), 15);
}

static void the_first_miss_buffer_to_be_free_is_taken(void)
{
	struct mshr m;

	REQUIRE(mshr_init(&m, 3) == 0);
	CHECK_U64(mshr_free_at(&m), 0);
	mshr_take(&m, 50);
	mshr_take(&m, 30);
	CHECK_U64(mshr_free_at(&m), 0); /* the third */
	mshr_take(&m, 40);
	CHECK_U64(mshr_free_at(&m), 30);
	mshr_take(&m, 90);
	CHECK_U64(mshr_free_at(&m), 40);
	mshr_take(&m, 45);
	CHECK_U64(mshr_free_at(&m), 45);
	mshr_take(&m, 100);
	CHECK_U64(mshr_free_at(&m), 50);
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
		mshr_take(&m, kept[first]);
	}
	CHECK_U64(wrong, 0);
	mshr_finish(&m);
}

static const struct tap_test tests[] = {
	{"a free channel starts at once", a_free_channel_starts_at_once},
	{"transfers are an interval apart", transfers_are_an_interval_apart},
	{"a later reservation leaves the time before it free",
	 a_later_reservation_leaves_the_time_before_it_free},
	{"a gap shorter than a transfer is not used", a_gap_shorter_than_a_transfer_is_not_used},
	{"a gap is split around a transfer", a_gap_is_split_around_a_transfer},
	{"reservations never overlap nor come early", reservations_never_overlap},
	{"the number of remembered gaps is bounded", the_number_of_remembered_gaps_is_bounded},
	{"the first miss buffer to be free is taken", the_first_miss_buffer_to_be_free_is_taken},
	{"miss buffers are taken in the order in which they become free",
	 miss_buffers_are_taken_in_the_order_in_which_they_become_free},
};

int main(void)
{
	return tap_main("channel", tests, TAP_COUNT(tests));
}
