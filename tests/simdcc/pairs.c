/*
 * Singles of two lanes at once, on PEs that have pairs of them (psim-cc -fpsim-units=single), compared to the bit with
 * the same loops without the directive. On other PEs they run one by one.
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

enum { N = 205, M = 12 };

NEST(scaled, float, to[i] = 3 * x[i] + y[i];)
NEST(neighbours, float, to[i] = (x[i] + x[i + 1] * 2 + x[i + 2]) - y[i] * x[i];)
NEST(
	product, float, for (int j = 0; j < M; j++) {
		float s = 0;
		for (int k = 0; k < M; k++)
			s += x[i * M + k] * y[k * M + j];
		to[i * M + j] = s;
	})
NEST(signs, float, to[i] = -x[i] * y[2] - y[i];)
NEST(differences, float, to[i] = x[i] * y[i] - y[i + 1] * x[i + 1] + 1;)
NEST(copied, float, to[i] = x[i];)
NEST(in_place, float, for (int k = 0; k < M; k++) to[i * M + k] = to[i * M + k] * y[k] + x[i];)

#define NESTS(F) \
	F(scaled, float) \
	F(neighbours, float) \
	F(product, float) \
	F(signs, float) \
	F(differences, float) \
	F(copied, float) \
	F(in_place, float)

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Each function is called with arrays at a multiple of 8 bytes, and 4 bytes behind one. */
#define COMPARE(name, type) \
	static long compare_##name(int n) \
	{ \
		static type x[N * M + 1], y[N * M + 1], to[N * M], expected[N * M]; \
		long wrong = 0, shift = (long)(draw() % 2); \
\
		for (int k = 0; k < N * M; k++) { \
			x[k] = (type)(draw() % 10000) / 7; \
			y[k] = (type)(draw() % 10000) / 3 - 1000; \
			to[k] = expected[k] = (type)k; \
		} \
		name(n, to, x + shift, y); \
		scalar_##name(n, expected, x + shift, y); \
		for (int k = 0; k < N * M; k++) \
			wrong += memcmp(&to[k], &expected[k], sizeof(type)) != 0; \
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
