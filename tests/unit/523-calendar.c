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

/* Takes the next event up to `end`, and puts in another one; false: there is none. */
static bool take_one(struct feed *f, int64_t end)
{
	struct event event = calendar_take(&f->c, end);

	if (event.time == INT64_MAX)
		return false;
	CHECK(event.time >= f->present && event.time <= end);
	REQUIRE(event.key < EVENTS);
	CHECK(f->due[event.key] == event.time && !f->come[event.key]);
	f->present = event.time;
	f->come[event.key] = true;
	f->taken++;
	make(f);
	return true;
}

/* In steps of time, as a part of a network does it: at the end of each come `at_once` events from elsewhere. */
static void step_by_step(bool ahead, uint32_t at_once)
{
	struct feed *f = calloc(1, sizeof(*f));
	struct err e = {0};
	int64_t end = 0;

	REQUIRE(f != NULL && calendar_init(&f->c, ahead, &e) == 0);
	while (f->made < EVENTS) {
		for (uint32_t i = 0; i < at_once; i++)
			make(f);
		for (end += 104000; take_one(f, end - 1);)
			;
		f->present = end;
	}
	while (take_one(f, INT64_MAX - 1))
		;
	CHECK_U64(f->taken, EVENTS);
	calendar_finish(&f->c);
	free(f);
}

static void steps_of_time_have_all_events_in_order(void)
{
	for (uint32_t at_once = 1; at_once < 1000; at_once *= 3) {
		step_by_step(false, at_once);
		step_by_step(true, at_once);
	}
}

/* A step ends before all events of its bucket, and a dozen come for the time before these. */
static void events_before_those_of_the_bucket_come_first(void)
{
	struct calendar c;
	struct err e = {0};

	REQUIRE(calendar_init(&c, true, &e) == 0);
	for (unsigned i = 0; i < 100; i++)
		calendar_push(&c, 21500 + 100 * i, 12 + i);
	CHECK_I64(calendar_take(&c, 21000).time, INT64_MAX);
	for (unsigned i = 0; i < 12; i++)
		calendar_push(&c, 21001 + i, i);
	for (unsigned i = 0; i < 112; i++) {
		struct event event = calendar_take(&c, 40000);

		CHECK_I64(event.time, i < 12 ? 21001 + i : 21500 + 100 * (i - 12));
		CHECK_U64(event.key, i);
	}
	CHECK_I64(calendar_take(&c, 40000).time, INT64_MAX);
	calendar_finish(&c);
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
	{"steps of time have all events, in order", steps_of_time_have_all_events_in_order},
	{"events before those of the bucket come first", events_before_those_of_the_bucket_come_first},
	{"many events of one instant are sorted", many_events_of_one_instant_are_sorted},
	{"an earlier event than the next is taken first",
	 an_event_that_comes_back_to_an_earlier_time_than_the_next_is_taken_first},
	{"the width of buckets follows the distance of events", the_width_follows_the_distance_of_events},
};

int main(void)
{
	return tap_main("calendar of events", tests, TAP_COUNT(tests));
}
