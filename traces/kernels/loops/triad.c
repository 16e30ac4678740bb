/* a = b + s c: the loop of a textbook, for psim-cc. */
#include "../triad_check.h"

static int triad(long n, double *restrict a, const double *restrict b, const double *restrict c, double s)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
	return 0;
}

int main(int argc, char *argv[])
{
	return triad_main("triad", argc, argv, triad);
}
