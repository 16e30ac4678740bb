/*
 * The four loops of STREAM (J. McCalpin, 1995), one of them once over vectors that are in no cache.
 *
 *     stream copy|scale|add|triad N
 */
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

#define APART 16 /* elements between vectors, so that these do not begin in one set of a cache */

static void __attribute__((noinline)) copy(long n, const double *restrict a, double *restrict c)
{
	for (long i = 0; i < n; i++)
		c[i] = a[i];
}

static void __attribute__((noinline)) scale(long n, double *restrict b, const double *restrict c, double s)
{
	for (long i = 0; i < n; i++)
		b[i] = s * c[i];
}

static void __attribute__((noinline))
add(long n, const double *restrict a, const double *restrict b, double *restrict c)
{
	for (long i = 0; i < n; i++)
		c[i] = a[i] + b[i];
}

static void __attribute__((noinline))
triad(long n, double *restrict a, const double *restrict b, const double *restrict c, double s)
{
	for (long i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
}

int main(int argc, char *argv[])
{
	long n = argc > 2 ? atol(argv[2]) : 0;
	size_t bytes = (size_t)(3 * n + 3 * APART) * sizeof(double);
	double *a = n > 0 && n < 100000000 ? malloc(bytes) : NULL, *b = a + n + APART, *c = b + n + APART;

	if (!a)
		return 1;
	memset(a, 0, bytes);
	psim_region_begin("stream");
	if (strcmp(argv[1], "copy") == 0)
		copy(n, a, c);
	else if (strcmp(argv[1], "scale") == 0)
		scale(n, b, c, 3);
	else if (strcmp(argv[1], "add") == 0)
		add(n, a, b, c);
	else
		triad(n, a, b, c, 3);
	psim_region_end("stream");
	return 0;
}
