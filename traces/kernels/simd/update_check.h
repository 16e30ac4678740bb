/* Input, measured region and check of the kernels of C += A B, real or complex, of any shape. */
#ifndef UPDATE_CHECK_H
#define UPDATE_CHECK_H

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#include "../psim_region.h"

enum { UPDATE_MAX = 4096, UPDATE_MARGIN = 16 }; /* largest m, n, k; readable doubles after A and B */

/* C is m x n, A is m x k, by rows; a complex number is its real and its imaginary part. */
struct update {
	long m, n, k;
	const double *a, *b;
	double *c;
};

/* Returns 0, or 1 with a message if it does not fit. */
typedef int update_product(const struct update *u);

/* Number `at` of a matrix of numbers of `parts` doubles. */
static double complex update_number(const double *x, long at, int parts)
{
	return parts == 2 ? x[2 * at] + x[2 * at + 1] * I : x[at];
}

/* The initial value of double `at` of a matrix: small integers, so that every sum is exact. */
static double update_begin(long at, long numbers)
{
	return (double)(at % numbers) - (double)(numbers / 2);
}

/* Number of elements of C that differ from the plain sum; checks some rows of a large matrix. */
static long update_wrong(const struct update *u, int parts)
{
	long count = 0;

	for (long i = 0; i < u->m; i += 1 + u->m / 128)
		for (long j = 0; j < u->n; j++) {
			long at = parts * (i * u->n + j);
			double complex sum = update_begin(at, 11) + (parts == 2 ? update_begin(at + 1, 11) * I : 0);

			for (long k = 0; k < u->k; k++)
				sum += update_number(u->a, i * u->k + k, parts) *
				       update_number(u->b, k * u->n + j, parts);
			count += sum != update_number(u->c, i * u->n + j, parts);
		}
	return count;
}

static double *update_matrix(long doubles, long numbers)
{
	double *x = calloc((size_t)(doubles + UPDATE_MARGIN), sizeof(*x));

	for (long i = 0; x && i < doubles; i++)
		x[i] = update_begin(i, numbers);
	return x;
}

/* Runs the program NAME M N K with its region; numbers of one or two doubles. */
static int update_main(const char *name, int argc, char *argv[], const char *region, int parts, update_product *product)
{
	long size[3] = {48, 48, 48}, bad;
	struct update u;
	int failed;

	for (int i = 0; i < 3; i++) {
		if (argc > 1)
			size[i] = atol(argv[i + 1 < argc ? i + 1 : argc - 1]);
		if (size[i] < 1 || size[i] > UPDATE_MAX) {
			fprintf(stderr, "%s: M, N and K are numbers from 1 to %d\n", name, UPDATE_MAX);
			return 2;
		}
	}
	u = (struct update){.m = size[0], .n = size[1], .k = size[2]};
	u.a = update_matrix(parts * u.m * u.k, 7);
	u.b = update_matrix(parts * u.k * u.n, 5);
	u.c = update_matrix(parts * u.m * u.n, 11);
	if (!u.a || !u.b || !u.c)
		return 1;
	psim_region_begin(region);
	failed = product(&u);
	psim_region_end(region);
	if (failed)
		return 2;
	bad = update_wrong(&u, parts);
	printf("update %ld %ld %ld: %ld elements wrong%s\n", u.m, u.n, u.k, bad, bad ? "" : ": right");
	return bad ? 1 : 0;
}

#endif
