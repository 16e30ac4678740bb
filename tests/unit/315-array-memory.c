/*
 * Loads and stores of the array, each time worked out from the parameters:
 * o = operand_stages 1, s = commit_stages 2, C 1, W1 1, SBM 3.
 */
#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

#define EACH(cycles, words, ea, ...) \
	CHECK_F64(core_array_each(words, sizeof(words) / sizeof((words)[0]), ARRAY_PES, ea, \
				  (const char *const[]){__VA_ARGS__, NULL}), \
		  cycles, 0.0101)
#define DEFAULT "simd.c_cycles=1"
#define ALL(offset) (SIMD_ALL_BASE + (offset))
#define PE(pe, offset) (SIMD_PE_BASE(pe) + (offset))
#define MEMORY 0x100000

static void the_way_of_a_load_from_sbm(void)
{
	/*
	 * One entry of the load queue: from D to the cycle after W. D; P, B, X of the address: 2 + o, of which
	 * the last is the one of C; C; the load pipe's P to its consumer's: 3; then o, U W, W1.
	 * 1 + (2 + o) + C + 3 + o + s + W1 + 1 = 13.
	 */
	static const uint32_t load[] = {W_LDDF(2, 1, 0)};

	EACH(13.0, load, NULL, "lsu.load_queue=1");
	EACH(14.0, load, NULL, "lsu.load_queue=1", "simd.c_cycles=2");
	EACH(14.0, load, NULL, "lsu.load_queue=1", "simd.w1_cycles=2");
	EACH(15.0, load, NULL, "lsu.load_queue=1", "simd.sbm_latency=5");
	EACH(11.0, load, NULL, "lsu.load_queue=1", "simd.c_cycles=0", "simd.w1_cycles=0");
	/* L1D has no part in it */
	EACH(13.0, load, NULL, "lsu.load_queue=1", "l1d.perfect=no", "tlb.perfect=no", "latency.fp_load_use=9");
	/* 13 cycles a port */
	EACH(13.0 / 4, load, NULL, "lsu.load_queue=4");
}

static void a_load_s_station_entry_is_held_to_its_pipe(void)
{
	/* D; P, B, X; C; then P and B of the load pipe until its X: 1 + (2 + o) + C + 1 + o = 7 */
	static const uint32_t load[] = {W_LDDF(2, 1, 0)};

	EACH(7.0, load, NULL, "simd.rs_entries=1");
	EACH(8.0, load, NULL, "simd.rs_entries=1", "simd.c_cycles=2");
	EACH(3.5, load, NULL, "simd.rs_entries=2");
}

static void load_pipes_and_ports(void)
{
	static const uint32_t four[] = {W_LDDF(2, 1, 0), W_LDDF(4, 1, 0), W_LDDF(6, 1, 0), W_LDDF(8, 1, 0)};

	/* two address pipes, two load pipes, two ports; 32 entries of the load queue at 13 cycles would do for 2.5 */
	EACH(2.0, four, NULL, "lsu.load_queue=32");
	EACH(4.0 * 13 / 16, four, NULL, DEFAULT);
	EACH(4.0, four, NULL, "lsu.load_queue=32", "simd.load_pipes=1");
	EACH(4.0, four, NULL, "lsu.load_queue=32", "simd.sbm_ports=1");
	EACH(4.0, four, NULL, "lsu.load_queue=32", "core.address_pipes=1");
	/* more pipes alone do not help: the addresses come two a cycle */
	EACH(2.0, four, NULL, "lsu.load_queue=64", "simd.load_pipes=4", "simd.sbm_ports=4", "simd.sfub_entries=64",
	     "core.rob_entries=128", "simd.rs_entries=32");
}

static void stores_drain_one_a_cycle(void)
{
	static const uint32_t two[] = {W_STDF(2, 1, 0), W_STDF(4, 1, 0)};
	static const uint64_t ea[] = {ALL(0), ALL(8)};
	/* loads go first: of two ports they leave none to the store, until they wait for its entry */
	static const uint32_t mixed[] = {W_LDDF(2, 1, 0), W_LDDF(4, 1, 0), W_STDF(6, 1, 0)};
	static const uint64_t places[] = {ALL(0), ALL(8), ALL(64)};

	EACH(2.0, two, ea, "lsu.store_queue=32");
	/* three accesses on two ports: 1.5 cycles; on three ports a load pipe each and the store: 1.5
	   from the two address pipes; on one port: 3 */
	EACH(1.5, mixed, places, "lsu.store_queue=64", "lsu.load_queue=64", "simd.sfub_entries=64",
	     "core.rob_entries=128", "simd.rs_entries=40", "core.rsa_entries=20");
	EACH(3.0, mixed, places, "lsu.store_queue=64", "lsu.load_queue=64", "simd.sfub_entries=64",
	     "core.rob_entries=128", "simd.rs_entries=40", "core.rsa_entries=20", "simd.sbm_ports=1");
}

static void a_store_gives_its_data_to_a_load(void)
{
	/*
	 * std %s2,[A]; ldd [A],%s2 again and again. From the cycle w in which %s2 can be read: the
	 * store pipe's P, B, X: the data is in its queue in w + 1 + o; the load's request is in the cycle
	 * after, and its consumer follows 3 later: 2 + o + 3 = 6.
	 */
	static const uint32_t pair[] = {W_STDF(2, 1, 0), W_LDDF(2, 1, 0)};
	/* Another offset: no order between them, but %s2: the load need not wait for the store. */
	static const uint64_t apart[] = {ALL(0), ALL(8)};

	EACH(6.0, pair, NULL, DEFAULT);
	EACH(8.0, pair, NULL, "simd.sbm_latency=5");
	EACH(6.0, pair, NULL, "simd.c_cycles=3");
	EACH(1.0, pair, apart, "lsu.store_queue=32", "lsu.load_queue=32");
	/*
	 * Without forwarding the load waits until the store has written: data in w + 1 + o, then
	 * U W, W1 to the commit, the SBM in the cycle after, the load in the one after that, then
	 * 3: 1 + o + s + W1 + 1 + 1 + 3 = 10.
	 */
	EACH(10.0, pair, NULL, "simd.forwarding=no");
	EACH(11.0, pair, NULL, "simd.forwarding=no", "simd.w1_cycles=2");
	/* the scalar switch is for L1D */
	EACH(6.0, pair, NULL, "lsu.forwarding=no");
}

static void the_scalar_core_reads_one_pe(void)
{
	/*
	 * ldx [A],%g1 with %g1 as address: P to Ps 2 + o, C, SBM 3, C back: 8. No load pipe's X in
	 * between: its request is in the cycle in which the address has come.
	 */
	static const uint32_t chain[] = {W_LDX(1, 1, 0)};
	static const uint64_t ea[] = {PE(3, 0)};

	EACH(8.0, chain, ea, DEFAULT);
	EACH(10.0, chain, ea, "simd.c_cycles=2");
	EACH(6.0, chain, ea, "simd.c_cycles=0");
	EACH(9.0, chain, ea, "simd.sbm_latency=4");
	EACH(8.0, chain, ea, "latency.load_use=7", "l1d.perfect=no", "tlb.perfect=no");
}

static void scalar_accesses_take_the_port(void)
{
	static const uint32_t loads[] = {W_LDX(2, 1, 0), W_LDX(3, 1, 0)};
	static const uint64_t ea[] = {PE(0, 0), PE(5, 0)};

	EACH(1.0, loads, ea, "lsu.load_queue=64", "decode.gub_entries=64", "core.rob_entries=128");
	EACH(2.0, loads, ea, "lsu.load_queue=64", "simd.sbm_ports=1", "decode.gub_entries=64");
	/* no load pipe */
	EACH(1.0, loads, ea, "lsu.load_queue=64", "decode.gub_entries=64", "core.rob_entries=128", "simd.load_pipes=1");
}

static void one_place_has_two_addresses(void)
{
	/*
	 * A scalar store to all PEs, read from one: its data is in the store queue 1 + o after it can
	 * be read, the load's request in the next cycle, SBM 3, C back 1: 2 + o + 4 = 7. To another
	 * PE's memory there is no order: loads of their own, and the chain is broken.
	 */
	static const uint32_t pair[] = {W_STX(1, 2, 0), W_LDX(1, 2, 0)};
	static const uint64_t all[] = {ALL(16), PE(2, 16)}, same[] = {PE(2, 16), PE(2, 16)};
	static const uint64_t other[] = {PE(3, 16), PE(2, 16)};

	EACH(7.0, pair, all, DEFAULT);
	EACH(7.0, pair, same, DEFAULT);
	EACH(1.0, pair, other, "lsu.store_queue=32", "lsu.load_queue=32");
}

static void a_store_to_one_pe_cannot_serve_all(void)
{
	/*
	 * std of PE 2's memory from the scalar core, then a load of all PEs from there: it waits
	 * until the store has written. Both in program order, again and again: the store commits
	 * with the load before it. From that commit: SBM in the next cycle, the load in the one after,
	 * 3, o, U W, W1: 1 + 1 + 3 + 1 + 2 + 1 = 9.
	 */
	static const uint32_t pair[] = {W_STX(1, 2, 0), W_LDDF(2, 2, 0)};
	static const uint64_t ea[] = {PE(2, 16), ALL(16)};

	EACH(9.0, pair, ea, DEFAULT);
}

static void a_broadcast_comes_through_l1d(void)
{
	/*
	 * One entry of the load queue: D; 2 + o to Ps; hit_known 2, certain in the cycle after: 3; C; a load pipe;
	 * its consumer in the next cycle: 1; o, U W, W1, and the cycle after W:
	 * 1 + 3 + 3 + 1 + 1 + 1 + 2 + 1 + 1 = 14.
	 */
	static const uint32_t load[] = {W_LDDF(2, 1, 0)};
	static const uint64_t ea[] = {MEMORY};

	EACH(14.0, load, ea, "lsu.load_queue=1");
	EACH(15.0, load, ea, "lsu.load_queue=1", "simd.c_cycles=2");
	EACH(15.0, load, ea, "lsu.load_queue=1", "simd.w1_cycles=2");
	EACH(15.0, load, ea, "lsu.load_queue=1", "lsu.hit_known=3");
	EACH(17.0, load, ea, "lsu.load_queue=1", "simd.broadcast_latency=4");
	/* the SBM has no part in it; a long way in L1D has */
	EACH(14.0, load, ea, "lsu.load_queue=1", "simd.sbm_latency=9");
	EACH(16.0, load, ea, "lsu.load_queue=1", "latency.fp_load_use=8");
}

static void broadcasts_share_the_load_pipes(void)
{
	/* one broadcast and two loads from SBM: three writes on two load pipes, 1.5 cycles, but on
	   three pipes too: two address pipes. One load pipe: 3. */
	static const uint32_t three[] = {W_LDDF(2, 1, 0), W_LDDF(4, 1, 0), W_LDDF(6, 1, 0)};
	static const uint64_t ea[] = {MEMORY, ALL(0), ALL(8)};

	EACH(1.5, three, ea, "lsu.load_queue=64", "simd.sfub_entries=64", "core.rob_entries=128", "simd.rs_entries=40",
	     "core.rsa_entries=20");
	EACH(3.0, three, ea, "lsu.load_queue=64", "simd.sfub_entries=64", "core.rob_entries=128", "simd.rs_entries=40",
	     "core.rsa_entries=20", "simd.load_pipes=1");
}

static void one_pe_s_value_is_broadcast(void)
{
	/* to the PE over C, SBM 3, back over C and again over C, a load pipe, 1:
	   1 + 3 + 1 + 3 + 1 + 1 + 1 + o + s + W1 + 1 = 16 */
	static const uint32_t load[] = {W_LDDF(2, 1, 0)};
	static const uint64_t ea[] = {PE(7, 0)};

	EACH(16.0, load, ea, "lsu.load_queue=1");
	EACH(19.0, load, ea, "lsu.load_queue=1", "simd.c_cycles=2");
}

static void every_load_and_store_is_counted(void)
{
	static const uint32_t words[] = {
		W_LDDF(2, 1, 0), W_LDDF(4, 1, 0), W_STDF(2, 1, 0), W_LDX(3, 1, 0), W_STX(3, 1, 0), W_LDDF(6, 1, 0),
	};
	static const uint64_t ea[] = {ALL(0), MEMORY, ALL(64), PE(1, 128), PE(1, 256), PE(0, 512)};
	struct core_stats s;

	core_array_run(words, 6, 50, ARRAY_PES, ea, NULL, &s);
	CHECK_U64(s.simd_loads, 50);
	CHECK_U64(s.simd_broadcasts, 100);
	CHECK_U64(s.simd_stores, 50);
	CHECK_U64(s.simd_pe_broadcasts, 50);
	CHECK_U64(s.simd_scalar_loads, 50);
	CHECK_U64(s.simd_scalar_stores, 50);
	CHECK_U64(s.simd_addresses, 200); /* all but the store of the core and what L1D gives */
	CHECK_U64(s.loads, 200);
	CHECK_U64(s.stores, 100);
	CHECK_U64(s.committed[CORE_CLASSES / 2 + CLASS_FP_LOAD], 150);
}

static void a_prefetch_from_a_window_brings_nothing(void)
{
	/* through an address pipe, and done: two a cycle, no port of L1D or SBM */
	static const uint32_t two[] = {W_PREFETCH(1, 0), W_PREFETCH(1, 0)};
	static const uint64_t ea[] = {ALL(0), PE(3, 0)};
	struct core_stats s;

	EACH(1.0, two, ea, DEFAULT);
	core_array_run(two, 2, 50, ARRAY_PES, ea, NULL, &s);
	CHECK_U64(s.address_accesses, 0);
	CHECK_U64(s.simd_addresses, 0);
}

static const struct tap_test tests[] = {
	{"the way of a load from SBM", the_way_of_a_load_from_sbm},
	{"a load's station entry is held to its pipe", a_load_s_station_entry_is_held_to_its_pipe},
	{"load pipes and ports", load_pipes_and_ports},
	{"stores drain one a cycle", stores_drain_one_a_cycle},
	{"a store gives its data to a load", a_store_gives_its_data_to_a_load},
	{"the scalar core reads one PE", the_scalar_core_reads_one_pe},
	{"scalar accesses take the port", scalar_accesses_take_the_port},
	{"one place has two addresses", one_place_has_two_addresses},
	{"a store to one PE cannot serve all", a_store_to_one_pe_cannot_serve_all},
	{"a broadcast comes through L1D", a_broadcast_comes_through_l1d},
	{"broadcasts share the load pipes", broadcasts_share_the_load_pipes},
	{"one PE's value is broadcast", one_pe_s_value_is_broadcast},
	{"a prefetch from a window brings nothing", a_prefetch_from_a_window_brings_nothing},
	{"every load and store is counted", every_load_and_store_is_counted},
};

int main(void)
{
	return tap_main("array-memory", tests, TAP_COUNT(tests));
}
