/*
 * Rows with ends of their own, that are read backwards, or whose elements are columns, too, compared with the same
 * loops without the directive. Small integers: all is exact.
 */
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)
/* A loop over i on the array, and the same on the scalar core: n rows of m elements, w apart. */
#define NEST(name, ...) \
	LEAF void name##_array(long n, long m, long w, double *u, double *p, const double *x) \
	{ \
		PRAGMA(omp simd) for (long i = 0; i < n; i++) \
		{ \
			__VA_ARGS__ \
		} \
	} \
	LEAF void name##_scalar(long n, long m, long w, double *u, double *p, const double *x) \
	{ \
		for (long i = 0; i < n; i++) { \
			__VA_ARGS__ \
		} \
	}

enum { ROOM = 6000 };

/* One sweep up and one down each row, as of ADI; then with the rows as columns. */
NEST(rows, u[i * w] = 1; p[i * w] = 0; for (long j = 1; j < m - 1; j++) p[i * w + j] = x[i * w + j] - p[i * w + j - 1];
     u[i * w + m - 1] = 2;
     for (long j = m - 2; j >= 1; j--) u[i * w + j] = p[i * w + j] - u[i * w + j + 1] + x[i * w + j];)
NEST(columns, u[i] = 1; p[i * w] = 0; for (long j = 1; j < m - 1; j++) p[i * w + j] = x[j * w + i] - p[i * w + j - 1];
     u[(m - 1) * w + i] = 2;
     for (long j = m - 2; j >= 1; j--) u[j * w + i] = p[i * w + j] - u[(j + 1) * w + i] + x[j * w + i];)
/* Each row is turned around; its second half reads what the first one has stored. */
NEST(turned, for (long j = 0; j < m; j++) u[i * w + j] = u[i * w + m - 1 - j] + x[j];)
/* The end of each row is an element of the next row, if there is one. */
NEST(beyond, for (long j = 0; j < m; j++) u[i * w + j] = x[i * w + j]; u[i * w + w] = 3;)
/* A row and a column of the same elements. */
NEST(mirrored, u[i] = 0; for (long j = 0; j < m; j++) u[i] += x[j * w] * x[j * w + i]; u[i] *= 2; u[i * w] = u[i];)
/* The column is not what the row is: the scalar loop has to run. */
NEST(changed, u[i] = x[i] + 1; u[i * w] = 2 * u[i];)

static double memory[2][3][ROOM]; /* of the array and of the scalar core */

static void fill(void)
{
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < ROOM; i++)
			memory[0][k][i] = memory[1][k][i] = (i * (k + 3) + i / 7) % 11 - 5;
}

static int differ(const char *name, long n, long m, long w)
{
	if (!memcmp(memory[0], memory[1], sizeof(memory[0])))
		return 0;
	printf("%s of %ld rows of %ld, %ld apart: the array's result differs\n", name, n, m, w);
	return 1;
}

#define BOTH(name, n, m, w, u, p) \
	(fill(), name##_array(n, m, w, u(0), p(0), memory[0][2]), name##_scalar(n, m, w, u(1), p(1), memory[1][2]), \
	 differ(#name, n, m, w))
#define FIRST(k) memory[k][0]
#define SECOND(k) memory[k][1]
#define WITHIN(k) (memory[k][0] + 5)

int main(void)
{
	static const long rows[] = {0, 1, 2, 5, 16, 33, 40};
	int wrong = 0;

	for (int k = 0; k < 7; k++) {
		long n = rows[k];

		wrong += BOTH(rows, n, 21, 40, FIRST, SECOND);
		wrong += BOTH(columns, n, 21, 40, FIRST, SECOND);
		wrong += BOTH(turned, n, 21, 40, FIRST, SECOND);
		wrong += BOTH(beyond, n, 21, 40, FIRST, SECOND);
		wrong += BOTH(mirrored, n, 9, 40, FIRST, SECOND);
		wrong += BOTH(changed, n, 9, 40, FIRST, SECOND);
	}
	/* no elements between the ends, one, two */
	wrong += BOTH(rows, 33, 2, 40, FIRST, SECOND) + BOTH(rows, 33, 3, 40, FIRST, SECOND) +
		 BOTH(rows, 33, 4, 40, FIRST, SECOND);
	wrong += BOTH(columns, 33, 2, 40, FIRST, SECOND) + BOTH(columns, 33, 3, 40, FIRST, SECOND);
	wrong += BOTH(turned, 33, 0, 40, FIRST, SECOND) + BOTH(turned, 33, 1, 40, FIRST, SECOND);
	/* u and p overlap; rows overlap, and a row and a column in more than a place */
	wrong += BOTH(rows, 33, 21, 40, FIRST, WITHIN) + BOTH(columns, 33, 21, 40, FIRST, FIRST);
	wrong += BOTH(rows, 33, 21, 20, FIRST, SECOND) + BOTH(turned, 33, 21, 11, FIRST, SECOND);
	wrong += BOTH(mirrored, 33, 9, 32, FIRST, SECOND) + BOTH(mirrored, 33, 9, 1, FIRST, SECOND);
	printf("nests: %d wrong\n", wrong);
	return wrong != 0;
}
