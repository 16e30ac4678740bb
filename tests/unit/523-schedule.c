/* The schedule of events: everything comes out once, in the order of (time, key). */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "netlink/engine/schedule.h"
#include "psim/base/rng.h"

enum { EVENTS = 20000, AT_ONCE = 3000 };

/*
 * Keys are numbers of events; `due` says when each has to come. Every event that comes puts in another one, with one
 * of a few usual delays, a random one near or far, or none: that one for the present instant.
 */
struct feed {
	struct schedule s;
	int64_t due[EVENTS];
	bool come[EVENTS];
	uint32_t made, taken;
};

static int64_t delay_of(uint32_t i)
{
	static const int64_t usual[] = { 104000, 512000, 522000, 12000, 8000, 0 };
	uint64_t kind = rng_below(1, 0, i, 10);

	if (kind < 6)
		return usual[kind];
	return (int64_t)rng_below(1, 1, i, kind < 9 ? 2000000 : UINT64_C(1) << 40);
}

static void make(struct feed *f)
{
	uint32_t i = f->made;

	if (i == EVENTS)
		return;
	f->made++;
	f->due[i] = f->s.present + delay_of(i);
	schedule_push(&f->s, f->due[i], i);
}

static void run(struct feed *f)
{
	int64_t time, last = -1;

	for (uint32_t i = 0; i < AT_ONCE; i++)
		make(f);
	while ((time = schedule_time(&f->s)) < INT64_MAX) {
		uint32_t before = 0;

		CHECK(time >= last);
		last = time;
		schedule_begin(&f->s, time);
		while (schedule_more(&f->s)) {
			uint32_t key = schedule_pop(&f->s);

			CHECK(key >= before); /* what is put in for this instant has a higher number */
			CHECK(f->due[key] == time && !f->come[key]);
			before = key;
			f->come[key] = true;
			f->taken++;
			make(f);
		}
	}
}

static void all_events_come_once_in_order(void)
{
	struct feed *f = calloc(1, sizeof *f);
	struct err e = { 0 };

	REQUIRE(f != NULL && schedule_init(&f->s, &e) == 0);
	run(f);
	CHECK_U64(f->taken, EVENTS);
	schedule_finish(&f->s);
	free(f);
}

static void many_events_of_one_instant_are_sorted(void)
{
	struct schedule s;
	struct err e = { 0 };
	uint32_t expected = 0;

	REQUIRE(schedule_init(&s, &e) == 0);
	for (uint32_t i = 0; i < 5000; i++)
		schedule_push(&s, 1000, i * 2791 % 5000); /* 2791 and 5000 have no common factor: each once */
	CHECK_I64(schedule_time(&s), 1000);
	schedule_begin(&s, 1000);
	while (schedule_more(&s))
		CHECK_U64(schedule_pop(&s), expected++);
	CHECK_U64(expected, 5000);
	schedule_finish(&s);
}

static void an_event_that_comes_back_to_an_earlier_time_than_the_next_is_taken_first(void)
{
	struct schedule s;
	struct err e = { 0 };

	REQUIRE(schedule_init(&s, &e) == 0);
	schedule_push(&s, INT64_C(1) << 45, 7); /* far away */
	CHECK_I64(schedule_time(&s), INT64_C(1) << 45);
	schedule_push(&s, 500, 8); /* the engine was asked when the next event is, and then got a message */
	CHECK_I64(schedule_time(&s), 500);
	schedule_begin(&s, 500);
	CHECK_U64(schedule_pop(&s), 8);
	CHECK(schedule_is_next(&s, 3));
	schedule_finish(&s);
}

static const struct tap_test tests[] = {
	{ "all events come once, in order", all_events_come_once_in_order },
	{ "many events of one instant are sorted", many_events_of_one_instant_are_sorted },
	{ "an earlier event than the next is taken first",
	  an_event_that_comes_back_to_an_earlier_time_than_the_next_is_taken_first },
};

int main(void)
{
	return tap_main("schedule of events", tests, TAP_COUNT(tests));
}
