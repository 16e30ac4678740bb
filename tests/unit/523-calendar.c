/* The calendar of events: everything comes out once, in the order of (time, key). */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "psim/base/calendar.h"
#include "psim/base/rng.h"

enum { EVENTS = 20000, AT_ONCE = 3000 };

/*
 * Keys are numbers of events; `due` says when each has to come. Every event that comes puts in another one, with one
 * of a few usual delays, a random one near or far, or none: that one for the present instant.
 */
struct feed {
	struct calendar c;
	int64_t present;
	int64_t due[EVENTS];
	bool come[EVENTS];
	uint32_t made, taken;
};

static int64_t delay_of(uint32_t i)
{
	static const int64_t usual[] = {104000, 512000, 522000, 12000, 8000, 0};
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
	f->due[i] = f->present + delay_of(i);
	calendar_push(&f->c, f->due[i], i);
}

static void run(struct feed *f, uint32_t at_once)
{
	int64_t last = -1;
	uint32_t before = 0;

	for (uint32_t i = 0; i < at_once; i++)
		make(f);
	while (calendar_peek(&f->c, INT64_MAX, &f->present)) {
		uint32_t key = calendar_pop(&f->c);

		CHECK(f->present >= last);
		CHECK(f->present > last || key >= before); /* what is put in for this instant has a higher number */
		CHECK(f->due[key] == f->present && !f->come[key]);
		last = f->present;
		before = key;
		f->come[key] = true;
		f->taken++;
		make(f);
	}
}

static void all_come_once(bool ahead, uint32_t at_once)
{
	struct feed *f = calloc(1, sizeof(*f));
	struct err e = {0};

	REQUIRE(f != NULL && calendar_init(&f->c, ahead, &e) == 0);
	run(f, at_once);
	CHECK_U64(f->taken, EVENTS);
	CHECK_I64(calendar_time(&f->c), INT64_MAX);
	calendar_finish(&f->c);
	free(f);
}

static void all_events_come_once_in_order(void)
{
	all_come_once(false, AT_ONCE);
	all_come_once(true, AT_ONCE);
}

/* One, a few, and more and more of them: up to what one heap holds and beyond. */
static void few_events_come_in_order_too(void)
{
	for (uint32_t at_once = 1; at_once < 60; at_once++)
		all_come_once(false, at_once);
}

/* `count` events of one instant have the keys 0, step, 2 step, ... each `times` times. */
static void are_sorted(uint32_t count, uint32_t step, uint32_t times)
{
	struct calendar c;
	struct err e = {0};
	int64_t time = 0;
	uint32_t taken = 0;

	REQUIRE(calendar_init(&c, false, &e) == 0);
	for (uint32_t i = 0; i < count * times; i++)
		calendar_push(&c, 5000, (uint64_t)(i * 2791 % count) * step); /* 2791 is a prime: each once a turn */
	CHECK(!calendar_peek(&c, 4999, &time));
	while (calendar_peek(&c, 5000, &time)) {
		CHECK_I64(time, 5000);
		CHECK_U64(calendar_pop(&c), taken / times * step);
		taken++;
	}
	CHECK_U64(taken, count * times);
	calendar_finish(&c);
}

static void many_events_of_one_instant_are_sorted(void)
{
	are_sorted(5000, 1, 1);
	are_sorted(50, 1, 1);
	are_sorted(50, 1, 3);
	are_sorted(50, 5000, 1); /* keys in a large range */
	are_sorted(50, 5000, 2);
	are_sorted(50, 50000, 1);
	are_sorted(500, 50000, 1);
	are_sorted(500, 50000, 2);
}

static void an_event_that_comes_back_to_an_earlier_time_than_the_next_is_taken_first(void)
{
	struct calendar c;
	struct err e = {0};
	int64_t time = 0;

	REQUIRE(calendar_init(&c, false, &e) == 0);
	calendar_push(&c, INT64_C(1) << 45, 7); /* far away */
	CHECK(calendar_peek(&c, INT64_MAX, &time));
	CHECK_I64(time, INT64_C(1) << 45);
	calendar_push(&c, 500, 8); /* the engine returned the time of its next event, and then got a message */
	CHECK_I64(calendar_time(&c), 500);
	CHECK(calendar_peek(&c, INT64_MAX, &time));
	CHECK_U64(calendar_pop(&c), 8);
	CHECK(!calendar_peek(&c, 500, &time));
	CHECK(calendar_is_next(&c, 500, 3));
	CHECK(!calendar_is_next(&c, INT64_C(1) << 45, 8));
	calendar_finish(&c);
}

/*
 * Buckets get wider and narrower with what is in them: 100000 events of one distance, then of another, a thousand
 * times as long; each comes at the last one's time plus the distance.
 */
static void the_width_follows_the_distance_of_events(void)
{
	static const int64_t distances[] = {10, 10000000, 10};
	struct calendar c;
	struct err e = {0};
	int64_t time = 0, last = 0;

	REQUIRE(calendar_init(&c, false, &e) == 0);
	for (unsigned d = 0; d < 3; d++) {
		for (uint32_t i = 0; i < 100; i++)
			calendar_push(&c, last + distances[d] * (i + 1), i);
		for (uint32_t i = 0; i < 100000; i++) {
			REQUIRE(calendar_peek(&c, INT64_MAX, &time));
			CHECK_I64(time, last + distances[d]);
			CHECK_U64(calendar_pop(&c), i % 100);
			last = time;
			if (i < 100000 - 100)
				calendar_push(&c, time + 100 * distances[d], i % 100);
		}
		CHECK(!calendar_peek(&c, INT64_MAX, &time));
	}
	calendar_finish(&c);
}

static const struct tap_test tests[] = {
	{"all events come once, in order", all_events_come_once_in_order},
	{"few events come in order too", few_events_come_in_order_too},
	{"many events of one instant are sorted", many_events_of_one_instant_are_sorted},
	{"an earlier event than the next is taken first",
	 an_event_that_comes_back_to_an_earlier_time_than_the_next_is_taken_first},
	{"the width of buckets follows the distance of events", the_width_follows_the_distance_of_events},
};

int main(void)
{
	return tap_main("calendar of events", tests, TAP_COUNT(tests));
}
