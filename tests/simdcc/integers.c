/*
 * Integers that are data, on PEs that have them (psim-cc -fpsim-units), compared with the same loops without the
 * directive.
 */
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

NEST(copies, int, to[i] = x[i];)
NEST(sums, int, to[i] = x[i] + y[i] * 3 - 7;)
NEST(long_sums, int64_t, to[i] = x[i] + y[i] * 3 - 7;)
NEST(bits, unsigned, to[i] = ((x[i] & y[i]) ^ (x[i] >> 3)) | ~(y[i] << 5);)
NEST(shifts, int, to[i] = (x[i] >> 3) + (y[i] >> (x[i] & 15));)
/* Numbers that wrap: a linear congruential generator, xorshift. */
NEST(congruent, unsigned, unsigned s = x[i]; for (int k = 0; k < M; k++) s = s * 1664525u + 1013904223u; to[i] = s;)
NEST(
	shifted, uint64_t, uint64_t s = x[i]; for (int k = 0; k < M; k++) {
		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
	} to[i] = s;)
/* Comparisons, signed and not; of the smallest and the largest number too. */
NEST(largest, int, int most = x[i]; for (int k = 0; k < M; k++) most = y[k] > most ? y[k] : most; to[i] = most;)
NEST(choices, unsigned, unsigned v = x[i], w = y[i]; if (v < w) v = w - v; to[i] = v;)
NEST(long_choices, uint64_t, uint64_t v = x[i], w = y[i]; if (v < w) v = w - v; to[i] = v;)
NEST(least, int, to[i] = (x[i] < y[i] ? x[i] : y[i]) + (x[i] < 0 ? -(x[i] / 1) : x[i]) + (x[i] == y[i]);)
/* Numbers of iterations; sums within a lane; real numbers between. */
NEST(numbers, int, to[i] = x[i] + 3 * i - 2;)
NEST(inner, int64_t, int64_t s = 0; for (int k = 0; k < M; k++) s += x[i * M + k] * (k + y[k]); to[i] = s;)
NEST(by_real, int, to[i] = (int)(x[i] * 0.5 + y[i] / 16.0);)
/* Escape counts that stay integers. */
NEST(
	escapes, int, double re = 0, im = 0, c = x[i] * 0.001; int k = 0; while (k < 30 && re * re + im * im < 4) {
		double t = re * re - im * im + c;
		im = 2 * re * im + 0.25;
		re = t;
		k++;
	} to[i] = k + y[i];)

#define NESTS(F) \
	F(copies, int) \
	F(sums, int) \
	F(long_sums, int64_t) \
	F(bits, unsigned) \
	F(shifts, int) \
	F(congruent, unsigned) \
	F(shifted, uint64_t) \
	F(largest, int) \
	F(choices, unsigned) \
	F(long_choices, uint64_t) \
	F(least, int) \
	F(numbers, int) \
	F(inner, int64_t) \
	F(by_real, int) \
	F(escapes, int)

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Signed numbers are small, so that nothing overflows; unsigned ones are of all sizes. */
#define COMPARE(name, type) \
	static long compare_##name(int n) \
	{ \
		static type x[N * M], y[N * M], to[N * M], expected[N * M]; \
		long wrong = 0; \
\
		for (int k = 0; k < N * M; k++) { \
			x[k] = (type)((type)-1 < 0 ? (type)(int)(draw() % 4001) - 2000 \
						   : (type)(draw() >> draw() % 40)); \
			y[k] = (type)((type)-1 < 0 ? (type)(int)(draw() % 4001) - 2000 \
						   : (type)(draw() >> draw() % 40)); \
			to[k] = expected[k] = (type)k; \
		} \
		name(n, to, x, y); \
		scalar_##name(n, expected, x, y); \
		for (int k = 0; k < N * M; k++) \
			wrong += to[k] != expected[k]; \
		if (wrong) \
			printf("%s: %ld wrong\n", #name, wrong); \
		return wrong; \
	}
NESTS(COMPARE)

LEAF int64_t total(int n, const int *x, unsigned *bits, int64_t *some)
{
	int64_t sum = 0, any = 0;
	unsigned hash = 0;

#pragma omp simd reduction(+ : sum) reduction(^ : hash) reduction(| : any)
	for (int i = 0; i < n; i++) {
		sum += x[i];
		hash ^= (unsigned)x[i] << 3;
		any |= x[i] & 0x550;
	}
	*bits = hash;
	*some = any;
	return sum;
}

/* Sums over the lanes: 100 numbers, which are added here too. */
static long compare_totals(void)
{
	int x[100];
	int64_t sum = 0, any = 0, some;
	unsigned hash = 0, bits;

	for (int k = 0; k < 100; k++) {
		x[k] = (int)(draw() >> 34) - (1 << 29);
		sum += x[k];
		hash ^= (unsigned)x[k] << 3;
		any |= x[k] & 0x550;
	}
	return (total(100, x, &bits, &some) != sum) + (bits != hash) + (some != any);
}

int main(void)
{
	long wrong = compare_totals();

	for (int times = 0; times < 6; times++) {
		static const int lanes[] = {N, N, N, 0, 1, 17};
#define RUN(name, type) wrong += compare_##name(lanes[times]);
		NESTS(RUN)
	}
	printf("nests: %ld wrong\n", wrong);
	return wrong != 0;
}
