/* Tallies: psim/base/tally.h. */
#include "tap.h"

#include "psim/base/rng.h"
#include "psim/base/tally.h"

static void what_is_added_can_be_taken(void)
{
	struct tally t = {0};
	struct err e;

	CHECK(!tally_has(&t, 7));
	CHECK(!tally_take(&t, 7));
	CHECK(tally_add(&t, 7, &e) == 0 && tally_add(&t, 7, &e) == 0 && tally_add(&t, 0, &e) == 0);
	CHECK(tally_has(&t, 7) && tally_has(&t, 0) && !tally_has(&t, 1));
	CHECK(tally_take(&t, 7) && tally_take(&t, 7) && !tally_take(&t, 7));
	CHECK(tally_take(&t, 0) && !tally_has(&t, 0));
	CHECK_I64((int64_t)t.used, 0);
	tally_finish(&t);
	CHECK(!tally_has(&t, 7));
}

/* Keys come and go at random, in a table that is half full: gaps of probe sequences close. */
static void random_keys_are_counted(void)
{
	enum { KEYS = 500, STEPS = 20000 };
	static unsigned count[KEYS];
	struct tally t = {0};
	bool equal = true;
	struct err e;

	for (unsigned i = 0; i < STEPS; i++) {
		unsigned k = (unsigned)rng_below(1, 0, 2 * i, KEYS);
		uint64_t key = (uint64_t)k << 32 | k % 3;

		if (rng_below(1, 0, 2 * i + 1, 2)) {
			equal &= tally_add(&t, key, &e) == 0;
			count[k]++;
		} else {
			equal &= tally_take(&t, key) == (count[k] > 0);
			count[k] -= count[k] > 0;
		}
		equal &= tally_has(&t, key) == (count[k] > 0);
	}
	for (unsigned k = 0; k < KEYS; k++)
		for (; count[k]; count[k]--)
			equal &= tally_take(&t, (uint64_t)k << 32 | k % 3);
	CHECK(equal);
	CHECK_I64((int64_t)t.used, 0);
	tally_finish(&t);
}

static const struct tap_test tests[] = {
	{"what is added can be taken", what_is_added_can_be_taken},
	{"random keys are counted", random_keys_are_counted},
};

int main(void)
{
	return tap_main("tally", tests, TAP_COUNT(tests));
}
