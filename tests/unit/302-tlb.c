/* Address translation: psim/memory/tlb.h. */
#include "tap.h"

#include "psim/memory/tlb.h"

enum { PAGE = 8192 };

/* micro-TLB of 2 entries; main TLB of 2 sets of 2 ways: page n in set n % 2 */
static const struct tlb_params params = {
	.page_size = PAGE,
	.main_entries = 4,
	.main_ways = 2,
	.main_latency = 4,
	.walk_latency = 60,
};

static void small(struct tlb *t)
{
	REQUIRE(tlb_init(t, &params, 2) == 0);
}

#define TRANSLATE(t, now, page, expected_cycle, expected_outcome) \
	do { \
		enum tlb_outcome outcome; \
		CHECK_U64(tlb_translate(t, now, (uint64_t)(page)*PAGE + 8, &outcome), expected_cycle); \
		CHECK_U64(outcome, expected_outcome); \
	} while (0)

static void a_page_in_neither_tlb_is_walked_for(void)
{
	struct tlb t;

	small(&t);
	TRANSLATE(&t, 100, 5, 100 + 4 + 60, TLB_WALK);
	TRANSLATE(&t, 164, 5, 164, TLB_HIT);
	tlb_finish(&t);
}

static void a_page_that_left_the_micro_tlb_comes_from_the_main_tlb(void)
{
	struct tlb t;

	small(&t);
	TRANSLATE(&t, 0, 0, 64, TLB_WALK);
	TRANSLATE(&t, 1000, 1, 1064, TLB_WALK);
	TRANSLATE(&t, 2000, 2, 2064, TLB_WALK); /* the micro-TLB has 1, 2 */
	TRANSLATE(&t, 3000, 0, 3004, TLB_MAIN);
	tlb_finish(&t);
}

static void the_micro_tlb_replaces_the_least_recently_used(void)
{
	struct tlb t;

	small(&t);
	TRANSLATE(&t, 0, 0, 64, TLB_WALK);
	TRANSLATE(&t, 1000, 1, 1064, TLB_WALK);
	TRANSLATE(&t, 2000, 0, 2000, TLB_HIT);  /* 1 is now the older */
	TRANSLATE(&t, 3000, 2, 3064, TLB_WALK); /* has 0, 2 */
	CHECK(tlb_hit_fast(&t, 4000, 0));
	TRANSLATE(&t, 5000, 1, 5004, TLB_MAIN);
	tlb_finish(&t);
}

static void a_quick_hit_counts_as_use(void)
{
	struct tlb t;

	small(&t);
	TRANSLATE(&t, 0, 0, 64, TLB_WALK);
	TRANSLATE(&t, 1000, 1, 1064, TLB_WALK);
	CHECK(tlb_hit_fast(&t, 2000, 16));
	TRANSLATE(&t, 3000, 2, 3064, TLB_WALK);
	TRANSLATE(&t, 4000, 0, 4000, TLB_HIT);
	tlb_finish(&t);
}

static void accesses_to_a_page_on_its_way_wait_for_it(void)
{
	struct tlb t;

	small(&t);
	TRANSLATE(&t, 100, 5, 164, TLB_WALK);
	TRANSLATE(&t, 110, 5, 164, TLB_WAIT);
	CHECK(!tlb_hit_fast(&t, 163, 5 * PAGE));
	CHECK(tlb_hit_fast(&t, 164, 5 * PAGE));
	tlb_finish(&t);
}

static void reloads_are_made_one_after_the_other(void)
{
	struct tlb t;

	small(&t);
	/* the second knows at 104 that it must walk, and the walker is free at 164 */
	TRANSLATE(&t, 100, 0, 164, TLB_WALK);
	TRANSLATE(&t, 100, 1, 224, TLB_WALK);
	tlb_finish(&t);
}

static void a_page_pushed_out_while_on_its_way_still_waits_for_the_reload(void)
{
	struct tlb t;

	small(&t);
	TRANSLATE(&t, 0, 0, 64, TLB_WALK);
	TRANSLATE(&t, 0, 1, 124, TLB_WALK);
	TRANSLATE(&t, 0, 3, 184, TLB_WALK); /* pushes page 0 out of the micro-TLB */
	TRANSLATE(&t, 10, 0, 64, TLB_MAIN); /* 10 + 4 is before the reload's end */
	tlb_finish(&t);
}

static void the_main_tlb_replaces_the_least_recently_used_of_a_set(void)
{
	struct tlb t;

	small(&t);
	/* pages 0, 2, 4 share a main set of 2 ways; 0 is lost */
	TRANSLATE(&t, 0, 0, 64, TLB_WALK);
	TRANSLATE(&t, 1000, 2, 1064, TLB_WALK);
	TRANSLATE(&t, 2000, 4, 2064, TLB_WALK);
	CHECK(!tlb_holds(&t, 0));
	CHECK(tlb_holds(&t, 2 * PAGE));
	TRANSLATE(&t, 3000, 0, 3064, TLB_WALK);
	tlb_finish(&t);
}

static void a_perfect_tlb_answers_at_once(void)
{
	struct tlb_params p = params;
	struct tlb t;

	p.perfect = true;
	REQUIRE(tlb_init(&t, &p, 2) == 0);
	CHECK(tlb_hit_fast(&t, 0, 12345678));
	TRANSLATE(&t, 7, 99, 7, TLB_HIT);
	CHECK(tlb_holds(&t, 1));
	tlb_finish(&t);
}

static void a_large_micro_tlb_holds_all_its_pages(void)
{
	struct tlb_params p = params;
	struct tlb t;

	/* pages a power of two apart: hash values are shared, entries must not be lost */
	REQUIRE(tlb_init(&t, &p, 1024) == 0);
	for (uint64_t i = 0; i < 1024; i++)
		TRANSLATE(&t, 1000 * i, i * 1024, 1000 * i + 64, TLB_WALK);
	for (uint64_t i = 0; i < 1024; i++)
		TRANSLATE(&t, 2000000 + i, i * 1024, 2000000 + i, TLB_HIT);
	tlb_finish(&t);
}

/* 2000 accesses to 8 pages at random, nothing in flight: hits as of a list in the order of use. */
static void hits_agree_with_a_plain_list(void)
{
	struct tlb_params p = params;
	struct tlb t;
	uint64_t list[5] = {100, 101, 102, 103, 104};
	unsigned x = 9, wrong = 0, hits = 0;

	REQUIRE(tlb_init(&t, &p, 5) == 0);
	for (uint64_t n = 1; n <= 2000; n++) {
		enum tlb_outcome outcome;
		unsigned i = 0;
		uint64_t page;

		x = x * 1103515245 + 12345;
		page = x >> 29;
		while (i < 4 && list[i] != page)
			i++;
		tlb_translate(&t, 1000 * n, page * PAGE, &outcome);
		wrong += (outcome == TLB_HIT) != (list[i] == page);
		hits += outcome == TLB_HIT;
		for (; i > 0; i--)
			list[i] = list[i - 1];
		list[0] = page;
	}
	CHECK_U64(wrong, 0);
	CHECK(hits > 500 && hits < 1900);
	tlb_finish(&t);
}

static void one_entry_is_enough_for_a_micro_tlb(void)
{
	struct tlb t;

	REQUIRE(tlb_init(&t, &params, 1) == 0);
	TRANSLATE(&t, 0, 0, 64, TLB_WALK);
	TRANSLATE(&t, 100, 0, 100, TLB_HIT);
	TRANSLATE(&t, 1000, 1, 1064, TLB_WALK);
	TRANSLATE(&t, 2000, 0, 2004, TLB_MAIN);
	tlb_finish(&t);
}

static const struct tap_test tests[] = {
	{"a page in neither TLB is walked for", a_page_in_neither_tlb_is_walked_for},
	{"a page that left the micro-TLB comes from the main TLB",
	 a_page_that_left_the_micro_tlb_comes_from_the_main_tlb},
	{"the micro-TLB replaces the least recently used page", the_micro_tlb_replaces_the_least_recently_used},
	{"a quick hit counts as a use", a_quick_hit_counts_as_use},
	{"accesses to a page on its way wait for it", accesses_to_a_page_on_its_way_wait_for_it},
	{"reloads are made one after the other", reloads_are_made_one_after_the_other},
	{"a page pushed out while on its way still waits for the reload",
	 a_page_pushed_out_while_on_its_way_still_waits_for_the_reload},
	{"the main TLB replaces the least recently used page of a set",
	 the_main_tlb_replaces_the_least_recently_used_of_a_set},
	{"a perfect TLB answers at once", a_perfect_tlb_answers_at_once},
	{"a large micro-TLB holds all its pages", a_large_micro_tlb_holds_all_its_pages},
	{"hits agree with a plain list in the order of use", hits_agree_with_a_plain_list},
	{"one entry is enough for a micro-TLB", one_entry_is_enough_for_a_micro_tlb},
};

int main(void)
{
	return tap_main("tlb", tests, TAP_COUNT(tests));
}
