/*
 * Memory of banks and rows: psim/memory/dram.h. The core's clock is the memory's, and dram.latency is 0, so that each
 * cycle is a clock; timing is that of DDR2-800. Numbers by hand from the commands:
 *
 *   ACT to RD 5, RD to the end of its data 5 + 4, PRE to ACT 5, ACT to PRE 18, RD to PRE 3, RD to RD 4 (a burst),
 *   ACT to ACT of other banks 3, five ACTs 14, end of a write's data to RD 3, to PRE 6
 */
#include "tap.h"

#include <string.h>

#include "psim/memory/dram_map.h"
#include "psim/memory/dram.h"

enum { ROW = 1024, ROWS_OF_BANKS = 8 * ROW }; /* bytes of a row; of the same row in all banks */

static struct dram_params ddr2(void)
{
	struct dram_params p;

	memset(&p, 0, sizeof(p));
	p.frequency = 400e6;
	p.channels = p.ranks = p.bank_groups = 1;
	p.banks = 8;
	p.row_bytes = ROW;
	p.bus_bytes = p.burst = 8;
	p.row_hits = 4;
	p.read_queue = 32;
	p.write_queue = 4;
	p.latency = (struct clocked){0, true};
	p.cl = p.rcd = p.rp = 5;
	p.cwl = 4;
	p.ras = 18;
	p.rrd_s = p.rrd_l = p.wtr_s = p.wtr_l = p.rtp = 3;
	p.faw = 14;
	p.ccd_s = p.ccd_l = 2;
	p.wr = 6;
	p.rtrs = 1;
	p.rfc = 51;
	p.refi = 3120;
	return p;
}

static struct dram *create(const struct dram_params *p)
{
	struct dram *d = dram_create(p, 64, p->frequency, 64, 64);

	REQUIRE(d != NULL);
	return d;
}

static uint64_t place(unsigned bank, unsigned row, unsigned column)
{
	return (uint64_t)row * ROWS_OF_BANKS + bank * ROW + column * 64;
}

/* Issues the commands before clock `at`, of which none ends a read, and requests a read. */
static void read_at(struct dram *d, uint64_t at, uint64_t line)
{
	struct dram_arrival a;

	CHECK(!dram_advance(d, at, &a));
	CHECK_U64(dram_read(d, at, line, 0, 0), 0);
}

/* The next arrival is of `line`, in clock `at`. */
static void arrives(struct dram *d, uint64_t line, uint64_t at)
{
	struct dram_arrival a;

	REQUIRE(dram_advance(d, 100000, &a));
	CHECK_U64(a.line, line);
	CHECK_U64(a.at, at);
}

/* A read that is alone arrives in clock `expected`; time goes no farther than that. */
static void read_late(struct dram *d, uint64_t at, uint64_t line, uint64_t expected)
{
	struct dram_arrival a;

	read_at(d, at, line);
	CHECK(dram_bound(d, at, line) <= expected);
	REQUIRE(dram_advance(d, expected, &a));
	CHECK_U64(a.at, expected);
}

/* The same, where nothing else than the read delays it: its bound is exact. */
static void read_alone(struct dram *d, uint64_t at, uint64_t line, uint64_t expected)
{
	struct dram_arrival a;

	read_at(d, at, line);
	CHECK_U64(dram_bound(d, at, line), expected);
	REQUIRE(dram_advance(d, expected, &a));
	CHECK_U64(a.at, expected);
}

static void a_closed_bank_a_row_hit_and_a_conflict(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	read_alone(d, 100, place(0, 0, 0), 100 + 5 + 9);
	read_alone(d, 200, place(0, 0, 7), 200 + 9);
	read_alone(d, 300, place(0, 1, 0), 300 + 5 + 5 + 9);
	CHECK_U64(dram_counts(d, 0)->row_closed, 1);
	CHECK_U64(dram_counts(d, 0)->row_hits, 1);
	CHECK_U64(dram_counts(d, 0)->row_conflicts, 1);
	CHECK_U64(dram_counts(d, 0)->activates, 2);
	CHECK_U64(dram_counts(d, 0)->active_clocks, 300 - 100); /* until the precharge of the conflict */
	CHECK_U64(dram_counts(d, 0)->wait_clocks, 5 + 0 + 10);
	dram_destroy(d);
}

static void a_conflict_waits_until_the_row_may_close(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	/* ACT 0, RD 5; PRE 0 + 18, ACT 23, RD 28 */
	read_at(d, 0, place(0, 0, 0));
	read_at(d, 1, place(0, 1, 0));
	arrives(d, place(0, 0, 0), 14);
	arrives(d, place(0, 1, 0), 37);
	/* RD 117 of the row that has been open since 23; PRE 117 + 3, ACT 125, RD 130 */
	read_at(d, 117, place(0, 1, 1));
	read_at(d, 117, place(0, 2, 0));
	arrives(d, place(0, 1, 1), 126);
	arrives(d, place(0, 2, 0), 139);
	dram_destroy(d);
}

static void hits_follow_each_other_at_the_rate_of_the_bus(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	for (unsigned n = 0; n < 4; n++)
		read_at(d, 10, place(0, 0, n));
	for (unsigned n = 0; n < 4; n++)
		arrives(d, place(0, 0, n), 10 + 5 + 9 + 4 * n); /* 64 bytes take 4 clocks */
	dram_destroy(d);
}

static void banks_work_at_the_same_time(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	/*
	 * ACT 0, 3, 6; RD 5, 9. The fourth ACT may go in clock 9, in which a RD goes: 10. The fifth waits for the
	 * window of four: 0 + 14. RD 13, 17, and 21, as the bus is the limit again.
	 */
	for (unsigned n = 0; n < 5; n++)
		read_at(d, 0, place(n, 0, 0));
	for (unsigned n = 0; n < 5; n++)
		arrives(d, place(n, 0, 0), 5 + 9 + 4 * n);
	dram_destroy(d);
}

static void a_window_of_four_activations_is_a_limit(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.faw = 60;
	d = create(&p);
	for (unsigned n = 0; n < 5; n++)
		read_at(d, 0, place(n, 0, 0));
	for (unsigned n = 0; n < 4; n++)
		arrives(d, place(n, 0, 0), 5 + 9 + 4 * n);
	arrives(d, place(4, 0, 0), 60 + 5 + 9);
	dram_destroy(d);
}

static void bank_groups_have_their_own_distance(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	/* two groups of four banks; a group's next read 6 clocks later, its next activation 8 */
	p.bank_groups = 2;
	p.banks = 4;
	p.ccd_l = 6;
	p.rrd_l = 8;
	d = create(&p);
	/* with two groups, the bits of the group are below those of the bank: place(1, …) is in the other group */
	read_at(d, 0, place(0, 0, 0));
	read_at(d, 0, place(0, 0, 1)); /* RD 5, 11 */
	arrives(d, place(0, 0, 0), 14);
	arrives(d, place(0, 0, 1), 20);
	read_at(d, 100, place(2, 0, 0)); /* ACT 100; ACT 108 of the same group, RD 105, 113 */
	read_at(d, 100, place(4, 0, 0));
	read_at(d, 100, place(1, 0, 0)); /* ACT 103 of the other, RD 109 */
	arrives(d, place(2, 0, 0), 114);
	arrives(d, place(1, 0, 0), 118);
	arrives(d, place(4, 0, 0), 122);
	dram_destroy(d);
}

static void another_rank_needs_a_gap_on_the_bus(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.ranks = 2;
	d = create(&p);
	read_at(d, 0, place(0, 0, 0));
	read_at(d, 0, 8 * ROW); /* the same bank of rank 1: ACT 1, RD 5 + 4 + 1 */
	arrives(d, place(0, 0, 0), 14);
	arrives(d, 8 * ROW, 19);
	dram_destroy(d);
}

static void a_refresh_goes_first(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);
	struct dram_arrival a;

	/* it is due in 3120, when no row is open: ACT 3120 + 51 */
	read_late(d, 3120, place(0, 0, 0), 3120 + 51 + 5 + 9);
	/* due in 6240: PRE then, REF 6245, ACT 6245 + 51 */
	read_late(d, 6240, place(0, 0, 0), 6245 + 51 + 5 + 9);
	/* a read in the clock before goes; PRE 9359 + 3, REF 9367, ACT 9418 */
	read_at(d, 9359, place(0, 0, 1));
	REQUIRE(dram_advance(d, 9360, &a));
	CHECK_U64(a.at, 9359 + 9);
	read_at(d, 9360, place(0, 0, 2));
	arrives(d, place(0, 0, 2), 9418 + 5 + 9);
	CHECK_U64(dram_counts(d, 0)->refreshes, 3);
	dram_destroy(d);
}

static void ranks_are_refreshed_in_turn(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.ranks = 2;
	d = create(&p);
	/* rank 0 is due in 1560, rank 1 in 3120; its command takes the clock, so ACT 1561 */
	read_late(d, 1560, 8 * ROW, 1561 + 5 + 9);
	read_late(d, 1580, place(0, 0, 0), 1560 + 51 + 5 + 9);
	read_late(d, 3130, place(0, 0, 0), 3130 + 9);
	dram_destroy(d);
}

static void a_read_waits_behind_writes_for_the_turn_of_the_bus(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	/* the queue of four writes is full: ACT 0, WR 5, 9, 13, and one remains. RD 13 + 4 + 4 + 3 */
	for (unsigned n = 0; n < 4; n++)
		dram_write(d, 0, place(0, 0, n), 0);
	read_at(d, 14, place(0, 0, 9));
	CHECK_U64(dram_counts(d, 0)->writes, 3);
	arrives(d, place(0, 0, 9), 24 + 9);
	dram_destroy(d);
}

static void a_write_waits_behind_reads_for_the_turn_of_the_bus(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);
	struct dram_arrival a;

	/* RD 5; its data ends in 14, and that of a write may begin in 15: WR 15 - 4 */
	read_at(d, 0, place(0, 0, 0));
	arrives(d, place(0, 0, 0), 14);
	dram_destroy(d);
	d = create(&p);
	read_at(d, 0, place(0, 0, 0));
	for (unsigned n = 1; n < 5; n++)
		dram_write(d, 6, place(0, 0, n), 0);
	REQUIRE(dram_advance(d, 11, &a));
	CHECK(!dram_advance(d, 11, &a));
	CHECK_U64(dram_counts(d, 0)->writes, 0);
	CHECK(!dram_advance(d, 12, &a));
	CHECK_U64(dram_counts(d, 0)->writes, 1);
	dram_destroy(d);
}

static void writes_wait_for_reads(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);
	struct dram_arrival a;

	/* more than a quarter of the queue waits, but a read does too, as long as its bank needs */
	dram_write(d, 0, place(1, 0, 0), 0);
	dram_write(d, 0, place(1, 0, 1), 0);
	read_at(d, 0, place(0, 0, 0));
	REQUIRE(dram_advance(d, 1000, &a));
	CHECK_U64(a.at, 14);
	CHECK(!dram_advance(d, 1000, &a));
	CHECK_U64(dram_counts(d, 0)->writes, 1); /* a quarter stays */
	dram_destroy(d);
}

static void a_row_hit_passes_an_older_request(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	read_alone(d, 0, place(0, 0, 0), 14);
	read_at(d, 100, place(0, 1, 0));
	read_at(d, 100, place(0, 0, 1));
	arrives(d, place(0, 0, 1), 109);
	arrives(d, place(0, 1, 0), 100 + 3 + 5 + 5 + 9); /* PRE behind RD 100 */
	dram_destroy(d);
	/* in the order of arrival: PRE 100, ACT 105, RD 110; PRE 105 + 18, ACT 128, RD 133 */
	p.row_hits = 0;
	d = create(&p);
	read_alone(d, 0, place(0, 0, 0), 14);
	read_at(d, 100, place(0, 1, 0));
	read_at(d, 100, place(0, 0, 1));
	arrives(d, place(0, 1, 0), 119);
	arrives(d, place(0, 0, 1), 142);
	dram_destroy(d);
}

static void no_more_than_row_hits_pass(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);

	/* the row has been used once; three more, then it closes: RD 100, 104, 108, PRE 111, ACT 116, RD 121 */
	read_alone(d, 0, place(0, 0, 0), 14);
	read_at(d, 100, place(0, 1, 0));
	for (unsigned n = 1; n < 6; n++)
		read_at(d, 100, place(0, 0, n));
	for (unsigned n = 1; n < 4; n++)
		arrives(d, place(0, 0, n), 109 + 4 * (n - 1));
	arrives(d, place(0, 1, 0), 130);
	/* PRE 116 + 18, ACT 139, RD 144, 148 */
	arrives(d, place(0, 0, 4), 153);
	arrives(d, place(0, 0, 5), 157);
	dram_destroy(d);
}

static void a_closed_page_closes_behind_its_last_request(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.page = DRAM_CLOSED;
	d = create(&p);
	read_alone(d, 0, place(0, 0, 0), 14);
	read_alone(d, 100, place(0, 1, 0), 114); /* no conflict, */
	read_alone(d, 200, place(0, 1, 1), 214); /* and no hit */
	read_at(d, 300, place(0, 1, 1));
	read_at(d, 300, place(0, 1, 2)); /* it waits, so the row stays open */
	arrives(d, place(0, 1, 1), 314);
	arrives(d, place(0, 1, 2), 318);
	/* ACT 300, closes by itself in 318, ACT not before 323 */
	read_at(d, 319, place(0, 1, 3));
	arrives(d, place(0, 1, 3), 323 + 5 + 9);
	CHECK_U64(dram_counts(d, 0)->row_hits, 1);
	CHECK_U64(dram_counts(d, 0)->active_clocks, 5 * 18);
	dram_destroy(d);
}

static void a_line_of_two_bursts_takes_two_commands(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.burst = 4; /* 32 bytes in 2 clocks */
	d = create(&p);
	read_alone(d, 0, place(0, 0, 0), 5 + 2 + 5 + 2); /* RD 5, 7 */
	CHECK_U64(dram_counts(d, 0)->read_bursts, 2);
	dram_destroy(d);
}

static void a_line_that_waits_to_be_written_is_read_from_the_queue(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);
	struct dram_arrival a;

	dram_write(d, 0, place(0, 0, 0), 0);
	CHECK(!dram_advance(d, 10, &a));
	CHECK_U64(dram_read(d, 10, place(0, 0, 0), 0, 3), 11);
	CHECK_U64(dram_counts(d, 3)->forwarded, 1);
	CHECK_U64(dram_waiting(d), 0);
	dram_destroy(d);
}

static void some_requests_go_first(void)
{
	struct dram_params p = ddr2();
	struct dram *d = create(&p);
	struct dram_served s;

	read_at(d, 0, place(0, 0, 0));
	s = dram_serve(d, 0, place(1, 0, 0), false, 1); /* ACT 0, RD 5; the other: ACT 3, RD 9 */
	CHECK_U64(s.start, 5);
	CHECK_U64(s.arrival, 14);
	arrives(d, place(0, 0, 0), 18);
	s = dram_serve(d, 100, place(1, 0, 0), true, 1); /* WR 100; its data ends in 108 */
	CHECK_U64(s.arrival, 108);
	s = dram_serve(d, 100, place(1, 1, 0), false, 1); /* PRE 108 + 6, ACT 119, RD 124 */
	CHECK_U64(s.arrival, 133);
	CHECK_U64(dram_counts(d, 1)->reads, 2);
	CHECK_U64(dram_counts(d, 1)->writes, 1);
	dram_destroy(d);
}

static void a_read_lets_few_pass(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.read_queue = 2;
	d = create(&p);
	read_at(d, 0, place(0, 1, 0));
	CHECK_U64(dram_serve(d, 0, place(0, 0, 0), false, 1).arrival, 14); /* ACT 0, RD 5 */
	CHECK_U64(dram_serve(d, 0, place(0, 0, 1), false, 1).arrival, 18); /* RD 9: 4 clocks of the bus */
	/* two have passed it: PRE 18, ACT 23, RD 28; then PRE 41, ACT 46, RD 51 */
	CHECK_U64(dram_serve(d, 0, place(0, 0, 2), false, 1).arrival, 60);
	CHECK_U64(dram_waiting(d), 1);
	CHECK(dram_waits(d, place(0, 1, 0)));
	CHECK_U64(dram_bound(d, 0, place(0, 1, 0)), 37);
	CHECK_U64(dram_bound_any(d, 0), 37);
	arrives(d, place(0, 1, 0), 37);
	CHECK_U64(dram_waiting(d), 0);
	CHECK_U64(dram_counts(d, 0)->row_conflicts, 1);
	dram_destroy(d);
}

static void the_core_has_another_clock(void)
{
	struct dram_params p = ddr2();
	struct dram_arrival a;
	struct dram *d;

	/* 2 GHz: 5 cycles are a clock. A request of cycle 1 is in the queue in clock 1; its data ends in clock 15 */
	p.latency = (struct clocked){20, false}; /* 40 cycles */
	d = dram_create(&p, 64, 2e9, 64, 64);
	REQUIRE(d != NULL);
	dram_read(d, 1, place(0, 0, 0), DRAM_AHEAD, 7);
	CHECK_U64(dram_bound(d, 1, place(0, 0, 0)), 15 * 5 + 40);
	CHECK_U64(dram_bound_any(d, 1), 15 * 5 + 40);
	CHECK(!dram_advance(d, 30, &a)); /* RD is in clock 6, at cycle 30 */
	REQUIRE(dram_advance(d, 31, &a));
	CHECK_U64(a.at, 115);
	CHECK_U64(a.request, 1);
	CHECK_U64(a.command, 30);
	CHECK_U64(a.owner, 7);
	CHECK_U64(a.source, DRAM_AHEAD);
	CHECK_U64(dram_line_cycles(d), 20);
	CHECK_U64(dram_bound_any(d, 31), CYCLES_NEVER);
	dram_destroy(d);
}

/* Line 1 + 2 * 3 + … of each part, by its place among the bits. */
static void mappings(void)
{
	struct dram_params p = ddr2();
	struct dram_map m;
	struct dram_place at;

	p.channels = 2;
	p.bank_groups = 2;
	p.banks = 4;
	p.ranks = 2;
	/* bits: channel 1, column 4, group 1, bank 2, rank 1, row */
	dram_map_init(&m, &p, 64);
	at = dram_place(&m, 64 * (1 + 2 * (9 + 16 * (1 + 2 * (2 + 4 * (1 + 2 * 77))))));
	CHECK_U64(at.part[PART_CHANNEL], 1);
	CHECK_U64(at.part[PART_COLUMN], 9);
	CHECK_U64(at.part[PART_GROUP], 1);
	CHECK_U64(at.part[PART_BANK], 2);
	CHECK_U64(at.part[PART_RANK], 1);
	CHECK_U64(at.row, 77);
	/* channel, group, bank, rank, column, row */
	p.mapping = DRAM_ROW_COLUMN_BANK;
	dram_map_init(&m, &p, 64);
	at = dram_place(&m, 64 * (1 + 2 * (1 + 2 * (2 + 4 * (1 + 2 * (9 + 16 * 77))))));
	CHECK_U64(at.part[PART_COLUMN], 9);
	CHECK_U64(at.part[PART_BANK], 2);
	CHECK_U64(at.row, 77);
	/* channel, column, 16 bits of the row, group, bank, rank; what is above is in the row again */
	p.mapping = DRAM_BANK_ROW_COLUMN;
	dram_map_init(&m, &p, 64);
	at = dram_place(&m, 64 * (1 + 2 * (9 + 16 * (77 + 65536ull * (1 + 2 * (2 + 4 * (1 + 2 * 3)))))));
	CHECK_U64(at.part[PART_BANK], 2);
	CHECK_U64(at.part[PART_RANK], 1);
	CHECK_U64(at.row, 77 + 3 * 65536);
	/* row 77 = 1001101b: group 1 ^ 1, bank 2 ^ 10b */
	p.mapping = DRAM_PERMUTED;
	dram_map_init(&m, &p, 64);
	at = dram_place(&m, 64 * (1 + 2 * (9 + 16 * (1 + 2 * (2 + 4 * (1 + 2 * 77))))));
	CHECK_U64(at.part[PART_GROUP], 0);
	CHECK_U64(at.part[PART_BANK], 0);
	CHECK_U64(at.row, 77);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* The bank behind that of the last command goes first, not that of the oldest request. */
static void banks_take_turns(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.scheduler = DRAM_BANKS_IN_TURN;
	d = create(&p);
	read_at(d, 100, place(1, 0, 0)); /* they enter their banks in 100, 101, 102 */
	read_at(d, 100, place(4, 0, 0));
	read_at(d, 100, place(3, 0, 0));
	/* ACT of banks 1, 3, 4 in 100, 103, 106; RD 105, 109, 113 */
	arrives(d, place(1, 0, 0), 114);
	arrives(d, place(3, 0, 0), 118);
	arrives(d, place(4, 0, 0), 122);
	dram_destroy(d);
}

static void writes_that_go_enter_before_reads(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.scheduler = DRAM_BANKS_IN_TURN;
	d = create(&p); /* no bank has a request: more than one write, a quarter of the queue, go */
	for (unsigned n = 0; n < 3; n++)
		dram_write(d, 100, place(n, 0, 0), 0);
	read_at(d, 101, place(3, 0, 0)); /* it enters in 103, behind the writes */
	/*
	 * ACT 100, WR 105, of bank 0; ACT 103 and 106 of banks 1 and 2. In 109 bank 3, behind bank 2, is activated, so
	 * WR of bank 1 is in 110, and that of bank 2 in 114. RD 114 + 4 + 4 + 3.
	 */
	arrives(d, place(3, 0, 0), 125 + 9);
	CHECK_U64(dram_counts(d, 0)->writes, 3);
	dram_destroy(d);
}

static void a_bank_that_is_full_is_passed(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.scheduler = DRAM_BANKS_IN_TURN;
	d = create(&p);
	for (unsigned row = 0; row < 10; row++)
		read_at(d, 100, place(0, row, 0));
	read_at(d, 100, place(1, 0, 0));
	/* bank 0: one leaves in 105, a ninth enters in 108, the tenth waits; ACT 109, RD 114 */
	arrives(d, place(0, 0, 0), 114);
	arrives(d, place(1, 0, 0), 123);
	dram_destroy(d);
}

static void a_bank_keeps_its_row_for_row_hits(void)
{
	struct dram_params p = ddr2();
	struct dram *d;

	p.scheduler = DRAM_BANKS_IN_TURN;
	p.row_hits = 2;
	d = create(&p);
	read_alone(d, 0, place(0, 0, 0), 14);
	read_at(d, 100, place(0, 1, 0)); /* its bank has no hit: the next request enters in 101 */
	read_at(d, 100, place(0, 0, 1));
	/* PRE 100, ACT 105, RD 110; then PRE 105 + 18, ACT 128, RD 133 */
	arrives(d, place(0, 1, 0), 119);
	arrives(d, place(0, 0, 1), 142);
	/* with RD 200 the row is used twice: PRE 203, before the hit of 204; ACT 208, RD 213 */
	read_at(d, 200, place(0, 0, 2));
	read_at(d, 200, place(0, 1, 0));
	read_at(d, 200, place(0, 0, 3));
	arrives(d, place(0, 0, 2), 209);
	arrives(d, place(0, 1, 0), 222);
	dram_destroy(d);
}

/* Whatever is requested, each read arrives once, not before its bound, and none waits for ever. */
static void random_requests(enum dram_scheduler_choice scheduler)
{
	struct dram_params p = ddr2();
	uint64_t bound[64] = {0}, now = 0, read = 0, arrived = 0;
	uint32_t state = 42;
	struct dram_arrival a;
	struct dram *d;

	p.scheduler = scheduler;
	p.channels = p.ranks = 2;
	d = dram_create(&p, 64, 1e9, 64, 16);
	REQUIRE(d != NULL);
	while (read < 20000) {
		uint64_t line = next_random(&state) % 64, address = place(line % 8, (unsigned)line / 8 % 4, 0);

		now += next_random(&state) % 30;
		address += line / 32 * 64;
		while (dram_advance(d, now, &a)) {
			arrived++;
			CHECK(a.at >= bound[a.owner] && a.at < a.request + 4000);
			CHECK(a.command >= a.request && a.command <= now);
		}
		if (next_random(&state) % 3 == 0) {
			dram_write(d, now + next_random(&state) % 100, address, (unsigned)line);
		} else if (!dram_waits(d, address) && dram_waiting(d) < 64) {
			read++;
			if (dram_read(d, now, address, 0, (unsigned)line))
				arrived++;
			else
				bound[line] = dram_bound(d, now, address);
		}
	}
	while (dram_advance(d, now + 100000, &a))
		arrived++;
	CHECK_U64(arrived, read);
	dram_destroy(d);
}

static void random_requests_arrive_at_their_bound_or_later(void)
{
	for (unsigned n = 0; n < DRAM_SCHEDULER_COUNT; n++)
		random_requests((enum dram_scheduler_choice)n);
}

static const struct tap_test tests[] = {
	{"a closed bank, a row hit and a conflict", a_closed_bank_a_row_hit_and_a_conflict},
	{"a conflict waits until the row may close", a_conflict_waits_until_the_row_may_close},
	{"hits follow each other at the rate of the bus", hits_follow_each_other_at_the_rate_of_the_bus},
	{"banks work at the same time", banks_work_at_the_same_time},
	{"a window of four activations is a limit", a_window_of_four_activations_is_a_limit},
	{"bank groups have their own distance", bank_groups_have_their_own_distance},
	{"another rank needs a gap on the bus", another_rank_needs_a_gap_on_the_bus},
	{"a refresh goes first", a_refresh_goes_first},
	{"ranks are refreshed in turn", ranks_are_refreshed_in_turn},
	{"a read waits behind writes for the turn of the bus", a_read_waits_behind_writes_for_the_turn_of_the_bus},
	{"a write waits behind reads for the turn of the bus", a_write_waits_behind_reads_for_the_turn_of_the_bus},
	{"writes wait for reads", writes_wait_for_reads},
	{"a row hit passes an older request", a_row_hit_passes_an_older_request},
	{"no more than row_hits pass", no_more_than_row_hits_pass},
	{"a closed page closes behind its last request", a_closed_page_closes_behind_its_last_request},
	{"a line of two bursts takes two commands", a_line_of_two_bursts_takes_two_commands},
	{"a line that waits to be written is read from the queue",
	 a_line_that_waits_to_be_written_is_read_from_the_queue},
	{"some requests go first", some_requests_go_first},
	{"a read lets few pass", a_read_lets_few_pass},
	{"the core has another clock", the_core_has_another_clock},
	{"mappings", mappings},
	{"banks take turns", banks_take_turns},
	{"writes that go enter before reads", writes_that_go_enter_before_reads},
	{"a bank that is full is passed", a_bank_that_is_full_is_passed},
	{"a bank keeps its row for row_hits", a_bank_keeps_its_row_for_row_hits},
	{"random requests arrive at their bound or later", random_requests_arrive_at_their_bound_or_later},
};

int main(void)
{
	return tap_main("memory of banks and rows", tests, TAP_COUNT(tests));
}
