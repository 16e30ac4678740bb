/* Unpacks operands, computes on 128-bit significands with a sticky lowest bit, rounds, packs. */
#include "softfp.h"

#include "exec.h"

/* ---- unpacked numbers ---- */

enum kind { ZERO, NUMBER, INFINITE, QUIET, SIGNALLING };

/*
 * NUMBER: significand * 2^(exponent - 127), bit 127 of the significand set. A NaN's significand
 * is its fraction with the quiet bit at bit 126. The lowest bit of an intermediate result may
 * represent any bits below it ("sticky").
 */
struct number {
	enum kind kind;
	bool negative;
	int32_t exponent;
	u128 significand;
};

struct layout {
	int fraction_bits, exponent_bits, bias;
};

static const struct layout layouts[] = {
	[SF_SINGLE] = {23, 8, 127},
	[SF_DOUBLE] = {52, 11, 1023},
	[SF_QUAD] = {112, 15, 16383},
};

#define TOP_BIT ((u128)1 << 127)
#define QUIET_BIT ((u128)1 << 126)

static int leading_zeros(u128 v)
{
	uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;

	return high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
}

/* v >> n; the bits shifted out are kept as a sticky lowest bit. */
static u128 shift_right_sticky(u128 v, int n)
{
	if (n == 0)
		return v;
	if (n > 127)
		return v != 0;
	return v >> n | ((v << (128 - n)) != 0);
}

static struct number normalised(bool negative, int32_t exponent, u128 significand)
{
	int zeros;

	if (significand == 0)
		return (struct number){.kind = ZERO, .negative = negative};
	zeros = leading_zeros(significand);
	return (struct number){NUMBER, negative, exponent - zeros, significand << zeros};
}

static struct number unpack(u128 bits, enum sf_format format)
{
	const struct layout *l = &layouts[format];
	int max = (1 << l->exponent_bits) - 1;
	int exponent = (int)(bits >> l->fraction_bits) & max;
	bool negative = bits >> (l->fraction_bits + l->exponent_bits) & 1;
	u128 fraction = bits << (128 - l->fraction_bits) >> 1; /* the point is right of bit 127 */

	if (exponent == max) {
		enum kind nan = fraction & QUIET_BIT ? QUIET : SIGNALLING;

		return (struct number){fraction ? nan : INFINITE, negative, 0, fraction};
	}
	if (exponent == 0)
		return normalised(negative, 1 - l->bias, fraction);
	return (struct number){NUMBER, negative, exponent - l->bias, fraction | TOP_BIT};
}

static struct number unpack_integer(u128 bits, enum sf_format format)
{
	int64_t v = format == SF_INT32 ? (int32_t)(uint32_t)bits : (int64_t)(uint64_t)bits;

	return normalised(v < 0, 127, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* ---- rounding ---- */

/* Returns whether a magnitude is rounded up; `rest` is the part cut off, `half` half a unit. */
static bool rounds_up(bool negative, bool odd, u128 rest, u128 half, unsigned rounding)
{
	switch (rounding) {
	case 0: return rest > half || (rest == half && odd);
	case 1: return false;
	case 2: return rest && !negative;
	default: return rest && negative;
	}
}

/* Rounds away the low `shift` bits (1 to 255) of `significand`; sets *inexact if any was set. */
static u128 round_off(u128 significand, int shift, bool negative, unsigned rounding, bool *inexact)
{
	u128 kept, rest, half;

	if (shift > 128) {
		significand = shift_right_sticky(significand, shift < 254 ? shift - 128 : 126);
		shift = 128;
	}
	if (shift == 128) {
		kept = 0;
		rest = significand;
	} else {
		kept = significand >> shift;
		rest = significand & (((u128)1 << shift) - 1);
	}
	half = (u128)1 << (shift - 1);
	*inexact = rest != 0;
	return kept + rounds_up(negative, kept & 1, rest, half, rounding);
}

static u128 sign_bit(bool negative, const struct layout *l)
{
	return (u128)negative << (l->fraction_bits + l->exponent_bits);
}

static u128 infinity_bits(const struct layout *l)
{
	return (((u128)1 << l->exponent_bits) - 1) << l->fraction_bits;
}

static u128 overflowed(bool negative, const struct layout *l, struct sf_env *env)
{
	bool away = env->rounding == 0 || env->rounding == (negative ? 3 : 2);

	env->flags |= FP_OF | FP_NX;
	return sign_bit(negative, l) | (infinity_bits(l) - !away);
}

static u128 pack_number(const struct number *n, const struct layout *l, struct sf_env *env)
{
	int minimum = 1 - l->bias, shift = 127 - l->fraction_bits;
	bool tiny = n->exponent < minimum, inexact;
	u128 bits;

	if (n->exponent > l->bias)
		return overflowed(n->negative, l, env);
	if (tiny)
		shift += minimum - n->exponent < 128 ? minimum - n->exponent : 128;
	bits = round_off(n->significand, shift, n->negative, env->rounding, &inexact);
	if (!tiny) /* the leading one adds to the exponent field, and so does a carry */
		bits += (u128)(n->exponent + l->bias - 1) << l->fraction_bits;
	if (bits >= infinity_bits(l))
		return overflowed(n->negative, l, env);
	if (tiny && (inexact || (env->tem & FP_UF)))
		env->flags |= FP_UF;
	if (inexact)
		env->flags |= FP_NX;
	return bits | sign_bit(n->negative, l);
}

/* A NaN keeps its sign and the high bits of its fraction and becomes quiet. */
static u128 softfp_pack(const struct number *n, enum sf_format format, struct sf_env *env)
{
	const struct layout *l = &layouts[format];

	switch (n->kind) {
	case ZERO: return sign_bit(n->negative, l);
	case INFINITE: return sign_bit(n->negative, l) | infinity_bits(l);
	case NUMBER: return pack_number(n, l, env);
	case QUIET:
	case SIGNALLING: break;
	}
	return sign_bit(n->negative, l) | infinity_bits(l) | (n->significand | QUIET_BIT) >> (127 - l->fraction_bits);
}

/* Rounds towards zero; out of range gives the nearest integer and NV (B.5: a NaN by its sign). */
static u128 pack_integer(const struct number *n, enum sf_format format, struct sf_env *env)
{
	int bits = format == SF_INT32 ? 32 : 64;
	uint64_t mask = format == SF_INT32 ? UINT32_MAX : UINT64_MAX;
	uint64_t limit = (mask >> 1) + n->negative, magnitude = 0;
	bool fits = n->kind <= NUMBER, inexact = false;

	if (n->kind == NUMBER && n->exponent >= bits)
		fits = false;
	else if (n->kind == NUMBER && n->exponent < 0)
		inexact = true;
	else if (n->kind == NUMBER)
		magnitude = (uint64_t)round_off(n->significand, 127 - n->exponent, false, 1, &inexact);
	if (!fits || magnitude > limit) {
		env->flags |= FP_NV;
		magnitude = limit;
	} else if (inexact) {
		env->flags |= FP_NX;
	}
	return (n->negative ? 0 - magnitude : magnitude) & mask;
}

/* ---- NaNs (table in B.2.2) ---- */

static bool is_nan(const struct number *n)
{
	return n->kind >= QUIET;
}

/* The generated NaN: sign 0, every fraction bit set. */
static struct number invalid(struct sf_env *env)
{
	env->flags |= FP_NV;
	return (struct number){QUIET, false, 0, TOP_BIT - 1};
}

/* Chooses the NaN among two operands: signalling before quiet, rs2 before rs1. */
static struct number choose_nan(const struct number *rs1, const struct number *rs2, struct sf_env *env)
{
	if (rs1->kind == SIGNALLING || rs2->kind == SIGNALLING)
		env->flags |= FP_NV;
	if (rs2->kind == SIGNALLING)
		return *rs2;
	if (rs1->kind == SIGNALLING)
		return *rs1;
	return is_nan(rs2) ? *rs2 : *rs1;
}

/* ---- arithmetic on unpacked numbers ---- */

static bool magnitude_less(const struct number *a, const struct number *b)
{
	return a->exponent != b->exponent ? a->exponent < b->exponent : a->significand < b->significand;
}

/* Both are NUMBER. One bit of headroom at the top, so the lowest becomes sticky. */
static struct number add_numbers(struct number a, struct number b, unsigned rounding)
{
	u128 x, y;
	int distance;

	if (magnitude_less(&a, &b)) {
		struct number t = a;

		a = b;
		b = t;
	}
	distance = a.exponent - b.exponent;
	x = shift_right_sticky(a.significand, 1);
	y = shift_right_sticky(b.significand, distance < 127 ? distance + 1 : 128);
	if (a.negative == b.negative)
		return normalised(a.negative, a.exponent + 1, x + y);
	if (x == y) /* x - x is +0, or -0 when rounding down */
		return (struct number){.kind = ZERO, .negative = rounding == 3};
	return normalised(a.negative, a.exponent + 1, x - y);
}

static struct number softfp_add(struct number a, struct number b, struct sf_env *env)
{
	if (is_nan(&a) || is_nan(&b))
		return choose_nan(&a, &b, env);
	if (a.kind == INFINITE || b.kind == INFINITE) {
		if (a.kind == b.kind && a.negative != b.negative)
			return invalid(env);
		return a.kind == INFINITE ? a : b;
	}
	if (a.kind == ZERO && b.kind == ZERO) {
		if (a.negative != b.negative)
			a.negative = env->rounding == 3;
		return a;
	}
	if (a.kind == ZERO)
		return b;
	if (b.kind == ZERO)
		return a;
	return add_numbers(a, b, env->rounding);
}

/* rs1 - rs2; a NaN keeps its own sign. */
static struct number subtract(struct number a, struct number b, struct sf_env *env)
{
	if (!is_nan(&b))
		b.negative = !b.negative;
	return softfp_add(a, b, env);
}

/* The high 128 bits of the product; the low ones are sticky. */
static u128 softfp_multiply_high(u128 a, u128 b)
{
	uint64_t a1 = (uint64_t)(a >> 64), a0 = (uint64_t)a;
	uint64_t b1 = (uint64_t)(b >> 64), b0 = (uint64_t)b;
	u128 low = (u128)a0 * b0, middle = (u128)a1 * b0, other = (u128)a0 * b1;
	u128 carry = (low >> 64) + (uint64_t)middle + (uint64_t)other;
	u128 high = (u128)a1 * b1 + (middle >> 64) + (other >> 64) + (carry >> 64);

	return high | ((uint64_t)carry || (uint64_t)low);
}

static struct number softfp_multiply(struct number a, struct number b, struct sf_env *env)
{
	bool negative = a.negative != b.negative;

	if (is_nan(&a) || is_nan(&b))
		return choose_nan(&a, &b, env);
	if (a.kind == INFINITE || b.kind == INFINITE) {
		if (a.kind == ZERO || b.kind == ZERO)
			return invalid(env);
		return (struct number){.kind = INFINITE, .negative = negative};
	}
	if (a.kind == ZERO || b.kind == ZERO)
		return (struct number){.kind = ZERO, .negative = negative};
	return normalised(negative, a.exponent + b.exponent + 1, softfp_multiply_high(a.significand, b.significand));
}

/* Both with bit 127 set: 127 or 126 bits of the quotient and sticky, the point right of bit 126. */
static u128 divide_significands(u128 a, u128 b)
{
	u128 rest = a, quotient = 0;
	bool carry = false;

	for (int k = 0; k < 127; k++) {
		bool fits = carry || rest >= b;

		quotient = quotient << 1 | fits;
		if (fits)
			rest -= b;
		carry = rest >> 127;
		rest <<= 1;
	}
	return quotient << 1 | (carry || rest != 0);
}

static struct number softfp_divide(struct number a, struct number b, struct sf_env *env)
{
	bool negative = a.negative != b.negative;

	if (is_nan(&a) || is_nan(&b))
		return choose_nan(&a, &b, env);
	if (a.kind == b.kind && a.kind != NUMBER) /* 0 / 0, infinity / infinity */
		return invalid(env);
	if (a.kind == INFINITE || b.kind == ZERO) {
		if (a.kind == NUMBER)
			env->flags |= FP_DZ;
		return (struct number){.kind = INFINITE, .negative = negative};
	}
	if (a.kind == ZERO || b.kind == INFINITE)
		return (struct number){.kind = ZERO, .negative = negative};
	return normalised(negative, a.exponent - b.exponent, divide_significands(a.significand, b.significand));
}

/*
 * Root of a radicand in [1, 4) with the point right of bit 126: 120 bits and sticky, two bits
 * of the radicand per step. The point of the root is right of bit 120.
 */
static u128 root_significand(u128 radicand)
{
	u128 root = 0, rest = 0;

	for (int k = 0; k < 120; k++) {
		u128 trial;

		rest = rest << 2 | radicand >> 126;
		radicand <<= 2;
		trial = root << 2 | 1;
		root <<= 1;
		if (rest >= trial) {
			rest -= trial;
			root |= 1;
		}
	}
	return root << 1 | (rest != 0);
}

static struct number square_root(struct number a, struct sf_env *env)
{
	bool odd = a.exponent & 1;

	if (is_nan(&a))
		return choose_nan(&a, &a, env);
	if (a.kind == ZERO)
		return a;
	if (a.negative)
		return invalid(env);
	if (a.kind == INFINITE)
		return a;
	/* bits 127 and 126 hold the integer part: 1, or 2 or 3 for an odd exponent */
	if (!odd)
		a.significand = shift_right_sticky(a.significand, 1);
	return normalised(false, (a.exponent - odd) / 2 + 7, root_significand(a.significand));
}

/* ---- operations ---- */

/*
 * Unfused: the product is rounded to the format and becomes rs1 of an addition or subtraction
 * (SPARC64 V supplement, A.24). A trapping exception of the multiplication ends the
 * instruction.
 */
static u128 multiply_add(enum sf_operation op, enum sf_format format, u128 a, u128 b, u128 c, struct sf_env *env)
{
	bool fused = op >= SF_FUSED_MADD;
	enum sf_operation kind = fused ? op - SF_FUSED_MADD + SF_MADD : op;
	struct number product = softfp_multiply(unpack(a, format), unpack(b, format), env), sum;
	struct number addend = unpack(c, format);

	if (!fused) {
		u128 rounded = softfp_pack(&product, format, env);

		if (env->flags & env->tem)
			return rounded;
		product = unpack(rounded, format);
	}
	if ((kind == SF_NMADD || kind == SF_NMSUB) && !is_nan(&product))
		product.negative = !product.negative;
	if (kind == SF_MADD || kind == SF_NMSUB)
		sum = softfp_add(product, addend, env);
	else
		sum = subtract(product, addend, env);
	return softfp_pack(&sum, format, env);
}

static u128 convert(enum sf_format from, enum sf_format to, u128 a, struct sf_env *env)
{
	struct number n = from >= SF_INT32 ? unpack_integer(a, from) : unpack(a, from);

	if (to >= SF_INT32)
		return pack_integer(&n, to, env);
	if (n.kind == SIGNALLING)
		env->flags |= FP_NV;
	return softfp_pack(&n, to, env);
}

u128 sf_compute(enum sf_operation op, enum sf_format from, enum sf_format to, u128 a, u128 b, u128 c,
		struct sf_env *env)
{
	struct number result;

	switch (op) {
	case SF_ADD: result = softfp_add(unpack(a, from), unpack(b, from), env); break;
	case SF_SUB: result = subtract(unpack(a, from), unpack(b, from), env); break;
	case SF_MUL: result = softfp_multiply(unpack(a, from), unpack(b, from), env); break;
	case SF_DIV: result = softfp_divide(unpack(a, from), unpack(b, from), env); break;
	case SF_SQRT: result = square_root(unpack(a, from), env); break;
	case SF_CONVERT: return convert(from, to, a, env);
	default: return multiply_add(op, from, a, b, c, env);
	}
	return softfp_pack(&result, to, env);
}

unsigned sf_compare(enum sf_format format, u128 a, u128 b, bool signal, struct sf_env *env)
{
	struct number x = unpack(a, format), y = unpack(b, format);
	bool less;

	if (is_nan(&x) || is_nan(&y)) {
		if (signal || x.kind == SIGNALLING || y.kind == SIGNALLING)
			env->flags |= FP_NV;
		return 3;
	}
	if (a == b || (x.kind == ZERO && y.kind == ZERO))
		return 0;
	if (x.negative != y.negative)
		less = x.negative;
	else /* bit patterns of one sign are ordered as their magnitudes */
		less = (a < b) != x.negative;
	return less ? 1 : 2;
}
