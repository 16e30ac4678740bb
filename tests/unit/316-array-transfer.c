/*
 * Transfers between memory and SBM, each time worked out from the parameters:
 * o = operand_stages 1, s = commit_stages 2, C 1, W1 1, SBM 3; memory 120, a line of
 * 64 bytes each 16 cycles; SBM ports of 16 bytes.
 */
#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

#define ALL(offset) (SIMD_ALL_BASE + (offset))
#define PE(pe, offset) (SIMD_PE_BASE(pe) + (offset))
#define MEMORY 0x100000
#define DEFAULT "simd.c_cycles=1"
#define EACH(cycles, words, ea, ...) \
	CHECK_F64(each(words, sizeof(words) / sizeof((words)[0]), ea, (const char *const[]){__VA_ARGS__, NULL}), \
		  cycles, 0.0101)
/* A transfer, then a wait for it. */
#define TRANSFER(cycles, how, memory, window, bytes, pieces, stride, ...) \
	CHECK_F64(each((const uint32_t[]){W_SXGET(3, 1, 2, how), W_SXWAIT(0)}, 2, \
		       (const uint64_t[]){memory, window, simd_transfer_pack(bytes, pieces, stride)}, \
		       (const char *const[]){__VA_ARGS__, NULL}), \
		  cycles, 0.0101)
#define ONE SIMD_ONE
#define DEAL SIMD_DEAL

/* Cycles of each of 200 more repetitions: they are long. */
static double each(const uint32_t *words, unsigned count, const uint64_t *ea, const char *const *overrides)
{
	struct core_stats few, more;

	core_array_run(words, count, 100, ARRAY_PES, ea, overrides, &few);
	core_array_run(words, count, 300, ARRAY_PES, ea, overrides, &more);
	return (double)(more.cycles - few.cycles) / 200;
}

/*
 * sxget D in cycle 0; P, B, X: the command is there in 1 + (2 + o) = 4, commits in 4 + s = 6.
 * The line is requested in 7, has the channel at once, comes in 7 + 120, is at the PEs C
 * later, in 128. Four port cycles for 64 bytes, 128 to 131: ended. sxwait, alone since 7, is
 * done s later and commits in 133; the next D is in 134.
 */
static void the_way_of_a_line_to_one_pe(void)
{
	TRANSFER(134, ONE, MEMORY, PE(3, 0), 64, 1, 8, DEFAULT);
	TRANSFER(135, ONE, MEMORY, PE(3, 0), 64, 1, 8, "simd.c_cycles=2");
	TRANSFER(214, ONE, MEMORY, PE(3, 0), 64, 1, 8, "memory.latency=200cycles");
	TRANSFER(131, ONE, MEMORY, PE(3, 0), 64, 1, 8, "simd.sbm_port_bytes=64");
	TRANSFER(138, ONE, MEMORY, PE(3, 0), 64, 1, 8, "simd.sbm_port_bytes=8");
	TRANSFER(134, ONE, MEMORY, PE(3, 0), 64, 1, 8, "simd.w1_cycles=5");
	/* the same to all of them: the same port cycles */
	TRANSFER(134, ONE, MEMORY, ALL(0), 64, 1, 8, DEFAULT);
}

static void lines_follow_each_other_on_the_channel(void)
{
	/* 16 lines: the last is requested 15 * 16 cycles after the first */
	TRANSFER(374, ONE, MEMORY, PE(3, 0), 1024, 1, 8, DEFAULT);
	TRANSFER(134 + 15 * 32, ONE, MEMORY, PE(3, 0), 1024, 1, 8, "memory.bandwidth=2B/cycle");
	/* not at the beginning of a line: two lines, and two port cycles for the half of the last */
	TRANSFER(134 + 16 - 2, ONE, MEMORY + 32, PE(3, 0), 64, 1, 8, DEFAULT);
	/* ports of 8 bytes need 8 cycles a line, more than the channel's 4: 15 * 8 + 8 after the first came */
	TRANSFER(131 + 16 * 8 - 1, ONE, MEMORY, PE(3, 0), 1024, 1, 8, "memory.bandwidth=16B/cycle",
		 "simd.sbm_port_bytes=8", "simd.transfer_buffers=64");
}

static void buffers_bound_the_lines_on_their_way(void)
{
	/* one buffer: a line is taken off when it comes, 121 after its request, and the next requested
	   in that cycle: 16 lines */
	TRANSFER(134 + 15 * 121, ONE, MEMORY, PE(3, 0), 1024, 1, 8, "simd.transfer_buffers=1");
	/* four in 121 cycles: lines 5, 9, 13 wait for 1, 5, 9; the last is 48 behind line 13 */
	TRANSFER(134 + 3 * 121 + 48, ONE, MEMORY, PE(3, 0), 1024, 1, 8, "simd.transfer_buffers=4");
}

static void a_piece_costs_the_lines_that_it_touches(void)
{
	/* sixteen pieces of 8 bytes a line apart: sixteen lines; 8 bytes each make a port cycle every
	   second line, one with the last: ended when it comes */
	TRANSFER(371, ONE, MEMORY, PE(3, 0), 8, 16, 64, DEFAULT);
	TRANSFER(371, ONE, MEMORY + 4096, PE(3, 0), 8, 16, -64, DEFAULT);
	/* one behind the other: two lines */
	TRANSFER(134 + 16, ONE, MEMORY, PE(3, 0), 8, 16, 8, DEFAULT);
	/* two in a line: eight lines, a port cycle each */
	TRANSFER(131 + 7 * 16, ONE, MEMORY, PE(3, 0), 8, 16, 32, DEFAULT);
}

static void dealt_pieces_share_the_port_cycles(void)
{
	/* 16 lines over 16 PEs: 4 bytes of each in a PE, a port cycle every fourth */
	TRANSFER(371, DEAL, MEMORY, ALL(0), 64, 16, 64, DEFAULT);
	/* one line: a piece of 8 bytes in each of eight PEs, half a port cycle: one */
	TRANSFER(131, DEAL, MEMORY, ALL(0), 8, 8, 8, DEFAULT);
}

static void a_put_reads_first(void)
{
	/* the command as above; SBM 3 and C before the line goes out: 7 + 4 + 120; nothing to write */
	static const uint32_t put[] = {W_SXPUT(3, 1, 2, 0), W_SXWAIT(0)};
	static const uint64_t one[] = {MEMORY, PE(3, 0), 64 | 1 << 24};
	static const uint64_t many[] = {MEMORY, PE(3, 0), 1024 | 1 << 24};

	EACH(134.0, put, one, DEFAULT);
	EACH(135.0, put, one, "simd.c_cycles=2");
	EACH(136.0, put, one, "simd.sbm_latency=5");
	EACH(374.0, put, many, DEFAULT);
}

static void so_many_transfers_at_a_time(void)
{
	/*
	 * One: the next commits in the cycle in which it ends, which is 1 + 120 + C + 3 later. Two,
	 * four in that time; eight would be one each 15.6 cycles: then the channel is the bound.
	 */
	static const uint32_t get[] = {W_SXGET(3, 1, 2, 0)};
	static const uint64_t ea[] = {MEMORY, PE(3, 0), 64 | 1 << 24};

	EACH(125.0, get, ea, "simd.transfers=1");
	EACH(62.5, get, ea, "simd.transfers=2");
	EACH(31.25, get, ea, "simd.transfers=4");
	EACH(16.0, get, ea, "simd.transfers=8");
	EACH(16.0, get, ea, DEFAULT);
}

static void a_wait_leaves_the_youngest(void)
{
	/*
	 * sxwait 1: the get before the last has to end, then s, the next cycle's D, and 7 + 120 + C + 3
	 * of the get that follows: two gets in 134 cycles.
	 */
	static const uint32_t pair[] = {W_SXGET(3, 1, 2, 0), W_SXWAIT(1)}, wait[] = {W_SXWAIT(0)};
	static const uint64_t ea[] = {MEMORY, PE(3, 0), 64 | 1 << 24};

	EACH(67.0, pair, ea, DEFAULT);
	/* with nothing to wait for: alone, U W, the next D */
	EACH(3.0, wait, NULL, DEFAULT);
}

static void a_load_waits_for_the_transfer_that_writes(void)
{
	/*
	 * From the get's commit: line requested in 1, at the PEs in 122, ended in 125; the load's request is in
	 * that cycle; 3 to its consumer; o, U W, W1: commits in 132, and the next get with it.
	 */
	static const uint32_t pair[] = {W_SXGET(3, 1, 2, 0), W_LDDF(2, 1, 0)};
	static const uint32_t before[] = {W_LDDF(2, 1, 0), W_SXGET(3, 1, 2, 0)};
	static const uint32_t scalar[] = {W_SXGET(3, 1, 2, 0), W_LDX(4, 1, 0)};
	static const uint64_t in[] = {MEMORY, PE(3, 64), 64 | 1 << 24, ALL(120)};
	static const uint64_t below[] = {MEMORY, PE(3, 64), 64 | 1 << 24, ALL(56)};
	static const uint64_t above[] = {MEMORY, PE(3, 64), 64 | 1 << 24, ALL(128)};
	static const uint64_t first[] = {ALL(64), MEMORY, PE(3, 64), 64 | 1 << 24};
	static const uint64_t same_pe[] = {MEMORY, PE(3, 64), 64 | 1 << 24, PE(3, 64)};
	static const uint64_t other_pe[] = {MEMORY, PE(3, 64), 64 | 1 << 24, PE(4, 64)};

	EACH(132.0, pair, in, DEFAULT);
	EACH(133.0, pair, in, "simd.w1_cycles=2");
	/* next to it: nobody waits, the channel is the bound */
	EACH(16.0, pair, below, DEFAULT);
	EACH(16.0, pair, above, DEFAULT);
	EACH(132.0, before, first, DEFAULT);
	/* scalar load: 3, C back, o, U W instead of 3, o, U W, W1 */
	EACH(132.0, scalar, same_pe, DEFAULT);
	EACH(16.0, scalar, other_pe, DEFAULT);
}

static void a_dealt_range_is_that_of_a_pe(void)
{
	/* 32 pieces of 8 bytes, two in each PE: offsets 0 to 15; four lines, 48 cycles more */
	static const uint32_t pair[] = {W_SXGET(3, 1, 2, 1), W_LDDF(2, 1, 0)};
	static const uint64_t in[] = {MEMORY, ALL(0), 8 | 32 << 24 | UINT64_C(1) << 40, ALL(8)};
	static const uint64_t above[] = {MEMORY, ALL(0), 8 | 32 << 24 | UINT64_C(1) << 40, ALL(16)};

	EACH(132.0 - 3 + 48, pair, in, DEFAULT);
	EACH(64.0, pair, above, DEFAULT);
}

static void a_store_waits_for_the_transfer_that_reads(void)
{
	/*
	 * The store commits with the put and waits in the PEs' store buffer until it has ended, 1 + 4 + 120
	 * later; the next put waits for the store and commits in that cycle.
	 */
	static const uint32_t store[] = {W_SXPUT(3, 1, 2, 0), W_STDF(2, 1, 0)};
	static const uint32_t load[] = {W_SXPUT(3, 1, 2, 0), W_LDDF(2, 1, 0)};
	static const uint64_t ea[] = {MEMORY, PE(3, 64), 64 | 1 << 24, ALL(64)};
	static const uint64_t other[] = {MEMORY, PE(3, 64), 64 | 1 << 24, ALL(0)};

	EACH(125.0, store, ea, DEFAULT);
	EACH(16.0, store, other, DEFAULT);
	EACH(16.0, load, ea, DEFAULT);
}

static void lines_of_l2_are_read_there(void)
{
	/*
	 * ldx of the line, get of it, wait. In steady state L1D has it: the load commits in
	 * 1 + (2 + o) + 1 + o + s = 8, the get with it; requested in 9, 12 cycles from L2, C, three
	 * more port cycles: ended in 25; 27, and D in 28.
	 */
	static const uint32_t get[] = {W_LDX(4, 1, 0), W_SXGET(3, 1, 2, 0), W_SXWAIT(0)};
	/*
	 * A put takes it out of L2 and L1D: the load has it in Ps + 120 + 12 + 2 = 138, its consumer's P
	 * 139, commits in 142; put requested in 143, goes out in 147, ends in 267; 269, and D in 270.
	 */
	static const uint32_t put[] = {W_LDX(4, 1, 0), W_SXPUT(3, 1, 2, 0), W_SXWAIT(0)};
	static const uint64_t ea[] = {MEMORY, MEMORY, PE(3, 64), 64 | 1 << 24};

	EACH(28.0, get, ea, "l1d.perfect=no");
	EACH(270.0, put, ea, "l1d.perfect=no");
}

static void older_stores_come_first(void)
{
	/*
	 * A store that misses, then a get: the get waits until the store has written. The put before
	 * takes the line away each time, so that the store requests it from memory when it leaves the
	 * store buffer (no prefetch of its line): D, P, B, X in 1 + 1 + o = 3, commits s later, in 5; at
	 * L1D in 6; written in 6 + 120 + 12 + 2 = 140; the put commits in that cycle, requested in
	 * 141, out in 145, ended in 265; 267, and D in 268.
	 */
	static const uint32_t words[] = {W_STX(4, 1, 0), W_SXPUT(3, 1, 2, 0), W_SXWAIT(0)};
	static const uint64_t ea[] = {MEMORY, MEMORY, PE(3, 64), 64 | 1 << 24};

	EACH(268.0, words, ea, "l1d.perfect=no", "lsu.store_prefetch=no");
}

static void transfers_are_counted(void)
{
	static const uint32_t words[] = {W_SXGET(3, 1, 2, 1), W_SXPUT(3, 1, 2, 0), W_SXWAIT(0)};
	static const uint64_t ea[] = {
		MEMORY, ALL(0), 64 | 16 << 24 | UINT64_C(8) << 40, MEMORY, PE(1, 4096), 8 | 4 << 24 | UINT64_C(8) << 40,
	};
	struct core_stats s;

	core_array_run(words, 3, 20, ARRAY_PES, ea, NULL, &s);
	CHECK_U64(s.simd_gets, 20);
	CHECK_U64(s.simd_puts, 20);
	CHECK_U64(s.simd_get_bytes, 20 * 1024);
	CHECK_U64(s.simd_put_bytes, 20 * 32);
	CHECK_U64(s.simd_spread_bytes, 0);
	CHECK_U64(s.simd_transfer_lines, 20 * (16 + 4));
	CHECK_U64(s.simd_transfer_ports, 20 * (4 + 2));
	CHECK(s.lost[STALL_transfer_wait] > 20 * 4 * 300);
}

static const struct tap_test tests[] = {
	{"the way of a line to one PE", the_way_of_a_line_to_one_pe},
	{"lines follow each other on the channel", lines_follow_each_other_on_the_channel},
	{"buffers bound the lines on their way", buffers_bound_the_lines_on_their_way},
	{"a piece costs the lines that it touches", a_piece_costs_the_lines_that_it_touches},
	{"dealt pieces share the port cycles", dealt_pieces_share_the_port_cycles},
	{"a put reads first", a_put_reads_first},
	{"so many transfers at a time", so_many_transfers_at_a_time},
	{"a wait leaves the youngest", a_wait_leaves_the_youngest},
	{"a load waits for the transfer that writes", a_load_waits_for_the_transfer_that_writes},
	{"a dealt range is that of a PE", a_dealt_range_is_that_of_a_pe},
	{"a store waits for the transfer that reads", a_store_waits_for_the_transfer_that_reads},
	{"lines of L2 are read there", lines_of_l2_are_read_there},
	{"older stores come first", older_stores_come_first},
	{"transfers are counted", transfers_are_counted},
};

int main(void)
{
	return tap_main("array-transfer", tests, TAP_COUNT(tests));
}
