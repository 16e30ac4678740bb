/*
 * Arrays that each lane has for itself, compared with the same loops without the directive: arrays of an iteration, and
 * those that it fills before it reads them, of which memory has the last iteration's. Small integers: all is exact.
 */
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)
/* A function of arrays a, b, t, of n iterations and the extent m, with the directive and without. */
#define NEST(name, ...) \
	LEAF void name##_array(long n, long m, double *a, const double *b, double *t){PRAGMA( \
		omp simd) __VA_ARGS__} LEAF void name##_scalar(long n, long m, double *a, const double *b, double *t) \
	{ \
		__VA_ARGS__ \
	}

enum { ROOM = 20000 };

/* A product with an 8 by 8 matrix, by way of an array of the iteration. */
NEST(
	local, for (long i = 0; i < n; i++) {
		double x[8];
		for (int k = 0; k < 8; k++)
			x[k] = b[8 * i + k] * 2;
		for (int k = 0; k < 8; k++) {
			double s = 0;
			for (int j = 0; j < 8; j++)
				s += x[j] * b[k * 8 + j];
			a[8 * i + k] = s;
		}
	})
/* A matrix becomes its transpose. */
NEST(
	table, for (long i = 0; i < n; i++) {
		double x[4][5];
		for (int k = 0; k < 4; k++)
			for (int j = 0; j < 5; j++)
				x[k][j] = b[20 * i + 5 * k + j];
		for (int j = 0; j < 5; j++)
			for (int k = 0; k < 4; k++)
				a[20 * i + 4 * j + k] = x[k][j];
	})
NEST(
	singles, for (long i = 0; i < n; i++) {
		float x[7];
		for (int k = 0; k < 7; k++)
			x[k] = (float)b[7 * i + k];
		for (int k = 0; k < 7; k++)
			a[7 * i + k] = x[k] + 1;
	})
/* Rows times a matrix, in place: t holds a row's result, and is left with the last one. */
NEST(
	filled, for (long i = 0; i < n; i++) {
		for (int p = 0; p < m; p++) {
			t[p] = 0;
			for (int s = 0; s < m; s++)
				t[p] += a[m * i + s] * b[m * s + p];
		}
		for (int p = 0; p < m; p++)
			a[m * i + p] = t[p];
	})
/* The same for three rows of each iteration. */
NEST(
	again, for (long i = 0; i < n; i++) for (int q = 0; q < 3; q++) {
		for (int p = 0; p < m; p++) {
			t[p] = 1;
			for (int s = 0; s < m; s++)
				t[p] += a[3 * m * i + m * q + s] * b[m * s + p];
		}
		for (int p = 0; p < m; p++)
			a[3 * m * i + m * q + p] = t[p];
	})

static double memory[2][3][ROOM]; /* of the array and of the scalar core */

static void fill(void)
{
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < ROOM; i++)
			memory[0][k][i] = memory[1][k][i] = (i * (k + 3) + i / 7) % 11 - 5;
}

static int differ(const char *name, long n, long m)
{
	int bad = memcmp(memory[0], memory[1], sizeof(memory[0])) != 0;

	if (bad)
		printf("%s with n = %ld, m = %ld differs\n", name, n, m);
	return bad;
}

#define TRY(name, n, m) \
	(fill(), name##_array(n, m, memory[0][0], memory[0][1], memory[0][2]), \
	 name##_scalar(n, m, memory[1][0], memory[1][1], memory[1][2]), differ(#name, n, m))

int main(void)
{
	static const long lanes[] = {1, 3, 33, 100}, extents[] = {0, 5, 12};
	int bad = 0;

	for (unsigned k = 0; k < sizeof(lanes) / sizeof(*lanes); k++) {
		long n = lanes[k];

		bad += TRY(local, n, 0) + TRY(table, n, 0) + TRY(singles, n, 0);
		for (unsigned j = 0; j < sizeof(extents) / sizeof(*extents); j++)
			bad += TRY(filled, n, extents[j]) + TRY(again, n, extents[j]);
	}
	printf("nests: %d wrong\n", bad);
	return bad != 0;
}
