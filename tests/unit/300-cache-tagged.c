/* A cache whose lines keep their places (psim/memory/cache_tagged.h), by itself and beside one in the order of use. */
#include "tap.h"

#include "psim/base/rng.h"
#include "psim/memory/cache_tagged.h"

/* One set of 12 ways of 64 bytes. */
static void one_set(struct cache *c)
{
	REQUIRE(tagged_init(c, UINT64_C(12) * 64, 12, 64) == 0);
	for (uint64_t line = 1; line <= 12; line++)
		CHECK_HEX(tagged_insert(c, 64 * line, 0, 100 + line), 0);
}

static void the_victim_is_the_least_recently_used(void)
{
	struct cache c;

	one_set(&c);
	CHECK(tagged_use(&c, 64 * 1) != CACHE_ABSENT);
	CHECK(tagged_use(&c, 64 * 3) != CACHE_ABSENT);
	/* in the order of use: 2, 4, 5, … 12, 1, 3 */
	CHECK_HEX(tagged_insert(&c, 64 * 13, LINE_DIRTY, 0), 64 * 2 | LINE_VALID);
	CHECK_HEX(tagged_insert(&c, 64 * 14, 0, 0), 64 * 4 | LINE_VALID);
	for (uint64_t line = 15; line < 23; line++)
		CHECK_HEX(tagged_insert(&c, 64 * line, 0, 0), 64 * (line - 10) | LINE_VALID);
	CHECK_HEX(tagged_insert(&c, 64 * 23, 0, 0), 64 * 1 | LINE_VALID);
	CHECK_HEX(tagged_insert(&c, 64 * 24, 0, 0), 64 * 3 | LINE_VALID);
	CHECK_HEX(tagged_insert(&c, 64 * 25, 0, 0), 64 * 13 | LINE_VALID | LINE_DIRTY);
	cache_finish(&c);
}

static void a_line_keeps_its_place_and_what_it_has(void)
{
	struct cache c;
	size_t place;

	one_set(&c);
	place = tagged_find(&c, 64 * 7);
	CHECK_U64(c.fill[place], 107);
	CHECK(tagged_use(&c, 64 * 7) == place);
	CHECK(tagged_use(&c, 64 * 9) != place);
	CHECK(tagged_find(&c, 64 * 7) == place);
	CHECK(tagged_at_rank(&c, 0, 1) == place);
	CHECK(tagged_find(&c, 64 * 13) == CACHE_ABSENT);
	cache_finish(&c);
}

static void a_removed_line_leaves_the_next_place_to_fill(void)
{
	struct cache c;

	one_set(&c);
	CHECK_HEX(tagged_remove(&c, 64 * 6), 64 * 6 | LINE_VALID);
	CHECK_HEX(tagged_remove(&c, 64 * 6), 0);
	CHECK(tagged_find(&c, 64 * 6) == CACHE_ABSENT);
	CHECK_HEX(c.tag[tagged_at_rank(&c, 0, 11)], 0);
	CHECK_HEX(tagged_insert(&c, 64 * 13, 0, 0), 0);
	CHECK_HEX(tagged_insert(&c, 64 * 14, 0, 0), 64 * 1 | LINE_VALID);
	cache_finish(&c);
}

/* Lines of both in the order of use, set by set. */
static void same_lines(const struct cache *a, const struct cache *b)
{
	for (size_t set = 0; set < a->sets; set++)
		for (unsigned rank = 0; rank < a->ways; rank++) {
			size_t i = tagged_at_rank(a, set, rank), k = set * b->ways + rank;

			REQUIRE(a->tag[i] == b->tag[k]);
			REQUIRE(!a->tag[i] || a->fill[i] == b->fill[k]);
		}
}

/* Performs random access `n` in both. */
static void access_both(struct cache *a, struct cache *b, uint64_t n)
{
	uint64_t address = rng_below(a->ways, a->sets, 4 * n, 2 * a->sets * a->ways) * 64;
	uint64_t fill = rng_below(a->ways, a->sets, 4 * n + 1, 1000);
	unsigned flags = rng_below(a->ways, a->sets, 4 * n + 2, 2) ? LINE_DIRTY : 0;

	if (rng_below(a->ways, a->sets, 4 * n + 3, 8) == 0) {
		REQUIRE(tagged_remove(a, address) == cache_remove(b, address));
		return;
	}
	REQUIRE((tagged_find(a, address) == CACHE_ABSENT) == (cache_find(b, address) == CACHE_ABSENT));
	if (cache_use(b, address) != CACHE_ABSENT) {
		REQUIRE(tagged_use(a, address) != CACHE_ABSENT);
		return;
	}
	REQUIRE(tagged_use(a, address) == CACHE_ABSENT);
	REQUIRE(tagged_insert(a, address, flags, fill) == cache_insert(b, address, flags, fill));
}

static void random_accesses_are_those_of_a_cache_in_order_of_use(void)
{
	static const unsigned sets[] = {1, 3, 8};

	for (unsigned ways = 1; ways <= TAGGED_WAYS + 1; ways++)
		for (unsigned n = 0; n < 3; n++) {
			uint64_t size = (uint64_t)sets[n] * ways * 64;
			struct cache a, b;

			REQUIRE(tagged_init(&a, size, ways, 64) == 0 && cache_init(&b, size, ways, 64) == 0);
			for (unsigned k = 0; k < 1000; k++)
				access_both(&a, &b, k);
			same_lines(&a, &b);
			cache_finish(&a);
			cache_finish(&b);
		}
}

static const struct tap_test tests[] = {
	{"the victim is the least recently used line of the set", the_victim_is_the_least_recently_used},
	{"a line keeps its place, and what it has", a_line_keeps_its_place_and_what_it_has},
	{"a removed line leaves the next place to fill", a_removed_line_leaves_the_next_place_to_fill},
	{"random accesses are those of a cache in the order of use",
	 random_accesses_are_those_of_a_cache_in_order_of_use},
};

int main(void)
{
	return tap_main("cache of lines that keep their places", tests, TAP_COUNT(tests));
}
