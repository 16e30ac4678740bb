/* Several cores on one L2 and one memory channel: psim/memory/memsys.h. Numbers by its rules. */
#include "tap.h"

#include "alloc_fail.h"
#include "memsys_small.h"

struct pair {
	struct chip_memory *chip;
	struct memsys *a, *b;
};

static struct pair create_pair(const struct core_config *c)
{
	struct pair p = {.chip = chip_memory_create(c, NULL)};

	REQUIRE(p.chip != NULL);
	p.a = memsys_create(c, p.chip, NULL);
	p.b = memsys_create(c, p.chip, NULL);
	REQUIRE(p.a != NULL && p.b != NULL);
	return p;
}

static void destroy_pair(struct pair *p)
{
	struct err e = {.text = ""};

	CHECK_I64(memsys_check(p->a, &e), 0);
	CHECK_I64(memsys_check(p->b, &e), 0);
	CHECK_STR(e.text, "");
	memsys_destroy(p->a);
	memsys_destroy(p->b);
	chip_memory_destroy(p->chip);
}

static void equal_addresses_are_different_lines(void)
{
	struct core_config c = small_config();
	struct pair p = create_pair(&c);

	load(p.a, 0, 5);
	/* not found in L2, though the other core has line 5 there */
	CHECK_ANSWER(load(p.b, 1000, 5), 1134, MEM_MEMORY);
	CHECK_ANSWER(load(p.a, 2000, 5), 2000, MEM_L1);
	CHECK_U64(memsys_stats(p.a)->memory_reads + memsys_stats(p.b)->memory_reads, 2);
	destroy_pair(&p);
}

static void reads_of_two_cores_share_the_memory_channel(void)
{
	struct core_config c = small_config();
	struct pair p = create_pair(&c);

	/* slots of 16 cycles, in the order of the calls: 0, 16, 32, 48; each + 120 + 12 + 2 */
	CHECK_ANSWER(load(p.a, 0, 0), 134, MEM_MEMORY);
	CHECK_ANSWER(load(p.b, 0, 0), 150, MEM_MEMORY);
	CHECK_ANSWER(load(p.a, 0, 1), 166, MEM_MEMORY);
	CHECK_ANSWER(load(p.b, 0, 1), 182, MEM_MEMORY);
	CHECK_U64(memsys_stats(p.a)->memory_wait_cycles, 32);
	CHECK_U64(memsys_stats(p.b)->memory_wait_cycles, 16 + 48);
	destroy_pair(&p);
}

static void hits_of_two_cores_share_the_way_from_l2(void)
{
	struct core_config c = small_config();
	struct pair p = create_pair(&c);

	/* lines 0 and 2 out of L1 (set 0 of 2 ways), still in L2 */
	for (uint64_t n = 0; n < 4; n++) {
		load(p.a, 1000 * n, 2 * n);
		load(p.b, 1000 * n, 2 * n);
	}
	CHECK_ANSWER(load(p.a, 10000, 0), 10014, MEM_L2);
	CHECK_ANSWER(load(p.b, 10000, 0), 10016, MEM_L2);
	destroy_pair(&p);
}

static void miss_buffers_of_l2_are_shared(void)
{
	struct core_config c = small_config();
	struct pair p;

	c.l2.miss_buffers = 1;
	p = create_pair(&c);
	CHECK_ANSWER(load(p.a, 0, 0), 134, MEM_MEMORY); /* at L2 in 120: its buffer is free */
	CHECK_ANSWER(load(p.b, 0, 0), 120 + 134, MEM_MEMORY);
	destroy_pair(&p);
}

/* Passes of core `m` over `count` lines, far apart in time, from cycle `now` on; returns the last pass's misses. */
static uint64_t miss_in_last_pass(struct memsys *const *m, unsigned cores, unsigned count, unsigned passes)
{
	uint64_t now = 0, before = 0, after = 0;

	for (unsigned k = 0; k < passes; k++) {
		before = memsys_stats(m[0])->memory_reads;
		for (unsigned line = 0; line < count; line++)
			for (unsigned n = 0; n < cores; n++)
				load(m[n], now += 1000, line);
		after = memsys_stats(m[0])->memory_reads;
	}
	return after - before;
}

static void room_in_l2_is_shared(void)
{
	/*
	 * L2: 4 sets of 4 ways. 12 lines are 3 a set: alone all stay. Of two cores they are 6 a set,
	 * used round and round: with LRU none is there when it is wanted again. 8 lines of each
	 * of two cores are 4 a set: all stay.
	 */
	for (unsigned cores = 1; cores <= 2; cores++)
		for (unsigned lines = 8; lines <= 12; lines += 4) {
			struct core_config c = small_config();
			struct pair p;

			c.l1d.size = 2 * LINE; /* one set of two ways: the lines do not stay in L1 */
			p = create_pair(&c);
			CHECK_U64(miss_in_last_pass((struct memsys *[]){p.a, p.b}, cores, lines, 3),
				  cores == 2 && lines == 12 ? 12 : 0);
			destroy_pair(&p);
		}
}

static void a_line_that_l2_loses_leaves_the_other_cores_l1(void)
{
	struct core_config c = small_config();
	struct pair p = create_pair(&c);

	store(p.a, 0, 0); /* dirty in the L1 of a; L2 set 0 */
	/* four more lines of that set by b: the fifth line in four ways pushes out the oldest */
	for (uint64_t n = 0; n < 4; n++)
		load(p.b, 1000 * (n + 1), 4 * n);
	CHECK_U64(memsys_stats(p.a)->l1d_invalidated, 1);
	CHECK_U64(memsys_stats(p.a)->l1d_writebacks, 1);
	/* the fetch that pushed it out was b's */
	CHECK_U64(memsys_stats(p.b)->l2_writebacks, 1);
	CHECK_ANSWER(load(p.a, 10000, 0), 10134, MEM_MEMORY);
	destroy_pair(&p);
}

static void translations_are_a_cores_own(void)
{
	struct core_config c = small_config();
	struct pair p;

	c.tlb.perfect = false;
	p = create_pair(&c);
	/* each walks for the page itself: 4 + 60, and the second does not wait for the first */
	CHECK_REFUSED(load(p.a, 0, 0), MEM_NO_PAGE, 64);
	CHECK_REFUSED(load(p.b, 0, 0), MEM_NO_PAGE, 64);
	CHECK_ANSWER(load_again(p.a, 64, 0), 64 + 134, MEM_MEMORY);
	CHECK_ANSWER(load_again(p.b, 64, 0), 64 + 16 + 134, MEM_MEMORY);
	CHECK_U64(memsys_stats(p.b)->dtlb_walks, 1);
	destroy_pair(&p);
}

static void programs_lie_apart_in_l2(void)
{
	struct core_config c = small_config();
	struct chip_memory *chip;
	struct memsys *m[5];
	/* 64 sets of lines of 64 bytes, pages of 512 bytes: eight pages; by halves, quarters, eighths of 4096 */
	static const uint64_t moved[5] = {0, 2048, 1024, 3072, 512};

	c.l2.size = 64 * 4 * LINE;
	c.tlb.page_size = 512;
	chip = chip_memory_create(&c, NULL);
	REQUIRE(chip != NULL);
	for (unsigned n = 0; n < 5; n++) {
		m[n] = memsys_create(&c, chip, NULL);
		REQUIRE(m[n] != NULL);
		CHECK_HEX(m[n]->space, (uint64_t)n << 58 | moved[n]);
	}
	for (unsigned n = 0; n < 5; n++)
		memsys_destroy(m[n]);
	chip_memory_destroy(chip);
}

static void shortage_of_memory_is_told(void)
{
	struct core_config c = small_config();
	struct err e;

	for (unsigned k = 1;; k++) {
		alloc_fail_at(k);
		struct chip_memory *chip = chip_memory_create(&c, &e);
		struct memsys *m = chip ? memsys_create(&c, chip, &e) : NULL;
		bool failed = alloc_fail_end();

		CHECK((m == NULL) == failed);
		if (failed)
			CHECK_U64(e.status, STATUS_FAILED);
		memsys_destroy(m);
		chip_memory_destroy(chip);
		if (!failed)
			break;
	}
}

static const struct tap_test tests[] = {
	{"equal addresses of two cores are different lines", equal_addresses_are_different_lines},
	{"reads of two cores share the memory channel", reads_of_two_cores_share_the_memory_channel},
	{"hits of two cores share the way from L2", hits_of_two_cores_share_the_way_from_l2},
	{"miss buffers of L2 are shared", miss_buffers_of_l2_are_shared},
	{"room in L2 is shared", room_in_l2_is_shared},
	{"a line that L2 loses leaves the other core's L1", a_line_that_l2_loses_leaves_the_other_cores_l1},
	{"translations are a core's own", translations_are_a_cores_own},
	{"programs lie apart in L2, by halves of it", programs_lie_apart_in_l2},
	{"shortage of memory is told", shortage_of_memory_is_told},
};

int main(void)
{
	return tap_main("chip-memory", tests, TAP_COUNT(tests));
}
