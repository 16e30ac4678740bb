/*
 * The inner product of two vectors on the SIMD array: eight sums in each PE, and one
 * instruction that adds those of all PEs.
 *
 *     dot [N]     default 10000 elements; any number of PEs
 *
 * A vector is transferred in parts, each dealt in equal blocks, one to each PE; the transfer of
 * the next part overlaps the computation.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"
#include "simd_kernel.h"

enum { SUMS = 8 };

/* Adds x y to the sums; n is a multiple of SUMS. */
SIMD_FUNCTION static void part(long n, const double *restrict x, const double *restrict y, double *restrict sums)
{
	double s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
	double s4 = sums[4], s5 = sums[5], s6 = sums[6], s7 = sums[7];

	for (long i = 0; i < n; i += SUMS) {
		s0 += x[i] * y[i], s1 += x[i + 1] * y[i + 1];
		s2 += x[i + 2] * y[i + 2], s3 += x[i + 3] * y[i + 3];
		s4 += x[i + 4] * y[i + 4], s5 += x[i + 5] * y[i + 5];
		s6 += x[i + 6] * y[i + 6], s7 += x[i + 7] * y[i + 7];
	}
	sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
	sums[4] = s4, sums[5] = s5, sums[6] = s6, sums[7] = s7;
}

SIMD_FUNCTION static void clear(double *at)
{
	for (int i = 0; i < SUMS; i++)
		at[i] = 0;
}

/* Adds the sums of all PEs into a number of the scalar core. */
SIMD_FUNCTION static void total(const double *s, double *sum)
{
	simd_sum(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])), sum);
}

/* Gets a part, padded with zeros so that every share is a multiple of SUMS. */
static void get(struct array array, const double *x, const double *y, long at, long most, long count)
{
	long share = vector_share(array, count);

	if (share * array.pes != count || share % SUMS) {
		clear(sbm(at + count / array.pes));
		clear(sbm(at + most + count / array.pes));
	}
	vector_get(array, x, at, count);
	vector_get(array, y, at + most, count);
}

static double dot(long n, const double *x, const double *y)
{
	struct array array = array_here();
	long most = (array.room - SUMS) / 4 / SUMS * SUMS, step = (most - SUMS) * array.pes, half = 0;
	double *sums = sbm(4 * most), sum;

	simd_on();
	clear(sums);
	get(array, x, y, 0, most, smaller(step, n));
	for (long i = 0; i < n; i += step, half = 2 * most - half) {
		long count = smaller(step, n - i), next = smaller(step, n - i - count);

		simd_wait(0);
		if (next > 0)
			get(array, x + i + step, y + i + step, 2 * most - half, most, next);
		part((vector_share(array, count) + SUMS - 1) / SUMS * SUMS, sbm(half), sbm(half + most), sums);
	}
	total(sums, &sum);
	simd_off();
	return sum;
}

int main(int argc, char *argv[])
{
	long n = argc > 1 ? atol(argv[1]) : 10000;
	double *x, *y, sum;
	long expected = 0;

	if (n < 1 || n > 1 << 26) {
		fprintf(stderr, "dot: N is a number from 1 to %d\n", 1 << 26);
		return 2;
	}
	x = calloc((size_t)n, sizeof(*x));
	y = calloc((size_t)n, sizeof(*y));
	if (!x || !y)
		return 1;
	for (long i = 0; i < n; i++) { /* small integers: every sum is exact */
		x[i] = (double)(i % 7 - 3);
		y[i] = (double)(i % 5 - 2);
		expected += (i % 7 - 3) * (i % 5 - 2);
	}
	psim_region_begin("dot");
	sum = dot(n, x, y);
	psim_region_end("dot");
	printf("dot: %.1f, %s\n", sum, sum == (double)expected ? "right" : "wrong");
	return sum != (double)expected;
}
