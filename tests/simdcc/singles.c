/*
 * Nests of single precision, alone and beside doubles, compared with the same loops without the directive. Numbers of 4
 * bytes begin at odd multiples of 4 bytes too, rows have odd lengths, and lanes are odd in number: a transfer moves
 * multiples of 8 bytes, and the scalar core the ends. Small integers: every sum is exact.
 */
#include <complex.h>
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)
/* A function of arrays a, b, c and their extent n, with the directive and without. */
#define NEST(name, of_a, of, ...) \
	LEAF void name##_array(long n, of_a *a, const of *b, of *c){ \
		PRAGMA(omp simd) __VA_ARGS__} LEAF void name##_scalar(long n, of_a *a, const of *b, of *c) \
	{ \
		__VA_ARGS__ \
	}

enum { MOST = 35, WORDS = 20000 };

NEST(triad, float, float, for (long i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];)
NEST(smooth, float, float, for (long i = 1; i < n - 1; i++) a[i] = b[i - 1] + 2 * b[i] + b[i + 1];)
NEST(
	widened, double, float, for (long i = 0; i < n; i++) {
		a[i] = b[i] * (double)c[i];
		c[i] = (float)a[i] - b[i];
	})
NEST(
	rows, float, float, for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) {
		float t = 1;
		for (long k = 0; k < n; k++)
			t += b[i * n + k] * c[k * n + j];
		a[i * n + j] = t;
	})
NEST(
	columns, float, float, for (long j = 0; j < n; j++) for (long i = 0; i < n; i++) {
		float t = 1;
		for (long k = 0; k < n; k++)
			t += b[i * n + k] * c[k * n + j];
		a[i * n + j] = t;
	})
NEST(parts, float complex, float complex, for (long i = 0; i < n; i++) a[i] = b[i] * c[i] + 3 * conjf(b[i]);)
NEST(backwards, float, float,
     for (long i = n - 1; i >= 0; i--) for (long j = 0; j < 5; j++) a[5 * i + j] = b[5 * i + j] + c[n - 1 - i];)
/* The inner loop's step doubles. */
NEST(doubling, float, float,
     for (long i = 0; i < n; i++) for (long j = 1; j < n; j *= 2) a[n * i + j] = b[n * i + j / 2] + c[j];)

LEAF float dot_array(long n, const float *a, const float *b)
{
	float s = 0;
#pragma omp simd reduction(+ : s)
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}

static float single[2][3][WORDS]; /* of the array and of the scalar core */
static double wide[2][WORDS];

static void fill(void)
{
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < WORDS; i++)
			single[0][k][i] = single[1][k][i] = (float)((i * (k + 3) + i / 7) % 11 - 5);
	memset(wide, 0, sizeof(wide));
}

static int differ(const char *name, long n)
{
	int bad = memcmp(single[0], single[1], sizeof(single[0])) || memcmp(wide[0], wide[1], sizeof(wide[0]));

	if (bad)
		printf("%s with n = %ld differs\n", name, n);
	return bad;
}

/* Bits of `odd`: arrays that begin at an odd multiple of 4 bytes. */
#define TRY(name, of_a, of, n) \
	(fill(), \
	 name##_array(n, (of_a *)(single[0][0] + (odd & 1)), (of *)(single[0][1] + (odd >> 1 & 1)), \
		      (of *)(single[0][2] + (odd >> 2))), \
	 name##_scalar(n, (of_a *)(single[1][0] + (odd & 1)), (of *)(single[1][1] + (odd >> 1 & 1)), \
		       (of *)(single[1][2] + (odd >> 2))), \
	 differ(#name, n))

static int try_all(long n, int odd)
{
	int bad = TRY(triad, float, float, n) + TRY(triad, float, float, 100 * n) + TRY(smooth, float, float, n);
	const float *a = single[0][0] + (odd & 1), *b = single[0][1];
	float s = 0;

	bad += TRY(rows, float, float, n) + TRY(columns, float, float, n) + TRY(backwards, float, float, n);
	bad += TRY(parts, float complex, float complex, n) + TRY(doubling, float, float, n);
	fill();
	widened_array(n, wide[0], single[0][1] + (odd & 1), single[0][2] + (odd >> 1 & 1));
	widened_scalar(n, wide[1], single[1][1] + (odd & 1), single[1][2] + (odd >> 1 & 1));
	bad += differ("widened", n);
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	return bad + (s != dot_array(n, a, b));
}

int main(void)
{
	static const long extents[] = {2, 3, MOST};
	int bad = 0;

	for (int odd = 0; odd < 8; odd++)
		for (unsigned k = 0; k < sizeof(extents) / sizeof(*extents); k++)
			bad += try_all(extents[k], odd);
	printf("nests: %d wrong\n", bad);
	return bad != 0;
}
