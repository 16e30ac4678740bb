/*
 * Operations on all PEs beside those of V9: integers in their registers (VIS and later), and pairs of singles.
 * Each needs its unit (simd_unit.def). The host computes, as in exec_array.c.
 */
#include <math.h>

#include "exec_array.h"
#include "fp_bits.h"
#include "fp_slow.h"

/* ---- integers: doubles as bits, x and y of rs1 and rs2 ---- */

#define EACH_INTEGER(head, in, out, expression) \
	head \
	{ \
		struct simd_array *a = c->array; \
		const uint64_t *rx = simd_row(a, i->rs1), *ry = simd_row(a, i->rs2); \
		uint64_t *row = simd_row(a, i->rd); \
		NEED_UNIT(c, INTEGER); \
		for (unsigned k = 0; k < a->pes; k++) { \
			uint64_t x = in(rx[k], i->rs1), y = in(ry[k], i->rs2); \
			(void)x, (void)y; \
			row[k] = out(row[k], i->rd, expression); \
		} \
		return TRAP_NONE; \
	}
/* Operands and results: of double registers, and of single ones. */
#define IN_WHOLE(bits, n) (bits)
#define OUT_WHOLE(before, n, value) (value)
#define OUT_HALF(before, n, value) with_half(before, n, (uint32_t)(value))
#define INTEGER(head, expression) EACH_INTEGER(head, IN_WHOLE, OUT_WHOLE, expression)
#define INTEGER_HALF(op, expression) EACH_INTEGER(V(op), half, OUT_HALF, expression)
#define LOGIC(op, expression) \
	INTEGER(V(op##D), expression) \
	INTEGER_HALF(op##S, expression)

LOGIC(FNOR, ~(x | y))
LOGIC(FANDNOT2, x & ~y)
LOGIC(FNOT2, ~y)
LOGIC(FANDNOT1, ~x &y)
LOGIC(FNOT1, ~x)
LOGIC(FXOR, x ^ y)
LOGIC(FNAND, ~(x &y))
LOGIC(FAND, x &y)
LOGIC(FXNOR, ~(x ^ y))
LOGIC(FORNOT2, x | ~y)
LOGIC(FORNOT1, ~x | y)
LOGIC(FOR, x | y)

/* Adds the parts of `bits` bits, which is 16 or 32, without a carry between them. */
static inline uint64_t add_parts(uint64_t x, uint64_t y, unsigned bits)
{
	uint64_t top = bits == 16 ? 0x8000800080008000 : 0x8000000080000000;

	return ((x & ~top) + (y & ~top)) ^ ((x ^ y) & top);
}

static inline uint64_t subtract_parts(uint64_t x, uint64_t y, unsigned bits)
{
	uint64_t top = bits == 16 ? 0x8000800080008000 : 0x8000000080000000;

	return ((x | top) - (y & ~top)) ^ (~(x ^ y) & top);
}

INTEGER(V(FPADD16), add_parts(x, y, 16))
INTEGER(V(FPADD32), add_parts(x, y, 32))
INTEGER(V(FPSUB16), subtract_parts(x, y, 16))
INTEGER(V(FPSUB32), subtract_parts(x, y, 32))
INTEGER_HALF(FPADD16S, add_parts(x, y, 16))
INTEGER_HALF(FPADD32S, add_parts(x, y, 32))
INTEGER_HALF(FPSUB16S, subtract_parts(x, y, 16))
INTEGER_HALF(FPSUB32S, subtract_parts(x, y, 32))
INTEGER(X(fpadd64), x + y)
INTEGER(X(fpsub64), x - y)

/* Shifts both halves, each by the low five bits of its own count, as VIS 3 does. */
enum shift { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_SIGN };

static inline uint32_t shift_half(uint32_t x, uint32_t count, enum shift how)
{
	count &= 31;
	return how == SHIFT_LEFT ? x << count : how == SHIFT_RIGHT ? x >> count : (uint32_t)((int32_t)x >> count);
}

static inline uint64_t shift_halves(uint64_t x, uint64_t y, enum shift how)
{
	return (uint64_t)shift_half((uint32_t)(x >> 32), (uint32_t)(y >> 32), how) << 32 |
	       shift_half((uint32_t)x, (uint32_t)y, how);
}

INTEGER(X(fsll32), shift_halves(x, y, SHIFT_LEFT))
INTEGER(X(fsrl32), shift_halves(x, y, SHIFT_RIGHT))
INTEGER(X(fsra32), shift_halves(x, y, SHIFT_SIGN))
INTEGER(X(fpsll64x), x << (y & 63))
INTEGER(X(fpsrl64x), x >> (y & 63))
INTEGER(X(fpsra64x), (uint64_t)((int64_t)x >> (y & 63)))
INTEGER(X(fpmaddx), x *y + simd_row(a, i->rs3)[k])

X(pecmpx)
{
	struct simd_array *a = c->array;
	const uint64_t *rx = simd_row(a, i->rs1), *ry = simd_row(a, i->rs2);

	NEED_UNIT(c, INTEGER);
	for (unsigned k = 0; k < a->pes; k++) {
		int64_t x = (int64_t)rx[k], y = (int64_t)ry[k];

		a->fcc[i->cc][k] = x < y ? 1 : x > y ? 2 : 0;
	}
	return TRAP_NONE;
}

/* ---- pairs of singles ---- */

/* One of the singles: x op y, or with z; *flags get the exceptions of softfp, as the host has its own. */
static uint32_t single_value(const struct cpu *c, enum opcode op, uint32_t x, uint32_t y, uint32_t z, unsigned *flags)
{
	float u = to_float(x), v = to_float(y), w = to_float(z), r;
	bool plain = true;

	if (op == OP_FADDS) {
		r = u + v;
	} else if (op == OP_FSUBS) {
		r = u - v;
	} else if (op == OP_FMULS) {
		r = u * v;
	} else if (c->fma_fused) {
		r = fmaf(op == OP_FNMSUBS ? -u : u, v, w);
	} else {
		r = u * v;
		plain = plain_f(of_float(r));
		r = op == OP_FMADDS ? r + w : w - r;
	}
	if (likely(plain && plain_f(of_float(r))))
		return of_float(r);
	return (uint32_t)fp_slow_value(c, op, x, y, z, flags);
}

static enum cpu_trap pair(struct cpu *c, const struct insn *i, enum opcode op)
{
	struct simd_array *a = c->array;
	const uint64_t *x = simd_row(a, i->rs1), *y = simd_row(a, i->rs2), *z = simd_row(a, i->rs3);
	uint64_t *row = simd_row(a, i->rd);
	unsigned flags = 0;

	NEED_UNIT(c, SINGLE);
	for (unsigned k = 0; k < a->pes; k++) {
		uint32_t high = single_value(c, op, (uint32_t)(x[k] >> 32), (uint32_t)(y[k] >> 32),
					     (uint32_t)(z[k] >> 32), &flags);
		uint32_t low = single_value(c, op, (uint32_t)x[k], (uint32_t)y[k], (uint32_t)z[k], &flags);

		row[k] = (uint64_t)high << 32 | low;
	}
	c->fsr |= (uint64_t)flags << 5;
	return TRAP_NONE;
}

#define PAIR(name, op) \
	X(name) \
	{ \
		return pair(c, i, OP_##op); \
	}

PAIR(fadd2s, FADDS)
PAIR(fsub2s, FSUBS)
PAIR(fmul2s, FMULS)
PAIR(fmadd2s, FMADDS)
PAIR(fnmsub2s, FNMSUBS)
