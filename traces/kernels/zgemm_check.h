/* Input, measured region and check of the products of complex matrices. */
#ifndef ZGEMM_CHECK_H
#define ZGEMM_CHECK_H

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { ZGEMM_MAX = 4096, ZGEMM_MARGIN = 16 }; /* largest n; readable doubles after A and B */

/*
 * C = A B, n x n, by rows, each number its real and imaginary part; `c` and `work` are zero
 * initially. Returns 0, or 1 with a message if n is too large.
 */
typedef int zgemm_product(int n, const double *a, const double *b, double *c, double *work);

/*
 * Number of elements of C that differ from the plain inner product; exact, since the input is
 * small integers.
 */
static long zgemm_wrong(int n, const double complex *a, const double complex *b, const double complex *c)
{
	long count = 0;
	int step = n > 128 ? n / 128 * 2 + 1 : 1; /* checks some rows of a large matrix */

	for (int i = 0; i < n; i += step)
		for (int j = 0; j < n; j++) {
			double complex sum = 0;

			for (int k = 0; k < n; k++)
				sum += a[(long)i * n + k] * b[(long)k * n + j];
			count += sum != c[(long)i * n + j];
		}
	return count;
}

/* Runs the program NAME N; the product gets `work` doubles of work space. */
static int zgemm_main(const char *name, int argc, char *argv[], zgemm_product *product, size_t (*work)(int n))
{
	int n = argc > 1 ? atoi(argv[1]) : 48, failed;
	size_t size = (size_t)n * (size_t)n;
	double complex *a, *b, *c;
	double *space;
	long bad;

	if (n < 1 || n > ZGEMM_MAX) {
		fprintf(stderr, "%s: N is a number from 1 to %d\n", name, ZGEMM_MAX);
		return 2;
	}
	a = calloc(size + ZGEMM_MARGIN, sizeof(*a));
	b = calloc(size + ZGEMM_MARGIN, sizeof(*b));
	c = calloc(size, sizeof(*c));
	space = calloc(work(n) + 1, sizeof(*space));
	if (!a || !b || !c || !space)
		return 1;
	for (size_t i = 0; i < size; i++) {
		a[i] = ((double)(i % 7) - 3) + ((double)(i % 11) - 5) * I;
		b[i] = ((double)(i % 5) - 2) + ((double)(i % 13) - 6) * I;
	}
	psim_region_begin("zgemm");
	failed = product(n, (double *)a, (double *)b, (double *)c, space);
	psim_region_end("zgemm");
	if (failed)
		return 2;
	bad = zgemm_wrong(n, a, b, c);
	printf("zgemm %d: c[1] = %.0f%+.0fi, %ld elements wrong\n", n, creal(c[n > 1]), cimag(c[n > 1]), bad);
	return bad ? 1 : 0;
}

#endif
