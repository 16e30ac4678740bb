/* The tags of one cache: psim/memory/cache.h. */
#include "tap.h"

#include "psim/memory/cache.h"

/* 2 sets of 3 ways of 64 bytes: line n (address 64 n) goes to set n % 2. */
static void small(struct cache *c)
{
	REQUIRE(cache_init(c, 2 * 3 * 64, 3, 64) == 0);
}

static bool has(const struct cache *c, uint64_t line)
{
	return cache_find(c, line * 64) != CACHE_ABSENT;
}

static void an_empty_cache_has_nothing(void)
{
	struct cache c;

	small(&c);
	CHECK(!has(&c, 0));
	CHECK(cache_use(&c, 64) == CACHE_ABSENT);
	CHECK_U64(cache_remove(&c, 64), 0);
	cache_finish(&c);
}

static void every_byte_of_a_line_finds_it(void)
{
	struct cache c;

	small(&c);
	cache_insert(&c, 5 * 64 + 17, 0, 0);
	CHECK(cache_find(&c, 5 * 64) != CACHE_ABSENT);
	CHECK(cache_find(&c, 5 * 64 + 63) != CACHE_ABSENT);
	CHECK(cache_find(&c, 6 * 64) == CACHE_ABSENT);
	CHECK(cache_find(&c, 5 * 64 - 1) == CACHE_ABSENT);
	cache_finish(&c);
}

static void the_victim_is_the_least_recently_used(void)
{
	struct cache c;

	small(&c);
	/* set 0: 0, 2, 4; then 0 is used, so 2 is the oldest, then 4 */
	cache_insert(&c, 0 * 64, 0, 0);
	cache_insert(&c, 2 * 64, 0, 0);
	cache_insert(&c, 4 * 64, 0, 0);
	cache_use(&c, 0);
	CHECK_HEX(cache_insert(&c, 6 * 64, 0, 0), (2 * 64) | LINE_VALID);
	CHECK_HEX(cache_insert(&c, 8 * 64, 0, 0), (4 * 64) | LINE_VALID);
	CHECK(has(&c, 0) && has(&c, 6) && has(&c, 8));
	cache_finish(&c);
}

static void find_does_not_count_as_use(void)
{
	struct cache c;

	small(&c);
	cache_insert(&c, 0 * 64, 0, 0);
	cache_insert(&c, 2 * 64, 0, 0);
	cache_insert(&c, 4 * 64, 0, 0);
	cache_find(&c, 0);
	CHECK_HEX(cache_insert(&c, 6 * 64, 0, 0), 0 | LINE_VALID);
	cache_finish(&c);
}

static void sets_do_not_share_ways(void)
{
	struct cache c;

	small(&c);
	for (unsigned i = 0; i < 10; i++)
		cache_insert(&c, 2 * i * 64, 0, 0); /* all in set 0 */
	CHECK_HEX(cache_insert(&c, 1 * 64, 0, 0), 0);
	CHECK(has(&c, 1));
	cache_finish(&c);
}

static void an_emptied_way_is_used_before_a_line_goes(void)
{
	struct cache c;

	small(&c);
	cache_insert(&c, 0 * 64, 0, 0);
	cache_insert(&c, 2 * 64, LINE_DIRTY, 0);
	cache_insert(&c, 4 * 64, 0, 0);
	CHECK_HEX(cache_remove(&c, 2 * 64), (2 * 64) | LINE_VALID | LINE_DIRTY);
	CHECK(!has(&c, 2));
	CHECK_HEX(cache_insert(&c, 6 * 64, 0, 0), 0);
	/* order of age now: 0, 4, 6 */
	CHECK_HEX(cache_insert(&c, 8 * 64, 0, 0), 0 | LINE_VALID);
	cache_finish(&c);
}

static void the_fill_word_travels_with_its_line(void)
{
	struct cache c;
	size_t i;

	small(&c);
	cache_insert(&c, 0 * 64, LINE_FILL_PENDING, fill_word(1000, 2, true));
	cache_insert(&c, 2 * 64, LINE_FILL_PENDING, fill_word(2000, 1, false));
	i = cache_use(&c, 0);
	REQUIRE(i != CACHE_ABSENT);
	CHECK_U64(fill_cycle(c.fill[i]), 1000);
	CHECK_U64(fill_level(c.fill[i]), 2);
	CHECK(fill_prefetched(c.fill[i]));
	i = cache_use(&c, 2 * 64);
	REQUIRE(i != CACHE_ABSENT);
	CHECK_U64(fill_cycle(c.fill[i]), 2000);
	CHECK_U64(fill_level(c.fill[i]), 1);
	CHECK(!fill_prefetched(c.fill[i]));
	cache_finish(&c);
}

static void sets_need_not_be_a_power_of_two(void)
{
	struct cache c;

	/* 3 sets of 1 way: lines n and n + 3 collide, n and n + 1, n + 2, n + 4 do not */
	REQUIRE(cache_init(&c, 3 * 64, 1, 64) == 0);
	CHECK_HEX(cache_insert(&c, 7 * 64, 0, 0), 0);
	CHECK_HEX(cache_insert(&c, 8 * 64, 0, 0), 0);
	CHECK_HEX(cache_insert(&c, 9 * 64, 0, 0), 0);
	CHECK_HEX(cache_insert(&c, 10 * 64, 0, 0), (7 * 64) | LINE_VALID);
	CHECK(has(&c, 8) && has(&c, 9) && has(&c, 10));
	cache_finish(&c);
}

static void one_set_holds_any_lines(void)
{
	struct cache c;

	REQUIRE(cache_init(&c, 4 * 64, 4, 64) == 0);
	CHECK_HEX(cache_insert(&c, 0, 0, 0), 0);
	CHECK_HEX(cache_insert(&c, 64, 0, 0), 0);
	CHECK_HEX(cache_insert(&c, 5 * 64, 0, 0), 0);
	CHECK_HEX(cache_insert(&c, ~(uint64_t)63, 0, 0), 0);
	CHECK(has(&c, 0) && has(&c, 1) && has(&c, 5));
	CHECK(cache_find(&c, UINT64_MAX) != CACHE_ABSENT);
	cache_finish(&c);
}

static const struct tap_test tests[] = {
	{"an empty cache has nothing", an_empty_cache_has_nothing},
	{"every byte of a line finds it, its neighbours do not", every_byte_of_a_line_finds_it},
	{"the victim is the least recently used line of the set", the_victim_is_the_least_recently_used},
	{"looking for a line does not count as a use", find_does_not_count_as_use},
	{"sets do not share ways", sets_do_not_share_ways},
	{"an emptied way is used before a line goes", an_emptied_way_is_used_before_a_line_goes},
	{"the fill word travels with its line", the_fill_word_travels_with_its_line},
	{"the number of sets need not be a power of two", sets_need_not_be_a_power_of_two},
	{"one set holds any lines, also the last of the address space", one_set_holds_any_lines},
};

int main(void)
{
	return tap_main("cache", tests, TAP_COUNT(tests));
}
