/*
 * Copies N columns of K neighbouring rows of a large matrix, stored by columns, into a buffer:
 * HPL does this with rows that leave a matrix, and the opposite with rows that arrive. Measures
 * memory.
 *
 *     rows K N [LD]     default 64 rows, 64 columns, of a matrix of 4096 rows
 *
 * Compares every element.
 */
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

static void copy(long k, long n, const double *restrict a, long ld, double *restrict to)
{
	for (long j = 0; j < n; j++)
		for (long i = 0; i < k; i++)
			to[j * k + i] = a[j * ld + i];
}

int main(int argc, char *argv[])
{
	long k = argc > 1 ? atol(argv[1]) : 64, n = argc > 2 ? atol(argv[2]) : 64;
	long ld = argc > 3 ? atol(argv[3]) : 4096, bad = 0;
	double *a, *to;

	if (k < 1 || n < 1 || ld < k || n > (1L << 26) / ld) {
		fprintf(stderr, "rows: K and N are numbers from 1 on, LD one from K on, with LD N up to 2^26\n");
		return 2;
	}
	a = calloc((size_t)(ld * n), sizeof(*a));
	to = calloc((size_t)(k * n), sizeof(*to));
	if (!a || !to)
		return 1;
	for (long j = 0; j < n; j++)
		for (long i = 0; i < k; i++)
			a[j * ld + i] = (double)(i + 3 * j);
	psim_region_begin("rows");
	copy(k, n, a, ld, to);
	psim_region_end("rows");
	for (long j = 0; j < n; j++)
		for (long i = 0; i < k; i++)
			bad += to[j * k + i] != (double)(i + 3 * j);
	printf("rows %ld %ld: %ld elements wrong%s\n", k, n, bad, bad ? "" : ": right");
	return bad ? 1 : 0;
}
