/* omp WHAT N: a parallel region of N turns in all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

static long line[8] __attribute__((aligned(64))), lines[1024][8] __attribute__((aligned(64)));

/* Threads add to words: at[0], at[step], ... */
static void add(volatile long *at, long step, long turns)
{
#pragma omp parallel for schedule(static, 1)
	for (int thread = 0; thread < 2; thread++)
		for (long i = 0; i < turns; i++)
			at[thread * step]++;
}

static long counted(long turns)
{
	long sum = 0;

#pragma omp parallel for
	for (long i = 0; i < turns; i++)
#pragma omp atomic
		sum++;
	return sum;
}

static long reduced(long turns)
{
	long sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < turns; i++)
		sum += i;
	return sum;
}

static void triad(double *a, const double *b, const double *c, long n)
{
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		a[i] = b[i] + 3.0 * c[i];
}

int main(int argc, char *argv[])
{
	const char *what = argc == 3 ? argv[1] : "";
	long n = argc == 3 ? atol(argv[2]) : 0, sum = 0;
	double *a = calloc(3 * n, sizeof(*a));

	psim_region_begin("omp");
	if (!strcmp(what, "one-line"))
		add(line, 1, n);
	else if (!strcmp(what, "two-lines"))
		add(lines[0], 8192 / 8, n);
	else if (!strcmp(what, "atomic"))
		sum = counted(n);
	else if (!strcmp(what, "reduction"))
		sum = reduced(n);
	else if (!strcmp(what, "triad"))
		triad(a, a + n, a + 2 * n, n);
	psim_region_end("omp");
	printf("%ld\n", sum);
	return 0;
}
