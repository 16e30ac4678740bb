/* Caches with a replacement policy other than LRU: psim/memory/replacement.h, cache_tagged.h. */
#include "tap.h"

#include "psim/memory/cache_tagged.h"

/* A set of four ways with SRRIP of two bits. */
static void srrip_set(struct cache *c)
{
	REQUIRE(tagged_init_policy(c, UINT64_C(4) * 64, 4, 64, &REPLACEMENT_SRRIP_kind, 3) == 0);
}

static uint64_t put(struct cache *c, char name)
{
	return tagged_insert(c, 64 * (uint64_t)name, 0, 0) / 64;
}

static bool hits(struct cache *c, char name)
{
	return tagged_use(c, 64 * (uint64_t)name) != CACHE_ABSENT;
}

/* In brackets: the values of the four ways. */
static void victims_are_the_first_of_the_highest_value(void)
{
	struct cache c;

	srrip_set(&c);
	for (const char *name = "ABCD"; *name; name++)
		CHECK_U64(put(&c, *name), 0);
	CHECK(hits(&c, 'A'));         /* [0 2 2 2] */
	CHECK_U64(put(&c, 'E'), 'B'); /* rise to [1 3 3 3]; [1 2 3 3] */
	CHECK_U64(put(&c, 'F'), 'C'); /* [1 2 2 3] */
	CHECK_U64(put(&c, 'G'), 'D'); /* [1 2 2 2] */
	CHECK(hits(&c, 'E'));         /* [1 0 2 2] */
	CHECK_U64(put(&c, 'H'), 'F'); /* rise to [2 1 3 3]; [2 1 2 3] */
	CHECK_U64(put(&c, 'I'), 'G'); /* [2 1 2 2] */
	CHECK_U64(put(&c, 'J'), 'A'); /* rise to [3 2 3 3]; [2 2 3 3] */
	CHECK_U64(put(&c, 'K'), 'H'); /* [2 2 2 3] */
	CHECK(!hits(&c, 'H'));
	for (const char *name = "JEKI"; *name; name++)
		CHECK(tagged_find(&c, 64 * (uint64_t)*name) == (size_t)(name - "JEKI"));
	cache_finish(&c);
}

/* a and b, used twice, and a scan of `lines`; returns which of them are still there, as bits. */
static unsigned kept_after_scan(struct cache *c, unsigned lines)
{
	for (const char *name = "abba"; *name; name++)
		if (!hits(c, *name))
			put(c, *name);
	for (unsigned n = 0; n < lines; n++)
		put(c, (char)('A' + n));
	return hits(c, 'a') + 2 * hits(c, 'b');
}

/*
 * The values of a and b are 0 before the scan, whose lines take the two other ways. Every second one makes all values
 * rise by 1, from [0 0 2 2]: [1 1 3 3], [2 2 3 3], and with the seventh [3 3 3 3], where a is the first.
 */
static void a_scan_leaves_reused_lines(void)
{
	for (unsigned lines = 1; lines <= 7; lines++) {
		struct cache c, lru;

		srrip_set(&c);
		REQUIRE(tagged_init(&lru, UINT64_C(4) * 64, 4, 64) == 0);
		CHECK_U64(kept_after_scan(&c, lines), lines < 7 ? 3 : 2);
		/* of a scan of two lines LRU keeps both, of three the last used one */
		CHECK_U64(kept_after_scan(&lru, lines), lines < 3 ? 3 : lines == 3 ? 1 : 0);
		cache_finish(&c);
		cache_finish(&lru);
	}
}

static void a_removed_line_leaves_its_way_to_fill(void)
{
	struct cache c;

	srrip_set(&c);
	for (const char *name = "ABCD"; *name; name++)
		put(&c, *name);
	CHECK(hits(&c, 'B'));
	CHECK_HEX(tagged_remove(&c, 64 * 'B'), 64 * 'B' | LINE_VALID);
	CHECK_HEX(tagged_remove(&c, 64 * 'B'), 0);
	CHECK_U64(c.states[0].state[1], 0);
	CHECK(tagged_find(&c, 64 * 'B') == CACHE_ABSENT);
	CHECK_HEX(tagged_remove(&c, 64 * 'A'), 64 * 'A' | LINE_VALID);
	CHECK(tagged_find_rare(&c, 64 * 'C') == 2); /* behind an empty way */
	CHECK_U64(put(&c, 'E'), 0);
	CHECK(tagged_find(&c, 64 * 'E') == 0);
	CHECK_U64(put(&c, 'F'), 0);
	CHECK_U64(put(&c, 'G'), 'E'); /* [2 2 2 2] */
	cache_finish(&c);
}

/*
 * Four ways in a tree: a use of way n points the root and the node of its pair away from it. After A B C D the root
 * points to the first pair, and that to A. A use of A points the root to the second pair, which points to C, and not
 * to B, the least recently used one.
 */
static void a_tree_points_away_from_the_last_use(void)
{
	struct cache c;

	REQUIRE(tagged_init_policy(&c, UINT64_C(4) * 64, 4, 64, &REPLACEMENT_PLRU_kind, 1) == 0);
	for (const char *name = "ABCD"; *name; name++)
		CHECK_U64(put(&c, *name), 0);
	CHECK(hits(&c, 'A'));
	CHECK_U64(put(&c, 'E'), 'C'); /* the second pair points to D, the root to the first pair, which points to B */
	CHECK_U64(put(&c, 'F'), 'B');
	CHECK_U64(put(&c, 'G'), 'D');
	CHECK_U64(put(&c, 'H'), 'A');
	cache_finish(&c);
}

/* With lines that are all used in turn, a tree of any number of ways evicts each before any a second time. */
static void a_tree_of_any_ways_takes_all_in_turn(void)
{
	for (unsigned ways = 1; ways <= 24; ways++) {
		struct cache c;
		uint64_t seen = 0;

		REQUIRE(tagged_init_policy(&c, UINT64_C(64) * ways, ways, 64, &REPLACEMENT_PLRU_kind, 1) == 0);
		for (unsigned n = 0; n < ways; n++)
			put(&c, (char)('A' + n));
		for (unsigned n = 0; n < ways; n++)
			seen |= UINT64_C(1) << (put(&c, (char)('a' + n)) - 'A');
		if ((ways & (ways - 1)) == 0) /* halves are equal: the victims alternate between them */
			CHECK_HEX(seen, (UINT64_C(1) << ways) - 1);
		CHECK(seen & 1);
		cache_finish(&c);
	}
}

/* The register's first steps, from 1: b400, 5a00, 2d00, 1680, 0b40. It comes back to 1 after 65 535. */
static void random_victims_are_those_of_the_register(void)
{
	static const unsigned expected[] = {0xb400 % 7, 0x5a00 % 7, 0x2d00 % 7, 0x1680 % 7, 0x0b40 % 7};
	uint8_t state[7] = {0};
	uint64_t word = 0;
	struct replacement_set s = {.state = state, .cache = &word, .ways = 7, .sets = 1};
	unsigned count[7] = {0};

	for (unsigned n = 0; n < 5; n++)
		CHECK_U64(REPLACEMENT_RANDOM_kind.victim(&s), expected[n]);
	for (unsigned n = 5; n < 65535; n++)
		count[REPLACEMENT_RANDOM_kind.victim(&s)]++;
	CHECK_HEX(word, 1); /* the whole period */
	for (unsigned way = 0; way < 7; way++)
		CHECK(count[way] > 9300 && count[way] < 9420); /* 65 535 / 7 = 9362 */
}

/* A cyclic walk over `lines` lines, in a cache of 256 sets of four ways; returns the hits of the last of 40 rounds. */
static unsigned hits_of_a_walk(const struct replacement_kind *row, unsigned limit, unsigned lines)
{
	struct cache c;
	unsigned found = 0;

	REQUIRE(tagged_init_policy(&c, UINT64_C(1024) * 64, 4, 64, row, limit) == 0);
	for (unsigned round = 1; round <= 40; round++)
		for (uint64_t n = 0; n < lines; n++) {
			if (tagged_use(&c, 64 * n) == CACHE_ABSENT)
				tagged_insert(&c, 64 * n, 0, 0);
			else
				found += round == 40;
		}
	cache_finish(&c);
	return found;
}

/*
 * 2048 lines in a cache of 1024: with SRRIP, as with LRU, no line is used again before it leaves, and nothing hits.
 * BRRIP leaves old lines where they are: of the eight lines of a set up to three stay. DRRIP's 192 followers choose it,
 * so more hit than the 96 lines of its 32 leaders. Walks that fit hit each time, with any policy.
 */
static void dueling_keeps_a_part_of_a_walk_that_does_not_fit(void)
{
	CHECK_U64(hits_of_a_walk(&REPLACEMENT_SRRIP_kind, 3, 2048), 0);
	CHECK(hits_of_a_walk(&REPLACEMENT_DRRIP_kind, 3, 2048) > 96);
	CHECK_U64(hits_of_a_walk(&REPLACEMENT_SRRIP_kind, 3, 1024), 1024);
	CHECK_U64(hits_of_a_walk(&REPLACEMENT_DRRIP_kind, 3, 1024), 1024);
	CHECK_U64(hits_of_a_walk(&REPLACEMENT_PLRU_kind, 1, 1024), 1024);
	CHECK_U64(hits_of_a_walk(&REPLACEMENT_RANDOM_kind, 0, 1024), 1024);
}

static unsigned bits_of(const struct replacement_kind *row, unsigned ways, unsigned rrpv_bits)
{
	struct l2_params p = {.ways = ways, .rrpv_bits = rrpv_bits};

	return row->bits(&p, ways);
}

/* 4! = 24 < 2^5; 12! = 479 001 600 < 2^29; 16! is between 2^44 and 2^45. */
static void storage_of_a_set(void)
{
	CHECK_U64(bits_of(&REPLACEMENT_LRU_kind, 1, 2), 0);
	CHECK_U64(bits_of(&REPLACEMENT_LRU_kind, 2, 2), 1);
	CHECK_U64(bits_of(&REPLACEMENT_LRU_kind, 4, 2), 5);
	CHECK_U64(bits_of(&REPLACEMENT_LRU_kind, 12, 2), 29);
	CHECK_U64(bits_of(&REPLACEMENT_LRU_kind, 16, 2), 45);
	CHECK_U64(bits_of(&REPLACEMENT_SRRIP_kind, 12, 2), 24);
	CHECK_U64(bits_of(&REPLACEMENT_SRRIP_kind, 16, 3), 48);
	CHECK_U64(bits_of(&REPLACEMENT_DRRIP_kind, 16, 3), 48);
	CHECK_U64(bits_of(&REPLACEMENT_PLRU_kind, 12, 2), 11);
	CHECK_U64(bits_of(&REPLACEMENT_RANDOM_kind, 12, 2), 0);
}

static const struct tap_test tests[] = {
	{"victims are the first line of the highest value", victims_are_the_first_of_the_highest_value},
	{"a scan leaves reused lines, which LRU loses", a_scan_leaves_reused_lines},
	{"a removed line leaves its way to fill", a_removed_line_leaves_its_way_to_fill},
	{"a tree points away from the last use", a_tree_points_away_from_the_last_use},
	{"a tree of any number of ways", a_tree_of_any_ways_takes_all_in_turn},
	{"random victims are those of the register", random_victims_are_those_of_the_register},
	{"set dueling keeps a part of a walk that does not fit", dueling_keeps_a_part_of_a_walk_that_does_not_fit},
	{"storage of a set", storage_of_a_set},
};

int main(void)
{
	return tap_main("replacement policies", tests, TAP_COUNT(tests));
}
