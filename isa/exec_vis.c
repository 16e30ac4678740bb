/*
 * VIS 1 and 2: partitioned arithmetic, pixel formats, edges, alignment. JPS1 Commonality,
 * appendix A. No VIS instruction touches FSR.
 *
 * Elements are numbered from the least significant one, which has bit 0 of a mask.
 */
#include "exec.h"

static inline unsigned u8_of(uint64_t v, unsigned k)
{
	return (unsigned)(v >> 8 * k & 0xff);
}

static inline int32_t s16_of(uint64_t v, unsigned k)
{
	return (int16_t)(v >> 16 * k);
}

static inline int32_t s32_of(uint64_t v, unsigned k)
{
	return (int32_t)(v >> 32 * k);
}

/* ---- addresses: edges, arrays, alignment ---- */

/*
 * Returns the mask of the `count` elements of an 8-byte block that are between the addresses
 * rs1 and rs2, if both are in one block; else those from rs1 on. Big-endian: the element at the
 * lowest address has the highest bit.
 */
static uint64_t edge(uint64_t rs1, uint64_t rs2, unsigned count, bool little)
{
	unsigned all = (1u << count) - 1, size = 8 / count;
	unsigned first = (unsigned)(rs1 & 7) / size, last = (unsigned)(rs2 & 7) / size;
	unsigned left, right;

	if (little) {
		left = all << first & all;
		right = all >> (count - 1 - last);
	} else {
		left = all >> first;
		right = all << (count - 1 - last) & all;
	}
	return (rs1 ^ rs2) < 8 ? left & right : left;
}

/* The forms without n set the condition codes of rs1 - rs2. */
#define EDGE(name, count, little) \
	X(name##n) \
	{ \
		set_r(c, i->rd, edge(c->r[i->rs1], c->r[i->rs2], count, little)); \
		return TRAP_NONE; \
	} \
	X(name) \
	{ \
		uint64_t a = c->r[i->rs1], b = c->r[i->rs2]; \
		c->ccr = ccr_sub(a, b, a - b); \
		return x_##name##n(c, i); \
	}

EDGE(edge8, 8, false)
EDGE(edge8l, 8, true)
EDGE(edge16, 4, false)
EDGE(edge16l, 4, true)
EDGE(edge32, 2, false)
EDGE(edge32l, 2, true)

static inline uint64_t exec_vis_bits(uint64_t v, unsigned low, unsigned count)
{
	return v >> low & ((1ull << count) - 1);
}

/*
 * Converts fixed-point x [21:0], y [43:22], z [63:44], with 11 bits of fraction each, to a byte
 * address in a blocked array: 64 x 64 x 32 in lower blocks of 4 x 4 x 2. rs2 is the logarithm
 * of the array's size in blocks, 0 to 5; its low three bits count, and 6 and 7 act as 5, as on
 * existing chips.
 */
static uint64_t array8(uint64_t rs1, uint64_t rs2)
{
	unsigned n = (rs2 & 7) > 5 ? 5 : (unsigned)(rs2 & 7);
	uint64_t lower = exec_vis_bits(rs1, 11, 2) | exec_vis_bits(rs1, 33, 2) << 2 | exec_vis_bits(rs1, 55, 1) << 4;
	uint64_t middle = exec_vis_bits(rs1, 13, 4) | exec_vis_bits(rs1, 35, 4) << 4 | exec_vis_bits(rs1, 56, 4) << 8;
	uint64_t upper =
		exec_vis_bits(rs1, 17, n) | exec_vis_bits(rs1, 39, n) << n | exec_vis_bits(rs1, 60, 4) << 2 * n;

	return lower | middle << 5 | upper << 17;
}

#define ARRAY(name, shift) \
	X(name) \
	{ \
		set_r(c, i->rd, array8(c->r[i->rs1], c->r[i->rs2]) << (shift)); \
		return TRAP_NONE; \
	}

ARRAY(array8, 0)
ARRAY(array16, 1)
ARRAY(array32, 2)

static void set_align(struct cpu *c, uint64_t align)
{
	c->gsr = (c->gsr & ~7ull) | (align & 7);
}

X(alignaddr)
{
	uint64_t sum = c->r[i->rs1] + c->r[i->rs2];

	set_align(c, sum);
	set_r(c, i->rd, sum & ~7ull);
	return TRAP_NONE;
}

X(alignaddrl)
{
	uint64_t sum = c->r[i->rs1] + c->r[i->rs2];

	set_align(c, 0 - sum);
	set_r(c, i->rd, sum & ~7ull);
	return TRAP_NONE;
}

X(bmask)
{
	uint64_t sum = c->r[i->rs1] + c->r[i->rs2];

	c->gsr = (uint32_t)c->gsr | sum << 32;
	set_r(c, i->rd, sum);
	return TRAP_NONE;
}

/* Selects eight of the 16 bytes rs1:rs2, each by four bits of GSR.mask, the highest first. */
X(bshuffle)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2), r = 0;

	for (unsigned k = 0; k < 8; k++) {
		unsigned from = (unsigned)(c->gsr >> (60 - 4 * k)) & 15;

		r = r << 8 | u8_of(from < 8 ? a : b, 7 - from % 8);
	}
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

/* Extracts eight bytes of rs1:rs2 from byte GSR.align on. */
X(faligndata)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2);
	unsigned shift = (unsigned)(c->gsr & 7) * 8;

	set_d(c, i->rd, shift ? a << shift | b >> (64 - shift) : a);
	return TRAP_NONE;
}

/* ---- comparisons: a bit mask in an integer register ---- */

#define COMPARE(name, element, count, operator) \
	X(name) \
	{ \
		uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2), mask = 0; \
		for (unsigned k = 0; k < (count); k++) \
			mask |= (uint64_t)(element(a, k) operator element(b, k)) << k; \
		set_r(c, i->rd, mask); \
		return TRAP_NONE; \
	}

COMPARE(fcmple16, s16_of, 4, <=)
COMPARE(fcmpne16, s16_of, 4, !=)
COMPARE(fcmpgt16, s16_of, 4, >)
COMPARE(fcmpeq16, s16_of, 4, ==)
COMPARE(fcmple32, s32_of, 2, <=)
COMPARE(fcmpne32, s32_of, 2, !=)
COMPARE(fcmpgt32, s32_of, 2, >)
COMPARE(fcmpeq32, s32_of, 2, ==)

/* ---- multiplication ---- */

/* The high 16 bits of a 24-bit product, rounded. */
static inline uint64_t high16(int32_t product)
{
	return (uint16_t)((product + 0x80) >> 8);
}

/* Four products; `multiplier` is the 16-bit factor of element k. */
#define MULTIPLY_8X16(name, get, multiplier) \
	X(name) \
	{ \
		uint32_t a = get_f(c, i->rs1); \
		uint64_t b = get(c, i->rs2), r = 0; \
		for (unsigned k = 0; k < 4; k++) \
			r |= high16((int32_t)u8_of(a, k) * (multiplier)) << 16 * k; \
		set_d(c, i->rd, r); \
		return TRAP_NONE; \
	}

MULTIPLY_8X16(fmul8x16, get_d, s16_of(b, k))
MULTIPLY_8X16(fmul8x16au, get_f, s16_of(b, 1))
MULTIPLY_8X16(fmul8x16al, get_f, s16_of(b, 0))

/* The signed high byte of each element of rs1 times the element of rs2. */
X(fmul8sux16)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2), r = 0;

	for (unsigned k = 0; k < 4; k++)
		r |= high16((s16_of(a, k) >> 8) * s16_of(b, k)) << 16 * k;
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

/*
 * The unsigned low byte of each element of rs1 times the element of rs2: the high 16 of 32
 * bits, rounded.
 */
X(fmul8ulx16)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2), r = 0;

	for (unsigned k = 0; k < 4; k++) {
		int32_t product = (int32_t)u8_of(a, 2 * k) * s16_of(b, k);

		r |= (uint64_t)(uint16_t)((product + 0x8000) >> 16) << 16 * k;
	}
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

/* 32-bit products: 256 times the signed high byte's, and the unsigned low byte's. */
X(fmuld8sux16)
{
	uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2);
	uint64_t r = 0;

	for (unsigned k = 0; k < 2; k++)
		r |= (uint64_t)(uint32_t)((s16_of(a, k) >> 8) * s16_of(b, k) * 256) << 32 * k;
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

X(fmuld8ulx16)
{
	uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2);
	uint64_t r = 0;

	for (unsigned k = 0; k < 2; k++)
		r |= (uint64_t)(uint32_t)((int32_t)u8_of(a, 2 * k) * s16_of(b, k)) << 32 * k;
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

/* ---- pixel formats ---- */

static inline int64_t clip(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* GSR.scale; FPACK16 uses its low four bits only. */
static inline unsigned scale(const struct cpu *c)
{
	return (unsigned)(c->gsr >> 3) & 31;
}

X(fpack16)
{
	uint64_t b = get_d(c, i->rs2), r = 0;

	for (unsigned k = 0; k < 4; k++) {
		int64_t scaled = s16_of(b, k) * (INT64_C(1) << (scale(c) & 15));

		r |= (uint64_t)clip(scaled >> 7, 0, 255) << 8 * k;
	}
	set_f(c, i->rd, (uint32_t)r);
	return TRAP_NONE;
}

X(fpack32)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2), r = a << 8 & 0xffffff00ffffff00;

	for (unsigned k = 0; k < 2; k++) {
		int64_t scaled = s32_of(b, k) * (INT64_C(1) << scale(c));

		r |= (uint64_t)clip(scaled >> 23, 0, 255) << 32 * k;
	}
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

X(fpackfix)
{
	uint64_t b = get_d(c, i->rs2), r = 0;

	for (unsigned k = 0; k < 2; k++) {
		int64_t scaled = s32_of(b, k) * (INT64_C(1) << scale(c));

		r |= (uint64_t)(uint16_t)clip(scaled >> 16, INT16_MIN, INT16_MAX) << 16 * k;
	}
	set_f(c, i->rd, (uint32_t)r);
	return TRAP_NONE;
}

/* Adds the sum of absolute differences of eight pixels to rd. */
X(pdist)
{
	uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2), sum = get_d(c, i->rd);

	for (unsigned k = 0; k < 8; k++) {
		int distance = (int)u8_of(a, k) - (int)u8_of(b, k);

		sum += (uint64_t)(distance < 0 ? -distance : distance);
	}
	set_d(c, i->rd, sum);
	return TRAP_NONE;
}

X(fexpand)
{
	uint32_t b = get_f(c, i->rs2);
	uint64_t r = 0;

	for (unsigned k = 0; k < 4; k++)
		r |= (uint64_t)u8_of(b, k) << (16 * k + 4);
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

X(fpmerge)
{
	uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2);
	uint64_t r = 0;

	for (unsigned k = 0; k < 4; k++)
		r |= (uint64_t)(u8_of(a, k) << 8 | u8_of(b, k)) << 16 * k;
	set_d(c, i->rd, r);
	return TRAP_NONE;
}

/* ---- partitioned addition: no carry between elements ---- */

static inline uint64_t partitioned_add(uint64_t a, uint64_t b, uint64_t tops)
{
	return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);
}

static inline uint64_t partitioned_sub(uint64_t a, uint64_t b, uint64_t tops)
{
	return ((a | tops) - (b & ~tops)) ^ ((a ^ ~b) & tops);
}

#define TOPS_16 0x8000800080008000
#define TOPS_32 0x8000000080000000

#define PARTITIONED(name, operation, tops) \
	X(name) \
	{ \
		set_d(c, i->rd, operation(get_d(c, i->rs1), get_d(c, i->rs2), tops)); \
		return TRAP_NONE; \
	} \
	X(name##s) \
	{ \
		set_f(c, i->rd, (uint32_t)operation(get_f(c, i->rs1), get_f(c, i->rs2), (uint32_t)(tops))); \
		return TRAP_NONE; \
	}

PARTITIONED(fpadd16, partitioned_add, TOPS_16)
PARTITIONED(fpadd32, partitioned_add, TOPS_32)
PARTITIONED(fpsub16, partitioned_sub, TOPS_16)
PARTITIONED(fpsub32, partitioned_sub, TOPS_32)

/* ---- logic on all bits of a (rs1) and b (rs2) ---- */

#define LOGIC(name, expression) \
	X(name##d) \
	{ \
		uint64_t a = get_d(c, i->rs1), b = get_d(c, i->rs2); \
		(void)a; \
		(void)b; \
		set_d(c, i->rd, (uint64_t)(expression)); \
		return TRAP_NONE; \
	} \
	X(name##s) \
	{ \
		uint32_t a = get_f(c, i->rs1), b = get_f(c, i->rs2); \
		(void)a; \
		(void)b; \
		set_f(c, i->rd, (uint32_t)(expression)); \
		return TRAP_NONE; \
	}

LOGIC(fzero, 0ull)
LOGIC(fone, ~0ull)
LOGIC(fsrc1, a)
LOGIC(fsrc2, b)
LOGIC(fnot1, ~a)
LOGIC(fnot2, ~b)
LOGIC(fand, a &b)
LOGIC(fnand, ~(a &b))
LOGIC(for, a | b)
LOGIC(fnor, ~(a | b))
LOGIC(fxor, a ^ b)
LOGIC(fxnor, ~(a ^ b))
LOGIC(fandnot1, ~a &b)
LOGIC(fandnot2, a & ~b)
LOGIC(fornot1, ~a | b)
LOGIC(fornot2, a | ~b)
