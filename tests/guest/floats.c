/* Single, double and quad arithmetic, conversions, comparisons, rounding modes and flags. */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double value[] = {
	0.0,           -0.0,
	1.0,           -1.0,
	0.5,           3.0,
	1e-300,        1e300,
	1e-310,        2.2250738585072014e-308,
	1e16,          123456789.125,
	-7.75,         4294967296.0,
	-2147483648.0, 9007199254740993.0,
	INFINITY,      -INFINITY,
};
enum { COUNT = sizeof(value) / sizeof(*value) };

static uint64_t bits(double x)
{
	uint64_t b;
	memcpy(&b, &x, sizeof(b));
	return x != x ? 0x7ff8 : b; /* which NaN it is depends on the machine */
}

static uint64_t mix(uint64_t sum, uint64_t x)
{
	return (sum ^ x) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

#define EACH(name, type, expression) \
	do { \
		uint64_t sum = 0; \
		feclearexcept(FE_ALL_EXCEPT); \
		for (int i = 0; i < COUNT; i++) \
			for (int j = 0; j < COUNT; j++) { \
				volatile type va = (type)value[i], vb = (type)value[j]; \
				type a = va, b = vb; \
				(void)b; \
				volatile type r = (type)(expression); \
				sum = mix(sum, bits((double)r)); \
			} \
		printf("%-8s %016" PRIx64 " flags %x\n", name, sum, (unsigned)fetestexcept(FE_ALL_EXCEPT)); \
	} while (0)

static void all(void)
{
	EACH("addd", double, a + b);
	EACH("subd", double, a - b);
	EACH("muld", double, a *b);
	EACH("divd", double, a / b);
	EACH("sqrtd", double, sqrt(fabs(a)));
	EACH("adds", float, a + b);
	EACH("subs", float, a - b);
	EACH("muls", float, a *b);
	EACH("divs", float, a / b);
	EACH("sqrts", float, sqrtf(fabsf(a)));
	EACH("smuld", float, (double)a *(double)b);
	EACH("lessd", double, a < b);
	EACH("equals", float, a == b);
	EACH("unordd", double, isunordered(a - b, b));
	EACH("negd", double, -a);
	EACH("rint", double, rint(a));
	EACH("fromi", double, (double)(int64_t)(a < 1e18 && a > -1e18 ? a : 5));
	EACH("toint", double, (double)(int32_t)(a < 1e9 && a > -1e9 ? a : 5));
	EACH("tofloat", float, (float)(double)a);
	EACH("addq", long double, a + b);
	EACH("mulq", long double, a *b);
	EACH("divq", long double, a / b);
}

int main(void)
{
	static const int mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
	for (unsigned i = 0; i < sizeof(mode) / sizeof(*mode); i++) {
		fesetround(mode[i]);
		printf("rounding %u\n", i);
		all();
	}
	fesetround(FE_TONEAREST);
	printf("%.17g %.17g %.9g %a\n", sin(1.0), exp(10.5), (double)cosf(2.0f), pow(1.1, 30.0));
	printf("%.30Lg %.30Lg %La\n", 1.0L / 3.0L, sqrtl(2.0L), 0x1.23456789abcdef0123456789abcdp+100L);
	printf("%g %g %.3f %e %G\n", 1e-5, 123456789.0, 2.0005, 1.5e-300, INFINITY);
	return 0;
}
