/*
 * Loops over pointers and values of the last iteration, compared with the same loops without the directive. Small
 * integers: every sum is exact.
 */
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)
/* A function of an array from p to e and another one, q, with the directive and without; it returns a number. */
#define NEST(name, clause, ...) \
	LEAF long name##_array(double *p, double *e, double *q, long m){ \
		PRAGMA(omp simd clause) __VA_ARGS__} LEAF long name##_scalar(double *p, double *e, double *q, long m) \
	{ \
		__VA_ARGS__ \
	}

enum { ROOM = 2000 };

NEST(distance, , for (double *x = p; x < e; x++) *x += 2 * q[x - p]; return m;)
NEST(other, , for (double *x = p; x < e; x++) q[x - p] = *x * 2; return m;)
NEST(not_equal, , for (double *x = p; x != e; x++) *x *= 3; return m;)
NEST(downwards, , for (double *x = e - 1; x >= p; x--) *x *= 3; return m;)
NEST(beside, linear(q), for (double *x = p; x < e; x++) *x = *q++ * 2; return m;)
/* The step is known at run time. */
NEST(steps, , for (double *x = p; x < e; x += m) *x += 1; return m;)
NEST(rows, , for (double *x = p; x < e; x += m) for (double *y = x; y < x + m; y++) *y *= 2; return m;)
NEST(inner, , for (double *x = p; x < e; x++) for (const double *y = q, *z = q + 5; y != z; y++) *x += *y; return m;)
NEST(rows_of_four, ,
     for (double (*x)[4] = (double (*)[4])p; x < (double (*)[4])(p + (e - p) / 4 * 4); x++) for (int k = 0; k < 4;
												 k++) (*x)[k] += k;
     return m;)

/* Values of x and k behind the loop. */
LEAF long last_array(double *p, double *e, double *q, long m)
{
	double *x;
	long k = 7;
#pragma omp simd lastprivate(k)
	for (x = p; x < e; x++) {
		k = 3 * (x - p) + m;
		q[x - p] = *x;
	}
	return 1000 * (x - p) + k;
}
LEAF long last_scalar(double *p, double *e, double *q, long m)
{
	double *x;
	long k = 7;
	for (x = p; x < e; x++) {
		k = 3 * (x - p) + m;
		q[x - p] = *x;
	}
	return 1000 * (x - p) + k;
}

LEAF void aligned_array(long n, double *a, const double *b)
{
#pragma omp simd aligned(a, b : 64) safelen(16) simdlen(8)
	for (long i = 0; i < n; i++)
		a[i] = b[i] * b[i];
}

static double memory[2][2][ROOM] __attribute__((aligned(64))); /* of the array and of the scalar core */

static void fill(void)
{
	for (int k = 0; k < 2; k++)
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

#define TRY(name, n, m) \
	(fill(), ((name##_array(memory[0][0], memory[0][0] + (n), memory[0][1], m) != \
		   name##_scalar(memory[1][0], memory[1][0] + (n), memory[1][1], m)) | \
		  differ(#name, n)))

static int try_aligned(long n)
{
	fill();
	aligned_array(n, memory[0][0], memory[0][1]);
	for (long i = 0; i < n; i++)
		memory[1][0][i] = memory[1][1][i] * memory[1][1][i];
	return differ("aligned", n);
}

int main(void)
{
	static const long extents[] = {1, 5, 40, 603};
	int bad = 0;

	for (unsigned k = 0; k < sizeof(extents) / sizeof(*extents); k++) {
		long n = extents[k];

		bad += TRY(distance, n, 1) + TRY(other, n, 1) + TRY(not_equal, n, 1) + TRY(downwards, n, 1);
		bad += TRY(beside, n, 1) + TRY(steps, n, 3) + TRY(rows, n, 3) + TRY(inner, n, 1);
		bad += TRY(rows_of_four, n + 3, 1) + TRY(last, n, 2) + try_aligned(n);
	}
	printf("nests: %d wrong\n", bad);
	return bad != 0;
}
