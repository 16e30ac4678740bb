/* C = A B: the three loops of a textbook, for psim-cc. */
#include "../dgemm_check.h"

static int dgemm(int n, const double *a, const double *b, double *c, double *work)
{
	(void)work;
#pragma omp simd
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			double sum = 0;

			for (long k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
	return 0;
}

static size_t no_work(int n)
{
	(void)n;
	return 0;
}

int main(int argc, char *argv[])
{
	return dgemm_main("dgemm", argc, argv, dgemm, no_work);
}
