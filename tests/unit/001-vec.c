/* Checked memory and growable arrays: psim/base/mem.h, vec.h, slots.h. */
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "psim/base/mem.h"
#include "psim/base/slots.h"
#include "psim/base/vec.h"

struct ints vec_of(int);

static void memory_is_zeroed(void)
{
	unsigned char *p = mem_alloc(100, 3, NULL);
	unsigned sum = 0;

	REQUIRE(p != NULL);
	for (int i = 0; i < 300; i++)
		sum += p[i];
	CHECK_U64(sum, 0);
	free(p);
}

static void a_product_that_overflows_is_refused(void)
{
	struct err e = {0};
	int *p = mem_alloc(4, sizeof(*p), NULL);

	REQUIRE(p != NULL);
	/* (2^63 + 1) * 4 = 4 modulo 2^64: a careless product would succeed */
	CHECK(mem_alloc(SIZE_MAX / 2 + 2, 4, &e) == NULL);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK(!strncmp(e.text, "out of memory", 13));
	CHECK(mem_resize(p, SIZE_MAX / 2 + 2, 4, &e) == NULL);
	p[3] = 7; /* still ours */
	free(p);
}

static void nothing_asked_for_is_something(void)
{
	void *p = mem_alloc(0, 8, NULL);

	CHECK(p != NULL); /* NULL means failure and nothing else */
	free(p);
}

static void a_failed_allocation_says_how_much(void)
{
	struct err e;

	alloc_fail_at(1);
	CHECK(mem_alloc(5, 16, &e) == NULL);
	CHECK_I64(alloc_fail_end(), 1);
	CHECK_STR(e.text, "out of memory: request of 5 elements of 16 bytes");
}

static void pushed_elements_stay_in_order(void)
{
	struct ints v = {0};
	long sum = 0;

	for (int i = 0; i < 1000; i++) {
		int *p = vec_push(&v, NULL);

		REQUIRE(p != NULL);
		*p = i;
	}
	CHECK_U64(v.count, 1000);
	for (size_t i = 0; i < v.count; i++)
		sum += v.at[i] * (long)(i + 1);
	CHECK_I64(sum, 333333000); /* sum of i (i + 1) for i < n = (n - 1) n (n + 1) / 3 = 999 *
	                              1000 * 1001 / 3 */
	vec_finish(&v);
	CHECK(v.at == NULL && v.count == 0);
}

static void room_doubles(void)
{
	struct ints v = {0};
	unsigned moves = 0;
	size_t room = 0;

	for (int i = 0; i < 1024; i++) {
		vec_push(&v, NULL);
		moves += v.room != room;
		room = v.room;
	}
	CHECK_U64(moves, 8); /* 8, 16, 32, 64, 128, 256, 512, 1024 */
	vec_finish(&v);
}

static void a_push_without_memory_changes_nothing(void)
{
	struct ints v = {0};
	struct err e = {0};
	int *first = vec_push(&v, NULL);

	REQUIRE(first != NULL);
	*first = 42;
	v.count = v.room; /* full: the next one has to grow */
	alloc_fail_at(1);
	CHECK(vec_push(&v, &e) == NULL);
	CHECK_I64(alloc_fail_end(), 1);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK_U64(v.count, v.room);
	CHECK_I64(v.at[0], 42);
	vec_finish(&v);
}

static void too_much_room_is_refused(void)
{
	struct ints v = {0};
	struct err e = {0};

	CHECK_I64(vec_reserve(&v, SIZE_MAX / 2 + 1, &e), -1);
	CHECK_STR(e.text, "out of memory");
	CHECK(v.at == NULL);
}

static void the_last_slot_given_back_is_taken_first(void)
{
	struct slots_of(int) s = {0};

	for (uint32_t i = 0; i < 10; i++) {
		CHECK_U64(slots_take(&s, NULL), i);
		s.at[i] = (int)(100 + i);
	}
	slots_give(&s, 3);
	slots_give(&s, 7);
	CHECK_I64(s.at[3], 103); /* it stays as it was */
	CHECK_U64(slots_take(&s, NULL), 7);
	CHECK_U64(slots_take(&s, NULL), 3);
	CHECK_U64(slots_take(&s, NULL), 10);
	CHECK_U64(s.count, 11);
	slots_finish(&s);
	CHECK(s.at == NULL && s.spare == NULL);
	CHECK_U64(slots_take(&s, NULL), 0);
	slots_finish(&s);
}

/* All slots of the room can be given back, however its growth has failed: at the elements, or at their numbers. */
static void a_slot_without_memory_changes_nothing(void)
{
	struct slots_of(int) s = {0};
	struct err e = {0};

	for (unsigned full = 0; full < 2; full++) {
		for (unsigned k = 1; k <= 2; k++) {
			size_t count = s.count;

			alloc_fail_at(k);
			CHECK_U64(slots_take(&s, &e), SLOT_NONE);
			CHECK_I64(alloc_fail_end(), 1);
			CHECK_U64(e.status, STATUS_FAILED);
			CHECK_U64(s.count, count);
		}
		do {
			CHECK(slots_take(&s, &e) != SLOT_NONE);
		} while (s.count < s.room);
	}
	for (uint32_t i = 0; i < s.count; i++)
		slots_give(&s, i);
	CHECK_U64(s.spares, s.count);
	slots_finish(&s);
}

static const struct tap_test tests[] = {
	{"memory is zeroed", memory_is_zeroed},
	{"a product that overflows is refused", a_product_that_overflows_is_refused},
	{"an allocation of nothing is not NULL", nothing_asked_for_is_something},
	{"a failed allocation says how much was asked for", a_failed_allocation_says_how_much},
	{"pushed elements stay in order", pushed_elements_stay_in_order},
	{"an array doubles its room", room_doubles},
	{"a push without memory changes nothing", a_push_without_memory_changes_nothing},
	{"more room than there are addresses is refused", too_much_room_is_refused},
	{"the last slot given back is taken first", the_last_slot_given_back_is_taken_first},
	{"a slot without memory changes nothing", a_slot_without_memory_changes_nothing},
};

int main(void)
{
	return tap_main("vec", tests, TAP_COUNT(tests));
}
