/*
 * a = b + s c for long vectors on the SIMD array (STREAM's triad).
 *
 *     triad [N [TIMES]]     default 1000 elements, once; any number of PEs
 *
 * Vectors are processed in parts that fill a third of half the SBMs; a part is dealt in equal
 * blocks, one to each PE. Transfers of the next and the previous part overlap the computation,
 * so memory bandwidth is measured.
 *
 * Compares every element with integer arithmetic.
 */
#include "../triad_check.h"
#include "simd_kernel.h"

SIMD_FUNCTION static void part(long n, double *restrict a, const double *restrict b, const double *restrict c,
			       const double *s)
{
	double factor = *s;

	for (long i = 0; i < n; i++)
		a[i] = b[i] + factor * c[i];
}

static int triad(long n, double *restrict a, const double *restrict b, const double *restrict c, double s)
{
	struct array array = array_here();
	long most = array.room / 6, step = most * array.pes, half = 0; /* doubles of a PE; elements of a part */
	const volatile double factor = s;                              /* in memory, from where the array loads it */

	simd_on();
	vector_get(array, b, most, smaller(step, n));
	vector_get(array, c, 2 * most, smaller(step, n));
	for (long i = 0; i < n; i += step, half = 3 * most - half) {
		long count = smaller(step, n - i), next = smaller(step, n - i - count), other = 3 * most - half;

		if (i > 0)
			simd_wait(1); /* the previous part may still be in transfer */
		else
			simd_wait(0);
		if (next > 0) {
			vector_get(array, b + i + step, other + most, next);
			vector_get(array, c + i + step, other + 2 * most, next);
		}
		part(vector_share(array, count), sbm(half), sbm(half + most), sbm(half + 2 * most),
		     (const double *)&factor);
		vector_put(array, a + i, half, count);
	}
	simd_wait(0);
	simd_off();
	return 0;
}

int main(int argc, char *argv[])
{
	return triad_main("triad", argc, argv, triad);
}
