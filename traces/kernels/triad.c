/*
 * a = b + s c for long vectors, as in the STREAM benchmark (McCalpin, 1995): two loads and a
 * store per multiply-add, so memory bandwidth is measured.
 *
 *     triad [N [TIMES]]     default 1000 elements, once
 *
 * Compares every element with integer arithmetic.
 */
#include "triad_check.h"

static int triad(long n, double *restrict a, const double *restrict b, const double *restrict c, double s)
{
	for (long i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
	return 0;
}

int main(int argc, char *argv[])
{
	return triad_main("triad", argc, argv, triad);
}
