/* Complex C = A B: the three loops of a textbook, for psim-cc. */
#include <complex.h>

#include "../zgemm_check.h"

static void product(int n, const double complex *a, const double complex *b, double complex *c)
{
#pragma omp simd
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			double complex sum = 0;

			for (long k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static int zgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
	product(n, (const double complex *)a, (const double complex *)b, (double complex *)c);
	return 0;
}

static size_t no_work(int n)
{
	(void)n;
	return 0;
}

int main(int argc, char *argv[])
{
	return zgemm_main("zgemm", argc, argv, zgemm, no_work);
}
