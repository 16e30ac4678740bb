/*
 * The memory system with memory of banks and rows: psim/memory/memsys_dram.c. A clock of memory is a cycle, and its
 * timing is that of 304-dram.c. A read that finds its bank closed is at L2 5 + 5 + 4 = 14 cycles later, a hit of the
 * row 9; from L2 to a load 12 + 2.
 */
#include "tap.h"

#include "memsys_small.h"

static struct core_config banked_config(void)
{
	struct core_config c = small_config();

	c.chip.frequency = c.dram.frequency = 2e9;
	c.memory.kind = MEMORY_DRAM;
	c.dram.channels = c.dram.ranks = c.dram.bank_groups = 1;
	c.dram.banks = c.dram.bus_bytes = c.dram.burst = 8;
	c.dram.row_bytes = 16 * LINE;
	c.dram.row_hits = 4;
	c.dram.read_queue = 32;
	c.dram.write_queue = 4;
	c.dram.latency = (struct clocked){0, true};
	c.dram.cl = c.dram.rcd = c.dram.rp = 5;
	c.dram.cwl = 4;
	c.dram.ras = 18;
	c.dram.rrd_s = c.dram.rrd_l = c.dram.wtr_s = c.dram.wtr_l = c.dram.rtp = 3;
	c.dram.faw = 14;
	c.dram.ccd_s = c.dram.ccd_l = 2;
	c.dram.wr = 6;
	c.dram.rtrs = 1;
	c.dram.rfc = 51;
	c.dram.refi = 3120;
	return c;
}

enum { OTHER_ROW = 16 * 8 }; /* lines between rows of a bank */

static void finish(struct memsys *m)
{
	struct err e = {.text = ""};

	CHECK_I64(memsys_check(m, &e), 0);
	CHECK_STR(e.text, "");
	memsys_destroy(m);
}

static void a_load_is_refused_until_its_line_may_arrive(void)
{
	struct core_config c = banked_config();
	struct memsys *m = create(&c);

	CHECK_REFUSED(load(m, 0, 5), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m, 3, 5), MEM_QUEUED, 14);
	CHECK_ANSWER(load_again(m, 14, 5), 28, MEM_MEMORY);
	CHECK_ANSWER(load_again(m, 14, 5), 28, MEM_MEMORY); /* merged */
	CHECK_U64(memsys_stats(m)->l1d_load_misses, 1);
	CHECK_U64(memsys_stats(m)->l1d_load_merged, 1);
	CHECK_U64(memsys_stats(m)->l2_data_misses, 1);
	CHECK_U64(memsys_stats(m)->memory_reads, 1);
	CHECK_U64(memsys_stats(m)->memory_wait_cycles, 5);
	CHECK_U64(memsys_stats(m)->dram_row_closed, 1);
	CHECK_ANSWER(load(m, 100, 5), 100, MEM_L1);
	finish(m);
}

static void a_load_behind_another_row_is_refused_again(void)
{
	struct core_config c = banked_config();
	struct memsys *m = create(&c);

	CHECK_REFUSED(load(m, 0, 0), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m, 0, OTHER_ROW), MEM_QUEUED, 14);
	CHECK_ANSWER(load_again(m, 14, 0), 28, MEM_MEMORY);
	/* PRE 18, ACT 23, RD 28 */
	CHECK_REFUSED(load_again(m, 14, OTHER_ROW), MEM_QUEUED, 37);
	CHECK_ANSWER(load_again(m, 37, OTHER_ROW), 51, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->dram_row_conflicts, 1);
	CHECK_U64(memsys_stats(m)->memory_read_cycles, 14 + 37);
	CHECK_U64(memsys_stats(m)->memory_busy_cycles, 37);
	/* a hit from 100 to 109, with one from 103 to 113: the bus gives it 4 cycles later */
	CHECK_REFUSED(load(m, 100, OTHER_ROW + 1), MEM_QUEUED, 109);
	CHECK_REFUSED(load(m, 103, OTHER_ROW + 2), MEM_QUEUED, 113);
	CHECK_ANSWER(load_again(m, 109, OTHER_ROW + 1), 109 + 14, MEM_MEMORY);
	CHECK_ANSWER(load_again(m, 113, OTHER_ROW + 2), 113 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->memory_read_cycles, 14 + 37 + 9 + 10);
	CHECK_U64(memsys_stats(m)->memory_busy_cycles, 37 + 13);
	finish(m);
}

static void a_refused_load_holds_its_miss_buffer(void)
{
	struct core_config c = banked_config();
	struct mem_buffers used;
	struct memsys *m;

	c.l1d.miss_buffers = 1;
	m = create(&c);
	CHECK_REFUSED(load(m, 0, 0), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m, 1, 1), MEM_NO_BUFFER, 14);
	memsys_buffers(m, 10, &used);
	CHECK_U64(used.l1d, 10);
	CHECK_U64(used.l2, 10);
	CHECK_ANSWER(load_again(m, 14, 0), 28, MEM_MEMORY); /* at L1 in 26 */
	CHECK_REFUSED(load_again(m, 14, 1), MEM_NO_BUFFER, 26);
	memsys_buffers(m, 30, &used);
	CHECK_U64(used.l1d, 26);
	CHECK_U64(used.l2, 14);
	CHECK_REFUSED(load_again(m, 26, 1), MEM_QUEUED, 26 + 9);
	CHECK_ANSWER(load_again(m, 35, 1), 35 + 14, MEM_MEMORY);
	finish(m);
}

static void a_load_that_is_not_repeated_loses_its_miss_buffer(void)
{
	struct core_config c = banked_config();
	struct memsys *m;

	c.l1d.miss_buffers = 1;
	m = create(&c);
	CHECK_REFUSED(load(m, 0, 0), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m, 14, 1), MEM_NO_BUFFER, 15);
	CHECK_REFUSED(load_again(m, 15, 1), MEM_QUEUED, 15 + 9);
	CHECK_ANSWER(load_again(m, 24, 1), 24 + 14, MEM_MEMORY);
	CHECK_ANSWER(load(m, 40, 0), 40 + 14, MEM_L2); /* it has come meanwhile */
	finish(m);
}

static void the_miss_buffers_of_l2_are_a_limit(void)
{
	struct core_config c = banked_config();
	struct memsys *m;

	c.l2.miss_buffers = 1;
	m = create(&c);
	CHECK_REFUSED(load(m, 0, 0), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m, 0, 1), MEM_QUEUED, 14);
	CHECK_ANSWER(load_again(m, 14, 0), 28, MEM_MEMORY);
	CHECK_REFUSED(load_again(m, 14, 1), MEM_QUEUED, 14 + 9);
	CHECK_ANSWER(load_again(m, 23, 1), 23 + 14, MEM_MEMORY);
	finish(m);
}

static void stores_and_prefetches_wait_as_loads_do(void)
{
	struct core_config c = banked_config();
	struct memsys *m = create(&c);
	struct mem_answer a;

	CHECK_REFUSED(memsys_store_prefetch(m, 0, 0, 0), MEM_QUEUED, 14);
	CHECK_REFUSED(memsys_prefetch(m, 0, LINE, true, 0), MEM_QUEUED, 14);
	a = memsys_store_prefetch(m, 14, 0, MEM_TRANSLATED);
	CHECK_U64(a.refused, MEM_ACCEPTED);
	CHECK_U64(a.ready, 28);
	/* RD 5 + 4; the store's line has the path between L2 and L1 from 14 on for 2 cycles */
	CHECK_REFUSED(memsys_prefetch(m, 14, LINE, true, MEM_TRANSLATED), MEM_ACCEPTED, 14);
	CHECK_ANSWER(store(m, 14, 1), 9 + 9 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->l1d_stores_ahead, 1);
	CHECK_U64(memsys_stats(m)->prefetches_issued, 1);
	finish(m);
}

static void instructions_and_lines_of_sbm_are_served_at_once(void)
{
	struct core_config c = banked_config();
	struct memsys *m = create(&c);
	struct mem_answer a = memsys_fetch(m, 0, 0);
	struct mem_line line;

	CHECK_U64(a.refused, MEM_ACCEPTED);
	CHECK_U64(a.ready, 14 + 12);
	line = memsys_transfer(m, 100, 100, 64 * LINE, false, true); /* another bank: ACT 100, RD 105 */
	CHECK_U64(line.arrival, 114);
	CHECK_U64(line.next, 109);
	CHECK_U64(memsys_stats(m)->transfer_wait_cycles, 5);
	line = memsys_transfer(m, 200, 200, 64 * LINE, true, true); /* WR 200, its data ends in 208 */
	CHECK_U64(line.arrival, 208);
	finish(m);
}

static void dirty_lines_of_l2_are_written(void)
{
	struct core_config c = banked_config();
	struct memsys *m;

	c.l2.ways = 1; /* 16 sets */
	m = create(&c);
	/* lines 0 to 15 are written, and displaced by 16 to 31 */
	for (uint64_t n = 0; n < 32; n++) {
		uint64_t t = 1000 * n;
		struct mem_answer a = store(m, t, n);

		CHECK_U64(a.refused, MEM_QUEUED);
		while (a.refused)
			a = memsys_store(m, a.ready, n * LINE + 8, 8, MEM_TRANSLATED);
	}
	load(m, 100000, 0);
	CHECK_U64(memsys_stats(m)->l2_writebacks, 16);
	CHECK_U64(memsys_stats(m)->dram_write_bursts, 15); /* a quarter of the queue of four remains */
	finish(m);
}

static void the_prefetcher_requests_beside_loads(void)
{
	struct core_config c = banked_config();
	struct memsys *m;

	c.prefetch.enabled = true;
	c.prefetch.distance = 2;
	m = create(&c);
	CHECK_REFUSED(load(m, 0, 0), MEM_QUEUED, 14);
	CHECK_ANSWER(load_again(m, 14, 0), 28, MEM_MEMORY);
	CHECK_REFUSED(load(m, 50, 1), MEM_QUEUED, 59);
	CHECK_ANSWER(load_again(m, 59, 1), 59 + 14, MEM_MEMORY);
	/* a stream: lines 2 and 3 are requested in 59, RD 59, 63 */
	CHECK_REFUSED(load(m, 61, 3), MEM_QUEUED, 63 + 9);
	CHECK_ANSWER(load_again(m, 72, 3), 72 + 14, MEM_MEMORY);
	CHECK_ANSWER(load(m, 90, 2), 90 + 14, MEM_L2);
	CHECK_U64(memsys_stats(m)->hw_prefetches_late, 1);
	CHECK_U64(memsys_stats(m)->hw_prefetches_useful, 1);
	finish(m);
}

static void a_pause_holds_all_commands(void)
{
	struct core_config c = banked_config();
	struct memsys *m = create(&c);

	memsys_occupy(m, 10, 20);
	CHECK_REFUSED(load(m, 11, 0), MEM_QUEUED, 30 + 14);
	CHECK_ANSWER(load_again(m, 44, 0), 44 + 14, MEM_MEMORY);
	finish(m);
}

/* Served at once, in the order of requests: 14 or 9 cycles to L3, 30 to L2, 14 to the load. */
static void an_l3_is_served_at_once(void)
{
	struct core_config c = banked_config();
	struct memsys *m;

	c.l3.size = 64 * LINE;
	c.l3.ways = 4;
	c.l3.slices = 1;
	c.l3.latency = 30;
	c.l3.bandwidth = (struct clocked){LINE, true};
	c.l3.miss_buffers = 16;
	m = create(&c);
	CHECK_ANSWER(load(m, 0, 0), 14 + 30 + 14, MEM_MEMORY);
	CHECK_ANSWER(load(m, 100, 1), 100 + 9 + 30 + 14, MEM_MEMORY);
	/* PRE 200, ACT 205, RD 210, data to 219 */
	CHECK_ANSWER(load(m, 200, OTHER_ROW), 200 + 19 + 30 + 14, MEM_MEMORY);
	CHECK_U64(memsys_stats(m)->memory_reads, 3);
	CHECK_U64(memsys_stats(m)->dram_row_hits, 1);
	CHECK_U64(memsys_stats(m)->dram_row_conflicts, 1);
	CHECK_U64(memsys_stats(m)->memory_read_cycles, 14 + 9 + 19);
	CHECK_U64(memsys_stats(m)->memory_busy_cycles, 14 + 9 + 19);
	finish(m);
}

/* The core that has wanted a miss buffer of L2 for longer gets it, though the other one requests first. */
static void cores_take_turns(void)
{
	enum { OTHER_BANK = 16 };
	struct core_config c = banked_config();
	struct chip_memory *chip;
	struct memsys *m[2];

	c.l2.miss_buffers = 1;
	chip = chip_memory_create(&c, NULL);
	REQUIRE(chip != NULL);
	for (unsigned n = 0; n < 2; n++) {
		m[n] = memsys_create(&c, chip, NULL);
		REQUIRE(m[n] != NULL);
	}
	CHECK_REFUSED(load(m[0], 0, 0), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m[1], 0, 2 * OTHER_BANK), MEM_QUEUED, 14);
	CHECK_REFUSED(load(m[0], 1, OTHER_BANK), MEM_QUEUED, 14);
	CHECK_ANSWER(load_again(m[0], 14, 0), 28, MEM_MEMORY);
	CHECK_REFUSED(load_again(m[0], 14, OTHER_BANK), MEM_QUEUED, 15);
	CHECK_REFUSED(load_again(m[1], 14, 2 * OTHER_BANK), MEM_QUEUED, 28);
	CHECK_REFUSED(load_again(m[0], 15, OTHER_BANK), MEM_QUEUED, 28);
	/* the line of core 1 is there: it claims no buffer */
	CHECK_REFUSED(load_again(m[0], 28, OTHER_BANK), MEM_QUEUED, 42);
	CHECK_ANSWER(load_again(m[1], 29, 2 * OTHER_BANK), 43, MEM_MEMORY);
	CHECK_ANSWER(load_again(m[0], 42, OTHER_BANK), 56, MEM_MEMORY);
	for (unsigned n = 0; n < 2; n++)
		finish(m[n]);
	chip_memory_destroy(chip);
}

static const struct tap_test tests[] = {
	{"a load is refused until its line may arrive", a_load_is_refused_until_its_line_may_arrive},
	{"a load behind another row is refused again", a_load_behind_another_row_is_refused_again},
	{"a refused load holds its miss buffer", a_refused_load_holds_its_miss_buffer},
	{"a load that is not repeated loses its miss buffer", a_load_that_is_not_repeated_loses_its_miss_buffer},
	{"the miss buffers of L2 are a limit", the_miss_buffers_of_l2_are_a_limit},
	{"stores and prefetches wait as loads do", stores_and_prefetches_wait_as_loads_do},
	{"instructions and lines of SBM are served at once", instructions_and_lines_of_sbm_are_served_at_once},
	{"dirty lines of L2 are written", dirty_lines_of_l2_are_written},
	{"the prefetcher requests beside loads", the_prefetcher_requests_beside_loads},
	{"cores take turns", cores_take_turns},
	{"a pause holds all commands", a_pause_holds_all_commands},
	{"an L3 is served at once", an_l3_is_served_at_once},
};

int main(void)
{
	return tap_main("memory system with banks and rows", tests, TAP_COUNT(tests));
}
