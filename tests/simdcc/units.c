/*
 * Nests for PEs that can do more than the paper's (psim-cc -fpsim-units, psim-record --units), compared element by
 * element, to the bit, with the same loops without the directive. Data are of all kinds: zeros, denormal and huge
 * numbers, NaN.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)

/* A loop over i on the array, and the same on the scalar core. */
#define NEST(name, type, ...) \
	LEAF void name(int n, type *to, const type *x, const type *y) \
	{ \
		PRAGMA(omp simd) \
		for (int i = 0; i < n; i++) { \
			__VA_ARGS__ \
		} \
	} \
	LEAF void scalar_##name(int n, type *to, const type *x, const type *y) \
	{ \
		for (int i = 0; i < n; i++) { \
			__VA_ARGS__ \
		} \
	}

enum { N = 45, M = 12 };

NEST(quotients, double, to[i] = x[i] / y[i] + 1 / x[i];)
NEST(single_quotients, float, to[i] = 3 * x[i] / (y[i] + 1);)
NEST(roots, double, to[i] = sqrt(x[i]) * y[i];)
NEST(single_roots, float, to[i] = sqrtf(x[i] * y[i]);)
/* Each row becomes as long as 1. */
NEST(norms, double, double sum = 0; for (int k = 0; k < M; k++) sum += x[i * M + k] * x[i * M + k];
     double root = sqrt(sum); for (int k = 0; k < M; k++) to[i * M + k] = x[i * M + k] / root + y[k];)
NEST(
	forces, double, double sum = 0; for (int j = 0; j < n; j++) {
		double d = x[j] - x[i], r = d * d + y[j];
		sum += d / (r * sqrt(r));
	} to[i] = sum;)
/* A recurrence along each row. */
NEST(along_rows, double, for (int k = 1; k < M; k++) to[i * M + k] = (x[i * M + k] - to[i * M + k - 1]) / y[k];)
/* Inner loops that are not affine. */
NEST(by_powers, double, double v = x[i]; for (int k = 1; k < n; k *= 2) v = sqrt(v + y[k]) / y[k + 1]; to[i] = v;)
NEST(single_by_powers, float, float v = x[i]; for (int k = 1; k < n; k *= 2) v = y[k] / (v + 1) + sqrtf(y[k + 1]);
     to[i] = v;)
/* Conditions: with one arm, with two, in inner loops; of NaN too. */
NEST(clips, double, double v = x[i], w = y[i]; if (v > 1) v = w * 2; to[i] = v + w;)
NEST(
	steps, double, double v = x[i], w = y[i]; if (v < w) {
		v = w - v;
		w = 3;
	} else { w = v * w; } to[i] = v + w;)
NEST(
	single_most, float, float v = x[i]; for (int k = 0; k < M; k++) {
		float w = y[k];
		v = w <= v ? v : w;
	} to[i] = v + y[i];)
NEST(
	counts, double, double in = 0, v = x[i]; for (int k = 0; k < M; k++) {
		double w = v * v + y[k], one = w < 4 ? 1 : 0;
		v = w < 5 ? w : v;
		in += one;
	} to[i] = in;)
NEST(equals, double, double v = x[i], w = y[i], same = v == w ? 1 : 0; to[i] = same + (v != v ? 2 : 3);)

/* The number of the iteration. */
NEST(numbers, double, to[i] = x[i] * (3 * i - 7) + 1 / (0.5 * i + 1);)
NEST(single_numbers, float, to[i] = (float)i / 3 + x[i];
     for (int k = 0; k < M; k++) to[i] += y[k] * (float)(i - 2 * k);)
/* Inner loops that end by their data: in front, in the middle, for NaN; with what they have counted. */
NEST(
	escapes, double, double re = 0, c = x[i] / 16, im = y[i] / 16; int k = 3;
	while (k < 40 && re * re + im * im < 4) {
		double t = re * re - im * im + c;
		im = 2 * re * im + 1;
		re = t;
		k += 2;
	} to[i] = k + re;)
NEST(
	breaks, double, double v = x[i], w = y[i] / 32, s = 0; int k; for (k = 0; k < M; k++) {
		v = v * 0.5 + w;
		if (!(v >= w))
			break;
		s += v;
	} to[i] = s + k;)
NEST(
	single_until, float, float v = x[i], w = y[i]; for (int k = 0; k < M; k++) {
		if (v > w)
			break;
		v = v * 2 + 1;
	} to[i] = v;)

#define NESTS(F) \
	F(quotients, double) \
	F(single_quotients, float) \
	F(roots, double) \
	F(single_roots, float) \
	F(norms, double) \
	F(forces, double) \
	F(along_rows, double) \
	F(by_powers, double) \
	F(single_by_powers, float) \
	F(clips, double) \
	F(steps, double) \
	F(single_most, float) \
	F(counts, double) \
	F(equals, double) \
	F(numbers, double) \
	F(single_numbers, float) \
	F(escapes, double) \
	F(breaks, double) \
	F(single_until, float)

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double any(void)
{
	static const double special[] = {0,       -0.0,     1,   -1,   5e-324, 2.2250738585072014e-308,
					 1.7e308, INFINITY, NAN, 1e-40};

	return draw() % 8 ? (double)(draw() % 2000) / 16 - 20 : special[draw() % 10];
}

/* The sign of a NaN depends on the order of operands, which is the compiler's. */
#define COMPARE(name, type) \
	static long compare_##name(int n) \
	{ \
		static type x[N * M], y[N * M], to[N * M], expected[N * M]; \
		long wrong = 0; \
\
		for (int k = 0; k < N * M; k++) { \
			x[k] = (type)any(); \
			y[k] = (type)any(); \
			to[k] = expected[k] = (type)k; \
		} \
		name(n, to, x, y); \
		scalar_##name(n, expected, x, y); \
		for (int k = 0; k < N * M; k++) \
			wrong += memcmp(&to[k], &expected[k], sizeof(type)) && \
				 (to[k] == to[k] || expected[k] == expected[k]); \
		if (wrong) \
			printf("%s: %ld wrong\n", #name, wrong); \
		return wrong; \
	}
NESTS(COMPARE)

int main(void)
{
	long wrong = 0;

	for (int times = 0; times < 6; times++) {
		static const int lanes[] = {N, N, N, 0, 1, 17};
#define RUN(name, type) wrong += compare_##name(lanes[times]);
		NESTS(RUN)
	}
	printf("nests: %ld wrong\n", wrong);
	return wrong != 0;
}
