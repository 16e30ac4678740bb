/* Cycles of dependent chains and of independent instructions: each follows from a parameter. */
#include "core_run.h"
#include "tap.h"

#define EACH(cycles, words, ea, ...) \
	CHECK_F64(core_cycles_each(words, sizeof(words) / sizeof((words)[0]), ea, \
				   (const char *const[]){__VA_ARGS__, NULL}), \
		  cycles, 0.0101)
#define DEFAULT "core.rob_entries=64"

static void dependent_adds_take_a_cycle_each(void)
{
	static const uint32_t add[] = {W_ADD(1, 1, 1)};

	EACH(1.0, add, NULL, DEFAULT);
	EACH(3.0, add, NULL, "latency.int_alu=3");
}

static void independent_adds_fill_the_integer_pipes(void)
{
	/* Two pipes: half a cycle each; one pipe: a whole; four: the decoder's quarter. */
	static const uint32_t add[] = {W_ADD(1, 0, 1), W_ADD(2, 0, 1), W_ADD(3, 0, 1), W_ADD(4, 0, 1)};

	EACH(2.0, add, NULL, DEFAULT);
	EACH(4.0, add, NULL, "core.int_pipes=1");
	EACH(1.0, add, NULL, "core.int_pipes=4");
}

static void nops_are_bound_by_decode_and_commit(void)
{
	static const uint32_t nop[] = {W_NOP, W_NOP, W_NOP, W_NOP};

	EACH(1.0, nop, NULL, DEFAULT);
	EACH(2.0, nop, NULL, "decode.width=2");
	EACH(2.0, nop, NULL, "core.commit_width=2");
	/* 16 bytes a cycle are four instructions: no loss; 8 bytes are two. */
	EACH(1.0, nop, NULL, "fetch.width_bytes=16");
	EACH(2.0, nop, NULL, "fetch.width_bytes=8", "fetch.buffer_entries=16");
}

static void fp_chains_take_their_latency(void)
{
	static const uint32_t fadd[] = {W_FADDD(2, 2, 4)};
	static const uint32_t fmul[] = {W_FMULD(2, 2, 4)};
	static const uint32_t fma[] = {W_FMADDD(2, 4, 6, 2)};
	static const uint32_t fdiv[] = {W_FDIVD(2, 2, 4)};

	EACH(4.0, fadd, NULL, DEFAULT);
	EACH(4.0, fmul, NULL, DEFAULT);
	EACH(8.0, fma, NULL, DEFAULT);
	EACH(6.0, fma, NULL, "latency.fp_fma=6");
	EACH(19.0, fdiv, NULL, DEFAULT);
}

static void integer_multiply_and_divide(void)
{
	static const uint32_t mul[] = {W_MULX(1, 1, 2)};
	static const uint32_t muls[] = {W_MULX(1, 2, 3), W_MULX(4, 2, 3)};
	static const uint32_t divs[] = {W_SDIVX(1, 2, 3), W_SDIVX(4, 2, 3)};

	EACH(5.0, mul, NULL, DEFAULT);
	/* Pipelined, but in the first pipe only; divides are not pipelined. */
	EACH(2.0, muls, NULL, DEFAULT);
	EACH(74.0, divs, NULL, DEFAULT);
}

static void independent_divides_use_both_pipes(void)
{
	/* Two dividers, 19 cycles each: two divides in 19 cycles. */
	static const uint32_t divs[] = {W_FDIVD(2, 4, 6), W_FDIVD(8, 4, 6)};

	EACH(19.0, divs, NULL, DEFAULT);
	EACH(38.0, divs, NULL, "core.fp_pipes=1");
}

static void loads_that_hit(void)
{
	static const uint32_t chain[] = {W_LDX(1, 1, 0)};
	static const uint32_t four[] = {W_LDX(1, 2, 0), W_LDX(3, 2, 0), W_LDX(4, 2, 0), W_LDX(5, 2, 0)};

	EACH(4.0, chain, NULL, DEFAULT);
	EACH(3.0, chain, NULL, "latency.load_use=3", "lsu.hit_known=1");
	EACH(6.0, chain, NULL, "latency.load_use=6");
	/* Without speculation the consumer is selected after Ms: Ps is 3 after P, Ms 2 later,
	   so 6 cycles after the load's P. */
	EACH(6.0, chain, NULL, "core.speculative_wakeup=no");
	/* Two address pipes, given ports enough: a port is held from D to W, D P B X Ps..Rs U W with
	   one cycle until D can take it again, 9 cycles, so 16 ports serve 16/9 loads a cycle. */
	EACH(2.0, four, NULL, "lsu.load_queue=32");
	EACH(4.0 * 9 / 16, four, NULL, DEFAULT);
	EACH(4.0, four, NULL, "core.address_pipes=1");
}

static void loads_of_the_same_bank_conflict(void)
{
	/*
	 * 8 banks x 4 bytes: addresses 32 bytes apart share banks, and are other words;
	 * with 32 of them no two in flight are the same. 8 bytes apart they are in other
	 * banks, up to the fourth; 16 banks keep 32 bytes apart.
	 */
	uint32_t words[32];
	uint64_t same[32], other[32];

	for (unsigned n = 0; n < 32; n++) {
		words[n] = W_LDX(1 + n % 7, 9, 0);
		same[n] = 0x100000 + 32 * n;
		other[n] = 0x100000 + 8 * (n % 4);
	}
	EACH(32.0, words, same, "lsu.load_queue=32");
	EACH(16.0, words, other, "lsu.load_queue=32");
	EACH(16.0, words, same, "lsu.load_queue=32", "l1d.banks=16");
}

static void barriers_by_the_bits_of_their_masks(void)
{
	/*
	 * Alone: D, P, latency, B, U W, the next D in the cycle after: 2 + 4 + 1 + 2 = 9. The bits that total store
	 * order has in any case (#LoadLoad, #LoadStore, #StoreStore) take a decode slot, a quarter of a cycle.
	 */
	static const double cycles[] = {0.25, 9, 0.25, 0.25, 9, 9, 9};
	/* behind a store: also the store's way from D to its write, as the buffer has to be empty */
	static const bool drains[] = {false, true, false, false, true, true, true};

	for (unsigned bit = 0; bit < 7; bit++) {
		uint32_t barrier[] = {0x8143e000 | 1u << bit}, behind[] = {W_STX(1, 2, 0), barrier[0]};

		EACH(cycles[bit], barrier, NULL, DEFAULT);
		/* D 0, P, B, X of the address, U W 5, the write 6, in which the barrier is dispatched; then its 9 */
		EACH(drains[bit] ? 6 + 9 : 1, behind, NULL, DEFAULT);
	}
}

static void stores_drain_one_a_cycle(void)
{
	static const uint32_t two[] = {W_STX(1, 2, 0), W_STX(3, 2, 8)};
	static const uint64_t ea[] = {0x100000, 0x100008};

	EACH(2.0, two, ea, DEFAULT);
}

static void a_store_forwards_to_a_load(void)
{
	/*
	 * stx %g1,[A]; ldx [A],%g1, again and again. From the cycle w in which the load's
	 * consumers may be selected, the store's data passes B and X, which is in cycle
	 * w + 1 + operand_stages; the load's Ps is in the next; from Ps to the consumer's
	 * selection are forward_latency - 2 - operand_stages cycles. Together forward_latency.
	 */
	static const uint32_t pair[] = {W_STX(1, 2, 0), W_LDX(1, 2, 0)};

	EACH(4.0, pair, NULL, DEFAULT);
	EACH(7.0, pair, NULL, "lsu.forward_latency=7");
}

static void a_load_asks_for_its_line_before_a_store_of_the_same_cycle(void)
{
	/*
	 * Both addresses are there in one cycle, two pipes, and both lines are in memory, whose
	 * channel takes 1000 cycles for each. The load, which the end waits for, has the first
	 * turn, though the store is older: as many cycles as with a nop in the store's place.
	 */
	static const uint32_t both[] = {W_STX(1, 2, 0), W_LDX(3, 2, 0)}, alone[] = {W_NOP, W_LDX(3, 2, 0)};
	static const uint64_t ea[] = {0x100000, 0x200000};
	static const char *const machine[] = {"l1d.perfect=no", "memory.bandwidth=0.064B/cycle", NULL};

	CHECK_U64(core_cycles_straight(both, 2, 1, ea, machine), core_cycles_straight(alone, 2, 1, &ea[1], machine));
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"dependent adds take a cycle each", dependent_adds_take_a_cycle_each},
		{"independent adds fill the integer pipes", independent_adds_fill_the_integer_pipes},
		{"nops are bound by decode and commit", nops_are_bound_by_decode_and_commit},
		{"fp chains take their latency", fp_chains_take_their_latency},
		{"integer multiply and divide", integer_multiply_and_divide},
		{"independent divides use both pipes", independent_divides_use_both_pipes},
		{"loads that hit", loads_that_hit},
		{"loads of the same bank conflict", loads_of_the_same_bank_conflict},
		{"barriers by the bits of their masks", barriers_by_the_bits_of_their_masks},
		{"stores drain one a cycle", stores_drain_one_a_cycle},
		{"a store forwards to a load", a_store_forwards_to_a_load},
		{"a load asks for its line before a store of the same cycle",
		 a_load_asks_for_its_line_before_a_store_of_the_same_cycle},
	};

	return tap_main("core-latency", tests, TAP_COUNT(tests));
}
