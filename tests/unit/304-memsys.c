/* When an access is done: psim/memory/memsys.h. Numbers by the rules in that header. */
#include "tap.h"

#include "alloc_fail.h"
#include "memsys_small.h"
#include "psim/memory/quick_access.h"

/* Lines 0, 2, 4, 6 go to L1 set 0 one after the other: 0 and 2 stay in L2 only. */
static void fill_l1_set_0(struct memsys *m)
{
	for (uint64_t n = 0; n < 4; n++)
		load(m, 1000 * n, 2 * n);
}

static void a_hit_is_ready_at_once(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	struct mem_answer a;

	load(m, 0, 5);
	a = load(m, 1000, 5);
	CHECK_U64(a.ready, 1000);
	CHECK_U64(a.level, MEM_L1);
	CHECK(a.hit);
	CHECK(!a.tlb_bound);
	memsys_destroy(m);
}

static void a_cold_load_comes_from_memory(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	struct mem_answer a = load(m, 100, 5);

	/* 100 + 120 (memory) + 12 (L2 to L1) + 2 (fill) */
	CHECK_U64(a.ready, 234);
	CHECK_U64(a.level, MEM_MEMORY);
	CHECK(!a.hit);
	/* and hits from then on */
	CHECK_ANSWER(load(m, 234, 5), 234, MEM_L1);
	memsys_destroy(m);
}

static void a_line_pushed_out_of_l1_comes_from_l2(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	fill_l1_set_0(m);
	/* 10000 + 12 + 2 */
	CHECK_ANSWER(load(m, 10000, 0), 10014, MEM_L2);
	memsys_destroy(m);
}

/* Lines of 128 and 256 bytes take twice and four times as long: the bytes a cycle are the same. */
static void bandwidth_does_not_depend_on_the_line(void)
{
	for (unsigned line = 64; line <= 256; line *= 2) {
		struct core_config c = small_config();
		struct memsys *m;

		c.l1i.line_bytes = c.l1d.line_bytes = c.l2.line_bytes = line;
		c.l1i.size = c.l1d.size = 4 * line;
		c.l2.size = 16 * line;
		m = create(&c);
		/* memory: 4 bytes a cycle */
		for (unsigned n = 0; n < 8; n++)
			CHECK_U64(memsys_load(m, 0, n * line, 8).ready, n * line / 4 + 134);
		/* L2: 32 bytes a cycle; lines 0 and 1 have left L1 for 4 … 7 */
		CHECK_U64(memsys_load(m, 10000, 0, 8).ready, 10014);
		CHECK_U64(memsys_load(m, 10000, line, 8).ready, 10014 + line / 32);
		memsys_destroy(m);
	}
}

static void l2_hits_of_one_cycle_are_an_interval_apart(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	fill_l1_set_0(m);
	CHECK_ANSWER(load(m, 10000, 0), 10014, MEM_L2);
	CHECK_ANSWER(load(m, 10000, 2), 10016, MEM_L2);
	CHECK_U64(memsys_stats(m)->l2_channel_wait_cycles, 2);
	memsys_destroy(m);
}

static void memory_reads_of_one_cycle_are_an_interval_apart(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	/* second: 16 + 120 + 12 + 2; third: 32 + … */
	CHECK_ANSWER(load(m, 0, 0), 134, MEM_MEMORY);
	CHECK_ANSWER(load(m, 0, 1), 150, MEM_MEMORY);
	CHECK_ANSWER(load(m, 0, 2), 166, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->memory_wait_cycles, 16 + 32);
	memsys_destroy(m);
}

static void a_load_merges_with_its_line_in_flight(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	struct mem_answer a;

	load(m, 100, 5);
	a = memsys_load(m, 110, 5 * LINE + 32, 4);
	CHECK_U64(a.ready, 234);
	CHECK_U64(a.level, MEM_MEMORY);
	CHECK(!a.hit);
	CHECK_ANSWER(load(m, 233, 5), 234, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->l1d_load_merged, 2);
	CHECK_U64(memsys_stats(m)->memory_reads, 1);
	memsys_destroy(m);
}

static void a_merged_l2_hit_says_l2(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	fill_l1_set_0(m);
	load(m, 10000, 0);
	CHECK_ANSWER(load(m, 10003, 0), 10014, MEM_L2);
	memsys_destroy(m);
}

static void a_miss_without_a_free_buffer_is_refused_until_the_first_is_free(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1d.miss_buffers = 2;
	m = create(&c);
	CHECK_ANSWER(load(m, 0, 0), 134, MEM_MEMORY); /* at L1 in 132: buffer free */
	CHECK_ANSWER(load(m, 0, 1), 150, MEM_MEMORY); /* in 148 */
	CHECK_REFUSED(load(m, 0, 2), MEM_NO_BUFFER, 132);
	CHECK_REFUSED(load(m, 131, 3), MEM_NO_BUFFER, 132);
	/* the refused ones have booked nothing: the channel is free when they are repeated */
	CHECK_ANSWER(load(m, 132, 2), 132 + 134, MEM_MEMORY);
	CHECK_REFUSED(load(m, 132, 3), MEM_NO_BUFFER, 148);
	CHECK_ANSWER(load(m, 148, 3), 148 + 134, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->l1d_loads, 4);
	CHECK_U64(memsys_stats(m)->memory_wait_cycles, 16);
	memsys_destroy(m);
}

static void a_refused_load_leaves_the_caches_as_they_are(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1d.miss_buffers = 1;
	m = create(&c);
	load(m, 0, 0);
	CHECK_REFUSED(load(m, 0, 1), MEM_NO_BUFFER, 132);
	CHECK_ANSWER(load(m, 5, 0), 134, MEM_MEMORY); /* merges, and needs no buffer */
	CHECK_REFUSED(load(m, 6, 1), MEM_NO_BUFFER, 132);
	CHECK_U64(memsys_stats(m)->l2_data_accesses, 1);
	memsys_destroy(m);
}

static void an_access_to_two_lines_waits_for_its_second_half_alone(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1d.line_bytes = 32;
	c.l1d.miss_buffers = 1;
	m = create(&c);
	/* a block load of 64 bytes: the first half has the buffer until 132, the second is refused till then */
	CHECK_REFUSED(memsys_load(m, 0, 0, 64), MEM_NO_BUFFER, 132);
	/* by then L2 has the line; the farthest level is that of the first half, usable in 134 */
	CHECK_ANSWER(memsys_load_again(m, 132, 0, 64, 0), 132 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->memory_reads, 1);
	/* a fetch of the same line of L2 needs no buffer of L1D */
	CHECK_ANSWER(memsys_fetch(m, 200, 0), 212, MEM_L2);
	memsys_destroy(m);
}

static void an_l2_miss_without_a_free_buffer_waits_for_the_first(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l2.miss_buffers = 1;
	m = create(&c);
	CHECK_ANSWER(load(m, 0, 0), 134, MEM_MEMORY); /* at L2 in 120: L2's buffer free */
	CHECK_ANSWER(load(m, 0, 1), 120 + 134, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->l2_buffer_wait_cycles, 120);
	memsys_destroy(m);
}

static void an_l2_hit_does_not_queue_behind_a_transfer_to_come(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	fill_l1_set_0(m);
	load(m, 10000, 1); /* its transfer from L2 starts in 10120 */
	CHECK_ANSWER(load(m, 10005, 0), 10019, MEM_L2);
	memsys_destroy(m);
}

static void a_store_miss_brings_the_line(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	CHECK_ANSWER(store(m, 0, 3), 134, MEM_MEMORY);
	CHECK_ANSWER(load(m, 200, 3), 200, MEM_L1);
	CHECK_ANSWER(store(m, 300, 3), 300, MEM_L1);
	CHECK_U64(memsys_stats(m)->l1d_store_misses, 1);
	CHECK_U64(memsys_stats(m)->l1d_store_hits, 1);
	memsys_destroy(m);
}

static void a_dirty_victim_takes_a_slot_of_the_channel(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	fill_l1_set_0(m);
	store(m, 4000, 4);
	store(m, 5000, 6); /* L1 set 0: 6, 4, both dirty */
	/* channel: line 0 from 10000, victim 4 from 10002, line 2 from 10004, victim 6 from 10006 */
	CHECK_ANSWER(load(m, 10000, 0), 10014, MEM_L2);
	CHECK_ANSWER(load(m, 10000, 2), 10018, MEM_L2);
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 2);
	memsys_destroy(m);
}

/* Line 0 stays in L1 by hits that L2 does not see, until 4, 8, 12, 16 push it out of L2. */
static void push_0_out_of_l2(struct memsys *m)
{
	for (uint64_t n = 1; n <= 3; n++) {
		load(m, 1000 * n, 4 * n);
		load(m, 1000 * n + 500, 0);
	}
	load(m, 4000, 16);
}

static void l1_loses_what_l2_loses(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	load(m, 0, 0);
	push_0_out_of_l2(m);
	CHECK_U64(memsys_stats(m)->l1d_invalidated, 1);
	CHECK_U64(memsys_stats(m)->l2_writebacks, 0);
	CHECK_ANSWER(load(m, 5000, 0), 5134, MEM_MEMORY);
	memsys_destroy(m);
}

static void dirty_data_that_l2_loses_goes_to_memory(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	store(m, 0, 0);
	push_0_out_of_l2(m);
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	CHECK_U64(memsys_stats(m)->l2_writebacks, 1);
	memsys_destroy(m);
}

static void a_write_back_to_memory_goes_when_the_channel_is_idle(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	store(m, 0, 0);
	push_0_out_of_l2(m); /* read slot 4000, at L2 in 4120: may be written from then on */
	CHECK_ANSWER(load(m, 4110, 1), 4110 + 134, MEM_MEMORY); /* the channel is taken to 4126 */
	/* nobody wants it then: written in 4126 … 4142; who comes in between waits for that */
	CHECK_ANSWER(load(m, 4130, 3), 4142 + 134, MEM_MEMORY);
	memsys_destroy(m);
}

/*
 * Lines 0 and 1 leave L2, dirty, for two lines that come in 4120 and 4136. Reads have the channel from
 * 4110 to 4142. The one of 4140 goes before both write-backs if they have places; else the
 * second has pushed out the first in 4136.
 */
static uint64_t read_beside_write_backs(unsigned buffers)
{
	struct core_config c = small_config();
	struct memsys *m;
	uint64_t ready;

	c.l2.writeback_buffers = buffers;
	m = create(&c);
	store(m, 0, 0);
	store(m, 0, 1);
	for (uint64_t n = 1; n <= 3; n++) {
		load(m, 1000 * n, 4 * n);
		load(m, 1000 * n, 4 * n + 1);
	}
	load(m, 4000, 16);
	load(m, 4000, 17);
	CHECK_U64(memsys_stats(m)->l2_writebacks, 2);
	CHECK_ANSWER(load(m, 4110, 2), 4110 + 134, MEM_MEMORY);
	CHECK_ANSWER(load(m, 4112, 3), 4126 + 134, MEM_MEMORY);
	ready = load(m, 4140, 6).ready;
	memsys_destroy(m);
	return ready;
}

static void a_write_back_without_a_place_pushes_out_the_oldest(void)
{
	CHECK_U64(read_beside_write_backs(2), 4142 + 134);
	CHECK_U64(read_beside_write_backs(1), 4142 + 16 + 134);
	/* the first in 4120 behind the reads that were there, the second so in 4136 */
	CHECK_U64(read_beside_write_backs(0), 4142 + 32 + 134);
}

static void a_dirty_l1_victim_makes_the_l2_line_dirty(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	store(m, 0, 0);
	load(m, 1000, 2);
	load(m, 2000, 4); /* pushes 0 out of L1: dirty in L2 now */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	load(m, 3000, 8);
	load(m, 4000, 12);
	load(m, 5000, 16); /* pushes 0 out of L2 */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	CHECK_U64(memsys_stats(m)->l2_writebacks, 1);
	memsys_destroy(m);
}

static void a_store_that_hits_makes_its_line_dirty(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	load(m, 0, 0);
	load(m, 500, 0); /* the first use after the arrival is over */
	store(m, 1000, 0);
	load(m, 2000, 2);
	load(m, 2500, 2);
	load(m, 3000, 4); /* 0 goes, dirty */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	store(m, 4000, 2); /* second in its set; first from now on */
	load(m, 5000, 6);  /* 4 goes, clean */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	load(m, 6000, 8); /* 2 goes, dirty */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 2);
	memsys_destroy(m);
}

static void l1i_loses_what_l2_loses(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	memsys_fetch(m, 0, 0);
	for (uint64_t n = 1; n <= 4; n++)
		load(m, 1000 * n, 4 * n); /* L2 set 0: line 0 is the oldest */
	CHECK_U64(memsys_stats(m)->l1i_invalidated, 1);
	CHECK_ANSWER(memsys_fetch(m, 9000, 0), 9132, MEM_MEMORY);
	memsys_destroy(m);
}

static void an_access_over_two_lines_is_ready_with_the_later(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	/* lines of 32 bytes in L1: a block load of 64 touches two of them, one line of L2 */
	c.l1d.line_bytes = 32;
	m = create(&c);
	CHECK_ANSWER(memsys_load(m, 0, 0, 64), 135, MEM_MEMORY); /* 32 bytes a cycle: transfers in 120 and 121 */
	CHECK_U64(memsys_stats(m)->memory_reads, 1);
	CHECK_ANSWER(memsys_load(m, 200, 32, 8), 200, MEM_L1);
	CHECK_ANSWER(memsys_load(m, 200, 0, 64), 200, MEM_L1);
	memsys_destroy(m);
}

static void a_translation_miss_delays_the_access(void)
{
	struct core_config c = small_config();
	struct memsys *m;
	struct mem_answer a;

	c.tlb.perfect = false;
	m = create(&c);
	/* 4 + 60 for the page, then 134 */
	CHECK_REFUSED(load(m, 0, 0), MEM_NO_PAGE, 64);
	CHECK_U64(memsys_stats(m)->l2_data_accesses, 0);
	CHECK_ANSWER(load_again(m, 64, 0), 64 + 134, MEM_MEMORY);
	/* pages 1 and 2 take both micro entries: 0 is only in the main TLB, 4 cycles away */
	CHECK_REFUSED(load(m, 1000, 128 + 1), MEM_NO_PAGE, 1064);
	CHECK_REFUSED(load(m, 2000, 256 + 1), MEM_NO_PAGE, 2064);
	CHECK_REFUSED(load(m, 3000, 0), MEM_NO_PAGE, 3004);
	a = load_again(m, 3004, 0);
	CHECK_U64(a.ready, 3004);
	CHECK(a.hit);
	CHECK_U64(memsys_stats(m)->dtlb_misses, 4);
	CHECK_U64(memsys_stats(m)->dtlb_walks, 3);
	memsys_destroy(m);
}

/* One entry in the micro-TLB, two in the main one: two pages push each other out while both wait. */
static void who_has_waited_for_its_page_needs_no_other_translation(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.tlb.perfect = false;
	c.tlb.udtlb_entries = 1;
	c.tlb.main_entries = 2;
	c.tlb.main_ways = 1; /* pages 0 and 2 are in one set */
	m = create(&c);
	CHECK_REFUSED(load(m, 0, 0), MEM_NO_PAGE, 64);
	CHECK_REFUSED(load(m, 1, 256), MEM_NO_PAGE, 124); /* one walk at a time */
	CHECK_ANSWER(load_again(m, 64, 0), 64 + 134, MEM_MEMORY);
	CHECK_ANSWER(load_again(m, 124, 256), 124 + 134, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->dtlb_walks, 2);
	memsys_destroy(m);
}

static void a_prefetched_line_hits_later(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	memsys_prefetch(m, 0, 5 * LINE, false, 0);
	CHECK_ANSWER(load(m, 134, 5), 134, MEM_L1);
	load(m, 200, 5);
	CHECK_U64(memsys_stats(m)->prefetches_issued, 1);
	CHECK_U64(memsys_stats(m)->prefetches_useful, 1);
	CHECK_U64(memsys_stats(m)->prefetches_late, 0);
	/* out of L1, and back from L2: not the stream prefetcher's doing */
	load(m, 1000, 7);
	load(m, 2000, 9);
	CHECK_ANSWER(load(m, 3000, 5), 3014, MEM_L2);
	CHECK_U64(memsys_stats(m)->prefetches_useful, 1);
	CHECK_U64(memsys_stats(m)->hw_prefetches_useful, 0);
	memsys_destroy(m);
}

static void a_late_prefetch_still_shortens_the_wait(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	memsys_prefetch(m, 0, 5 * LINE, false, 0);
	CHECK_ANSWER(load(m, 50, 5), 134, MEM_MEMORY);
	load(m, 200, 5);
	CHECK_U64(memsys_stats(m)->prefetches_late, 1);
	CHECK_U64(memsys_stats(m)->prefetches_useful, 0);
	memsys_destroy(m);
}

static void a_prefetch_without_a_free_buffer_is_refused(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1d.miss_buffers = 1;
	m = create(&c);
	load(m, 0, 0);
	CHECK_REFUSED(memsys_prefetch(m, 10, LINE, false, 0), MEM_NO_BUFFER, 132);
	CHECK_U64(memsys_prefetch(m, 132, LINE, false, 0).refused, MEM_ACCEPTED);
	CHECK_ANSWER(load(m, 1000, 1), 1000, MEM_L1);
	CHECK_U64(memsys_stats(m)->prefetches, 1);
	memsys_destroy(m);
}

static void a_strong_prefetch_translates_like_a_load(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.tlb.perfect = false;
	m = create(&c);
	CHECK_REFUSED(memsys_prefetch(m, 0, 0, true, 0), MEM_NO_PAGE, 64);
	CHECK_U64(memsys_prefetch(m, 64, 0, true, MEM_TRANSLATED).refused, MEM_ACCEPTED);
	CHECK_U64(memsys_stats(m)->prefetches_issued, 1);
	CHECK_U64(memsys_stats(m)->prefetches_dropped_tlb, 0);
	memsys_destroy(m);
}

static void a_prefetch_of_a_page_in_no_tlb_is_dropped(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.tlb.perfect = false;
	m = create(&c);
	memsys_prefetch(m, 0, 0, false, 0);
	CHECK_U64(memsys_stats(m)->prefetches_dropped_tlb, 1);
	CHECK_U64(memsys_stats(m)->dtlb_walks, 0);
	load(m, 1000, 1);
	load_again(m, 1064, 1);
	memsys_prefetch(m, 2000, 0, false, 0);
	CHECK_U64(memsys_stats(m)->prefetches_issued, 1);
	memsys_destroy(m);
}

static void a_prefetch_of_a_line_present_does_nothing(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	load(m, 0, 5);
	memsys_prefetch(m, 10, 5 * LINE, false, 0);
	memsys_prefetch(m, 1000, 5 * LINE, false, 0);
	CHECK_U64(memsys_stats(m)->prefetches_present, 2);
	CHECK_U64(memsys_stats(m)->l2_data_accesses, 1);
	memsys_destroy(m);
}

static void a_store_may_ask_for_its_line_ahead(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	struct mem_answer a = memsys_store_prefetch(m, 0, 5 * LINE, 0);

	CHECK_U64(a.refused, MEM_ACCEPTED);
	CHECK(!a.hit);                                           /* this store's doing */
	CHECK(memsys_store_prefetch(m, 1, 5 * LINE + 8, 0).hit); /* on its way already */
	CHECK_ANSWER(memsys_store(m, 50, 5 * LINE, 8, MEM_TRANSLATED | MEM_REQUESTED), 134, MEM_MEMORY);
	CHECK_ANSWER(memsys_store(m, 200, 5 * LINE + 8, 8, MEM_TRANSLATED), 200, MEM_L1);
	memsys_store_prefetch(m, 300, 6 * LINE, 0);
	CHECK_ANSWER(memsys_store(m, 500, 6 * LINE, 8, MEM_TRANSLATED | MEM_REQUESTED), 500, MEM_L1);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead, 2);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead_late, 1);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead_in_time, 1);
	CHECK_U64(memsys_stats(m)->l1d_store_merged, 1);
	CHECK_U64(memsys_stats(m)->l1d_store_hits, 2);
	CHECK_U64(memsys_stats(m)->memory_reads, 2);
	memsys_destroy(m);
}

static void a_line_asked_for_ahead_can_be_lost_again(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	memsys_store_prefetch(m, 0, 0, 0);
	load(m, 1000, 2); /* set 0 of two ways */
	load(m, 2000, 4);
	CHECK_ANSWER(memsys_store(m, 3000, 0, 8, MEM_REQUESTED), 3014, MEM_L2);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead_lost, 1);
	memsys_destroy(m);
}

static void a_store_prefetch_is_refused_without_buffer_or_page_and_asks_again(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1d.miss_buffers = 1;
	c.tlb.perfect = false;
	m = create(&c);
	CHECK_REFUSED(memsys_store_prefetch(m, 0, 0, 0), MEM_NO_PAGE, 64); /* the walk is ahead too */
	CHECK_U64(memsys_stats(m)->dtlb_walks, 1);
	CHECK_U64(memsys_store_prefetch(m, 64, 0, MEM_TRANSLATED).refused, MEM_ACCEPTED);
	CHECK_REFUSED(memsys_store_prefetch(m, 100, LINE, 0), MEM_NO_BUFFER, 64 + 132);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead, 1);
	CHECK_U64(memsys_store_prefetch(m, 196, LINE, MEM_TRANSLATED).refused, MEM_ACCEPTED);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead, 2);
	memsys_destroy(m);
}

static void an_instruction_miss_fetches_the_next_line_too(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1i.next_line_prefetch = true;
	m = create(&c);
	/* no fill latency on this side: 120 + 12; the next line's memory slot is 16 later */
	CHECK_ANSWER(memsys_fetch(m, 0, 0), 132, MEM_MEMORY);
	CHECK_ANSWER(memsys_fetch(m, 140, LINE), 148, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->l1i_prefetches, 1);
	CHECK_U64(memsys_stats(m)->l1i_prefetches_late, 1);
	/* a merged fetch is no miss: line 2 was not requested */
	CHECK_ANSWER(memsys_fetch(m, 1000, 2 * LINE), 1132, MEM_MEMORY);
	CHECK_ANSWER(memsys_fetch(m, 2000, 3 * LINE + 32), 2000, MEM_L1);
	CHECK_U64(memsys_stats(m)->l1i_prefetches_useful, 1);
	memsys_destroy(m);
}

static void the_next_line_is_not_fetched_from_another_page(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1i.next_line_prefetch = true;
	m = create(&c);
	memsys_fetch(m, 0, 8192 - LINE);
	CHECK_U64(memsys_stats(m)->l1i_prefetches, 0);
	CHECK_U64(memsys_stats(m)->memory_reads, 1);
	memsys_destroy(m);
}

static void instructions_and_data_share_l2_and_memory(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);

	CHECK_ANSWER(memsys_fetch(m, 0, 0), 132, MEM_MEMORY);
	CHECK_ANSWER(load(m, 0, 1), 150, MEM_MEMORY); /* 16 later */
	CHECK_ANSWER(load(m, 1000, 0), 1014, MEM_L2); /* what the fetch brought */
	memsys_destroy(m);
}

static void a_stream_is_fetched_ahead_into_l2(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.prefetch.enabled = true;
	m = create(&c);
	load(m, 0, 0);
	load(m, 1000, 1); /* a stream: 2, 3, 4, 5, memory slots 1016, 1032, 1048, 1064 */
	/* late: 2 is there in 1016 + 120 */
	CHECK_ANSWER(load(m, 1001, 2), 1136 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->hw_prefetches, 4);
	CHECK_U64(memsys_stats(m)->hw_prefetches_late, 1);
	CHECK_ANSWER(load(m, 2000, 3), 2014, MEM_L2); /* 6 and 7 by now */
	CHECK_U64(memsys_stats(m)->hw_prefetches_useful, 1);
	/* 7 was requested in 2000, and is there in 2120 */
	CHECK_ANSWER(load(m, 2050, 7), 2134, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->hw_prefetches_late, 2);
	memsys_destroy(m);
}

static void a_stream_goes_on_in_the_next_page(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.prefetch.enabled = true;
	m = create(&c);
	load(m, 0, 124);
	load(m, 1000, 125); /* a page has 128 lines: 126 and 127 only */
	load(m, 2000, 126);
	load(m, 3000, 127);
	load(m, 4000, 128);
	CHECK_U64(memsys_stats(m)->hw_prefetches, 2);
	load(m, 5000, 129); /* 129 … 132 were requested in 4000 */
	CHECK_U64(memsys_stats(m)->hw_prefetches, 6);
	CHECK_U64(memsys_stats(m)->hw_prefetches_useful, 3);
	memsys_destroy(m);
}

static void a_stream_waits_for_a_miss_buffer(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.prefetch.enabled = true;
	c.l2.miss_buffers = 2;
	m = create(&c);
	load(m, 0, 0);
	load(m, 1000, 1); /* one buffer to 1120. 2 has the other: slot 1016, to 1136 */
	CHECK_ANSWER(load(m, 1010, 2), 1136 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->hw_prefetches, 1);
	/* 3 in 1120, to 1240; 4 in 1136, to 1256 (slot 1136); they come when they come */
	CHECK_ANSWER(load(m, 1200, 3), 1240 + 14, MEM_MEMORY);
	CHECK_ANSWER(load(m, 1201, 4), 1256 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->hw_prefetches, 3);
	CHECK_U64(memsys_stats(m)->hw_prefetches_dropped, 0);
	/* 5 was wanted, and is accessed before a buffer is free: in 1240 */
	CHECK_ANSWER(load(m, 1202, 5), 1240 + 134, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->hw_prefetches_dropped, 1);
	memsys_destroy(m);
}

static void perfect_caches_always_hit(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l1d.perfect = c.l1i.perfect = true;
	m = create(&c);
	CHECK(load(m, 7, 1234567).hit);
	CHECK(store(m, 7, 7654321).hit);
	CHECK(memsys_fetch(m, 7, 4096).hit);
	memsys_prefetch(m, 8, 999, false, 0);
	CHECK_U64(memsys_stats(m)->memory_reads, 0);
	CHECK_U64(memsys_stats(m)->l1d_load_hits, 1);
	memsys_destroy(m);
}

static void a_perfect_l2_always_has_the_line(void)
{
	struct core_config c = small_config();
	struct memsys *m;

	c.l2.perfect = true;
	m = create(&c);
	CHECK_ANSWER(load(m, 100, 999), 114, MEM_L2);
	CHECK_U64(memsys_stats(m)->memory_reads, 0);
	memsys_destroy(m);
}

static void banks_conflict_in_other_words_of_the_same_bank(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c); /* 8 banks of 4 bytes: a row is 32 bytes */

	CHECK(memsys_bank_conflict(m, 0, 4, 32, 4));
	CHECK(!memsys_bank_conflict(m, 0, 4, 4, 4));
	CHECK(!memsys_bank_conflict(m, 0, 4, 2, 2)); /* the same word */
	CHECK(memsys_bank_conflict(m, 0, 8, 36, 4)); /* bank 1 of rows 0 and 1 */
	CHECK(!memsys_bank_conflict(m, 0, 8, 4, 8)); /* word 1 is common, 0 and 2 are other banks */
	CHECK(memsys_bank_conflict(m, 64, 8, 0, 8));
	CHECK(memsys_bank_conflict(m, 0, 64, 4, 4)); /* a block access has both words of bank 1 */
	memsys_destroy(m);
}

/* The definition, word by word. */
static bool conflict_by_definition(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	for (uint64_t i = a; i < a + a_size; i++)
		for (uint64_t j = b; j < b + b_size; j++)
			if (i / 4 % 8 == j / 4 % 8 && i / 4 != j / 4)
				return true;
	return false;
}

/* Returns whether the quick form, which needs accesses within a row, has another answer. */
static bool quick_conflict_differs(const struct memsys *m, uint64_t a, unsigned a_size, uint64_t b, unsigned b_size)
{
	uint32_t inside[] = {banks_inside(m, a, a_size), banks_inside(m, b, b_size)};

	return !((inside[0] | inside[1]) & BANKS_ODD) &&
	       banks_conflict(31, a, inside[0], b, inside[1]) != conflict_by_definition(a, a_size, b, b_size);
}

static void bank_conflicts_agree_with_the_definition(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	static const unsigned sizes[] = {1, 2, 4, 8, 16, 64};
	unsigned wrong = 0, quick = 0;

	for (unsigned i = 0; i < 6; i++)
		for (unsigned j = 0; j < 6; j++)
			for (uint64_t a = 0; a < 128; a += sizes[i])
				for (uint64_t b = 0; b < 128; b += sizes[j]) {
					wrong += memsys_bank_conflict(m, a, sizes[i], b, sizes[j]) !=
						 conflict_by_definition(a, sizes[i], b, sizes[j]);
					quick += quick_conflict_differs(m, a, sizes[i], b, sizes[j]);
				}
	CHECK_U64(wrong, 0);
	CHECK_U64(quick, 0);
	CHECK(banks_inside(m, 2, 4) == BANKS_ODD && banks_inside(m, 0, 64) == BANKS_ODD && banks_inside(m, 8, 8) == 7);
	memsys_destroy(m);
}

/* Lines 0, 2, 4 are of L1's set 0, which has two ways. */
static void warming_keeps_the_order_of_use(void)
{
	struct core_config c = small_config();
	struct memsys *m = create(&c);
	const uint64_t order[] = {0, 2 * 64, 2 * 64, 0, 4 * 64}; /* 4 replaces 2, which was used before 0 */
	const bool write[] = {false, true, false, false, false};
	struct memsys_warmed w;

	memsys_warm_data(m, order, write, 5);
	CHECK_U64(memsys_stats(m)->l1d_loads, 0);
	memsys_warmed(m, &w);
	CHECK_U64(w.lines, 3);
	CHECK_U64(w.reads, 3);
	CHECK_ANSWER(load(m, 100, 0), 100, MEM_L1);
	CHECK_ANSWER(load(m, 100, 4), 100, MEM_L1);
	/* 200 + 12 (L2 to L1) + 2 (fill) */
	CHECK_ANSWER(load(m, 200, 2), 214, MEM_L2);
	/* code of lines 8 and 9 */
	memsys_warm_fetch(m, 8 * 64 + 60, 9 * 64 + 4);
	CHECK_ANSWER(memsys_fetch(m, 300, 8 * 64), 300, MEM_L1);
	CHECK_ANSWER(memsys_fetch(m, 300, 9 * 64 + 32), 300, MEM_L1);
	CHECK_I64(memsys_check(m, NULL), 0);
	memsys_destroy(m);
}

static void a_failed_allocation_is_told_and_leaks_nothing(void)
{
	struct core_config c = small_config();

	for (unsigned k = 1;; k++) {
		struct err e = {.status = STATUS_DONE};
		struct memsys *m;

		alloc_fail_at(k);
		m = memsys_create(&c, NULL, &e);
		if (!alloc_fail_end()) {
			CHECK(m != NULL);
			CHECK(k > 10);
			memsys_destroy(m);
			return;
		}
		CHECK(m == NULL);
		CHECK_U64(e.status, STATUS_FAILED);
	}
}

static const struct tap_test tests[] = {
	{"a hit is ready at once", a_hit_is_ready_at_once},
	{"a cold load comes from memory", a_cold_load_comes_from_memory},
	{"a line pushed out of L1 comes from L2", a_line_pushed_out_of_l1_comes_from_l2},
	{"bandwidth does not depend on the line", bandwidth_does_not_depend_on_the_line},
	{"L2 hits of one cycle are an interval apart", l2_hits_of_one_cycle_are_an_interval_apart},
	{"memory reads of one cycle are an interval apart", memory_reads_of_one_cycle_are_an_interval_apart},
	{"a load merges with its line in flight", a_load_merges_with_its_line_in_flight},
	{"a merged L2 hit says L2", a_merged_l2_hit_says_l2},
	{"a miss without a free buffer is refused until the first is free",
	 a_miss_without_a_free_buffer_is_refused_until_the_first_is_free},
	{"a refused load leaves the caches as they are", a_refused_load_leaves_the_caches_as_they_are},
	{"an access to two lines waits for a buffer with its second half alone",
	 an_access_to_two_lines_waits_for_its_second_half_alone},
	{"an L2 miss without a free buffer waits for the first", an_l2_miss_without_a_free_buffer_waits_for_the_first},
	{"an L2 hit does not queue behind a transfer to come", an_l2_hit_does_not_queue_behind_a_transfer_to_come},
	{"a store miss brings the line", a_store_miss_brings_the_line},
	{"a dirty victim takes a slot of the channel", a_dirty_victim_takes_a_slot_of_the_channel},
	{"L1 loses what L2 loses", l1_loses_what_l2_loses},
	{"dirty data that L2 loses goes to memory", dirty_data_that_l2_loses_goes_to_memory},
	{"a write-back to memory goes when the channel is idle", a_write_back_to_memory_goes_when_the_channel_is_idle},
	{"a write-back without a place pushes out the oldest", a_write_back_without_a_place_pushes_out_the_oldest},
	{"a dirty L1 victim makes the L2 line dirty", a_dirty_l1_victim_makes_the_l2_line_dirty},
	{"a store that hits makes its line dirty", a_store_that_hits_makes_its_line_dirty},
	{"L1I loses what L2 loses", l1i_loses_what_l2_loses},
	{"an access over two lines is ready with the later", an_access_over_two_lines_is_ready_with_the_later},
	{"a translation miss delays the access", a_translation_miss_delays_the_access},
	{"who has waited for its page needs no other translation",
	 who_has_waited_for_its_page_needs_no_other_translation},
	{"a prefetched line hits later", a_prefetched_line_hits_later},
	{"a late prefetch still shortens the wait", a_late_prefetch_still_shortens_the_wait},
	{"a prefetch without a free buffer is refused", a_prefetch_without_a_free_buffer_is_refused},
	{"a strong prefetch translates like a load", a_strong_prefetch_translates_like_a_load},
	{"a prefetch of a page in no TLB is dropped", a_prefetch_of_a_page_in_no_tlb_is_dropped},
	{"a prefetch of a line present does nothing", a_prefetch_of_a_line_present_does_nothing},
	{"a store may ask for its line ahead", a_store_may_ask_for_its_line_ahead},
	{"a line asked for ahead can be lost again", a_line_asked_for_ahead_can_be_lost_again},
	{"a store ahead is refused without a buffer or its page, and asks again",
	 a_store_prefetch_is_refused_without_buffer_or_page_and_asks_again},
	{"an instruction miss fetches the next line too", an_instruction_miss_fetches_the_next_line_too},
	{"the next line is not fetched from another page", the_next_line_is_not_fetched_from_another_page},
	{"instructions and data share L2 and memory", instructions_and_data_share_l2_and_memory},
	{"a stream is fetched ahead into L2", a_stream_is_fetched_ahead_into_l2},
	{"a stream goes on in the next page", a_stream_goes_on_in_the_next_page},
	{"a stream waits for a miss buffer", a_stream_waits_for_a_miss_buffer},
	{"perfect caches always hit", perfect_caches_always_hit},
	{"a perfect L2 always has the line", a_perfect_l2_always_has_the_line},
	{"banks conflict in other words of the same bank", banks_conflict_in_other_words_of_the_same_bank},
	{"bank conflicts agree with the definition", bank_conflicts_agree_with_the_definition},
	{"warming keeps the order of use", warming_keeps_the_order_of_use},
	{"a failed allocation is told and leaks nothing", a_failed_allocation_is_told_and_leaks_nothing},
};

int main(void)
{
	return tap_main("memory system", tests, TAP_COUNT(tests));
}
