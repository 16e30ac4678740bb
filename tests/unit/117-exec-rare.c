/*
 * What compilers hardly ever emit and qemu 7.2 has not: alternate-space FP
 * accesses by words, quads in other spaces, single-precision multiply-add,
 * traps of multiply-add.
 */
#include "tap.h"

#include "exec_machine.h"

enum {
	LDQFA = 0x32,
	LDDFA = 0x33,
	STQFA = 0x36,
	STDFA = 0x37,
	PREFETCHA = 0x3d,
	LDXA = 0x1b,
	STXA = 0x1e,
	SWAPA = 0x1f,
	LDSTUBA = 0x1d,
	STDA = 0x17
};
enum { P = 0x80, PL = 0x88, FL8 = 0xd0, PST8 = 0xc0, BLK = 0xf0 };
enum { NV = 16, OF = 8, UF = 4, DZ = 2, NX = 1 };

static struct machine *with_data(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = DATA;
	m->cpu.r[G2] = 4;
	poke(m, DATA, 0x0001020304050607);
	poke(m, DATA + 8, 0x08090a0b0c0d0e0f);
	poke(m, DATA + 16, 0x1011121314151617);
	return m;
}

static void doubles_aligned_to_a_word_in_other_spaces(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, asi_access(LDDFA, dreg(2), G1, G2, P)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[1], 0x0405060708090a0b);
	CHECK_U64(run(m, asi_access(LDDFA, dreg(2), G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[1], 0x0b0a090807060504);
	CHECK_U64(run(m, asi_access(STDFA, dreg(2), G1, G2, P)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 4), 0x0b0a090807060504);
	CHECK_U64(run(m, asi_access(STDFA, dreg(2), G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 4), 0x0405060708090a0b);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 4);
	m->cpu.r[G2] = 2;
	CHECK_U64(run(m, asi_access(LDDFA, dreg(2), G1, G2, P)), TRAP_ALIGNMENT);
	CHECK_U64(run(m, asi_access(STDFA, dreg(2), G1, G2, P)), TRAP_ALIGNMENT);
}

static void quads_in_other_spaces(void)
{
	struct machine *m = with_data();

	CHECK_U64(run(m, asi_access(LDQFA, dreg(4), G1, G2, P)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], 0x0405060708090a0b);
	CHECK_HEX(m->cpu.d[3], 0x0c0d0e0f10111213);
	/* little-endian: the 16 bytes reversed */
	CHECK_U64(run(m, asi_access(LDQFA, dreg(4), G1, G2, PL)), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], 0x131211100f0e0d0c);
	CHECK_HEX(m->cpu.d[3], 0x0b0a090807060504);
	CHECK_U64(run(m, asi_access(STQFA, dreg(4), G1, G0, PL)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA), 0x0405060708090a0b);
	CHECK_HEX(peek(m, DATA + 8), 0x0c0d0e0f10111213);
	CHECK_U64(run(m, asi_access(STQFA, dreg(4), G1, G0, P)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA), 0x131211100f0e0d0c);
	CHECK_HEX(peek(m, DATA + 8), 0x0b0a090807060504);
}

static void accesses_to_nothing_in_other_spaces(void)
{
	static const struct {
		unsigned op3, asi;
	} loads[] = {
		{LDXA, P},  {LDDFA, P},   {LDDFA, BLK},  {LDDFA, FL8}, {LDQFA, PL},  {STXA, P},  {STDA, P},
		{SWAPA, P}, {LDSTUBA, P}, {STDFA, PST8}, {STDFA, BLK}, {STDFA, FL8}, {STQFA, P}, {STDFA, P},
	};

	for (unsigned k = 0; k < sizeof(loads) / sizeof(*loads); k++) {
		struct machine *m = machine_new();

		m->cpu.r[G1] = HOLE;
		CHECK_U64(run(m, asi_access(loads[k].op3, 0, G1, G0, loads[k].asi)), TRAP_ACCESS);
		CHECK_HEX(m->cpu.fault_address, HOLE);
		CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 0);
	}
}

static void misaligned_accesses_in_other_spaces(void)
{
	static const struct {
		unsigned op3, asi;
	} all[] = {
		{STXA, P}, {SWAPA, P}, {LDQFA, P}, {STDFA, PST8}, {STDFA, BLK}, {STDFA, FL8 + 2},
	};

	for (unsigned k = 0; k < sizeof(all) / sizeof(*all); k++) {
		struct machine *m = with_data();

		m->cpu.r[G1] = DATA + 1;
		CHECK_U64(run(m, asi_access(all[k].op3, 0, G1, G0, all[k].asi)), TRAP_ALIGNMENT);
		CHECK_HEX(m->cpu.fault_address, DATA + 1);
	}
}

/* rs2 is its mask */
static void a_partial_store_with_an_immediate_is_illegal(void)
{
	struct machine *m = with_data();

	m->cpu.asi = PST8;
	CHECK_U64(run(m, rri(3, STDFA, 0, G1, 0)), TRAP_ILLEGAL);
}

static void prefetcha_logs_its_address(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = HOLE;
	CHECK_U64(run(m, asi_access(PREFETCHA, 0, G1, G0, P)), TRAP_NONE);
	CHECK_HEX(m->ea[0], HOLE);
}

static void a_flushw_to_nothing_traps(void)
{
	struct machine *m = machine_new();

	m->cpu.r[SP] = HOLE - 2047;
	CHECK_U64(run(m, rri(2, 0x3c, SP, SP, -192)), TRAP_NONE); /* save */
	CHECK_U64(run(m, rrr(2, 0x2b, 0, 0, 0)), TRAP_ACCESS);    /* flushw */
	CHECK_U64(m->cpu.canrestore, 1);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 1); /* the save's 0 */
}

/* op3 0x37: rs3 [13:9], var [8:7], size [6:5] (1 single, 2 double) */
static uint32_t fma_word(unsigned var, unsigned size, unsigned rd, unsigned rs1, unsigned rs2, unsigned rs3)
{
	return rrr(2, 0x37, rd, rs1, rs2) | rs3 << 9 | var << 7 | size << 5;
}

static void single_multiply_add(void)
{
	/* FMADD 2*3+1, FMSUB 2*3-1, FNMSUB -(2*3)+1, FNMADD -(2*3)-1 */
	static const float expected[4] = {7, 5, -5, -7};

	for (unsigned k = 0; k < 8; k++) {
		struct machine *m = machine_new();

		m->cpu.d[0] = (uint64_t)f_bits(2) << 32 | f_bits(3); /* %f0, %f1 */
		m->cpu.d[1] = (uint64_t)f_bits(1) << 32;             /* %f2 */
		m->cpu.fma_fused = k & 4;
		CHECK_U64(run(m, fma_word(k & 3, 1, 5, 0, 1, 2)), TRAP_NONE);
		CHECK_HEX(m->cpu.d[2], f_bits(expected[k & 3])); /* %f5: the low half */
	}
}

static void single_multiply_add_rounds_twice_or_once(void)
{
	/* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24; the last is half a unit: to even, 1 + 2^-11 */
	float a = 1 + 0x1p-12f, s = 1 + 0x1p-11f;

	for (unsigned fused = 0; fused < 2; fused++) {
		struct machine *m = machine_new();

		m->cpu.d[0] = (uint64_t)f_bits(a) << 32 | f_bits(s);
		m->cpu.fma_fused = fused;
		CHECK_U64(run(m, fma_word(1, 1, 4, 0, 0, 1)), TRAP_NONE); /* fmsubs %f0, %f0, %f1, %f4 */
		CHECK_HEX(m->cpu.d[2] >> 32, fused ? f_bits(0x1p-24f) : 0);
		CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, fused ? 0 : NX * 33);
	}
}

static void both_parts_of_a_multiply_add_raise(void)
{
	struct machine *m = machine_new();

	/* the product overflows, the sum inf - inf is invalid: both are current */
	m->cpu.d[0] = 0x7fefffffffffffff;
	m->cpu.d[1] = 0xfff0000000000000;
	CHECK_U64(run(m, fma_word(0, 2, dreg(4), dreg(0), dreg(0), dreg(2))), TRAP_NONE);
	CHECK_HEX(m->cpu.d[2], 0x7fffffffffffffff);
	CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, (OF | NX | NV) * 33);
}

static void a_trap_of_the_product_ends_a_multiply_add(void)
{
	struct machine *m = machine_new();

	cpu_set_fsr(&m->cpu, (uint64_t)(OF | NV) << 23);
	m->cpu.d[0] = 0x7fefffffffffffff;
	m->cpu.d[1] = 0xfff0000000000000;
	m->cpu.d[2] = 77;
	CHECK_U64(run(m, fma_word(0, 2, dreg(4), dreg(0), dreg(0), dreg(2))), TRAP_FP_IEEE);
	CHECK_HEX(cpu_fsr(&m->cpu) & 0x3ff, OF); /* not NV, which the sum would raise */
	CHECK_HEX(m->cpu.d[2], 77);
}

static void quad_moves_and_conditions(void)
{
	struct machine *m = machine_new();

	m->cpu.d[0] = 0x8000000000000001;
	m->cpu.d[1] = 0x8000000000000002;
	CHECK_U64(run(m, fpop(0x34, 0x0b, dreg(8), 0, dreg(0))), TRAP_NONE); /* fabsq */
	CHECK_HEX(m->cpu.d[4], 1);
	CHECK_HEX(m->cpu.d[5], 0x8000000000000002);                          /* the low half has no sign */
	CHECK_U64(run(m, fpop(0x34, 0x07, dreg(8), 0, dreg(8))), TRAP_NONE); /* fnegq in place */
	CHECK_HEX(m->cpu.d[4], 0x8000000000000001);
	/* fmovqe %icc: opf_cc 4 in [13:11], cond 1 in [17:14] */
	m->cpu.d[4] = 0;
	CHECK_U64(run(m, rrr(2, 0x35, dreg(8), 1, dreg(0)) | 4 << 11 | 3 << 5), TRAP_NONE);
	CHECK_HEX(m->cpu.d[4], 0);
	m->cpu.ccr = Z;
	CHECK_U64(run(m, rrr(2, 0x35, dreg(8), 1, dreg(0)) | 4 << 11 | 3 << 5), TRAP_NONE);
	CHECK_HEX(m->cpu.d[4], 0x8000000000000001);
}

static const struct tap_test tests[] = {
	{"LDDFA and STDFA do with word alignment", doubles_aligned_to_a_word_in_other_spaces},
	{"LDQFA and STQFA in both byte orders", quads_in_other_spaces},
	{"accesses to nothing in other spaces trap", accesses_to_nothing_in_other_spaces},
	{"misaligned accesses in other spaces trap", misaligned_accesses_in_other_spaces},
	{"a partial store with an immediate is illegal", a_partial_store_with_an_immediate_is_illegal},
	{"PREFETCHA logs its address", prefetcha_logs_its_address},
	{"a FLUSHW to nothing traps", a_flushw_to_nothing_traps},
	{"single multiply-add in its four signs", single_multiply_add},
	{"single multiply-add rounds twice or once", single_multiply_add_rounds_twice_or_once},
	{"both parts of a multiply-add raise exceptions", both_parts_of_a_multiply_add_raise},
	{"a trap of the product ends a multiply-add", a_trap_of_the_product_ends_a_multiply_add},
	{"quad moves and conditional moves", quad_moves_and_conditions},
};

int main(void)
{
	return tap_main("exec-rare", tests, TAP_COUNT(tests));
}
