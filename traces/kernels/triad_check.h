/* Input, measured region and check of the triads. */
#ifndef TRIAD_CHECK_H
#define TRIAD_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "psim_region.h"

enum { TRIAD_MAX = 1 << 26 };

/* a = b + s c, n elements. Returns 0, or 1 with a message. */
typedef int triad_kernel(long n, double *restrict a, const double *restrict b, const double *restrict c, double s);

/* Runs the program NAME [N [TIMES]]. */
static int triad_main(const char *name, int argc, char *argv[], triad_kernel *kernel)
{
	long n = argc > 1 ? atol(argv[1]) : 1000, times = argc > 2 ? atol(argv[2]) : 1, bad = 0;
	double *a, *b, *c;

	if (n < 1 || n > TRIAD_MAX || times < 1) {
		fprintf(stderr, "%s: N is a number from 1 to %d, TIMES from 1 on\n", name, TRIAD_MAX);
		return 2;
	}
	a = calloc((size_t)n, sizeof(*a));
	b = calloc((size_t)n, sizeof(*b));
	c = calloc((size_t)n, sizeof(*c));
	if (!a || !b || !c)
		return 1;
	for (long i = 0; i < n; i++) { /* small integers: every result is exact */
		b[i] = (double)(i % 7 - 3);
		c[i] = (double)(i % 11 - 5);
	}
	psim_region_begin("triad");
	for (long t = 0; t < times; t++)
		if (kernel(n, a, b, c, 3))
			return 2;
	psim_region_end("triad");
	for (long i = 0; i < n; i++)
		bad += a[i] != (double)(i % 7 - 3 + 3 * (i % 11 - 5));
	printf("triad %ld: a[1] = %.0f, %ld elements wrong\n", n, a[n > 1], bad);
	return bad ? 1 : 0;
}

#endif
