/*
 * Integer arithmetic, condition codes, multiplication and division. Expected
 * values follow from the SPARC V9 manual, appendix A, as the comments work out.
 */
#include "tap.h"

#include "exec_machine.h"

enum {
	ADD = 0x00,
	AND = 0x01,
	SUB = 0x04,
	ADDC = 0x08,
	MULX = 0x09,
	UMUL = 0x0a,
	SMUL = 0x0b,
	SUBC = 0x0c,
	UDIVX = 0x0d,
	UDIV = 0x0e,
	SDIV = 0x0f,
	ADDCC = 0x10,
	ANDCC = 0x11,
	SUBCC = 0x14,
	ADDCCC = 0x18,
	UMULCC = 0x1a,
	SMULCC = 0x1b,
	SUBCCC = 0x1c,
	UDIVCC = 0x1e,
	SDIVCC = 0x1f,
	TADDCC = 0x20,
	TSUBCC = 0x21,
	TADDCCTV = 0x22,
	TSUBCCTV = 0x23,
	MULSCC = 0x24,
	SLL = 0x25,
	SRL = 0x26,
	SRA = 0x27,
	MOVCC = 0x2c,
	SDIVX = 0x2d,
	POPC = 0x2e,
	MOVR = 0x2f,
};

/* op3 %g1, %g2, %g3 on a and b, with CCR and Y as given. */
static struct machine *two(unsigned op3, uint64_t a, uint64_t b, unsigned ccr, uint32_t y)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = a;
	m->cpu.r[G2] = b;
	m->cpu.r[G3] = 0xdead;
	m->cpu.ccr = (uint8_t)ccr;
	m->cpu.y = y;
	CHECK_U64(run(m, rrr(2, op3, G3, G1, G2)), TRAP_NONE);
	return m;
}

#define CHECK_RESULT(m, rd, codes) \
	do { \
		CHECK_HEX((m)->cpu.r[G3], rd); \
		CHECK_HEX((m)->cpu.ccr, codes); \
	} while (0)

static void addition_sets_both_codes(void)
{
	/* 7fffffff + 1 = 80000000: in 32 bits negative, overflow; in 64 bits neither */
	CHECK_RESULT(two(ADDCC, 0x7fffffff, 1, 0, 0), 0x80000000, N | V);
	/* ffffffff + 1 = 1 00000000: in 32 bits zero and carry; in 64 bits plain */
	CHECK_RESULT(two(ADDCC, 0xffffffff, 1, 0, 0), 0x100000000, Z | C);
	/* -1 + 1 = 0: both zero and carry */
	CHECK_RESULT(two(ADDCC, ~0ull, 1, 0, 0), 0, (Z | C) << 4 | Z | C);
	/* 2^63 - 1 + 1: 64-bit negative and overflow; low half ffffffff + 1 zero, carry */
	CHECK_RESULT(two(ADDCC, INT64_MAX, 1, 0, 0), 1ull << 63, (N | V) << 4 | Z | C);
	/* -2^63 + -2^63 = 0: zero, overflow, carry; the low halves 0 + 0: zero */
	CHECK_RESULT(two(ADDCC, 1ull << 63, 1ull << 63, 0, 0), 0, (Z | V | C) << 4 | Z);
}

static void subtraction_borrows_into_carry(void)
{
	/* 0 - 1 = -1: negative and borrow in both */
	CHECK_RESULT(two(SUBCC, 0, 1, 0, 0), ~0ull, (N | C) << 4 | N | C);
	/* 5 - 5: zero */
	CHECK_RESULT(two(SUBCC, 5, 5, 0xff, 0), 0, Z << 4 | Z);
	/* 80000000 - 1 = 7fffffff: 32 bits overflow (INT_MIN - 1), 64 bits plain */
	CHECK_RESULT(two(SUBCC, 0x80000000, 1, 0, 0), 0x7fffffff, V);
	/* 1 00000000 - 1 = ffffffff: 64 bits plain; 32 bits 0 - 1 negative, borrow */
	CHECK_RESULT(two(SUBCC, 0x100000000, 1, 0, 0), 0xffffffff, N | C);
}

static void carry_in_is_that_of_icc(void)
{
	/* icc.C = 1, xcc.C = 0 counts; icc.C = 0, xcc.C = 1 does not */
	CHECK_HEX(two(ADDC, 1, 2, C, 0)->cpu.r[G3], 4);
	CHECK_HEX(two(ADDC, 1, 2, C << 4, 0)->cpu.r[G3], 3);
	CHECK_HEX(two(SUBC, 9, 2, C, 0)->cpu.r[G3], 6);
	/* -1 + 0 + 1 = 0 with carry out of both */
	CHECK_RESULT(two(ADDCCC, ~0ull, 0, C, 0), 0, (Z | C) << 4 | Z | C);
	/* 0 - 0 - 1 = -1 borrows in both */
	CHECK_RESULT(two(SUBCCC, 0, 0, C, 0), ~0ull, (N | C) << 4 | N | C);
	/* 0 - ffffffffffffffff - 1 = 0 with borrow: 0 - 2^64 */
	CHECK_RESULT(two(SUBCCC, 0, ~0ull, C, 0), 0, (Z | C) << 4 | Z | C);
}

static void logic_clears_v_and_c(void)
{
	CHECK_RESULT(two(ANDCC, 0xf0f0, 0x0ff0, 0xff, 0), 0x00f0, 0);
	CHECK_RESULT(two(ANDCC, 0x80000000, ~0ull, 0xff, 0), 0x80000000, N);
}

static void immediates_are_sign_extended_operands(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = 10;
	CHECK_U64(run(m, rri(2, ADD, G3, G1, -4096)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], (uint64_t)-4086);
}

static void g0_stays_zero(void)
{
	struct machine *m = machine_new();

	CHECK_U64(run(m, rri(2, ADD, G0, G0, 5)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G0], 0);
	CHECK_HEX(m->cpu.pc, CODE + 4);
	CHECK_HEX(m->cpu.npc, CODE + 8);
}

static void products_of_32_bits_fill_64_and_y(void)
{
	/* ffffffff * ffffffff = fffffffe00000001 unsigned, 1 signed (-1 * -1) */
	struct machine *m = two(UMULCC, 0x1ffffffff, 0xffffffff, 0xff, 0);

	CHECK_RESULT(m, 0xfffffffe00000001, N << 4);
	CHECK_HEX(m->cpu.y, 0xfffffffe);
	m = two(SMULCC, 0xffffffff, 0x7ffffffff, 0xff, 7);
	CHECK_RESULT(m, 1, 0);
	CHECK_HEX(m->cpu.y, 0);
	/* -2^31 * 2 = -2^32: ffffffff00000000 */
	m = two(SMUL, 0x80000000, 2, 0, 0);
	CHECK_RESULT(m, 0xffffffff00000000, 0);
	CHECK_HEX(m->cpu.y, 0xffffffff);
	/* 2^31 * 2 = 2^32 */
	m = two(UMUL, 0x80000000, 2, 0, 0);
	CHECK_RESULT(m, 0x100000000, 0);
	CHECK_HEX(m->cpu.y, 1);
	/* the low 64 bits of a 64-bit product */
	CHECK_HEX(two(MULX, ~0ull, 3, 0, 0)->cpu.r[G3], (uint64_t)-3);
}

static void unsigned_division_takes_y_and_saturates(void)
{
	/* 1:00000000 / 3 = 4294967296 / 3 = 1431655765 = 55555555 */
	CHECK_RESULT(two(UDIVCC, 0, 3, 0xff, 1), 0x55555555, 0);
	/* 2:00000000 / 2 = 2^32 does not fit: ffffffff, icc.V; xcc.V stays 0 */
	CHECK_RESULT(two(UDIVCC, 0, 2, 0, 2), 0xffffffff, N | V);
	/* the largest that fits: 1:fffffffe / 2 = ffffffff */
	CHECK_RESULT(two(UDIVCC, 0xfffffffe, 2, 0, 1), 0xffffffff, N);
	/* the high half of rs1 and rs2 do not count */
	CHECK_HEX(two(UDIV, 0x500000009, 0x700000003, 0, 0)->cpu.r[G3], 3);
}

static void signed_division_takes_y_and_saturates(void)
{
	/* ffffffff:fffffff9 = -7; -7 / 2 = -3, towards zero */
	CHECK_RESULT(two(SDIVCC, 0xfffffff9, 2, 0, 0xffffffff), (uint64_t)-3, N << 4 | N);
	/* 0:80000000 / 1 = 2^31 does not fit: 7fffffff */
	CHECK_RESULT(two(SDIVCC, 0x80000000, 1, 0, 0), 0x7fffffff, V);
	/* 0:80000000 / -1 = -2^31 just fits */
	CHECK_RESULT(two(SDIVCC, 0x80000000, ~0ull, 0, 0), 0xffffffff80000000, N << 4 | N);
	/* -2^63 / -1 = 2^63: saturates and does not crash the host */
	CHECK_RESULT(two(SDIVCC, 0, ~0ull, 0, 0x80000000), 0x7fffffff, V);
	/* -2^63 / 1: -2^31 */
	CHECK_RESULT(two(SDIV, 0, 1, 0x55, 0x80000000), 0xffffffff80000000, 0x55);
}

static void division_of_64_bits(void)
{
	CHECK_HEX(two(UDIVX, ~0ull, 2, 0, 0)->cpu.r[G3], INT64_MAX);
	CHECK_HEX(two(SDIVX, (uint64_t)-7, 2, 0, 0)->cpu.r[G3], (uint64_t)-3);
	/* A.10: -2^63 / -1 = -2^63 */
	CHECK_HEX(two(SDIVX, 1ull << 63, ~0ull, 0, 0)->cpu.r[G3], 1ull << 63);
}

static void division_by_zero_traps_and_changes_nothing(void)
{
	static const unsigned ops[] = {UDIV, SDIV, UDIVCC, SDIVCC, UDIVX, SDIVX};

	for (unsigned k = 0; k < 6; k++) {
		struct machine *m = machine_new();

		m->cpu.r[G1] = 5;
		m->cpu.r[G2] = k < 4 ? 0x100000000 : 0; /* the low half counts for the first four */
		m->cpu.r[G3] = 77;
		m->cpu.ccr = 0x5a;
		CHECK_U64(run(m, rrr(2, ops[k], G3, G1, G2)), TRAP_DIVISION_BY_ZERO);
		CHECK_RESULT(m, 77, 0x5a);
		CHECK_HEX(m->cpu.pc, CODE);
	}
}

static void tags_overflow(void)
{
	/* tag bits 01 set icc.V alone */
	CHECK_RESULT(two(TADDCC, 4, 5, 0, 0), 9, V);
	CHECK_RESULT(two(TADDCC, 4, 8, 0xff, 0), 12, 0);
	CHECK_RESULT(two(TSUBCC, 6, 4, 0, 0), 2, V);
	/* 7ffffffc + 4: overflow without tags */
	CHECK_RESULT(two(TADDCC, 0x7ffffffc, 4, 0, 0), 0x80000000, N | V);
	CHECK_RESULT(two(TADDCCTV, 4, 8, 0xff, 0), 12, 0);
}

static void tagged_tv_traps_and_changes_nothing(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = 4;
	m->cpu.r[G2] = 5;
	m->cpu.r[G3] = 77;
	m->cpu.ccr = 0x5a;
	CHECK_U64(run(m, rrr(2, TADDCCTV, G3, G1, G2)), TRAP_TAG_OVERFLOW);
	CHECK_U64(run(m, rrr(2, TSUBCCTV, G3, G1, G2)), TRAP_TAG_OVERFLOW);
	CHECK_RESULT(m, 77, 0x5a);
}

static void mulscc_steps_multiply(void)
{
	/*
	 * 32 steps and a final shift step multiply 6 by 7 as the V8 manual's
	 * example does: Y = multiplier, first partial product 0. After 33 steps
	 * (the last with 0) the product's low half is in Y.
	 */
	struct machine *m = machine_new();

	m->cpu.y = 6;
	m->cpu.r[G2] = 7;
	m->cpu.ccr = 0;
	for (unsigned k = 0; k < 32; k++)
		CHECK_U64(run(m, rrr(2, MULSCC, G1, G1, G2)), TRAP_NONE);
	CHECK_U64(run(m, rrr(2, MULSCC, G1, G1, G0)), TRAP_NONE);
	CHECK_HEX(m->cpu.y, 42);
	CHECK_HEX((uint32_t)m->cpu.r[G1], 0);
}

static void mulscc_shifts_n_xor_v_in(void)
{
	/* icc.N != icc.V: 80000000 | 6 >> 1 = 80000003; bit 0 of Y is set: + 1. Y = bit 0 of 6, then 3 >> 1 */
	struct machine *m = two(MULSCC, 6, 1, N, 3);

	CHECK_HEX((uint32_t)m->cpu.r[G3], 0x80000004);
	CHECK_HEX(m->cpu.ccr & 15, N);
	CHECK_HEX(m->cpu.y, 1);
}

static void shifts_count_modulo_their_width(void)
{
	struct machine *m = two(SLL, 0xffffffff, 33, 0, 0);

	CHECK_HEX(m->cpu.r[G3], 0x1fffffffe);                    /* by 33 mod 32 = 1, the result 64 bits wide */
	CHECK_HEX(two(SRL, 0xf00000080, 4, 0, 0)->cpu.r[G3], 8); /* of the low 32 bits */
	CHECK_HEX(two(SRA, 0x80000000, 4, 0, 0)->cpu.r[G3], 0xfffffffff8000000);
	/* bit 12 makes it 64 bits: sllx by 65 mod 64 = 1 */
	m->cpu.r[G1] = 0xc000000000000001;
	m->cpu.r[G2] = 65;
	CHECK_U64(run(m, rrr(2, SLL, G3, G1, G2) | 1 << 12), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x8000000000000002);
	CHECK_U64(run(m, rrr(2, SRA, G3, G1, G2) | 1 << 12), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0xe000000000000000);
	CHECK_U64(run(m, rrr(2, SRL, G3, G1, G2) | 1 << 12), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 0x6000000000000000);
}

static void popc_counts_bits(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G2] = 0xf0f0000000000001; /* 4 + 4 + 1 */
	CHECK_U64(run(m, rrr(2, POPC, G3, 0, G2)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 9);
	CHECK_U64(run(m, rri(2, POPC, G3, 0, -1)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 64);
}

/* sethi %hi(0x87654000), %g1, as GNU as encodes it */
static void sethi_clears_the_high_half(void)
{
	struct machine *m = machine_new();

	m->cpu.r[G1] = ~0ull;
	CHECK_U64(run(m, 0x0321d950), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G1], 0x87654000);
}

static void conditional_moves_move_where_the_condition_holds(void)
{
	struct machine *m = machine_new();
	/* movle %xcc, 5, %g3: bit 18, cond 2 in [17:14], cc1:0 = 10 in [12:11], simm11 */
	uint32_t movle = 2u << 30 | (unsigned)G3 << 25 | MOVCC << 19 | 1 << 18 | 2 << 14 | 1 << 13 | 2 << 11 | 5;

	m->cpu.ccr = N << 4; /* xcc: N != V, so less */
	CHECK_U64(run(m, movle), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 5);
	m->cpu.r[G3] = 1;
	m->cpu.ccr = (N | V) << 4 | Z; /* xcc: N == V and not Z; icc.Z does not count */
	CHECK_U64(run(m, movle), TRAP_NONE);
	CHECK_HEX(m->cpu.r[G3], 1);
}

static void register_conditions(void)
{
	/* rcond 1 Z, 2 LEZ, 3 LZ, 5 NZ, 6 GZ, 7 GEZ of -1, 0, 1: a bit each */
	static const unsigned rcond[6] = {1, 2, 3, 5, 6, 7};
	static const unsigned holds[6] = {2, 1 | 2, 1, 1 | 4, 4, 2 | 4};

	for (unsigned k = 0; k < 6; k++) {
		for (int v = -1; v <= 1; v++) {
			struct machine *m = machine_new();

			m->cpu.r[G1] = (uint64_t)(int64_t)v;
			m->cpu.r[G2] = 9;
			CHECK_U64(run(m, rrr(2, MOVR, G3, G1, G2) | rcond[k] << 10), TRAP_NONE);
			CHECK_U64(m->cpu.r[G3], holds[k] >> (v + 1) & 1 ? 9 : 0);
		}
	}
}

static const struct tap_test tests[] = {
	{"ADDcc sets N Z V C of both widths", addition_sets_both_codes},
	{"SUBcc borrows into C", subtraction_borrows_into_carry},
	{"the carry of ADDC and SUBC is that of icc", carry_in_is_that_of_icc},
	{"logic clears V and C", logic_clears_v_and_c},
	{"an immediate is sign-extended", immediates_are_sign_extended_operands},
	{"%g0 stays zero, and pc goes on by four", g0_stays_zero},
	{"UMUL and SMUL give 64 bits and Y", products_of_32_bits_fill_64_and_y},
	{"UDIV divides Y:rs1 and saturates", unsigned_division_takes_y_and_saturates},
	{"SDIV divides Y:rs1 and saturates", signed_division_takes_y_and_saturates},
	{"UDIVX and SDIVX divide 64 bits", division_of_64_bits},
	{"division by zero traps and changes nothing", division_by_zero_traps_and_changes_nothing},
	{"tag bits and overflow set icc.V", tags_overflow},
	{"TADDccTV and TSUBccTV trap and change nothing", tagged_tv_traps_and_changes_nothing},
	{"33 MULScc steps multiply", mulscc_steps_multiply},
	{"MULScc shifts N xor V in", mulscc_shifts_n_xor_v_in},
	{"shift counts are modulo the width", shifts_count_modulo_their_width},
	{"POPC counts bits", popc_counts_bits},
	{"SETHI clears the high half", sethi_clears_the_high_half},
	{"MOVcc moves where its condition code has the condition", conditional_moves_move_where_the_condition_holds},
	{"register conditions compare with zero", register_conditions},
};

int main(void)
{
	return tap_main("exec-integer", tests, TAP_COUNT(tests));
}
