/*
 * The victim cache of L1D: psim/memory/victims.c, by the rules of psim/memory/memsys.h. Numbers by hand.
 *
 * L1D has 2 sets of 1 way, so that even lines conflict. L2 has 4 sets of 4: multiples of 4 share a set. A line of the
 * victim cache is there in 1 cycle, L2 hit: 12 + 2 = 14 cycles; memory: 120 + 14 = 134.
 */
#include "psim/base/digest.h"
#include "tap.h"

#include "memsys_small.h"

static struct memsys *create_victims(unsigned lines, unsigned latency, unsigned miss_buffers)
{
	static struct core_config c; /* must outlive the memory */

	c = small_config();
	c.l1d.size = 2 * LINE;
	c.l1d.ways = 1;
	c.l1d.miss_buffers = miss_buffers;
	c.l1d.victim_lines = lines;
	c.l1d.victim_latency = latency;
	return create(&c);
}

static void check(const struct memsys *m)
{
	struct err e = {.text = ""};

	CHECK_I64(memsys_check(m, &e), 0);
	CHECK_STR(e.text, "");
}

/* Loads of lines, 1000 cycles apart from cycle *now on, with the cycles and the level expected of each. */
struct step {
	uint64_t line, cycles;
	enum mem_level level;
};

static void loads(struct memsys *m, uint64_t *now, const struct step *step, unsigned count)
{
	for (unsigned n = 0; n < count; n++, *now += 1000) {
		CHECK_ANSWER(load(m, *now, step[n].line), *now + step[n].cycles, step[n].level);
		check(m);
	}
}
#define LOADS(m, now, ...) \
	do { \
		const struct step steps[] = {__VA_ARGS__}; \
		loads(m, now, steps, sizeof(steps) / sizeof(steps[0])); \
	} while (0)
#define L1 0, MEM_L1
#define VICTIM 1, MEM_L1
#define L2 14, MEM_L2
#define MEMORY 134, MEM_MEMORY

static void two_lines_of_a_set_swap(void)
{
	struct memsys *m = create_victims(1, 1, 8);
	uint64_t now = 0;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY}, {0, VICTIM}, {2, VICTIM}, {2, L1}, {0, VICTIM}, {1, MEMORY},
	      {2, VICTIM});
	CHECK_U64(memsys_stats(m)->victim_hits, 4);
	CHECK_U64(memsys_stats(m)->victim_inserted, 5); /* 0 for 2, and one with each hit */
	CHECK_U64(memsys_stats(m)->l2_data_accesses, 3);
	CHECK_U64(memsys_stats(m)->l1d_load_misses, 3);
	CHECK_U64(memsys_stats(m)->l1d_load_merged, 4);
	CHECK_U64(memsys_stats(m)->l1d_load_hits, 1);
	memsys_destroy(m);
}

static void without_one_they_go_to_l2(void)
{
	struct memsys *m = create_victims(0, 1, 8);
	uint64_t now = 0;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY}, {0, L2}, {2, L2}, {0, L2});
	CHECK_U64(memsys_stats(m)->victim_inserted, 0);
	memsys_destroy(m);
}

static void it_has_the_lines_displaced_last(void)
{
	struct memsys *m = create_victims(2, 1, 8);
	uint64_t now = 0;

	/* it has 4, 2; then 6, 4; then 0, 6 */
	LOADS(m, &now, {0, MEMORY}, {2, MEMORY}, {4, MEMORY}, {6, MEMORY}, {0, L2}, {2, L2}, {6, VICTIM});
	/* it has 2, 0; then 1, 2, of any set */
	LOADS(m, &now, {1, MEMORY}, {3, MEMORY}, {1, VICTIM}, {2, VICTIM}, {0, L2});
	memsys_destroy(m);
}

static void two_ways_and_four_lines_hold_six_of_a_set(void)
{
	struct core_config c = small_config();
	struct memsys *m;
	uint64_t now = 0;

	c.l1d.victim_lines = 4;
	c.l1d.victim_latency = 5;
	m = create(&c);
	for (unsigned line = 0; line < 12; line += 2)
		LOADS(m, &now, {line, MEMORY});
	for (unsigned n = 0; n < 2; n++)
		for (unsigned line = 0; line < 12; line += 2)
			LOADS(m, &now, {line, 5, MEM_L1});
	CHECK_U64(memsys_stats(m)->victim_hits, 12);
	memsys_destroy(m);
}

static void later_accesses_wait_for_the_swap(void)
{
	struct memsys *m = create_victims(2, 3, 8);
	uint64_t now = 0;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY});
	CHECK_ANSWER(load(m, 2000, 0), 2003, MEM_L1);
	CHECK_ANSWER(load(m, 2001, 0), 2003, MEM_L1);
	CHECK_ANSWER(store(m, 2002, 0), 2003, MEM_L1);
	CHECK_ANSWER(load(m, 2003, 0), 2003, MEM_L1);
	CHECK_U64(memsys_stats(m)->l1d_load_merged, 2);
	CHECK_U64(memsys_stats(m)->l1d_store_merged, 1);
	CHECK_U64(memsys_stats(m)->victim_hits, 1);
	check(m);
	memsys_destroy(m);
}

static void dirty_lines_leave_it_to_l2(void)
{
	struct memsys *m = create_victims(2, 1, 8);
	uint64_t now = 1000;

	CHECK_ANSWER(store(m, 0, 0), 134, MEM_MEMORY);
	LOADS(m, &now, {2, MEMORY}, {0, VICTIM}, {4, MEMORY}, {6, MEMORY}); /* 2 has left, 0 is the next */
	LOADS(m, &now, {1, MEMORY}, {5, MEMORY}, {1, VICTIM});
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1); /* for 1, which 5 displaced */
	LOADS(m, &now, {0, L2});
	memsys_destroy(m);
}

static void a_dirty_line_leaves_after_the_line_that_came(void)
{
	struct memsys *m = create_victims(1, 1, 8);
	uint64_t now = 1000;

	store(m, 0, 0);
	LOADS(m, &now, {1, MEMORY}, {3, MEMORY}, {1, VICTIM}, {2, MEMORY}); /* 3 leaves for 0, which is dirty */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 0);
	/* a line takes the channel from L2 for 2 cycles: 3 from 5000 on, 0 from 5002 on, 4's from 5004 on */
	CHECK_ANSWER(load(m, 5000, 3), 5014, MEM_L2);
	CHECK_ANSWER(load(m, 5000, 1), 5001, MEM_L1);
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	CHECK_ANSWER(load(m, 5000, 0), 5018, MEM_L2);
	check(m);
	memsys_destroy(m);
}

static void l2_takes_its_victims_from_it(void)
{
	struct memsys *m = create_victims(4, 1, 8);
	uint64_t now = 1000;

	store(m, 0, 0);
	/* of L2's four, 0 is the oldest; it takes the channel for 2 cycles in front of 16 */
	LOADS(m, &now, {4, MEMORY}, {8, MEMORY}, {12, MEMORY}, {16, 136, MEM_MEMORY});
	CHECK_U64(memsys_stats(m)->l1d_invalidated, 1);
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	CHECK_U64(memsys_stats(m)->l2_writebacks, 1);
	LOADS(m, &now, {12, VICTIM}, {8, VICTIM}, {0, MEMORY});
	memsys_destroy(m);
}

static void it_needs_no_miss_buffer(void)
{
	struct memsys *m = create_victims(2, 1, 1);
	uint64_t now = 0;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY});
	CHECK_ANSWER(load(m, 5000, 4), 5134, MEM_MEMORY);
	CHECK_REFUSED(load(m, 5001, 6), MEM_NO_BUFFER, 5132); /* it is at L1 */
	CHECK_ANSWER(load(m, 5002, 0), 5003, MEM_L1);
	/* 4 is on its way, and swaps again */
	CHECK_ANSWER(load(m, 5010, 4), 5134, MEM_MEMORY);
	CHECK_ANSWER(load(m, 5011, 0), 5012, MEM_L1);
	CHECK_ANSWER(load(m, 5133, 4), 5134, MEM_L1);
	check(m);
	memsys_destroy(m);
}

static void prefetches_leave_its_lines(void)
{
	struct memsys *m = create_victims(2, 1, 8);
	uint64_t now = 0;
	struct mem_answer a;

	LOADS(m, &now, {0, MEMORY}, {2, MEMORY});
	a = memsys_prefetch(m, now, 0, true, 0);
	CHECK_U64(a.ready, now);
	CHECK_U64(memsys_stats(m)->prefetches_present, 1);
	a = memsys_store_prefetch(m, now, 0, 0);
	CHECK_U64(a.hit, true);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead, 0);
	CHECK_U64(memsys_stats(m)->l2_data_accesses, 2);
	LOADS(m, &now, {2, L1}, {0, VICTIM});
	/* a prefetched line that L1D displaced before its use: it is useful then */
	memsys_prefetch(m, now, 4 * LINE, true, 0);
	now += 1000;
	LOADS(m, &now, {2, VICTIM}, {4, VICTIM});
	CHECK_U64(memsys_stats(m)->prefetches_useful, 1);
	CHECK_U64(memsys_stats(m)->prefetches_late, 0);
	memsys_destroy(m);
}

static void transfers_find_its_dirty_lines(void)
{
	struct memsys *m = create_victims(2, 1, 8);
	uint64_t now = 1000;

	store(m, 0, 0);
	LOADS(m, &now, {2, MEMORY});
	memsys_transfer(m, now, now, 0, false, true);
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	CHECK_U64(memsys_stats(m)->transfer_l2_reads, 1);
	memsys_transfer(m, now, now, 0, true, true); /* a write invalidates */
	CHECK_U64(memsys_stats(m)->l1d_invalidated, 1);
	now += 1000;
	LOADS(m, &now, {2, L1}, {0, MEMORY});
	memsys_destroy(m);
}

static void warming_has_the_same_lines(void)
{
	static const uint64_t address[] = {0, 2 * LINE, 4 * LINE, 0, 6 * LINE};
	static const bool write[] = {true, false, false, false, false};
	struct memsys *m = create_victims(2, 1, 8);
	uint64_t now = 0;

	memsys_warm_data(m, address, write, 5); /* 6 in L1D; 0, which is dirty, 4 */
	check(m);
	LOADS(m, &now, {4, VICTIM}, {0, VICTIM}, {2, L2}, {4, VICTIM});
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 0);
	LOADS(m, &now, {6, L2}); /* for which 0 leaves */
	CHECK_U64(memsys_stats(m)->l1d_writebacks, 1);
	memsys_destroy(m);
}

static struct digest digest_after(const char *lines)
{
	struct memsys *m = create_victims(2, 1, 8);
	struct digest d = {0, 0};
	uint64_t now = 0;

	for (; *lines; lines++, now += 1000)
		load(m, now, (uint64_t)(*lines - '0'));
	memsys_digest(m, now, &d);
	memsys_destroy(m);
	return d;
}

/* L1D has 4, it has 2 and 0; by "024204", in the other order. */
static void its_order_is_in_the_digest(void)
{
	struct digest first = digest_after("024"), other = digest_after("024204"), same = digest_after("024204024");

	CHECK(memcmp(&first, &other, sizeof(first)) != 0);
	CHECK(memcmp(&first, &same, sizeof(first)) == 0);
}

static const struct tap_test tests[] = {
	{"two lines of a set swap", two_lines_of_a_set_swap},
	{"without one they go to L2", without_one_they_go_to_l2},
	{"it has the lines displaced last", it_has_the_lines_displaced_last},
	{"two ways and four lines hold six of a set", two_ways_and_four_lines_hold_six_of_a_set},
	{"later accesses wait for the swap", later_accesses_wait_for_the_swap},
	{"dirty lines leave it to L2", dirty_lines_leave_it_to_l2},
	{"a dirty line leaves after the line that came", a_dirty_line_leaves_after_the_line_that_came},
	{"L2 takes its victims from it", l2_takes_its_victims_from_it},
	{"it needs no miss buffer", it_needs_no_miss_buffer},
	{"prefetches leave its lines", prefetches_leave_its_lines},
	{"transfers find its dirty lines", transfers_find_its_dirty_lines},
	{"warming has the same lines", warming_has_the_same_lines},
	{"its order is in the digest", its_order_is_in_the_digest},
};

int main(void)
{
	return tap_main("victim cache of L1D", tests, TAP_COUNT(tests));
}
