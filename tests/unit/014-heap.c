/* Binary heaps: psim/base/heap.h. */
#include "tap.h"

#include <stdbool.h>
#include <stdint.h>

#include "psim/base/heap.h"
#include "psim/base/rng.h"

struct job {
	unsigned time, number;
};

static bool before(const struct job *a, const struct job *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

HEAP(jobs, struct job, before)

static void the_first_comes_out_first(void)
{
	static const unsigned times[] = {5, 2, 8, 2, 1};
	struct job at[5], x;

	for (unsigned i = 0; i < 5; i++)
		jobs_push(at, i, (struct job){times[i], i});
	/* 1 (number 4), the two of 2 by number (1, 3), 5 (0), 8 (2) */
	x = jobs_pop(at, 5);
	CHECK(x.time == 1 && x.number == 4);
	x = jobs_pop(at, 4);
	CHECK(x.time == 2 && x.number == 1);
	x = jobs_pop(at, 3);
	CHECK(x.time == 2 && x.number == 3);
	x = jobs_pop(at, 2);
	CHECK(x.time == 5 && x.number == 0);
	x = jobs_pop(at, 1);
	CHECK(x.time == 8 && x.number == 2);
}

/* Random pushes and pops, compared with a search of all elements. */
static void any_order_of_pushes_and_pops(void)
{
	enum { ROOM = 60 };
	struct job at[ROOM], copy[ROOM], x;
	size_t count = 0;

	for (uint64_t step = 0; step < 20000; step++) {
		if (count < ROOM && (!count || rng_u64(1, 0, step) % 2)) {
			x = (struct job){(unsigned)(rng_u64(1, 1, step) % 20), (unsigned)step};
			copy[count] = x;
			jobs_push(at, count++, x);
			continue;
		}
		size_t least = 0;

		for (size_t i = 1; i < count; i++)
			least = before(&copy[i], &copy[least]) ? i : least;
		x = jobs_pop(at, count--);
		CHECK(x.time == copy[least].time && x.number == copy[least].number);
		copy[least] = copy[count];
	}
}

static const struct tap_test tests[] = {
	{"the first comes out first, of equals by the rest of the order", the_first_comes_out_first},
	{"any order of pushes and pops", any_order_of_pushes_and_pops},
};

int main(void)
{
	return tap_main("heap", tests, TAP_COUNT(tests));
}
