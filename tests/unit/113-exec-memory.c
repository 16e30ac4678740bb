/* Loads, stores, atomics, alternate spaces, faults, the address log. */
#include "tap.h"

#include "exec_machine.h"

enum {
	LDUW = 0x00,
	LDUB = 0x01,
	LDUH = 0x02,
	LDD = 0x03,
	STW = 0x04,
	STB = 0x05,
	STH = 0x06,
	STD = 0x07,
	LDSW = 0x08,
	LDSB = 0x09,
	LDSH = 0x0a,
	LDX = 0x0b,
	LDSTUB = 0x0d,
	STX = 0x0e,
	SWAP = 0x0f,
	LDUWA = 0x10,
	LDUBA = 0x11,
	LDDA = 0x13,
	STDA = 0x17,
	LDXA = 0x1b,
	STXA = 0x1e,
	LDF = 0x20,
	LDFSR = 0x21,
	LDQF = 0x22,
	LDDF = 0x23,
	STF = 0x24,
	STFSR = 0x25,
	STQF = 0x26,
	STDF = 0x27,
	PREFETCH = 0x2d,
	LDDFA = 0x33,
	STDFA = 0x37,
	CASA = 0x3c,
	CASXA = 0x3e,
};
enum {
	P = 0x80,
	PNF = 0x82,
	PL = 0x88,
	PST8 = 0xc0,
	PST16 = 0xc2,
	PST32 = 0xc4,
	FL8 = 0xd0,
	FL16 = 0xd2,
	BLK_COMMIT = 0xe0,
	BLK = 0xf0,
	BLK_L = 0xf8
};

/* %g1 = DATA, which holds 8182838485868788 and 0102030405060708; the rest is zero. */
static struct machine *with_data(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = DATA;
	poke(m, DATA, 0x8182838485868788);
	poke(m, DATA + 8, 0x0102030405060708);
	return m;
}

static uint64_t load(unsigned op3, int offset)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, rri(3, op3, G3, G1, offset)), TRAP_NONE);
	CHECK_HEX(m->ea[0], DATA + (uint64_t)offset);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 1);
	return m->cpu.r[G3];
}

static void loads_are_big_endian_and_extend(void)
{
	CHECK_HEX(load(LDUB, 1), 0x82);
	CHECK_HEX(load(LDSB, 1), 0xffffffffffffff82);
	CHECK_HEX(load(LDUH, 2), 0x8384);
	CHECK_HEX(load(LDSH, 2), 0xffffffffffff8384);
	CHECK_HEX(load(LDUW, 4), 0x85868788);
	CHECK_HEX(load(LDSW, 4), 0xffffffff85868788);
	CHECK_HEX(load(LDX, 8), 0x0102030405060708);
	CHECK_HEX(load(LDSB, 9), 2);
}

static void stores_write_their_width(void)
{
	static const unsigned op3[] = {STB, STH, STW, STX};
	static const uint64_t after[] = {0x8182838488868788, 0x8182838477888788, 0x8182838455667788,
					 0x1122334455667788};

	for (unsigned k = 0; k < 4; k++) {
		struct machine *m = with_data();

		m->cpu.r[G3] = 0x1122334455667788;
		CHECK_U64(run(m, rri(3, op3[k], G3, G1, k < 3 ? 4 : 0)), TRAP_NONE);
		CHECK_HEX(peek(m, DATA), after[k]);
		CHECK_HEX(peek(m, DATA + 8), 0x0102030405060708);
		CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 1);
	}
}

static void ldd_and_std_take_a_pair(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, rri(3, LDD, G2, G1, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G2], 0x81828384);
	CHECK_HEX(m->cpu.r[G3], 0x85868788);
	m->cpu.r[G2] = 0xaaaaaaaa11111111;
	CHECK_U64(run(m, rri(3, STD, G2, G1, 8)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 8), 0x1111111185868788);
	/* the even register is %g0: only the odd one is written */
	CHECK_U64(run(m, rri(3, LDD, G0, G1, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G0], 0);
	CHECK_HEX(m->cpu.r[G1], 0x85868788);
}

static void misaligned_accesses_trap(void)
{
	static const struct {
		unsigned op3;
		int offset;
	} wrong[] = {
		{LDUH, 1}, {LDUW, 2}, {LDX, 4}, {STH, 1},  {STW, 2},  {STX, 4},  {LDD, 4},
		{STD, 4},  {SWAP, 2}, {LDF, 2}, {LDDF, 2}, {STDF, 2}, {LDQF, 2}, {LDFSR, 2},
	};

	for (unsigned k = 0; k < sizeof(wrong) / sizeof(*wrong); k++) {
		struct machine *m = with_data();
		/* rd = 0 suits all of them: LDFSR needs it, pairs and quads are aligned */
		uint32_t word = rri(3, wrong[k].op3, 0, G1, wrong[k].offset);

		CHECK_U64(run(m, word), TRAP_ALIGNMENT);
		CHECK_HEX(m->cpu.fault_address, DATA + (unsigned)wrong[k].offset);
		CHECK_HEX(peek(m, DATA), 0x8182838485868788);
		CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 0);
		CHECK_HEX(m->cpu.pc, CODE);
	}
}

static void doubles_aligned_to_a_word_are_loaded_and_stored(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, rri(3, LDDF, dreg(2), G1, 4)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[1], 0x8586878801020304);
	CHECK_U64(run(m, rri(3, STDF, dreg(2), G1, 12)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 12), 0x8586878801020304);
	/* across the border of two pages too */
	m->cpu.r[G1] = DATA + 0x2000;
	CHECK_U64(run(m, rri(3, STDF, dreg(2), G1, -4)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 0x1ffc), 0x8586878801020304);
}

static void there_is_nothing_to_access(void)
{
	struct machine *m = with_data();

	m->cpu.r[G1] = HOLE;
	m->cpu.r[G3] = 5;
	CHECK_U64(run(m, rri(3, LDX, G3, G1, 8)), TRAP_ACCESS);
	CHECK_HEX(m->cpu.fault_address, HOLE + 8);
	CHECK_HEX(m->cpu.r[G3], 5);
	m->cpu.r[G1] = READ_ONLY;
	CHECK_U64(run(m, rri(3, LDX, G3, G1, 0)), TRAP_NONE);
	CHECK_U64(run(m, rri(3, STX, G3, G1, 0)), TRAP_ACCESS);
	CHECK_U64(run(m, rri(3, LDSTUB, G3, G1, 0)), TRAP_ACCESS);
	CHECK_U64(run(m, rri(3, LDX, G3, G1, 0)), TRAP_NONE);
	/* a double half in the hole changes neither memory nor register */
	m->cpu.d[1] = 9;
	m->cpu.r[G1] = READ_ONLY + 0x2000 - 4;
	CHECK_U64(run(m, rri(3, LDDF, dreg(2), G1, 0)), TRAP_ACCESS);
	CHECK_HEX(m->cpu.fault_address, HOLE);
	CHECK_HEX(m->cpu.d[1], 9);
}

static void a_flushed_translation_is_asked_for_again(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, rri(3, LDX, G3, G1, 0)), TRAP_NONE);
	m->cpu.tlb[(DATA >> CPU_PAGE_BITS) % CPU_TLB_SIZE].host = NULL; /* would crash if still used */
	cpu_flush_tlb(&m->cpu);
	CHECK_U64(run(m, rri(3, LDX, G3, G1, 8)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x0102030405060708);
}

static void atomics_exchange(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, rri(3, LDSTUB, G3, G1, 2)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x83);
	CHECK_HEX(peek(m, DATA), 0x8182ff8485868788);
	m->cpu.r[G3] = 0x99aabbccddeeff00;
	CHECK_U64(run(m, rri(3, SWAP, G3, G1, 4)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x85868788);
	CHECK_HEX(peek(m, DATA), 0x8182ff84ddeeff00);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 2);
}

static void compare_and_swap_returns_the_old_value(void)
{
	struct machine *m = with_data();

	m->cpu.r[G2] = 0xffffffff81828384; /* the low half counts */
	m->cpu.r[G3] = 0x1234567855667788;
	CHECK_U64(run(m, asi_access(CASA, G3, G1, G2, P)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x81828384);
	CHECK_HEX(peek(m, DATA), 0x5566778885868788);
	m->cpu.r[G3] = 1;
	CHECK_U64(run(m, asi_access(CASA, G3, G1, G2, P)), TRAP_NONE); /* no longer equal */
	CHECK_HEX(m->cpu.r[G3], 0x55667788);
	CHECK_HEX(peek(m, DATA), 0x5566778885868788);
	m->cpu.r[G2] = 0x5566778885868788;
	m->cpu.r[G3] = 7;
	CHECK_U64(run(m, asi_access(CASXA, G3, G1, G2, P)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x5566778885868788);
	CHECK_HEX(peek(m, DATA), 7);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 3);
}

static void little_endian_spaces_swap_each_datum(void)
{
	struct machine *m = with_data();

	m->cpu.r[G2] = 0;
	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x8887868584838281);
	CHECK_U64(run(m, asi_access(LDUWA, G3, G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x84838281);
	/* LDDA: two words, each swapped, in their order */
	CHECK_U64(run(m, asi_access(LDDA, G4, G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G4], 0x84838281);
	CHECK_HEX(m->cpu.r[G5], 0x88878685);
	m->cpu.r[G3] = 0x1122334455667788;
	CHECK_U64(run(m, asi_access(STXA, G3, G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA), 0x8877665544332211);
	/* with i = 1 the ASI register counts */
	m->cpu.asi = PL;
	CHECK_U64(run(m, rri(3, LDXA, G3, G1, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x1122334455667788);
}

static void no_fault_loads_from_nothing_give_zero(void)
{
	struct machine *m = with_data();

	m->cpu.r[G1] = HOLE;
	m->cpu.r[G3] = 5;
	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G0, PNF)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0);
	CHECK_HEX(m->ea[0], HOLE);
	m->cpu.r[G1] = HOLE + 4;
	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G0, PNF)), TRAP_ALIGNMENT);
	m->cpu.r[G1] = DATA;
	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G0, PNF)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x8182838485868788);
	CHECK_U64(run(m, asi_access(STXA, G3, G1, G0, PNF)), TRAP_ACCESS);
}

static void other_spaces_trap(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G0, 0x10)), TRAP_PRIVILEGED_ACTION);
	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G0, 0x84)), TRAP_ACCESS);
	CHECK_U64(run(m, asi_access(LDXA, G3, G1, G0, BLK)), TRAP_ACCESS);  /* LDDFA only */
	CHECK_U64(run(m, asi_access(LDDFA, 0, G1, G0, PST8)), TRAP_ACCESS); /* STDFA only */
	CHECK_U64(run(m, asi_access(CASXA, G3, G1, G0, PNF)), TRAP_ACCESS);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 0);
}

static void singles_are_halves_of_doubles(void)
{
	struct machine *m = with_data();

	m->cpu.d[1] = 0x1111111122222222;
	CHECK_U64(run(m, rri(3, LDF, 3, G1, 4)), TRAP_NONE); /* %f3: the low half */
	CHECK_HEX(m->cpu.d[1], 0x1111111185868788);
	CHECK_U64(run(m, rri(3, LDF, 2, G1, 0)), TRAP_NONE); /* %f2: the high half */
	CHECK_HEX(m->cpu.d[1], 0x8182838485868788);
	CHECK_U64(run(m, rri(3, STF, 3, G1, 8)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 8), 0x8586878805060708);
	CHECK_HEX(m->cpu.fprs, 4 | 1); /* FEF, and the lower half is dirty */
	CHECK_U64(run(m, rri(3, LDDF, dreg(62), G1, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[31], 0x8182838485868788);
	CHECK_HEX(m->cpu.fprs, 4 | 2 | 1);
}

static void quads_are_four_aligned_words(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, rri(3, LDQF, dreg(36), G1, 0)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[18], 0x8182838485868788);
	CHECK_HEX(m->cpu.d[19], 0x0102030405060708);
	CHECK_U64(run(m, rri(3, STQF, dreg(36), G1, 20)), TRAP_NONE); /* aligned to a word only */
	CHECK_HEX(peek(m, DATA + 20), 0x8182838485868788);
	CHECK_HEX(peek(m, DATA + 28), 0x0102030405060708);
}

static void blocks_move_eight_doubles(void)
{
	struct machine *m = with_data();

	for (unsigned k = 0; k < 8; k++)
		poke(m, DATA + 64 + 8 * k, 0x0101010101010101 * (k + 1) + 0xf);
	m->cpu.r[G1] = DATA + 64;
	CHECK_U64(run(m, asi_access(LDDFA, dreg(48), G1, G0, BLK)), TRAP_NONE);
	for (unsigned k = 0; k < 8; k++)
		CHECK_HEX(m->cpu.d[24 + k], 0x0101010101010101 * (k + 1) + 0xf);
	m->cpu.r[G1] = DATA + 128;
	CHECK_U64(run(m, asi_access(STDFA, dreg(48), G1, G0, BLK_COMMIT)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 128 + 56), 0x0808080808080817);
	CHECK_U64(run(m, asi_access(STDFA, dreg(48), G1, G0, BLK_L)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 128), 0x1001010101010101);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 3); /* one address a block */
	CHECK_U64(run(m, asi_access(LDDFA, dreg(8), G1, G0, BLK)), TRAP_ILLEGAL);
	m->cpu.r[G1] = DATA + 136;
	CHECK_U64(run(m, asi_access(LDDFA, dreg(16), G1, G0, BLK)), TRAP_ALIGNMENT);
}

static void short_loads_extend_to_a_double(void)
{
	struct machine *m = with_data();

	m->cpu.r[G2] = 3;
	CHECK_U64(run(m, asi_access(LDDFA, dreg(4), G1, G2, FL8)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], 0x84);
	m->cpu.r[G2] = 6;
	CHECK_U64(run(m, asi_access(LDDFA, dreg(4), G1, G2, FL16)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], 0x8788);
	CHECK_U64(run(m, asi_access(LDDFA, dreg(4), G1, G2, FL16 | 8)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], 0x8887);
	m->cpu.r[G2] = 1;
	CHECK_U64(run(m, asi_access(LDDFA, dreg(4), G1, G2, FL16)), TRAP_ALIGNMENT);
	CHECK_U64(run(m, asi_access(STDFA, dreg(4), G1, G2, FL8)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA), 0x8187838485868788);
}

static void partial_stores_write_the_masked_elements(void)
{
	/* the most significant element goes with the highest bit of the mask */
	static const struct {
		unsigned asi;
		uint64_t mask, after;
	} cases[] = {
		{PST8, 0x81, 0x1182838485868718}, {PST8, 0x00, 0x8182838485868788}, {PST8, 0xff, 0x1112131415161718},
		{PST16, 0x8, 0x1112838485868788}, {PST16, 0x3, 0x8182838415161718}, {PST32, 0x2, 0x1112131485868788},
		{PST32, 0x1, 0x8182838415161718},
	};

	for (unsigned k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct machine *m = with_data();

		m->cpu.d[1] = 0x1112131415161718;
		m->cpu.r[G2] = cases[k].mask;
		CHECK_U64(run(m, asi_access(STDFA, dreg(2), G1, G2, cases[k].asi)), TRAP_NONE);
		CHECK_HEX(peek(m, DATA), cases[k].after);
		CHECK_HEX(m->ea[0], DATA); /* rs2 is the mask and no part of the address */
	}
}

static void prefetch_touches_nothing(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = HOLE;
	CHECK_U64(run(m, rri(3, PREFETCH, 0, G1, 3)), TRAP_NONE);
	CHECK_HEX(m->ea[0], HOLE + 3);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 1);
}

static void fsr_goes_through_memory(void)
{
	struct machine *m = with_data();

	/* all ones: what can be written is RD, TEM, NS, fcc0..3, aexc, cexc */
	poke(m, DATA, ~0ull);
	CHECK_U64(run(m, rri(3, LDFSR, 1, G1, 0)), TRAP_NONE); /* LDXFSR */
	CHECK_HEX(cpu_fsr(&m->cpu), 0x3fcfc00fff);
	CHECK_U64(run(m, rri(3, STFSR, 1, G1, 8)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 8), 0x3fcfc00fff);
	poke(m, DATA, 0);
	CHECK_U64(run(m, rri(3, LDFSR, 0, G1, 0)), TRAP_NONE); /* LDFSR: the low half */
	CHECK_HEX(cpu_fsr(&m->cpu), 0x3f00000000);
	m->cpu.fsr |= 1 << 14; /* ftt: stored, then cleared */
	CHECK_U64(run(m, rri(3, STFSR, 0, G1, 0)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA), 0x0000400000000000);
	CHECK_HEX(m->cpu.fsr, 0x3f00000000);
}

static const struct tap_test tests[] = {
	{"loads are big-endian and extend", loads_are_big_endian_and_extend},
	{"stores write their width", stores_write_their_width},
	{"LDD and STD take a register pair", ldd_and_std_take_a_pair},
	{"a misaligned access traps and changes nothing", misaligned_accesses_trap},
	{"LDDF and STDF do with word alignment", doubles_aligned_to_a_word_are_loaded_and_stored},
	{"an access to nothing, or a write where only reads are allowed, traps", there_is_nothing_to_access},
	{"cpu_flush_tlb forgets translations", a_flushed_translation_is_asked_for_again},
	{"LDSTUB and SWAP exchange", atomics_exchange},
	{"CASA and CASXA return the old value", compare_and_swap_returns_the_old_value},
	{"little-endian spaces swap each datum", little_endian_spaces_swap_each_datum},
	{"no-fault loads from nothing give 0", no_fault_loads_from_nothing_give_zero},
	{"spaces that do not fit trap", other_spaces_trap},
	{"singles are halves of doubles", singles_are_halves_of_doubles},
	{"quads are four words", quads_are_four_aligned_words},
	{"blocks move eight doubles", blocks_move_eight_doubles},
	{"short FP loads and stores", short_loads_extend_to_a_double},
	{"partial stores write the masked elements", partial_stores_write_the_masked_elements},
	{"a prefetch logs its address and touches nothing", prefetch_touches_nothing},
	{"FSR goes through memory", fsr_goes_through_memory},
};

int main(void)
{
	return tap_main("exec-memory", tests, TAP_COUNT(tests));
}
