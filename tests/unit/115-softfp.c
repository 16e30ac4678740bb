/*
 * Arithmetic in integers beside the host's FPU, which is IEEE 754's too: equal
 * in every rounding mode, with its exceptions. Quads, which the host has not, by
 * hand and by identities.
 */
#include "tap.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "exec_machine.h"
#include "isa/softfp.h"

enum { NV = 16, OF = 8, UF = 4, DZ = 2, NX = 1, RUNS = 20000 };

static const int host_mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

static unsigned host_flags(void)
{
	int f = fetestexcept(FE_ALL_EXCEPT);

	return (f & FE_INVALID ? NV : 0) | (f & FE_OVERFLOW ? OF : 0) | (f & FE_UNDERFLOW ? UF : 0) |
	       (f & FE_DIVBYZERO ? DZ : 0) | (f & FE_INEXACT ? NX : 0);
}

static uint64_t random_state = 1;

/* splitmix64 */
static uint64_t next(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/*
 * Doubles with exponents around `centre`, often with few significant bits, so
 * that ties, cancellations and exact results come up; no NaN.
 */
static double number(int centre)
{
	uint64_t fraction = next() >> 12, cut = next();
	int exponent = centre + (int)(next() % 120) - 60;

	if (cut & 1)
		fraction &= ~0ull << (cut >> 1) % 52;
	return ldexp(cut & 2 ? -1.0 : 1.0, exponent) * (1 + ldexp((double)fraction, -52));
}

static double value(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* The result of the host in the mode that is set, and its flags. */
static uint64_t host_double(unsigned op, double a, double b, double c, unsigned *flags)
{
	volatile double x = a, y = b, z = c, r = 0;

	feclearexcept(FE_ALL_EXCEPT);
	switch (op) {
	case SF_ADD: r = x + y; break;
	case SF_SUB: r = x - y; break;
	case SF_MUL: r = x * y; break;
	case SF_DIV: r = x / y; break;
	case SF_SQRT: r = sqrt(x); break;
	case SF_FUSED_MADD: r = fma(x, y, z); break;
	case SF_FUSED_NMADD: r = fma(-x, y, -z); break;
	default: break;
	}
	*flags = host_flags();
	return d_bits(r);
}

static void compare_double(unsigned op, int centre_a, int centre_b, int centre_c)
{
	for (unsigned k = 0; k < RUNS; k++) {
		unsigned mode = k % 4, flags;
		double a = number(centre_a), b = number(centre_b), c = number(centre_c);
		struct sf_env env = {mode, 0, 0};
		uint64_t expected, got;

		if (op == SF_SQRT)
			a = fabs(a);
		fesetround(host_mode[mode]);
		expected = host_double(op, a, b, c, &flags);
		fesetround(FE_TONEAREST);
		got = (uint64_t)sf_compute(op, SF_DOUBLE, SF_DOUBLE, d_bits(a), d_bits(b), d_bits(c), &env);
		/* where a result is rounded up to the smallest normal number, hosts differ in UF */
		if (fabs(value(got)) == 0x1p-1022)
			flags |= env.flags & UF;
		if (got != expected || env.flags != flags) {
			CHECK_HEX(got, expected);
			CHECK_HEX(env.flags, flags);
			return;
		}
	}
}

static void sums_are_the_hosts(void)
{
	compare_double(SF_ADD, 0, 0, 0);
	compare_double(SF_SUB, 0, 20, 0);
	compare_double(SF_ADD, -1000, -1000, 0); /* denormals */
	compare_double(SF_ADD, 964, 964, 0);     /* up to 2^1024: overflow */
}

static void products_are_the_hosts(void)
{
	compare_double(SF_MUL, 0, 0, 0);
	compare_double(SF_MUL, -500, -520, 0);
	compare_double(SF_MUL, 500, 520, 0);
}

static void quotients_are_the_hosts(void)
{
	compare_double(SF_DIV, 0, 0, 0);
	compare_double(SF_DIV, -500, 530, 0);
	compare_double(SF_DIV, 500, -520, 0);
}

static void roots_are_the_hosts(void)
{
	compare_double(SF_SQRT, 0, 0, 0);
	compare_double(SF_SQRT, -1000, 0, 0);
}

static void fused_products_are_the_hosts(void)
{
	compare_double(SF_FUSED_MADD, 0, 0, 0);
	compare_double(SF_FUSED_NMADD, 0, 0, 60);
	compare_double(SF_FUSED_MADD, -500, -520, -1000);
}

/* b close to -a / c, so that almost everything cancels */
static void fused_cancellation_is_exact(void)
{
	for (unsigned k = 0; k < RUNS; k++) {
		double a = number(0), b = number(0), c = -(a * b);
		struct sf_env env = {0, 0, 0};
		unsigned flags;
		uint64_t expected = host_double(SF_FUSED_MADD, a, b, c, &flags);

		CHECK_HEX((uint64_t)sf_compute(SF_FUSED_MADD, SF_DOUBLE, SF_DOUBLE, d_bits(a), d_bits(b), d_bits(c),
					       &env),
			  expected);
		CHECK_HEX(env.flags, flags);
	}
}

static void narrowing_is_the_hosts(void)
{
	for (unsigned k = 0; k < RUNS; k++) {
		unsigned mode = k % 4, flags;
		volatile double a = number(k & 4 ? -130 : 100);
		struct sf_env env = {mode, 0, 0};
		volatile float r;
		uint32_t got;

		fesetround(host_mode[mode]);
		feclearexcept(FE_ALL_EXCEPT);
		r = (float)a;
		flags = host_flags();
		fesetround(FE_TONEAREST);
		got = (uint32_t)sf_compute(SF_CONVERT, SF_DOUBLE, SF_SINGLE, d_bits(a), 0, 0, &env);
		if (fabsf(r) == 0x1p-126f)
			flags |= env.flags & UF;
		CHECK_HEX(got, f_bits(r));
		CHECK_HEX(env.flags, flags);
	}
}

static u128 quad(uint64_t high, uint64_t low)
{
	return (u128)high << 64 | low;
}

static u128 q(double v)
{
	struct sf_env env = {0, 0, 0};

	return sf_compute(SF_CONVERT, SF_DOUBLE, SF_QUAD, d_bits(v), 0, 0, &env);
}

#define CHECK_QUAD(v, high, low) \
	do { \
		CHECK_HEX((uint64_t)((v) >> 64), high); \
		CHECK_HEX((uint64_t)(v), low); \
	} while (0)

static void quads_have_113_bits(void)
{
	struct sf_env env = {0, 0, 0};
	u128 third = sf_compute(SF_DIV, SF_QUAD, SF_QUAD, q(1), q(3), 0, &env), root;

	/* 1/3 = 1.0101..b * 2^-2: exponent 16381 = 0x3ffd, the fraction 5555.. ; the rest .0101 rounds down */
	CHECK_QUAD(third, 0x3ffd555555555555, 0x5555555555555555);
	CHECK_HEX(env.flags, NX);
	env = (struct sf_env){2, 0, 0};
	CHECK_QUAD(sf_compute(SF_DIV, SF_QUAD, SF_QUAD, q(1), q(3), 0, &env), 0x3ffd555555555555, 0x5555555555555556);
	/*
	 * sqrt(2) = 1.6a09e667f3bcc908b2fb1366ea957d3e.. in base 16: 28 digits of
	 * fraction, and 0.7d3e.. of the last place is rounded down
	 */
	env = (struct sf_env){0, 0, 0};
	root = sf_compute(SF_SQRT, SF_QUAD, SF_QUAD, q(2), 0, 0, &env);
	CHECK_QUAD(root, 0x3fff6a09e667f3bc, 0xc908b2fb1366ea95);
	CHECK_HEX(env.flags, NX);
}

static void quad_rounding_and_limits(void)
{
	struct sf_env env = {0, 0, 0};
	u128 one_ulp = quad(0x3fff000000000000, 1); /* 1 + 2^-112 */

	/* (1 + 2^-112)^2 = 1 + 2^-111 + 2^-224 */
	CHECK_QUAD(sf_compute(SF_MUL, SF_QUAD, SF_QUAD, one_ulp, one_ulp, 0, &env), 0x3fff000000000000, 2);
	CHECK_HEX(env.flags, NX);
	env.rounding = 2;
	CHECK_QUAD(sf_compute(SF_MUL, SF_QUAD, SF_QUAD, one_ulp, one_ulp, 0, &env), 0x3fff000000000000, 3);
	/* the largest, doubled */
	env = (struct sf_env){0, 0, 0};
	CHECK_QUAD(sf_compute(SF_ADD, SF_QUAD, SF_QUAD, quad(0x7ffeffffffffffff, ~0ull),
			      quad(0x7ffeffffffffffff, ~0ull), 0, &env),
		   0x7fff000000000000, 0);
	CHECK_HEX(env.flags, OF | NX);
	/* the smallest, halved: a tie to even, 0 */
	env = (struct sf_env){0, 0, 0};
	CHECK_QUAD(sf_compute(SF_MUL, SF_QUAD, SF_QUAD, 1, q(0.5), 0, &env), 0, 0);
	CHECK_HEX(env.flags, UF | NX);
	/* 1 + 2^-113 as a double product: FdMULq is exact */
	env = (struct sf_env){0, 0, 0};
	CHECK_QUAD(sf_compute(SF_MUL, SF_DOUBLE, SF_QUAD, d_bits(1 + 0x1p-52), d_bits(1 + 0x1p-52), 0, &env),
		   0x3fff000000000000, 0x2000000000000000 | 1ull << 8); /* 1 + 2^-51 + 2^-104 */
	CHECK_HEX(env.flags, 0);
}

static void quad_conversions_keep_integers(void)
{
	for (unsigned k = 0; k < 1000; k++) {
		struct sf_env env = {k % 4, 0, 0};
		uint64_t v = next() >> k % 64;
		u128 wide = sf_compute(SF_CONVERT, SF_INT64, SF_QUAD, v, 0, 0, &env);

		CHECK_HEX((uint64_t)sf_compute(SF_CONVERT, SF_QUAD, SF_INT64, wide, 0, 0, &env), v);
		CHECK_HEX(env.flags, 0);
	}
}

static void quad_arithmetic_undoes_itself(void)
{
	for (unsigned k = 0; k < 2000; k++) {
		struct sf_env env = {0, 0, 0};
		double a = number(0), b = number(0);
		u128 product = sf_compute(SF_MUL, SF_DOUBLE, SF_QUAD, d_bits(a), d_bits(b), 0, &env);
		u128 back = sf_compute(SF_DIV, SF_QUAD, SF_QUAD, product, q(b), 0, &env);
		u128 square = sf_compute(SF_MUL, SF_DOUBLE, SF_QUAD, d_bits(a), d_bits(a), 0, &env);
		u128 root = sf_compute(SF_SQRT, SF_QUAD, SF_QUAD, square, 0, 0, &env);
		u128 sum = sf_compute(SF_ADD, SF_QUAD, SF_QUAD, product, product, 0, &env);

		/* products of 53-bit numbers are exact in 113 bits, so all of this is */
		CHECK(back == q(a));
		CHECK(root == q(fabs(a)));
		CHECK(sum - product == (u128)1 << 112); /* doubling adds 1 to the exponent */
		CHECK_HEX(env.flags, 0);
	}
}

static void comparisons_order_every_sign(void)
{
	static const double v[] = {-HUGE_VAL, -2, -1, -0x1p-1074, 0, 0x1p-1074, 1, 2, HUGE_VAL};

	for (unsigned a = 0; a < 9; a++) {
		for (unsigned b = 0; b < 9; b++) {
			struct sf_env env = {0, 0, 0};
			unsigned expected = a == b ? 0 : a < b ? 1 : 2;

			CHECK_U64(sf_compare(SF_DOUBLE, d_bits(v[a]), d_bits(v[b]), true, &env), expected);
			CHECK_U64(sf_compare(SF_QUAD, q(v[a]), q(v[b]), false, &env), expected);
			CHECK_HEX(env.flags, 0);
		}
	}
}

static const struct tap_test tests[] = {
	{"sums are the host's, flags too", sums_are_the_hosts},
	{"products are the host's, flags too", products_are_the_hosts},
	{"quotients are the host's, flags too", quotients_are_the_hosts},
	{"square roots are the host's, flags too", roots_are_the_hosts},
	{"fused multiply-adds are the host's, flags too", fused_products_are_the_hosts},
	{"a fused multiply-add that cancels is exact", fused_cancellation_is_exact},
	{"doubles become singles as on the host", narrowing_is_the_hosts},
	{"quads have 113 bits", quads_have_113_bits},
	{"quads round, overflow and underflow", quad_rounding_and_limits},
	{"integers survive as quads", quad_conversions_keep_integers},
	{"quad products, quotients, roots and sums that are exact", quad_arithmetic_undoes_itself},
	{"comparisons order numbers of every sign", comparisons_order_every_sign},
};

int main(void)
{
	return tap_main("softfp", tests, TAP_COUNT(tests));
}
