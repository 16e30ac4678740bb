/*
 * Subscripts that are data, and rows of a sparse matrix, on PEs that gather (psim-cc -fpsim-units), compared with the
 * same loops without the directive.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)

/* A loop over i on the array, and the same on the scalar core. */
#define NEST(name, type, ...) \
	LEAF void name(int n, type *to, const type *x, const type *y, const int *at, const unsigned *above, \
		       const int64_t *wide, const int *start) \
	{ \
		PRAGMA(omp simd) \
		for (int i = 0; i < n; i++) { \
			__VA_ARGS__ \
		} \
	} \
	LEAF void scalar_##name(int n, type *to, const type *x, const type *y, const int *at, const unsigned *above, \
				const int64_t *wide, const int *start) \
	{ \
		for (int i = 0; i < n; i++) { \
			__VA_ARGS__ \
		} \
	}

enum { N = 45, M = 12 };

NEST(plain, double, to[i] = x[at[i]] + y[i];)
NEST(singles, float, to[i] = x[at[i]] + x[i] * y[i];)
NEST(whole, int, to[i] = x[at[i]] + x[above[i]] - y[i];)
/* Rows of one length: a sparse matrix in ELLPACK, by rows and by columns. */
NEST(by_rows, double, double s = 0; for (int k = 0; k < M; k++) s += x[at[i * M + k]] * y[k]; to[i] = s;)
NEST(by_columns, double, double s = 0; for (int k = 0; k < M; k++) s += x[above[k * n + i]] * y[k]; to[i] = s;)
NEST(far, double, to[i] = x[wide[i]] * 2 + x[wide[i] + 1] + y[i];)
NEST(blocks, double, double s = y[i]; for (int k = 0; k < 3; k++) s += x[at[i] * 3 + k]; to[i] = s;)
NEST(twice, double, to[i] = x[at[at[i]]] + y[i];)
NEST(masked, double, to[i] = x[(at[i] * 7 + 3) & 31] + y[i];)
NEST(same, double, double s = 0; for (int k = 0; k < M; k++) s += x[at[k]] * y[i]; to[i] = s;)
/* Rows of their own lengths: compressed rows. */
NEST(rows, double, double s = 0; for (int k = start[i]; k < start[i + 1]; k++) s += y[k] * x[at[k]]; to[i] = s;)
NEST(single_rows, float, float s = to[i]; for (int k = start[i]; k < start[i + 1]; k++) s += y[k] * x[at[k]];
     to[i] = s;)
NEST(
	most_of_row, int, int s = 0; for (int k = start[i]; k < start[i + 1]; k++) {
		int v = y[k];
		s = v > s ? v : s;
	} to[i] = s;)

#define NESTS(F) \
	F(plain, double) \
	F(singles, float) \
	F(whole, int) \
	F(by_rows, double) \
	F(by_columns, double) \
	F(far, double) \
	F(blocks, double) \
	F(twice, double) \
	F(masked, double) \
	F(same, double) \
	F(rows, double) \
	F(single_rows, float) \
	F(most_of_row, int)

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Data are small integers, so that sums are exact. */
#define COMPARE(name, type) \
	static long compare_##name(int n) \
	{ \
		static type x[N * M], y[N * M], to[N * M], expected[N * M]; \
		static int at[N * M], start[N + 1]; \
		static unsigned above[N * M]; \
		static int64_t wide[N * M]; \
		long wrong = 0; \
\
		for (int k = 0; k < N * M; k++) { \
			x[k] = (type)(int)(draw() % 1000); \
			y[k] = (type)(int)(draw() % 64); \
			at[k] = (int)(draw() % (N * M / 3)); \
			above[k] = (unsigned)(draw() % (N * M)); \
			wide[k] = (int64_t)(draw() % (N * M - 1)); \
			to[k] = expected[k] = (type)k; \
		} \
		for (int k = 0; k < N; k++) /* some rows are empty */ \
			start[k + 1] = start[k] + (int)(draw() % M); \
		name(n, to, x, y, at, above, wide, start); \
		scalar_##name(n, expected, x, y, at, above, wide, start); \
		for (int k = 0; k < N * M; k++) \
			wrong += to[k] != expected[k]; \
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
