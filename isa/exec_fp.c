/*
 * FP operations. The fast path computes on the host, which rounds as FSR.RD says and accrues
 * exceptions (cpu_fp_enter). fp_slow computes
 *
 * - everything while an exception is enabled in FSR.TEM;
 * - results that are NaN, since processors differ in which NaN results;
 * - results equal to the smallest normal number, which SPARC tests for tininess before rounding
 *   and x86 after;
 * - conversions to integer that are out of range.
 *
 * The exceptions of the last operation are computed only when FSR is read: fp_operand keeps the
 * operands.
 */
#include <math.h>

#include "exec.h"
#include "fp_bits.h"
#include "fp_slow.h"

static inline bool traps_enabled(const struct cpu *c)
{
	return unlikely(c->fsr & FSR_TEM);
}

/* Keeps the operands of an operation whose result the host computed. */
static inline void pending(struct cpu *c, const struct insn *i, uint64_t a, uint64_t b)
{
	c->fp_pending = i->opcode;
	c->fp_operand[0] = a;
	c->fp_operand[1] = b;
}

static inline enum cpu_trap finish_d(struct cpu *c, const struct insn *i, uint64_t a, uint64_t b, double result)
{
	uint64_t bits = of_double(result);

	if (unlikely(!plain_d(bits)))
		return fp_slow(c, i);
	pending(c, i, a, b);
	set_d(c, i->rd, bits);
	return TRAP_NONE;
}

static inline enum cpu_trap finish_f(struct cpu *c, const struct insn *i, uint64_t a, uint64_t b, float result)
{
	uint32_t bits = of_float(result);

	if (unlikely(!plain_f(bits)))
		return fp_slow(c, i);
	pending(c, i, a, b);
	set_f(c, i->rd, bits);
	return TRAP_NONE;
}

#define ARITHMETIC(name, operator) \
	X(name##d) \
	{ \
		uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2); \
		if (traps_enabled(c)) \
			return fp_slow(c, i); \
		return finish_d(c, i, a, b, to_double(a) operator to_double(b)); \
	} \
	X(name##s) \
	{ \
		uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2); \
		if (traps_enabled(c)) \
			return fp_slow(c, i); \
		return finish_f(c, i, a, b, to_float(a) operator to_float(b)); \
	}

ARITHMETIC(fadd, +)
ARITHMETIC(fsub, -)
ARITHMETIC(fmul, *)
ARITHMETIC(fdiv, /)

/* The product of two singles fits a double exactly, unless it is a NaN. */
X(fsmuld)
{
	uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2);

	if (traps_enabled(c))
		return fp_slow(c, i);
	return finish_d(c, i, a, b, (double)to_float(a) * (double)to_float(b));
}

X(fsqrtd)
{
	uint64_t b = get_d(c, i->rs2);

	if (traps_enabled(c))
		return fp_slow(c, i);
	return finish_d(c, i, b, b, sqrt(to_double(b)));
}

X(fsqrts)
{
	uint32_t b = get_f(c, i->rs2);

	if (traps_enabled(c))
		return fp_slow(c, i);
	return finish_f(c, i, b, b, sqrtf(to_float(b)));
}

/* ---- conversions ---- */

X(fstod)
{
	uint32_t b = get_f(c, i->rs2);

	if (traps_enabled(c))
		return fp_slow(c, i);
	return finish_d(c, i, b, b, (double)to_float(b));
}

X(fdtos)
{
	uint64_t b = get_d(c, i->rs2);

	if (traps_enabled(c))
		return fp_slow(c, i);
	return finish_f(c, i, b, b, (float)to_double(b));
}

#define FROM_INT(name, type, get, finish, real) \
	X(name) \
	{ \
		type b = (type)get(c, i->rs2); \
		if (traps_enabled(c)) \
			return fp_slow(c, i); \
		return finish(c, i, (uint64_t)b, (uint64_t)b, (real)b); \
	}

FROM_INT(fitos, int32_t, get_f, finish_f, float)
FROM_INT(fitod, int32_t, get_f, finish_d, double)
FROM_INT(fxtos, int64_t, get_d, finish_f, float)
FROM_INT(fxtod, int64_t, get_d, finish_d, double)

/* `above` and `below` are exclusive bounds of the range whose truncation fits. */
#define TO_INT(name, get, to, type, set, above, below) \
	X(name) \
	{ \
		uint64_t b = get(c, i->rs2); \
		double value = to; \
		if (traps_enabled(c) || !(value > (above) && value < (below))) \
			return fp_slow(c, i); \
		pending(c, i, b, b); \
		set(c, i->rd, (u##type)(type)value); \
		return TRAP_NONE; \
	}

#define SINGLE_B (double)to_float((uint32_t)b)
#define DOUBLE_B to_double(b)

TO_INT(fstoi, get_f, SINGLE_B, int32_t, set_f, -2147483649.0, 2147483648.0)
TO_INT(fdtoi, get_d, DOUBLE_B, int32_t, set_f, -2147483649.0, 2147483648.0)
TO_INT(fstox, get_f, SINGLE_B, int64_t, set_d, -9223372036854775808.0, 9223372036854775808.0)
TO_INT(fdtox, get_d, DOUBLE_B, int64_t, set_d, -9223372036854775808.0, 9223372036854775808.0)

/* ---- comparisons ---- */

static inline enum cpu_trap exec_fp_compare(struct cpu *c, const struct insn *i, double a, double b)
{
	unsigned shift = fcc_shift(i->cc);
	uint64_t fcc = a < b ? 1 : a > b ? 2 : 0;

	fp_no_exception(c);
	c->fsr = (c->fsr & ~(3ull << shift)) | fcc << shift;
	return TRAP_NONE;
}

static inline bool is_nan_d(uint64_t bits)
{
	return (bits & ~(1ull << 63)) > 0x7ff0000000000000;
}

static inline bool is_nan_f(uint32_t bits)
{
	return (bits & ~(1u << 31)) > 0x7f800000;
}

/* Both forms are the same without NaNs. */
X(fcmpd)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2);

	if (unlikely(is_nan_d(a) || is_nan_d(b)))
		return fp_slow(c, i);
	return exec_fp_compare(c, i, to_double(a), to_double(b));
}

X(fcmps)
{
	uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2);

	if (unlikely(is_nan_f(a) || is_nan_f(b)))
		return fp_slow(c, i);
	return exec_fp_compare(c, i, (double)to_float(a), (double)to_float(b));
}

X(fcmped)
{
	return x_fcmpd(c, i);
}

X(fcmpes)
{
	return x_fcmps(c, i);
}

/* ---- multiply and add ---- */

/* p = a * b; `unfused` and `fused` are the results with two roundings and with one. */
#define MULTIPLY_ADD_D(name, unfused, fused) \
	X(name) \
	{ \
		uint64_t ra = get_d(c, i->rs1), rb = get_d(c, i->rs2), rc = get_d(c, i->rs3); \
		double a = to_double(ra), b = to_double(rb), s = to_double(rc), p; \
		if (traps_enabled(c)) \
			return fp_slow(c, i); \
		c->fp_operand[2] = rc; \
		if (c->fma_fused) \
			return finish_d(c, i, ra, rb, fused); \
		p = a * b; \
		if (unlikely(!plain_d(of_double(p)))) \
			return fp_slow(c, i); \
		return finish_d(c, i, ra, rb, unfused); \
	}

MULTIPLY_ADD_D(fmaddd, p + s, fma(a, b, s))
MULTIPLY_ADD_D(fmsubd, p - s, fma(a, b, -s))
MULTIPLY_ADD_D(fnmsubd, s - p, fma(-a, b, s))
MULTIPLY_ADD_D(fnmaddd, -p - s, fma(-a, b, -s))

#define MULTIPLY_ADD_S(name, unfused, fused) \
	X(name) \
	{ \
		uint32_t ra = get_f(c, i->rs1), rb = get_f(c, i->rs2), rc = get_f(c, i->rs3); \
		float a = to_float(ra), b = to_float(rb), s = to_float(rc), p; \
		if (traps_enabled(c)) \
			return fp_slow(c, i); \
		c->fp_operand[2] = rc; \
		if (c->fma_fused) \
			return finish_f(c, i, ra, rb, fused); \
		p = a * b; \
		if (unlikely(!plain_f(of_float(p)))) \
			return fp_slow(c, i); \
		return finish_f(c, i, ra, rb, unfused); \
	}

MULTIPLY_ADD_S(fmadds, p + s, fmaf(a, b, s))
MULTIPLY_ADD_S(fmsubs, p - s, fmaf(a, b, -s))
MULTIPLY_ADD_S(fnmsubs, s - p, fmaf(-a, b, s))
MULTIPLY_ADD_S(fnmadds, -p - s, fmaf(-a, b, -s))

/* ---- quads: always by softfp ---- */

#define SLOW(name) \
	X(name) \
	{ \
		return fp_slow(c, i); \
	}

SLOW(faddq)
SLOW(fsubq)
SLOW(fmulq)
SLOW(fdivq)
SLOW(fsqrtq)
SLOW(fdmulq)
SLOW(fqtox)
SLOW(fxtoq)
SLOW(fqtos)
SLOW(fqtod)
SLOW(fitoq)
SLOW(fstoq)
SLOW(fdtoq)
SLOW(fqtoi)
SLOW(fcmpq)
SLOW(fcmpeq)
