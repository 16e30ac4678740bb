/*
 * Arithmetic on all PEs: the same operation along a row of registers. The host computes, as in
 * exec_fp.c. If one PE's result needs softfp (NaN, the border of underflow, an integer out of
 * range), softfp recomputes all of them. FSR.TEM has no effect: the PEs accrue exceptions and
 * never trap.
 */
#include <math.h>

#include "exec_array.h"
#include "fp_bits.h"
#include "fp_slow.h"

static enum cpu_trap recompute(struct cpu *c, const struct insn *i)
{
	struct simd_array *a = c->array;
	bool in = fp_slow_single_operands(i->opcode), out = fp_slow_single_result(i->opcode);
	uint64_t *row = simd_row(a, i->rd);
	unsigned flags = 0;

	for (unsigned k = 0; k < a->pes; k++) {
		uint64_t r = fp_slow_value(c, i->opcode, operand(a, i->rs1, k, in), operand(a, i->rs2, k, in),
					   operand(a, i->rs3, k, in), &flags);

		row[k] = out ? with_half(row[k], i->rd, (uint32_t)r) : r;
	}
	c->fsr |= (uint64_t)flags << 5;
	return TRAP_NONE;
}

static inline enum cpu_trap finish_doubles(struct cpu *c, const struct insn *i, const uint64_t *r, uint64_t slow)
{
	if (unlikely(slow >> 63))
		return recompute(c, i);
	memcpy(simd_row(c->array, i->rd), r, c->array->pes * sizeof(*r));
	return TRAP_NONE;
}

static inline enum cpu_trap finish_singles(struct cpu *c, const struct insn *i, const uint32_t *r, uint32_t slow)
{
	uint64_t *row = simd_row(c->array, i->rd);

	if (unlikely(slow >> 31))
		return recompute(c, i);
	for (unsigned k = 0; k < c->array->pes; k++)
		row[k] = with_half(row[k], i->rd, r[k]);
	return TRAP_NONE;
}

/*
 * x, y, z: operands rs1, rs2, rs3 of a PE, unpacked by `in`; `out` packs the result. `check`
 * sets the top bit of `slow` if the result needs softfp; `expression` may set it too.
 */
#define EACH(op, in, result, out, check, finish, expression) EACH_IN(v_##op, in, result, out, check, finish, expression)
#define EACH_IN(function, in, result, out, check, finish, expression) \
	enum cpu_trap function(struct cpu *c, const struct insn *i) \
	{ \
		struct simd_array *a = c->array; \
		const uint64_t *rx = simd_row(a, i->rs1), *ry = simd_row(a, i->rs2); \
		const uint64_t *rz = simd_row(a, i->rs3); \
		result r[SIMD_PES_MAX], slow = 0; \
		for (unsigned k = 0; k < a->pes; k++) { \
			in(x, rx[k], i->rs1)in(y, ry[k], i->rs2)in(z, rz[k], i->rs3)r[k] = out(expression); \
			slow |= check(r[k]); \
		} \
		return finish(c, i, r, slow); \
	}

#define IN_DOUBLE(name, bits, n) \
	double name = to_double(bits); \
	(void)name;
#define IN_SINGLE(name, bits, n) \
	float name = to_float(half(bits, n)); \
	(void)name;
#define IN_BITS(name, bits, n) \
	uint64_t name = (bits); \
	(void)name;
#define IN_HALF(name, bits, n) \
	uint32_t name = half(bits, n); \
	(void)name;
#define ANY(bits) 0

#define DOUBLES(op, expression) EACH(op, IN_DOUBLE, uint64_t, of_double, slow_d, finish_doubles, expression)
#define SINGLES(op, expression) EACH(op, IN_SINGLE, uint32_t, of_float, slow_f, finish_singles, expression)

DOUBLES(FADDD, x + y)
DOUBLES(FSUBD, x - y)
DOUBLES(FMULD, x *y)
SINGLES(FADDS, x + y)
SINGLES(FSUBS, x - y)
SINGLES(FMULS, x *y)
EACH(FSMULD, IN_SINGLE, uint64_t, of_double, slow_d, finish_doubles, (double)x *(double)y)

/* ---- multiply and add: two roundings, or one with fma_fused ---- */

static inline double product_d(double x, double y, uint64_t *slow)
{
	double p = x * y;

	*slow |= slow_d(of_double(p));
	return p;
}

static inline float product_f(float x, float y, uint32_t *slow)
{
	float p = x * y;

	*slow |= slow_f(of_float(p));
	return p;
}

#define P product_d(x, y, &slow)
DOUBLES(FMADDD, c->fma_fused ? fma(x, y, z) : P + z)
DOUBLES(FMSUBD, c->fma_fused ? fma(x, y, -z) : P - z)
DOUBLES(FNMSUBD, c->fma_fused ? fma(-x, y, z) : z - P)
DOUBLES(FNMADDD, c->fma_fused ? fma(-x, y, -z) : -P - z)
#undef P
#define P product_f(x, y, &slow)
SINGLES(FMADDS, c->fma_fused ? fmaf(x, y, z) : P + z)
SINGLES(FMSUBS, c->fma_fused ? fmaf(x, y, -z) : P - z)
SINGLES(FNMSUBS, c->fma_fused ? fmaf(-x, y, z) : z - P)
SINGLES(FNMADDS, c->fma_fused ? fmaf(-x, y, -z) : -P - z)
#undef P

/* ---- division and square root: with a unit for them ---- */

/* The head of an operation that `unit` does: faults if the PEs have none. */
#define WITH(op, unit, compute) \
	V(op) \
	{ \
		NEED_UNIT(c, unit); \
		return compute(c, i); \
	}

#define DIVIDE_D(op, expression) \
	static EACH_IN(compute_##op, IN_DOUBLE, uint64_t, of_double, slow_d, finish_doubles, expression) \
		WITH(op, DIVIDE, compute_##op)
#define DIVIDE_S(op, expression) \
	static EACH_IN(compute_##op, IN_SINGLE, uint32_t, of_float, slow_f, finish_singles, expression) \
		WITH(op, DIVIDE, compute_##op)

DIVIDE_D(FDIVD, x / y)
DIVIDE_S(FDIVS, x / y)
DIVIDE_D(FSQRTD, sqrt(y))
DIVIDE_S(FSQRTS, sqrtf(y))

/* ---- comparison and conditional moves: with a unit for them ---- */

static bool exec_array_nan(uint64_t bits, bool single)
{
	return single ? (bits & 0x7fffffff) > 0x7f800000 : (bits & ~(1ull << 63)) > 0x7ff0000000000000;
}

/* Returns whether a NaN is a signalling one: the first bit of its fraction is clear. */
static bool exec_array_signalling(uint64_t bits, bool single)
{
	return exec_array_nan(bits, single) && !(bits >> (single ? 22 : 51) & 1);
}

/* The relation of a PE's operands, as in FSR; sets *invalid if it raises that exception. */
static unsigned relation(uint64_t a, uint64_t b, bool single, bool signals, bool *invalid)
{
	double x, y;

	if (exec_array_nan(a, single) || exec_array_nan(b, single)) {
		*invalid |= signals || exec_array_signalling(a, single) || exec_array_signalling(b, single);
		return 3;
	}
	x = single ? (double)to_float((uint32_t)a) : to_double(a);
	y = single ? (double)to_float((uint32_t)b) : to_double(b);
	return x < y ? 1 : x > y ? 2 : 0;
}

/* `signals`: a quiet NaN is invalid too (FCMPE). */
static enum cpu_trap compare(struct cpu *c, const struct insn *i, bool single, bool signals)
{
	struct simd_array *a = c->array;
	bool invalid = false;

	NEED_UNIT(c, SELECT);
	for (unsigned k = 0; k < a->pes; k++)
		a->fcc[i->cc][k] = (uint8_t)relation(operand(a, i->rs1, k, single), operand(a, i->rs2, k, single),
						     single, signals, &invalid);
	if (invalid)
		c->fsr |= (uint64_t)FP_NV << 5;
	return TRAP_NONE;
}

static enum cpu_trap move_if(struct cpu *c, const struct insn *i, bool single)
{
	struct simd_array *a = c->array;
	uint64_t *row = simd_row(a, i->rd);

	NEED_UNIT(c, SELECT);
	for (unsigned k = 0; k < a->pes; k++) {
		uint64_t value = operand(a, i->rs2, k, single);

		if (fcc_value_holds(i->cond, a->fcc[i->cc][k]))
			row[k] = single ? with_half(row[k], i->rd, (uint32_t)value) : value;
	}
	return TRAP_NONE;
}

#define SELECT(op, call) \
	V(op) \
	{ \
		return call; \
	}

SELECT(FCMPS, compare(c, i, true, false))
SELECT(FCMPD, compare(c, i, false, false))
SELECT(FCMPES, compare(c, i, true, true))
SELECT(FCMPED, compare(c, i, false, true))
SELECT(FMOVSFCC, move_if(c, i, true))
SELECT(FMOVDFCC, move_if(c, i, false))

/* ---- conversions ---- */

EACH(FSTOD, IN_SINGLE, uint64_t, of_double, slow_d, finish_doubles, (double)y)
EACH(FDTOS, IN_DOUBLE, uint32_t, of_float, slow_f, finish_singles, (float)y)
EACH(FXTOD, IN_BITS, uint64_t, of_double, slow_d, finish_doubles, (double)(int64_t)y)
EACH(FXTOS, IN_BITS, uint32_t, of_float, slow_f, finish_singles, (float)(int64_t)y)
EACH(FITOD, IN_HALF, uint64_t, of_double, slow_d, finish_doubles, (double)(int32_t)y)
EACH(FITOS, IN_HALF, uint32_t, of_float, slow_f, finish_singles, (float)(int32_t)y)

/* Truncates if the result fits (bounds as in exec_fp.c); else clears *fits and returns any value. */
static inline int64_t exec_array_truncated(double v, double below, double above, bool *fits)
{
	*fits = v > below && v < above;
	return *fits ? (int64_t)v : 0;
}

static inline uint32_t to_int32(double v, uint32_t *slow)
{
	bool fits;
	int64_t i = exec_array_truncated(v, -2147483649.0, 2147483648.0, &fits);

	*slow |= (uint32_t)!fits << 31;
	return (uint32_t)i;
}

static inline uint64_t to_int64(double v, uint64_t *slow)
{
	bool fits;
	int64_t i = exec_array_truncated(v, -9223372036854775808.0, 9223372036854775808.0, &fits);

	*slow |= (uint64_t)!fits << 63;
	return (uint64_t)i;
}

EACH(FSTOI, IN_SINGLE, uint32_t, , ANY, finish_singles, to_int32((double)y, &slow))
EACH(FDTOI, IN_DOUBLE, uint32_t, , ANY, finish_singles, to_int32(y, &slow))
EACH(FSTOX, IN_SINGLE, uint64_t, , ANY, finish_doubles, to_int64((double)y, &slow))
EACH(FDTOX, IN_DOUBLE, uint64_t, , ANY, finish_doubles, to_int64(y, &slow))

/* ---- moves: bits ---- */

#define SIGN_D (1ull << 63)
#define SIGN_F (1u << 31)
#define MOVE_D(op, expression) EACH(op, IN_BITS, uint64_t, , ANY, finish_doubles, expression)
#define MOVE_S(op, expression) EACH(op, IN_HALF, uint32_t, , ANY, finish_singles, expression)

MOVE_D(FMOVD, y)
MOVE_S(FMOVS, y)
MOVE_D(FNEGD, y ^ SIGN_D)
MOVE_S(FNEGS, y ^ SIGN_F)
MOVE_D(FABSD, y & ~SIGN_D)
MOVE_S(FABSS, y & ~SIGN_F)
MOVE_D(FSRC1D, x)
MOVE_S(FSRC1S, x)
MOVE_D(FSRC2D, y)
MOVE_S(FSRC2S, y)
MOVE_D(FZEROD, 0)
MOVE_S(FZEROS, 0)
MOVE_D(FONED, ~0ull)
MOVE_S(FONES, ~0u)

/* ---- across a pair ---- */

/*
 * For a pair k, k + 1: whose rs1 and rs2 each PE uses, and the operation with its own rs3.
 * docs/models/simd-isa.md shows the uses.
 */
struct cross {
	uint8_t rs1[2], rs2[2]; /* for the even and the odd PE: 0 the even one's, 1 the odd one's */
	uint16_t op[2];
};

static double cross_value(const struct cpu *c, enum opcode op, double x, double y, double z, uint64_t *slow)
{
	double p;

	if (c->fma_fused) {
		p = fma(op == OP_FNMSUBD ? -x : x, y, op == OP_FMSUBD ? -z : z);
	} else {
		p = product_d(x, y, slow);
		p = op == OP_FMADDD ? p + z : op == OP_FMSUBD ? p - z : z - p;
	}
	*slow |= slow_d(of_double(p));
	return p;
}

static enum cpu_trap execute_cross(struct cpu *c, const struct insn *i, const struct cross *t)
{
	struct simd_array *a = c->array;
	const uint64_t *x = simd_row(a, i->rs1), *y = simd_row(a, i->rs2), *z = simd_row(a, i->rs3);
	uint64_t r[SIMD_PES_MAX];
	unsigned flags = 0;

	if (a->pes % 2)
		return simd_trap(c, SIMD_FAULT_ODD_PES, a->pes);
	for (unsigned k = 0; k < a->pes; k++) {
		unsigned odd = k & 1, even = k & ~1u;
		uint64_t u = x[even + t->rs1[odd]], v = y[even + t->rs2[odd]];
		uint64_t slow = 0;

		r[k] = of_double(cross_value(c, t->op[odd], to_double(u), to_double(v), to_double(z[k]), &slow));
		if (unlikely(slow >> 63))
			r[k] = fp_slow_value(c, t->op[odd], u, v, z[k], &flags);
	}
	c->fsr |= (uint64_t)flags << 5;
	memcpy(simd_row(a, i->rd), r, a->pes * sizeof(*r));
	return TRAP_NONE;
}

#define CROSS(name, ...) \
	X(name) \
	{ \
		static const struct cross t = __VA_ARGS__; \
		return execute_cross(c, i, &t); \
	}

CROSS(fxmaddd, {.rs1 = {0, 1}, .rs2 = {0, 0}, .op = {OP_FMADDD, OP_FMADDD}})
CROSS(fxmsubd, {.rs1 = {0, 1}, .rs2 = {0, 0}, .op = {OP_FMSUBD, OP_FMSUBD}})
CROSS(fxcmaddd, {.rs1 = {1, 0}, .rs2 = {1, 1}, .op = {OP_FNMSUBD, OP_FMADDD}})
CROSS(fxjmaddd, {.rs1 = {1, 0}, .rs2 = {1, 1}, .op = {OP_FMADDD, OP_FNMSUBD}})
