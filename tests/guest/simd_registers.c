/*
 * The intrinsics of psim_simd.h with as many live registers as fit: 14 sums, 14 factors and
 * one more, complex numbers in pairs of PEs. Compares with scalar arithmetic in the same order.
 */
#include <stdio.h>
#include <stdlib.h>

#include "psim_simd.h"

enum { SUMS = 14, TIMES = 3 };
#define EACH _Pragma("GCC unroll 14") for (int k = 0; k < SUMS; k++)

SIMD_FUNCTION static void multiply(double *out, const double *in, long times)
{
	double sum[SUMS];

	EACH sum[k] = 0;
	for (long j = 0; j < times; j++)
		EACH sum[k] = simd_fxcmaddd(in[k], in[SUMS], simd_fxmaddd(in[k], in[SUMS], sum[k]));
	EACH out[k] = sum[k];
}

SIMD_FUNCTION static void single(double *x, double *sum, double *one)
{
	double number = simd_number(), partner = simd_exchange(number), mine = *x * 2.5;

	simd_sum(mine, sum);
	simd_read(mine, 1, one);
	x[0] = number;
	x[1] = partner;
	x[2] = simd_write(mine, 0, sum);
	x[3] = simd_fxjmaddd(number, partner, simd_fxmsubd(number, partner, mine));
}

static long check_products(const double *x, const double *y, unsigned pes)
{
	long wrong = 0;

	for (unsigned pe = 0; pe < pes; pe += 2)
		for (int k = 0; k < SUMS; k++) {
			const double *even = x + pe * (SUMS + 1), *odd = even + SUMS + 1;
			double re = 0, im = 0;

			for (int j = 0; j < TIMES; j++) {
				re += even[k] * even[SUMS];
				im += odd[k] * even[SUMS];
				re -= odd[k] * odd[SUMS];
				im += even[k] * odd[SUMS];
			}
			wrong += y[pe * SUMS + k] != re || y[(pe + 1) * SUMS + k] != im;
		}
	return wrong;
}

/* PE k has x = k / 2 - 3 first: mine = 1.25 k - 7.5 */
static long check_single(unsigned pes, double sum, double one)
{
	double mine[2] = {-7.5, 1.25 * (pes - 1) - 7.5}, last = pes - 1;
	const double *first = simd_pe(0, 0), *end = simd_pe(pes - 1, 0);
	long wrong = sum != (mine[0] + mine[1]) * pes / 2 || one != 1.25 - 7.5;

	wrong += first[0] != 0 || first[1] != 1 || end[0] != last || end[1] != last - 1;
	wrong += first[2] != sum || end[2] != mine[1];
	/* even PE 0: 0 * 1 - mine, then 1 * (the odd one's partner, 0) added */
	wrong += first[3] != -mine[0];
	/* odd PE: its number times the even one's partner, less mine; then less even * odd one's partner */
	wrong += end[3] != last * last - mine[1] - (last - 1) * (last - 1);
	return wrong;
}

int main(void)
{
	unsigned pes = simd_pes();
	double *x = malloc(sizeof(*x) * pes * (SUMS + 1)), *y = malloc(sizeof(*y) * pes * SUMS), sum, one;

	if (!x || !y)
		return 1;
	for (unsigned k = 0; k < pes * (SUMS + 1); k++)
		x[k] = k * 0.5 - 3;
	simd_deal(simd_all(0), x, 8 * (SUMS + 1), pes);
	simd_wait(0);
	simd_on();
	multiply(simd_all(1024), simd_all(0), TIMES);
	simd_off();
	simd_collect(simd_all(1024), y, 8 * SUMS, pes);
	simd_wait(0);
	for (unsigned k = 0; k < pes; k++)
		*(double *)simd_pe(k, 0) = k * 0.5 - 3;
	simd_on();
	single(simd_all(0), &sum, &one);
	simd_off();
	printf("%u PEs: %ld products wrong, %ld of the others\n", pes, check_products(x, y, pes),
	       check_single(pes, sum, one));
	return 0;
}
