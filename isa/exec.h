/* Internal to isa: helpers shared by the semantic functions. */
#ifndef PSIM_ISA_EXEC_H
#define PSIM_ISA_EXEC_H

#include "cpu.h"

#define I(op, mnemonic, pattern, format, class, reads, writes, flags, function) insn_fn x_##function;
#include "sparc_v9.def"
#include "simd.def"
#undef I

/* v_<opcode>: the semantic functions on the array */
#define W(op) insn_fn v_##op;
#include "simd_v9.def"
#undef W

/* the heads of the semantic functions */
#define X(function) enum cpu_trap x_##function(struct cpu *c, const struct insn *i)
#define V(opcode) enum cpu_trap v_##opcode(struct cpu *c, const struct insn *i)

static inline bool likely(bool x)
{
	return __builtin_expect(x, 1);
}
static inline bool unlikely(bool x)
{
	return __builtin_expect(x, 0);
}

/* ---- integer registers ---- */

/* Operand 2: rs2 or the sign-extended immediate. */
static inline uint64_t op2(const struct cpu *c, const struct insn *i)
{
	return i->flags & INSN_IMM ? (uint64_t)(int64_t)i->imm : c->r[i->rs2];
}

static inline void set_r(struct cpu *c, unsigned rd, uint64_t value)
{
	c->r[rd] = value;
	c->r[0] = 0;
}

/* ---- condition codes: N Z V C, xcc in the high half of CCR ---- */

enum { CC_N = 8, CC_Z = 4, CC_V = 2, CC_C = 1 };

/* N and Z of a result, for both widths. */
static inline unsigned ccr_nz(uint64_t r)
{
	return (unsigned)(r >> 63) << 7 | (unsigned)(r == 0) << 6 | (unsigned)(r >> 31 & 1) << 3 |
	       (unsigned)((uint32_t)r == 0) << 2;
}

/* V and C from words whose bits 63 and 31 are the overflow and the carry of each width. */
static inline unsigned ccr_vc(uint64_t overflow, uint64_t carry)
{
	return (unsigned)(overflow >> 63) << 5 | (unsigned)(carry >> 63) << 4 | (unsigned)(overflow >> 31 & 1) << 1 |
	       (unsigned)(carry >> 31 & 1);
}

static inline uint8_t ccr_add(uint64_t a, uint64_t b, uint64_t r)
{
	return (uint8_t)(ccr_nz(r) | ccr_vc((a ^ r) & (b ^ r), (a & b) | ((a | b) & ~r)));
}

static inline uint8_t ccr_sub(uint64_t a, uint64_t b, uint64_t r)
{
	return (uint8_t)(ccr_nz(r) | ccr_vc((a ^ b) & (a ^ r), (~a & b) | ((~a | b) & r)));
}

/*
 * Returns whether an integer condition (cond field) holds for NZVC, the index of a bit of each
 * word. The constants are the truth tables of N, Z, V and C over that index.
 */
static inline bool icc_holds(unsigned cond, unsigned nzvc)
{
	enum { N = 0xff00, Z = 0xf0f0, V = 0xcccc, C = 0xaaaa, L = N ^ V };
	static const uint16_t table[16] = {
		0,
		Z,
		Z | L,
		L,
		C | Z,
		C,
		N,
		V,
		0xffff,
		0xffff ^ Z,
		0xffff ^ (Z | L),
		0xffff ^ L,
		0xffff ^ (C | Z),
		0xffff ^ C,
		0xffff ^ N,
		0xffff ^ V,
	};

	return table[cond] >> nzvc & 1;
}

/* NZVC of icc or xcc; `cc` is as in struct insn (bit 1 selects xcc). */
static inline unsigned ccr_field(const struct cpu *c, unsigned cc)
{
	return c->ccr >> ((cc & 2) << 1) & 15;
}

/* fcc0..3 in FSR: 0 equal, 1 less, 2 greater, 3 unordered. */
static inline unsigned fcc_shift(unsigned n)
{
	return n == 0 ? 10 : 30 + 2 * n;
}

/* Returns whether a condition of FBfcc and the like holds for a relation as in FSR. */
static inline bool fcc_value_holds(unsigned cond, unsigned relation)
{
	enum { E = 1, L = 2, G = 4, U = 8 };
	static const uint8_t table[16] = {
		0, L | G | U, L | G, U | L, L, U | G, G, U, 15, E, U | E, G | E, U | G | E, L | E, U | L | E, L | G | E,
	};

	return table[cond] >> relation & 1;
}

static inline bool fcc_holds(const struct cpu *c, unsigned cond, unsigned n)
{
	return fcc_value_holds(cond, c->fsr >> fcc_shift(n) & 3);
}

/* Register conditions of BPr, MOVr, FMOVr: bit 0 of each row is positive, 1 zero, 2 negative. */
static inline bool rcond_holds(unsigned rcond, uint64_t value)
{
	enum { P = 1, Z = 2, N = 4 };
	static const uint8_t table[8] = {0, Z, Z | N, N, 0, P | N, P, P | Z};

	return table[rcond & 7] >> (value >> 63 ? 2 : value == 0) & 1;
}

/* ---- FP registers ---- */

static inline uint32_t get_f(const struct cpu *c, unsigned n)
{
	return (uint32_t)(c->d[n >> 1] >> (~n & 1) * 32);
}

static inline uint64_t get_d(const struct cpu *c, unsigned n)
{
	return c->d[n >> 1];
}

/* A write sets the dirty bit of its half of the registers, FPRS.DL or DU. cpu.h describes FEF. */
enum { FPRS_DL = 1, FPRS_DU = 2, FPRS_FEF = 4 };

static inline void set_f(struct cpu *c, unsigned n, uint32_t value)
{
	unsigned shift = (~n & 1) * 32;

	c->d[n >> 1] = (c->d[n >> 1] & ~(0xffffffffull << shift)) | (uint64_t)value << shift;
	c->fprs |= FPRS_FEF | FPRS_DL;
}

static inline void set_d(struct cpu *c, unsigned n, uint64_t value)
{
	c->d[n >> 1] = value;
	c->fprs |= (uint8_t)(FPRS_FEF | (n < 32 ? FPRS_DL : FPRS_DU));
}

/* ---- FSR ---- */

#define FSR_CEXC 0x1full
#define FSR_FTT (7ull << 14)
#define FSR_FTT_IEEE (1ull << 14)
#define FSR_TEM (FSR_CEXC << 23)
#define FSR_LOW_WRITABLE 0xcfc00fffull
#define FSR_WRITABLE (0x3full << 32 | FSR_LOW_WRITABLE)
#define GSR_IM (1ull << 27)

/* the exceptions as in TEM, aexc and cexc */
enum { FP_NV = 16, FP_OF = 8, FP_UF = 4, FP_DZ = 2, FP_NX = 1 };

/* The rounding mode: FSR.RD, or GSR.IRND if GSR.IM is set; 0 nearest, 1 zero, 2 up, 3 down. */
static inline unsigned fp_rounding(const struct cpu *c)
{
	return (unsigned)(c->gsr & GSR_IM ? c->gsr >> 25 : c->fsr >> 30) & 3;
}

/* Computes the current exceptions of a pending FP operation into FSR.cexc. */
void fp_settle(struct cpu *c);

/* Sets the host's rounding mode to the guest's, after a change of FSR or GSR. */
void fp_set_host_rounding(const struct cpu *c);

/* Clears current exceptions and trap type, after an FPop that raises nothing. */
static inline void fp_no_exception(struct cpu *c)
{
	c->fp_pending = OP_ILLEGAL;
	c->fsr &= ~(FSR_CEXC | FSR_FTT);
}

#endif
