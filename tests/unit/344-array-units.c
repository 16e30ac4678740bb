/*
 * Units of the PEs beside the paper's: cycles of integers, pairs of singles, gathers and scatters, worked out from the
 * parameters, and what they count. o = operand_stages 1, s = commit_stages 2, C 1, W1 1, SBM 3.
 */
#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

#define EACH(cycles, words, ea, ...) \
	CHECK_F64(core_array_each(words, sizeof(words) / sizeof((words)[0]), ARRAY_PES, ea, \
				  (const char *const[]){__VA_ARGS__, NULL}), \
		  cycles, 0.0101)
#define INTEGER "simd.integer=yes"
#define SINGLE "simd.single=yes"
#define GATHER "simd.gather=yes"
/* room for what is between D and W at two a cycle */
#define ROOMY "simd.sfub_entries=64", "simd.rs_entries=32", "lsu.load_queue=64"

#define W_FPADD64(rd, rs1, rs2) W_SIMD(rd, rs1, rs2, 0x42)
#define W_PAIR(rd, rs1, rs2, opf) W_SIMD(rd, rs1, rs2, opf)
#define W_FMADD2S(rd, rs1, rs2, rs3) \
	(0x81b80100u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(rs3) << 9 | (rs2))
#define W_FPMADDX(rd, rs1, rs2, rs3) \
	(0x81b80000u | (unsigned)(rd) << 25 | (unsigned)(rs1) << 14 | (unsigned)(rs3) << 9 | (rs2))
/* base in r[rs1], index in %s rs2 */
#define W_GATHERXD(rd, rs1, rs2) W_SIMD(rd, rs1, rs2, 0x1ba)
#define W_SCATTERXD(rd, rs1, rs2) W_SIMD(rd, rs1, rs2, 0x1be)

static void integers_take_their_latency(void)
{
	static const uint32_t add[] = {W_FPADD64(2, 2, 4)}, logic[] = {W_SIMD(2, 2, 4, 0x70)};
	static const uint32_t multiply[] = {W_FPMADDX(2, 2, 4, 6)}, clear[] = {W_SIMD(2, 0, 0, 0x60)};
	/* pecmpx %fcc1, %s2, %s4; fmovdl %fcc1, %s6, %s2 */
	static const uint32_t choice[] = {W_SIMD(1, 2, 4, 0x1b0), 0x85a90846};

	EACH(2.0, add, NULL, INTEGER);
	EACH(2.0, logic, NULL, INTEGER);
	EACH(5.0, add, NULL, INTEGER, "simd.latency_int=5");
	EACH(2.0, add, NULL, INTEGER, "latency.vis=9", "simd.latency_move=7");
	EACH(8.0, multiply, NULL, INTEGER);
	EACH(6.0, multiply, NULL, INTEGER, "simd.latency_int_mul=6");
	EACH(4.0, choice, NULL, INTEGER, "simd.select=yes"); /* 2 and the move's 2 */
	/* what the paper's PEs have of VIS needs no unit: a pipe a cycle */
	EACH(1.0, clear, NULL, "simd.latency_int=5");
}

static void pairs_take_the_latency_of_doubles(void)
{
	static const uint32_t add[] = {W_PAIR(2, 2, 4, 0x1a8)}, multiply[] = {W_PAIR(2, 2, 4, 0x1aa)};
	static const uint32_t fma[] = {W_FMADD2S(2, 4, 6, 2)};
	static const uint32_t apart[] = {W_PAIR(2, 0, 0, 0x1a8), W_PAIR(4, 0, 0, 0x1aa)};

	EACH(4.0, add, NULL, SINGLE);
	EACH(4.0, multiply, NULL, SINGLE);
	EACH(8.0, fma, NULL, SINGLE);
	EACH(6.0, fma, NULL, SINGLE, "simd.latency_fma=6");
	EACH(2.0, apart, NULL, SINGLE);
	EACH(1.0, apart, NULL, SINGLE, ROOMY, "simd.arithmetic_pipes=2");
}

static void pairs_count_twice(void)
{
	static const uint32_t words[] = {W_PAIR(2, 0, 0, 0x1a8), W_PAIR(4, 0, 0, 0x1a9), W_PAIR(6, 0, 0, 0x1aa),
					 W_FMADD2S(8, 0, 0, 0),  W_FPADD64(10, 0, 0),    W_FPMADDX(12, 0, 0, 0)};
	struct core_stats s;

	core_array_run(words, 6, 100, 16, NULL, (const char *const[]){SINGLE, INTEGER, NULL}, &s);
	/* two additions, two subtractions, two products, two multiply-adds in each of 16 PEs; integers count none */
	CHECK_U64(s.flops, 100 * 16 * (2 + 2 + 2 + 4));
}

static void a_gather_waits_for_its_index(void)
{
	/* the result is the next index: selection, B and X of the address, 3 of the SBM */
	static const uint32_t chain[] = {W_GATHERXD(2, 16, 2)};
	static const uint32_t added[] = {W_FPADD64(2, 2, 4), W_GATHERXD(4, 16, 2)};
	static const uint32_t scaled[] = {W_LDDF(2, 16, 0)};

	EACH(5.0, chain, NULL, GATHER);
	EACH(3.0, chain, NULL, GATHER, "simd.gather_cycles=0");
	EACH(8.0, chain, NULL, GATHER, "simd.sbm_latency=6");
	/* nothing of it passes C but the base, which is there before */
	EACH(5.0, chain, NULL, GATHER, "simd.c_cycles=5", "simd.sfub_entries=64");
	EACH(2 + 5.0, added, NULL, GATHER, INTEGER);
	/* loads without an index do not change; two a cycle */
	EACH(0.5, scaled, NULL, GATHER, ROOMY);
}

static void two_gathers_start_in_a_cycle(void)
{
	static const uint32_t two[] = {W_GATHERXD(2, 16, 0), W_GATHERXD(4, 16, 0)};

	EACH(1.0, two, NULL, GATHER, ROOMY);
	EACH(2.0, two, NULL, GATHER, ROOMY, "simd.load_pipes=1");
	EACH(2.0, two, NULL, GATHER, ROOMY, "simd.sbm_ports=1");
	/* eight bytes hold a port of eight for a cycle, whatever the PEs' addresses are */
	EACH(1.0, two, NULL, GATHER, ROOMY, "simd.sbm_port_bytes=8");
}

static void a_gather_waits_for_all_older_stores(void)
{
	/*
	 * G: the gather's selection, its data at G + 5 for the store; the store's B until + 2, U and W and W1: it
	 * commits at + 5, the PEs' store buffer writes it one later, and the next gather is tried one later.
	 */
	static const uint32_t words[] = {W_GATHERXD(2, 16, 0), W_STDF(2, 17, 0)};
	static const uint64_t ea[] = {SIMD_ALL_BASE, SIMD_ALL_BASE + 4096};

	EACH(5.0 + 5 + 1 + 1, words, ea, GATHER);
	EACH(5.0 + 5 + 1 + 1, words, ea, GATHER, "lsu.disambiguation=oracle");
	EACH(5.0 + 7 + 1 + 1, words, ea, GATHER, "simd.w1_cycles=3");
}

static void a_load_waits_for_older_scatters(void)
{
	/* as above, with 3 cycles of the load */
	static const uint32_t words[] = {W_LDDF(2, 16, 0), W_SCATTERXD(2, 17, 0)};
	/* a store to other bytes holds no load: the store pipe is the bound */
	static const uint32_t other[] = {W_LDDF(2, 16, 0), W_STDF(2, 17, 0)};
	static const uint64_t ea[] = {SIMD_ALL_BASE, SIMD_ALL_BASE + 4096};

	EACH(3.0 + 5 + 1 + 1, words, ea, GATHER);
	EACH(1.0, other, ea, GATHER, ROOMY);
}

static void a_scatter_waits_for_its_index(void)
{
	/*
	 * fpadd64 of the index, then the scatter: the chain is the addition's.
	 */
	static const uint32_t words[] = {W_FPADD64(2, 2, 4), W_SCATTERXD(6, 16, 2)};

	EACH(2.0, words, NULL, GATHER, INTEGER, ROOMY);
	EACH(9.0, words, NULL, GATHER, INTEGER, "simd.latency_int=9");
}

static void a_long_division_is_no_deadlock(void)
{
	/* 16 x 256 + 2; the least limit is 2 x 198 + 50 + 16 x 256 + 12 + 15 and one more: 306-core-config.c */
	static const uint32_t chain[] = {W_FDIVD(2, 2, 4)};

	EACH(4098.0, chain, NULL, "simd.divide=shared", "simd.latency_div_d=256", "core.deadlock_cycles=4570");
}

static const struct tap_test tests[] = {
	{"integers take their latency", integers_take_their_latency},
	{"pairs take the latency of doubles", pairs_take_the_latency_of_doubles},
	{"pairs count twice", pairs_count_twice},
	{"a gather waits for its index", a_gather_waits_for_its_index},
	{"two gathers start in a cycle", two_gathers_start_in_a_cycle},
	{"a gather waits for all older stores", a_gather_waits_for_all_older_stores},
	{"a load waits for older scatters", a_load_waits_for_older_scatters},
	{"a scatter waits for its index", a_scatter_waits_for_its_index},
	{"a long division is no deadlock", a_long_division_is_no_deadlock},
};

int main(void)
{
	return tap_main("array-units", tests, TAP_COUNT(tests));
}
