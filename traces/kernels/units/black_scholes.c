/*
 * Prices of European call options by Black and Scholes, two in each PE at once: psim-record --units
 * divide,select,integer,single.
 *
 *     black_scholes [OPTIONS]     default 512
 *
 * The normal distribution is a polynomial (Abramowitz and Stegun 26.2.17); exponential and logarithm take the
 * exponent apart with integers. The scalar core computes the same operations one by one: all prices are equal to the
 * bit. They are within 0.002 of those of the C library in double precision, for prices of about 10.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../psim_region.h"
#include "../psim_simd.h"

/* Constants, each for both singles. The first are bits. */
enum constant {
	C_MANTISSA,
	C_ONE_BITS,
	C_23,
	C_127,
	C_ONE,
	C_HALF,
	C_LOG2E,
	C_LN2,
	C_ROUND, /* 1.5 x 2^23: adding it rounds to an integer, which is in the low bits */
	C_E2,
	C_E3,
	C_E4,
	C_E5,
	C_L3,
	C_L5,
	C_L7,
	C_L9,
	C_P,
	C_B1,
	C_B2,
	C_B3,
	C_B4,
	C_B5,
	C_ROOT, /* 1 / root of 2 pi */
	C_ZERO,
	CONSTANTS
};
static const union {
	uint32_t bits;
	float value;
} constants[CONSTANTS] = {
	[C_MANTISSA] = {.bits = 0x7fffff},
	[C_ONE_BITS] = {.bits = 0x3f800000},
	[C_23] = {.bits = 23},
	[C_127] = {.bits = 127},
	[C_ONE] = {.value = 1},
	[C_HALF] = {.value = 0.5f},
	[C_LOG2E] = {.value = 1.44269504f},
	[C_LN2] = {.value = 0.69314718f},
	[C_ROUND] = {.value = 12582912},
	[C_E2] = {.value = 0.5f},
	[C_E3] = {.value = 0.16666667f},
	[C_E4] = {.value = 0.041666667f},
	[C_E5] = {.value = 0.0083333333f},
	[C_L3] = {.value = 0.33333333f},
	[C_L5] = {.value = 0.2f},
	[C_L7] = {.value = 0.14285714f},
	[C_L9] = {.value = 0.11111111f},
	[C_P] = {.value = 0.2316419f},
	[C_B1] = {.value = 0.31938153f},
	[C_B2] = {.value = -0.35656378f},
	[C_B3] = {.value = 1.7814779f},
	[C_B4] = {.value = -1.8212560f},
	[C_B5] = {.value = 1.3302744f},
	[C_ROOT] = {.value = 0.39894228f},
};

/* The operations that both forms are made of: `number` is a pair in the PEs, a single on the scalar core. */
#define FORM(name, number) name##_##number
#define FUNCTIONS(number) \
	static inline number FORM(exponential, number)(number x, const number *c) \
	{ \
		number t = FORM(fma, number)(x, c[C_LOG2E], c[C_ROUND]); \
		number n = FORM(subtract, number)(t, c[C_ROUND]), f = FORM(fnma, number)(n, c[C_LN2], x); \
		number p = FORM(fma, number)(c[C_E5], f, c[C_E4]); \
		p = FORM(fma, number)(p, f, c[C_E3]); \
		p = FORM(fma, number)(p, f, c[C_E2]); \
		p = FORM(fma, number)(p, f, c[C_ONE]); \
		p = FORM(fma, number)(p, f, c[C_ONE]); \
		return FORM(int_add, number)(p, FORM(shift_left, number)(t, c[C_23])); \
	} \
	static inline number FORM(logarithm, number)(number x, const number *c) \
	{ \
		number e = FORM(int_subtract, number)(FORM(shift_right, number)(x, c[C_23]), c[C_127]); \
		number m = FORM(or, number)(FORM(and, number)(x, c[C_MANTISSA]), c[C_ONE_BITS]); \
		number s = FORM(divide, number)(FORM(subtract, number)(m, c[C_ONE]), FORM(add, number)(m, c[C_ONE])); \
		number q = FORM(multiply, number)(s, s), p = FORM(fma, number)(c[C_L9], q, c[C_L7]); \
		p = FORM(fma, number)(p, q, c[C_L5]); \
		p = FORM(fma, number)(p, q, c[C_L3]); \
		p = FORM(fma, number)(p, q, c[C_ONE]); \
		p = FORM(multiply, number)(FORM(add, number)(s, s), p); \
		return FORM(fma, number)(FORM(of_int, number)(e), c[C_LN2], p); \
	} \
	static inline number FORM(normal, number)(number x, const number *c) \
	{ \
		number a = FORM(absolute, number)(x); \
		number k = FORM(divide, number)(c[C_ONE], FORM(fma, number)(a, c[C_P], c[C_ONE])); \
		number p = FORM(fma, number)(c[C_B5], k, c[C_B4]), tail; \
		p = FORM(fma, number)(p, k, c[C_B3]); \
		p = FORM(fma, number)(p, k, c[C_B2]); \
		p = FORM(fma, number)(p, k, c[C_B1]); \
		p = FORM(multiply, number)(p, k); \
		tail = FORM(multiply, number)(FORM(negate, number)(FORM(multiply, number)(a, a)), c[C_HALF]); \
		tail = FORM(multiply, number)(FORM(exponential, number)(tail, c), c[C_ROOT]); \
		tail = FORM(multiply, number)(tail, p); \
		return FORM(less, number)(x, c[C_ZERO], tail, FORM(subtract, number)(c[C_ONE], tail)); \
	} \
	/* d1, d2, and the discounted strike, of price, strike, rate, volatility, time */ \
	static inline void FORM(distances, number)(const number *o, const number *c, number *to) \
	{ \
		number vol = o[3], time = o[4], spread = FORM(multiply, number)(vol, FORM(root, number)(time)); \
		number drift = FORM(fma, number)(FORM(multiply, number)(vol, vol), c[C_HALF], o[2]); \
		number d1 = FORM(logarithm, number)(FORM(divide, number)(o[0], o[1]), c); \
		to[0] = d1 = FORM(divide, number)(FORM(fma, number)(drift, time, d1), spread); \
		to[1] = FORM(subtract, number)(d1, spread); \
	} \
	static inline void FORM(discount, number)(const number *o, const number *c, number *to) \
	{ \
		number rate = FORM(negate, number)(FORM(multiply, number)(o[2], o[4])); \
		to[2] = FORM(multiply, number)(o[1], FORM(exponential, number)(rate, c)); \
	} \
	/* the price, of d1 and d2 as their normal distributions, and the discounted strike */ \
	static inline number FORM(call, number)(const number *o, const number *d) \
	{ \
		return FORM(fnma, number)(d[2], d[1], FORM(multiply, number)(o[0], d[0])); \
	}

#define fma_simd_bits simd_pair_multiply_add
#define fnma_simd_bits simd_pair_multiply_from
#define add_simd_bits simd_pair_add
#define subtract_simd_bits simd_pair_subtract
#define multiply_simd_bits simd_pair_multiply
#define divide_simd_bits simd_pair_divide
#define root_simd_bits simd_pair_root
#define absolute_simd_bits simd_pair_absolute
#define negate_simd_bits simd_pair_negate
#define less_simd_bits simd_pair_less
#define int_add_simd_bits simd_halves_add
#define int_subtract_simd_bits simd_halves_subtract
#define shift_left_simd_bits simd_halves_shift_left
#define shift_right_simd_bits simd_halves_shift_right
#define and_simd_bits simd_int_and
#define or_simd_bits simd_int_or
#define of_int_simd_bits simd_pair_of_halves
FUNCTIONS(simd_bits)

#define SCALAR(name, arguments, value) \
	static inline float name##_float arguments \
	{ \
		return value; \
	}
static inline uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}
static inline float of_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}
SCALAR(fma, (float x, float y, float z), x *y + z) /* two roundings, as the machine's */
SCALAR(fnma, (float x, float y, float z), z - x * y)
SCALAR(add, (float x, float y), x + y)
SCALAR(subtract, (float x, float y), x - y)
SCALAR(multiply, (float x, float y), x *y)
SCALAR(divide, (float x, float y), x / y)
SCALAR(root, (float x), sqrtf(x))
SCALAR(absolute, (float x), fabsf(x))
SCALAR(negate, (float x), -x)
SCALAR(less, (float x, float y, float a, float b), x < y ? a : b)
SCALAR(int_add, (float x, float y), of_bits(bits_of(x) + bits_of(y)))
SCALAR(int_subtract, (float x, float y), of_bits(bits_of(x) - bits_of(y)))
SCALAR(shift_left, (float x, float y), of_bits(bits_of(x) << (bits_of(y) & 31)))
SCALAR(shift_right, (float x, float y), of_bits(bits_of(x) >> (bits_of(y) & 31)))
SCALAR(and, (float x, float y), of_bits(bits_of(x) & bits_of(y)))
SCALAR(or, (float x, float y), of_bits(bits_of(x) | bits_of(y)))
SCALAR(of_int, (float x), (float)(int32_t)bits_of(x))
FUNCTIONS(float)

/* Two options in each PE, in parts for which the registers suffice. */
SIMD_FUNCTION static void find_distances(const simd_bits *o, const simd_bits *c, simd_bits *d)
{
	distances_simd_bits(o, c, d);
}

SIMD_FUNCTION static void find_discount(const simd_bits *o, const simd_bits *c, simd_bits *d)
{
	discount_simd_bits(o, c, d);
}

SIMD_FUNCTION static void find_normal(simd_bits *d, const simd_bits *c)
{
	*d = normal_simd_bits(*d, c);
}

SIMD_FUNCTION static void find_price(simd_bits *to, const simd_bits *o, const simd_bits *d)
{
	*to = call_simd_bits(o, d);
}

/* The same of one on the scalar core. */
static float scalar_price(const float *o, const float *c)
{
	float d[3];

	distances_float(o, c, d);
	discount_float(o, c, d);
	d[0] = normal_float(d[0], c);
	d[1] = normal_float(d[1], c);
	return call_float(o, d);
}

/* The inputs of option n: price, strike, rate, volatility, time. */
static void option_of(int n, float o[5])
{
	o[0] = 80 + (float)(n * 37 % 41);
	o[1] = 80 + (float)(n * 53 % 43);
	o[2] = 0.01f + 0.01f * (float)(n % 5);
	o[3] = 0.1f + 0.05f * (float)(n % 7);
	o[4] = 0.25f + 0.25f * (float)(n % 8);
}

static double exact(const float o[5])
{
	double spread = o[3] * sqrt(o[4]);
	double d1 = (log((double)o[0] / o[1]) + (o[2] + 0.5 * o[3] * o[3]) * o[4]) / spread, d2 = d1 - spread;

	return o[0] * 0.5 * erfc(-d1 / sqrt(2)) - o[1] * exp(-(double)o[2] * o[4]) * 0.5 * erfc(-d2 / sqrt(2));
}

/* Places of 5 inputs and a result of each pair in an SBM, in doubles, behind the constants. */
enum { INPUTS = 5, PLACES = INPUTS + 1 };

static void price_all(float (*data)[2], long rounds)
{
	long pes = (long)simd_pes(), share = PLACES * 8;
	simd_bits *constant = simd_all(0), *options = constant + CONSTANTS, *distance = options + PLACES;

	for (long r = 0; r < rounds; r++) {
		simd_deal(options, data + r * pes * PLACES, (uint32_t)share, (uint32_t)pes);
		simd_wait(0);
		simd_on();
		find_distances(options, constant, distance);
		find_discount(options, constant, distance);
		find_normal(distance, constant);
		find_normal(distance + 1, constant);
		find_price(options + INPUTS, options, distance);
		simd_off();
		simd_collect(options, data + r * pes * PLACES, (uint32_t)share, (uint32_t)pes);
		simd_wait(0);
	}
}

int main(int argc, char *argv[])
{
	int count = argc > 1 ? atoi(argv[1]) : 512, wrong = 0;
	long pes = (long)simd_pes(), rounds = (count + 2 * pes - 1) / (2 * pes);
	float(*data)[2] = aligned_alloc(8, (size_t)(rounds * pes * PLACES) * sizeof(*data));
	float pairs[CONSTANTS][2] __attribute__((aligned(8))), scalar[CONSTANTS], o[INPUTS];
	double worst = 0, sum = 0;

	if (count < 1 || count > 1 << 20 || !data)
		return 2;
	for (int n = 0; n < CONSTANTS; n++)
		scalar[n] = pairs[n][0] = pairs[n][1] = constants[n].value;
	for (int n = 0; n < rounds * pes * 2; n++) {
		option_of(n < count ? n : 0, o);
		for (int k = 0; k < INPUTS; k++)
			data[n / 2 * PLACES + k][n % 2] = o[k];
	}
	simd_get(simd_all(0), pairs, sizeof(pairs));
	psim_region_begin("options");
	price_all(data, rounds);
	psim_region_end("options");
	for (int n = 0; n < count; n++) {
		float got = data[n / 2 * PLACES + INPUTS][n % 2];

		option_of(n, o);
		wrong += bits_of(got) != bits_of(scalar_price(o, scalar));
		worst = fmax(worst, fabs(got - exact(o)));
		sum += got;
	}
	printf("black_scholes %d: mean %.4f, %d prices differ, off by %s\n", count, sum / count, wrong,
	       worst < 0.002 ? "less than 0.002" : "more than 0.002");
	return wrong || worst >= 0.002 ? 1 : 0;
}
