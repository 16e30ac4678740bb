/* Integer arithmetic, logic, shifts, conditional moves. SPARC V9 manual, appendix A. */
#include "exec.h"

/* rd = an expression of a (rs1) and b (operand 2) */
#define SIMPLE(name, expression) \
	X(name) \
	{ \
		uint64_t a = c->r[i->rs1], b = op2(c, i); \
		set_r(c, i->rd, (expression)); \
		return TRAP_NONE; \
	}

/* A logical operation, and its cc form, which sets N and Z by the result, and V = C = 0. */
#define LOGIC(name, expression) \
	SIMPLE(name, expression) \
	X(name##cc) \
	{ \
		uint64_t a = c->r[i->rs1], b = op2(c, i), r = (expression); \
		set_r(c, i->rd, r); \
		c->ccr = (uint8_t)ccr_nz(r); \
		return TRAP_NONE; \
	}

LOGIC(and, a &b)
LOGIC(or, a | b)
LOGIC(xor, a ^ b)
LOGIC(andn, a & ~b)
LOGIC(orn, a | ~b)
LOGIC(xnor, ~(a ^ b))

SIMPLE(add, a + b)
SIMPLE(sub, a - b)
SIMPLE(addc, a + b + (c->ccr & CC_C))
SIMPLE(subc, a - b - (c->ccr & CC_C))
SIMPLE(mulx, a *b)

SIMPLE(sll, a << (b & 31))
SIMPLE(sllx, a << (b & 63))
SIMPLE(srl, (uint32_t)a >> (b & 31))
SIMPLE(srlx, a >> (b & 63))
SIMPLE(sra, (uint64_t)(int64_t)((int32_t)a >> (b & 31)))
SIMPLE(srax, (uint64_t)((int64_t)a >> (b & 63)))

/* Additions and subtractions that set both condition codes. */
#define ADD_CC(name, expression, flags) \
	X(name) \
	{ \
		uint64_t a = c->r[i->rs1], b = op2(c, i), r = (expression); \
		set_r(c, i->rd, r); \
		c->ccr = flags(a, b, r); \
		return TRAP_NONE; \
	}

ADD_CC(addcc, a + b, ccr_add)
ADD_CC(subcc, a - b, ccr_sub)
ADD_CC(addccc, a + b + (c->ccr & CC_C), ccr_add)
ADD_CC(subccc, a - b - (c->ccr & CC_C), ccr_sub)

/* Tagged arithmetic also sets icc.V if the low two bits of an operand are not zero. */
static inline uint8_t tagged(uint64_t a, uint64_t b, uint8_t ccr)
{
	return (a | b) & 3 ? ccr | CC_V : ccr;
}

#define TAGGED(name, operator, flags) \
	X(name) \
	{ \
		uint64_t a = c->r[i->rs1], b = op2(c, i), r = a operator b; \
		set_r(c, i->rd, r); \
		c->ccr = tagged(a, b, flags(a, b, r)); \
		return TRAP_NONE; \
	} \
	X(name##tv) \
	{ \
		uint64_t a = c->r[i->rs1], b = op2(c, i), r = a operator b; \
		uint8_t ccr = tagged(a, b, flags(a, b, r)); \
		if (ccr & CC_V) \
			return TRAP_TAG_OVERFLOW; \
		set_r(c, i->rd, r); \
		c->ccr = ccr; \
		return TRAP_NONE; \
	}

TAGGED(taddcc, +, ccr_add)
TAGGED(tsubcc, -, ccr_sub)

/*
 * One step of a 32-bit multiplication. The manual leaves the high half of rd and xcc undefined;
 * here they are those of the 33-bit sum, as in QEMU.
 */
X(mulscc)
{
	uint64_t rs1 = c->r[i->rs1];
	unsigned n_xor_v = (c->ccr >> 3 ^ c->ccr >> 1) & 1;
	uint64_t a = (uint64_t)n_xor_v << 31 | (uint32_t)rs1 >> 1;
	uint64_t b = c->y & 1 ? (uint32_t)op2(c, i) : 0;
	uint64_t r = a + b;

	c->y = (uint32_t)(rs1 & 1) << 31 | c->y >> 1;
	set_r(c, i->rd, r);
	c->ccr = ccr_add(a, b, r);
	return TRAP_NONE;
}

/* 32 x 32 to 64 bits; Y gets the high half. The cc forms set N and Z, V = C = 0. */
static inline uint64_t exec_int_multiply(struct cpu *c, const struct insn *i, uint64_t product)
{
	c->y = (uint32_t)(product >> 32);
	set_r(c, i->rd, product);
	return product;
}

static inline uint64_t unsigned_product(const struct cpu *c, const struct insn *i)
{
	return (uint64_t)(uint32_t)c->r[i->rs1] * (uint32_t)op2(c, i);
}

static inline uint64_t signed_product(const struct cpu *c, const struct insn *i)
{
	return (uint64_t)((int64_t)(int32_t)c->r[i->rs1] * (int32_t)op2(c, i));
}

X(umul)
{
	exec_int_multiply(c, i, unsigned_product(c, i));
	return TRAP_NONE;
}

X(smul)
{
	exec_int_multiply(c, i, signed_product(c, i));
	return TRAP_NONE;
}

X(umulcc)
{
	c->ccr = (uint8_t)ccr_nz(exec_int_multiply(c, i, unsigned_product(c, i)));
	return TRAP_NONE;
}

X(smulcc)
{
	c->ccr = (uint8_t)ccr_nz(exec_int_multiply(c, i, signed_product(c, i)));
	return TRAP_NONE;
}

/* Divides Y:rs1 by 32 bits. A quotient that does not fit saturates, and the cc forms set icc.V. */
static bool divide_unsigned(const struct cpu *c, const struct insn *i, uint64_t *quotient, bool *overflow)
{
	uint64_t dividend = (uint64_t)c->y << 32 | (uint32_t)c->r[i->rs1];
	uint32_t divisor = (uint32_t)op2(c, i);

	if (divisor == 0)
		return false;
	*quotient = dividend / divisor;
	*overflow = *quotient > UINT32_MAX;
	if (*overflow)
		*quotient = UINT32_MAX;
	return true;
}

static bool divide_signed(const struct cpu *c, const struct insn *i, uint64_t *quotient, bool *overflow)
{
	int64_t dividend = (int64_t)((uint64_t)c->y << 32 | (uint32_t)c->r[i->rs1]);
	int32_t divisor = (int32_t)op2(c, i);
	int64_t q;

	if (divisor == 0)
		return false;
	if (divisor == -1) /* INT64_MIN / -1 is 2^63 */
		q = dividend == INT64_MIN ? INT64_MAX : -dividend;
	else
		q = dividend / divisor;
	*overflow = q > INT32_MAX || q < INT32_MIN;
	if (*overflow)
		q = q > 0 ? INT32_MAX : INT32_MIN;
	*quotient = (uint64_t)q;
	return true;
}

#define DIVIDE(name, divide) \
	X(name) \
	{ \
		uint64_t q; \
		bool overflow; \
		if (!divide(c, i, &q, &overflow)) \
			return TRAP_DIVISION_BY_ZERO; \
		set_r(c, i->rd, q); \
		return TRAP_NONE; \
	} \
	X(name##cc) \
	{ \
		uint64_t q; \
		bool overflow; \
		if (!divide(c, i, &q, &overflow)) \
			return TRAP_DIVISION_BY_ZERO; \
		set_r(c, i->rd, q); \
		c->ccr = (uint8_t)(ccr_nz(q) | (overflow ? CC_V : 0)); \
		return TRAP_NONE; \
	}

DIVIDE(udiv, divide_unsigned)
DIVIDE(sdiv, divide_signed)

X(udivx)
{
	uint64_t b = op2(c, i);

	if (b == 0)
		return TRAP_DIVISION_BY_ZERO;
	set_r(c, i->rd, c->r[i->rs1] / b);
	return TRAP_NONE;
}

X(sdivx)
{
	int64_t a = (int64_t)c->r[i->rs1], b = (int64_t)op2(c, i);

	if (b == 0)
		return TRAP_DIVISION_BY_ZERO;
	/* -2^63 / -1 is -2^63 (appendix A.10) */
	set_r(c, i->rd, b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b));
	return TRAP_NONE;
}

X(popc)
{
	uint64_t b = op2(c, i);
	unsigned n = 0;

	for (; b; b &= b - 1)
		n++;
	set_r(c, i->rd, n);
	return TRAP_NONE;
}

X(sethi)
{
	set_r(c, i->rd, (uint32_t)i->imm);
	return TRAP_NONE;
}

X(movicc)
{
	if (icc_holds(i->cond, ccr_field(c, i->cc)))
		set_r(c, i->rd, op2(c, i));
	return TRAP_NONE;
}

X(movfcc)
{
	if (fcc_holds(c, i->cond, i->cc))
		set_r(c, i->rd, op2(c, i));
	return TRAP_NONE;
}

X(movr)
{
	if (rcond_holds(i->cond, c->r[i->rs1]))
		set_r(c, i->rd, op2(c, i));
	return TRAP_NONE;
}
