/*
 * Inner loops that count more in later lanes, compared with the same loops without the directive: the lower half of a
 * matrix changes, and the upper one stays as it is. Small integers: all is exact.
 */
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)
/* A function of c, with rows of w elements, and a and b, with rows of m; with the directive and without. */
#define NEST(name, ...) \
	LEAF void name##_array(long n, long m, long w, double *restrict c, const double *a, const double *b){ \
		PRAGMA(omp simd) __VA_ARGS__} LEAF void name##_scalar(long n, long m, long w, double *restrict c, \
								      const double *a, const double *b) \
	{ \
		__VA_ARGS__ \
	}

enum { ROOM = 20000 };

/* c = 2 c + 3 a a', of which the lower half is kept. */
NEST(
	square, for (long i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++)
			c[w * i + j] *= 2;
		for (int k = 0; k < m; k++)
			for (int j = 0; j <= i; j++)
				c[w * i + j] += 3 * a[m * i + k] * a[m * j + k];
	})
NEST(
	both, for (long i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++)
			c[w * i + j] *= 2;
		for (int k = 0; k < m; k++)
			for (int j = 0; j <= i; j++)
				c[w * i + j] += a[m * i + k] * b[m * j + k] + b[m * i + k] * a[m * j + k];
	})
NEST(
	dots, for (long i = 0; i < n; i++) for (int j = 0; j < i; j++) {
		double s = 0;
		for (int k = 0; k < m; k++)
			s += a[m * i + k] * b[m * j + k];
		c[w * i + j] = s;
	})
NEST(later, for (long i = 3; i < n; i++) for (int j = 0; j < i - 1; j++) c[w * i + j] += a[m * i + j] + b[j];)
/* Rows end in other rows if they are longer than five elements. */
NEST(packed, for (long i = 0; i < n; i++) for (int j = 0; j < i; j++) c[5 * i + j] += a[j];)
/* The last row comes first. */
NEST(falling, for (long i = 0; i < n; i++) for (int j = 0; j < i; j++) c[w * (n - i) + j] += a[j];)

static double memory[2][3][ROOM]; /* of the array and of the scalar core */

static void fill(void)
{
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < ROOM; i++)
			memory[0][k][i] = memory[1][k][i] = (i * (k + 3) + i / 7) % 11 - 5;
}

static int differ(const char *name, long n)
{
	int bad = memcmp(memory[0], memory[1], sizeof(memory[0])) != 0;

	if (bad)
		printf("%s with n = %ld differs\n", name, n);
	return bad;
}

#define TRY(name, n, m, w) \
	(fill(), name##_array(n, m, w, memory[0][0], memory[0][1], memory[0][2]), \
	 name##_scalar(n, m, w, memory[1][0], memory[1][1], memory[1][2]), differ(#name, n))

int main(void)
{
	static const long extents[] = {5, 33, 100};
	int bad = 0;

	for (unsigned k = 0; k < sizeof(extents) / sizeof(*extents); k++) {
		long n = extents[k];

		bad += TRY(square, n, 4, n) + TRY(both, n, 5, n + 1) + TRY(dots, n, 3, n + 2);
		bad += TRY(later, n, 1, n) + TRY(packed, n, 1, n) + TRY(falling, n, 1, n);
	}
	printf("nests: %d wrong\n", bad);
	return bad != 0;
}
